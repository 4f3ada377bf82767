package verify

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/model"
	"github.com/bloomproof/bloomproof/verify/sim"
	"github.com/bloomproof/bloomproof/verify/stat"
)

// agreement compares a simulation under all-new traffic with a claimed rate and capacity,
// in a sequential test for each, and returns what it found.
type agreement struct {
	alpha  float64 // probability of a false alarm, for both together
	runs   uint64  // at most
	cycles uint64  // of each run
}

func (a agreement) compare(t *testing.T, s sim.Setting, rate, capacity float64, seed uint64) (ofRate, ofCapacity *stat.RatioTest) {
	t.Helper()
	const chunk = 16
	open := func(ratio float64) *stat.RatioTest {
		test, err := stat.NewRatioTest(ratio, a.alpha/2, chunk, a.runs)
		if err != nil {
			t.Fatal(err)
		}
		return test
	}
	ofRate, ofCapacity = open(rate), open(capacity)
	for part := uint64(0); ofRate.Verdict() == stat.Open || ofCapacity.Verdict() == stat.Open; part++ {
		tallies, err := sim.Run(context.Background(), s, sim.Plan{Runs: chunk, Cycles: a.cycles, Seed: seed<<32 + part})
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
	c, err := exact.NewCycle(g, r)
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

// The exact numbers of every recycling filter that has them are those of the simulations:
// on the real filter and on one that draws ideal positions and shares no code with it. The
// false-alarm probability of the whole is below 1e-4.
func TestRecyclingAgrees(t *testing.T) {
	a := agreement{alpha: 1e-4 / 240, runs: 64, cycles: 800} // 3 shapes, 40 rules, 2 filters
	if testing.Short() {
		a.runs, a.cycles = 16, 400
	}
	served := map[string]int{}
	for i, shape := range []struct {
		g               bloomproof.Geometry
		sigma, messages uint64
	}{
		{bloomproof.Geometry{M: 40, K: 3}, 20, 8},
		{bloomproof.Geometry{M: 40, K: 3, Hashing: bloomproof.Classic}, 20, 8},
		{bloomproof.Geometry{M: 12, K: 4}, 6, 3}, // sigma < 2k
	} {
		g := shape.g
		for j, r := range model.Rules(shape.sigma, shape.messages) {
			rate, capacity, ok := numbers(t, g, r)
			if !ok {
				continue
			}
			served[fmt.Sprint(r.Rule)]++
			for ideal := range 2 {
				s := sim.Setting{Geometry: g, Rule: r, Traffic: sim.AllNew(), Ideal: ideal == 1}
				ofRate, ofCapacity := a.compare(t, s, rate, capacity, uint64(i<<16+j<<1+ideal))
				if ofRate.Verdict() != stat.Kept {
					t.Errorf("%v: rate %v", s, ofRate)
				}
				if ofCapacity.Verdict() != stat.Kept {
					t.Errorf("%v: capacity %v", s, ofCapacity)
				}
			}
		}
	}
	t.Logf("rules compared: %v", served)
	if served["bit-bounded"] < 48 { // all 60 but for fixed positions without copy-over
		t.Errorf("only %v rules were compared", served)
	}
}

// A filter of 16 Ki bits, one- and two-phase: where m is far beyond k^2.
func TestRecyclingAgreesLarge(t *testing.T) {
	g := bloomproof.Geometry{M: 1 << 14, K: 5}
	a := agreement{alpha: 1e-6, runs: 64, cycles: 4}
	if testing.Short() {
		a.runs, a.cycles = 16, 4
	}
	for i, r := range []bloomproof.Recycling{{Sigma: 9000}, {Sigma: 9000, Phases: bloomproof.TwoPhase}} {
		rate, capacity, ok := numbers(t, g, r)
		if !ok {
			t.Fatalf("%v is not served", r)
		}
		s := sim.Setting{Geometry: g, Rule: r, Traffic: sim.AllNew()}
		ofRate, ofCapacity := a.compare(t, s, rate, capacity, uint64(i))
		t.Logf("%v: rate %v; capacity %v", r, ofRate, ofCapacity)
		if ofRate.Verdict() != stat.Kept || ofCapacity.Verdict() != stat.Kept {
			t.Errorf("%v: rate %v; capacity %v", s, ofRate, ofCapacity)
		}
	}
}

// Repeats change nothing in a filter of one phase whose positions are fresh in each cycle:
// whatever returns and when, the messages that are recorded in no array find the bits that
// all-new traffic finds. So the exact numbers of that traffic hold for rate and capacity
// by cycle-new arrivals (count-instance), under every workload.
func TestRepeatsChangeNothing(t *testing.T) {
	a := agreement{alpha: 1e-4 / 16, runs: 64, cycles: 400}
	if testing.Short() {
		a.runs, a.cycles = 16, 300
	}
	traffic := func(t sim.Traffic, err error) sim.Traffic {
		if err != nil {
			panic(err)
		}
		return t
	}
	g := bloomproof.Geometry{M: 40, K: 3}
	for i, row := range []struct {
		name    string
		traffic sim.Traffic
	}{
		{"immediate repeats", traffic(sim.Immediate(0.6))},
		{"a closed pool", traffic(sim.Workload(bloomproof.Workload{Popularity: bloomproof.Zipf(1, 30), Repeat: 1}))},
		{"a pool with new ones", traffic(sim.Workload(bloomproof.Workload{Popularity: bloomproof.Uniform(20), Repeat: 0.7}))},
		{"fading", traffic(sim.Workload(bloomproof.Workload{Popularity: bloomproof.Zipf(0.8, 40), Repeat: 0.8, Arrivals: bloomproof.Arrivals{Kind: bloomproof.ArrivalFirst}}))},
	} {
		for j, r := range []bloomproof.Recycling{bitsBound(20, fresh), bitsBound(20, fresh, retain)} {
			rate, capacity, ok := numbers(t, g, r)
			if !ok {
				t.Fatalf("%v is not served", r)
			}
			for ideal := range 2 {
				s := sim.Setting{Geometry: g, Rule: r, Traffic: row.traffic, Ideal: ideal == 1}
				ofRate, ofCapacity := a.compare(t, s, rate, capacity, uint64(i<<4+j<<1+ideal))
				if ofRate.Verdict() != stat.Kept || ofCapacity.Verdict() != stat.Kept {
					t.Errorf("%s, %v: rate %v; capacity %v", row.name, s, ofRate, ofCapacity)
				}
			}
		}
	}
}

// Where there is no exact number, as with slices, the real filter and the ideal one agree:
// each pair of runs says that the hits of one by the trials of the other are as many on
// average either way.
func TestRecyclingRealIsIdeal(t *testing.T) {
	const cells = 200
	cycles, chunk := uint64(800), 32
	if testing.Short() {
		cycles = 300
	}
	g := bloomproof.Geometry{M: 39, K: 3, Hashing: bloomproof.Partitioned}
	for j, r := range model.Rules(20, 8) {
		s := sim.Setting{Geometry: g, Rule: r, Traffic: sim.AllNew()}
		test, err := stat.NewRatioTest(1, 1e-4/cells, uint64(chunk), uint64(chunk))
		if err != nil {
			t.Fatal(err)
		}
		var runs [2][]sim.Tally
		for ideal := range runs {
			s.Ideal = ideal == 1
			if runs[ideal], err = sim.Run(context.Background(), s, sim.Plan{Runs: chunk, Cycles: cycles, Seed: uint64(j)}); err != nil {
				t.Fatal(err)
			}
		}
		for i := range chunk {
			hits, trials := runs[0][i].PerCycleNew()
			idealHits, idealTrials := runs[1][i].PerCycleNew()
			test.Add(float64(hits)*float64(idealTrials), float64(idealHits)*float64(trials))
		}
		if test.Verdict() != stat.Kept {
			t.Errorf("%v: real by ideal rate: %v", r, test)
		}
	}
}

// Agreement that could not fail would show nothing: a model of another rule, and the
// formulas as they are printed where they are wrong, are rejected.
func TestRecyclingDisagrees(t *testing.T) {
	g := bloomproof.Geometry{M: 40, K: 3}
	classic := bloomproof.Geometry{M: 40, K: 3, Hashing: bloomproof.Classic}
	small := bloomproof.Geometry{M: 8, K: 3, Hashing: bloomproof.Classic} // where positions matter by 7 %
	a := agreement{alpha: 1e-6, runs: 64, cycles: 800}
	one := bloomproof.Recycling{Sigma: 20}
	double := bloomproof.Recycling{Sigma: 20, Phases: bloomproof.TwoPhase}
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
			s := sim.Setting{Geometry: row.g, Rule: row.r, Traffic: sim.AllNew(), Ideal: ideal == 1}
			ofRate, ofCapacity := a.compare(t, s, rate, capacity, uint64(i))
			if ofRate.Verdict() == stat.Kept && ofCapacity.Verdict() == stat.Kept {
				t.Errorf("%s, %v: rate %v; capacity %v", row.what, s, ofRate, ofCapacity)
			}
		}
	}
	// Dozier-FP (26) as printed takes the arrays for independent.
	c, err := exact.NewCycle(g, double)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := c.FPRPrinted(53)
	if err != nil {
		t.Fatal(err)
	}
	_, capacity, _ := numbers(t, g, double)
	ofRate, ofCapacity := a.compare(t, sim.Setting{Geometry: g, Rule: double, Traffic: sim.AllNew()}, printed.Float64(), capacity, 99)
	if ofRate.Verdict() == stat.Kept || ofCapacity.Verdict() != stat.Kept {
		t.Errorf("(26) as printed: rate %v; capacity %v", ofRate, ofCapacity)
	}
}
