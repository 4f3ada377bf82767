package verify

import (
	"context"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/model"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// The filter of package kernel and the one with ideal positions forget as the chain of
// exact.Forgetting says, by every rule. The runs repeat, so that a false alarm cannot
// come and go.
func TestForgettingIsSimulated(t *testing.T) {
	g := bloomproof.Geometry{Hashing: bloomproof.Classic, M: 6, K: 2}
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 2), Repeat: 0.75}
	traffic, err := sim.Workload(w)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for i, r := range model.Rules(3, 2) {
		if testing.Short() && i%5 != 0 {
			continue
		}
		f, err := exact.NewForgetting(g, r, w)
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.Rates(60)
		if err != nil {
			t.Fatal(err)
		}
		if x.Absorbing.Float64() > 0 {
			t.Errorf("%v: it ends with probability %v", r, x.Absorbing)
			continue
		}
		for _, ideal := range []bool{false, true} {
			s := sim.Setting{Geometry: g, Rule: r, Traffic: traffic, Ideal: ideal}
			runs, err := sim.Run(context.Background(), s, sim.Plan{Runs: 40, Cycles: 1500, Seed: uint64(i)})
			if err != nil {
				t.Fatal(err)
			}
			for what, c := range map[string]struct {
				of   func(*sim.Tally) (uint64, uint64)
				want exact.Enclosure
			}{
				"false negatives per arrival":     {(*sim.Tally).FalseNegative, x.FNR},
				"false positives per arrival":     {(*sim.Tally).PerArrival, x.FPR},
				"false positives per new message": {(*sim.Tally).PerNew, *x.FPRPerNew},
				"positives per cycle-new arrival": {(*sim.Tally).PerCycleNew, *x.FPRPerCycleNew},
				"arrivals per cycle":              {(*sim.Tally).Cycle, *x.Cycle},
				"lucky per arrival":               {func(n *sim.Tally) (uint64, uint64) { return n.Lucky, n.Arrivals }, x.Lucky},
			} {
				got, err := sim.Ratio(runs, c.of, 0.9999)
				if err != nil {
					t.Fatal(err)
				}
				if want := c.want.Float64(); want < got.Low || want > got.High {
					t.Errorf("%v: %s are %v, the chain says %v", s, what, *got, want)
				}
				compared++
			}
		}
	}
	t.Logf("%d means", compared)
}
