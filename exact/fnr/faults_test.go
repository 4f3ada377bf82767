package fnr

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/starved"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestFaults lets one of the parts fail from which rates are computed. Then the rates must fail too.
func TestFaults(t *testing.T) {
	var all []starved.Fallible
	for i, x := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
		w bloomproof.Workload
	}{
		{bloomproof.Geometry{M: 5, K: 1}, bloomproof.Recycling{Sigma: 2, FreshPositions: true}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 3), Repeat: 0.5, Arrivals: bloomproof.ArrivalLast}},
		{bloomproof.Geometry{M: 5, K: 1}, bloomproof.Recycling{Sigma: 2, FreshPositions: true, Retain: true}, bloomproof.Workload{Popularity: bloomproof.Uniform(3), Repeat: 1}},
		{bloomproof.Geometry{M: 1 << 20, K: 2}, bloomproof.Recycling{Messages: 3, FreshPositions: true}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 5), Repeat: 1}},
		{bloomproof.Geometry{M: 1 << 20, K: 2}, bloomproof.Recycling{Messages: 3, FreshPositions: true, Retain: true}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 5), Repeat: 1}},
		{bloomproof.Geometry{M: 1 << 20, K: 2}, bloomproof.Recycling{Messages: 3, FreshPositions: true, TwoPhase: true}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 5), Repeat: 1}},
		{bloomproof.Geometry{M: 1 << 20, K: 2, Hashing: bloomproof.Classic}, bloomproof.Recycling{Messages: 2}, bloomproof.Workload{Popularity: bloomproof.Uniform(4), Repeat: 1}},
	} {
		c, err := New(x.g, x.r, x.w)
		if err != nil {
			t.Fatal(err)
		}
		for name, of := range map[string]func(prec uint) (*Rates, error){
			"the chain": c.Rates, "lasting": c.Lasting, "the groups": c.byGroups, "times": c.byTimes, "repeats": c.ofRepeats,
			"the better route": func(prec uint) (*Rates, error) { return c.CycleRates(prec, exact.Auto) },
			"fixed positions": func(uint) (*Rates, error) {
				f, err := c.FixedRates()
				if err != nil {
					return nil, err
				}
				return &f.Rates, nil
			},
		} {
			if !longtest.Enabled() && (name == "times" || name == "repeats" && i != 2) {
				continue // a second; the better route takes the times too
			}
			all = append(all, starved.Fallible{Name: fmt.Sprintf("%s of %v, %v, %v", name, x.g, x.r, x.w), Fixed: name == "fixed positions", Of: func(prec uint) (any, error) {
				f, err := of(min(prec, 3))
				if err != nil {
					return nil, err
				}
				return []any{f.FNR, f.Lucky, f.FPR}, nil
			}})
		}
	}
	if n := starved.Faults(t, longtest.More(2, 12), all); n < 8 {
		t.Errorf("only %d faults", n)
	}
}
