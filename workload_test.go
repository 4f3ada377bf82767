package bloomproof_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

// maxMessages is the largest number of messages of a Popularity, as its errors say.
const maxMessages = 1 << 40

// checked returns the error for a workload whose other fields are valid.
func checked(p bloomproof.Popularity) error { return bloomproof.Workload{Popularity: p}.Validate() }

func TestPopularityValidate(t *testing.T) {
	for _, c := range []struct {
		p    bloomproof.Popularity
		want string
	}{
		{bloomproof.Uniform(1), ""},
		{bloomproof.Uniform(maxMessages), ""},
		{bloomproof.Zipf(0, 1), ""},
		{bloomproof.Zipf(1, maxMessages), ""},
		{bloomproof.Zipf(math.MaxFloat64, 2), ""},
		{bloomproof.Zipf(math.SmallestNonzeroFloat64, 2), ""},
		{bloomproof.BiUniform(1, 1, 2), ""},
		{bloomproof.BiUniform(2, 0.5, 4), ""},
		{bloomproof.BiUniform(2, 0.25, 4), ""},
		{bloomproof.BiUniform(3, 0.2, 1000), ""},
		{bloomproof.BiUniform(1, 0.5, maxMessages), ""},
		{bloomproof.Weights([]float64{1}), ""},
		{bloomproof.Weights([]float64{3, 2, 2, 0}), ""},
		{bloomproof.Weights([]float64{math.MaxFloat64}), ""},
		{bloomproof.Weights([]float64{math.SmallestNonzeroFloat64, 0}), ""},
		{bloomproof.Weights([]float64{math.MaxUint64, 5, 2, 0}), ""},

		{bloomproof.Popularity{}, "D must be between 1 and 2^40 messages, got 0"},
		{bloomproof.Uniform(0), "D must be between 1 and 2^40 messages, got 0"},
		{bloomproof.Uniform(maxMessages + 1), "D must be between 1 and 2^40 messages, got 1099511627777"},
		{bloomproof.Weights(nil), "D must be between 1 and 2^40 messages, got 0"},
		{bloomproof.Weights([]float64{}), "D must be between 1 and 2^40 messages, got 0"},
		{bloomproof.Weights(nil), "D must be between 1 and 2^40 messages, got 0"},

		{bloomproof.Zipf(-1, 3), "alpha must be finite and at least 0, got -1"},
		{bloomproof.Zipf(nan, 3), "alpha must be finite and at least 0, got NaN"},
		{bloomproof.Zipf(inf, 3), "alpha must be finite and at least 0, got +Inf"},
		{bloomproof.Zipf(-inf, 3), "alpha must be finite and at least 0, got -Inf"},

		{bloomproof.BiUniform(0, 0.5, 4), "s must be between 1 and D-1 = 3, got 0"},
		{bloomproof.BiUniform(4, 0.25, 4), "s must be between 1 and D-1 = 3, got 4"},
		{bloomproof.BiUniform(1, 1, 1), "s must be between 1 and D-1 = 0, got 1"},
		{bloomproof.BiUniform(math.MaxUint64, 0.5, 4), "s must be between 1 and D-1 = 3, got 18446744073709551615"},
		{bloomproof.BiUniform(2, 0.6, 4), "ph must be between 1/4 and 1/2, got 0.6"},
		{bloomproof.BiUniform(2, 0.2, 4), "ph must be between 1/4 and 1/2, got 0.2"},
		{bloomproof.BiUniform(2, 0, 4), "ph must be between 1/4 and 1/2, got 0"},
		{bloomproof.BiUniform(2, -0.3, 4), "ph must be between 1/4 and 1/2, got -0.3"},
		{bloomproof.BiUniform(2, nan, 4), "ph must be between 1/4 and 1/2, got NaN"},
		{bloomproof.BiUniform(2, inf, 4), "ph must be between 1/4 and 1/2, got +Inf"},
		{bloomproof.BiUniform(2, -inf, 4), "ph must be between 1/4 and 1/2, got -Inf"},

		{bloomproof.Weights([]float64{1, nan}), "weight 1 must be finite and at least 0, got NaN"},
		{bloomproof.Weights([]float64{nan, 1}), "weight 0 must be finite and at least 0, got NaN"},
		{bloomproof.Weights([]float64{inf, 1}), "weight 0 must be finite and at least 0, got +Inf"},
		{bloomproof.Weights([]float64{1, -1}), "weight 1 must be finite and at least 0, got -1"},
		{bloomproof.Weights([]float64{1, -inf}), "weight 1 must be finite and at least 0, got -Inf"},
		{bloomproof.Weights([]float64{0, 0}), "sum of weights must be positive and finite, got 0"},
		{bloomproof.Weights([]float64{math.MaxFloat64, math.MaxFloat64}), "sum of weights must be positive and finite, got +Inf"},
		{bloomproof.Weights([]float64{1, 2}), "weight 1 must be at most the weight before it, 1, got 2"},
		{bloomproof.Weights([]float64{3, 1, 1, 2}), "weight 3 must be at most the weight before it, 1, got 2"},
		{bloomproof.Weights([]float64{0, 0}), "sum of weights must be positive and finite, got 0"},

		{bloomproof.Popularity{D: 3, Alpha: 1, S: 1, PH: 0.5}, "alpha must be 0 unless the popularity is zipf, got 1"},
		{bloomproof.Popularity{D: 1, Alpha: 1, Weights: []float64{1}}, "alpha must be 0 unless the popularity is zipf, got 1"},
		{bloomproof.Popularity{D: 1, Alpha: nan, Weights: []float64{1}}, "alpha must be finite and at least 0, got NaN"},
		{bloomproof.Popularity{D: 1, S: 2, Weights: []float64{1}}, "s must be 0 unless the popularity is biuniform, got 2"},
		{bloomproof.Popularity{D: 1, PH: 0.5, Weights: []float64{1}}, "ph must be 0 unless the popularity is biuniform, got 0.5"},
		{bloomproof.Popularity{D: 2, PH: 0.5}, "s must be between 1 and D-1 = 1, got 0"},
		{bloomproof.Popularity{D: 2, Weights: []float64{1}}, "D must be the number of weights, 1, got 2"},
		{bloomproof.Popularity{D: 2, Weights: []float64{}}, "D must be the number of weights, 0, got 2"},
	} {
		wantError(t, c.p.String(), checked(c.p), c.want)
	}
}

