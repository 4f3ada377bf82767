package main

import (
	"fmt"
	"image/color"
	"math"

	"github.com/bloomproof/bloomproof"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
)

// This file draws figures 6 to 8 of Dozier-FP, sections V-B and V-C: the largest number of messages in a cycle for
// which the average rate does not exceed a limit. This number is called the capacity.
//
// The capacity of the sigma-bounded filter is E[N_0], the number of new arrivals in a cycle, including the arrival that
// triggers the recycle. The rates f_w and f_a of equations (1) and (3) belong to a filter that is recycled after a
// fixed number N of messages. For f_w all N arrivals are new, and the capacity is N. For f_a only the messages that set
// a bit are counted. The capacity is the number N of these messages, and the cycle then has N/(1-f_a) new arrivals.
// Each filter has the k, and the bound sigma or N, for which its capacity is largest. The paper states this only for
// figure 8. It does not state the number M of bits for figure 7. Here M is 2^16. Positions of a message may collide. A
// recycle does not insert the triggering message into the cleared array.

// The method against draws three curves: the capacity of f_w, the capacity of f_a, and the number of new arrivals in a
// cycle for f_a. At each pair of a size and a rate, these numbers are divided by the capacity of f_sigma, which is the
// rate of the sigma-bounded filter.
func (to plan) against(name string, c chart, at func(x float64) (m uint64, p float64)) error {
	var worst, actual, arrivals, kSigma, kWorst, kActual []float64
	for _, x := range c.at {
		m, p := at(x)
		best, err := approxrecycling.MostMessages(bloomproof.Geometry{M: m}, bloomproof.Recycling{}, p)
		if err != nil {
			return err
		}
		w, err := approxrecycling.NaiveMessages(bloomproof.Geometry{M: m}, "worst", false, p)
		if err != nil {
			return err
		}
		a, err := approxrecycling.NaiveMessages(bloomproof.Geometry{M: m}, "average", false, p)
		if err != nil {
			return err
		}
		if !best.Certain || !w.Certain || !a.Certain {
			return fmt.Errorf("the best of m = %d at a rate of %g is in doubt", m, p)
		}
		worst = append(worst, float64(w.N)/best.Capacity)
		actual = append(actual, float64(a.N)/best.Capacity)
		arrivals = append(arrivals, float64(a.N)/(1-a.Rate)/best.Capacity)
		kSigma, kWorst, kActual = append(kSigma, float64(best.K)), append(kWorst, float64(w.Geometry.K)), append(kActual, float64(a.Geometry.K))
	}
	one := make([]float64, len(c.at))
	seventy := make([]float64, len(c.at))
	for i := range one {
		one[i], seventy[i] = 1, 0.7
	}
	c.y = "capacity / capacity by f_sigma"
	c.logX = true
	c.series = []series{
		{column: "f_sigma", name: "f_sigma, the exact model", color: blue, y: one},
		{column: "f_a_arrivals", name: "f_a, new arrivals", color: green, y: arrivals},
		{column: "f_a", name: "f_a, bit-setting messages", color: green, dash: true, y: actual},
		{column: "f_w", name: "f_w", color: orange, y: worst},
		{column: "k_sigma", y: kSigma}, {column: "k_a", y: kActual}, {column: "k_w", y: kWorst},
		{column: "thirty_per_cent_less", name: "30 % less", color: gray, dash: true, y: seventy},
	}
	return c.save(to.base(name))
}

// overBits draws figure 6, with a rate of 0.01 and an increasing number M of bits.
func overBits(to plan) error {
	c := chart{
		title:   "Dozier-FP, figure 6: capacity at an average rate of 0.01",
		xColumn: "m", x: "M, bits", yMin: 0.5, yMax: 1.25,
	}
	for e := 7.0; e <= 20; e += 0.5 {
		c.at = append(c.at, math.Round(math.Exp2(e)))
	}
	return to.against("dozier-fp-6", c, func(x float64) (uint64, float64) { return uint64(x), 0.01 })
}

// overRates draws figure 7, with M = 2^16 bits and decreasing rates.
func overRates(to plan) error {
	c := chart{
		title:   "Dozier-FP, figure 7: capacity of M = 2^16 bits",
		xColumn: "rate", x: "average rate", yMin: 0.5, yMax: 1.25,
		at: rates(),
	}
	return to.against("dozier-fp-7", c, func(x float64) (uint64, float64) { return 1 << 16, x })
}

// rates returns the rates from 10^-6 to 10^-1, four per decade.
func rates() (at []float64) {
	for e := -24; e <= -4; e++ {
		at = append(at, math.Pow(10, float64(e)/4))
	}
	return at
}

// The function phases draws figure 8: the capacity of a filter with one array of M bits, divided by the capacity of a
// filter with two arrays of M/2 bits. The latter capacity is 2*E[N_0], the number of messages that both arrays together
// contain just before a recycle. If the latter capacity counted the messages of only one array, the ratio would be
// twice as large.
func phases(to plan) error {
	c := chart{
		title:   "Dozier-FP, figure 8: one phase over two phases",
		xColumn: "rate", x: "average rate", y: "capacity of one phase / of two phases",
		at: rates(), logX: true,
	}
	for i, m := range []uint64{1 << 8, 1 << 12, 1 << 20} {
		var ratio, k1, k2 []float64
		for _, p := range c.at {
			one, err := approxrecycling.MostMessages(bloomproof.Geometry{M: m}, bloomproof.Recycling{}, p)
			if err != nil {
				return err
			}
			two, err := approxrecycling.MostMessages(bloomproof.Geometry{M: m / 2}, bloomproof.Recycling{TwoPhase: true}, p)
			if err != nil {
				return err
			}
			ratio = append(ratio, one.Capacity/(2*two.Capacity))
			k1, k2 = append(k1, float64(one.K)), append(k2, float64(two.K))
		}
		c.series = append(c.series,
			series{column: fmt.Sprintf("m_%d", m), name: fmt.Sprintf("M = %d", m), color: []color.Color{orange, green, blue}[i], y: ratio},
			series{column: fmt.Sprintf("m_%d_k_one", m), y: k1}, series{column: fmt.Sprintf("m_%d_k_two", m), y: k2})
	}
	return c.save(to.base("dozier-fp-8"))
}
