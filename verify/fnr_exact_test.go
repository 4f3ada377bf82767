package verify

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/exact"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The model exact of package approx is within its bound of what package exact says, where
// both have an answer.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestExactModel(t *testing.T) {
	type rate = func(f *exactfnr.System) (*exactfnr.Rates, error)
	grouped := func(f *exactfnr.System) (*exactfnr.Rates, error) { return f.CycleRates(53, "groups") }
	chain := func(f *exactfnr.System) (*exactfnr.Rates, error) { return f.Rates(53) }
	repeats := func(f *exactfnr.System) (*exactfnr.Rates, error) { return f.CycleRates(53, "times") }
	lasts := func(f *exactfnr.System) (*exactfnr.Rates, error) { return f.CycleRates(53, "times") }
	last := bloomproof.ArrivalLast
	worst := 0.0
	for _, s := range []struct {
		g    bloomproof.Geometry
		r    bloomproof.Recycling
		w    bloomproof.Workload
		rate rate
		slow bool
	}{
		{bloomproof.Geometry{M: 9, K: 2}, bloomproof.Recycling{Sigma: 4}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 4), Repeat: 0.75, Arrivals: last}, chain, false},
		{bloomproof.Geometry{M: 9, K: 2, Hashing: bloomproof.Classic}, bloomproof.Recycling{Sigma: 5}, bloomproof.Workload{Popularity: bloomproof.Zipf(2, 3), Repeat: 0.5, Arrivals: last}, chain, false},
		{bloomproof.Geometry{M: 9, K: 2}, bloomproof.Recycling{Messages: 3}, bloomproof.Workload{Popularity: bloomproof.Weights([]float64{3, 2, 1, 0}), Repeat: 0.75, Arrivals: last}, chain, false},
		{bloomproof.Geometry{M: 150, K: 3}, bloomproof.Recycling{Sigma: 50}, bloomproof.Workload{Popularity: bloomproof.Uniform(35), Repeat: 0.9, Arrivals: last}, grouped, true},
		{bloomproof.Geometry{M: 60, K: 2, Hashing: bloomproof.Classic}, bloomproof.Recycling{Sigma: 20}, bloomproof.Workload{Popularity: bloomproof.BiUniform(5, 0.1, 20), Repeat: 0.8, Arrivals: last}, grouped, true},
		{bloomproof.Geometry{M: 30, K: 3}, bloomproof.Recycling{Sigma: 10}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 10), Repeat: 0.5, Arrivals: last}, lasts, true},
		{bloomproof.Geometry{M: 300, K: 3}, bloomproof.Recycling{Sigma: 100}, bloomproof.Workload{Popularity: bloomproof.Uniform(200), Repeat: 1}, grouped, false},
		{bloomproof.Geometry{M: 64, K: 1}, bloomproof.Recycling{Sigma: 16}, bloomproof.Workload{Popularity: bloomproof.Zipf(0.7, 90), Repeat: 1}, repeats, true},
		{bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Sigma: 20}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 5), Repeat: 0}, grouped, false},
		// For the next two, rounding errors keep the last terms of the sum over time above 1e-16.
		{bloomproof.Geometry{M: 97225038418498, K: 4}, bloomproof.Recycling{Sigma: 259}, bloomproof.Workload{Popularity: bloomproof.Uniform(51), Repeat: 1e-3, Arrivals: last}, grouped, false},
		{bloomproof.Geometry{M: 1199137, K: 4}, bloomproof.Recycling{Sigma: 158}, bloomproof.Workload{Popularity: bloomproof.Uniform(60), Repeat: 0.1, Arrivals: last}, grouped, false},
	} {
		if s.slow && !longtest.Enabled() {
			continue
		}
		s.r.FreshPositions = true
		if s.w.Repeat == 0 {
			s.w.Arrivals = last
		}
		f, err := exactfnr.New(s.g, s.r, s.w)
		if err != nil {
			t.Fatal(err)
		}
		want, err := s.rate(f)
		if err != nil {
			t.Fatal(s.g, s.r, s.w, err)
		}
		c, err := approxfnr.New(s.g, s.r, s.w)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Predict(approxfnr.ModelExact)
		if err != nil {
			t.Errorf("%v %v %v: %v", s.g, s.r, s.w, err)
			continue
		}
		check := func(name string, got float64, want *exact.Enclosure, bound float64) {
			if want == nil {
				return
			}
			v := want.Float64()
			off := math.Abs(got - v)
			if off > bound*v {
				t.Errorf("%v %v %v: %s = %v, exactly %v: off by %.2g, stated are %.2g", s.g, s.r, s.w, name, got, v, off/v, bound)
			}
			if off > 0 {
				worst = max(worst, off/v/bound)
			}
		}
		check("FNR", got.FNR, &want.FNR, got.Bound)
		check("lucky", got.Lucky, &want.Lucky, got.Bound)
		check("FPR", got.FPR, &want.FPR, got.Bound)
		check("FPR per new", got.FPRPerNew, want.FPRPerNew, got.Bound)
		check("FPR per cycle-new", got.FPRPerCycleNew, want.FPRPerCycleNew, got.Bound)
		check("V", got.Cycle, want.Cycle, got.Bound)
		if got.Bound > 1e-6 && s.g.M < 1<<20 { // in nearly empty filters the number of lucky arrivals has few digits
			t.Errorf("%v %v %v: stated is an error of %.2g", s.g, s.r, s.w, got.Bound)
		}
	}
	t.Logf("the largest error is %.2g of its bound", worst)
}
