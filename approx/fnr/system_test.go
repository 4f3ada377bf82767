package fnr

import (
	"errors"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

func TestModelNames(t *testing.T) {
	for _, m := range Models() {
		if err := m.validate(); err != nil {
			t.Errorf("%v: %v", m, err)
		}
	}
	var p *bloomproof.ParamError
	for _, bad := range []Model{"", "renewals", "Exact"} {
		if err := bad.validate(); !errors.As(err, &p) || p.Param != "model" {
			t.Errorf("no error for %q: %v", bad, err)
		}
	}
}

// markovModels are those of section 4.
var markovModels = []Model{modelLower, modelReplacement, modelUniform, modelBiUniform, modelPins, modelPinsArrivals, modelDisabling}

// Whatever the parameters are, a Markov model answers with finite numbers in their ranges or with one
// of the errors that it states, and soon.
func TestSystemOfAnything(t *testing.T) {
	weights := []float64{1e300, 1e300, 1, 1e-300, 0}
	var geometries []bloomproof.Geometry
	for _, m := range []uint64{1, 2, 9, 30, 1 << 40, 1<<64 - 1} {
		for _, k := range []int{1, 3, 4096} {
			geometries = append(geometries, bloomproof.Geometry{M: m, K: k}, bloomproof.Geometry{M: m, K: k, Hashing: bloomproof.Classic})
		}
	}
	workloads := []bloomproof.Workload{
		{Popularity: bloomproof.Uniform(1), Repeat: 1},
		{Popularity: bloomproof.Uniform(2), Repeat: 0},
		{Popularity: bloomproof.Uniform(1 << 40), Repeat: 0.5},
		{Popularity: bloomproof.Zipf(3, 30), Repeat: 1},
		{Popularity: bloomproof.Zipf(1e308, 30), Repeat: 0.75},
		{Popularity: bloomproof.Weights(weights), Repeat: 0.9, ArrivalWeights: []float64{0, 0, 1e-300, 0, 1e300}},
		{Popularity: bloomproof.BiUniform(3, 0.25, 40), Repeat: 1, Arrivals: bloomproof.ArrivalLast},
		{Popularity: bloomproof.Zipf(1, 40), Repeat: 5e-324, Arrivals: bloomproof.ArrivalFirst},
	}
	answers, refusals, short := 0, 0, 0
	if !longtest.Enabled() {
		short = 1
	}
	for i, g := range geometries {
		if g.Validate() != nil {
			continue
		}
		for _, bound := range []uint64{0, g.M / 3, g.M - 1} {
			for j, r := range []bloomproof.Recycling{
				{Sigma: bound}, {Sigma: bound, Retain: true}, {Sigma: bound, TwoPhase: true, FreshPositions: true},
				{Messages: bound + 1, TwoPhase: true, FreezeBefore: true, NoCopyOver: true},
			} {
				for n, w := range workloads {
					if every := 2 + 9*short; (i+j+n)%every != 0 {
						continue
					}
					c, err := New(g, r, w)
					if err != nil {
						continue
					}
					for _, m := range markovModels {
						f, err := c.Predict(m)
						if err != nil {
							refusals++
							var p *bloomproof.ParamError
							if !errors.Is(err, bloomproof.ErrTooCostly) && !errors.Is(err, bloomproof.ErrUndefined) && !errors.As(err, &p) {
								t.Errorf("%v %v %v %v: %v", m, g, r, w, err)
							}
							continue
						}
						answers++
						if !shares(f, w) {
							t.Errorf("%v %v %v %v: %+v", m, g, r, w, f)
						}
						if !(f.Cycle >= 1-1e-6) || math.IsInf(f.Cycle, 0) || !(f.Bound >= 0) || f.Valid == false && f.Note == "" {
							t.Errorf("%v %v %v %v: %+v", m, g, r, w, f)
						}
					}
				}
			}
		}
	}
	if answers < 700 || refusals < 700 {
		t.Errorf("%d answers, %d refusals", answers, refusals)
	}
}

// The function "shares" reports whether each rate is in the range of such rates, and not -0. It permits a
// false-negative rate above p_r only in a forecast that is not valid.
func shares(f Forecast, w bloomproof.Workload) bool {
	for _, x := range []float64{f.FNR, f.Lucky, f.FPR, f.FPRPerNew, f.FPRPerCycleNew} {
		if !(x >= 0) || math.Signbit(x) || x > 1 && (f.Valid || x != f.FNR) {
			return false
		}
	}
	return f.Lucky <= w.Repeat && f.FPR <= 1-w.Repeat && (f.FNR <= w.Repeat || !f.Valid)
}

// In these cases the sums leave the range of rates by their errors.
func TestRatesAreShares(t *testing.T) {
	answers := 0
	for _, x := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
		w bloomproof.Workload
	}{
		{bloomproof.Geometry{M: 426, K: 7}, bloomproof.Recycling{Sigma: 2, FreshPositions: true},
			bloomproof.Workload{Popularity: bloomproof.Zipf(1.0928923662901664, 1), Arrivals: bloomproof.ArrivalLast, Repeat: 1}},
		{bloomproof.Geometry{M: 100, K: 4}, bloomproof.Recycling{Sigma: 2, FreshPositions: true},
			bloomproof.Workload{Popularity: bloomproof.Uniform(1), Repeat: 1}},
		{bloomproof.Geometry{M: 5118, K: 6}, bloomproof.Recycling{Sigma: 4, FreshPositions: true},
			bloomproof.Workload{Popularity: bloomproof.Uniform(1), Repeat: 1}},
		{bloomproof.Geometry{M: 2, K: 3}, bloomproof.Recycling{Sigma: 1, FreshPositions: true, TwoPhase: true},
			bloomproof.Workload{Popularity: bloomproof.Zipf(3.23, 1), Repeat: 7.6e-298}},
		{bloomproof.Geometry{M: 6, K: 3, Hashing: bloomproof.Classic}, bloomproof.Recycling{Sigma: 5, FreshPositions: true},
			bloomproof.Workload{Popularity: bloomproof.BiUniform(1, 0.914, 2), Repeat: 1}},
		{bloomproof.Geometry{M: 6, K: 3, Hashing: bloomproof.Classic}, bloomproof.Recycling{Sigma: 5, FreshPositions: true, TwoPhase: true},
			bloomproof.Workload{Popularity: bloomproof.BiUniform(1, 0.914, 2), Repeat: 0.5}},
	} {
		c, err := New(x.g, x.r, x.w)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range Models() {
			if f, err := c.Predict(m); err == nil {
				answers++
				if !shares(f, x.w) {
					t.Errorf("%v %v %v %v: %+v", m, x.g, x.r, x.w, f)
				}
			}
		}
	}
	if answers < 40 {
		t.Errorf("%d answers", answers)
	}
	f := Forecast{FNR: 0.5 * (1 + 0x1p-20), Bound: 0x1p-19}
	if f.restrict(0.5); f.FNR != 0.5 || f.Bound < 0x1p-19 || f.Bound > 0x1p-18 {
		t.Errorf("%+v", f)
	}
}

