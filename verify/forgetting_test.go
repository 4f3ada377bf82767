package verify

import (
	"context"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/model"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// simulated are means of what a simulation counts; one is not a number if it counts nothing.
type simulated struct {
	fnr, lucky, cycle              float64
	fpr, fprPerNew, fprPerCycleNew float64
}

// isSimulated fails unless the means of a simulation are want, but for a relative error of off.
func isSimulated(t *testing.T, s sim.Setting, p sim.Plan, off float64, want simulated) {
	t.Helper()
	runs, err := sim.Run(context.Background(), s, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		of   func(*sim.Tally) (uint64, uint64)
		want float64
	}{
		{"false negatives per arrival", (*sim.Tally).FalseNegative, want.fnr},
		{"lucky per arrival", func(n *sim.Tally) (uint64, uint64) { return n.Lucky, n.Arrivals }, want.lucky},
		{"arrivals per cycle", (*sim.Tally).Cycle, want.cycle},
		{"false positives per arrival", (*sim.Tally).PerArrival, want.fpr},
		{"false positives per new message", (*sim.Tally).PerNew, want.fprPerNew},
		{"positives per cycle-new arrival", (*sim.Tally).PerCycleNew, want.fprPerCycleNew},
	} {
		got, err := sim.Ratio(runs, c.of, 0.9999)
		if err != nil {
			t.Fatal(err)
		}
		if got == nil && math.IsNaN(c.want) {
			continue
		}
		if got == nil || !(c.want >= got.Low*(1-off) && c.want <= got.High*(1+off)) {
			t.Errorf("%v: %s are %v, not %v", s, c.what, got, c.want)
		}
	}
}

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
			isSimulated(t, s, sim.Plan{Runs: 40, Cycles: 1500, Seed: uint64(i)}, 0, simulated{
				fnr: x.FNR.Float64(), lucky: x.Lucky.Float64(), cycle: x.Cycle.Float64(),
				fpr: x.FPR.Float64(), fprPerNew: x.FPRPerNew.Float64(), fprPerCycleNew: x.FPRPerCycleNew.Float64(),
			})
		}
	}
}
