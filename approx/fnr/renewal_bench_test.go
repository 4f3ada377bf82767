package fnr

import (
	"testing"

	"github.com/bloomproof/bloomproof"
)

// BenchmarkRenewalTermByTerm is a filter of a million bits, arrival by arrival: what the
// expansion for large filters is held to. It takes minutes.
func BenchmarkRenewalTermByTerm(b *testing.B) {
	g := bloomproof.Geometry{M: 1e6, K: 7}
	r := bloomproof.Recycling{Sigma: 5e5, FreshPositions: true}
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1e5), Repeat: 0.9}
	for b.Loop() {
		c, err := New(g, r, w)
		if err != nil {
			b.Fatal(err)
		}
		c.limit = 1e12
		want, _, err := c.termByTerm(ModelRenewal, r)
		if err != nil {
			b.Fatal(err)
		}
		got, err := c.large(ModelRenewal)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(want.FNR, "fnr")
		b.ReportMetric(want.Cycle, "arrivals/cycle")
		b.ReportMetric(got.FNR/want.FNR-1, "off")
	}
}
