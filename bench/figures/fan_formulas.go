package main

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// This file draws figures 1 to 4 of Fan et al.: the entropy, and the bounds of the rate.

// fanEntropy draws figure 1: the entropy of a bit, equation (11), as a function of the probability p' that the bit is
// 0. It also draws the entropy of a whole array, divided by the number of bits. These two entropies differ because the
// bits are not independent. The array is filled one position at a time.
func fanEntropy(to plan) error {
	c := chart{
		title:   "Fan, figure 1: information entropy of a Bloom filter, k = 1",
		xColumn: "p", x: "p', probability that a bit is 0", y: "entropy in bits, per bit",
		yMin: 0, yMax: 1,
	}
	bit := series{column: "entropy_of_a_bit", name: "of a bit, (11)", color: blue}
	items := series{column: "n"}
	sizes := []uint64{10, 100}
	arrays := []series{
		{column: "array_of_10_bits", name: "of an array of 10 bits, over 10", color: orange},
		{column: "array_of_100_bits", name: "of an array of 100 bits, over 100", color: purple, dash: true},
	}
	for i, m := range sizes {
		for _, n := range steps(0, 5*int(m), max(1, int(m)/20)) {
			a, err := exact.ArrayEntropy(bloomproof.Geometry{M: m, K: 1}, uint64(n), 64)
			if err != nil {
				return err
			}
			e, err := exact.EntropyPerBit(bloomproof.Geometry{M: m, K: 1}, uint64(n), 64)
			if err != nil {
				return err
			}
			c.at = append(c.at, math.Pow(1-1/float64(m), n))
			items.y, bit.y = append(items.y, n), append(bit.y, only(i == 1, e.Float64()))
			for j := range arrays {
				arrays[j].y = append(arrays[j].y, only(i == j, a.Float64()/float64(m)))
			}
		}
	}
	c.series = append([]series{bit}, arrays...)
	c.series = append(c.series, items)
	return c.save(to.base("fan-1"))
}

// fanK is the number k of positions in figures 2 and 3, where the paper compares bounds for filters with m = 10*n bits.
const fanK = 7

// undefined returns e as a float64, or NaN if the error is ErrUndefined.
func undefined(e exact.Enclosure, err error) (float64, error) {
	if errors.Is(err, bloomproof.ErrUndefined) {
		return math.NaN(), nil
	}
	if err != nil {
		return 0, err
	}
	return e.Float64(), nil
}

// fanBounds draws figure 2: the rate and its bounds as a function of the number of items.
func fanBounds(to plan) error {
	c := chart{
		title:   fmt.Sprintf("Fan, figure 2: bounds of the rate, k = %d and m = 10 n", fanK),
		xColumn: "n", x: "n, items", y: "false-positive rate",
		logX: true, logY: true,
		ratioTo: "exact", ratio: "rate / exact", ratioMin: 0.7, ratioMax: 1.6,
	}
	lines := []series{
		{column: "exact", name: "exact", color: blue},
		{column: "bloom", name: "f_bloom (2), lower bound", color: gray, dash: true},
		{column: "upper", name: "upper bound (19)", color: red, dash: true},
		{column: "bose_upper", name: "Bose's upper bound, constant 1", color: green, dash: true},
	}
	points := series{column: "measured", name: "measured, 99 % interval", color: orange}
	for _, n := range logSteps(1, 100_000) {
		c.at = append(c.at, float64(n))
		m := 10 * n
		f, err := rate(m, n, fanK, bloomproof.Standard)
		if err != nil {
			return err
		}
		lines[0].y = append(lines[0].y, f)
		for i, kind := range []bloomproof.Bound{bloomproof.BoundBloom, bloomproof.BoundUpper, bloomproof.BoundBose} {
			f, err := undefined(exact.Bound(kind, bloomproof.Geometry{M: m, K: fanK}, n, 64))
			if err != nil {
				return err
			}
			lines[i+1].y = append(lines[i+1].y, f)
		}
		if n > 1000 {
			points.append(nothing)
			continue
		}
		// This makes the number of look-ups about the same for every n.
		if err := points.fill(bloomproof.Geometry{M: m, K: fanK}, n, to.filters*64/int(n+64), n); err != nil {
			return err
		}
	}
	c.series = append(lines, points)
	return c.save(to.base("fan-2"))
}

