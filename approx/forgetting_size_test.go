package approx

import (
	"errors"
	"testing"

	"github.com/bloomproof/bloomproof"
)

func allRulesOf(positions bloomproof.Positions) []bloomproof.Recycling {
	var rules []bloomproof.Recycling
	for _, p := range []bloomproof.Phases{bloomproof.OnePhase, bloomproof.TwoPhase} {
		for _, retain := range []bool{false, true} {
			rules = append(rules, bloomproof.Recycling{Phases: p, Retain: retain, Positions: positions})
		}
	}
	return rules
}

// leastOfAll tries every rule, k and sigma of m bits.
func leastOfAll(t *testing.T, d Designs, m uint64, mostK int) (best Design) {
	t.Helper()
	for _, r := range d.Rules {
		bits := m / (uint64(r.Phases) + 1)
		for k := 1; k <= mostK; k++ {
			g := bloomproof.Geometry{M: bits, K: k, Hashing: d.Hashing}
			for sigma := range bits {
				r.Sigma = sigma
				c, err := NewCycle(g, r)
				if err != nil || c.FPR() > d.Rate {
					continue
				}
				f, err := NewForgetting(g, r, d.Workload)
				if err != nil {
					t.Fatal(err)
				}
				x := Forecast{}
				if !f.holdsAll() {
					if _, x, err = f.best(); err != nil {
						t.Fatal(g, r, err)
					}
				}
				if best.K == 0 || x.FNR < best.Forecast.FNR {
					best = Design{CycleOptimum{M: bits, K: k, Sigma: sigma, Rate: c.FPR()}, r, 0, x}
				}
			}
		}
	}
	return best
}

func TestLeastForgetting(t *testing.T) {
	for _, w := range []bloomproof.Workload{
		{Popularity: bloomproof.Zipf(1, 30), Repeat: 0.9},
		{Popularity: bloomproof.Uniform(20), Repeat: 0.5, Arrivals: bloomproof.Arrivals{Kind: bloomproof.ArrivalLast}},
		{Popularity: bloomproof.Uniform(60), Repeat: 1},
	} {
		for _, m := range []uint64{1, 2, 7, 30} {
			for _, p := range []float64{0.02, 0.3} {
				d := Designs{Rules: allRulesOf(bloomproof.Fresh), Workload: w, Rate: p}
				if testing.Short() && m > 7 {
					continue
				}
				want := leastOfAll(t, d, m, 8)
				got, err := LeastForgetting(d, m)
				if want.K == 0 {
					if !errors.Is(err, ErrUndefined) {
						t.Errorf("%v, m = %d, rate %v: %v, %v", w, m, p, got, err)
					}
					continue
				}
				if err != nil {
					t.Errorf("%v, m = %d, rate %v: %v", w, m, p, err)
					continue
				}
				if got.Forecast.FNR > want.Forecast.FNR*(1+1e-9) || got.Rate > p || got.Total() > m {
					t.Errorf("%v, m = %d, rate %v: %v with k = %d: %v, of all %v with k = %d: %v", w, m, p,
						got.Recycling, got.K, got.Forecast.FNR, want.Recycling, want.K, want.Forecast.FNR)
				}
			}
		}
	}
}
