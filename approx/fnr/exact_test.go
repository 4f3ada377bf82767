package fnr

import (
	"errors"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// lastLoads are workloads that have exact rates.
func lastLoads(d uint64) []bloomproof.Workload {
	last := bloomproof.ArrivalLast
	return []bloomproof.Workload{
		{Popularity: bloomproof.Zipf(1, d), Repeat: 0.9, Arrivals: last},
		{Popularity: bloomproof.Zipf(1, 3*d), Repeat: 1},
		{Popularity: bloomproof.Uniform(d / 2), Repeat: 0.5, Arrivals: last},
		{Popularity: bloomproof.BiUniform(d/50, 20/float64(d), d), Repeat: 0.7, Arrivals: last},
	}
}

// BenchmarkExact is the stated size.
func BenchmarkExact(b *testing.B) {
	for _, w := range lastLoads(1_000_000) {
		b.Run(w.String(), func(b *testing.B) {
			g := bloomproof.Geometry{M: 1 << 23, K: 7}
			for b.Loop() {
				c, err := New(g, bloomproof.Recycling{Sigma: g.M / 2, FreshPositions: true}, w)
				if err == nil {
					_, err = c.Predict(ModelExact)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Two ways to the exact rates, message by message and by the ball that ends a cycle, agree.
func TestExactLargeIsSmall(t *testing.T) {
	geometries := []bloomproof.Geometry{{M: 6000, K: 4}, {M: 1000, K: 1}}
	if !longtest.Enabled() {
		geometries = []bloomproof.Geometry{{M: 100, K: 1}}
	}
	for _, g := range geometries {
		loads := lastLoads(g.M / 2)
		if !longtest.Enabled() {
			loads = loads[1:2]
		}
		for _, w := range loads {
			c, err := New(g, bloomproof.Recycling{Sigma: g.M / 2, FreshPositions: true}, w)
			if err != nil {
				t.Fatal(err)
			}
			s, err := newPoisson(w)
			if err != nil {
				t.Fatal(err)
			}
			x := c.asLarge()
			l, err := x.load()
			if err != nil {
				t.Fatal(err)
			}
			want, err := c.exactSmall(s)
			if err != nil {
				t.Errorf("%v %v: %v", g, w, err)
				continue
			}
			got, err := c.exactLarge(s, x, l)
			if err != nil {
				t.Errorf("%v %v: %v", g, w, err)
				continue
			}
			if off := math.Abs(got.Cycle/want.Cycle - 1); off > 1e-11 {
				t.Errorf("%v %v: V = %v, want %v: off by %.2g", g, w, got.Cycle, want.Cycle, off)
			}
			for name, p := range map[string][2]float64{
				"FNR": {got.FNR, want.FNR}, "Lucky": {got.Lucky, want.Lucky}, "FPR": {got.FPR, want.FPR},
				"FPRPerNew": {got.FPRPerNew, want.FPRPerNew}, "FPRPerCycleNew": {got.FPRPerCycleNew, want.FPRPerCycleNew},
			} {
				if off := math.Abs(p[0] - p[1]); off > got.Bound*p[1] {
					t.Errorf("%v %v: %s = %v, want %v: off by %.2g, stated are %.2g", g, w, name, p[0], p[1], off/p[1], got.Bound)
				}
			}
			t.Logf("%v %v: V off by %.2g, FNR by %.2g, stated are %.2g", g, w, math.Abs(got.Cycle/want.Cycle-1), math.Abs(got.FNR/want.FNR-1), got.Bound)
		}
	}
}

// Where the arrivals of a cycle spread over more powers of ten than can be summed in even
// steps, that is refused, and soon.
func TestExactOfSteepPopularity(t *testing.T) {
	cliff := make([]float64, 6000) // a cycle ends among those that hardly come, or just before
	for i := range cliff {
		if cliff[i] = 1; i >= 4050 {
			cliff[i] = 1e-20
		}
	}
	for i, x := range []struct {
		g     bloomproof.Geometry
		sigma uint64
		p     bloomproof.Popularity
	}{
		{bloomproof.Geometry{M: 30000, K: 3}, 10000, bloomproof.Weights(cliff)},
		{bloomproof.Geometry{M: 100, K: 3}, 20, bloomproof.Zipf(8, 60)},
	} {
		if i > 0 && !longtest.Enabled() { // a refusal costs as much as an answer may: seconds
			continue
		}
		c, err := New(x.g, bloomproof.Recycling{Sigma: x.sigma, FreshPositions: true}, bloomproof.Workload{Popularity: x.p, Repeat: 1})
		if err != nil {
			t.Fatal(err)
		}
		if f, err := c.Predict(ModelExact); !errors.Is(err, bloomproof.ErrTooCostly) {
			t.Errorf("%v %v: %v, %v", x.g, x.p, f, err)
		}
	}
}

// TestBallSum asserts that the sum over nodes is the sum, for functions that are singular at
// b = m, near there too.
func TestBallSum(t *testing.T) {
	for _, row := range [][2]uint64{{40, 39}, {40, 3}, {1000, 999}, {1000, 970}, {1000, 500}, {100000, 99999}, {100000, 7}} {
		m, sigma := row[0], row[1]
		s := ballSum(m, sigma)
		for name, f := range map[string]func(b float64) float64{
			"1":          func(b float64) float64 { return 1 },
			"m/(m-b)":    func(b float64) float64 { return float64(m) / (float64(m) - b) },
			"log(1-b/m)": func(b float64) float64 { return math.Log1p(-b / float64(m)) },
		} {
			want, got := 0.0, 0.0
			for b := range sigma + 1 {
				want += f(float64(b))
			}
			for i, left := range s.left {
				got += s.weight[i] * f(float64(m)-left)
			}
			if math.Abs(got-want) > 1e-11*math.Abs(want) {
				t.Errorf("m = %d, sigma = %d: the sum of %s is %v, want %v", m, sigma, name, got, want)
			}
		}
		if len(s.left) > 600 {
			t.Errorf("m = %d, sigma = %d: %d nodes", m, sigma, len(s.left))
		}
	}
}

// A filter whose bits can all be set has no rates, without repeats too.
func TestExactWithoutRepeatsRefuses(t *testing.T) {
	c, err := New(bloomproof.Geometry{M: 4, K: 2}, bloomproof.Recycling{Messages: 3}, bloomproof.Workload{Popularity: bloomproof.Uniform(1)})
	if err != nil {
		t.Fatal(err)
	}
	if f, err := c.Predict(ModelExact); !errors.Is(err, bloomproof.ErrUndefined) {
		t.Errorf("%v, %v", f, err)
	}
}

// A filter that certainly holds all messages needs no distribution of its set bits, which would take seconds here.
func TestHoldsAllAtNoCost(t *testing.T) {
	c, err := New(bloomproof.Geometry{M: 191380, K: 5, Hashing: bloomproof.Classic}, bloomproof.Recycling{Sigma: 191378, FreshPositions: true},
		bloomproof.Workload{Popularity: bloomproof.Uniform(1), Arrivals: bloomproof.ArrivalLast, Repeat: 1})
	if err != nil {
		t.Fatal(err)
	}
	c.filling = func() (*filling, error) { t.Error("the filling was computed"); return newFilling(c.g, c.r) }
	if f, err := c.Predict(ModelExact); err != nil || f.FNR != 0 || f.Kind != exactRate || !f.Valid || f.Note != noMore {
		t.Errorf("%+v, %v", f, err)
	}
	if v, err := c.Absorbing(); v != 1 || err != nil {
		t.Errorf("Absorbing: %v, %v", v, err)
	}
}
