package fnr

import (
	"fmt"
	"slices"
	"strings"
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
		{bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Sigma: 20, FreshPositions: true}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 4), Repeat: 0.75}},
		{bloomproof.Geometry{M: 100, K: 2}, bloomproof.Recycling{Sigma: 7}, bloomproof.Workload{Popularity: bloomproof.Weights([]float64{8, 7, 6, 5, 4, 3, 2, 1}), Repeat: 1}},
	} {
		for name, of := range map[string]func(c *System, prec uint) (*Rates, error){
			"the chain": (*System).Rates, "lasting": (*System).Lasting, "the groups": (*System).byGroups, "times": (*System).byTimes,
			"repeats": (*System).ofRepeats, "arrivals at the last rank": (*System).ofArrivalsLast,
			"the better route":  func(c *System, prec uint) (*Rates, error) { return c.CycleRates(prec, exact.Auto) },
			"groups as a route": func(c *System, prec uint) (*Rates, error) { return c.CycleRates(prec, routeGroups) },
			"bounds":            func(c *System, _ uint) (*Rates, error) { return c.CycleBounds() },
			"fixed positions": func(c *System, _ uint) (*Rates, error) {
				f, err := c.FixedRates()
				if err != nil {
					return nil, err
				}
				return &f.Rates, nil
			},
		} {
			slow := name == "times" || i == 0 && name == "arrivals at the last rank" || i == 6 && (name == "the chain" || name == "lasting")
			if i == 7 && name != "fixed positions" {
				continue // no way is new
			}
			if slow && !longtest.Enabled() {
				continue // the better route takes the times too
			}
			fixed := name == "fixed positions" || name == "bounds"
			all = append(all, starved.Fallible{Name: fmt.Sprintf("%s of filter %d", name, i), Fixed: fixed, Of: func(prec uint) (any, error) {
				c, err := New(x.g, x.r, x.w) // a System stores what it computes
				if err != nil {
					return nil, err
				}
				f, err := of(c, min(prec, 3))
				if err != nil {
					return nil, err
				}
				return []any{f.FNR, f.Lucky, f.FPR}, nil
			}})
		}
	}
	slices.SortFunc(all, func(a, b starved.Fallible) int { return strings.Compare(a.Name, b.Name) }) // a map has no order
	faulty := starved.Faulty{Most: longtest.More(1, 6), Record: longtest.More("testdata/costly.txt", "")}
	if n := faulty.Check(t, all); n < 8 {
		t.Errorf("only %d faults", n)
	}
}