func TestPopularityWeight(t *testing.T) {
	for _, c := range []struct {
		p    bloomproof.Popularity
		want []float64
	}{
		{bloomproof.Uniform(4), []float64{0.25, 0.25, 0.25, 0.25}},
		{bloomproof.Zipf(1, 3), []float64{1, 0.5, 1. / 3}},
		{bloomproof.Zipf(0, 3), []float64{1. / 3, 1. / 3, 1. / 3}},
		{bloomproof.Zipf(2, 3), []float64{1, 0.25, 1. / 9}},
		{bloomproof.Zipf(math.MaxFloat64, 3), []float64{1, 0, 0}},
		{bloomproof.BiUniform(1, 0.5, 3), []float64{0.5, 0.25, 0.25}},
		{bloomproof.BiUniform(2, 0.5, 4), []float64{0.5, 0.5, 0, 0}},
		{bloomproof.Weights([]float64{3, 1}), []float64{3, 1}},
		{bloomproof.Weights([]float64{3, 2, 1, 0}), []float64{3, 2, 1, 0}},
	} {
		for j, want := range c.want {
			if got := c.p.Weight(uint64(j)); got != want {
				t.Errorf("%v: weight %d = %v, want %v", c.p, j, got, want)
			}
		}
		for _, j := range []uint64{c.p.D, c.p.D + 1, math.MaxUint64} {
			if got := c.p.Weight(j); got != 0 {
				t.Errorf("%v: weight %d = %v, want 0", c.p, j, got)
			}
		}
	}
}

// A bi-uniform popularity is valid exactly for 1/D <= ph <= 1/S, as float64 rounds
// them, and then its weights are non-negative, non-increasing and sum to 1 but for
// rounding.
func TestBiUniformLimits(t *testing.T) {
	check := func(s, d uint64) {
		low, high := 1/float64(d), 1/float64(s)
		for _, ph := range []float64{low, math.Nextafter(low, 1), (low + high) / 2, math.Nextafter(high, 0), high} {
			p := bloomproof.BiUniform(s, ph, d)
			if err := checked(p); err != nil {
				t.Errorf("%v: %v", p, err)
				continue
			}
			popular, rest := p.Weight(s-1), p.Weight(s)
			sum := float64(s)*popular + float64(d-s)*rest
			if !(rest >= 0 && popular >= rest && math.Abs(sum-1) <= 4e-16) {
				t.Errorf("%v: weights %v and %v, sum-1 = %v", p, popular, rest, sum-1)
			}
		}
		for _, ph := range []float64{math.Nextafter(low, 0), math.Nextafter(high, 2)} {
			if p := bloomproof.BiUniform(s, ph, d); checked(p) == nil {
				t.Errorf("%v is accepted", p)
			}
		}
	}
	for d := uint64(2); d <= 128; d++ {
		for s := uint64(1); s < d; s++ {
			check(s, d)
		}
	}
	for _, d := range []uint64{maxMessages, maxMessages - 1, 1<<20 + 1} {
		for _, s := range []uint64{1, 2, 3, 1000, d / 3, d / 2, d - 2, d - 1} {
			check(s, d)
		}
	}
}

