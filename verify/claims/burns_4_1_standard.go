package claims

import (
	"fmt"
	"math/big"
)

// cutDown encloses n ln(1/f), where f is the rate. This is m ln 2 times the efficiency (n/m) log2(1/f).
type cutDown struct{ lo, hi *big.Rat }

func cutDownOf(n int, f *big.Rat) cutDown {
	lo, hi := ln(f)
	return cutDown{mul(whole(-n), hi), mul(whole(-n), lo)}
}

// above reports whether c is certainly above d.
func (c cutDown) above(d cutDown) bool { return c.lo.Cmp(d.hi) > 0 }

// atPeak returns the largest efficiency for a given k, and the n at which it occurs. It tries all n up to 2m/k + 3.
// That is more than twice n = (m/k) ln 2, which is the textbook's choice.
func atPeak(m, k int, rate func(m, n, k int) *big.Rat) (at int, peak cutDown) {
	for n := 1; n <= 2*m/k+3; n++ {
		if c := cutDownOf(n, rate(m, n, k)); n == 1 || c.above(peak) {
			at, peak = n, c
		}
	}
	return at, peak
}

// fill returns E[(X/m)^r]. n balls fall into m urns, and X is the number of urns that they occupy.
func fill(m, n, r int) *big.Rat { return quo(classicPower(m, n, r), ipow(m, r)) }

// heldBalls is the domain of n balls in m urns, together with the order k of a moment.
var heldBalls = domain{number("m", 1).by(8, 16).upTo(60), number("n", 1).by(10, 24).upTo(80), number("k", 1).by(5, 10).upTo(16)}

var burns411 = []claim{
	burns4Range, burnsEq69, burnsEq70, burns41PeakBloom, burns41PeakExponential, burns41Near,
	burns41Bounded, burnsEq71, burnsEq72, burnsEq73, burnsEq73Equality, burns41Monotone, burnsEq74,
	burnsCor27Proof, burnsCor27One, burnsFig9,
}

var burns4Range = claim{
	ID: "burns.4.range", Ref: "Section 4, after Walker",
	Statement:      "0 < efficiency <= 1, efficiency = (n/m) log2(1/p)",
	Verdict:        Conditional,
	Counterexample: "the rate is 1, the efficiency 0",
	How:            "n ln(1/f) <= m ln 2 and f < 1; the upper bound holds for all filters",
	parts: func() []part {
		every := domain{burnsHashings, smallFilters[0], number("n", 1).by(5, 12).upTo(80), smallFilters[2], classicFits}
		room := where("m >= 2, k < m classic", "hashing m k", func(x point) bool { return x[1] > 1 && (x[0] == 0 || x[2] < x[1]) })
		positive := func(p point) (float64, error) {
			return strictGap(constructions[p[0]].rate(p.int(1), p.int(2), p.int(3)), whole(1)), nil
		}
		two, _ := ln(whole(2))
		atMostOne := func(p point) (float64, error) {
			return gap(cutDownOf(p.int(2), constructions[p[0]].rate(p.int(1), p.int(2), p.int(3))).hi, mul(whole(p.int(1)), two)), nil
		}
		return []part{
			fails(point{0, 1, 1, 1}, every, lawOf(positive)),
			keeps(with(every, room), func(p point) (float64, error) {
				a, err1 := positive(p)
				b, err2 := atMostOne(p)
				return min(a, b), first(err1, err2)
			}),
			keeps(every, atMostOne).on("efficiency <= 1"),
		}
	},
}

var burnsEq69 = claim{
	ID: "burns.eq69", Ref: "Section 4.1, Corollary 25, (69)",
	Statement: "efficiency_S = (nk/m) log2 m - (n/m) log2 E[X_S^k]",
	Verdict:   Confirmed,
	How:       "as f_S = E[X^k]/m^k against the enumeration of states and positions",
	parts: func() []part {
		return []part{
			holdsOn(enumerable, standardFilter.rates(func(m, n, k int, f *big.Rat) error {
				return same(mul(f, ipow(m, k)), classicPower(m, n*k, k))
			})),
		}
	},
}

var burnsEq70 = claim{
	ID: "burns.eq70", Ref: "Section 4.1, Corollary 25, (70)",
	Statement: "efficiency_C = (n/m) log2 C(m,k) - (n/m) log2 E[C(X_C,k)]",
	Verdict:   Confirmed,
	How:       "as f_C = E[C(X,k)]/C(m,k) against the enumeration of states and positions",
	parts: func() []part {
		return []part{
			holdsOn(classicEnumerable, classicFilter.rates(func(m, n, k int, f *big.Rat) error {
				return same(mul(f, ichoose(m, k)), mean(occupied(m, repeat(k, n)...), func(i int) *big.Rat { return ichoose(i, k) }))
			})),
		}
	},
}

