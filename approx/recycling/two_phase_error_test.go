package recycling

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// hit returns rho(b), the probability that all positions of a message are among b set bits.
func hit(g bloomproof.Geometry, b uint64) float64 {
	p := 1.0
	for q := range g.K {
		taken := uint64(0)
		if g.Hashing == bloomproof.Classic {
			taken = uint64(q)
		}
		p *= float64(max(b, taken)-taken) / float64(g.M-taken)
	}
	return p
}

// The errors that a frozen array adds are the formulas in the comments of lawError and lost. The numbers of a cycle and
// the distribution of the frozen array are chosen so that each term decides in some cases.
func TestFrozenErrors(t *testing.T) {
	const u = fm.Unit
	decides := map[string]int{}
	for _, g := range []bloomproof.Geometry{{M: 40, K: 3}, {M: 40, K: 3, Hashing: bloomproof.Classic}, {M: 1 << 12, K: 2}, {M: 300, K: 5}, {M: 1 << 30, K: 1}} {
		k := float64(g.K)
		for _, first := range []uint64{g.M / 4, g.M / 2, g.M - 6} {
			for _, states := range []int{1, 2, 5} {
				for _, starts := range []int{0, 1, 9} {
					for _, bare := range []bool{false, true} {
						sigma := first + uint64(g.K)
						f := cycle.Frozen{First: first, Law: make([]float64, states)}
						n := &cycle.Numbers{Arrivals: 30, Enter: cycle.Entry{Law: make([]float64, starts)}}
						low, high := hit(g, first), hit(g, f.Last())
						if bare {
							low, high = low/(1-low), high/(1-high)
						}
						spread := high/low - 1
						own := (20*k + 20) * u
						poles := cycle.Poles(g, first)
						want := own + 2*poles*min(spread, 1)
						if poles*min(spread, 1) > own && !math.IsInf(poles, 1) {
							decides["poles"]++
						}
						if math.IsInf(poles, 1) && states == 1 {
							want = math.NaN() // no bound is known
						}
						check := func(name string, got, want float64) {
							t.Helper()
							if got != want && !(math.Abs(got/want-1) < 1e-9) && !(math.IsNaN(want) && !(got < math.Inf(1))) {
								t.Errorf("%v, %d states from %d, %d starts, bare %v: %s is %.12g, computed again %.12g", g, states, first, starts, bare, name, got, want)
							}
						}
						check("the error by the closed form", lawError(n, g, sigma, f, bare), want)
						n.Visits = []float64{1}
						path := 2 * (22*k + 20) * float64(sigma+1) * float64(1+2*starts)
						visits := (10*k + 6) * 30 * 2 * spread
						if path < visits {
							decides["path"]++
						} else if visits > own/u {
							decides["visits"]++
						}
						check("the error by the chain", lawError(n, g, sigma, f, bare), own+u*min(path, visits))
					}
				}
			}
		}
		for _, messages := range []uint64{3, 9, 1 << 28} {
			for _, r := range []bloomproof.Recycling{{Messages: messages}, {Messages: messages, FreezeBefore: true}, {Messages: messages, NoCopyOver: true}} {
				most := messages
				if r.FreezeBefore {
					most--
				}
				if most *= uint64(g.K); most > g.M/uint64(g.K)*uint64(g.K) {
					most = g.M
				}
				known := fm.Scaled{Double: fm.Double{Hi: 0.125}}
				want := 1e-9 * k * hit(g, most) / 0.125
				if r.NoCopyOver {
					if most == g.M {
						continue // such a filter is not valid
					}
					want /= 1 - hit(g, most)
				}
				if got := lost(g, r, cycle.Frozen{Lost: 1e-9}, known); !(math.Abs(got/want-1) < 1e-9) {
					t.Errorf("%v, %+v: the lost part is %.12g, computed again %.12g", g, r, got, want)
				}
				if a, b := lost(g, r, cycle.Frozen{}, known), lost(g, r, cycle.Frozen{Lost: 1e-9}, fm.Scaled{}); a != 0 || b != 0 {
					t.Errorf("%v, %+v: nothing is lost, but %v and %v", g, r, a, b)
				}
			}
		}
	}
	if len(decides) != 3 {
		t.Errorf("the terms decided so often: %v", decides)
	}
}

// The error bound of a cycle with two phases is twice the sum of two parts. One is the error bound of the active array,
// which counts twice in message-bounded filters. The other is the error of the frozen array. The first of them is drawn.
func TestAddFrozenError(t *testing.T) {
	seen := 0
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, r := range []bloomproof.Recycling{
			{Sigma: 12}, {Sigma: 12, FreezeBefore: true}, {Sigma: 12, Retain: true}, {Sigma: 12, FreshPositions: true},
			{Sigma: 12, FreshPositions: true, NoCopyOver: true, FreezeBefore: true}, {Messages: 7}, {Messages: 7, FreshPositions: true},
			{Messages: 7, FreezeBefore: true}, {Messages: 5, FreshPositions: true, NoCopyOver: true},
		} {
			r.TwoPhase = true
			g := bloomproof.Geometry{M: 40, K: 3, Hashing: h}
			for _, own := range []float64{0, 1e-13, 1e-3} {
				for _, cutOff := range []float64{0, 1e-9} {
					var n cycle.Numbers
					var f cycle.Frozen
					var err error
					if r.Messages > 0 {
						n, f, err = cycle.Messages(g, r)
						f.Lost = cutOff
					} else if n, err = cycle.Of(g, r); err == nil {
						n.Recorded = n.Arrivals
						f = n.Frozen(g, r.Sigma, r.FreezeBefore)
					}
					if err != nil {
						t.Fatal(err)
					}
					n.Err = own
					known := 0.0 // the probability that the frozen array matches
					for i, p := range f.Law {
						x := hit(g, f.First+uint64(i))
						if r.NoCopyOver {
							x /= 1 - x
						}
						known += p * x
					}
					if err := addFrozen(&n, g, r, f); err != nil {
						t.Fatal(err)
					}
					want := 2 * (own + lawError(&n, g, r.Sigma, f, r.NoCopyOver))
					if r.Messages > 0 {
						want = 2 * (2*own + lost(g, r, f, fm.Double{Hi: known}.Scale()))
					}
					if n.Err != want && !(math.Abs(n.Err/want-1) < 1e-9) {
						t.Errorf("%v, %v, error %g, cut off %g: the bound is %.12g, computed again %.12g", g, r, own, cutOff, n.Err, want)
					}
					seen++
				}
			}
		}
	}
	if seen != 2*9*6 {
		t.Errorf("%d cases", seen)
	}
}
