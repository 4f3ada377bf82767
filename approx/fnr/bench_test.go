package fnr

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// BenchmarkTable1 is the settings of Dozier-FN, Table 1: the paper's code took 0.2 to
// 2 s for drop pins and 0.8 to 47 s for the renewal model. "all" is every model of one filter,
// with what they share.
func BenchmarkTable1(b *testing.B) {
	g := bloomproof.Geometry{M: 10000, K: 5}
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Repeat: 0.9}
	for _, twoPhase := range []bool{false, true} {
		for _, sigma := range []uint64{1000, 2000, 3000} {
			r := bloomproof.Recycling{Sigma: sigma, Retain: true, TwoPhase: twoPhase, FreshPositions: true}
			predict := func(b *testing.B, models ...Model) {
				c, err := New(g, r, w)
				if err != nil {
					b.Fatal(err)
				}
				for _, m := range models {
					// Some models have no value for these settings.
					if _, err := c.Predict(m); err != nil && len(models) == 1 {
						b.Skip(err)
					}
				}
			}
			for _, m := range Models() {
				b.Run(fmt.Sprintf("%v/two=%t/sigma=%d", m, twoPhase, sigma), func(b *testing.B) {
					for b.Loop() {
						predict(b, m)
					}
				})
			}
			b.Run(fmt.Sprintf("all/two=%t/sigma=%d", twoPhase, sigma), func(b *testing.B) {
				for b.Loop() {
					predict(b, Models()...)
				}
			})
		}
	}
}

// BenchmarkFilling is psi, row by row.
func BenchmarkFilling(b *testing.B) {
	for _, m := range []uint64{1e4, 1e5, 1e6} {
		b.Run(fmt.Sprintf("m=%d/k=7/sigma=m÷2", m), func(b *testing.B) {
			for b.Loop() {
				if _, err := newFilling(bloomproof.Geometry{M: m, K: 7}, bloomproof.Recycling{Sigma: m / 2}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("m=10000/k=5/messages=700", func(b *testing.B) {
		for b.Loop() {
			if _, err := newFilling(bloomproof.Geometry{M: 10000, K: 5}, bloomproof.Recycling{Messages: 700}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkExactLimit is the exact rates that come closest to the limit of their cost, which Predict states: no slower
// ones were found.
func BenchmarkExactLimit(b *testing.B) {
	for _, x := range []struct {
		g bloomproof.Geometry
		s uint64
		w bloomproof.Workload
	}{
		{bloomproof.Geometry{M: 768, K: 1}, 537, lastOf(bloomproof.Zipf(20, 836), 1e-200)},
		{bloomproof.Geometry{M: 1 << 20, K: 4096}, 1 << 19, lastOf(bloomproof.Zipf(1, 1000), 0.9)},
	} {
		b.Run(fmt.Sprintf("m=%d/k=%d", x.g.M, x.g.K), func(b *testing.B) {
			for b.Loop() {
				c, err := New(x.g, fresh(x.s), x.w)
				if err != nil {
					b.Fatal(err)
				}
				b.StopTimer() // the states of one array have a limit of their own
				if _, err := c.filling(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if f, err := c.Predict(ModelExact); err == nil {
					b.ReportMetric(f.Bound, "bound")
				}
			}
		})
	}
}
