package main

import (
	"fmt"
	"image/color"
	"math"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
)

// frontier draws the fewest false negatives as a function of the permitted false positives, for three memory sizes. The
// command "recycle -frontier" prints the same numbers. Each point is the rate of one filter. For each point, the search
// chooses k, sigma and the number of phases, and whether the filter retains the triggering message. A curve ends where
// less than one arrival in a million is a false negative, because the simulations cannot measure smaller rates.
func frontier(to plan) error {
	const end = 1e-6
	designs := approxfnr.Designs{Workload: bloomproof.Workload{Popularity: bloomproof.Zipf(1, fnPool), Repeat: 0.9}}
	for _, two := range []bool{false, true} {
		for _, retain := range []bool{false, true} {
			designs.Rules = append(designs.Rules, bloomproof.Recycling{TwoPhase: two, Retain: retain, FreshPositions: true})
		}
	}
	c := chart{
		title:   "The frontier of both errors: fewest false negatives for the false positives allowed",
		note:    fmt.Sprintf("Zipf(1) of %d messages, p_r = %v, new messages enter by popularity; each point is the best filter", fnPool, designs.Workload.Repeat),
		xColumn: "rate", x: "false-positive rate allowed", y: "false negatives per arrival",
		logX: true, logY: true,
	}
	for e := -6; e <= -1; e++ {
		c.at = append(c.at, math.Pow10(e))
	}
	for i, m := range []uint64{2500, 10_000, 40_000} {
		var lines [5]series
		for j, what := range []string{"fnr", "k", "sigma", "phases", "retain"} {
			lines[j].column = fmt.Sprintf("%s_%d", what, m)
		}
		lines[0].name, lines[0].color = fmt.Sprintf("%d bits in all", m), []color.Color{blue, orange, green}[i]
		ended := false
		for _, designs.Rate = range c.at {
			nan := math.NaN()
			point := [len(lines)]float64{nan, nan, nan, nan, nan}
			if !ended {
				d, err := approxfnr.Least(designs, m)
				if err != nil {
					return err
				}
				if ended = d.Forecast.FNR < end; !ended {
					point = [len(lines)]float64{d.Forecast.FNR, float64(d.K), float64(d.Sigma), float64(d.Total() / d.M), 0}
					if d.Recycling.Retain {
						point[4] = 1
					}
				}
			}
			for j := range lines {
				lines[j].y = append(lines[j].y, point[j])
			}
		}
		c.series = append(c.series, lines[:]...)
	}
	return c.save(to.base("frontier"))
}
