package verify

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/exact"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// With fixed positions real filters forget as much as with fresh ones, within the Apart of a forecast:
// a part of the grid that docs/fnr.md has. Both are simulated, each run with a hash function of its own.
//
// Claims: none of a paper's.
func TestFixedPositions(t *testing.T) {
	zipf, equal, steep := bloomproof.Zipf(1, 1000), bloomproof.Uniform(1000), bloomproof.Zipf(2, 1000)
	cases := []struct {
		m uint64
		k int
		r bloomproof.Recycling
		w bloomproof.Workload
	}{
		{1000, 5, bloomproof.Recycling{Sigma: 500}, bloomproof.Workload{Popularity: zipf, Repeat: 0.9}},
		{1000, 2, bloomproof.Recycling{Sigma: 500, TwoPhase: true}, bloomproof.Workload{Popularity: zipf, Repeat: 1}},
		{1000, 4, bloomproof.Recycling{Sigma: 750, TwoPhase: true}, bloomproof.Workload{Popularity: equal, Repeat: 0.9}},
		{200, 3, bloomproof.Recycling{Sigma: 100, Retain: true}, bloomproof.Workload{Popularity: zipf, Repeat: 0.5}},
		{1000, 1, bloomproof.Recycling{Sigma: 250}, bloomproof.Workload{Popularity: zipf, Repeat: 0.9, Arrivals: bloomproof.ArrivalLast}},
		{1000, 7, bloomproof.Recycling{Sigma: 900}, bloomproof.Workload{Popularity: equal, Repeat: 1}},
		{1000, 3, bloomproof.Recycling{Sigma: 500, TwoPhase: true, FreezeBefore: true}, bloomproof.Workload{Popularity: zipf, Repeat: 0.7, Arrivals: bloomproof.ArrivalUniform}},
		{1000, 4, bloomproof.Recycling{Messages: 120, TwoPhase: true}, bloomproof.Workload{Popularity: zipf, Repeat: 0.9}},
		{200, 3, bloomproof.Recycling{Sigma: 100}, bloomproof.Workload{Popularity: steep, Repeat: 0.9}},
	}
	for i, c := range cases[:longtest.More(1, len(cases))] {
		g := bloomproof.Geometry{M: c.m, K: c.k}
		rate := func(fresh bool) *sim.Interval {
			r := c.r
			r.FreshPositions = fresh
			s := setting{Geometry: g, Rule: r, Workload: c.w}
			runs, err := s.run(sim.Plan{Runs: 40, Arrivals: longtest.More[uint64](4e5, 4e6), Seed: uint64(i)})
			if err != nil {
				t.Fatal(err)
			}
			x, err := sim.Rate(runs, (*sim.Tally).FalseNegative, 0.9999)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		f, err := approxfnr.New(g, c.r, c.w)
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.Predict("fluid")
		if err != nil || !x.Valid || x.Apart == 0 {
			t.Errorf("%v %v %v: %+v, %v", g, c.r, c.w, x, err)
			continue
		}
		fixed, fresh := rate(false), rate(true)
		off := math.Hypot(fixed.High-fixed.Low, fresh.High-fresh.Low) / 2
		if apart := math.Abs(fixed.Mean - fresh.Mean); apart > x.Apart*fresh.Mean+off {
			t.Errorf("%v %v %v: fixed %v, fresh %v: apart by %.4f, not %.4f", g, c.r, c.w, fixed, fresh, apart/fresh.Mean, x.Apart)
		}
		t.Logf("%v %v %v: %+.2f %% +- %.2f, stated %.2f", g, c.r, c.w, 100*(fixed.Mean/fresh.Mean-1), 100*off/fresh.Mean, 100*x.Apart)
	}
}

// The proven bounds of fixed positions hold what real filters with a hash function each do, and
// no more of those filters are far from fresh positions than Spread allows.
//
// Claims: none of a paper's.
func TestFixedRatesSimulated(t *testing.T) {
	for i, c := range []struct {
		g     bloomproof.Geometry
		sigma uint64
		q     bloomproof.Popularity
	}{
		{bloomproof.Geometry{M: 100, K: 3}, 50, bloomproof.Uniform(200)},
		{bloomproof.Geometry{M: 100, K: 3, Hashing: bloomproof.Classic}, 50, bloomproof.Zipf(1, 100)},
		{bloomproof.Geometry{M: 60, K: 1}, 20, bloomproof.Zipf(0.5, 150)},
	}[:longtest.More(1, 3)] {
		r, w := bloomproof.Recycling{Sigma: c.sigma}, bloomproof.Workload{Popularity: c.q, Repeat: 1}
		f, err := exactfnr.New(c.g, r, w)
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.FixedRates()
		if err != nil {
			t.Fatal(c, err)
		}
		s := setting{Geometry: c.g, Rule: r, Workload: w}
		runs, err := s.run(sim.Plan{Runs: 60, Arrivals: longtest.More[uint64](4e5, 6e6), Seed: uint64(i)})
		if err != nil {
			t.Fatal(err)
		}
		low := func(e exact.Enclosure) float64 { y, _ := e.Lo().Float64(); return y }
		high := func(e exact.Enclosure) float64 { y, _ := e.Hi().Float64(); return y }
		for what, y := range map[string]struct {
			e  exact.Enclosure
			of func(*sim.Tally) (hits, trials uint64)
		}{"false negatives": {x.FNR, (*sim.Tally).FalseNegative}, "cycle": {*x.Cycle, (*sim.Tally).Cycle}, "per cycle-new": {*x.FPRPerCycleNew, (*sim.Tally).PerCycleNew}} {
			got, err := sim.Ratio(runs, y.of, 0.9999)
			if err != nil {
				t.Fatal(err)
			}
			if got.High < low(y.e) || got.Low > high(y.e) {
				t.Errorf("%v: %s %v, not in [%v, %v]", c, what, got, low(y.e), high(y.e))
			}
		}
		spread := 0.0
		for i := range runs {
			hits, trials := runs[i].FalseNegative()
			off := float64(hits)/float64(trials) - x.FNR.Float64()
			spread += off * off / float64(len(runs))
		}
		if spread > x.Spread*x.Spread {
			t.Errorf("%v: filters vary by %.4f, not %.4f", c, math.Sqrt(spread), x.Spread)
		}
		t.Logf("%v: filters vary by %.4f, at most %.4f; the mean is in [%.4f, %.4f]", c, math.Sqrt(spread), x.Spread, low(x.FNR), high(x.FNR))
	}
}
