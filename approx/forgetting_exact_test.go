package approx

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// lastLoads are workloads that have exact rates.
func lastLoads(d uint64) []bloomproof.Workload {
	last := bloomproof.Arrivals{Kind: bloomproof.ArrivalLast}
	return []bloomproof.Workload{
		{Popularity: bloomproof.Zipf(1, d), Repeat: 0.9, Arrivals: last},
		{Popularity: bloomproof.Zipf(1, 3*d), Repeat: 1},
		{Popularity: bloomproof.Uniform(d / 2), Repeat: 0.5, Arrivals: last},
		{Popularity: bloomproof.BiUniform(d/50, 20/float64(d), d), Repeat: 0.7, Arrivals: last},
	}
}

// BenchmarkForgettingExact is the stated size.
func BenchmarkForgettingExact(b *testing.B) {
	for _, w := range lastLoads(1_000_000) {
		b.Run(w.String(), func(b *testing.B) {
			g := bloomproof.Geometry{M: 1 << 23, K: 7}
			for b.Loop() {
				c, err := NewForgetting(g, bloomproof.Recycling{Sigma: g.M / 2, Positions: bloomproof.Fresh}, w)
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
	for _, g := range []bloomproof.Geometry{{M: 6000, K: 4}, {M: 1000, K: 1}} {
		for i, w := range lastLoads(g.M / 2) {
			if testing.Short() && (g.K > 1 || i > 1) {
				continue
			}
			c, err := NewForgetting(g, bloomproof.Recycling{Sigma: g.M / 2, Positions: bloomproof.Fresh}, w)
			if err != nil {
				t.Fatal(err)
			}
			s, err := newPoisson(w)
			if err != nil {
				t.Fatal(err)
			}
			x := large{c.g, c.r, c.w}
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
