package claims

import (
	"errors"
	"fmt"
	"math/big"
)

// theorem15 are the four terms of the chain of Theorem 15, the largest first.
type theorem15 struct{ upper, moment, lower, balls *big.Rat }

// chain15 is the law that two of the terms are in order.
func chain15(pair func(t theorem15) (small, large *big.Rat)) func(m, n, k, r int) error {
	return func(m, n, k, r int) error {
		mu := committeeMean(m, n, k)
		return atMost(pair(theorem15{
			upper:  pow(quo(mu, whole(m)), r),
			moment: committeePower(m, n, k, r),
			lower:  quo(choose(mu, r), ichoose(m, r)),
			balls:  powerRatio(m, n*k, r),
		}))
	}
}

func box15(r *run) box {
	return box{{"m", 1, r.upto(7, 16)}, {"n", 0, r.upto(4, 9)}, {"k", 0, r.upto(7, 16)}, {"r", 0, r.upto(7, 16)}}
}

// in15 calls law on the part of the box where domain holds.
func in15(domain func(m, n, k, r int) bool, law func(m, n, k, r int) error) func(p []int) error {
	return func(p []int) error {
		m, n, k, r := p[0], p[1], p[2], p[3]
		if k > m || r > m || !domain(m, n, k, r) {
			return errOutside
		}
		return law(m, n, k, r)
	}
}

func everyR(_, _, _, _ int) bool { return true }
func rUptoK(_, _, k, r int) bool { return r <= k }
func aboveK(_, _, k, r int) bool { return r > k }

// estimateM is (47): the estimate of m from x occupied urns after n batches of k.
func estimateM(x, n, k int) *big.Rat {
	a := func(i int) *big.Rat { return delta(i, func(t int) *big.Rat { return pow(ichoose(t, k), n) }, 0) }
	return mul(whole(x), add(whole(1), quo(a(x-1), a(x))))
}

