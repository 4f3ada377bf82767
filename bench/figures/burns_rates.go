package main

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/exact"
)

// This file draws figures 6 to 8 of Burns and the example of section 3.4, with rates and the best k.

// rate returns the exact rate of a filter with n items.
func rate(m, n uint64, k int, h bloomproof.Hashing) (float64, error) {
	e, _, err := exact.FPR(bloomproof.Geometry{M: m, K: k, Hashing: h}, n, 64, exact.Auto)
	return e.Float64(), err
}

// hashings lists the two kinds of hashing that the figures compare, with their colours.
var hashings = []struct {
	hashing bloomproof.Hashing
	shade   shade
}{{bloomproof.Standard, blue}, {bloomproof.Classic, orange}}

// overK adds the exact rate and the measured rate for each k of the chart and each of the two kinds of hashing.
func (c *chart) overK(m, n uint64, filters int) error {
	var exacts, points []series
	for _, h := range hashings {
		line := series{column: h.hashing.String(), name: "exact, " + h.hashing.String(), color: h.shade}
		dots := series{column: "measured_" + h.hashing.String(), name: "measured, " + h.hashing.String(), color: h.shade}
		for _, k := range c.at {
			f, err := rate(m, n, int(k), h.hashing)
			if err != nil {
				return err
			}
			line.y = append(line.y, f)
			g := bloomproof.Geometry{M: m, K: int(k), Hashing: h.hashing}
			if err := dots.fill(g, n, filters, uint64(k)<<8|uint64(h.hashing)); err != nil {
				return err
			}
		}
		exacts, points = append(exacts, line), append(points, dots)
	}
	c.series = append(append(exacts, c.series...), points...)
	return nil
}

// burnsRates draws figure 6: the rates of small filters as a function of k.
func burnsRates(to plan) error {
	const m, n = 100, 20
	c := chart{
		title:   fmt.Sprintf("Burns, figure 6: m = %d bits with n = %d items", m, n),
		xColumn: "k", x: "k, positions per item", y: "false-positive rate",
		at: steps(1, 40, 1), yMin: 0, yMax: 1,
		ratioTo: "standard", ratio: "rate / exact, standard", ratioMin: 0.9, ratioMax: 1.2,
	}
	if err := c.overK(m, n, to.filters/10); err != nil {
		return err
	}
	return c.save(to.base("burns-6"))
}

// burnsExample draws the rate of the filter of section 3.4. This filter is so small that the textbook approximation is
// visibly wrong. The best k according to this approximation, (m/n) ln 2 = 11, is not the true best k.
func burnsExample(to plan) error {
	const m, n = 64, 4
	c := chart{
		title:   fmt.Sprintf("False-positive rate of m = %d bits with n = %d items", m, n),
		xColumn: "k", x: "k, positions per item", y: "false-positive rate",
		at: steps(1, 20, 1), xMax: 20.5, // room for the last label
		logY: true,
	}
	bloom := series{column: "bloom", name: "Bloom's approximation", color: gray, dash: true}
	for _, k := range c.at {
		f, err := approx.Bound(bloomproof.BoundBloom, bloomproof.Geometry{M: m, K: int(k)}, n)
		if err != nil {
			return err
		}
		bloom.y = append(bloom.y, f)
	}
	c.series = []series{bloom}
	if err := c.overK(m, n, to.filters); err != nil {
		return err
	}
	return c.save(to.base("burns-best-k"))
}

// burnsBounds draws figure 7: the rates with the bounds of equations (57), (64) and (65), and the k with the least
// rate.
func burnsBounds(to plan) error {
	const m, n = 1000, 20
	c := chart{
		title:   fmt.Sprintf("Burns, figure 7: m = %d bits with n = %d items; the best k are marked", m, n),
		xColumn: "k", x: "k, positions per item", y: "false-positive rate",
		at: steps(25, 50, 1), logY: true,
		ratioTo: "standard", ratio: "rate / exact, standard", ratioMin: 0.4, ratioMax: 1.6,
	}
	bounds := []struct {
		series
		of bloomproof.Bound
	}{
		{series{column: "upper", name: "upper bound U (65)", color: red, dash: true}, bloomproof.BoundUpper},
		{series{column: "bloom", name: "M (57), Bloom's approximation", color: gray, dash: true}, bloomproof.BoundBloom},
		{series{column: "lower", name: "lower bound L (64)", color: green, dash: true}, bloomproof.BoundLower},
	}
	for i := range bounds {
		b := &bounds[i]
		for _, k := range c.at {
			e, err := exact.Bound(b.of, bloomproof.Geometry{M: m, K: int(k)}, n, 64)
			if err != nil {
				return err
			}
			b.y = append(b.y, e.Float64())
		}
	}
	for _, h := range hashings {
		line := series{column: h.hashing.String(), name: "exact, " + h.hashing.String(), color: h.shade}
		best, err := exact.OptimalK(bloomproof.Geometry{M: m, Hashing: h.hashing}, n, 64)
		if err != nil {
			return err
		}
		least := series{column: "best_" + h.hashing.String(), name: fmt.Sprintf("best k, %s: %d", h.hashing, best.Geometry.K), color: h.shade, points: true}
		for _, k := range c.at {
			f, err := rate(m, n, int(k), h.hashing)
			if err != nil {
				return err
			}
			line.y, least.y = append(line.y, f), append(least.y, only(int(k) == best.Geometry.K, f))
		}
		c.series = append(c.series, line, least)
	}
	for _, b := range bounds {
		c.series = append(c.series, b.series)
	}
	return c.save(to.base("burns-7"))
}

// If the argument counts is true, the result is y. Otherwise it is NaN.
func only(counts bool, y float64) float64 {
	if counts {
		return y
	}
	return nothing.Mean
}

// burnsBestK draws figure 8: the best k as a function of the number of items. It draws the best k according to the
// exact rates and according to equation (67). The CSV file says for which points the best k is proven. For the other
// points it is assumed that the rate as a function of k has a single minimum.
func burnsBestK(to plan) error {
	const m = 1024
	c := chart{
		title:   fmt.Sprintf("Burns, figure 8: the best k for m = %d bits", m),
		xColumn: "n", x: "n, items", y: "k",
		at: steps(1, m, 1), logX: true, logY: true,
		ratioTo: "textbook", ratio: "k / ((m/n) ln 2)", ratioMin: 0.5, ratioMax: 1.6,
	}
	textbook := series{column: "textbook", name: "(m/n) ln 2, (67)", color: gray, dash: true}
	for _, n := range c.at {
		textbook.y = append(textbook.y, m/n*math.Ln2)
	}
	for _, h := range hashings {
		line := series{column: h.hashing.String(), name: "exact, " + h.hashing.String(), color: h.shade}
		proven := series{column: h.hashing.String() + "_proven"}
		for _, n := range c.at {
			o, err := exact.OptimalK(bloomproof.Geometry{M: m, Hashing: h.hashing}, uint64(n), 64)
			if err != nil {
				return err
			}
			line.y = append(line.y, float64(o.Geometry.K))
			proven.y = append(proven.y, only(o.Assumes == "", 1))
		}
		c.series = append(c.series, line, proven)
	}
	c.series = append(c.series, textbook)
	return c.save(to.base("burns-8"))
}
