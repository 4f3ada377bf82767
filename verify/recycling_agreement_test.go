package verify

import (
	"errors"
	"testing"

	"github.com/bloomproof/bloomproof"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
	"github.com/bloomproof/bloomproof/internal/sequential"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// agreement compares a simulation under all-new traffic with a claimed rate and capacity,
// in a sequential test for each, and returns what it found.
type agreement struct {
	alpha  float64 // probability of a false alarm, for both together
	runs   uint64  // at most
	cycles uint64  // of each run
	either bool    // ends as soon as one test rejects
}

func (a agreement) compare(t *testing.T, s setting, rate, capacity float64, seed uint64) (ofRate, ofCapacity *sequential.RatioTest) {
	t.Helper()
	const chunk = 16
	open := func(ratio float64) *sequential.RatioTest {
		test, err := sequential.NewRatioTest(ratio, a.alpha/2, chunk, a.runs)
		if err != nil {
			t.Fatal(err)
		}
		return test
	}
	ofRate, ofCapacity = open(rate), open(capacity)
	rejects := func(test *sequential.RatioTest) bool {
		return test.Verdict() == sequential.Above || test.Verdict() == sequential.Below
	}
	undecided := func() bool {
		if a.either && (rejects(ofRate) || rejects(ofCapacity)) {
			return false
		}
		return ofRate.Verdict() == sequential.Open || ofCapacity.Verdict() == sequential.Open
	}
	for part := uint64(0); undecided(); part++ {
		tallies, err := s.run(sim.Plan{Runs: chunk, Cycles: a.cycles, Seed: seed<<32 + part})
		if err != nil {
			t.Fatal(err)
		}
		for i := range tallies {
			hits, trials := tallies[i].PerCycleNew()
			ofRate.Add(float64(hits), float64(trials))
			arrivals, cycles := tallies[i].Capacity()
			ofCapacity.Add(float64(arrivals), float64(cycles))
		}
	}
	return ofRate, ofCapacity
}

// numbers returns the exact rate and capacity, or false where package exact says that it
// does not serve the rule.
func numbers(t *testing.T, g bloomproof.Geometry, r bloomproof.Recycling) (rate, capacity float64, served bool) {
	t.Helper()
	c, err := exactrecycling.New(g, r)
	var param *bloomproof.ParamError
	if errors.As(err, &param) && r.Validate(g) == nil {
		return 0, 0, false
	}
	if err != nil {
		t.Fatal(err)
	}
	if c.Absorbing() { // no cycles to compare
		return 0, 0, false
	}
	f, err := c.FPR(53)
	if err != nil {
		t.Fatalf("%v %v: %v", g, r, err)
	}
	n, err := c.Capacity(53)
	if err != nil {
		t.Fatalf("%v %v: %v", g, r, err)
	}
	return f.Float64(), n.Float64(), true
}

// Agreement that could not fail would show nothing: a model of another rule, and the
// formulas as they are printed where they are wrong, are rejected.
//
// Claims: dozier-fp.eq26.
func TestRecyclingDisagrees(t *testing.T) {
	g := bloomproof.Geometry{M: 40, K: 3}
	classic := bloomproof.Geometry{M: 40, K: 3, Hashing: bloomproof.Classic}
	small := bloomproof.Geometry{M: 8, K: 3, Hashing: bloomproof.Classic} // where positions matter by 7 %
	a := agreement{alpha: 1e-6, runs: 64, cycles: 800, either: true}
	one := bloomproof.Recycling{Sigma: 20}
	double := bloomproof.Recycling{Sigma: 20, TwoPhase: true}
	with := func(r bloomproof.Recycling, change ...func(*bloomproof.Recycling)) bloomproof.Recycling {
		for _, c := range change {
			c(&r)
		}
		return r
	}
	sigma := func(s uint64) func(*bloomproof.Recycling) { return func(r *bloomproof.Recycling) { r.Sigma = s } }
	for i, row := range []struct {
		what        string
		g, modelled bloomproof.Geometry
		r, model    bloomproof.Recycling
	}{
		{"sigma is reached, not passed", g, g, with(one, sigma(19)), one},
		{"one bit more", g, g, with(one, sigma(21)), one},
		{"retaining", g, g, with(one, retain), one},
		{"classic hashing", classic, g, one, one},
		{"another k", bloomproof.Geometry{M: 40, K: 4}, g, one, one},
		{"freeze before", g, g, with(double, before), double},
		{"fresh positions", small, small, with(double, retain, fresh, sigma(4)), with(double, retain, sigma(4))},
		{"fixed positions", small, small, with(double, retain, sigma(4)), with(double, retain, fresh, sigma(4))},
		{"no copy-over", g, g, with(double, fresh, noCopy), with(double, fresh)},
		{"retaining in two phases", g, g, with(double, retain), double},
	} {
		rate, capacity, ok := numbers(t, row.modelled, row.model)
		if !ok {
			t.Fatalf("%s: no exact numbers", row.what)
		}
		for ideal := range 2 {
			s := setting{Geometry: row.g, Rule: row.r, Workload: allNew, Ideal: ideal == 1}
			ofRate, ofCapacity := a.compare(t, s, rate, capacity, uint64(i))
			if ofRate.Verdict() == sequential.Kept && ofCapacity.Verdict() == sequential.Kept {
				t.Errorf("%s, %v: rate %v; capacity %v", row.what, s, ofRate, ofCapacity)
			}
		}
	}
	// Dozier-FP (26) as printed takes the arrays for independent.
	c, err := exactrecycling.New(g, double)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := c.FPRPrinted(53)
	if err != nil {
		t.Fatal(err)
	}
	_, capacity, _ := numbers(t, g, double)
	a.either = false
	ofRate, ofCapacity := a.compare(t, setting{Geometry: g, Rule: double, Workload: allNew}, printed.Float64(), capacity, 99)
	if ofRate.Verdict() == sequential.Kept || ofCapacity.Verdict() != sequential.Kept {
		t.Errorf("(26) as printed: rate %v; capacity %v", ofRate, ofCapacity)
	}
}
