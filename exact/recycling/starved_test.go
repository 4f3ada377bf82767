package recycling

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/starved"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Rates and capacities that are computed with hardly more bits than asked for, or from sums that end after a few terms,
// still contain the value that 50 bits give, or 90 in the long form: the rounding errors and the remainders are as large as they are said to
// be. What the message-bounded rule loses by rounding is then a large part of the distribution.
func TestStarved(t *testing.T) {
	var all []starved.Computation
	step := longtest.More(7, 2) // of the rules
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for i, x := range []struct {
			m        uint64
			k        int
			sigma, n uint64
		}{{97, 3, 40, 9}, {64, 7, 5, 2}} {
			for bits := range 64 {
				r := bloomproof.Recycling{Retain: bits&1 != 0, TwoPhase: bits&2 != 0, FreezeBefore: bits&4 != 0, FreshPositions: bits&8 != 0, NoCopyOver: bits&16 != 0}
				if r.Sigma = x.sigma; bits&32 != 0 {
					r.Sigma, r.Messages = 0, x.n
				}
				g := bloomproof.Geometry{M: x.m, K: x.k, Hashing: h}
				if r.Validate(g) != nil || r.NoCopyOver && !r.FreshPositions || (bits+bits/8+i)%step != 0 {
					continue
				}
				automatic, err := New(g, r)
				if err != nil {
					t.Fatal(err)
				}
				// Most of these filters have rational values. They are the true ones in the long form.
				for _, route := range longtest.More([]exact.Route{exact.Recursive, exact.ClosedForm}, []exact.Route{exact.Recursive, exact.Auto}) {
					c, err := automatic.Via(route)
					if err != nil {
						continue
					}
					for name, of := range map[string]func(uint) (exact.Enclosure, error){"rate": c.FPR, "capacity": c.Capacity} {
						all = append(all, starved.One(fmt.Sprintf("%s by %v of %v, %v", name, route, g, r), of))
					}
				}
			}
		}
	}
	for _, x := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
	}{
		{bloomproof.Geometry{M: 97, K: 3}, bloomproof.Recycling{Sigma: 40}},
		{bloomproof.Geometry{M: 97, K: 3, Hashing: bloomproof.Classic}, bloomproof.Recycling{Messages: 9}},
		{bloomproof.Geometry{M: 1 << 20, K: 3}, bloomproof.Recycling{Messages: 20000}}, // too many to be added up one by one
	} {
		automatic, err := New(x.g, x.r)
		if err != nil {
			t.Fatal(err)
		}
		for _, route := range []exact.Route{exact.Auto, exact.Recursive} {
			c, err := automatic.Via(route)
			if err != nil {
				continue
			}
			for name, of := range map[string]func(uint) (exact.Enclosure, error){
				"Average": c.Average, "Oracle": c.Oracle, "Worst": c.Worst, "FPRPrinted": c.FPRPrinted, "CapacityPrinted": c.CapacityPrinted,
				"State":        func(prec uint) (exact.Enclosure, error) { return c.State(12, prec) },
				"MessagesFrom": func(prec uint) (exact.Enclosure, error) { return c.MessagesFrom(12, prec) },
				"Frozen":       func(prec uint) (exact.Enclosure, error) { return c.Frozen(40, true, prec) },
				"Frozen after": func(prec uint) (exact.Enclosure, error) { return c.Frozen(42, false, prec) },
				"LengthAbove":  func(prec uint) (exact.Enclosure, error) { return c.LengthAbove(12, prec) },
				"LengthAtMost": func(prec uint) (exact.Enclosure, error) { return c.LengthAtMost(12, prec) },
				"LengthPMF":    func(prec uint) (exact.Enclosure, error) { return c.LengthPMF(12, prec) },
			} {
				all = append(all, starved.One(fmt.Sprintf("%s by %v of %v, %v", name, route, x.g, x.r), of))
			}
		}
	}
	starved.Plan{Record: "testdata/widths.txt", Long: longtest.Enabled(), Most: longtest.More[uint](50, 90), Guards: longtest.Of([]int{0, 2, 4}, []int{0, 4}, []int{0, 2, 4}), Precs: longtest.Of([]uint{3, 14}, []uint{3}, []uint{3, 14}), Cuts: []int{3}}.Check(t, all)
}
