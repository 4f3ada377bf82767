package approx

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
	"github.com/bloomproof/bloomproof/approx/internal/ref"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

const centralPrec = 400

// bigCentrals returns s(y,j) for all y <= 64 and j < mostCentral, as products of series.
func bigCentrals() [][]*big.Float {
	sinh := []*big.Float{ref.Uint(centralPrec, 1)} // the coefficients of sinh(t/2)/(t/2)
	for j := uint64(1); j < mostCentral; j++ {
		sinh = append(sinh, ref.Quo(sinh[j-1], ref.Uint(centralPrec, 4*2*j*(2*j+1))))
	}
	rows := [][]*big.Float{make([]*big.Float, mostCentral)}
	for j := range rows[0] {
		rows[0][j] = ref.Float(centralPrec, 0)
	}
	rows[0][0] = ref.Uint(centralPrec, 1)
	for y := 1; y <= occupancy.TableK; y++ {
		row := make([]*big.Float, mostCentral)
		for j := range row {
			row[j] = ref.Float(centralPrec, 0)
			for i := range j + 1 {
				row[j] = ref.Add(row[j], ref.Mul(rows[y-1][j-i], sinh[i]))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// The tables of the s(y,j) and of the sums of powers have the errors that their comments state.
func TestCentralTables(t *testing.T) {
	table := centrals()
	for y, row := range bigCentrals() {
		for j, want := range row {
			if want.Sign() == 0 {
				if table[y][j] != 0 {
					t.Errorf("s(%d,%d) = %v", y, j, table[y][j])
				}
			} else if e := ref.ErrorInU(table[y][j], want); !(e <= 1.01) {
				t.Errorf("s(%d,%d) = %v: off by %.3g u", y, j, table[y][j], e)
			}
		}
	}
	for k, row := range powerSums() {
		squares, powers := make([]*big.Int, k), make([]*big.Int, k)
		for i := range k {
			s := int64(2*i - (k - 1))
			squares[i], powers[i] = big.NewInt(s*s), big.NewInt(1)
		}
		for d, got := range row {
			want := new(big.Int) // 4^d times the sum
			for i, p := range powers {
				want.Add(want, p)
				p.Mul(p, squares[i])
			}
			if want.Sign() == 0 {
				if got != 0 {
					t.Errorf("powerSums[%d][%d] = %v", k, d, got)
				}
				continue
			}
			x := new(big.Float).SetPrec(centralPrec).SetInt(want)
			if e := ref.ErrorInU(got, x.SetMantExp(x, -2*d)); !(e <= 1.01) {
				t.Errorf("powerSums[%d][%d] = %v: off by %.3g u", k, d, got, e)
			}
		}
	}
}

// A sum of positive terms is the difference of g(v) = (1-v/m)^N that it stands for, within the bound of centralSum.
func TestCentralSum(t *testing.T) {
	cases := 100
	if longtest.Enabled() {
		cases = 3000
	}
	r := rand.New(rand.NewPCG(32, 1))
	worst, short := 0.0, 0
	for range cases {
		k := 1 + r.IntN(occupancy.TableK)
		m := 4*uint64(k) + uint64(math.Exp(7*r.Float64()))
		y := k - r.IntN(k)
		c := float64(m) - float64(y)/2
		a := math.Floor(centralLoad * c * r.Float64() * r.Float64())
		n := int64(a) + int64(y)
		got, ok := centralSum(centrals()[y][:mostTerms(k)], a, 1/(c*c), centralEnd)
		if !ok {
			short++
			continue
		}
		// The difference is N!/(N-y)! m^-y (1-y/(2m))^(N-y) times the sum. Multiplied by m^N, both are integers or halves.
		sum, choose := new(big.Int), new(big.Int)
		for j := range y + 1 {
			term := new(big.Int).Exp(new(big.Int).SetUint64(m-uint64(j)), big.NewInt(n), nil)
			term.Mul(term, choose.Binomial(int64(y), int64(j)))
			if j%2 == 1 {
				term.Neg(term)
			}
			sum.Add(sum, term)
		}
		front := new(big.Int).Exp(new(big.Int).SetUint64(2*m-uint64(y)), big.NewInt(int64(a)), nil) // times 2^-a
		for i := range int64(y) {
			front.Mul(front, big.NewInt(n-i))
		}
		want := ref.Quo(new(big.Float).SetPrec(centralPrec).SetInt(sum), new(big.Float).SetPrec(centralPrec).SetInt(front))
		want.SetMantExp(want, int(a))
		share := ref.ErrorInU(got, want) / (4 + float64(mostTerms(k))/2 + 1.65*float64(y))
		worst = max(worst, share)
		if !(share <= 1) {
			t.Errorf("m=%d N=%d y=%d: %v, off by %.3g of the bound", m, n, y, got, share)
		}
	}
	t.Logf("worst of the bounds %.3f; %d of %d are too short", worst, short, cases)
	if short > cases/50 {
		t.Errorf("%d of %d sums are too short", short, cases)
	}
}

// The sums of positive terms agree with the methods that they replace, and are defined for most filters.
func TestCentral(t *testing.T) {
	cases := 1500
	if longtest.Enabled() {
		cases = 50000
	}
	r := rand.New(rand.NewPCG(32, 2))
	var worst, most [2]float64
	var defined, tried [2]int
	for range cases {
		k := 2 + r.IntN(63)
		kf := float64(k)
		m := 4*uint64(k) + r.Uint64()>>(12+r.IntN(52))
		if r.IntN(2) == 0 {
			m = 4*uint64(k) + uint64(math.Exp(9*r.Float64()))
		}
		n := 2 + uint64(float64(m)/kf*3*math.Pow(r.Float64(), 3))
		if r.IntN(4) == 0 {
			n = 2 + r.Uint64N(8)
		}
		balls := fm.WholeProduct(n, uint64(k))
		within := func(method int, got, want fm.Scaled, bound float64) {
			e := math.Abs(got.Quo(want)-1) / fm.Unit
			defined[method]++
			worst[method], most[method] = max(worst[method], e/bound), max(most[method], e)
			if !(e <= bound) {
				t.Errorf("m=%d n=%d k=%d, method %d: off by %.3g u, %.3g of the bound", m, n, k, method, e, e/bound)
			}
		}
		if q := math.Exp(balls.Hi * math.Log1p(-1/float64(m))); inCentral(m, balls.Hi, k, float64(m)-kf/2) && kf*q > 1 {
			tried[0]++
			if f, ok := standardCentral(m, balls, k); ok {
				within(0, f, newContourStandard(m, balls, k).value(), 38+7.1*kf)
			}
		}
		if q := math.Exp(float64(n) * math.Log1p(-kf/float64(m))); inCentral(m, balls.Hi, k, float64(m)-kf+0.5) && kf*q > 1 {
			tried[1]++
			if f, ok := classicCentral(m, n, k); ok {
				want := newContourClassic(m, n, k).value()
				if kf*math.Log((1+q)/(1-q)) <= mostGrowth {
					want = classicMiss(m, n, k).Neg().AddFloat(1).Scale()
				}
				within(1, f, want, 94+7*kf)
			}
		}
	}
	t.Logf("differences up to %.3g u, %.3g of the bounds; defined for %d of %d", most, worst, defined, tried)
	if defined[0] < tried[0]*94/100 || defined[1] < tried[1]*87/100 || tried[0] < cases/3 {
		t.Errorf("defined for %d of %d filters", defined, tried)
	}
	// One item with one position leads to 0/0 in classicCentral, which refuses it.
	for m := uint64(4); m < 1<<52; m = 3*m + 1 {
		if f, ok := classicCentral(m, 1, 1); ok {
			t.Errorf("m=%d n=1 k=1: %v", m, f)
		}
	}
	// Ordinary filters are in the domain.
	for k := 2; k <= 32; k++ {
		for _, m := range []uint64{max(64, 4*uint64(k)), 128, 200, 512, 1000, 4096, 12000} {
			for _, fill := range []float64{0.2, 0.35, 0.5, 0.6} {
				n := max(2, uint64(-math.Log1p(-fill)*float64(m)/float64(k)))
				_, ok1 := standardCentral(m, fm.WholeProduct(n, uint64(k)), k)
				if _, ok2 := classicCentral(m, n, k); m >= 4*uint64(k) && !(ok1 && ok2) {
					t.Errorf("m=%d n=%d k=%d: defined for standard hashing %v, for classic %v", m, n, k, ok1, ok2)
				}
			}
		}
	}
}
