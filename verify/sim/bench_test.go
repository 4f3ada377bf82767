package sim

import (
	"context"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// The goal is 10^7 arrivals a second on one core, all new, on the real filter.
func BenchmarkRun(b *testing.B) {
	bits := bloomproof.Recycling{Sigma: 1 << 15}
	two := bloomproof.Recycling{Sigma: 1 << 15, Phases: bloomproof.TwoPhase}
	fresh := two
	fresh.Positions = bloomproof.Fresh
	for _, row := range []struct {
		name  string
		rule  bloomproof.Recycling
		ideal bool
	}{{"phases=1/positions=real", bits, false}, {"phases=2/positions=real", two, false}, {"phases=2/positions=fresh", fresh, false}, {"phases=1/positions=ideal", bits, true}} {
		b.Run("traffic=new/"+row.name, func(b *testing.B) {
			s := Setting{bloomproof.Geometry{M: 1 << 16, K: 7}, row.rule, AllNew(), row.ideal}
			benchmark(b, s)
		})
	}
}

// benchmark simulates b.N arrivals in one run and reports them per second.
func benchmark(b *testing.B, s Setting) {
	tallies, err := Run(context.Background(), s, Plan{Runs: 1, Arrivals: uint64(max(b.N, 1000))})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(tallies[0].Arrivals)/b.Elapsed().Seconds(), "arrivals/s")
}
