package main

import (
	"fmt"
	"image/color"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// This file draws figures 4, 6 and 10 of Dozier-FN: the least false-negative rate of filters whose average
// false-positive rate does not exceed a limit. The false-positive rate is per arrival of a message that is new in its
// cycle. As in Dozier-FP, this rate is computed for new messages only. The values of k and sigma come from
// approx/fnr.Least. The filters are not retaining: a recycle does not insert the triggering message into the cleared
// array. In a filter with two phases, each array has half of the bits. A message that the frozen array contains is also
// recorded in the active array (copy-over). When a recycle freezes an array, this array contains the triggering
// message.

// bestFNR considers the filters that have m bits in total and a false-positive rate of at most p. It returns the filter
// with the least false-negative rate under the workload w.
func bestFNR(m uint64, two bool, p float64, w bloomproof.Workload) (approxfnr.Design, error) {
	return approxfnr.Least(approxfnr.Designs{
		Rules:    []bloomproof.Recycling{{TwoPhase: two, FreshPositions: true}},
		Workload: w, Rate: p,
	}, m)
}

// overMemory draws figure 4: the fewest false negatives as a function of the total number of bits.
func overMemory(to plan) error {
	const p = 1e-4
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, fnPool), Repeat: 0.9}
	c := chart{
		title:   fmt.Sprintf("Dozier-FN, figure 4: fewest false negatives at a false-positive rate of %v", p),
		note:    fmt.Sprintf("Zipf(1) of %d messages, p_r = %v, new messages enter by popularity, not retaining", fnPool, w.Repeat),
		xColumn: "m", x: "M, bits in all", y: "false negatives per arrival",
		at: []float64{1000, 2000, 3000, 5000, 7500, 10000, 15000, 20000, 25000, 30000, 40000, 50000}, logY: true,
	}
	return c.phases(to.base("dozier-fn-4"), to.epoch, []double{{p, [2]color.Color{blue, orange}}}, func(x float64) (uint64, bloomproof.Workload) { return uint64(x), w })
}

// crossover draws figure 6: the least false-negative rate of filters with one phase and of filters with two phases, as
// a function of the share of new messages.
func crossover(to plan) error {
	c := chart{
		title:   "Dozier-FN, figure 6: one phase and two, M = 1000 bits in all",
		note:    fmt.Sprintf("Zipf(1) of %d messages, new messages enter by popularity, not retaining", fnPool),
		xColumn: "new", x: "1 - p_r, share of new messages", y: "false negatives per arrival",
	}
	for i := range 20 {
		c.at = append(c.at, float64(i)/20)
	}
	doubles := []double{{0.01, [2]color.Color{blue, orange}}, {0.0001, [2]color.Color{green, purple}}}
	return c.phases(to.base("dozier-fn-6"), to.epoch, doubles, func(x float64) (uint64, bloomproof.Workload) {
		return 1000, bloomproof.Workload{Popularity: bloomproof.Zipf(1, fnPool), Repeat: 1 - x}
	})
}

// The type double describes two curves: the best filters with one phase, and the best filters with two phases. Both
// kinds of filters have the false-positive rate p. The field shades has the colours of the curves.
type double struct {
	p      float64
	shades [2]color.Color
}

// These are the names of the CSV columns and of the curves, first for filters of one phase and then for filters of two
// phases.
var (
	phaseColumns = [2]string{"one", "two"}
	phaseNames   = [2]string{"one phase", "two phases"}
)

// For each x of the chart, the method phases adds the best filter with one phase and the best filter with two phases,
// with their simulated rates. Then it saves the chart.
func (c chart) phases(base string, epoch uint64, doubles []double, at func(x float64) (m uint64, w bloomproof.Workload)) error {
	for _, d := range doubles {
		for i, two := range []bool{false, true} {
			column, name, shade := phaseColumns[i], phaseNames[i], d.shades[i]
			if len(doubles) > 1 {
				column, name = fmt.Sprintf("%s_%v", column, d.p), fmt.Sprintf("%s, %v", name, d.p)
			}
			line := series{column: column, name: name, color: shade}
			points := series{column: "measured_" + column, name: name + ", simulated", color: shade}
			k, sigma := series{column: column + "_k"}, series{column: column + "_sigma"}
			for i, x := range c.at {
				m, w := at(x)
				best, err := bestFNR(m, two, d.p, w)
				if err != nil {
					return err
				}
				line.y, k.y, sigma.y = append(line.y, best.Forecast.FNR), append(k.y, float64(best.K)), append(sigma.y, float64(best.Sigma))
				g := bloomproof.Geometry{M: best.M, K: best.K}
				plan := sim.Plan{Runs: fnEpochs, Arrivals: fnEpochs * epoch, Seed: uint64(i)}
				if err := points.simulate(g, best.Recycling, w, plan, (*sim.Tally).FalseNegative); err != nil {
					return err
				}
			}
			c.series = append(c.series, line, points, k, sigma)
		}
	}
	return c.save(base)
}

// bestHashes draws figure 10: the number k of positions for which the false-negative rate is least, as a function of
// the false-positive rate.
func bestHashes(to plan) error {
	const m = 10_000
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, fnPool), Repeat: 0.9}
	c := chart{
		title:   fmt.Sprintf("Dozier-FN, figure 10: k with the fewest false negatives, M = %d bits in all", m),
		note:    fmt.Sprintf("Zipf(1) of %d messages, p_r = %v, new messages enter by popularity, not retaining", fnPool, w.Repeat),
		xColumn: "rate", x: "false-positive rate allowed", y: "k",
		at: rates(), logX: true,
	}
	for i, two := range []bool{false, true} {
		k := series{column: phaseColumns[i] + "_k", name: phaseNames[i], color: []color.Color{blue, orange}[i]}
		sigma, fnr := series{column: phaseColumns[i] + "_sigma"}, series{column: phaseColumns[i] + "_fnr"}
		for _, p := range c.at {
			best, err := bestFNR(m, two, p, w)
			if err != nil {
				return err
			}
			k.y, sigma.y, fnr.y = append(k.y, float64(best.K)), append(sigma.y, float64(best.Sigma)), append(fnr.y, best.Forecast.FNR)
		}
		c.series = append(c.series, k, sigma, fnr)
	}
	return c.save(to.base("dozier-fn-10"))
}