var burns41PeakBloom = claim{
	ID: "burns.4.1.peak-bloom", Ref: "Section 4.1, peak efficiency by M",
	Statement: "with M for f the peak efficiency over n is ln 2/(m ln(m/(m-1))) at n = ln 2/(k ln(m/(m-1))), for each k",
	Verdict:   Confirmed,
	How:       "with y = (1-1/m)^(kn) the efficiency is ln y ln(1-y)/(m ln 2 ln(m/(m-1))), which does not contain k: ln y ln(1-y) < (ln 2)^2 for y not 1/2",
	parts: func() []part {
		_, top := squareOfLn2()
		return []part{
			holdsOn(with(offHalf, through("m >= 2, 1 <= k <= m, n real")), belowHalf),
			holdsOn(domain{number("m", 2).by(12, 40).upTo(300), number("k", 1).under("m").by(4, 8).upTo(40)}, func(p point) error {
				m, k := p.int(0), p.int(1)
				_, step := ln(rat(m, m-1))
				for n := 1; n <= 2*m/k+2; n++ {
					if err := atMost(mul(cutDownOf(n, bloomRate(m, n, k)).hi, step), top); err != nil && (m > 2 || n*k > 1) {
						return fmt.Errorf("n=%d: %w", n, err)
					}
				}
				return nil
			}).on("whole n").tried(4, 100),
		}
	},
}

var burns41PeakExponential = claim{
	ID: "burns.4.1.peak-exponential", Ref: "Section 4.1, peak efficiency by E",
	Statement: "with E for f the peak efficiency over n is ln 2 at n = (m/k) ln 2, for each k",
	Verdict:   Confirmed,
	How:       "with y = e^(-kn/m) the efficiency is ln y ln(1-y)/ln 2, which contains neither k nor m: ln y ln(1-y) < (ln 2)^2 for y not 1/2",
	parts: func() []part {
		return []part{holdsOn(with(offHalf, through("m, k >= 1, n real")), belowHalf)}
	},
}

var burns41Near = claim{
	ID: "burns.4.1.near", Ref: "Section 4.1",
	Statement: "ln(m/(m-1)) is approximately 1/m",
	Verdict:   Confirmed,
	How:       "1/m < ln(m/(m-1)) < 1/(m-1)",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 2).by(300, 100000).upTo(1 << 60)}, func(p point) error {
				lo, hi := ln(rat(p.int(0), p.int(0)-1))
				return first(below(rat(1, p.int(0)), lo), below(hi, rat(1, p.int(0)-1)))
			}),
		}
	},
}

var burns41Bounded = claim{
	ID: "burns.4.1.bounded", Ref: "Section 4.1",
	Statement: "the efficiency of a standard filter is at most ln 2",
	Verdict:   Confirmed,
	How:       "rationals",
	parts: func() []part {
		lo, _ := squareOfLn2()
		return []part{keeps(domain{number("m", 1).by(14, 40).upTo(250), number("n", 1).by(14, 40).upTo(250), number("k", 1).by(14, 40).upTo(60)}, func(p point) (float64, error) {
			m, n, k := p.int(0), p.int(1), p.int(2)
			return gap(cutDownOf(n, rateS(m, n, k)).hi, mul(whole(m), lo)), nil
		})}
	},
}

var burnsEq71 = claim{
	ID: "burns.eq71", Ref: "Section 4.1.1, Theorem 26, (71)",
	Statement: "efficiency_S(m, n/k, k) > efficiency_S(m, n/(k+1), k+1), n the number of balls",
	Verdict:   Confirmed,
	How:       "as E[(X/m)^k]^(k+1) < E[(X/m)^(k+1)]^k, n the number of balls; equality for n = 1 and m = 1",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 2).by(8, 16).upTo(60), number("n", 2).by(10, 24).upTo(80), number("k", 1).by(5, 10).upTo(16)}, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				left, right := pow(fill(m, n, k), k+1), pow(fill(m, n, k+1), k)
				return below(left, right)
			}),
		}
	},
}

