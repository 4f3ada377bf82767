package recycling

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/starved"
)

// TestRecordedRefusals asks for numbers of filters to which the methods do not apply, and for numbers that are too
// costly. It compares the texts of all errors with recorded texts.
func TestRecordedRefusals(t *testing.T) {
	r := starved.Refusals{}
	methods := []struct {
		name string
		of   func(c *Cycle, prec uint) (any, error)
	}{
		{"FPR", func(c *Cycle, prec uint) (any, error) { return c.FPR(prec) }},
		{"Capacity", func(c *Cycle, prec uint) (any, error) { return c.Capacity(prec) }},
		{"Average", func(c *Cycle, prec uint) (any, error) { return c.Average(prec) }},
		{"Worst", func(c *Cycle, prec uint) (any, error) { return c.Worst(prec) }},
		{"Oracle", func(c *Cycle, prec uint) (any, error) { return c.Oracle(prec) }},
		{"FPRPrinted", func(c *Cycle, prec uint) (any, error) { return c.FPRPrinted(prec) }},
		{"CapacityPrinted", func(c *Cycle, prec uint) (any, error) { return c.CapacityPrinted(prec) }},
		{"State", func(c *Cycle, prec uint) (any, error) { return c.State(2, prec) }},
		{"MessagesFrom", func(c *Cycle, prec uint) (any, error) { return c.MessagesFrom(2, prec) }},
		{"Frozen", func(c *Cycle, prec uint) (any, error) { return c.Frozen(2, c.r.FreezeBefore, prec) }},
		{"LengthAbove", func(c *Cycle, prec uint) (any, error) { return c.LengthAbove(2, prec) }},
		{"LengthAtMost", func(c *Cycle, prec uint) (any, error) { return c.LengthAtMost(2, prec) }},
		{"LengthPMF", func(c *Cycle, prec uint) (any, error) { return c.LengthPMF(2, prec) }},
		{"LengthQuantile", func(c *Cycle, _ uint) (any, error) { return c.LengthQuantile(big.NewRat(1, 2)) }},
		{"Via the closed form", func(c *Cycle, _ uint) (any, error) { return c.Via(exact.ClosedForm) }},
		{"Via an unknown route", func(c *Cycle, _ uint) (any, error) { return c.Via("none") }},
	}
	ask := func(g bloomproof.Geometry, rule bloomproof.Recycling, prec uint) {
		for _, m := range methods {
			r.Add(m.name, func() (any, error) {
				c, err := New(g, rule)
				if err != nil {
					return nil, err
				}
				return m.of(c, prec)
			})
		}
	}
	const least = 2 // bits
	rules := []bloomproof.Recycling{
		{Sigma: 1}, {Sigma: 3}, {Sigma: 5}, {Sigma: 6}, {Sigma: 7}, {Messages: 1}, {Messages: 2}, {Messages: 4},
		{Sigma: 5, TwoPhase: true}, {Messages: 2, TwoPhase: true}, {Sigma: 5, Retain: true}, {Messages: 4, Retain: true},
		{Sigma: 5, TwoPhase: true, NoCopyOver: true}, {Sigma: 5, FreshPositions: true, TwoPhase: true, NoCopyOver: true},
		{Sigma: 6, FreshPositions: true, TwoPhase: true, NoCopyOver: true}, {Messages: 2, TwoPhase: true, NoCopyOver: true},
	}
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, rule := range rules {
			ask(bloomproof.Geometry{M: 6, K: 2, Hashing: h}, rule, least)
			if h == bloomproof.Standard {
				ask(bloomproof.Geometry{M: 6, K: 2}, rule, 0)
				ask(bloomproof.Geometry{M: 6, K: 2}, rule, precision.Max+1)
			}
		}
		for _, x := range []struct{ i, j uint64 }{{0, 0}, {0, 2}, {6, 6}, {7, 7}, {3, 9}} {
			for _, route := range []exact.Route{exact.Auto, exact.Recursive, exact.ClosedForm, "none"} {
				for _, prec := range []uint{0, least, precision.Max + 1} {
					r.Add("Transition", func() (any, error) {
						return Transition(bloomproof.Geometry{M: 6, K: 2, Hashing: h}, x.i, x.j, prec, route)
					})
				}
			}
		}
	}
	c, err := New(bloomproof.Geometry{M: 6, K: 2}, bloomproof.Recycling{Sigma: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*big.Rat{nil, new(big.Rat), big.NewRat(1, 2), big.NewRat(1, 1), big.NewRat(-1, 2)} {
		r.Add("LengthQuantile", func() (any, error) { return c.LengthQuantile(p) })
	}
	starved.Compare(t, "testdata/refusals.txt", r.String())
}
