package claims

import (
	"fmt"
	"math"
	"math/big"
)

// theorem15 has the four terms in the chain of inequalities of Burns, Theorem 15. The largest comes first.
type theorem15 struct{ upper, moment, lower, balls *big.Rat }

// chain15 returns the law that two of the terms of theorem15 are in the stated order.
func chain15(pair func(t theorem15) (small, large *big.Rat)) func(m, n, k, r int) float64 {
	return func(m, n, k, r int) float64 {
		mu := committeeMean(m, n, k)
		return gap(pair(theorem15{
			upper:  pow(quo(mu, whole(m)), r),
			moment: committeePower(m, n, k, r),
			lower:  quo(choose(mu, r), ichoose(m, r)),
			balls:  powerRatio(m, n*k, r),
		}))
	}
}

// batches15 is the domain of batches and orders to which Theorem 15 applies.
var batches15 = domain{
	number("m", 1).by(7, 16).upTo(60), number("n", 0).by(4, 9).upTo(30),
	number("k", 0).under("m").by(7, 16).upTo(60), number("r", 0).under("m").by(7, 16).upTo(60),
}

var (
	upToK  = where("r <= k", "r k", func(x point) bool { return x[0] <= x[1] })
	aboveK = where("r > k", "r k", func(x point) bool { return x[0] > x[1] })
)

// in15 turns a law on (m, n, k, r) into a law on the points of batches15, to which Theorem 15 applies.
func in15(law func(m, n, k, r int) float64) func(p point) (float64, error) {
	return func(p point) (float64, error) { return law(p.int(0), p.int(1), p.int(2), p.int(3)), nil }
}

// estimateM returns the estimate of m by Burns (47), from x occupied urns after n batches of k balls.
func estimateM(x, n, k int) *big.Rat {
	a := func(i int) *big.Rat { return delta(i, func(t int) *big.Rat { return pow(ichoose(t, k), n) }, 0) }
	return mul(whole(x), add(whole(1), quo(a(x-1), a(x))))
}

var burns24 = []claim{
	burnsThm15Upper, burnsThm15Middle, burnsThm15Lower, burnsThm15Ends, burnsThm15Step,
	burnsThm15Convex, burnsThm15Proof, burnsLemma16Roles, burnsEq42, burnsEq43, burnsEq44,
	burnsEq45, burnsEq46, burnsEq46Ml, burnsEq47, burnsEq48, burnsEq48Above, burnsEq48Cases,
}

var burnsThm15Upper = claim{
	ID: "burns.thm15.upper", Ref: "Section 2.4.1, Theorem 15, first inequality",
	Statement: "(mu/m)^r >= nabla^r[C(x,k)^n] at m / C(m,k)^n, mu = m (1-(1-k/m)^n)",
	Verdict:   Confirmed,
	How:       "rationals; printed for r <= min(k, m-k)",
	parts: func() []part {
		return []part{keeps(batches15, in15(chain15(func(t theorem15) (small, large *big.Rat) { return t.moment, t.upper })))}
	},
}

var burnsThm15Middle = claim{
	ID: "burns.thm15.middle", Ref: "Section 2.4.1, Theorem 15, second inequality",
	Statement: "nabla^r[C(x,k)^n] at m / C(m,k)^n >= C(mu,r)/C(m,r)",
	Verdict:   Confirmed,
	How:       "rationals; printed for r <= min(k, m-k)",
	parts: func() []part {
		law := in15(chain15(func(t theorem15) (small, large *big.Rat) { return t.lower, t.moment }))
		return []part{
			keeps(with(batches15, upToK), law),
			fails(point{4, 2, 1, 4}, with(batches15, aboveK), lawOf(law)).on("r > k"),
		}
	},
}

var burnsThm15Lower = claim{
	ID: "burns.thm15.lower", Ref: "Section 2.4.1, Theorem 15, third inequality",
	Statement: "C(mu,r)/C(m,r) >= nabla^r[x^(nk)] at m / m^(nk)",
	Verdict:   Confirmed,
	How:       "rationals; on generated committees with m <= 2^40, k <= 48 (TestLargeFilters); printed for r <= min(k, m-k); the printed proof does not stand (burns.thm15.proof)",
	parts: func() []part {
		law := in15(chain15(func(t theorem15) (small, large *big.Rat) { return t.balls, t.lower }))
		return []part{
			keeps(with(batches15, upToK), law),
			fails(point{2, 2, 1, 2}, with(batches15, aboveK), lawOf(law)).on("r > k"),
		}
	},
}

