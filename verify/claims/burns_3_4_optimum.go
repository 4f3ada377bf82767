package claims

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// squareOfLn2 encloses (ln 2)^2.
func squareOfLn2() (lo, hi *big.Rat) {
	lo, hi = ln(whole(2))
	return mul(lo, lo), mul(hi, hi)
}

// textbook reports whether k <= (m/n) ln 2. The two sides are never equal.
func textbook(m, n, k int) bool {
	lo, _ := ln(whole(2))
	return rat(k*n, m).Cmp(lo) < 0
}

// roomyFilters are the filters of Burns, Conjecture 24.
var roomyFilters = domain{
	number("m", 1).by(27, 64).upTo(330), number("n", 1).under("m").by(27, 64).upTo(330),
	where("m/n >= 1/ln 2", "m n", func(x point) bool { return roomy(x.int(0), x.int(1)) }),
}

// sparseOptimum is the proof that k = 1 is best where m/n < 1/ln 2. Let f(k) be the rate at k, and let q = (1-1/m)^n,
// which is below e^(-n/m) < 1/2. For k >= 2, some position is clear with probability 1 - f(k) < k q^k. Since k <=
// 2^(k-1), this is at most q = 1 - f(1). For the classic filter the same follows from (1-k/m)^n <= q^k.
var sparseOptimum = &proof{
	words: "1 - f < k q^k <= q = 1 - f(1) for q = (1-1/m)^n < 1/2",
	file:  "verify/claims/burns_3_4_optimum.go", mark: "// sparseOptimum is the proof",
}

// classicFits is the condition that a filter exists: a classic filter needs k <= m.
var classicFits = where("k <= m classic", "hashing m k", func(x point) bool { return x[0] == 0 || x[2] <= x[1] })

// roomy reports whether m/n >= 1/ln 2, so that k = 1 is not above the textbook's k.
func roomy(m, n int) bool { return textbook(m, n, 1) }

// conjecture turns a law on the best k of both filters into a law on points. It skips points at which finding the best
// k takes too long.
func conjecture(law func(m, n int, kC, kS []int) error) func(p point) error {
	return func(p point) error {
		m, n := p.int(0), p.int(1)
		if n > 2*m || m > 64 && m/n > 12 {
			return errOutside
		}
		kC, _ := bestC(m, n)
		kS, _ := bestS(m, n)
		return law(m, n, kC, kS)
	}
}

func least(k []int) int { return k[0] }
func most(k []int) int  { return k[len(k)-1] }

// holds returns an error with the given message unless ok is true.
func holds(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, args...)
}

var burns34 = []claim{
	burns34M, burns34N, burns34Kstar, burns34Nmax, burns34Mmin, burnsEq66, burnsEq67, burnsEq67Zero,
	burns34Sign, burnsEq68, burnsFig7, burnsFig8, burnsExample64, burnsConj24Low, burnsConj24Order,
	burnsConj24High, burnsConj24One,
}

var burns34M = claim{
	ID: "burns.3.4.m", Ref: "Section 3.4, item 1",
	Statement: "the rate decreases when m increases",
	Verdict:   Confirmed,
	How:       "rationals, strictly",
	parts: func() []part {
		return []part{keeps(with(domain{burnsHashings, smallFilters[0], number("n", 1).by(5, 12).upTo(80), smallFilters[2]}, classicFits), func(p point) (float64, error) {
			f := constructions[p[0]].rate
			return strictGap(f(p.int(1)+1, p.int(2), p.int(3)), f(p.int(1), p.int(2), p.int(3))), nil
		})}
	},
}

var burns34N = claim{
	ID: "burns.3.4.n", Ref: "Section 3.4, item 2",
	Statement: "the rate decreases when n decreases",
	Verdict:   Confirmed,
	How:       "rationals, strictly; m = 1, and k = m for classic hashing, is full after one item",
	parts: func() []part {
		room := where("k < m classic", "hashing m k", func(x point) bool { return x[0] == 0 || x[2] < x[1] })
		return []part{keeps(domain{burnsHashings, number("m", 2).by(10, 24).upTo(300), smallFilters[1], smallFilters[2], room}, func(p point) (float64, error) {
			f := constructions[p[0]].rate
			return strictGap(f(p.int(1), p.int(2), p.int(3)), f(p.int(1), p.int(2)+1, p.int(3))), nil
		})}
	},
}