var burnsEq72 = claim{
	ID: "burns.eq72", Ref: "Section 4.1.1, proof of Theorem 26, (72)",
	Statement: "f_S(m, n/(k+1), k+1)^(1/(k+1)) = E[(X/m)^(k+1)]^(1/(k+1)) = E[X^(k+1)]^(1/(k+1))/m, n balls",
	Verdict:   Confirmed,
	How:       "f_S by (56) against the moment of n balls",
	parts: func() []part {
		return []part{
			holdsOn(heldBalls, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				return same(rateS(m, n/(k+1), k+1), fill(m, n, k+1))
			}).in(where("k+1 divides n", "n k", func(x point) bool { return x[0]%(x[1]+1) == 0 })),
		}
	},
}

var burnsEq73 = claim{
	ID: "burns.eq73", Ref: "Section 4.1.1, proof of Theorem 26, (73)",
	Statement: "E[X^(k+1)]^(1/(k+1)) >= E[X^k]^(1/k), and E[(Z/m)^k] = f_S(m, n/k, k) for as many balls",
	Verdict:   Confirmed,
	How:       "E[X^k]^(k+1) <= E[X^(k+1)]^k",
	parts: func() []part {
		return []part{
			holdsOn(heldBalls, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				err := atMost(pow(classicPower(m, n, k), k+1), pow(classicPower(m, n, k+1), k))
				if n%k == 0 {
					err = first(err, same(rateS(m, n/k, k), fill(m, n, k)))
				}
				return err
			}),
		}
	},
}

var burnsEq73Equality = claim{
	ID: "burns.eq73.equality", Ref: "Section 4.1.1, after (73)",
	Statement:      "equality holds in (73) when P[X = i | m, n, k] is a constant for i in [m], e.g. when n = 1",
	Verdict:        Refuted,
	Counterexample: "P[X = 1] = P[X = 2] = 1/2, but E[X] = 3/2 and E[X^2]^(1/2) = (5/2)^(1/2) = 1.58",
	Repair:         "equality holds when X itself is a constant, P[X = i] = 1 for one i: for n = 1 or m = 1 only",
	Argument: [2]string{
		"Hoelder's inequality is an equality for a constant variable, not for a uniform one.",
		"For n = 1, X = 1 surely, and P[X = i] is 1, 0, 0, ...: not a constant in i for m >= 2.",
	},
	How: "equality exactly for n = 1 or m = 1",
	parts: func() []part {
		equal := func(p point) bool {
			m, n, k := p.int(0), p.int(1), p.int(2)
			return pow(classicPower(m, n, k), k+1).Cmp(pow(classicPower(m, n, k+1), k)) == 0
		}
		uniform := where("P[X = i] the same for all i in 1..min(m,n)", "m n", func(x point) bool {
			pmf := occupied(x.int(0), repeat(1, x.int(1))...)
			for i := 2; i <= min(x.int(0), x.int(1)); i++ {
				if pmf[i].Cmp(pmf[1]) != 0 {
					return false
				}
			}
			return true
		})
		return []part{
			fails(point{2, 2, 1}, with(heldBalls, uniform), func(p point) error { return holds(equal(p), "no equality") }),
			comesOut("P[X = 1] = P[X = 2], E[X] = 3/2, E[X^2] = 5/2 there", func() error {
				pmf := occupied(2, 1, 1)
				return first(same(pmf[1], pmf[2]), same(classicPower(2, 2, 1), rat(3, 2)), same(classicPower(2, 2, 2), rat(5, 2)))
			}),
			holdsOn(heldBalls, func(p point) error {
				return holds(equal(p) == (p[1] == 1 || p[0] == 1), "equality: %v", equal(p))
			}),
		}
	},
}

var burns41Monotone = claim{
	ID: "burns.4.1.monotone", Ref: "Sections 1.2, 1.3 and 4.1.1",
	Statement:      "the peak efficiency over n of a standard filter decreases as k increases",
	Verdict:        Conditional,
	Counterexample: "the peak is 0.5911 for k = 3 and 0.5947 for k = 4, both at n = 1",
	How:            "for any numbers of balls: by Theorem 26 each is beaten by k = 1, 2, ... with as many (n real, n k the number of balls); for whole numbers n of items it fails",
	parts:          standardPeaks,
}

