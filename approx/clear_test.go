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

const clearPrec = 300

// clearLn returns ln g(1), ..., ln g(k) as clearWalk defines them.
func clearLn(m, size uint64, count fm.Double, k int) []*big.Float {
	c := ref.Add(ref.Float(clearPrec, count.Hi), ref.Float(clearPrec, count.Lo))
	g := []*big.Float{ref.Float(clearPrec, 0)}
	for i := range uint64(k) {
		g = append(g, ref.Add(g[i], ref.Mul(c, ref.Log(ref.Quo(ref.Uint(clearPrec, m-size-i), ref.Uint(clearPrec, m-i))))))
	}
	return g
}

// drawClear draws a filter in the domain of clearWalk whose g(1) is at least e^-most.
func drawClear(r *rand.Rand, most float64) (m, n uint64, k int) {
	for {
		k = 1 + r.IntN(occupancy.TableK)
		m = max(leastClear, 4*uint64(k)) + r.Uint64()>>(1+r.IntN(62))
		if r.IntN(2) == 0 {
			m = max(leastClear, 4*uint64(k)) + r.Uint64N(100)
		}
		n = uint64(float64(m) / float64(k) * most * r.Float64() * 0.85)
		if n > 0 && inClearWalk(m, k) {
			return m, n, k
		}
	}
}

// The errors of ln g(j) and of g(j) are within the bounds in the comments of clearWalk and clears.
func TestClears(t *testing.T) {
	cases := 20
	if longtest.Enabled() {
		cases = 5000
	}
	r := rand.New(rand.NewPCG(31, 2))
	worst, worstLn := 0.0, 0.0
	for i := range cases {
		m, n, k := drawClear(r, 5)
		size, count := uint64(1), fm.WholeProduct(n, uint64(k))
		if i%2 == 1 {
			size, count = uint64(k), fm.Whole(n)
		}
		want := clearLn(m, size, count, k)
		first, _ := want[1].Float64()
		if first < -5 {
			continue
		}
		var g [occupancy.TableK + 1]fixed
		clears(&g, m, size, count, k)
		w := newClearWalk(m, size, count)
		for j := 1; j <= k; j++ {
			ln := ref.Add(ref.Float(clearPrec, w.ln.Hi), ref.Float(clearPrec, w.ln.Lo))
			size, _ := want[j].Float64()
			off, _ := ref.Sub(ln, want[j]).Float64()
			share := math.Abs(off) / (math.Exp2(-83.9)*-size + math.Exp2(-77.3)*-first)
			worstLn = max(worstLn, share)
			if !(share <= 1) {
				t.Errorf("m=%d n=%d k=%d size=%v: ln g(%d) is off by %.3g, %.3g of its bound", m, n, k, w.size, j, off, share)
			}
			value := ref.Exp(want[j])
			got := ref.Add(ref.Mul(ref.Uint(clearPrec, g[j].hi), ref.Float(clearPrec, 0x1p-62)), ref.Mul(ref.Uint(clearPrec, g[j].lo), ref.Float(clearPrec, 0x1p-126)))
			off, _ = ref.Sub(got, value).Float64()
			v, _ := value.Float64()
			share = math.Abs(off) / (0x1p-74*v + 0x1p-125)
			worst = max(worst, share)
			if !(share <= 1) {
				t.Errorf("m=%d n=%d k=%d size=%v: g(%d) is off by %.3g, %.3g of its bound", m, n, k, w.size, j, off, share)
			}
			w.next()
		}
	}
	t.Logf("worst of the bounds: ln g(j) %.3f, g(j) %.3f", worstLn, worst)
	if worst < 0.1 {
		t.Errorf("the bound of clears is far too large: the errors are up to %g of it", worst)
	}
}

