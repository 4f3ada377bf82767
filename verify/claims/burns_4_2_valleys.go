package claims

import (
	"fmt"
	"math/big"
)

var burns42 = []claim{
	burnsEq78, burnsEq79, burns42Valleys, burns43,
}

var burnsEq78 = claim{
	ID: "burns.eq78", Ref: "Section 4.2, Theorem 31, (78)",
	Statement: "(1-e^(-kx))^k = (1-e^(-(k+1)x))^(k+1) at x = 0 and at one x > 0",
	Verdict:   Confirmed,
	How:       "with z = e^x: the difference is positive for 1 < z below the root of z^(k+1) = z + 1 and negative above, on 400 points up to 4, and within 2^-60 of the root",
	parts:     valleyParts,
}

var burnsEq79 = claim{
	ID: "burns.eq79", Ref: "Section 4.2, Theorem 31, (79)",
	Statement: "x = ln of the nested root z = (1 + (1 + (1 + ...)^(1/(k+1)))^(1/(k+1)))^(1/(k+1)), the root of z^(k+1) - z - 1 = 0",
	Verdict:   Confirmed,
	How:       "for 1 <= z below the root, z < (1+z)^(1/(k+1)) < root, so the nested roots rise to it; the root is that of (78), as above",
	parts:     valleyParts,
}

var burns42Valleys = claim{
	ID: "burns.4.2.valleys", Ref: "Section 4.2",
	Statement: "for given m the efficiency of the best k, as a function of n, is lowest where k and k+1 are equally efficient",
	Verdict:   Confirmed,
	How:       "every n that is less efficient than both neighbours lies at a change of the best k",
	parts: func() []part {
		return []part{
			holdsOn(domain{burnsHashings, number("m", 4).by(22, 48).upTo(70), through("2 <= n <= m ln 2")}, func(p point) error {
				m := p.int(1)
				type point struct {
					k   int
					eff cutDown
				}
				var points []point
				for n := 1; textbook(m, n-1, 1) && n <= m; n++ {
					k, f := bestS(m, n)
					if p[0] == 1 {
						k, f = bestC(m, n)
					}
					points = append(points, point{k[0], cutDownOf(n, f)})
				}
				for i := 1; i+1 < len(points); i++ {
					a, b, c := points[i-1], points[i], points[i+1]
					if a.eff.above(b.eff) && c.eff.above(b.eff) && a.k == c.k {
						return fmt.Errorf("n=%d: valley within k=%d", i+1, b.k)
					}
				}
				return nil
			}).tried(1, 12),
		}
	},
}

var burns43 = claim{
	ID: "burns.4.3", Ref: "Section 4.3",
	Statement:      "a classic filter of one item is compressed to at most log2 C(m,k) bits, so its efficiency is 1 for all k <= m/2",
	Verdict:        Conditional,
	Counterexample: "three arrays need 2 bits, and the efficiency is (1/2) log2 3 = 0.79",
	How:            "f_C = 1/C(m,k); bits counted as log2 C(m,k): in whole bits it is so only where C(m,k) is a power of 2",
	parts: func() []part {
		arrays := domain{number("m", 2).by(40, 200).upTo(1000), number("k", 1).by(20, 100).upTo(300), where("k <= m/2", "m k", func(x point) bool { return 2*x[1] <= x[0] })}
		return []part{
			fails(point{3, 1}, with(arrays, through("whole bits")), func(p point) error {
				return same(ichoose(p.int(0), p.int(1)), ipow(2, bitsFor(ichoose(p.int(0), p.int(1)).Num())))
			}),
			holdsOn(arrays, func(p point) error {
				m, k := p.int(0), p.int(1)
				b := bitsFor(ichoose(m, k).Num())
				return first(same(rateC(m, 1, k), quo(whole(1), ichoose(m, k))), atMost(ichoose(m, k), ipow(2, b)), below(ipow(2, max(b-1, 0)), mul(whole(2), ichoose(m, k))))
			}),
		}
	},
}

// valleyParts returns the parts of the claims Burns (78) and (79).
func valleyParts() []part {
	return []part{holdsOn(domain{number("k", 1).by(6, 12).upTo(24)}, func(p point) error {
		k := p.int(0)
		trinomial := func(z *big.Rat) int { return sub(pow(z, k+1), add(z, whole(1))).Sign() }
		difference := func(z *big.Rat) int {
			y := quo(whole(1), z)
			left := pow(sub(whole(1), pow(y, k)), k)
			return left.Cmp(pow(sub(whole(1), pow(y, k+1)), k+1))
		}
		lo, hi := whole(1), whole(2) // trinomial(1) < 0 < trinomial(2)
		for range 62 {
			middle := quo(add(lo, hi), whole(2))
			if trinomial(middle) < 0 {
				lo = middle
			} else {
				hi = middle
			}
		}
		var points []*big.Rat
		for i := 1; i <= 400; i++ {
			points = append(points, add(whole(1), rat(3*i, 400)))
		}
		if difference(whole(1)) != 0 {
			return fmt.Errorf("x = 0 is no solution")
		}
		for _, z := range append(points, lo, hi) {
			if trinomial(z) != -difference(z) {
				return fmt.Errorf("z=%s: the trinomial has sign %d, the difference %d", short(z), trinomial(z), difference(z))
			}
		}
		return nil
	})}
}