// Where everything is new, the models say what a Cycle says: nothing else is left to them.
func TestSystemOfNewMessages(t *testing.T) {
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 20), Repeat: 0}
	answers := map[Model]int{}
	for _, g := range []bloomproof.Geometry{{M: 200, K: 3}, {M: 150, K: 5, Hashing: bloomproof.Classic}} {
		for _, r := range []bloomproof.Recycling{
			{Sigma: 70}, {Sigma: 70, TwoPhase: true},
			{Sigma: 70, TwoPhase: true, FreezeBefore: true},
			{Messages: 17}, {Messages: 17, TwoPhase: true},
			{Messages: 17, TwoPhase: true, FreezeBefore: true},
		} {
			for _, r.Retain = range []bool{false, true} {
				r.FreshPositions = true
				want, err := recycling.New(g, r)
				if err != nil {
					t.Fatal(err)
				}
				c, err := New(g, r, w)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range Models() {
					f, err := c.Predict(m)
					if err != nil || !f.Valid {
						continue // made for other settings
					}
					answers[m]++
					if f.FNR != 0 || f.Lucky != 0 {
						t.Errorf("%v %v %v: %+v without repeats", m, g, r, f)
					}
					if m == modelFluid {
						continue // a limit
					}
					if f.Bound > 1e-9 {
						t.Errorf("%v %v %v: bound %v", m, g, r, f.Bound)
					}
					for _, x := range [][2]float64{{f.FPR, want.FPR()}, {f.FPRPerNew, want.FPR()}, {f.FPRPerCycleNew, want.FPR()}, {f.Cycle, want.Capacity()}} {
						if off := math.Abs(x[0]/x[1] - 1); off > f.Bound+want.Bound() {
							t.Errorf("%v %v %v: %g, a cycle of new messages has %g: off by %.2g, the bound is %.2g", m, g, r, x[0], x[1], off, f.Bound)
						}
					}
				}
			}
		}
	}
	all := 24
	fewer := map[Model]int{ModelRenewal: all / 2, ModelRenewalRetaining: all / 2, modelRenewalExtended: all / 4, modelLeaveOneOut: 0}
	for _, m := range Models() {
		want, ok := fewer[m]
		if !ok {
			want = all
		}
		if answers[m] != want {
			t.Errorf("%v: %d answers, want %d", m, answers[m], want)
		}
	}
}

// A hashing without an entry, and blocks, are refused by name.
func TestUnknownHashing(t *testing.T) {
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 9), Repeat: 0.5}
	for param, g := range map[string]bloomproof.Geometry{
		"hashing": {M: 64, K: 4, Hashing: bloomproof.Partitioned},
		"block":   {M: 1024, K: 4, Block: 512},
	} {
		var p *bloomproof.ParamError
		if _, err := New(g, bloomproof.Recycling{Sigma: 20}, w); !errors.As(err, &p) || p.Param != param {
			t.Errorf("New(%v): %v, want a ParamError of %s", g, err, param)
		}
	}
	var p *bloomproof.ParamError
	d := Designs{Hashing: bloomproof.Partitioned, Rules: []bloomproof.Recycling{{}}, Workload: w, Rate: 0.1}
	if _, err := Least(d, 1000); !errors.As(err, &p) || p.Param != "hashing" {
		t.Errorf("Least: %v, want a ParamError of hashing", err)
	}
	if _, _, err := LeastBits(d, 0.1); !errors.As(err, &p) || p.Param != "hashing" {
		t.Errorf("LeastBits: %v, want a ParamError of hashing", err)
	}
}
