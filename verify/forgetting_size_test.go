package verify

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// Filters of a size that no chain over sets of messages can follow forget as the closed
// formulas of exact.Forgetting say: messages of equal popularity with new ones at the last
// rank, and any popularity without new ones.
func TestForgettingAtSize(t *testing.T) {
	for i, c := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
		w bloomproof.Workload
		x func(*exact.Forgetting, uint) (*exact.ForgettingRates, error)
	}{
		{bloomproof.Geometry{M: 300, K: 5}, bloomproof.Recycling{Sigma: 120}, bloomproof.Workload{Popularity: bloomproof.Uniform(50), Repeat: 0.9, Arrivals: bloomproof.Arrivals{Kind: bloomproof.ArrivalLast}}, (*exact.Forgetting).Grouped},
		{bloomproof.Geometry{M: 300, K: 5}, bloomproof.Recycling{Sigma: 100, Retain: true}, bloomproof.Workload{Popularity: bloomproof.Uniform(100), Repeat: 1}, (*exact.Forgetting).Grouped},
		{bloomproof.Geometry{M: 300, K: 3, Hashing: bloomproof.Classic}, bloomproof.Recycling{Sigma: 60}, bloomproof.Workload{Popularity: bloomproof.BiUniform(12, 0.06, 40), Repeat: 0.75, Arrivals: bloomproof.Arrivals{Kind: bloomproof.ArrivalLast}}, (*exact.Forgetting).Grouped},
		{bloomproof.Geometry{M: 200, K: 4}, bloomproof.Recycling{Sigma: 61}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 32), Repeat: 1}, (*exact.Forgetting).RepeatsOnly},
	} {
		if testing.Short() && i != 1 {
			continue
		}
		c.r.Positions = bloomproof.Fresh
		f, err := exact.NewForgetting(c.g, c.r, c.w)
		if err != nil {
			t.Fatal(err)
		}
		x, err := c.x(f, 40)
		if err != nil {
			t.Fatalf("%v, %v, %v: %v", c.g, c.r, c.w, err)
		}
		traffic, err := sim.Workload(c.w)
		if err != nil {
			t.Fatal(err)
		}
		total := uint64(4e6)
		if testing.Short() {
			total /= 20
		}
		s := sim.Setting{Geometry: c.g, Rule: c.r, Traffic: traffic}
		rate := func(x *exact.Enclosure) float64 {
			if x == nil {
				return math.NaN()
			}
			return x.Float64()
		}
		isSimulated(t, s, sim.Plan{Runs: 40, Arrivals: total, Seed: 1}, 0, simulated{
			fnr: x.FNR.Float64(), lucky: x.Lucky.Float64(), cycle: x.Cycle.Float64(),
			fpr: x.FPR.Float64(), fprPerNew: rate(x.FPRPerNew), fprPerCycleNew: rate(x.FPRPerCycleNew),
		})
	}
}
