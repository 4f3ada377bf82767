package sim

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/model"
)

// The goal is 10^7 arrivals a second on one core, all new, on the real filter.
func BenchmarkRun(b *testing.B) {
	bits := bloomproof.Recycling{Sigma: 1 << 15}
	two := bloomproof.Recycling{Sigma: 1 << 15, TwoPhase: true}
	fresh := two
	fresh.FreshPositions = true
	for _, row := range []struct {
		name  string
		rule  bloomproof.Recycling
		ideal bool
	}{{"phases=1/positions=real", bits, false}, {"phases=2/positions=real", two, false}, {"phases=2/positions=fresh", fresh, false}, {"phases=1/positions=ideal", bits, true}} {
		b.Run("traffic=new/"+row.name, func(b *testing.B) {
			benchmark(b, bloomproof.Geometry{M: 1 << 16, K: 7}, row.rule, allNewMessages, row.ideal)
		})
	}
}

// The arrival process of Dozier-FN by itself, ranks shifted by each new message: what is
// left for the filter of the same goal.
func BenchmarkWorkload(b *testing.B) {
	for _, d := range []uint64{1000, 100_000} {
		for _, repeat := range []float64{1, 0.9, 0.5} {
			for _, arrivals := range []bloomproof.Arrivals{bloomproof.ArrivalPopularity, bloomproof.ArrivalUniform, bloomproof.ArrivalLast, bloomproof.ArrivalFirst} {
				if repeat == 1 && arrivals != bloomproof.ArrivalPopularity {
					continue // nothing enters
				}
				w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, d), Repeat: repeat, Arrivals: arrivals}
				b.Run(fmt.Sprintf("D=%d/repeat=%v/arrivals=%v", d, repeat, arrivals), func(b *testing.B) {
					source := pool(b, w)(stream(1, 0, "traffic"))
					var dst [batch]arrival
					for n := 0; n < b.N; n += batch {
						source.Next(dst[:])
					}
				})
			}
		}
	}
}

// The goal is 10^7 arrivals a second under the workload of Dozier-FN, every variant.
func BenchmarkFNR(b *testing.B) {
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Repeat: 0.9}
	const m, k = 10_000, 5
	for _, r := range model.Rules(m/5, m/5/k) {
		if r.Retain && r.TwoPhase || r.FreezeBefore && r.Messages > 0 {
			continue // as fast as the others
		}
		b.Run(strings.ReplaceAll(r.String(), " ", "/"), func(b *testing.B) {
			benchmark(b, bloomproof.Geometry{M: m, K: k}, r, w, false)
		})
	}
}

// benchmark simulates b.N arrivals in one run and reports them per second.
func benchmark(b *testing.B, g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload, ideal bool) {
	tallies, err := Run(context.Background(), g, r, w, Plan{Runs: 1, Arrivals: uint64(max(b.N, 1000)), Ideal: ideal})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(tallies[0].Arrivals)/b.Elapsed().Seconds(), "arrivals/s")
}