func burns24Statistics() []Claim {
	return []Claim{
		{
			ID: "burns.thm15.upper", Paper: Burns, Ref: "Section 2.4.1, Theorem 15, first inequality",
			Statement: "(mu/m)^r >= nabla^r[C(x,k)^n] at m / C(m,k)^n, mu = m (1-(1-k/m)^n)",
			Domain:    "0 <= r <= min(k, m-k) as printed; it holds for all 0 <= k, r <= m",
			Verdict:   Confirmed,
			Checked:   "exhaustively for 0 <= k, r <= m <= 16, n <= 9",
			check: func(r *run) error {
				return r.all(box15(r), in15(everyR, chain15(func(t theorem15) (small, large *big.Rat) { return t.moment, t.upper })))
			},
		},
		{
			ID: "burns.thm15.middle", Paper: Burns, Ref: "Section 2.4.1, Theorem 15, second inequality",
			Statement: "nabla^r[C(x,k)^n] at m / C(m,k)^n >= C(mu,r)/C(m,r)",
			Domain:    "0 <= r <= min(k, m-k) as printed; it holds for all 0 <= r <= k <= m, and fails beyond: m = 4, n = 2, k = 1, r = 4",
			Verdict:   Confirmed,
			Checked:   "exhaustively for 0 <= r <= k <= m <= 16, n <= 9; the failure is the first with r > k",
			check: func(r *run) error {
				law := chain15(func(t theorem15) (small, large *big.Rat) { return t.lower, t.moment })
				return first(r.all(box15(r), in15(rUptoK, law)), r.smallest([]int{4, 2, 1, 4}, box15(r), in15(aboveK, law)))
			},
		},
		{
			ID: "burns.thm15.lower", Paper: Burns, Ref: "Section 2.4.1, Theorem 15, third inequality",
			Statement: "C(mu,r)/C(m,r) >= nabla^r[x^(nk)] at m / m^(nk)",
			Domain:    "0 <= r <= min(k, m-k) as printed; it holds for all 0 <= r <= k <= m, and fails beyond: m = 2, n = 2, k = 1, r = 2",
			Verdict:   Confirmed,
			Checked:   "exhaustively for 0 <= r <= k <= m <= 16, n <= 9; the failure is the first with r > k; on generated committees with m <= 2^40, k <= 48 (TestLargeFilters). The printed proof does not stand (burns.thm15.proof)",
			check: func(r *run) error {
				law := chain15(func(t theorem15) (small, large *big.Rat) { return t.balls, t.lower })
				return first(r.all(box15(r), in15(rUptoK, law)), r.smallest([]int{2, 2, 1, 2}, box15(r), in15(aboveK, law)))
			},
		},
		{
			ID: "burns.thm15.ends", Paper: Burns, Ref: "Section 2.4.1, Theorem 15, second against fourth term",
			Statement: "nabla^r[C(x,k)^n] at m / C(m,k)^n >= nabla^r[x^(nk)] at m / m^(nk): batches fill r given urns more often than as many balls",
			Domain:    "0 <= r <= min(k, m-k) as printed; it holds for all 0 <= k, r <= m",
			Verdict:   Confirmed,
			Checked:   "exhaustively for 0 <= k, r <= m <= 16, n <= 9",
			check: func(r *run) error {
				return r.all(box15(r), in15(everyR, chain15(func(t theorem15) (small, large *big.Rat) { return t.balls, t.moment })))
			},
		},
		{
			ID: "burns.thm15.step", Paper: Burns, Ref: "Section 2.4.1, proof of Theorem 15, first display",
			Statement: "nabla^r[C(x,k)^n] <= (mu/m) nabla^(r-1)[C(x,k)^n], both at x = m",
			Domain:    "1 <= r <= m-k as printed; it holds for all 1 <= r <= m, 0 <= k <= m",
			Verdict:   Confirmed,
			Checked:   "exhaustively for 0 <= k, r <= m <= 16, n <= 9; an inequality of two functions says nothing of their differences, so the printed reason is none: that occupied urns make another less likely is one",
			check: func(r *run) error {
				return r.all(box15(r), in15(everyR, func(m, n, k, r int) error {
					if r == 0 {
						return errOutside
					}
					return atMost(committeePower(m, n, k, r), mul(quo(committeeMean(m, n, k), whole(m)), committeePower(m, n, k, r-1)))
				}))
			},
		},
		{
			ID: "burns.thm15.convex", Paper: Burns, Ref: "Section 2.4.1, proof of Theorem 15",
			Statement: "ff(x,r) is convex for x >= r, and X >= k once a batch is cast",
			Domain:    "x >= r real; it is convex for x >= r-1",
			Verdict:   Confirmed,
			Checked:   "midpoints of all pairs of quarters in [r-1, r+6], r <= 12; X >= k by (14), which is 0 below k",
			check: func(r *run) error {
				return r.all(box{{"r", 0, r.upto(6, 12)}, {"a", 0, 28}, {"b", 0, 28}}, func(p []int) error {
					s := p[0]
					a, b := add(whole(s-1), rat(p[1], 4)), add(whole(s-1), rat(p[2], 4))
					middle := fall(quo(add(a, b), whole(2)), s)
					return atMost(middle, quo(add(fall(a, s), fall(b, s)), whole(2)))
				})
			},
		},
		{
			ID: "burns.thm15.proof", Paper: Burns, Ref: "Section 2.4.1, proof of Theorem 15, chain for the third inequality",
			Statement:      "1 - (1-k/m)^(n-1) >= 1 - (1-1/m)^(kn)",
			Domain:         "1 <= k <= m, n >= 1",
			Verdict:        Refuted,
			Counterexample: "m = 1, n = 1, k = 1: 0 >= 1; m = 8, n = 2, k = 2: 1/4 >= 1 - (7/8)^4 = 0.41",
			Repair:         "the step before it, C(mu,i+1)/C(m,i+1) >= (1-(1-k/m)^(n-1)) C(mu,i)/C(m,i) for i < k, holds; with exponent n in place of n-1 so does this one, but they do not join. The theorem stands (burns.thm15.lower)",
			Argument: [2]string{
				"n = 1: the left side is 0, the right side k/m or nearly so.",
				"For large m the left side is about k(n-1)/m, the right side about kn/m: it fails for every n.",
			},
			Checked: "the counterexamples; the step before it and the one with exponent n exhaustively for 0 <= i < k <= m <= 16, n <= 9",
			check: func(r *run) error {
				law := func(drop int) func(p []int) error {
					return func(p []int) error {
						m, n, k := p[0], p[1], p[2]
						if k > m {
							return errOutside
						}
						return atMost(pow(rat(m-k, m), n-drop), pow(rat(m-1, m), k*n))
					}
				}
				box := box{{"m", 1, r.upto(7, 16)}, {"n", 1, r.upto(4, 9)}, {"k", 1, r.upto(7, 16)}}
				if law(1)([]int{8, 2, 2}) == nil {
					return errors.New("no counterexample at m=8 n=2 k=2")
				}
				return first(
					r.smallest([]int{1, 1, 1}, box, law(1)),
					r.all(box, law(0)),
					r.all(box15(r), in15(rUptoK, func(m, n, k, r int) error {
						if r == 0 || n == 0 || k == m && n == 1 {
							return errOutside
						}
						mu := committeeMean(m, n, k)
						left := quo(choose(mu, r), ichoose(m, r))
						factor := sub(whole(1), pow(rat(m-k, m), n-1))
						return atMost(mul(factor, quo(choose(mu, r-1), ichoose(m, r-1))), left)
					})))
			},
		},
		{
			ID: "burns.lemma16.roles", Paper: Burns, Ref: "Section 2.4.2, Lemma 16",
			Statement:      "X is the occupancy number of k batches of n balls, and its mean is (42), its variance (43)",
			Domain:         "0 <= k, n <= m",
			Verdict:        Misprint,
			Counterexample: "m = 2, n = 1, k = 2: (42) is 2; two batches of one ball occupy 3/2 urns on average",
			Repair:         "n batches of k balls",
			Argument: [2]string{
				"n = 1 makes (42) equal to k, as one batch of k balls does.",
				"k batches of one ball can meet in an urn, so they occupy fewer than k on average for k >= 2.",
			},
			Checked: "by enumeration: m <= 6, k, n <= 4; the right reading in (42)",
			check: func(r *run) error {
				return r.smallest([]int{2, 1, 2}, box{{"m", 1, 6}, {"n", 0, 4}, {"k", 0, 4}}, func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					if k > m || n > m {
						return errOutside
					}
					return same(mean(occupied(m, repeat(n, k)...), whole), committeeMean(m, n, k))
				})
			},
		},
		{
			ID: "burns.eq42", Paper: Burns, Ref: "Section 2.4.2, Lemma 16, (42)",
			Statement: "mu = m (1 - (1-k/m)^n)",
			Domain:    "n batches of k balls in m urns",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 8, n <= 6, all k",
			check: func(r *run) error {
				return r.all(committeeBox(r), committee(func(l setLaw, m, n, k int) error {
					return same(mean(l.pmf(), whole), committeeMean(m, n, k))
				}))
			},
		},
		{
			ID: "burns.eq43", Paper: Burns, Ref: "Section 2.4.2, Lemma 16, (43)",
			Statement:      "Var X = m [1-(1-k/m)^n] [1 - m (1-(1-k/m)^n) + (m-1)(1-k/(m-1))^n]",
			Domain:         "m >= 2, 0 <= k <= m, n >= 0",
			Verdict:        Misprint,
			Counterexample: "m = 2, n = 1, k = 2: X = 2 surely, the formula gives 2 (1 - 2 - 1) = -4; m = 2, n = 2, k = 1: Var X = 1/4, the formula gives 3/2 (1 - 3/2) = -3/4",
			Repair:         "with q = (1-k/m)^n: Var X = m q [1 - m q + (m-1)(1-k/(m-1))^n]",
			Argument: [2]string{
				"m - X counts empty urns, so E = m q and E[(m-X)(m-X-1)] = m(m-1) q (1-k/(m-1))^n: two urns are both empty.",
				"Var = E[(m-X)(m-X-1)] + m q - (m q)^2 is the repaired form; printed is 1-q in place of q.",
			},
			Checked: "by enumeration: 2 <= m <= 8, n <= 6, all k",
			check: func(r *run) error {
				law := func(p func(q *big.Rat) *big.Rat) func(at []int) error {
					return committee(func(l setLaw, m, n, k int) error {
						q := p(pow(rat(m-k, m), n))
						bracket := add(sub(whole(1), mul(whole(m), q)), mul(whole(m-1), pow(rat(m-1-k, m-1), n)))
						return same(variance(l.pmf()), mul(mul(whole(m), q), bracket))
					})
				}
				box := committeeBox(r)
				box[0].Lo = 2
				return first(
					r.smallest([]int{2, 1, 2}, box, law(func(q *big.Rat) *big.Rat { return sub(whole(1), q) })),
					r.all(box, law(func(q *big.Rat) *big.Rat { return q })))
			},
		},
		{
			ID: "burns.eq44", Paper: Burns, Ref: "Section 2.4.2, Corollary 17, (44)",
			Statement: "mu = m (1 - (1-1/m)^n)",
			Domain:    "n balls in m urns",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 7, n <= 8",
			check: func(r *run) error {
				return r.all(momentBox(r)[:2], func(p []int) error {
					l, err := union(p[0], repeat(1, p[1])...)
					if err != nil {
						return err
					}
					return same(mean(l.pmf(), whole), standardMean(p[0], p[1]))
				})
			},
		},
		{
			ID: "burns.eq45", Paper: Burns, Ref: "Section 2.4.2, Corollary 17, (45)",
			Statement: "Var X = m ((1-1/m)^n - (1-2/m)^n) - m^2 ((1-1/m)^(2n) - (1-2/m)^n)",
			Domain:    "n balls in m urns, m = 1 included",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 7, n <= 8",
			check: func(r *run) error {
				return r.all(momentBox(r)[:2], func(p []int) error {
					m, n := p[0], p[1]
					l, err := union(m, repeat(1, n)...)
					if err != nil {
						return err
					}
					one, two := pow(rat(m-1, m), n), pow(rat(m-2, m), n)
					return same(variance(l.pmf()), sub(mul(whole(m), sub(one, two)), mul(ipow(m, 2), sub(mul(one, one), two))))
				})
			},
		},
		{
			ID: "burns.eq46", Paper: Burns, Ref: "Section 2.4.2, Corollary 18, (46), method of moments",
			Statement: "n = ln(1-mu/m)/ln(1-k/m) for the mean mu after n batches of k",
			Domain:    "1 <= k < m, n >= 0 (for mu = m or k = m it is undefined)",
			Verdict:   Confirmed,
			Checked:   "as 1 - mu/m = (1-k/m)^n, mu by enumeration: m <= 8, n <= 6",
			check: func(r *run) error {
				return r.all(committeeBox(r), committee(func(l setLaw, m, n, k int) error {
					if k == 0 || k == m {
						return errOutside
					}
					left := sub(whole(1), quo(mean(l.pmf(), whole), whole(m)))
					return same(left, pow(rat(m-k, m), n))
				}))
			},
		},
		{
			ID: "burns.eq46.ml", Paper: Burns, Ref: "Section 2.4.2, Corollary 18, (46), maximum likelihood",
			Statement:      "for X occupied urns, ln(1-X/m)/ln(1-k/m) is the maximum-likelihood estimate of n",
			Domain:         "1 <= k < m, k <= X < m",
			Verdict:        Refuted,
			Counterexample: "m = 3, k = 1, X = 2: (46) is 2.71; the likelihood 3 (2^n - 2)/3^n is the same at n = 2 and n = 3, and over real n largest at 2.44",
			Repair:         "the whole n of largest likelihood is (46) rounded down or up, in all cases tried",
			Argument: [2]string{
				"P[X = 2 | n = 2] = 6/9 and P[X = 2 | n = 3] = 18/27 agree; the derivative of (2^n - 2)/3^n is 0 at 2^n = 2 ln 3/ln(3/2) = 5.42.",
				"At n = 5/2 the likelihood is 0.7038; at (46), where (2/3)^n = 1/3, it is 1 - 6/3^n < 1 - 6/20 = 0.7.",
			},
			Checked: "the counterexample in rationals; the repaired statement for every 1 <= k <= X < m <= 24, all n until P[X' <= X] is below the largest likelihood",
			check:   checkLikelihood,
		},
		{
			ID: "burns.eq47", Paper: Burns, Ref: "Section 2.4.2, Lemma 19, (47)",
			Statement: "X (1 + Delta^(X-1)[C(x,k)^n]/Delta^X[C(x,k)^n] at 0) is the minimum-variance unbiased estimate of m",
			Domain:    "k <= m <= nk, k, n >= 1; for m > nk it is too small on average by m C(m-1,nk) Delta^(nk)[C(x,k)^n] at 0 / C(m,k)^n",
			Verdict:   Confirmed,
			Checked:   "unbiased, and the only unbiased function of X (P[X = m] > 0 for each m: a triangular system), and the bias beyond: m <= 14, nk <= 14",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(8, 14)}, {"n", 1, r.upto(8, 14)}, {"k", 1, r.upto(8, 14)}}, func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					if k > m || n*k > r.upto(8, 14) {
						return errOutside
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
				})
			},
		},
		{
			ID: "burns.eq48", Paper: Burns, Ref: "Section 2.4.2, Corollary 20, (48), second case",
			Statement: "S(n+1,X)/S(n,X) is the minimum-variance unbiased estimate of m",
			Domain:    "1 <= m <= n",
			Verdict:   Confirmed,
			Checked:   "unbiased, and the only unbiased function of X: m <= n <= 16",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(8, 16)}, {"n", 1, r.upto(8, 16)}}, func(p []int) error {
					m, n := p[0], p[1]
					if m > n {
						return errOutside
					}
					pmf := occupied(m, repeat(1, n)...)
					unbiased := meanWhere(pmf, func(x int) *big.Rat { return quo(stirling(n+1, x), stirling(n, x)) })
					return first(below(new(big.Rat), pmf[m]), same(unbiased, whole(m)))
				})
			},
		},
		{
			ID: "burns.eq48.above", Paper: Burns, Ref: "Section 2.4.2, Corollary 20, (48), first case",
			Statement:      "X + S(n,X-1)/S(n,X) is the minimum-variance unbiased estimate of m for m > n",
			Domain:         "m > n >= 1",
			Verdict:        Refuted,
			Counterexample: "m = 2, n = 1: X = 1 surely and the estimate is 1",
			Repair:         "its mean is m - ff(m,n+1)/m^n: too small for every m > n, where no function of X is unbiased for all m",
			Argument: [2]string{
				"One ball always occupies one urn, whatever m: S(1,0) = 0, and the estimate is 1.",
				"The mean is sum_{x<=n} S(n+1,x) ff(m,x)/m^n, and the sum to n+1 is m^(n+1)/m^n = m.",
			},
			Checked: "the mean for all m, n <= 16",
			check: func(r *run) error {
				average := func(m, n int) *big.Rat {
					return meanWhere(occupied(m, repeat(1, n)...), func(x int) *big.Rat {
						return add(whole(x), quo(stirling(n, x-1), stirling(n, x)))
					})
				}
				box := box{{"m", 1, r.upto(8, 16)}, {"n", 1, r.upto(8, 16)}}
				return first(
					r.smallest([]int{2, 1}, box, func(p []int) error {
						if p[0] <= p[1] {
							return errOutside
						}
						return same(average(p[0], p[1]), whole(p[0]))
					}),
					r.all(box, func(p []int) error {
						m, n := p[0], p[1]
						return same(average(m, n), sub(whole(m), quo(ifall(m, n+1), ipow(m, n))))
					}))
			},
		},
		{
			ID: "burns.eq48.cases", Paper: Burns, Ref: "Section 2.4.2, Corollary 20, (48)",
			Statement: "the two cases X + S(n,X-1)/S(n,X) and S(n+1,X)/S(n,X) agree at their border",
			Domain:    "1 <= X <= n: they are the same number for every X and n, so nothing depends on the unknown m",
			Verdict:   Confirmed,
			Checked:   "X <= n <= 60; it is the recursion of the Stirling numbers",
			check: func(r *run) error {
				return r.all(box{{"n", 1, r.upto(20, 60)}, {"X", 1, r.upto(20, 60)}}, func(p []int) error {
					n, x := p[0], p[1]
					if x > n {
						return errOutside
					}
					return same(add(whole(x), quo(stirling(n, x-1), stirling(n, x))), quo(stirling(n+1, x), stirling(n, x)))
				})
			},
		},
	}
}

