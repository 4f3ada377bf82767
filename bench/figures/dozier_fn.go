package main

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// This file draws figures 2 to 6 and 10 of Dozier-FN.
//
// The paper does not say which rank of popularity a new message gets. Here a new message draws its rank from the
// popularity distribution. The paper also does not specify k for figures 2 and 5, nor the popularity distribution Q for
// figures 3, 5, 6 and 10. Here k = 5, and Q is the Zipf(1) distribution on 1000 messages, as in figures 3 and 4 of the
// paper. The positions of a message are drawn afresh in each cycle and may collide. Measured points come from 35 runs
// of whole cycles, each with its own hash function.
const (
	fnPool   = 1000
	fnEpochs = 35
)

// fnLine describes how a model of false negatives is drawn.
type fnLine struct {
	model string
	name  string
	color color.Color
	dash  bool
}

// fnLines are the models in the order of the legend.
var fnLines = []fnLine{
	{"uniform", "uniform (7)", gray, true},
	{"replacement", "replacement (6)", orange, true},
	{"biuniform", "bi-uniform, 4.2.4", orange, false},
	{"renewal-extended", "renewal to sigma+k", purple, true},
	{"renewal", "renewal (16)-(26)", purple, false},
	{"renewal-retaining", "renewal, retaining", blue, false},
	{"pins", "drop pins (10), (11)", green, true},
	{"pins-arrivals", "drop pins with new messages", green, false},
	{"lower", "lower bound (5)", gray, false},
}

// forecast returns the forecast of a model. The forecast has no value if the model is not defined for these arguments.
func forecast(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload, model string) (approxfnr.Forecast, error) {
	c, err := approxfnr.New(g, r, w)
	if err != nil {
		return approxfnr.Forecast{}, err
	}
	f, err := c.Predict(approxfnr.Model(model))
	if errors.Is(err, bloomproof.ErrUndefined) {
		return approxfnr.Forecast{FNR: math.NaN(), FPRPerCycleNew: math.NaN()}, nil
	}
	return f, err
}

// The function bounds draws figure 2: the false-negative rate as a function of sigma, according to every model and in
// simulations. Part (a) has no new messages, and part (b) has as many new messages as repeats. The filter is retaining,
// which means that a recycle inserts the triggering message into the cleared array. Sections 2 to 4 of the paper assume
// this.
func bounds(to plan) error {
	g := bloomproof.Geometry{M: 1000, K: 5}
	for _, panel := range []struct {
		letter string
		repeat float64
	}{{"a", 1}, {"b", 0.5}} {
		w := bloomproof.Workload{Popularity: bloomproof.Zipf(2, fnPool), Repeat: panel.repeat}
		c := chart{
			title:   fmt.Sprintf("Dozier-FN, figure 2 (%s): one phase, M = %d bits, p_r = %v", panel.letter, g.M, w.Repeat),
			note:    fmt.Sprintf("k = %d, Zipf(2) of %d messages, new messages enter by popularity, retaining", g.K, fnPool),
			xColumn: "sigma", x: "sigma, bits set beyond which the filter recycles", y: "false negatives per arrival",
			at: steps(100, 600, 50), logY: true,
			ratioTo: "measured", ratio: "rate / simulated", ratioMin: 0.8, ratioMax: 1.4,
		}
		points := series{column: "measured", name: "simulated, 99 % interval", color: color.Black}
		lines := make([]series, len(fnLines))
		for i, l := range fnLines {
			lines[i] = series{column: l.model, name: l.name, color: l.color, dash: l.dash}
		}
		for _, x := range c.at {
			r := bloomproof.Recycling{Sigma: uint64(x), Retain: true, FreshPositions: true}
			for i, l := range fnLines {
				f, err := forecast(g, r, w, l.model)
				if err != nil {
					return err
				}
				lines[i].y = append(lines[i].y, f.FNR)
			}
			plan := sim.Plan{Runs: fnEpochs, Arrivals: fnEpochs * to.epoch, Seed: uint64(x)}
			if err := points.simulate(g, r, w, plan, (*sim.Tally).FalseNegative); err != nil {
				return err
			}
		}
		c.series = append(lines, points)
		if err := c.save(to.base("dozier-fn-2" + panel.letter)); err != nil {
			return err
		}
	}
	return nil
}

// The function trends draws figure 5 as a function of sigma, for three popularity distributions. It shows the share
// of the cycle-new arrivals that the filter calls repeats, and the number of false negatives per arrival.
func trends(to plan) error {
	g := bloomproof.Geometry{M: 500, K: 5}
	fpr := chart{
		title:   fmt.Sprintf("Dozier-FN, figure 5: false positives, one phase, M = %d bits, p_r = 0.9", g.M),
		note:    fmt.Sprintf("k = %d, Zipf(alpha) of %d messages, new messages enter by popularity, not retaining", g.K, fnPool),
		xColumn: "sigma", x: "sigma, bits set beyond which the filter recycles", y: "rate per cycle-new arrival",
		at: steps(50, 450, 25), logY: true,
	}
	fnr := fpr
	fnr.title = fmt.Sprintf("Dozier-FN, figure 5: false negatives, one phase, M = %d bits, p_r = 0.9", g.M)
	fnr.y, fnr.logY, fnr.yMax = "false negatives per arrival", false, 1
	for i, alpha := range []float64{0, 1, 2} {
		w := bloomproof.Workload{Popularity: bloomproof.Zipf(alpha, fnPool), Repeat: 0.9}
		shade := []color.Color{orange, green, blue}[i]
		var positive, negative series
		for _, s := range []*series{&positive, &negative} {
			*s = series{column: fmt.Sprintf("alpha_%v", alpha), name: fmt.Sprintf("renewal, alpha = %v", alpha), color: shade}
		}
		positives := series{column: fmt.Sprintf("measured_alpha_%v", alpha), name: fmt.Sprintf("simulated, alpha = %v", alpha), color: shade}
		negatives := positives
		for _, x := range fpr.at {
			r := bloomproof.Recycling{Sigma: uint64(x), FreshPositions: true}
			f, err := forecast(g, r, w, "renewal")
			if err != nil {
				return err
			}
			positive.y, negative.y = append(positive.y, f.FPRPerCycleNew), append(negative.y, f.FNR)
			plan := sim.Plan{Runs: fnEpochs, Arrivals: fnEpochs * to.epoch, Seed: uint64(x)}
			if err := positives.simulate(g, r, w, plan, (*sim.Tally).PerCycleNew); err != nil {
				return err
			}
			if err := negatives.simulate(g, r, w, plan, (*sim.Tally).FalseNegative); err != nil {
				return err
			}
		}
		fpr.series = append(fpr.series, positive, positives)
		fnr.series = append(fnr.series, negative, negatives)
	}
	if err := fpr.save(to.base("dozier-fn-5-fpr")); err != nil {
		return err
	}
	return fnr.save(to.base("dozier-fn-5-fnr"))
}
