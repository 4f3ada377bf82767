package main

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// doubleLaws are the hashings in the figure of what double hashing costs. The bits of a filter, or of
// its parts, are the largest prime below a power of two where prime is set.
var doubleLaws = []struct {
	bloomproof.Hashing
	name  string
	prime bool
	parts bool // one for each position
	most  int  // the largest power of two
	color shade
}{
	{bloomproof.Double, "steps from 1, m prime", true, false, doubleMost, blue},
	{bloomproof.DoubleZero, "steps from 0", false, false, doubleMost, red},
	{bloomproof.DoubleOdd, "odd steps", false, false, doubleMost, green},
	{bloomproof.DoublePartitioned, "in slices, of a prime size", true, true, doubleMost, orange},
	{bloomproof.EnhancedDouble, "enhanced", false, false, 10, purple},
}

const doubleLeast, doubleMost, doubleStep = 6, 24, 2 // powers of two

// doubles draws by how much double hashing errs more often than the standard filter at half fill, for some k.
func doubles(to plan) error {
	s := sheet{title: "What double hashing costs", column: "k", note: "excess of the rate over the standard filter's, n = m ln 2/k; none where it is below 0"}
	for _, k := range []int{3, 5, 7, 10, 12} {
		p := panel{value: fmt.Sprint(k), chart: chart{
			title: fmt.Sprintf("k = %d", k), xColumn: "m", x: "m", y: "excess",
			logX: true, logY: true, yMin: 1e-6, yMax: 1e3,
		}}
		for e := doubleLeast; e <= doubleMost; e += doubleStep {
			p.at = append(p.at, math.Exp2(float64(e)))
		}
		for _, l := range doubleLaws {
			line := series{column: l.Hashing.String(), name: l.name, color: l.color}
			for e := doubleLeast; e <= doubleMost; e += doubleStep {
				y := math.NaN()
				if e <= l.most {
					parts := uint64(1)
					if l.parts {
						parts = uint64(k)
					}
					g := bloomproof.Geometry{M: uint64(1) << e / parts, K: k, Hashing: l.Hashing}
					for l.prime && !new(big.Int).SetUint64(g.M).ProbablyPrime(0) {
						g.M--
					}
					g.M *= parts
					var err error
					if y, err = doubleExcess(g); err != nil {
						return err
					}
				}
				line.y = append(line.y, y)
			}
			p.series = append(p.series, line)
		}
		s.panels = append(s.panels, p)
	}
	return s.save(to.base("double-hashing"))
}

// doubleExcess returns the rate at half fill over that of the standard filter, less 1, or NaN if it is not above it.
func doubleExcess(g bloomproof.Geometry) (float64, error) {
	n := max(1, uint64(math.Round(float64(g.M)*math.Ln2/float64(g.K))))
	f, _, err := exact.FPR(g, n, 53, exact.Auto)
	if err != nil {
		return 0, err
	}
	standard, _, err := exact.FPR(bloomproof.Geometry{M: g.M, K: g.K}, n, 53, exact.Auto)
	if err != nil {
		return 0, err
	}
	if x := f.Float64()/standard.Float64() - 1; x > 0 {
		return x, nil
	}
	return math.NaN(), nil
}
