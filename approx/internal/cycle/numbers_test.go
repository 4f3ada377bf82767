package cycle

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

func both(t *testing.T, g bloomproof.Geometry, sigma uint64, retain bool) (chain, closed Numbers) {
	t.Helper()
	r := bloomproof.Recycling{Sigma: sigma, Retain: retain}
	chain, err := Chain(g, r)
	if err != nil {
		t.Fatal(err)
	}
	return chain, closedNumbers(g, r, Truncation(g, sigma, retain))
}

// The chain and the closed form differ by no more than the sum of their bounds, also where
// the truncation is what differs, and by 2e-15 where it is small.
func TestCycleRoutes(t *testing.T) {
	ms := []uint64{1 << 9, 1000, 1 << 14}
	if !longtest.Enabled() {
		ms = ms[:2]
	}
	tight, worst := 0, 0.0
	for _, m := range ms {
		for _, k := range []int{1, 2, 3, 4, 7, 12, 13, 20, 64} {
			for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
				for _, retain := range []bool{false, true} {
					root := uint64(float64(k) * math.Sqrt(float64(m)))
					for _, sigma := range []uint64{uint64(4 * k), root / 2, root, 2 * root, 3 * root, m / 2, m - m/50, m - 2, m - 1} {
						g := bloomproof.Geometry{M: m, K: k, Hashing: h}
						if sigma >= m || Truncation(g, sigma, retain) > 0.5 {
							continue
						}
						chain, closed := both(t, g, sigma, retain)
						arrivals := math.Abs(closed.Arrivals/chain.Arrivals - 1)
						hits := math.Abs(closed.Positives.Quo(chain.Positives) - 1)
						if bound := chain.Err + closed.Err; !(arrivals+hits <= bound) {
							t.Errorf("%v sigma=%d retain=%t: off by %.3g, %.3g, bounds %.3g %.3g", g, sigma, retain, arrivals, hits, chain.Err, closed.Err)
						}
						if closed.Err < 0x1p-47 {
							tight++
							worst = max(worst, arrivals, hits)
						}
					}
				}
			}
		}
	}
	t.Logf("%d filters, worst difference %.3g", tight, worst)
	if tight < 80 || worst > 4e-15 {
		t.Errorf("%d filters differ by up to %g", tight, worst)
	}
}

// Where bits are too many for package vec, the flow is scaled as there.
func TestBeyond(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, k := range []int{1, 2, 7, 20} {
			r := bloomproof.Recycling{Sigma: 60_000}
			vector, err := Chain(bloomproof.Geometry{M: 1 << 53, K: k, Hashing: h}, r)
			if err != nil {
				t.Fatal(err)
			}
			scalar, err := Chain(bloomproof.Geometry{M: 1<<53 + 1, K: k, Hashing: h}, r)
			if err != nil {
				t.Fatal(err)
			}
			if e := math.Abs(scalar.Arrivals/vector.Arrivals - 1); e > 2e-14 {
				t.Errorf("%v k=%d: capacities differ by %.3g", h, k, e)
			}
			if e := math.Abs(scalar.Positives.Quo(vector.Positives) - 1); e > 2e-14 {
				t.Errorf("%v k=%d: false positives differ by %.3g", h, k, e)
			}
		}
	}
}

// TestFrozenWide compares the distribution of the set bits of a frozen array, and the probabilities of hits, with those
// that are computed by numbers with exponents.
func TestFrozenWide(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, k := range []int{1, 2, 5} {
			for _, before := range []bool{false, true} {
				g, sigma := bloomproof.Geometry{M: 60, K: k, Hashing: h}, uint64(20)
				n, err := Chain(g, bloomproof.Recycling{Sigma: sigma})
				if err != nil {
					t.Fatal(err)
				}
				f := n.Frozen(g, sigma, before)
				check := func(what string, got, want fm.Scaled) {
					t.Helper()
					if got.Hi != want.Hi && !(math.Abs(got.Quo(want)-1) < 1e-12) {
						t.Errorf("%v, freeze-before %t: %s is %v, with exponents %v", g, before, what, want, got)
					}
				}
				law, err := f.wide()
				if err != nil || len(law) != len(f.Law) {
					t.Fatal(len(law), len(f.Law), err)
				}
				for i, p := range f.Law {
					check("a probability", law[i], fm.Double{Hi: p}.Scale())
				}
				p := message.AllNumbers(g)
				found, err := f.Found(g.M, p)
				if err != nil {
					t.Fatal(err)
				}
				wide, err := f.foundWide(g.M, p)
				if err != nil {
					t.Fatal(err)
				}
				for d := 1; d < len(p); d++ {
					check("a probability of hits", wide[d], found[d])
				}
			}
		}
	}
}

// computes in float64, and for closed forms.
func TestCostIsSpent(t *testing.T) {
	for _, g := range []bloomproof.Geometry{{M: 300, K: 30}, {M: 300, K: 30, Hashing: bloomproof.Classic}, {M: 1 << 40, K: 7}, {M: 20, K: 9}} {
		for flags := range 16 {
			r := bloomproof.Recycling{Sigma: g.M / 2, Retain: flags&1 != 0, TwoPhase: flags&2 != 0, FreshPositions: flags&4 != 0}
			r.FreezeBefore = r.TwoPhase && flags&8 != 0
			n, err := Of(g, r)
			if err != nil {
				t.Fatal(err)
			}
			if before, after := Cost(g, r), n.Spent(g, r); before != after {
				t.Errorf("%v, %v: %v microseconds before, %v after", g, r, before, after)
			}
		}
	}
}