var burns34Kstar = claim{
	ID: "burns.3.4.kstar", Ref: "Section 3.4, item 3 and the display of f*",
	Statement: "for given m and n there is a best k, with f*(m,n) <= f(m,n,k) for all k",
	Verdict:   Confirmed,
	How:       "the least over k <= 2 m/n + 3 is the least over k <= 4 m/n + 8; beyond, f_S >= M >= 1 - k (1-1/m)^(nk) tends to 1; it need not be the only one: f_S(3,1,1) = f_S(3,1,2), f_C(m,1,k) = f_C(m,1,m-k)",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 2).by(8, 24).upTo(120), number("n", 1).under("m").by(8, 24).upTo(120)}, func(p point) error {
				m, n := p.int(0), p.int(1)
				if 4*m/n > mostRates {
					return errOutside
				}
				_, s := bestS(m, n)
				_, wide := best(4*m/n+8, func(k int) *big.Rat { return rateS(m, n, k) })
				_, c := bestC(m, n)
				_, wideC := best(m, func(k int) *big.Rat { return rateC(m, n, k) })
				return first(same(s, wide), same(c, wideC), same(rateC(m, 1, 1), rateC(m, 1, m-1)))
			}),
		}
	},
}

var burns34Nmax = claim{
	ID: "burns.3.4.nmax", Ref: "Section 3.4, the display of n_max",
	Statement:      "the maximum n_max for given m and p is such that f*(m,n) > p for all n >= n_max",
	Verdict:        Misprint,
	Counterexample: "f*(2,1) = 1/2 and f*(2,2) = 3/4; the display gives n_max = 2, whose rate is above p",
	Repair:         "n_max is the largest n with f*(m,n) <= p; then f* > p for all n > n_max",
	Argument: [2]string{
		"The display puts n_max itself among the n with a rate above p.",
		"f* grows with n, so the n with f* <= p are 1 to n_max, and the display describes n_max + 1.",
	},
	How: "f* grows with n, and the display's number is the largest n with f* <= p, plus 1",
	parts: func() []part {
		largest := func(m int, target *big.Rat) (n int, err error) {
			before := new(big.Rat)
			for i := 1; i <= 2*m; i++ {
				_, f := bestS(m, i)
				if err := below(before, f); err != nil {
					return 0, err
				}
				if before = f; f.Cmp(target) <= 0 {
					n = i
				}
			}
			return n, nil
		}
		sizes := domain{burnsHashings.only(0), number("m", 2).by(8, 16).upTo(24), between("p", 0, 1).above().less().at(4, 0.5, 0.25, 0.125, 0.0625).tried(1e-3, 0.95)}
		return []part{
			breaks(point{0, 2, codeOf(0.5)}, sizes, func(p point) error { // as printed, n_max + 1 is the maximum, so it must meet p
				n, err := largest(p.int(1), new(big.Rat).SetFloat64(p.real(2)))
				_, printed := bestS(p.int(1), n+1)
				return first(err, atMost(printed, new(big.Rat).SetFloat64(p.real(2))))
			}),
			comesOut("n_max = 1 and f*(2,2) = 3/4 at m = 2, p = 1/2", func() error {
				n, err := largest(2, rat(1, 2))
				_, f := bestS(2, 2)
				return first(err, holds(n == 1, "n_max %d", n), same(f, rat(3, 4)))
			}),
			holdsOn(sizes, func(p point) error {
				target := new(big.Rat).SetFloat64(p.real(2))
				n, err := largest(p.int(1), target)
				_, next := bestS(p.int(1), n+1)
				return first(err, below(target, next))
			}).tried(2, 60),
		}
	},
}

