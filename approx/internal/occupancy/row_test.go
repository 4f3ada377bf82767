package occupancy

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// With one row the recursion and the table agree, as do the parts of an occupancy law.
func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 2))
	for range 300 {
		k := 1 + r.IntN(TableK)
		m := 2 + r.Uint64()>>(1+r.IntN(63))
		p := fm.Double{Hi: min(1, (0.6+r.Float64())*min(float64(m), float64(k))/float64(m))}
		x := fm.Whole(1).Quo(fm.Whole(m).Mul(p))
		a, b := tableRow(m, k, x), recursiveRow(m, k, x, 0)
		if d := a.Total.Quo(b.Total) - 1; math.Abs(d) > 20*0x1p-53 {
			t.Errorf("m=%d k=%d: totals differ by %g", m, k, d)
		}
		for j, w := range a.W {
			other := 0.0
			if at := j + b.Most - a.Most; at >= 0 && at < len(b.W) {
				other = b.W[at]
			}
			if math.Abs(w-other) > 20*0x1p-53*w+0x1p-75 {
				t.Errorf("m=%d k=%d: weight %d is %g and %g", m, k, j, w, other)
			}
		}
	}
}

// Sums beyond the range of float64 are scaled on the way.
func TestRowsScale(t *testing.T) {
	const m, k = 1 << 40, 1500
	x := 2.0 / k
	got := recursiveRow(m, k, fm.Double{Hi: x}, 0)
	// The recursion of recursiveRow with all states, divided by the largest after each ball.
	a, log2 := make([]float64, k+1), 0.0
	a[0] = 1
	for b := range k {
		most := 0.0
		for j := b; j >= 0; j-- {
			a[j] *= (m - float64(b-j)) / m
			if j > 0 {
				a[j] += a[j-1] * float64(b-j+1) * x
			}
			most = max(most, a[j])
		}
		for j := range a {
			a[j] /= most
		}
		log2 += math.Log2(most)
	}
	sum := 0.0
	for _, z := range a {
		sum += z
	}
	want := log2 + math.Log2(sum)
	if off := float64(got.Total.Exp) + math.Log2(got.Total.Hi) - want; got.Total.Exp < 300 || math.Abs(off) > 1e-10*want {
		t.Errorf("total %v, 2^%v off from 2^%v", got.Total, off, want)
	}
}

// The distribution is that of the row without a tilt where the row has it, from the table and
// ball by ball, and adds up to 1.
func TestDistribution(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 3))
	for range 200 {
		k := 1 + r.IntN(TableK)
		m := 1 + r.Uint64()>>r.IntN(64)
		row := tableRow(m, k, fm.Whole(1).Quo(fm.Whole(m)))
		table := Distribution(m, k)
		balls := follow(m, k, len(table)-1, fm.Whole(1).Quo(fm.Whole(m)))
		var sum fm.Scaled
		for i, p := range table {
			sum = sum.Add(p)
			if p.Hi == 0 && balls[i].Hi == 0 {
				continue
			}
			if d := p.Quo(balls[i]) - 1; !(math.Abs(d) <= 3*0x1p-53) {
				t.Errorf("m=%d k=%d: P[%d] is %v and %v", m, k, i, p, balls[i])
			}
			if j := row.Most - i; j < len(row.W) {
				if d := p.Quo(row.Total.Times(fm.Double{Hi: row.W[j]})) - 1; !(math.Abs(d) <= 20*0x1p-53) {
					t.Errorf("m=%d k=%d: P[%d] is %v, by the row %v", m, k, i, p, row.W[j])
				}
			}
		}
		if d := sum.Float64() - 1; math.Abs(d) > 4*0x1p-53 {
			t.Errorf("m=%d k=%d: all together are 1 + %g", m, k, d)
		}
	}
}

// Spread has the probabilities of Distribution.
func TestSpread(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 5))
	for i := range 400 {
		k := 2 + r.IntN(TableK-1)
		m := 4*uint64(k) + r.Uint64()>>(2+r.IntN(62))
		if i%2 == 0 {
			m = 4*uint64(k) + r.Uint64N(20)
		}
		var w [TableK]float64
		n := Spread(m, k, &w)
		var fast [TableK]float64
		nFast := SpreadFast(m, k, &fast)
		left := 0.0
		for y, p := range Distribution(m, k) {
			if d := k - y; d >= n {
				left += p.Float64()
			} else if off := math.Abs(w[d]-p.Float64()) / p.Float64(); !(off <= 11*0x1p-53) {
				t.Errorf("m=%d k=%d: P[%d] is %v, want %v", m, k, y, w[d], p.Float64())
			} else if off := math.Abs(fast[d]-p.Float64()) / p.Float64(); !(off <= float64(4*k+7)*0x1p-53) || d >= nFast {
				t.Errorf("m=%d k=%d: P[%d] is %v, want %v", m, k, y, fast[d], p.Float64())
			}
		}
		if !(left <= 0x1p-80) {
			t.Errorf("m=%d k=%d: Spread leaves out %g", m, k, left)
		}
	}
}

// The long table has S(k,i) = i S(k-1,i) + S(k-1,i-1).
func TestStirling2Balls(t *testing.T) {
	row := []*big.Int{big.NewInt(1)}
	for k := range MostBalls + 1 {
		for i, x := range row {
			want, _ := new(big.Float).SetInt(x).Float64()
			if got := Stirling2Balls()[k][i]; math.Abs(got-want) > 0x1p-52*want || want > 0x1p560 {
				t.Errorf("S(%d,%d) is %v, want %v", k, i, got, want)
			}
		}
		next := []*big.Int{new(big.Int)}
		for i := 1; i <= k+1; i++ {
			x := new(big.Int).Set(row[i-1])
			if i <= k {
				x.Add(x, new(big.Int).Mul(big.NewInt(int64(i)), row[i]))
			}
			next = append(next, x)
		}
		row = next
	}
}

// The Stirling numbers of the first kind are the coefficients of x(x+1)...(x+k-1).
func TestStirling1(t *testing.T) {
	for k := range TableK + 1 {
		product := []*big.Int{big.NewInt(1)}
		for j := range int64(k) {
			next := make([]*big.Int, len(product)+1)
			for i := range next {
				next[i] = new(big.Int)
				if i > 0 {
					next[i].Set(product[i-1])
				}
				if i < len(product) {
					next[i].Add(next[i], new(big.Int).Mul(big.NewInt(j), product[i]))
				}
			}
			product = next
		}
		for i, x := range product {
			want, _ := new(big.Float).SetInt(x).Float64()
			if got := Stirling1()[k][i]; math.Abs(got-want) > 0x1p-52*want {
				t.Errorf("c(%d,%d) is %v, want %v", k, i, got, want)
			}
		}
	}
}
