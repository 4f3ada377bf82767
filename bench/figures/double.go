package main

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// doubleLaws lists the kinds of hashing in the figure about the cost of double hashing. If the field prime is set, the
// number of bits of a filter, or of each of its parts, is the largest prime below a power of two.
var doubleLaws = []struct {
	bloomproof.Hashing
	name  string
	prime bool
	parts bool // true if the filter has one part for each position
	color shade
}{
	{bloomproof.Double, "steps from 1, m prime", true, false, blue},
	{bloomproof.DoubleZero, "steps from 0", false, false, red},
	{bloomproof.DoubleOdd, "odd steps", false, false, green},
	{bloomproof.DoublePartitioned, "in slices, of a prime size", true, true, orange},
	{bloomproof.EnhancedDouble, "enhanced", false, false, purple},
	{bloomproof.Triple, "triple, m prime", true, false, gray},
}

const doubleLeast, doubleMost, doubleStep = 6, 24, 2 // exponents of powers of two

// The function doubles draws a figure about the rate with double hashing. It shows how much higher this rate is than
// the rate with standard hashing, as a share of the latter rate. The filters are half full, and each panel has one k.
func doubles(to plan) error {
	s := sheet{title: "What double hashing costs", column: "k", note: "excess over the standard filter's rate at n = m ln 2/k, where above 0"}
	for k := 3; k <= 16; k++ {
		p := panel{value: fmt.Sprint(k), chart: chart{
			title: fmt.Sprintf("k = %d", k), xColumn: "m", x: "m", y: "excess",
			logX: true, logY: true, yMin: 1e-6, yMax: 1e4,
		}}
		for e := doubleLeast; e <= doubleMost; e += doubleStep {
			p.at = append(p.at, math.Exp2(float64(e)))
		}
		for _, l := range doubleLaws {
			line := series{column: l.Hashing.String(), name: l.name, color: l.color}
			for e := doubleLeast; e <= doubleMost; e += doubleStep {
				parts := uint64(1)
				if l.parts {
					parts = uint64(k)
				}
				g := bloomproof.Geometry{M: uint64(1) << e / parts, K: k, Hashing: l.Hashing}
				for l.prime && !new(big.Int).SetUint64(g.M).ProbablyPrime(0) {
					g.M--
				}
				g.M *= parts
				y, err := doubleExcess(g)
				if err != nil {
					return fmt.Errorf("%v: %w", g, err)
				}
				line.y = append(line.y, y)
			}
			p.series = append(p.series, line)
		}
		s.panels = append(s.panels, p)
	}
	return s.save(to.base("double-hashing"))
}

// doubleExcess returns r/s - 1, where r is the rate of g and s is the rate of the standard filter, both at half fill.
// It returns NaN if the result is not positive, or if the enclosure of r is so wide that the result could be wrong by
// more than a tenth of its value.
func doubleExcess(g bloomproof.Geometry) (float64, error) {
	n := max(1, uint64(math.Round(float64(g.M)*math.Ln2/float64(g.K))))
	f, _, err := exact.FPR(g, n, 53, exact.Auto)
	if errors.Is(err, bloomproof.ErrTooCostly) {
		if f, _, err = exact.FPR(g, n, 53, "pairs"); errors.Is(err, bloomproof.ErrUndefined) {
			return math.NaN(), nil
		}
	}
	if err != nil {
		return 0, err
	}
	standard, _, err := exact.FPR(bloomproof.Geometry{M: g.M, K: g.K}, n, 53, exact.Auto)
	if err != nil {
		return 0, err
	}
	lo, hi := f.Lo(), f.Hi()
	low, _ := lo.Float64()
	high, _ := hi.Float64()
	x, open := (low+high)/2/standard.Float64()-1, (high-low)/2/standard.Float64()
	if x > 0 && open <= x/10 {
		return x, nil
	}
	return math.NaN(), nil
}
