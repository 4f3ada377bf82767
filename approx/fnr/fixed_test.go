package fnr

import (
	"math"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// TestFixedGrid asks for forecasts with fixed positions at the edges of what was simulated.
func TestFixedGrid(t *testing.T) {
	one := bloomproof.Recycling{Sigma: 500}
	two := bloomproof.Recycling{Sigma: 500, TwoPhase: true}
	zipf := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Repeat: 0.9}
	for name, c := range map[string]struct {
		m     uint64
		k     int
		r     bloomproof.Recycling
		w     bloomproof.Workload
		apart float64 // 0: not of the grid
	}{
		"one phase":              {1000, 5, one, zipf, 0.01},
		"one position":           {1000, 1, one, zipf, 0.01},
		"large":                  {1 << 33, 7, bloomproof.Recycling{Sigma: 1 << 32}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1<<32), Repeat: 1}, 0.01},
		"few messages":           {1000, 18, one, zipf, 0},
		"nearly full":            {1000, 5, bloomproof.Recycling{Sigma: 901}, zipf, 0},
		"one message bounds":     {1000, 5, bloomproof.Recycling{Messages: 100}, zipf, 0.01},
		"few messages bound":     {1000, 5, bloomproof.Recycling{Messages: 39}, zipf, 0},
		"hardly any repeats":     {1000, 5, one, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Repeat: 0.09}, 0},
		"too popular":            {1000, 5, one, bloomproof.Workload{Popularity: bloomproof.Zipf(2.2, 1000), Repeat: 0.9}, 0},
		"two phases":             {1000, 2, two, zipf, 0.01 + 1.5/16},
		"two phases, k = 1":      {1000, 1, two, zipf, 0},
		"two phases, too full":   {1000, 4, bloomproof.Recycling{Sigma: 751, TwoPhase: true}, zipf, 0},
		"two phases, N messages": {1000, 2, bloomproof.Recycling{Messages: 200, TwoPhase: true}, zipf, 0.01 + 1.5*math.Pow(-math.Expm1(-0.4), 4)},
		"without copy-over":      {1000, 5, bloomproof.Recycling{Sigma: 500, TwoPhase: true, NoCopyOver: true}, zipf, 0},
	} {
		for _, fresh := range []bool{false, true} {
			c.r.FreshPositions = fresh
			s, err := New(bloomproof.Geometry{M: c.m, K: c.k}, c.r, c.w)
			if err != nil {
				t.Fatal(err)
			}
			f, err := s.Predict(modelFluid)
			if err != nil {
				t.Fatal(name, err)
			}
			want := c.apart
			if fresh {
				want = 0
			}
			if math.Abs(f.Apart-want) > 1e-9 || f.Valid != (fresh && !c.r.NoCopyOver || want > 0) || strings.Contains(f.Note, "fixed") == (fresh || c.r.NoCopyOver) {
				t.Errorf("%s, fresh %v: apart %v, not %v; valid %v, %q", name, fresh, f.Apart, want, f.Valid, f.Note)
			}
		}
	}
}
