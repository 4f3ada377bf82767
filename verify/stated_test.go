package verify_test

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
	"github.com/bloomproof/bloomproof/verify/longtest"
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
	for _, m := range methods {
		if c.methods[m] < 2 {
			c.t.Errorf("%d bounds by %s: the test shows nothing", c.methods[m], m)
		}
	}
}

// TestCycleBoundsDerivedTwice holds Cycle.Bound to its formulas, by every method and every way to recycle. It does the
// same for the bound of a forecast, if no message is a repeat.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestCycleBoundsDerivedTwice(t *testing.T) {
	c := statedCheck{t, map[string]int{}}
	for i, x := range []struct {
		m     uint64
		k     int
		sigma uint64
	}{
		{64, 1, 20}, {64, 3, 1}, {64, 3, 30}, {300, 4, 150}, {1000, 7, 500}, {1000, 13, 400}, {2048, 2, 900},
		{1 << 16, 4, 1 << 15}, {1 << 20, 7, 1 << 18}, {1 << 20, 2, 1 << 19}, {1 << 56, 2, 3 << 28}, {1 << 56, 2, 1 << 29}, {1 << 40, 7, 1 << 39}, {200, 20, 90},
	} {
		for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
			if !longtest.Enabled() && i%2 != int(h)%2 {
				continue
			}
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
	for _, m := range []string{"chain", "closed form", "messages"} {
		c.all(m, m+", two phases", m+", all new", m+", two phases, all new")
	}
}

// TestLargeBoundsDerivedTwice holds the bounds of the expansion for large filters to their formulas.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestLargeBoundsDerivedTwice(t *testing.T) {
	c := statedCheck{t, map[string]int{}}
	fresh := bloomproof.Recycling{FreshPositions: true}
	retain, two, before, both := fresh, fresh, fresh, fresh
	retain.Retain = true
	two.TwoPhase = true
	before.TwoPhase, before.FreezeBefore = true, true
	both.TwoPhase, both.Retain = true, true
	zipf := func(d uint64, arrivals bloomproof.Arrivals, repeat float64) bloomproof.Workload {
		return bloomproof.Workload{Popularity: bloomproof.Zipf(1, d), Arrivals: arrivals, Repeat: repeat}
	}
	for i, x := range []struct {
		m     uint64
		k     int
		sigma uint64
		w     bloomproof.Workload
	}{
		{4096, 4, 2048, zipf(1<<33, bloomproof.ArrivalLast, 0.9)},
		{4096, 4, 2048, zipf(1<<33, bloomproof.ArrivalLast, 1)},
		{1 << 20, 7, 1 << 19, zipf(1<<20, bloomproof.ArrivalLast, 0.5)},
		{1 << 30, 3, 1 << 28, bloomproof.Workload{Popularity: bloomproof.Uniform(1 << 30), Arrivals: bloomproof.ArrivalLast, Repeat: 0.8}},
		{1 << 20, 7, 1 << 19, zipf(1000, bloomproof.ArrivalLast, 0.5)},
		{1 << 20, 12, 1 << 19, bloomproof.Workload{Popularity: bloomproof.Uniform(1 << 17), Arrivals: bloomproof.ArrivalLast, Repeat: 1}},
		{1 << 24, 8, 1 << 17, zipf(100, bloomproof.ArrivalPopularity, 0.5)},
		{1 << 22, 16, 1 << 19, zipf(100, bloomproof.ArrivalLast, 0.5)},
		// All lucky arrivals come early.
		{1 << 20, 1, 1 << 19, bloomproof.Workload{Popularity: bloomproof.Uniform(4), Arrivals: bloomproof.ArrivalLast, Repeat: 0.9}},
		// About 600 messages fit. A cycle ends when few messages are unrecorded. So the error of its length is large.
		{1 << 36, 8, 4800, bloomproof.Workload{Popularity: bloomproof.Uniform(700), Arrivals: bloomproof.ArrivalLast, Repeat: 1}},
		{1 << 36, 8, 4800, bloomproof.Workload{Popularity: bloomproof.Uniform(700), Arrivals: bloomproof.ArrivalLast, Repeat: 0.99}},
		{1 << 36, 8, 4800, zipf(1000, bloomproof.ArrivalPopularity, 0.9)},
	} {
		rules := []bloomproof.Recycling{fresh, retain, two, before, both}
		if !longtest.Enabled() && i > 0 && i < 4 {
			continue // the popularities of the first and of the sixth
		}
		if !longtest.Enabled() && x.m < 1<<36 { // the last three take little time
			rules = []bloomproof.Recycling{retain, before}[i%2:][:1]
		}
		for _, r := range rules {
			r.Sigma = x.sigma
			c.add(accuracy.StatedLarge(bloomproof.Geometry{M: x.m, K: x.k}, r, x.w, fnr.ModelExact, fnr.ModelRenewal, fnr.ModelRenewalRetaining, "renewal-extended", "fluid"))
		}
	}
	if !longtest.Enabled() {
		return
	}
	c.all("exact, large", "fluid, large", "fluid, large, two phases", "renewal, large", "renewal, large, two phases", "renewal-retaining, large", "renewal-extended, large")
}

// TestSmallBoundsDerivedTwice holds the bounds of the models that list all messages to their formulas.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestSmallBoundsDerivedTwice(t *testing.T) {
	c := statedCheck{t, map[string]int{}}
	fresh := bloomproof.Recycling{FreshPositions: true}
	two := bloomproof.Recycling{FreshPositions: true, TwoPhase: true}
	shapes := []struct {
		m     uint64
		k     int
		sigma uint64
	}{{64, 3, 30}, {48, 2, 20}, {200, 5, 60}}
	cases := 0
	for _, x := range shapes[:longtest.More(1, 3)] {
		for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
			for _, p := range []bloomproof.Popularity{bloomproof.Zipf(1, 20), bloomproof.Zipf(0.5, 40), bloomproof.Weights([]float64{9, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1})} {
				for _, repeat := range []float64{0.4, 0.9, 1} {
					for i, r := range []bloomproof.Recycling{fresh, two} {
						if cases++; !longtest.Enabled() && cases%3 != 2 {
							continue
						}
						r.Sigma = x.sigma
						arrivals := []bloomproof.Arrivals{bloomproof.ArrivalPopularity, bloomproof.ArrivalLast}[(i+int(10*repeat))%2]
						w := bloomproof.Workload{Popularity: p, Arrivals: arrivals, Repeat: repeat}
						c.add(accuracy.StatedSmall(bloomproof.Geometry{M: x.m, K: x.k, Hashing: h}, r, w))
					}
				}
			}
		}
	}
	c.all("exact", "renewal", "renewal-extended", "renewal-leave-one-out")
	for _, m := range []string{"lower", "biuniform", "pins", "pins-arrivals", "replacement", "disabling"} {
		c.all(m, m+", two phases")
	}
}