var burnsThm15Ends = claim{
	ID: "burns.thm15.ends", Ref: "Section 2.4.1, Theorem 15, second against fourth term",
	Statement: "nabla^r[C(x,k)^n] at m / C(m,k)^n >= nabla^r[x^(nk)] at m / m^(nk): batches fill r given urns more often than as many balls",
	Verdict:   Confirmed,
	How:       "rationals; printed for r <= min(k, m-k)",
	parts: func() []part {
		return []part{keeps(batches15, in15(chain15(func(t theorem15) (small, large *big.Rat) { return t.balls, t.moment })))}
	},
}

var burnsThm15Step = claim{
	ID: "burns.thm15.step", Ref: "Section 2.4.1, proof of Theorem 15, first display",
	Statement: "nabla^r[C(x,k)^n] <= (mu/m) nabla^(r-1)[C(x,k)^n], both at x = m",
	Verdict:   Confirmed,
	How:       "rationals; printed for r <= m-k; an inequality of two functions says nothing of their differences, so the printed reason is none: that occupied urns make another less likely is one",
	parts: func() []part {
		positive := where("r >= 1", "r", func(x point) bool { return x[0] > 0 })
		return []part{keeps(with(batches15, positive), in15(func(m, n, k, r int) float64 {
			return gap(committeePower(m, n, k, r), mul(quo(committeeMean(m, n, k), whole(m)), committeePower(m, n, k, r-1)))
		}))}
	},
}

var burnsThm15Convex = claim{
	ID: "burns.thm15.convex", Ref: "Section 2.4.1, proof of Theorem 15",
	Statement: "ff(x,r) is convex for x >= r, and X >= k once a batch is cast",
	Verdict:   Confirmed,
	How:       "midpoints of all pairs of quarters x = r-1+a/4, r-1+b/4 (printed for x >= r); X >= k by (14), which is 0 below k",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("r", 0).by(6, 12).upTo(40), number("a", 0).by(28, 28).upTo(4000), number("b", 0).by(28, 28).upTo(4000)}, func(p point) error {
				s := p.int(0)
				a, b := add(whole(s-1), rat(p.int(1), 4)), add(whole(s-1), rat(p.int(2), 4))
				middle := fall(quo(add(a, b), whole(2)), s)
				return atMost(middle, quo(add(fall(a, s), fall(b, s)), whole(2)))
			}),
		}
	},
}

var burnsThm15Proof = claim{
	ID: "burns.thm15.proof", Ref: "Section 2.4.1, proof of Theorem 15, chain for the third inequality",
	Statement:      "1 - (1-k/m)^(n-1) >= 1 - (1-1/m)^(kn)",
	Verdict:        Refuted,
	Counterexample: "0 >= 1",
	Repair:         "the step before it, C(mu,i+1)/C(m,i+1) >= (1-(1-k/m)^(n-1)) C(mu,i)/C(m,i) for i < k, holds; with exponent n in place of n-1 so does this one, but they do not join. The theorem stands (burns.thm15.lower)",
	Argument: [2]string{
		"n = 1: the left side is 0, the right side k/m or nearly so.",
		"For large m the left side is about k(n-1)/m, the right side about kn/m: it fails for every n.",
	},
	How: "rationals",
	parts: func() []part {
		law := func(drop int) func(p point) (float64, error) {
			return func(p point) (float64, error) {
				m, n, k := p.int(0), p.int(1), p.int(2)
				return gap(pow(rat(m-k, m), n-drop), pow(rat(m-1, m), k*n)), nil
			}
		}
		batches := domain{number("m", 1).by(7, 16).upTo(80), number("n", 1).by(4, 9).upTo(40), number("k", 1).under("m").by(7, 16).upTo(80)}
		return []part{
			fails(point{1, 1, 1}, batches, lawOf(law(1))),
			breaks(point{8, 2, 2}, batches, lawOf(law(1))),
			keeps(batches, law(0)).on("with exponent n in place of n-1"),
			keeps(with(batches15, upToK, where("n, r >= 1, n >= 2 for k = m", "m n k r", func(x point) bool {
				return x[1] > 0 && x[3] > 0 && (x[2] < x[0] || x[1] > 1)
			})), in15(func(m, n, k, r int) float64 {
				mu := committeeMean(m, n, k)
				left := quo(choose(mu, r), ichoose(m, r))
				factor := sub(whole(1), pow(rat(m-k, m), n-1))
				return gap(mul(factor, quo(choose(mu, r-1), ichoose(m, r-1))), left)
			})).on("the step before it, with i = r-1"),
		}
	},
}

