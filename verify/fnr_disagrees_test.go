package verify

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
	"github.com/bloomproof/bloomproof/internal/sequential"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// fnr compares a simulation under a workload with the exact rates of a rule and a
// workload, which may be others, by a sequential test for each of four figures. It ends when a
// test rejects, and returns those that rejected.
func (a agreement) fnr(t *testing.T, s setting, want *exactfnr.Rates, seed uint64) (rejected []string) {
	t.Helper()
	const chunk = 16
	figures := []struct {
		name  string
		of    func(*sim.Tally) (hits, trials uint64)
		exact exact.Enclosure
		test  *sequential.RatioTest
	}{
		{"false negatives", (*sim.Tally).FalseNegative, want.FNR, nil},
		{"false positives", (*sim.Tally).PerArrival, want.FPR, nil},
		{"positives of cycle-new", (*sim.Tally).PerCycleNew, *want.FPRPerCycleNew, nil},
		{"arrivals a cycle", (*sim.Tally).Cycle, *want.Cycle, nil},
	}
	for i := range figures {
		var err error
		if figures[i].test, err = sequential.NewRatioTest(figures[i].exact.Float64(), a.alpha/4, chunk, a.runs); err != nil {
			t.Fatal(err)
		}
	}
	rejects := func() bool {
		for _, f := range figures {
			if v := f.test.Verdict(); v == sequential.Above || v == sequential.Below {
				return true
			}
		}
		return false
	}
	for part := uint64(0); part < a.runs/chunk && !rejects(); part++ {
		tallies, err := s.run(sim.Plan{Runs: chunk, Cycles: a.cycles, Seed: seed<<32 + part})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range figures {
			for i := range tallies {
				hits, trials := f.of(&tallies[i])
				f.test.Add(float64(hits), float64(trials))
			}
		}
	}
	for _, f := range figures {
		if v := f.test.Verdict(); v == sequential.Above || v == sequential.Below {
			rejected = append(rejected, f.name+" "+f.test.String())
		}
	}
	return rejected
}

// exactRates returns the exact rates of a filter that recycles for ever.
func exactRates(t *testing.T, g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload) *exactfnr.Rates {
	t.Helper()
	x := rates(t, g, r, w)
	if x.Absorbing.Sign() != 0 {
		t.Fatalf("%v %v: absorbing, so that the beginning decides what is measured", g, r)
	}
	return x
}

// tinyWorkload is one that a chain can follow: two messages, and new ones.
var tinyWorkload = bloomproof.Workload{Popularity: bloomproof.Weights([]float64{2, 1}), Repeat: 0.75}

// What TestFNRIsSimulated compares could not agree by chance: neighbouring rules and
// workloads are told apart.
func TestFNRDisagrees(t *testing.T) {
	a := agreement{alpha: 1e-6, runs: 64, cycles: 600}
	g := bloomproof.Geometry{M: 5, K: 2}
	w := func(change func(*bloomproof.Workload)) bloomproof.Workload {
		w := tinyWorkload
		change(&w)
		return w
	}
	for i, row := range []struct {
		what     string
		modelled bloomproof.Recycling
		r        bloomproof.Recycling
		w        bloomproof.Workload
	}{
		{"new messages enter last", bitsBound(2, fresh), bitsBound(2, fresh), w(func(w *bloomproof.Workload) { w.Arrivals = bloomproof.ArrivalLast })},
		{"more repeats", bitsBound(2, fresh), bitsBound(2, fresh), w(func(w *bloomproof.Workload) { w.Repeat = 0.8 })},
		{"another popularity", bitsBound(2, fresh), bitsBound(2, fresh), w(func(w *bloomproof.Workload) { w.Popularity = bloomproof.Uniform(2) })},
		{"retaining", bitsBound(2, fresh), bitsBound(2, fresh, retain), tinyWorkload},
		{"freeze before", bitsBound(2, fresh, two), bitsBound(2, fresh, two, before), tinyWorkload},
		{"fixed positions", bitsBound(2, fresh), bitsBound(2), tinyWorkload},
	} {
		s := setting{Geometry: g, Rule: row.r, Workload: row.w}
		if len(a.fnr(t, s, exactRates(t, g, row.modelled, tinyWorkload), uint64(i))) == 0 {
			t.Errorf("%s was not told", row.what)
		}
	}
}