var burns34Mmin = claim{
	ID: "burns.3.4.mmin", Ref: "Section 3.4, the display of m_min",
	Statement:      "the minimum m_min for given n and p is such that f*(m,n) > p for all m <= m_min",
	Verdict:        Misprint,
	Counterexample: "f*(1,1) = 1 and f*(2,1) = 1/2; the display gives m_min = 1, whose rate is 1",
	Repair:         "m_min is the smallest m with f*(m,n) <= p; then f* > p for all m < m_min",
	Argument: [2]string{
		"The display puts m_min itself among the m with a rate above p.",
		"f* falls with m, so the display describes m_min - 1.",
	},
	How: "f* falls with m, and the display's number is the smallest m with f* <= p, less 1",
	parts: func() []part {
		smallest := func(n int, target *big.Rat) (m int, rate, before *big.Rat, err error) {
			before = whole(2)
			for m := 1; ; m++ {
				_, f := bestS(m, n)
				if err := below(f, before); err != nil || f.Cmp(target) <= 0 {
					return m, f, before, err
				}
				before = f
			}
		}
		items := domain{burnsHashings.only(0), number("n", 1).by(3, 6).upTo(10), between("p", 0, 1).above().less().at(4, 0.5, 0.25, 0.125, 0.0625).tried(1e-2, 0.95)}
		return []part{
			breaks(point{0, 1, codeOf(0.5)}, items, func(p point) error { // as printed, m_min - 1 is the minimum, so it must meet p
				target := new(big.Rat).SetFloat64(p.real(2))
				_, _, printed, err := smallest(p.int(1), target)
				return first(err, atMost(printed, target))
			}),
			comesOut("m_min = 2 at n = 1, p = 1/2", func() error {
				m, _, before, err := smallest(1, rat(1, 2))
				return first(err, holds(m == 2, "m_min %d", m), same(before, whole(1)))
			}),
			holdsOn(items, func(p point) error {
				target := new(big.Rat).SetFloat64(p.real(2))
				_, f, before, err := smallest(p.int(1), target)
				return first(err, atMost(f, target), below(target, before))
			}).tried(2, 60),
		}
	},
}

var burnsEq66 = claim{
	ID: "burns.eq66", Ref: "Section 3.4, (66)",
	Statement: "f_C and f_S are approximately (1-e^(-nk/m))^k",
	Verdict:   Confirmed,
	How:       "the relative error falls like 1/m for fixed n/m and k: k = 7, m = 10n, to less than an 8th from m to 10m",
	parts: func() []part {
		miss := func(h, m int) (*big.Rat, error) {
			f, err1 := constructions[h].enclosed(uint64(m), uint64(m/10), 7)
			e, err2 := exponentialAt(uint64(m), uint64(m/10), 7, exact.PrecFor(30))
			if err := first(err1, err2); err != nil {
				return nil, err
			}
			return relative(e, f), nil
		}
		return []part{
			holdsOn(domain{burnsHashings, exactly("k", 7), number("m/10", 10).among(2, 10, 100, 1000, 10000).upTo(30000), through("m large against k^2")}, func(p point) error {
				now, err1 := miss(p.int(0), 10*p.int(2))
				next, err2 := miss(p.int(0), 100*p.int(2))
				return first(err1, err2, below(next, quo(now, whole(8))))
			}).tried(2, 60),
			comesOut("below 0.4 at m = 100, for both", func() error {
				for h := range 2 {
					x, err := miss(h, 100)
					if err := first(err, below(x, rat(4, 10))); err != nil {
						return err
					}
				}
				return nil
			}),
		}
	},
}