// Sums of fixed numbers are exact, and negative ones come back.
func TestFixed(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 3))
	whole := func(a fixed) *big.Int {
		x := new(big.Int).SetUint64(a.hi)
		return x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(a.lo))
	}
	modulus := new(big.Int).Lsh(big.NewInt(1), 128)
	for range 2000 {
		a, b, n := fixed{r.Uint64(), r.Uint64()}, fixed{r.Uint64(), r.Uint64()}, r.Uint64()
		for _, c := range []struct {
			got  fixed
			want *big.Int
		}{
			{a.add(b), new(big.Int).Add(whole(a), whole(b))},
			{a.sub(b), new(big.Int).Sub(whole(a), whole(b))},
			{a.times(n), new(big.Int).Mul(whole(a), new(big.Int).SetUint64(n))},
		} {
			if whole(c.got).Cmp(c.want.Mod(c.want, modulus)) != 0 {
				t.Fatalf("%v, %v, %d: %v, want %v", a, b, n, c.got, c.want)
			}
		}
		y := fm.Double{Hi: 0.99 + 1.02*r.Float64()}
		y.Lo = y.Hi * 0x1p-53 * (2*r.Float64() - 1)
		e := -r.IntN(140)
		if y.Hi >= 1 {
			e--
		}
		got := fixedOf(y, e)
		want := ref.Add(ref.Float(clearPrec, y.Hi), ref.Float(clearPrec, y.Lo))
		want.SetMantExp(want, e+126)
		off, _ := ref.Sub(new(big.Float).SetInt(whole(got)), want).Float64()
		if !(math.Abs(off) <= 1+math.Exp2(float64(e)+13)*2) {
			t.Errorf("fixedOf(%v, %d) is off by %g units", y, e, off)
		}
		if x := got.float64(); e > -60 && math.Abs(x/math.Ldexp(y.Hi, e)-1) > 2*fm.Unit {
			t.Errorf("%v 2^%d is %v as a float64", y, e, x)
		}
	}
}

// The sums of clears agree with the methods that they replace, and are defined for ordinary filters.
func TestSmall(t *testing.T) {
	cases := 1000
	if longtest.Enabled() {
		cases = 50000
	}
	r := rand.New(rand.NewPCG(31, 4))
	var worst [4]float64
	var defined, half [2]int
	for range cases {
		m, n, k := drawClear(r, 5)
		if k < 2 || n < 2 {
			continue
		}
		kf := float64(k)
		balls := fm.WholeProduct(n, uint64(k))
		within := func(method int, got, want, bound float64) {
			share := math.Abs(got-want) / want / (bound * fm.Unit)
			worst[method] = max(worst[method], share)
			if !(share <= 1) {
				t.Errorf("m=%d n=%d k=%d, method %d: %v, want %v: %.3g of the bound", m, n, k, method, got, want, share)
			}
		}
		hits := -float64(m) * math.Expm1(kf*math.Log1p(-1/float64(m)))
		ordinary := k <= 16 && n < uint64(float64(m)/kf)
		if q := math.Exp(balls.Hi * math.Log1p(-1/float64(m))); hits*q <= nearlyFull {
			within(0, standardMissFast(m, balls, k), standardMiss(m, balls, k), 70)
		} else if f, ok := standardSmall(m, balls, k, q); ok {
			defined[0]++
			c := newContourStandard(m, balls, k)
			within(1, f, c.value().Float64(), 73+5*kf+60)
		} else if ordinary && q < 0.5 {
			t.Errorf("m=%d n=%d k=%d: standardSmall gives no number", m, n, k)
		} else if q < 0.5 {
			half[0]++
		}
		if q := math.Exp(float64(n) * math.Log1p(-kf/float64(m))); kf*q <= nearlyFull {
			within(2, classicMissFast(m, n, k), classicMiss(m, n, k).Hi, 11)
		} else if f, ok := classicSmall(m, n, k, q); ok {
			defined[1]++
			want := newContourClassic(m, n, k).value().Float64()
			if kf*math.Log((1+q)/(1-q)) <= mostGrowth {
				want = classicMiss(m, n, k).Neg().AddFloat(1).Hi
			}
			within(3, f, want, 68)
		} else if q < 0.5 {
			half[1]++
		}
	}
	t.Logf("worst of the bounds %.3g; defined for %d, not for %d that are half full", worst, defined, half)
	if defined[0] < cases/4 || defined[1] < cases/4 {
		t.Errorf("the sums are defined for %d of %d filters", defined, cases)
	}
}
