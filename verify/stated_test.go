package verify_test

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
)

// statedCheck holds bounds to their formulas and counts them by the method that they belong to.
type statedCheck struct {
	t       *testing.T
	methods map[string]int
}

func (c *statedCheck) add(all []accuracy.Stated, err error) {
	c.t.Helper()
	if err != nil {
		c.t.Error(err)
	}
	for _, s := range all {
		c.methods[s.Method]++
		if err := s.Check(); err != nil {
			c.t.Error(err)
		}
	}
}

// all fails unless there were at least some bounds by each method.
func (c *statedCheck) all(methods ...string) {
	c.t.Helper()
	c.t.Log(c.methods)
	for _, m := range methods {
		if c.methods[m] < 2 {
			c.t.Errorf("%d bounds by %s: the test shows nothing", c.methods[m], m)
		}
	}
}

// TestCycleBoundsDerivedTwice holds Cycle.Bound to its formulas, by every method and every way to recycle.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestCycleBoundsDerivedTwice(t *testing.T) {
	c := statedCheck{t, map[string]int{}}
	for _, x := range []struct {
		m     uint64
		k     int
		sigma uint64
	}{
		{64, 1, 20}, {64, 3, 1}, {64, 3, 30}, {300, 4, 150}, {1000, 7, 500}, {1000, 13, 400}, {2048, 2, 900},
		{1 << 16, 4, 1 << 15}, {1 << 20, 7, 1 << 18}, {1 << 20, 2, 1 << 19}, {1 << 40, 7, 1 << 39}, {200, 20, 90},
	} {
		for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
			g := bloomproof.Geometry{M: x.m, K: x.k, Hashing: h}
			var rules []bloomproof.Recycling
			for _, rule := range accuracy.Rules() {
				if r := accuracy.WithThreshold(rule, g, x.sigma); r.Validate(g) == nil && (r.Messages == 0 || x.m <= 1000) {
					rules = append(rules, r)
				}
			}
			c.add(accuracy.StatedCycles(g, rules))
		}
	}
	c.all("chain", "closed form", "messages", "chain, two phases", "closed form, two phases", "messages, two phases")
}