var burnsLemma16Roles = claim{
	ID: "burns.lemma16.roles", Ref: "Section 2.4.2, Lemma 16",
	Statement:      "X is the occupancy number of k batches of n balls, and its mean is (42), its variance (43)",
	Verdict:        Misprint,
	Counterexample: "(42) is 2; two batches of one ball occupy 3/2 urns on average",
	Repair:         "n batches of k balls",
	Argument: [2]string{
		"n = 1 makes (42) equal to k, as one batch of k balls does.",
		"k batches of one ball can meet in an urn, so they occupy fewer than k on average for k >= 2.",
	},
	How: "one batch after the other; the right reading in (42)",
	parts: func() []part {
		return []part{
			fails(point{2, 1, 2}, domain{number("m", 1).by(6, 6), number("n", 0).under("m").by(4, 4), number("k", 0).under("m").by(4, 4)}, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				return same(mean(occupied(m, repeat(n, k)...), whole), committeeMean(m, n, k))
			}),
		}
	},
}

var burnsEq42 = claim{
	ID: "burns.eq42", Ref: "Section 2.4.2, Lemma 16, (42)",
	Statement: "mu = m (1 - (1-k/m)^n)",
	Verdict:   Confirmed,
	How:       "by enumeration, n batches of k balls in m urns",
	parts: func() []part {
		return []part{
			holdsOn(committees, committee(func(l setLaw, m, n, k int) error {
				return same(mean(l.pmf(), whole), committeeMean(m, n, k))
			})),
		}
	},
}

var burnsEq43 = claim{
	ID: "burns.eq43", Ref: "Section 2.4.2, Lemma 16, (43)",
	Statement:      "Var X = m [1-(1-k/m)^n] [1 - m (1-(1-k/m)^n) + (m-1)(1-k/(m-1))^n]",
	Verdict:        Misprint,
	Counterexample: "X = 2 surely, the formula gives 2 (1 - 2 - 1) = -4; m = 2, n = 2, k = 1: Var X = 1/4, the formula gives 3/2 (1 - 3/2) = -3/4",
	Repair:         "with q = (1-k/m)^n: Var X = m q [1 - m q + (m-1)(1-k/(m-1))^n]",
	Argument: [2]string{
		"m - X counts empty urns, so E = m q and E[(m-X)(m-X-1)] = m(m-1) q (1-k/(m-1))^n: two urns are both empty.",
		"Var = E[(m-X)(m-X-1)] + m q - (m q)^2 is the repaired form; printed is 1-q in place of q.",
	},
	How: "by enumeration",
	parts: func() []part {
		law := func(p func(q *big.Rat) *big.Rat) func(at point) error {
			return committee(func(l setLaw, m, n, k int) error {
				q := p(pow(rat(m-k, m), n))
				bracket := add(sub(whole(1), mul(whole(m), q)), mul(whole(m-1), pow(rat(m-1-k, m-1), n)))
				return same(variance(l.pmf()), mul(mul(whole(m), q), bracket))
			})
		}
		box := domain{number("m", 2).by(6, 8).upTo(11), committees[1], committees[2]}
		return []part{
			fails(point{2, 1, 2}, box, law(func(q *big.Rat) *big.Rat { return sub(whole(1), q) })),
			holdsOn(box, law(func(q *big.Rat) *big.Rat { return q })),
		}
	},
}

