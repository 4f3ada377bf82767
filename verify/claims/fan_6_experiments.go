package claims

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// fanBits are the sizes m of the filters of section 6, which hold at most m/5 items.
var fanBits = []uint64{500e6, 7.5e6, 0.85e6, 1.15e6}

// fanShapes is the domain of the pairs (m, n) of the figures in section 6: n from 3m/50 to m/5, and m from 3n to 10n.
var fanShapes = domain{
	either("size", "m up to 500M", "7.5M", "0.85M", "1.15M"), number("share", 30).to(100).over(100).among(8, 30, 40, 50, 60, 70, 80, 90, 100),
	either("figure", "n = share m/5", "share m bits for n = m/10"),
}

func fanShape(p point) (m, n uint64) {
	m = fanBits[p.int(0)]
	if p[2] == 1 {
		return m / 100 * uint64(p.int(1)), m / 10
	}
	return m, m / 500 * uint64(p.int(1))
}

// meanRatio returns the mean quotient of Bose's beta and the beta of the bound (19), over points of one figure.
func meanRatio(shape func(m uint64, i int) (bits, n uint64, k int), lo, hi int) (float64, error) {
	total, count := 0.0, 0.0
	for _, m := range fanBits {
		for i := lo; i <= hi; i++ {
			bits, n, k := shape(m, i)
			ours, err1 := errorRatio(upperAt, bits, n, k)
			bose, err2 := errorRatio(boseAt, bits, n, k)
			if err := first(err1, err2); err != nil {
				return 0, err
			}
			total += bose / ours
			count++
		}
	}
	return total / count, nil
}

// ratioClaim returns the claim that, on average, Bose's beta is a stated number of times as large.
func ratioClaim(id, ref, printed string, ours float64, ranges string, lo, hi int, shape func(m uint64, i int) (bits, n uint64, k int)) claim {
	return claim{
		ID: id, Ref: ref,
		Statement: "the error ratio of the bound (19) is " + printed + " times lower than that of Bose's on average",
		Verdict:   Open,
		How:       fmt.Sprintf("over %s the average is %.0f, with Bose's constant taken as 1; it is set by the largest filter, so it says more of the ranges than of the bounds", ranges, ours),
		parts: func() []part {
			return []part{holdsOn(domain{either("ranges", "the ranges of the figure, which are not printed")}, func(point) error {
				got, err := meanRatio(shape, lo, hi)
				if err == nil && math.Abs(got/ours-1) > 1e-3 {
					err = fmt.Errorf("average %g", got)
				}
				return err
			})}
		},
	}
}

var fan6 = []claim{
	fanFig5, fanFig7, fanFig8, fanFig10, fanFig12, fanFig13,
}

var fanFig5 = claim{
	ID: "fan.fig5", Ref: "Sections 6.2.1, 6.2.2, Figures 5 and 6",
	Statement: "the best k by (15) follows the empirically best one very well, and is very close to (9)",
	Verdict:   Confirmed,
	How:       "(15) rounded is the best k of the exact rate or its neighbour, of five k around it; docs/figures/fan-best-k-*.csv has the measured ones",
	parts: func() []part {
		return []part{
			holdsOn(fanShapes, func(p point) error {
				m, n := fanShape(p)
				k15 := -math.Ln2 / float64(n) / math.Log1p(-1/float64(m))
				k9 := float64(m) / float64(n) * math.Ln2
				if math.Abs(k9-k15) > 0.4/float64(n) {
					return fmt.Errorf("(9) %g, (15) %g", k9, k15)
				}
				near := int(math.Round(k15))
				var best int
				var least exact.Enclosure
				for k := max(1, near-2); k <= near+2; k++ {
					f, _, err := exact.FPR(bloomproof.Geometry{M: m, K: k}, n, 64, exact.Auto)
					if err != nil {
						return err
					}
					if order, decided := f.Cmp(least); best == 0 || decided && order < 0 {
						best, least = k, f
					}
				}
				if best < near-1 || best > near+1 {
					return fmt.Errorf("best k %d, (15) %g", best, k15)
				}
				return nil
			}),
		}
	},
}

var fanFig7 = claim{
	ID: "fan.fig7", Ref: "Sections 6.3.1 to 6.3.3, Figures 7, 9 and 11",
	Statement: "the bounds (5) and (20) and the true rate almost coincide",
	Verdict:   Confirmed,
	How:       "k = 6: f_bloom and (19) are within 10^-4 of each other, Bose's within 15 %, with the constant 1: enclosures, all points of the figures with n or m varied; docs/figures/fan-rates-*.csv has the measured rates",
	parts: func() []part {
		return []part{
			holdsOn(fanShapes, func(p point) error {
				m, n := fanShape(p)
				ours, err1 := errorRatio(upperAt, m, n, 6)
				bose, err2 := errorRatio(boseAt, m, n, 6)
				if err := first(err1, err2); err != nil {
					return err
				}
				if ours > 1e-4 || bose > 0.15 || ours <= 0 || bose <= ours {
					return fmt.Errorf("error ratios %g and %g", ours, bose)
				}
				return nil
			}),
		}
	},
}

var fanFig8 = ratioClaim("fan.fig8", "Section 6.3.1, Figure 8", "23070.7", 53796, "n = 0.1 m/5 to m/5 in ten steps, k = 6", 1, 10,
	func(m uint64, i int) (uint64, uint64, int) { return m, m / 50 * uint64(i), 6 })

var fanFig10 = ratioClaim("fan.fig10", "Section 6.3.2, Figure 10", "18838.9", 41545, "0.5 m to 1.5 m in eleven steps, n = m/10, k = 6", 5, 15,
	func(m uint64, i int) (uint64, uint64, int) { return m / 10 * uint64(i), m / 10, 6 })

var fanFig12 = ratioClaim("fan.fig12", "Section 6.3.3, Figure 12", "14571.0", 45801, "k = 3 to 12, n = m/10", 3, 12,
	func(m uint64, i int) (uint64, uint64, int) { return m, m / 10, i })

var fanFig13 = claim{
	ID: "fan.fig13", Ref: "Section 6.4, Figures 13 to 15",
	Statement: "the bounds (26) follow the correct rates of counting filters very well",
	Verdict:   Confirmed,
	How:       "k = 6, each distinct counter incremented once: the bounds differ by less than 10^-5; the literal rate lies below both, by less than 10^-4: enclosures, all points with n or m varied; docs/figures/fan-counting-*.csv has the measured rates of both rules",
	parts: func() []part {
		return []part{
			holdsOn(fanShapes, func(p point) error {
				m, n := fanShape(p)
				g := bloomproof.Geometry{M: m, K: 6}
				c, err1 := exact.CorrectRate(g, n, bloomproof.Distinct, 96)
				literal, err2 := exact.CorrectRate(g, n, bloomproof.Literal, 96)
				low, high, err3 := exact.CorrectRateBounds(g, n, bloomproof.Distinct, 96)
				if err := first(err1, err2, err3); err != nil {
					return err
				}
				if err := first(ordered(*low, c), ordered(c, *high), ordered(literal, c)); err != nil {
					return err
				}
				if gap := high.Float64() - low.Float64(); gap > 1e-5 {
					return fmt.Errorf("the bounds are %g apart", gap)
				}
				if gap := c.Float64() - literal.Float64(); gap > 1e-4 {
					return fmt.Errorf("the literal rate is %g lower", gap)
				}
				return nil
			}),
		}
	},
}
