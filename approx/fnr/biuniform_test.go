package fnr

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The search for the tightest popularity finds what trying all of them finds. With one phase, the lower bound of each
// forecast is below it and near it.
func TestBiUniformSearch(t *testing.T) {
	popularities := []bloomproof.Popularity{
		bloomproof.Zipf(1, 300), bloomproof.Zipf(0.5, 200), bloomproof.Zipf(2, 500), bloomproof.Zipf(0.8, 100), bloomproof.Zipf(0.2, 150),
		bloomproof.BiUniform(10, 0.05, 200), bloomproof.BiUniform(12, 0.08, 100), bloomproof.BiUniform(20, 0.04, 30),
		bloomproof.BiUniform(9, 0.02, 400), bloomproof.BiUniform(100, 0.008, 300), bloomproof.BiUniform(50, 0.012, 180),
		bloomproof.BiUniform(9, 0.04, 150), bloomproof.BiUniform(70, 0.012, 150),
	}
	geometries := [][3]uint64{{10000, 550, 4}, {500, 250, 4}, {500, 300, 3}, {60, 20, 3}}
	if !longtest.Enabled() {
		popularities, geometries = popularities[:4], geometries[1:]
	}
	worst := 0.0
	for _, q := range popularities {
		for _, x := range geometries {
			for _, repeat := range []float64{0.3, 0.9, 1} {
				for _, twoPhase := range []bool{false, true} {
					g := bloomproof.Geometry{M: x[0], K: int(x[2])}
					r := bloomproof.Recycling{Sigma: x[1], FreshPositions: true, Retain: x[0]%3 == 0, TwoPhase: twoPhase}
					w := bloomproof.Workload{Popularity: q, Repeat: repeat}
					c, err := New(g, r, w)
					if err != nil {
						t.Fatal(err)
					}
					list, err := c.traffic()
					if err != nil {
						t.Fatal(err)
					}
					found, err := c.Predict(modelBiUniform)
					if err != nil {
						continue // p_r = 1 and few messages
					}
					d := len(list.q)
					least := math.Inf(1)
					for s := 1; s < d && list.q[s-1]*float64(d) > 1; s++ {
						want, err := c.markov(biUniformOf(list, s))
						if err != nil {
							t.Fatal(err)
						}
						least = min(least, want.FNR)
						if twoPhase || want.FNR == 0 {
							continue
						}
						under := biUniformOf(list, s)
						under.under = true
						low, err := c.markov(under)
						if err != nil {
							t.Fatal(err)
						}
						if off := low.FNR/want.FNR - 1; off > low.Bound+want.Bound {
							t.Errorf("%v %v %v, s = %d: the rate %g is below its lower bound %g", g, r, w, s, want.FNR, low.FNR)
						} else if d >= 150 && s >= 9 && under.ph <= 8*under.pl {
							worst = max(worst, -off)
						}
					}
					if math.Abs(found.FNR-least) > 1e-12*least {
						t.Errorf("%v %v %v: the search finds %g, the least of all is %g", g, r, w, found.FNR, least)
					}
				}
			}
		}
	}
	if t.Logf("the lower bounds are within %.2g", worst); !(worst > 0 && worst < 0.05) {
		t.Errorf("the lower bounds are within %g of the rates", worst)
	}
}

// TestTightest checks which forecasts the function "tightest" computes. The rates and their errors are invented, and the
// errors are large. So a candidate is omitted only if its rate is above the least one with these errors too.
func TestTightest(t *testing.T) {
	rate := func(fnr, bound float64) Forecast { return Forecast{FNR: fnr, Bound: bound} }
	all := []candidate{{4, rate(0.8, 0.5)}, {3, rate(0.5, 0.5)}, {2, rate(0.625, 0.25)}, {1, rate(0.25, 0)}, {5, rate(0.125, 0.5)}}
	// The lower bounds are 0.4, 0.25, 0.46875, 0.25 and 0.0625.
	for _, x := range []struct {
		best  Forecast
		rates map[int]Forecast
		asked []int
		fnr   float64
	}{
		{rate(1, 0), map[int]Forecast{1: rate(0.9, 0), 2: rate(0.5, 0), 3: rate(0.9, 0), 4: rate(0.95, 0), 5: rate(0.95, 0)}, []int{5, 3, 1, 4, 2}, 0.5},
		{rate(1, 0), map[int]Forecast{5: rate(0.2, 0.24)}, []int{5}, 0.2},
		{rate(1, 0), map[int]Forecast{5: rate(0.2, 0.25), 3: rate(0.3, 0), 1: rate(0.2, 0.5)}, []int{5, 3, 1}, 0.2},
		{rate(0.25, 0), map[int]Forecast{5: rate(0.3, 0), 3: rate(0.25, 0.9), 1: rate(0.26, 0)}, []int{5, 3, 1}, 0.25},
		{rate(0.24, 0.5), map[int]Forecast{5: rate(0.5, 0), 3: rate(0.5, 0), 1: rate(0.5, 0)}, []int{5, 3, 1}, 0.24},
		{rate(0.05, 0), nil, nil, 0.05},
		{rate(1, 0), map[int]Forecast{5: rate(0, 0)}, []int{5}, 0},
		{rate(0, 0), nil, nil, 0},
	} {
		var asked []int
		f, err := tightest(x.best, slices.Clone(all), func(s int) (Forecast, error) {
			asked = append(asked, s)
			return x.rates[s], nil
		})
		if err != nil || f.FNR != x.fnr || !slices.Equal(asked, x.asked) {
			t.Errorf("%+v: forecasts for %v are computed, want %v; the least rate is %v: %v", x, asked, x.asked, f.FNR, err)
		}
	}
	failed := errors.New("one fails")
	if _, err := tightest(rate(1, 0), all, func(int) (Forecast, error) { return rate(0.1, 0), failed }); err != failed {
		t.Errorf("a forecast fails, but the error is %v", err)
	}
	// A candidate without a lower bound is never omitted.
	if f, err := tightest(rate(0.3, 0), []candidate{{s: 1}}, func(int) (Forecast, error) { return rate(0.1, 0), nil }); err != nil || f.FNR != 0.1 {
		t.Errorf("without a lower bound: %+v, %v", f, err)
	}
	// No rate is below 0.
	if _, err := tightest(rate(0, 0), []candidate{{s: 1}}, func(int) (Forecast, error) { return Forecast{}, failed }); err != nil {
		t.Errorf("the least rate is 0, but another forecast is computed: %v", err)
	}
}