var burnsEq44 = claim{
	ID: "burns.eq44", Ref: "Section 2.4.2, Corollary 17, (44)",
	Statement: "mu = m (1 - (1-1/m)^n)",
	Verdict:   Confirmed,
	How:       "by enumeration, n balls in m urns",
	parts: func() []part {
		return []part{
			holdsOn(moments[:2], func(p point) error {
				l, err := union(p.int(0), repeat(1, p.int(1))...)
				if err != nil {
					return err
				}
				return same(mean(l.pmf(), whole), standardMean(p.int(0), p.int(1)))
			}),
		}
	},
}

var burnsEq45 = claim{
	ID: "burns.eq45", Ref: "Section 2.4.2, Corollary 17, (45)",
	Statement: "Var X = m ((1-1/m)^n - (1-2/m)^n) - m^2 ((1-1/m)^(2n) - (1-2/m)^n)",
	Verdict:   Confirmed,
	How:       "by enumeration, n balls in m urns, m = 1 included",
	parts: func() []part {
		return []part{
			holdsOn(moments[:2], func(p point) error {
				m, n := p.int(0), p.int(1)
				l, err := union(m, repeat(1, n)...)
				if err != nil {
					return err
				}
				one, two := pow(rat(m-1, m), n), pow(rat(m-2, m), n)
				return same(variance(l.pmf()), sub(mul(whole(m), sub(one, two)), mul(ipow(m, 2), sub(mul(one, one), two))))
			}),
		}
	},
}

var burnsEq46 = claim{
	ID: "burns.eq46", Ref: "Section 2.4.2, Corollary 18, (46), method of moments",
	Statement: "n = ln(1-mu/m)/ln(1-k/m) for the mean mu after n batches of k",
	Verdict:   Confirmed,
	How:       "as 1 - mu/m = (1-k/m)^n, mu by enumeration (for mu = m or k = m it is undefined)",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 2).by(6, 8).upTo(11), number("n", 0).by(3, 6).upTo(7), number("k", 1).below("m").by(6, 8).upTo(11)}, committee(func(l setLaw, m, n, k int) error {
				left := sub(whole(1), quo(mean(l.pmf(), whole), whole(m)))
				return same(left, pow(rat(m-k, m), n))
			})),
		}
	},
}

var burnsEq46Ml = claim{
	ID: "burns.eq46.ml", Ref: "Section 2.4.2, Corollary 18, (46), maximum likelihood",
	Statement:      "for X occupied urns, ln(1-X/m)/ln(1-k/m) is the maximum-likelihood estimate of n",
	Verdict:        Refuted,
	Counterexample: "(46) is 2.71; the likelihood 3 (2^n - 2)/3^n is the same at n = 2 and n = 3, and over real n largest at 2.44",
	Repair:         "the whole n of largest likelihood is (46) rounded down or up, in all cases tried",
	Argument: [2]string{
		"P[X = 2 | n = 2] = 6/9 and P[X = 2 | n = 3] = 18/27 agree; the derivative of (2^n - 2)/3^n is 0 at 2^n = 2 ln 3/ln(3/2) = 5.42.",
		"At n = 5/2 the likelihood is 0.7038; at (46), where (2/3)^n = 1/3, it is 1 - 6/3^n < 1 - 6/20 = 0.7.",
	},
	How: "the counterexample in rationals too; the repair for all n until P[X' <= X] is below the largest likelihood",
	parts: func() []part {
		return []part{
			breaks(point{3, 1, 2}, domain{number("m", 2), number("k", 1).below("m"), number("X", 1).below("m"), where("X >= k", "k X", func(x point) bool { return x[1] >= x[0] })}, estimateIsBest),
			comesOut("m = 3, k = 1, X = 2 in rationals", likelihoodRefuted),
			holdsOn(domain{number("m", 2).by(9, 24).upTo(40), number("k", 1).below("m").by(8, 23).upTo(39), through("k <= X < m")}, roundedIsBest).tried(3, 200),
		}
	},
}