var burnsEq74 = claim{
	ID: "burns.eq74", Ref: "Section 4.1.1, Corollary 27, (74)",
	Statement: "the largest efficiency of a standard filter of m bits is 1/(m log2(m/(m-1))), at k = 1, n = 1/log2(m/(m-1)) and p = 1/2 only",
	Verdict:   Confirmed,
	How:       "n ln(1/f_S) ln(m/(m-1)) < (ln 2)^2 for whole n and every k, except m = 2, n = k = 1, where f = 1/2: a whole n reaches the largest efficiency for m = 2 only",
	parts: func() []part {
		top, _ := squareOfLn2()
		return []part{
			keeps(domain{number("m", 2).by(14, 40).upTo(250), number("n", 1).by(14, 40).upTo(250), number("k", 1).by(14, 40).upTo(60), where("not m = 2, n = k = 1", "m n k", func(x point) bool {
				return x[0] > 2 || x[1] > 1 || x[2] > 1
			})}, func(p point) (float64, error) {
				m, n, k := p.int(0), p.int(1), p.int(2)
				_, step := ln(rat(m, m-1))
				return strictGap(mul(cutDownOf(n, rateS(m, n, k)).hi, step), top), nil
			}),
			comesOut("f_S(2,1,1) = 1/2", func() error { return same(rateS(2, 1, 1), rat(1, 2)) }),
		}
	},
}

var burnsCor27Proof = claim{
	ID: "burns.cor27.proof", Ref: "Section 4.1.1, proof of Corollary 27",
	Statement: "g(n) = (1-x^n)^(-n), x = 1-1/m, has g'(n) = (x^n ln x^n - (1-x^n) ln(1-x^n))/(1-x^n)^(n+1), 0 only at x^n = 1/2",
	Verdict:   Confirmed,
	How:       "the bracket y ln y - (1-y) ln(1-y), y = x^n, is negative below y = 1/2 and positive above (y falls as n grows, so g rises, then falls); the derivative by ln g = -n ln(1-x^n)",
	parts: func() []part {
		return []part{holdsOn(with(offHalf, through("m >= 2, n > 0 real")), func(p point) error {
			y := new(big.Rat).SetFloat64(p.real(0))
			z := sub(whole(1), y)
			lo, hi := ln(y)
			lo2, hi2 := ln(z)
			if p.real(0) > 0.5 {
				return below(new(big.Rat), sub(mul(y, lo), mul(z, hi2)))
			}
			return below(sub(mul(y, hi), mul(z, lo2)), new(big.Rat))
		})}
	},
}

var burnsCor27One = claim{
	ID: "burns.cor27.one", Ref: "Section 4.1.1, proof of Corollary 27, first display",
	Statement: "efficiency_S(m,n,1) = ln (1-(1-1/m)^n)^(-n)/(m ln 2)",
	Verdict:   Confirmed,
	How:       "as f_S(m,n,1) = 1-(1-1/m)^n",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(20, 60).upTo(150), number("n", 1).by(20, 60).upTo(150)}, func(p point) error {
				m, n := p.int(0), p.int(1)
				return same(standardRate(m, n, 1), sub(whole(1), pow(rat(m-1, m), n)))
			}),
		}
	},
}

var burnsFig9 = claim{
	ID: "burns.fig9", Ref: "Section 4.1.1, Figure 9",
	Statement: "m = 100: the largest efficiency of a standard filter is 0.69, at n = 69, k = 1",
	Verdict:   Confirmed,
	How:       "k = 1, every n <= 203; k = 2..20 by Theorem 26, and k = 2, 3 again",
	parts: func() []part {
		return []part{holdsOn(domain{exactly("m", 100), number("k", 1).to(20)}, func(point) error {
			n, peak := atPeak(100, 1, rateS)
			l, _ := ln(whole(2))
			err := first(holds(n == 69, "peak at n=%d", n), roundsRat(quo(peak.lo, mul(whole(100), l)), "0.69"))
			for k := 2; k <= 3 && err == nil; k++ {
				_, other := atPeak(100, k, rateS)
				err = holds(peak.above(other), "k=%d is not below", k)
			}
			return err
		})}
	},
}

func standardPeaks() []part {
	return []part{
		fails(point{7, 3}, domain{number("m", 2).by(8, 8), number("k", 1).by(7, 7)}, func(p point) error {
			_, now := atPeak(p.int(0), p.int(1), rateS)
			_, next := atPeak(p.int(0), p.int(1)+1, rateS)
			return holds(now.above(next), "peak not above that of k+1")
		}),
		keeps(with(heldBalls, through("n the number of balls")), func(p point) (float64, error) {
			m, n, k := p.int(0), p.int(1), p.int(2)
			return gap(pow(fill(m, n, k), k+1), pow(fill(m, n, k+1), k)), nil
		}),
	}
}
