package fuzz

import (
	"errors"
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/exact"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// decodeWorkload reads a workload of few messages, of any popularity, with any law of
// arrivals.
func decodeWorkload(s *source) bloomproof.Workload {
	d := uint64(s.below(4)) + 1
	w := bloomproof.Workload{Repeat: float64(s.below(9)) / 8}
	arrivals := s.below(5)
	if arrivals < 4 {
		w.Arrivals = bloomproof.Arrivals(arrivals)
	}
	switch s.below(4) {
	case 0:
		w.Popularity = bloomproof.Uniform(d)
	case 1:
		w.Popularity = bloomproof.Zipf(float64(s.below(32))/8, d)
	case 2:
		w.Popularity = bloomproof.BiUniform(1, 0.75, d+1)
	default:
		weights := []float64{float64(s.byte())}
		for range d - 1 {
			weights = append(weights, weights[len(weights)-1]*float64(s.byte())/255)
		}
		w.Popularity = bloomproof.Weights(weights)
	}
	if arrivals == 4 { // by weights
		for range w.Popularity.D {
			w.ArrivalWeights = append(w.ArrivalWeights, float64(s.byte()))
		}
	}
	return w
}

// FuzzFNR computes the false-negative rates of a tiny recycling filter under a workload by every
// exact model that has them, and these rates must agree; each model of approx must be what it says:
// a lower bound is below, an upper bound is above, an exact model is within its stated error, and
// none gives NaN or a number that is no rate.
func FuzzFNR(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &source{data}
		g := bloomproof.Geometry{M: uint64(s.below(9)) + 1, K: s.below(3) + 1, Hashing: bloomproof.Hashing(s.below(2))}
		r := decodeRule(s, g.M)
		if r.Messages > 0 {
			r.Messages = r.Messages%4 + 1
		}
		w := decodeWorkload(s)
		deep := s.below(32) == 31 && longtest.Enabled() // which takes seconds
		tiny := uint64(1)
		if !r.TwoPhase && r.FreshPositions {
			tiny = 2
		}
		situations := g.M * w.Popularity.D // with more, those that tell messages or bits apart take seconds
		name := fmt.Sprintf("%v %v %v", g, r, w)
		c, err := exactfnr.New(g, r, w)
		x, errApprox := approxfnr.New(g, r, w)
		if valid := g.Validate() == nil && r.Validate(g) == nil && w.Validate() == nil; (err == nil) != valid || (errApprox == nil) != valid {
			t.Fatalf("%s: exact %v, approx %v, valid %t", name, err, errApprox, valid)
		}
		if err != nil {
			return
		}
		var first *exactfnr.Rates
		by := ""
		const ratesGroups, groupsTimes, forecasts = 0, 1, 2
		part := longtest.Part(3, data...)
		for i, model := range []struct {
			name string
			of   func(uint) (*exactfnr.Rates, error)
		}{
			{"Rates", c.Rates},
			{"CycleRates by groups", func(prec uint) (*exactfnr.Rates, error) { return c.CycleRates(prec, "groups") }},
			{"CycleRates by times", func(prec uint) (*exactfnr.Rates, error) { return c.CycleRates(prec, "times") }},
		} {
			if !(part(ratesGroups) && i < 2 || part(groupsTimes) && i > 0 || part(forecasts) && first == nil) {
				continue
			}
			if i == 0 && (situations > 9*tiny || r.Sigma > 4) || i == 2 && (situations > 10 || w.Repeat < 1 && !deep) {
				continue
			}
			prec := uint(24 + 5*i)
			e, err := model.of(prec)
			if errors.Is(err, bloomproof.ErrTooCostly) || errors.Is(err, bloomproof.ErrUndefined) || i == 2 && errors.Is(err, exact.ErrPrecision) {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %s: %v", name, model.name, err)
			}
			cases.Add(1)
			checkRates(t, name+": "+model.name, e, int(prec))
			// With nothing new and a filter that can end, Rates counts the end in.
			if i == 0 && e.Absorbing.Sign() != 0 {
				continue
			}
			if first == nil {
				first, by = e, model.name
				continue
			}
			same := func(what string, a, b *exact.Enclosure) {
				if a != nil && b != nil && !a.Overlaps(*b) && (first.Absorbing.Sign() == 0 && e.Absorbing.Sign() == 0) {
					t.Fatalf("%s: %s is %v by %s, %v by %s", name, what, *a, by, *b, model.name)
				}
			}
			same("FNR", &first.FNR, &e.FNR)
			same("FPR", &first.FPR, &e.FPR)
			same("lucky", &first.Lucky, &e.Lucky)
			same("cycle", first.Cycle, e.Cycle)
		}
		if part(forecasts) {
			checkForecasts(t, name, x, first)
		}
	})
}

// checkRates: rates are probabilities, of which false negatives and lucky ones are repeats.
func checkRates(t *testing.T, what string, e *exactfnr.Rates, prec int) {
	for _, p := range []exact.Enclosure{e.FNR, e.Lucky, e.FPR} {
		if p.Sign() < 0 || p.Lo().Sign() > 0 && p.RelBits() < prec || p.Float64() > 1 {
			t.Fatalf("%s: %+v", what, e)
		}
	}
	if sum := e.FNR.Float64() + e.Lucky.Float64() + e.FPR.Float64(); sum > 1+1e-6 {
		t.Fatalf("%s: rates sum to %v", what, sum)
	}
}

func checkForecasts(t *testing.T, name string, c *approxfnr.System, truth *exactfnr.Rates) {
	for _, m := range approxfnr.Models() {
		x, err := c.Predict(m)
		var bad *bloomproof.ParamError // of a model that was made for other rules
		if errors.Is(err, bloomproof.ErrTooCostly) || errors.Is(err, bloomproof.ErrUndefined) || errors.As(err, &bad) {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v: %v", name, m, err)
		}
		cases.Add(1)
		for _, p := range []float64{x.FNR, x.Lucky, x.FPR, x.FPRPerNew, x.FPRPerCycleNew} {
			if !(p >= 0 && (p <= 1+1e-9 || !x.Valid && x.Note != "" && x.Kind == "approximation")) {
				t.Fatalf("%s: %v: %+v", name, m, x)
			}
		}
		if !(x.Cycle >= 0) || !(x.Bound >= 0) {
			t.Fatalf("%s: %v: %+v", name, m, x)
		}
		if truth == nil {
			continue
		}
		p := truth.FNR.Float64()
		margin := p*(x.Bound+1e-6) + 1e-300
		if x.Kind == "lower" && x.FNR > p+margin || x.Kind == "upper" && x.FNR < p-margin ||
			x.Kind == "exact" && (x.FNR > p+margin || x.FNR < p-margin) {
			t.Fatalf("%s: the %v of the model %v is %v, exact %v, bound %g", name, x.Kind, m, x.FNR, p, x.Bound)
		}
	}
	if _, err := c.Best(); err != nil && !errors.Is(err, bloomproof.ErrTooCostly) && !errors.Is(err, bloomproof.ErrUndefined) {
		t.Fatalf("%s: best: %v", name, err)
	}
	if p, err := c.Absorbing(); err == nil && !(p >= 0 && p <= 1+1e-9) {
		t.Fatalf("%s: absorbing %v", name, p)
	}
}
