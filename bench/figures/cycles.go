package main

import (
	"fmt"
	"image/color"
	"math"

	"github.com/bloomproof/bloomproof"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/kernel/vec"
	"github.com/bloomproof/bloomproof/verify/sim"
	"github.com/bloomproof/bloomproof/verify/stat"
)

// cyclesGeometry is the geometry of the filter whose cycles are drawn. All messages that this filter receives are new.
var cyclesGeometry = bloomproof.Geometry{M: 1024, K: 4}

const (
	cyclesSigma    = 512
	cyclesArrivals = 560 // about three cycles
	cyclesStep     = 10  // the number of arrivals between measured points
)

// The function cycles draws the rate of a recycling filter as a function of the number of arrivals. It draws the exact
// rate, the measured rate, the rate of a single filter, and the long-run average.
func cycles(to plan) error {
	g, rule := cyclesGeometry, bloomproof.Recycling{Sigma: cyclesSigma}
	c := chart{
		title:   fmt.Sprintf("A recycling filter of m = %d bits, k = %d, cleared beyond %d set bits", g.M, g.K, cyclesSigma),
		xColumn: "arrival", x: "arrival, a new message each", y: "false-positive rate",
		at: steps(1, cyclesArrivals, 1), yMin: 0, yMax: 0.07,
	}
	cycle, err := exactrecycling.New(g, rule)
	if err != nil {
		return err
	}
	average, err := cycle.FPR(64)
	if err != nil {
		return err
	}
	worst := math.Pow(float64(cyclesSigma)/float64(g.M), float64(g.K))
	long := series{column: "long_run", name: "average in the long run, exact", color: gray, dash: true}
	top := series{column: "fullest", name: "when fullest, (sigma/m)^k", color: gray}
	one, err := oneCourse(g, rule)
	if err != nil {
		return err
	}
	points, err := measuredCourse(g, rule, to.filters)
	if err != nil {
		return err
	}
	for range c.at {
		long.y, top.y = append(long.y, average.Float64()), append(top.y, worst)
	}
	c.series = []series{
		{column: "one_filter", name: "one filter, given its bits", color: color.Gray{190}, y: one},
		top, long,
		{column: "exact", name: "exact, mean of filters", color: blue, y: course(g, cyclesSigma, cyclesArrivals)},
		points,
	}
	return c.save(to.base("cycles"))
}

// course returns the exact rate at each arrival, beginning with an empty filter. This rate is the mean of (b/m)^k over
// the distribution of the number b of set bits. Its relative error is at most 1e-12.
func course(g bloomproof.Geometry, sigma uint64, arrivals int) (rates []float64) {
	message := vec.Message{M: g.M, K: g.K}
	law := make([]float64, sigma+1+uint64(g.K)) // probabilities by the number of set bits, which is at most sigma + k
	law[0] = 1
	for range arrivals {
		f := 0.0
		for b, p := range law {
			f += p * math.Pow(float64(b)/float64(g.M), float64(g.K))
		}
		rates = append(rates, f)
		message.Advance(law, 0)
		for b := int(sigma) + 1; b < len(law); b++ { // the message triggers a recycle
			law[0] += law[b]
			law[b] = 0
		}
	}
	return rates
}

// oneCourse simulates a single filter. It returns the rate before each arrival, given the bits of the filter at that
// time.
func oneCourse(g bloomproof.Geometry, rule bloomproof.Recycling) (rates []float64, err error) {
	f, err := kernel.NewRecycling(g, rule, kernel.Options{})
	if err != nil {
		return nil, err
	}
	for i := range cyclesArrivals {
		rates = append(rates, f.Rate())
		f.Observe(fmt.Appendf(nil, "message %d", i))
	}
	return rates, nil
}

// The message of each arrival is new. For each measured arrival, the function measuredCourse returns the share of the
// simulated filters that call this message a repeat. Each filter has its own hash function. The answers to arrivals
// between two measured points are not counted.
func measuredCourse(g bloomproof.Geometry, rule bloomproof.Recycling, filters int) (series, error) {
	s := series{column: "measured", name: fmt.Sprintf("measured: share of %d filters", filters), color: orange}
	messages := make([]uint64, cyclesArrivals)
	for i := range messages {
		messages[i] = uint64(i)
	}
	hits := make([]uint64, cyclesArrivals)
	var seen []kernel.Observation
	for seed := range filters {
		f, err := kernel.NewRecycling(g, rule, kernel.Options{Seed: uint64(seed)})
		if err != nil {
			return s, err
		}
		seen = f.ObserveBatch(seen[:0], kernel.KeysOf(messages))
		for i, o := range seen {
			if o.Repeat() {
				hits[i]++
			}
		}
	}
	for i, h := range hits {
		if i%cyclesStep != cyclesStep-1 {
			s.append(nothing)
			continue
		}
		low, high, err := stat.ClopperPearson(h, uint64(filters), confidence)
		if err != nil {
			return s, err
		}
		s.append(sim.Interval{Mean: float64(h) / float64(filters), Low: low, High: high})
	}
	return s, nil
}
