package recycling

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/starved"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestFaults lets one of the parts fail from which a number is computed. Then this computation must fail too.
func TestFaults(t *testing.T) {
	var all []starved.Fallible
	filters := []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
	}{
		{bloomproof.Geometry{M: 12, K: 2}, bloomproof.Recycling{Sigma: 5}},
		{bloomproof.Geometry{M: 12, K: 2}, bloomproof.Recycling{Messages: 3}},
		{bloomproof.Geometry{M: 12, K: 2, Hashing: bloomproof.Classic}, bloomproof.Recycling{Sigma: 5}},
		{bloomproof.Geometry{M: 12, K: 2, Hashing: bloomproof.Classic}, bloomproof.Recycling{Messages: 3, TwoPhase: true}},
		{bloomproof.Geometry{M: 12, K: 2}, bloomproof.Recycling{Sigma: 5, Retain: true}},
		{bloomproof.Geometry{M: 12, K: 2}, bloomproof.Recycling{Sigma: 5, Retain: true, TwoPhase: true, FreezeBefore: true}},
		{bloomproof.Geometry{M: 12, K: 2}, bloomproof.Recycling{Sigma: 5, TwoPhase: true}},
		{bloomproof.Geometry{M: 12, K: 2}, bloomproof.Recycling{Sigma: 5, TwoPhase: true, NoCopyOver: true}},
		{bloomproof.Geometry{M: 12, K: 2, Hashing: bloomproof.Classic}, bloomproof.Recycling{Messages: 3, FreshPositions: true, TwoPhase: true, NoCopyOver: true}},
		{bloomproof.Geometry{M: 1 << 12, K: 3}, bloomproof.Recycling{Messages: 6, TwoPhase: true}},
		{bloomproof.Geometry{M: 300, K: 4}, bloomproof.Recycling{Sigma: 60}},
		{bloomproof.Geometry{M: 300, K: 4}, bloomproof.Recycling{Sigma: 60, TwoPhase: true}},
		{bloomproof.Geometry{M: 100, K: 4}, bloomproof.Recycling{Sigma: 20, TwoPhase: true, NoCopyOver: true}},
	}
	const small = 9 // these filters are quick
	for i, x := range filters[:longtest.More(small, len(filters))] {
		automatic, err := New(x.g, x.r)
		if err != nil {
			t.Fatal(err)
		}
		for _, route := range append(automatic.Routes(), exact.Auto) {
			add := func(name string, of func(c *Cycle, prec uint) (any, error)) {
				all = append(all, starved.Fallible{Name: fmt.Sprintf("%s by %s of filter %d", name, route, i), Fixed: name == "LengthQuantile", Of: func(prec uint) (any, error) {
					fresh, err := New(x.g, x.r) // a cycle stores what it computes
					if err != nil {
						return nil, err
					}
					c, err := fresh.Via(route)
					if err != nil {
						return nil, err
					}
					return of(c, prec)
				}})
			}
			add("FPR", func(c *Cycle, prec uint) (any, error) { return c.FPR(prec) })
			add("Capacity", func(c *Cycle, prec uint) (any, error) { return c.Capacity(prec) })
			add("Average", func(c *Cycle, prec uint) (any, error) { return c.Average(prec) })
			add("Worst", func(c *Cycle, prec uint) (any, error) { return c.Worst(prec) })
			add("Oracle", func(c *Cycle, prec uint) (any, error) { return c.Oracle(prec) })
			add("FPRPrinted", func(c *Cycle, prec uint) (any, error) { return c.FPRPrinted(prec) })
			add("CapacityPrinted", func(c *Cycle, prec uint) (any, error) { return c.CapacityPrinted(prec) })
			add("State", func(c *Cycle, prec uint) (any, error) { return c.State(4, prec) })
			add("MessagesFrom", func(c *Cycle, prec uint) (any, error) { return c.MessagesFrom(4, prec) })
			add("Frozen", func(c *Cycle, prec uint) (any, error) { return c.Frozen(4, x.r.FreezeBefore, prec) })
			add("LengthAbove", func(c *Cycle, prec uint) (any, error) { return c.LengthAbove(4, prec) })
			add("LengthAtMost", func(c *Cycle, prec uint) (any, error) { return c.LengthAtMost(4, prec) })
			add("LengthPMF", func(c *Cycle, prec uint) (any, error) { return c.LengthPMF(4, prec) })
			add("LengthQuantile", func(c *Cycle, prec uint) (any, error) { return c.LengthQuantile(big.NewRat(1, 2)) })
		}
	}
	many, err := New(bloomproof.Geometry{M: 1 << 20, K: 3}, bloomproof.Recycling{Messages: 20000})
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, starved.Fallible{Name: "Average of many messages", Of: func(prec uint) (any, error) { return many.Average(prec) }})
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, route := range []exact.Route{exact.Auto, exact.ClosedForm, exact.Recursive} {
			all = append(all, starved.Fallible{Name: fmt.Sprintf("Transition by %s, %v", route, h), Of: func(prec uint) (any, error) {
				return Transition(bloomproof.Geometry{M: 12, K: 2, Hashing: h}, 3, 4, prec, route)
			}})
		}
	}
	faulty := starved.Faulty{Most: longtest.More(1, 6), Record: longtest.More("testdata/costly.txt", "")}
	if n := faulty.Check(t, all); n < 90 {
		t.Errorf("only %d faults", n)
	}
}
