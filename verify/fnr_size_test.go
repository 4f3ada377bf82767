package verify

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// Filters of a size that no chain over sets of messages can follow forget as the closed
// formulas of exactfnr.System say: messages of equal popularity with new ones at the last
// rank, and any popularity without new ones.
//
// Claims: none of a paper's: the formulas are derived in package exact.
func TestFNRAtSize(t *testing.T) {
	all := newGrid(1.5)
	for i, c := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
		w bloomproof.Workload
		x exact.Route
	}{
		{bloomproof.Geometry{M: 300, K: 5}, bloomproof.Recycling{Sigma: 120}, bloomproof.Workload{Popularity: bloomproof.Uniform(50), Repeat: 0.9, Arrivals: bloomproof.ArrivalLast}, "groups"},
		{bloomproof.Geometry{M: 300, K: 5}, bloomproof.Recycling{Sigma: 100, Retain: true}, bloomproof.Workload{Popularity: bloomproof.Uniform(100), Repeat: 1}, "groups"},
		{bloomproof.Geometry{M: 300, K: 3, Hashing: bloomproof.Classic}, bloomproof.Recycling{Sigma: 60}, bloomproof.Workload{Popularity: bloomproof.BiUniform(12, 0.06, 40), Repeat: 0.75, Arrivals: bloomproof.ArrivalLast}, "groups"},
		{bloomproof.Geometry{M: 200, K: 4}, bloomproof.Recycling{Sigma: 61}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 32), Repeat: 1}, "times"},
	} {
		if !longtest.Enabled() && i != 1 {
			continue
		}
		c.r.FreshPositions = true
		f, err := exactfnr.New(c.g, c.r, c.w)
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.CycleRates(40, c.x)
		if err != nil {
			t.Fatalf("%v, %v, %v: %v", c.g, c.r, c.w, err)
		}
		s := setting{Geometry: c.g, Rule: c.r, Workload: c.w}
		claims, of := said(x)
		all.hold(t, recycled(s, sim.Plan{Runs: 1 << 12, Arrivals: 1 << 16}, claims, of...), 4<<16+uint64(i))
	}
	all.end(t, 40, 48)
}