func TestPopularityString(t *testing.T) {
	for _, c := range []struct {
		p    bloomproof.Popularity
		want string
	}{
		{bloomproof.Uniform(10), "uniform:10"},
		{bloomproof.Zipf(1, 1000), "zipf:1:1000"},
		{bloomproof.Zipf(0.75, 8), "zipf:0.75:8"},
		{bloomproof.BiUniform(2, 0.25, 8), "biuniform:2:0.25:8"},
		{bloomproof.Weights([]float64{0.5, 0.3, 0.2}), "list:0.5,0.3,0.2"},
		{bloomproof.Weights([]float64{8, 7, 6, 5, 4, 3, 2, 1}), "list:8,7,6,5,4,3,2,1"},
		{bloomproof.Weights([]float64{9, 8, 7, 6, 5, 4, 3, 2, 1}), "list:9,8,7,6,5,4,3,2,...(9 weights)"},
		{bloomproof.Weights([]float64{}), "list:"},
	} {
		if got := c.p.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestArrivals(t *testing.T) {
	list := func(w ...float64) bloomproof.Workload {
		return bloomproof.Workload{ArrivalWeights: append([]float64{}, w...)}
	}
	for _, c := range []struct {
		w    bloomproof.Workload
		d    uint64
		text string
		want string
	}{
		{bloomproof.Workload{}, 3, "popularity", ""},
		{bloomproof.Workload{Arrivals: bloomproof.ArrivalUniform}, 3, "uniform", ""},
		{bloomproof.Workload{Arrivals: bloomproof.ArrivalLast}, 3, "last", ""},
		{bloomproof.Workload{Arrivals: bloomproof.ArrivalFirst}, maxMessages, "first", ""},
		{list(1, 2, 0), 3, "list:1,2,0", ""}, // in any order
		{list(1), 1, "list:1", ""},
		{list(1, 2), 3, "list:1,2", "arrivals must be a list of D = 3 weights, got 2"},
		{list(), 1, "list:", "arrivals must be a list of D = 1 weights, got 0"},
		{list(1, nan), 2, "list:1,NaN", "weight 1 must be finite and at least 0, got NaN"},
		{list(inf), 1, "list:+Inf", "weight 0 must be finite and at least 0, got +Inf"},
		{list(1, -2), 2, "list:1,-2", "weight 1 must be finite and at least 0, got -2"},
		{list(0, 0), 2, "list:0,0", "sum of weights must be positive and finite, got 0"},
		{bloomproof.Workload{Arrivals: bloomproof.ArrivalLast, ArrivalWeights: []float64{1}}, 1, "list:1", "arrivals must be popularity where weights are given, got last"},
		{bloomproof.Workload{Arrivals: 5}, 1, "Arrivals(5)", "arrivals must be one of popularity, uniform, last, first, got 5"},
	} {
		c.w.Popularity = bloomproof.Uniform(c.d)
		if got, want := c.w.String(), fmt.Sprintf("uniform:%d arrivals=%s repeat=0", c.d, c.text); got != want {
			t.Errorf("String: got %q, want %q", got, want)
		}
		wantError(t, c.text, c.w.Validate(), c.want)
	}
}

func TestWorkload(t *testing.T) {
	good := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Repeat: 0.9}
	if got, want := good.String(), "zipf:1:1000 arrivals=popularity repeat=0.9"; got != want {
		t.Errorf("String: got %q, want %q", got, want)
	}
	for _, c := range []struct {
		change func(*bloomproof.Workload)
		want   string
	}{
		{func(w *bloomproof.Workload) {}, ""},
		{func(w *bloomproof.Workload) { w.Repeat = 0 }, ""},
		{func(w *bloomproof.Workload) { w.Repeat = 1 }, ""},
		{func(w *bloomproof.Workload) { w.Repeat = math.Nextafter(1, 2) }, "repeat must be between 0 and 1, got 1.0000000000000002"},
		{func(w *bloomproof.Workload) { w.Repeat = -0.1 }, "repeat must be between 0 and 1, got -0.1"},
		{func(w *bloomproof.Workload) { w.Repeat = nan }, "repeat must be between 0 and 1, got NaN"},
		{func(w *bloomproof.Workload) { w.Repeat = inf }, "repeat must be between 0 and 1, got +Inf"},
		{func(w *bloomproof.Workload) { w.Popularity = bloomproof.Popularity{} }, "D must be between 1 and 2^40 messages, got 0"},
		{func(w *bloomproof.Workload) { w.Arrivals = 9 }, "arrivals must be one of popularity, uniform, last, first, got 9"},
		{func(w *bloomproof.Workload) { w.ArrivalWeights = []float64{1} }, "arrivals must be a list of D = 1000 weights, got 1"},
	} {
		w := good
		c.change(&w)
		wantError(t, w.String(), w.Validate(), c.want)
	}
}