var burnsEq67 = claim{
	ID: "burns.eq67", Ref: "Section 3.4, (67)",
	Statement:      "k* = min_k f(m,n,k), approximately (m/n) ln 2",
	Verdict:        Misprint,
	Counterexample: "min f_S = 1/2 at k = 1",
	Repair:         "argmin; it lies from floor(m/(2n)) to floor((m/n) ln 2) + 1 (burns.conj24)",
	Argument: [2]string{
		"A minimum of rates is at most 1, and (m/n) ln 2 is a number of positions.",
		"f_S(2,1,1) = 1/2 is the least rate, and the best k is 1; (m/n) ln 2 = 1.39.",
	},
	How: "both hashings",
	parts: func() []part {
		return []part{
			breaks(point{2, 1}, domain{number("m", 1), number("n", 1)}, func(p point) error {
				k, f := bestS(p.int(0), p.int(1))
				return same(f, whole(k[0]))
			}),
			comesOut("min f_S = 1/2 at k = 1 alone for m = 2, n = 1", func() error {
				k, f := bestS(2, 1)
				return first(same(f, rat(1, 2)), holds(len(k) == 1 && k[0] == 1, "best k %v", k))
			}),
			holdsOn(roomyFilters, conjecture(func(m, n int, kC, kS []int) error {
				for _, k := range append(kC, kS...) {
					if k < m/(2*n) || k > 1 && !textbook(m, n, k-1) {
						return fmt.Errorf("best k %d", k)
					}
				}
				return nil
			})).tried(6, 1500),
		}
	},
}

var burnsEq67Zero = claim{
	ID: "burns.eq67.zero", Ref: "Section 3.4, after (67)",
	Statement: "d/dk (1-e^(-nk/m))^k = 0 at k = (m/n) ln 2, the minimum",
	Verdict:   Confirmed,
	How:       "with y = e^(-nk/m) the logarithm is -(m/n) ln y ln(1-y): ln y ln(1-y) < (ln 2)^2 for y not 1/2, and symmetric in y and 1-y, so 1/2 is its top",
	parts: func() []part {
		return []part{holdsOn(with(offHalf, through("m, n > 0")), belowHalf)}
	},
}

var burns34Sign = claim{
	ID: "burns.3.4.sign", Ref: "Section 3.4, display after (67)",
	Statement:      "p = f(m,n,k*) is approximately (1-e^(n k*/m))^k* = 2^(-(m/n) ln 2)",
	Verdict:        Misprint,
	Counterexample: "e^(n k*/m) = 2, and (1-2)^k* is no rate",
	Repair:         "(1-e^(-n k*/m))^k*",
	Argument: [2]string{
		"n k*/m = ln 2, so e^(n k*/m) = 2 and 1-2 = -1.",
		"With the minus sign 1 - 1/2 = 1/2, and (1/2)^k* = 2^(-(m/n) ln 2) as printed.",
	},
	How: "1 - e^(ln 2) < 0 as an enclosure of ln; 1 - 1/2 = 1/2",
	parts: func() []part {
		return []part{
			breaks(point{1, 1}, domain{number("m", 1), number("n", 1), through("k* = (m/n) ln 2")}, func(point) error {
				// The power e^(ln 2) is above 1, because ln 2 > 0.
				lo, _ := ln(whole(2))
				return atMost(lo, new(big.Rat))
			}),
			comesOut("ln(1/2) = -ln 2", func() error {
				lo, hi := ln(whole(2))
				l2, h2 := ln(rat(1, 2))
				margin := quo(whole(1), ipow(2, 200))
				return first(atMost(add(hi, h2), margin), atMost(sub(new(big.Rat), add(lo, l2)), margin))
			}),
		}
	},
}

