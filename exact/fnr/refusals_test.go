package fnr

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/starved"
)

// TestRecordedRefusals asks for rates of filters and workloads to which the methods do not apply, and for rates that
// are too costly. It compares the texts of all errors with recorded texts.
func TestRecordedRefusals(t *testing.T) {
	r := starved.Refusals{}
	methods := []struct {
		name       string
		integrates bool
		of         func(c *System, prec uint) (any, error)
	}{
		{"Rates", false, func(c *System, prec uint) (any, error) { return c.Rates(prec) }},
		{"Lasting", false, func(c *System, prec uint) (any, error) { return c.Lasting(prec) }},
		{"byGroups", false, func(c *System, prec uint) (any, error) { return c.byGroups(prec) }},
		{"byTimes", true, func(c *System, prec uint) (any, error) { return c.byTimes(prec) }},
		{"ofRepeats", false, func(c *System, prec uint) (any, error) { return c.ofRepeats(prec) }},
		{"ofRepeatsLarge", false, func(c *System, prec uint) (any, error) { return c.ofRepeatsLarge(prec) }},
		{"ofArrivalsLast", true, func(c *System, prec uint) (any, error) { return c.ofArrivalsLast(prec) }},
		{"CycleBounds", false, func(c *System, _ uint) (any, error) { return c.CycleBounds() }},
		{"FixedRates", false, func(c *System, _ uint) (any, error) { return c.FixedRates() }},
		{"CycleRates by the automatic route", false, func(c *System, prec uint) (any, error) {
			return c.CycleRates(prec, exact.Auto)
		}},
		{"CycleRates by groups", false, func(c *System, prec uint) (any, error) { return c.CycleRates(prec, routeGroups) }},
		{"CycleRates by times", true, func(c *System, prec uint) (any, error) { return c.CycleRates(prec, routeTimes) }},
		{"CycleRates by an unknown route", false, func(c *System, prec uint) (any, error) {
			return c.CycleRates(prec, "none")
		}},
	}
	const least = 2 // bits
	ask := func(g bloomproof.Geometry, rule bloomproof.Recycling, w bloomproof.Workload, precs ...uint) {
		for _, prec := range precs {
			for _, m := range methods {
				applies := rule.FreshPositions && !rule.TwoPhase && !rule.Retain && w.Repeat < 1 && w.Popularity.D < maxListed
				if applies && m.integrates && prec == least {
					continue // these answers take a second
				}
				r.Add(m.name, func() (any, error) {
					c, err := New(g, rule, w)
					if err != nil {
						return nil, err
					}
					return m.of(c, prec)
				})
			}
		}
	}
	some := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 2), Repeat: 0.5}
	last := some
	last.Arrivals = bloomproof.ArrivalLast
	weighted := bloomproof.Workload{Popularity: some.Popularity, Repeat: 0.5, ArrivalWeights: []float64{0, 1}}
	repeats := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 2), Repeat: 1}
	for _, rule := range []bloomproof.Recycling{
		{Sigma: 2}, {Sigma: 2, FreshPositions: true}, {Sigma: 2, FreshPositions: true, Retain: true},
		{Sigma: 2, FreshPositions: true, TwoPhase: true}, {Sigma: 2, FreshPositions: true, TwoPhase: true, NoCopyOver: true},
		{Sigma: 2, FreshPositions: true, TwoPhase: true, Retain: true}, {Sigma: 2, TwoPhase: true}, {Sigma: 2, Retain: true},
		{Messages: 2}, {Messages: 2, FreshPositions: true}, {Messages: 6, FreshPositions: true},
		{Messages: 7, FreshPositions: true},
	} {
		for _, w := range []bloomproof.Workload{some, last, weighted, repeats} {
			ask(bloomproof.Geometry{M: 4, K: 1}, rule, w, least)
		}
	}
	ask(bloomproof.Geometry{M: 4, K: 1}, bloomproof.Recycling{Sigma: 2, FreshPositions: true}, last, 0, precision.Max+1)
	ask(bloomproof.Geometry{M: 4, K: 1}, bloomproof.Recycling{Sigma: 2, FreshPositions: true}, repeats, 0, precision.Max+1)
	for _, repeat := range []float64{0.5, 1} {
		for _, arrivals := range []bloomproof.Arrivals{bloomproof.ArrivalUniform, bloomproof.ArrivalLast} {
			w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1<<40), Repeat: repeat, Arrivals: arrivals}
			for _, rule := range []bloomproof.Recycling{
				{Sigma: 4, FreshPositions: true}, {Sigma: 4}, {Sigma: 4, FreshPositions: true, TwoPhase: true},
			} {
				ask(bloomproof.Geometry{M: 1 << 20, K: 2}, rule, w, least)
			}
		}
	}
	starved.Compare(t, "testdata/refusals.txt", r.String())
}