// logSteps returns the numbers in [from, to] that are 1, 2, 3, 5 or 7 times a power of ten.
func logSteps(from, to uint64) (at []uint64) {
	for ten := uint64(1); ten <= to; ten *= 10 {
		for _, digit := range []uint64{1, 2, 3, 5, 7} {
			if x := digit * ten; x >= from && x <= to {
				at = append(at, x)
			}
		}
	}
	return at
}

// ratios returns the lines of figures 3 and 4. A line shows (b - f_bloom)/f_bloom, where b is one of the bounds or the
// exact rate.
func ratios() []series {
	return []series{
		{column: "bose_upper", name: "Bose's upper bound, constant 1", color: green, dash: true},
		{column: "upper", name: "upper bound (19)", color: red, dash: true},
		{column: "exact", name: "exact rate", color: blue},
	}
}

// errorRatio returns (bound - f_bloom)/f_bloom, which the paper calls beta.
func errorRatio(kind bloomproof.Bound, g bloomproof.Geometry, n uint64) (float64, error) {
	const prec = 256 // the two values agree in up to 64 bits, and the rest is margin
	bound, err := exact.Bound(kind, g, n, prec)
	if err != nil {
		return undefined(bound, err)
	}
	bloom, err := exact.Bound(bloomproof.BoundBloom, g, n, prec)
	if err != nil {
		return 0, err
	}
	x := new(big.Float).Sub(bound.Lo(), bloom.Lo())
	beta, _ := x.Quo(x, bloom.Lo()).Float64()
	return beta, nil
}

// addRatios adds the ratios of one filter to the lines.
func addRatios(lines []series, m, n uint64, k int) error {
	g := bloomproof.Geometry{M: m, K: k}
	for i, of := range []func() (float64, error){
		func() (float64, error) { return errorRatio(bloomproof.BoundBose, g, n) },
		func() (float64, error) { return errorRatio(bloomproof.BoundUpper, g, n) },
		func() (float64, error) { return undefined(exact.Excess(bloomproof.BoundBloom, g, n, 64)) },
	} {
		x, err := of()
		if err != nil {
			return err
		}
		lines[i].y = append(lines[i].y, x)
	}
	return nil
}

// fanErrorRatios draws figure 3: the error ratio of the bounds as a function of the number of items.
func fanErrorRatios(to plan) error {
	c := chart{
		title:   fmt.Sprintf("Fan, figure 3: error ratios of the bounds, k = %d and m = 10 n", fanK),
		xColumn: "n", x: "n, items", y: "(bound - f_bloom) / f_bloom",
		logX: true, logY: true, series: ratios(),
	}
	for _, n := range logSteps(1, 1_000_000) {
		c.at = append(c.at, float64(n))
		if err := addRatios(c.series, 10*n, n, fanK); err != nil {
			return err
		}
	}
	return c.save(to.base("fan-3"))
}

// fanErrorRatiosOverK draws figure 4: the error ratio of the bounds as a function of k.
func fanErrorRatiosOverK(to plan) error {
	const m, n = 10_000, 1000
	c := chart{
		title:   fmt.Sprintf("Fan, figure 4: error ratios of the bounds, m = %d and n = %d", m, n),
		xColumn: "k", x: "k, positions per item", y: "(bound - f_bloom) / f_bloom",
		at: steps(1, 20, 1), logY: true, series: ratios(),
	}
	for _, k := range c.at {
		if err := addRatios(c.series, m, n, int(k)); err != nil {
			return err
		}
	}
	return c.save(to.base("fan-4"))
}