var burnsEq68 = claim{
	ID: "burns.eq68", Ref: "Section 3.4, (68)",
	Statement: "m_min is approximately -n log2 p/ln 2, n_max approximately -m ln 2/log2 p",
	Verdict:   Confirmed,
	How:       "f_S* > 2^(-(m/n) ln 2), which is both: for standard hashing the true m_min is never smaller and the true n_max never larger; -n log2 f*/(m ln 2) is within 0.2 % of 1 for m large",
	parts: func() []part {
		lo, hi := squareOfLn2()
		return []part{
			holdsOn(domain{burnsHashings, number("m", 1000).among(2, 1000, 10000, 100000).upTo(300000), through("n = m/10")}, func(p point) error {
				m := uint64(p.int(1))
				f, err := constructions[p[0]].enclosed(m, m/10, 7) // k = 7 is best at m/n = 10
				if err != nil {
					return err
				}
				x, _ := f.Lo().Rat(nil)
				l, _ := ln(x)
				ratio := quo(mul(rat(-int(m/10), int(m)), l), lo)
				return first(below(rat(998, 1000), ratio), below(ratio, rat(1002, 1000)))
			}).tried(2, 100),
			holdsOn(domain{number("m", 1).by(27, 64).upTo(330), number("n", 1).under("m").by(27, 64).upTo(330)}, func(p point) error {
				m, n := p.int(0), p.int(1)
				if 2*m/n > mostRates && m > 64 {
					return errOutside
				}
				_, f := bestS(m, n)
				fl, _ := ln(f)
				return below(mul(rat(-m, n), lo), fl)
			}).on("f_S* > 2^(-(m/n) ln 2)"),
			comesOut("f_C*(64,4) is below it", func() error {
				_, h := ln(rateC(64, 4, 9))
				return below(h, mul(rat(-16, 1), hi))
			}),
		}
	},
}

var burnsFig7 = claim{
	ID: "burns.fig7", Ref: "Section 3.3, Figure 7",
	Statement: "for m = 1000, n = 20 the best k are k_C* = 33 and k_S* = 34, and (m/n) ln 2 = 34.7",
	Verdict:   Confirmed,
	How:       "certified comparison of the rates for k = 25..50",
	parts: func() []part {
		return []part{holdsOn(domain{exactly("m", 1000), exactly("n", 20)}, func(point) error {
			lo, _ := ln(whole(2))
			return first(classicFilter.bestIs(1000, 20, 25, 50, 33), standardFilter.bestIs(1000, 20, 25, 50, 34), roundsRat(mul(whole(50), lo), "34.7"))
		})}
	},
}

var burnsFig8 = claim{
	ID: "burns.fig8", Ref: "Section 3.4, Figure 8, and Section 5",
	Statement: "for m = 1024 the best k of both filters converge to (m/n) ln 2 as n increases, from below",
	Verdict:   Confirmed,
	How:       "(m/n) ln 2 - k falls from each n to its double, by certified optima; from n = 40 on k is the whole number above or below",
	parts: func() []part {
		l, _ := ln(whole(2))
		distance := func(h, n int) (*big.Rat, error) {
			o, err := exact.OptimalK(bloomproof.Geometry{M: 1024, Hashing: constructions[h].hashing}, uint64(n), 128)
			if err != nil {
				return nil, err
			}
			return sub(mul(rat(1024, n), l), whole(int(o.Geometry.K))), nil
		}
		return []part{
			holdsOn(domain{burnsHashings, exactly("m", 1024), number("n", 5).to(20).among(3, 5, 10, 20)}, func(p point) error {
				now, err1 := distance(p.int(0), p.int(2))
				next, err2 := distance(p.int(0), 2*p.int(2))
				return first(err1, err2, below(new(big.Rat), now), below(next, now))
			}).tried(0, 40),
			holdsOn(domain{burnsHashings, exactly("m", 1024), number("n", 40).to(709).among(5, 40, 80, 160, 320, 640)}, func(p point) error {
				d, err := distance(p.int(0), p.int(2))
				return first(err, below(d, whole(1)), below(whole(-1), d))
			}).on("within 1").tried(2, 200),
		}
	},
}

