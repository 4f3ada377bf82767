package approx

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// What the error bounds of the rates count on: on the circle of a standard filter sqrt(2 pi N)
// p_N is at least 0.92 (see mostOff), and on that of a classic one the |e^Phi| add up to at most
// 1.3 times the Re e^Phi (see verify/proof/floats).
func TestCircles(t *testing.T) {
	cases := 40000
	if !longtest.Enabled() {
		cases = 2000
	}
	r := rand.New(rand.NewPCG(10, 1))
	least, most := math.Inf(1), 0.0
	standard, classic := 0, 0
	for i := range cases {
		k := 2 + r.IntN(63)
		if i%400 == 0 {
			k = int(math.Exp(math.Log(4096) * (1 - r.Float64()/2)))
		}
		m := uint64(k) + 1 + r.Uint64()>>(1+r.IntN(63))
		load := math.Exp(40*r.Float64() - 37)
		if r.IntN(2) == 0 {
			load = math.Exp(8*r.Float64() - 6)
		}
		n := 2 + uint64(min(load*float64(m)/float64(k), 0x1p62))
		if r.IntN(4) == 0 {
			n = 2 + r.Uint64N(8)
		}
		kf := float64(k)
		if q := math.Exp(float64(n) * kf * math.Log1p(-1/float64(m))); kf*q > 0.5 {
			standard++
			least = min(least, newContourStandard(m, fm.WholeProduct(n, uint64(k)), k).mass())
		}
		if q := math.Exp(float64(n) * math.Log1p(-kf/float64(m))); kf*math.Log((1+q)/(1-q)) > 24 {
			classic++
			p0, size := newContourClassic(m, n, k).mass()
			most = max(most, size/p0)
		}
	}
	t.Logf("standard: least %.6f of %d; classic: most %.4f of %d", least, standard, most, classic)
	if !(least >= 0.92) || !(most <= 1.3) || standard == 0 || classic == 0 {
		t.Errorf("standard %v, classic %v: the bounds count on 0.92 and 1.3", least, most)
	}
}

// The methods agree where each may be used: the sum with signs and the circle.
func TestMethodsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 3))
	for range 300 {
		k := 2 + r.IntN(30)
		m := 2*uint64(k) + r.Uint64()>>(1+r.IntN(60))
		load := math.Log(2*float64(k)) * (1 + 0.01*r.NormFloat64())
		n := 2 + uint64(min(0x1p62, load*float64(m)/float64(k)))
		balls := fm.WholeProduct(n, uint64(k))
		miss, circle := standardMiss(m, balls, k), newContourStandard(m, balls, k).value().Float64()
		if e := standardHashing.rateError(k); math.Abs(1-miss-circle) > 4*e {
			t.Errorf("standard m=%d n=%d k=%d: %v and %v", m, n, k, 1-miss, circle)
		}
		load = -math.Log(math.Tanh(12/float64(k))) * (1 + 0.01*r.NormFloat64())
		n = 2 + uint64(min(0x1p62, load*float64(m)/float64(k)))
		sum, around := classicMiss(m, n, k).Neg().AddFloat(1), newContourClassic(m, n, k).value()
		if d := around.Quo(sum.Scale()) - 1; math.Abs(d) > classicHashing.rateError(k) {
			t.Errorf("classic m=%d n=%d k=%d: they differ by %g", m, n, k, d)
		}
	}
}

// With thousands of positions too, rates, moments and correct rates are numbers of their
// range, at every fill, for small filters and large.
func TestManyPositions(t *testing.T) {
	sizes := []uint64{1, 2, 900, 4097, 8192, 1 << 20, 1 << 40, 1<<64 - 1}
	ks := []int{65, 1000, 4096}
	if !longtest.Enabled() {
		ks = []int{65, 300}
	}
	in := func(x float64) bool { return x >= 0 && x <= 1 }
	for _, h := range everyHashing {
		for _, m := range sizes {
			for _, k := range ks {
				if h == bloomproof.Partitioned {
					m -= m % uint64(k)
				}
				g := bloomproof.Geometry{M: m, K: k, Hashing: h}
				if g.Validate() != nil {
					continue
				}
				per := m / uint64(k)
				for _, n := range []uint64{1, 2, 3, per/2 + 1, 2*per + 1, 9*per + 1, m, 1<<64 - 1} {
					r, err := rateOf(g, n)
					if err != nil {
						t.Fatal(err)
					}
					ln, variance := r.ln(), 0.0
					if v, err := SetBitsVariance(g, n); err == nil {
						variance = v
					}
					if !in(r.float64()) || !in(r.complement.Float64()) || !(ln <= 0) || math.IsInf(ln, 0) || !(variance >= 0) {
						t.Errorf("%v n=%d: %+v, ln %v, variance %v", g, n, r, ln, variance)
					}
				}
			}
		}
	}
	for _, g := range []bloomproof.Geometry{{M: 2, K: 300}, {M: 300, K: 300}, {M: 310, K: 300}, {M: 1 << 20, K: 300}, {M: 5000, K: 2000}} {
		if !longtest.Enabled() && g.K > 300 {
			continue
		}
		for _, n := range []uint64{1, 2, 3, 20, 1 << 40} {
			literal, err1 := CorrectRate(g, n, bloomproof.Literal)
			distinct, err2 := CorrectRate(g, n, bloomproof.Distinct)
			if err1 != nil || err2 != nil || !in(literal) || !(distinct >= literal*(1-1e-12)) {
				t.Errorf("%v n=%d: literal %v, %v; distinct %v, %v", g, n, literal, err1, distinct, err2)
			}
		}
	}
}