// meanWhere returns E[f(X)], without asking for f where P[X = i] is 0.
func meanWhere(pmf []*big.Rat, f func(i int) *big.Rat) *big.Rat {
	return mean(pmf, func(i int) *big.Rat {
		if pmf[i].Sign() == 0 {
			return new(big.Rat)
		}
		return f(i)
	})
}

func checkLikelihood(r *run) error {
	refuted := func() error {
		// n = 2.72 is above (46), where (2/3)^n = 1/3, and 3^2.72 < 20; so the likelihood
		// there, 1 - 6/3^n, is below 7/10. At 5/2 its square is (36 - 4 sqrt 32)/27.
		if err := below(pow(rat(2, 3), 272), pow(rat(1, 3), 100)); err != nil {
			return err
		}
		if err := below(ipow(3, 272), ipow(20, 100)); err != nil {
			return err
		}
		root := quo(sub(whole(36), mul(whole(27), rat(49, 100))), whole(4)) // sqrt 32 must be below
		pair := [2]*big.Rat{occupied(3, 1, 1)[2], occupied(3, 1, 1, 1)[2]}
		return first(below(whole(32), mul(root, root)), same(pair[0], pair[1]))
	}
	box := box{{"m", 2, r.upto(9, 24)}, {"k", 1, r.upto(8, 23)}}
	return first(r.once(refuted), r.all(box, func(p []int) error {
		m, k := p[0], p[1]
		if k >= m {
			return errOutside
		}
		best := make([]*big.Rat, m) // by X
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
					continue // tail falls with n: nothing better follows
				}
				going = true
				// n is (46) rounded down or up when (46) lies between n-1 and n+1.
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
	}))
}