var burnsEq47 = claim{
	ID: "burns.eq47", Ref: "Section 2.4.2, Lemma 19, (47)",
	Statement: "X (1 + Delta^(X-1)[C(x,k)^n]/Delta^X[C(x,k)^n] at 0) is the minimum-variance unbiased estimate of m",
	Verdict:   Confirmed,
	How:       "unbiased, and the only unbiased function of X (P[X = m] > 0 for each m: a triangular system)",
	parts: func() []part {
		balls := []term{number("m", 1).by(8, 14).upTo(24), number("k", 1).under("m").by(8, 14).upTo(14), number("n", 1).by(8, 14).upTo(24)}
		law := func(p point) error {
			m, k, n := p.int(0), p.int(1), p.int(2)
			if n*k > 48 {
				return errOutside // the check would take too long
			}
			pmf := occupied(m, repeat(k, n)...)
			bias := new(big.Rat)
			if m <= n*k {
				if err := below(new(big.Rat), pmf[m]); err != nil {
					return err
				}
			} else {
				last := delta(n*k, func(t int) *big.Rat { return pow(ichoose(t, k), n) }, 0)
				bias = quo(mul(mul(whole(m), ichoose(m-1, n*k)), last), pow(ichoose(m, k), n))
			}
			return same(meanWhere(pmf, func(x int) *big.Rat { return estimateM(x, n, k) }), sub(whole(m), bias))
		}
		return []part{
			holdsOn(with(balls, where("m <= nk", "m k n", func(x point) bool { return x[0] <= x[1]*x[2] })), law),
			holdsOn(with(balls, where("m > nk", "m k n", func(x point) bool { return x[0] > x[1]*x[2] })), law).on("beyond m = nk it is too small on average by m C(m-1,nk) Delta^(nk)[C(x,k)^n] at 0 / C(m,k)^n"),
		}
	},
}

var burnsEq48 = claim{
	ID: "burns.eq48", Ref: "Section 2.4.2, Corollary 20, (48), second case",
	Statement: "S(n+1,X)/S(n,X) is the minimum-variance unbiased estimate of m",
	Verdict:   Confirmed,
	How:       "unbiased, and the only unbiased function of X",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("n", 1).by(8, 16).upTo(40), number("m", 1).under("n").by(8, 16).upTo(40)}, func(p point) error {
				n, m := p.int(0), p.int(1)
				pmf := occupied(m, repeat(1, n)...)
				unbiased := meanWhere(pmf, func(x int) *big.Rat { return quo(stirling(n+1, x), stirling(n, x)) })
				return first(below(new(big.Rat), pmf[m]), same(unbiased, whole(m)))
			}),
		}
	},
}

var burnsEq48Above = claim{
	ID: "burns.eq48.above", Ref: "Section 2.4.2, Corollary 20, (48), first case",
	Statement:      "X + S(n,X-1)/S(n,X) is the minimum-variance unbiased estimate of m for m > n",
	Verdict:        Refuted,
	Counterexample: "X = 1 surely and the estimate is 1",
	Repair:         "its mean is m - ff(m,n+1)/m^n: too small for every m > n, where no function of X is unbiased for all m",
	Argument: [2]string{
		"One ball always occupies one urn, whatever m: S(1,0) = 0, and the estimate is 1.",
		"The mean is sum_{x<=n} S(n+1,x) ff(m,x)/m^n, and the sum to n+1 is m^(n+1)/m^n = m.",
	},
	How: "the mean for all m and n",
	parts: func() []part {
		average := func(m, n int) *big.Rat {
			return meanWhere(occupied(m, repeat(1, n)...), func(x int) *big.Rat {
				return add(whole(x), quo(stirling(n, x-1), stirling(n, x)))
			})
		}
		box := domain{number("m", 1).by(8, 16).upTo(40), number("n", 1).by(8, 16).upTo(40)}
		more := where("m > n", "m n", func(x point) bool { return x[0] > x[1] })
		return []part{
			fails(point{2, 1}, with(box, more), func(p point) error {
				return same(average(p.int(0), p.int(1)), whole(p.int(0)))
			}),
			holdsOn(box, func(p point) error {
				m, n := p.int(0), p.int(1)
				return same(average(m, n), sub(whole(m), quo(ifall(m, n+1), ipow(m, n))))
			}),
		}
	},
}

var burnsEq48Cases = claim{
	ID: "burns.eq48.cases", Ref: "Section 2.4.2, Corollary 20, (48)",
	Statement: "the two cases X + S(n,X-1)/S(n,X) and S(n+1,X)/S(n,X) agree at their border",
	Verdict:   Confirmed,
	How:       "they are the same number for every X and n, so nothing depends on the unknown m: it is the recursion of the Stirling numbers",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("n", 1).by(20, 60).upTo(200), number("X", 1).under("n").by(20, 60).upTo(200)}, func(p point) error {
				n, x := p.int(0), p.int(1)
				return same(add(whole(x), quo(stirling(n, x-1), stirling(n, x))), quo(stirling(n+1, x), stirling(n, x)))
			}),
		}
	},
}