var burnsExample64 = claim{
	ID: "burns.example64", Ref: "Section 3.4, the example m = 64, n = 4",
	Statement: "k* = 11.09 and E = 4.59e-4 there; f_S* = 6.15e-4 at k = 10, f_C* = 4.55e-4 at k = 9; f_S(64,4,11) = 6.25e-4, f_C(64,4,11) = 4.85e-4",
	Verdict:   Confirmed,
	How:       "all seven numbers, rounded as printed; the best k over k = 1..40",
	parts: func() []part {
		return []part{holdsOn(domain{exactly("m", 64), exactly("n", 4)}, func(point) error {
			lo, hi := squareOfLn2()
			l, _ := ln(whole(2))
			// 4.59e-4 stands for 2^(-16 ln 2). Numbers from 4.585e-4 to 4.595e-4 round to 4.59e-4. The next lines check
			// that the logarithm of the power lies between the logarithms of these two limits.
			_, low := ln(rat(4585, 10000000))
			high, _ := ln(rat(4595, 10000000))
			return first(
				roundsRat(mul(whole(16), l), "11.09"),
				below(low, mul(whole(-16), hi)), below(mul(whole(-16), lo), high),
				standardFilter.bestIs(64, 4, 1, 40, 10), classicFilter.bestIs(64, 4, 1, 40, 9),
				roundsRat(rateS(64, 4, 10), "6.15e-4"), roundsRat(rateC(64, 4, 9), "4.55e-4"),
				roundsRat(rateS(64, 4, 11), "6.25e-4"), roundsRat(rateC(64, 4, 11), "4.85e-4"))
		})}
	},
}

var burnsConj24Low = claim{
	ID: "burns.conj24.low", Ref: "Section 3.4, Conjecture 24, first inequality",
	Statement:      "m/(2n) <= k_C*",
	Verdict:        Refuted,
	Counterexample: "k_C* = 1 and m/(2n) = 1.25",
	Repair:         "floor(m/(2n)) <= k_C*",
	Argument: [2]string{
		"f_C(5,2,1) = 1 - (4/5)^2 = 0.36; f_C(5,2,2) = 1 - 2 (6/10)^2 + (3/10)^2 = 0.37.",
		"For n = 1, f_C = 1/C(m,k): the best k of odd m are (m-1)/2 and (m+1)/2, one of them below m/2.",
	},
	How: "both rates at the counterexample; on generated filters with m <= 2^40, m/n <= 40 (TestLargeFilters)",
	parts: func() []part {
		return []part{
			fails(point{5, 2}, roomyFilters, conjecture(func(m, n int, kC, _ []int) error {
				return holds(m <= 2*n*most(kC), "k_C* = %v", kC)
			})),
			comesOut("f_C(5,2,1) = 0.36, f_C(5,2,2) = 0.37", func() error {
				return first(same(rateC(5, 2, 1), rat(36, 100)), same(rateC(5, 2, 2), rat(37, 100)))
			}),
			holdsOn(roomyFilters, conjecture(func(m, n int, kC, _ []int) error { return holds(m/(2*n) <= least(kC), "k_C* = %v", kC) })).tried(6, 3000),
		}
	},
}

var burnsConj24Order = claim{
	ID: "burns.conj24.order", Ref: "Section 3.4, Conjecture 24, second inequality",
	Statement:      "k_C* <= k_S*",
	Verdict:        Refuted,
	Counterexample: "k_C* = 2, k_S* = 1",
	Repair:         "k_C* <= k_S* + 1, with k_C* <= k_S* unless k_S* = 1; other counterexamples are (105,50), (132,63), (159,76), (238,114)",
	Argument: [2]string{
		"f(26,12,1) = 1 - (25/26)^12 = 0.37540 for both; f_C(26,12,2) = 1 - 2 (12/13)^12 + (276/325)^12 = 0.37531 is below it,",
		"f_S(26,12,2) = 1 - (2 * 26 - 1)/26 (25/26)^24 + (25/26) (24/26)^24 = 0.37559 is above it: two distinct positions pay, two independent ones do not.",
	},
	How: "rationals; on generated filters with m <= 2^40, m/n <= 40 (TestLargeFilters)",
	parts: func() []part {
		order := func(m, n int, kC, kS []int) error {
			return holds(least(kC) <= most(kS), "k_C* = %v, k_S* = %v", kC, kS)
		}
		return []part{
			fails(point{26, 12}, roomyFilters, conjecture(order)),
			comesOut("f(26,12,1) = 0.37540, f_C(26,12,2) = 0.37531, f_S(26,12,2) = 0.37559; the four others", func() error {
				err := first(roundsRat(rateS(26, 12, 1), "0.37540"), roundsRat(rateC(26, 12, 2), "0.37531"), roundsRat(rateS(26, 12, 2), "0.37559"))
				for _, p := range [][]int{{105, 50}, {132, 63}, {159, 76}, {238, 114}} {
					m, n := p[0], p[1]
					err = first(err, below(rateC(m, n, 2), rateC(m, n, 1)), below(rateS(m, n, 1), rateS(m, n, 2)))
				}
				return err
			}),
			holdsOn(roomyFilters, conjecture(func(m, n int, kC, kS []int) error {
				if most(kS) == 1 {
					return holds(least(kC) <= 2, "k_C* = %v", kC)
				}
				return order(m, n, kC, kS)
			})).tried(6, 3000),
		}
	},
}

