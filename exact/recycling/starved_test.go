package recycling

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// Rates and capacities that are computed with hardly more bits than asked for, or from sums that end after a few terms,
// still contain the value that 90 bits give: the rounding errors and the remainders are as large as they are said to
// be. What the message-bounded rule loses by rounding is then a large part of the distribution.
func TestStarved(t *testing.T) {
	const most = 90
	type number struct {
		name  string
		of    func(prec uint) (exact.Enclosure, error)
		truth exact.Enclosure
	}
	var all []number
	step := 2 // of the rules
	if testing.Short() {
		step = 7
	}
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
				for _, route := range []exact.Route{exact.Recursive, exact.Auto} {
					c, err := automatic.Via(route)
					if err != nil {
						continue
					}
					for name, of := range map[string]func(uint) (exact.Enclosure, error){"rate": c.FPR, "capacity": c.Capacity} {
						if e, err := of(most); err == nil {
							all = append(all, number{fmt.Sprintf("%s by %v of %v, %v", name, route, g, r), of, e})
						}
					}
				}
			}
		}
	}
	answers, wide := 0, 0
	try := func(s precision.Starving, prec uint) {
		defer precision.Starve(s)()
		for _, x := range all {
			e, err := x.of(prec)
			if err != nil {
				continue // it tells that it cannot
			}
			if answers++; e.RelBits() < most {
				wide++
			}
			if !e.Overlaps(x.truth) {
				t.Errorf("%+v: %s to %d bits is [%.10g, %.10g], but %.15g", s, x.name, prec, e.Lo(), e.Hi(), x.truth.Lo())
			}
		}
	}
	for _, guard := range []int{0, 2, 4} {
		for _, prec := range []uint{3, 14} {
			try(precision.Starving{Guard: guard}, prec)
		}
	}
	try(precision.Starving{Guard: -1, Cut: 3}, most)
	t.Logf("%d numbers, %d answers, %d of them wide", len(all), answers, wide)
	if wide < answers/4 {
		t.Error("hardly an answer was starved: the test shows nothing")
	}
}
