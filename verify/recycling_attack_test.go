package verify_test

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Law: in every way to recycle the rate, its logarithm and the capacity in float64 lie within
// their bounds of the exact ones, also where filters are no longer reasonable: sigma below k
// and little above, m next to k, rates far below the smallest float64.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestRecyclingAttack(t *testing.T) {
	longtest.Only(t, "TestRecyclings compares the same numbers of usual filters")
	const prec = 64
	type share struct {
		points int
		worst  float64
		at     string
	}
	rules := accuracy.Rules()
	shares := make([]share, len(rules))
	check := func(g bloomproof.Geometry, sigma uint64, most float64) {
		for i, rule := range rules {
			r := accuracy.WithThreshold(rule, g, sigma)
			if r.Validate(g) != nil {
				continue
			}
			results, err := accuracy.Cycle(g, r, most, prec)
			if err != nil {
				t.Error(err)
			}
			for _, x := range results {
				if !x.Defined {
					continue
				}
				shares[i].points++
				if s := x.Error / x.Bound; s > shares[i].worst {
					shares[i].worst, shares[i].at = s, fmt.Sprintf("%v, %v", g, r)
				}
			}
		}
	}
	both := func(g bloomproof.Geometry, sigma uint64, most float64) {
		for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
			g.Hashing = h
			check(g, sigma, most)
		}
	}
	// What the array that freezes holds is far from what a filter of that sigma holds, or too
	// rare for a float64.
	points := []struct {
		m     uint64
		k     int
		sigma uint64
	}{{870, 39, 4}, {22, 55, 7}, {1 << 60, 30, 3}, {1 << 40, 64, 4}, {1 << 40, 24, 30}}
	for _, x := range points {
		both(bloomproof.Geometry{M: x.m, K: x.k}, x.sigma, 3e5)
	}
	for i := range uint64(60) {
		g, sigma := accuracy.DrawCycle(16, i, 20)
		both(g, sigma, 5e3)
	}
	for i, rule := range rules {
		t.Logf("%4d numbers, worst %5.2f%% of the bound: %s", shares[i].points, 100*shares[i].worst, shares[i].at)
		if shares[i].points == 0 {
			t.Errorf("%v: nothing was checked", rule)
		}
	}
}