// meanWhere returns E[f(X)], where P[X = i] = pmf[i]. It does not call f where P[X = i] is 0.
func meanWhere(pmf []*big.Rat, f func(i int) *big.Rat) *big.Rat {
	return mean(pmf, func(i int) *big.Rat {
		if pmf[i].Sign() == 0 {
			return new(big.Rat)
		}
		return f(i)
	})
}

// likelihood returns the probability that n batches of k balls occupy exactly x of m urns. n is a real number.
func likelihood(m, k, x int, n float64) float64 {
	total := 0.0
	for j := k; j <= x; j++ {
		ways, _ := mul(sign(x-j), ichoose(x, j)).Float64()
		share, _ := quo(ichoose(j, k), ichoose(m, k)).Float64()
		total += ways * math.Pow(share, n)
	}
	all, _ := ichoose(m, x).Float64()
	return all * total
}

// estimateIsBest is the law that no multiple of 1/2 has a larger likelihood than the estimate Burns (46) has.
func estimateIsBest(p point) error {
	m, k, x := p.int(0), p.int(1), p.int(2)
	at := math.Log1p(-float64(x)/float64(m)) / math.Log1p(-float64(k)/float64(m))
	best := likelihood(m, k, x, at)
	for twice := 2; twice <= 4*int(at)+4; twice++ {
		if l := likelihood(m, k, x, float64(twice)/2); l > best*(1+slack) {
			return fmt.Errorf("likelihood %g at n = %g, %g at (46)", l, float64(twice)/2, best)
		}
	}
	return nil
}

func likelihoodRefuted() error {
	// The estimate (46) is the n with (2/3)^n = 1/3. It is below 2.72, and 3^2.72 < 20. Therefore its likelihood 1 -
	// 6/3^n is below 7/10. At n = 5/2 the square of the likelihood is (36 - 4 sqrt 32)/27.
	if err := below(pow(rat(2, 3), 272), pow(rat(1, 3), 100)); err != nil {
		return err
	}
	if err := below(ipow(3, 272), ipow(20, 100)); err != nil {
		return err
	}
	root := quo(sub(whole(36), mul(whole(27), rat(49, 100))), whole(4)) // sqrt 32 must be below root
	pair := [2]*big.Rat{occupied(3, 1, 1)[2], occupied(3, 1, 1, 1)[2]}
	return first(below(whole(32), mul(root, root)), same(pair[0], pair[1]))
}

// roundedIsBest is the law that the estimate Burns (46), rounded down or up, has the largest likelihood of all whole n.
func roundedIsBest(p point) error {
	m, k := p.int(0), p.int(1)
	best := make([]*big.Rat, m) // best likelihood by X
	rounded := make([]*big.Rat, m)
	for i := range best {
		best[i], rounded[i] = new(big.Rat), new(big.Rat)
	}
	for n, going := 1, true; going; n++ {
		pmf := occupied(m, repeat(k, n)...)
		tail := new(big.Rat)
		going = false
		for x := k; x < m; x++ {
			tail = add(tail, pmf[x])
			if tail.Cmp(best[x]) < 0 {
				continue // no larger n can be better, because tail falls with n
			}
			going = true
			// If the estimate Burns (46) lies between n-1 and n+1, then n is that estimate rounded down or up.
			empty := rat(m-x, m)
			if pow(rat(m-k, m), n-1).Cmp(empty) > 0 && pow(rat(m-k, m), n+1).Cmp(empty) < 0 && pmf[x].Cmp(rounded[x]) > 0 {
				rounded[x] = pmf[x]
			}
			if pmf[x].Cmp(best[x]) > 0 {
				best[x] = pmf[x]
			}
		}
	}
	for x := k; x < m; x++ {
		if err := same(rounded[x], best[x]); err != nil {
			return fmt.Errorf("at X=%d: %w", x, err)
		}
	}
	return nil
}