var burnsConj24High = claim{
	ID: "burns.conj24.high", Ref: "Section 3.4, Conjecture 24, third inequality",
	Statement:      "k_S* <= (m/n) ln 2",
	Verdict:        Refuted,
	Counterexample: "k_S* = 2 and (8/3) ln 2 = 1.85",
	Repair:         "k_S* <= floor((m/n) ln 2) + 1, and the same for k_C*",
	Argument: [2]string{
		"f_S(8,3,1) = 1 - (7/8)^3 = 0.330; f_S(8,3,2) = 1 - (15/8)(7/8)^6 + (7/8)(6/8)^6 = 0.314.",
		"A whole number near a real optimum may lie above it: textbooks round, the conjecture rounds down.",
	},
	How: "both rates at the counterexample; on generated filters with m <= 2^40, m/n <= 40 (TestLargeFilters)",
	parts: func() []part {
		return []part{
			fails(point{8, 3}, roomyFilters, conjecture(func(m, n int, _, kS []int) error {
				return holds(textbook(m, n, least(kS)), "k_S* = %v", kS)
			})),
			comesOut("f_S(8,3,1) = 0.330, f_S(8,3,2) = 0.314", func() error {
				return first(roundsRat(rateS(8, 3, 1), "0.330"), roundsRat(rateS(8, 3, 2), "0.314"))
			}),
			holdsOn(roomyFilters, conjecture(func(m, n int, kC, kS []int) error {
				k := max(most(kS), most(kC))
				return holds(k == 1 || textbook(m, n, k-1), "k_C* = %v, k_S* = %v", kC, kS)
			})).tried(6, 3000),
		}
	},
}

var burnsConj24One = claim{
	ID: "burns.conj24.one", Ref: "Section 3.4, Conjecture 24, last part",
	Statement: "k_C* = k_S* = 1 when m/n < 1/ln 2",
	Verdict:   Confirmed,
	How:       "for m = 1 every k is as good",
	parts: func() []part {
		return []part{holdsOn(domain{number("m", 2).by(27, 64).upTo(330), number("n", 1).by(54, 128).upTo(660), where("m/n < 1/ln 2", "m n", func(x point) bool { return !roomy(x.int(0), x.int(1)) })}, conjecture(func(m, n int, kC, kS []int) error {
			if err := below(pow(rat(m-1, m), n), rat(1, 2)); err != nil {
				return err
			}
			return holds(most(kC) == 1 && most(kS) == 1, "k_C* = %v, k_S* = %v", kC, kS)
		})).by(sparseOptimum).tried(6, 1000)}
	},
}

// offHalf is the domain of the numbers y in (0,1) other than 1/2.
var offHalf = domain{
	between("y", 0, 1).above().less().at(6, 0.49, 0.51, 0.1, 0.9, 0.25, 0.7, 0.499, 0.501, 1e-9, 0.999999).tried(1e-30, 1-1e-12),
	where("y not 1/2", "y", func(x point) bool { return x.real(0) != 0.5 }),
}

// belowHalf is the law that ln y ln(1-y) is largest at y = 1/2.
func belowHalf(p point) error {
	least, _ := squareOfLn2()
	y := new(big.Rat).SetFloat64(p.real(0))
	a, _ := ln(y) // both logarithms are negative, so the lower ends give the larger product
	b, _ := ln(sub(whole(1), y))
	return below(mul(a, b), least)
}
