package claims

import (
	"fmt"
	"math/big"
)

func burns31Sets() []Claim {
	return []Claim{
		{
			ID: "burns.table1.roles", Paper: Burns, Ref: "Section 3, Table 1, classic column",
			Statement:      "a classic filter of n items is an urn model of k batches of n balls",
			Domain:         "0 <= k, n <= m",
			Verdict:        Misprint,
			Counterexample: "m = 2, n = 1, k = 2: one item sets 2 bits surely; two batches of one ball occupy 3/2 urns on average",
			Repair:         "n batches of k balls",
			Argument: [2]string{
				"An item is a batch: its k positions are distinct, those of different items may meet.",
				"The mean below it in the table, m (1-(1-k/m)^n), is k for n = 1.",
			},
			Checked: "the mean by enumeration: m <= 6, k, n <= 4; the p.m.f. and the mean of the table by (14), (16), (4), (44)",
			check: func(r *run) error {
				return first(
					r.smallest([]int{2, 1, 2}, box{{"m", 1, 6}, {"n", 0, 4}, {"k", 0, 4}}, func(p []int) error {
						m, n, k := p[0], p[1], p[2]
						if k > m || n > m {
							return errOutside
						}
						return same(mean(occupied(m, repeat(n, k)...), whole), committeeMean(m, n, k))
					}),
					r.all(committeeBox(r), committee(func(l setLaw, m, n, k int) error {
						return same(mean(l.pmf(), whole), committeeMean(m, n, k))
					})))
			},
		},
		{
			ID: "burns.table1.laws", Paper: Burns, Ref: "Section 3, Table 1",
			Statement: "X has the law C(m,i) Delta^i[C(x,k)^n] at 0 / C(m,k)^n in a classic filter, S(nk,i) ff(m,i)/m^(nk) in a standard one, and the means of (16) and (44)",
			Domain:    "n items, k positions each",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 7, nk <= 16",
			check: func(r *run) error {
				return r.all(rateBox(r), func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					l, err := union(m, repeat(1, n*k)...)
					if err != nil {
						return err
					}
					err = first(same(mean(l.pmf(), whole), standardMean(m, n*k)), eachPMF(l, func(i int) (*big.Rat, error) {
						return quo(mul(stirling(n*k, i), ifall(m, i)), ipow(m, n*k)), nil
					}))
					if err != nil || k > m {
						return err
					}
					return committee(func(l setLaw, m, n, k int) error {
						return eachPMF(l, func(i int) (*big.Rat, error) {
							return mul(ichoose(m, i), delta(i, func(x int) *big.Rat { return fit(x, m, repeat(k, n)) }, 0)), nil
						})
					})(p)
				})
			},
		},
		{
			ID: "burns.3.collisionfree", Paper: Burns, Ref: "Section 3, after Table 1",
			Statement: "P_S(X = k | n = 1) = ff(m,k)/m^k, with limit 1 as m grows",
			Domain:    "k >= 0",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 7, k <= 4; 1 - k(k-1)/(2m) <= ff(m,k)/m^k <= 1 and rising in m: m <= 10^4, k <= 12",
			check: func(r *run) error {
				return first(
					r.all(box{{"m", 1, r.upto(5, 7)}, {"k", 0, 4}}, func(p []int) error {
						m, k := p[0], p[1]
						l, err := union(m, repeat(1, k)...)
						if err != nil || k > m {
							return first(err, same(ifall(m, k), new(big.Rat)))
						}
						return same(l.pmf()[k], quo(ifall(m, k), ipow(m, k)))
					}),
					r.all(box{{"m", 1, r.upto(100, 10000)}, {"k", 0, 12}}, func(p []int) error {
						m, k := p[0], p[1]
						now, next := quo(ifall(m, k), ipow(m, k)), quo(ifall(m+1, k), ipow(m+1, k))
						return first(atMost(sub(whole(1), rat(k*(k-1), 2*m)), now), atMost(now, next), atMost(next, whole(1)))
					}))
			},
		},
		{
			ID: "burns.fig4", Paper: Burns, Ref: "Section 3, Figure 4",
			Statement: "a filter of m = 11 bits with n = 2 items and k = 3 positions can give a false positive",
			Domain:    "m = 11, n = 2, k = 3",
			Verdict:   Confirmed,
			Checked:   "the rates are f_S = 0.0896, f_C = 0.0756",
			check: func(r *run) error {
				return r.once(func() error {
					return first(below(new(big.Rat), rateC(11, 2, 3)), below(rateC(11, 2, 3), rateS(11, 2, 3)), roundsRat(rateS(11, 2, 3), "0.0896"), roundsRat(rateC(11, 2, 3), "0.0756"))
				})
			},
		},
		{
			ID: "burns.3.shape", Paper: Burns, Ref: "Section 3, after Figure 4; Figure 6",
			Statement:      "increasing k first decreases the rate, which then increases to 1",
			Domain:         "where the best k is above 1; everywhere else it increases from k = 1 on. In every case there is one valley: no k has a rate above those of both its neighbours",
			Verdict:        Conditional,
			Counterexample: "m = 2, n = 1: f_S = 1/2 at k = 1, 5/8 at k = 2",
			Checked:        "one valley, both hashings, exhaustively for m <= 24, n <= m, k <= 2 m/n + 6; m = 100, n = 20, k = 1..40 (Figure 6) with best k 3; the limit by f_S >= M and f_C(m,n,m) = 1",
			check:          checkShape,
		},
		{
			ID: "burns.3.1.union", Paper: Burns, Ref: "Section 3.1",
			Statement:      "B_or of filters of n_1, ..., n_c items is a filter of n = n_1 + ... + n_c items",
			Domain:         "sets that share no item; otherwise of as many items as the union of the sets has",
			Verdict:        Conditional,
			Counterexample: "m = 2, k = 1, two filters of the same item: X = 1 surely, but two items give E[X] = 3/2",
			Checked:        "the law of or for disjoint sets by enumeration: m <= 6, n_1, n_2 <= 3, k <= 3; the counterexample",
			check: func(r *run) error {
				law := func(share bool) func(p []int) error {
					return func(p []int) error {
						m, k, n1, n2 := p[0], p[1], p[2], p[3]
						if k > m {
							return errOutside
						}
						a, err := union(m, repeat(k, n1)...)
						if err != nil {
							return err
						}
						all, err := union(m, repeat(k, n1+n2)...)
						if err != nil {
							return err
						}
						if share { // the second filter holds the first n2 of the same items
							return eachPMF(all, func(i int) (*big.Rat, error) { return a.pmf()[i], nil })
						}
						b, err := union(m, repeat(k, n2)...)
						if err != nil {
							return err
						}
						or := make([]*big.Rat, m+1)
						for i := range or {
							or[i] = new(big.Rat)
						}
						for x, cx := range a.count {
							for y, cy := range b.count {
								or[ones(x|y)].Add(or[ones(x|y)], mul(a.share(cx), b.share(cy)))
							}
						}
						return eachPMF(all, func(i int) (*big.Rat, error) { return or[i], nil })
					}
				}
				box := box{{"m", 1, r.upto(4, 6)}, {"k", 1, 3}, {"n1", 1, r.upto(2, 3)}, {"n2", 1, r.upto(2, 3)}}
				return first(r.smallest([]int{2, 1, 1, 1}, box, law(true)), r.all(box, law(false)))
			},
		},
		{
			ID: "burns.3.1.positives", Paper: Burns, Ref: "Section 3.1",
			Statement: "what tests positive for some B_i tests positive for B_or; what tests positive for B_and does so for every B_i",
			Domain:    "all arrays of bits and positions",
			Verdict:   Confirmed,
			Checked:   "all pairs of arrays and sets of positions, m <= 6",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(5, 6)}}, func(p []int) error {
					for a := range 1 << p[0] {
						for b := range 1 << p[0] {
							for x := range 1 << p[0] {
								or := x&^(a|b) == 0
								and := x&^(a&b) == 0
								inA, inB := x&^a == 0, x&^b == 0
								if (inA || inB) && !or || and != (inA && inB) {
									return fmt.Errorf("arrays %b, %b, positions %b", a, b, x)
								}
							}
						}
					}
					return nil
				})
			},
		},
		{
			ID: "burns.eq49", Paper: Burns, Ref: "Section 3.1, Corollary 21, (49)",
			Statement:      "E|B_and| = (1/m^(nk-1)) prod_i (m^(n_i k) - (m-1)^(n_i k)), n = n_1 + ... + n_c",
			Domain:         "standard filters of sets that share no item",
			Verdict:        Conditional,
			Counterexample: "m = 2, k = 1, c = 2 filters of the same item: |B_and| = 1, the formula gives 1/2",
			Checked:        "by enumeration: m <= 6, c <= 3, n_i k <= 4; the counterexample",
			check: func(r *run) error {
				shared := func() error {
					one, err := union(2, 1)
					return first(err, same(mean(one.pmf(), whole), rat(1, 1)), same(andMean(2, []int{1, 1}), rat(1, 2)))
				}
				return first(r.once(shared), r.all(andBox(r), func(p []int) error {
					balls := ballsOf(p)
					return crossing(p[0], each(balls), func(l setLaw) error { return same(mean(l.pmf(), whole), andMean(p[0], balls)) })
				}))
			},
		},
		{
			ID: "burns.eq50", Paper: Burns, Ref: "Section 3.1, Corollary 21, (50)",
			Statement:      "Var|B_and| = (1/m^(nk-1)) ((-1)^c prod_i (m^(n_i k) - (m-1)^(n_i k)) + (m-1) prod_i (m^(n_i k) - 2(m-1)^(n_i k) + (m-2)^(n_i k))) + (1/m^(2(nk-1))) prod_i (m^(n_i k) - (m-1)^(n_i k))^2",
			Domain:         "standard filters of sets that share no item",
			Verdict:        Misprint,
			Counterexample: "m = 1, two filters of one item, k = 1: |B_and| = 1 surely, the formula gives 1 + 0 + 1 = 2",
			Repair:         "the factor +1 in place of (-1)^c, and the last term subtracted",
			Argument: [2]string{
				"Var X = E[X] + E[X(X-1)] - E[X]^2; by (39) E[X(X-1)] = m(m-1) prod nabla^2, E[X] = m prod nabla.",
				"All three products are of probabilities: the first two come with +, the square with -.",
			},
			Checked: "by enumeration: m <= 6, c <= 3, n_i k <= 4",
			check: func(r *run) error {
				law := func(one func(c int) *big.Rat, last int) func(p []int) error {
					return func(p []int) error {
						m, balls := p[0], ballsOf(p)
						return crossing(m, each(balls), func(l setLaw) error {
							pairs := product(0, len(balls)-1, func(i int) *big.Rat { return powerRatio(m, balls[i], 2) })
							first := mul(one(len(balls)), andMean(m, balls))
							square := mul(whole(last), pow(andMean(m, balls), 2))
							return same(variance(l.pmf()), add(add(first, mul(whole(m*(m-1)), pairs)), square))
						})
					}
				}
				return first(
					r.smallest([]int{1, 1, 0, 1}, andBox(r), law(sign, 1)),
					r.all(andBox(r), law(func(int) *big.Rat { return whole(1) }, -1)))
			},
		},
	}
}

// andBox are one to three filters by their numbers of balls n_i k; 0 ends the list.
func andBox(r *run) box {
	return box{{"m", 1, r.upto(4, 6)}, {"balls1", 1, r.upto(3, 4)}, {"balls2", 0, r.upto(3, 4)}, {"balls3", 0, r.upto(2, 3)}}
}

func ballsOf(p []int) []int {
	balls := []int{p[1]}
	for _, b := range p[2:] {
		if b > 0 {
			balls = append(balls, b)
		}
	}
	return balls
}

// each makes a department of single balls of every number.
func each(balls []int) [][]int {
	var out [][]int
	for _, b := range balls {
		out = append(out, repeat(1, b))
	}
	return out
}

// andMean is (49).
func andMean(m int, balls []int) *big.Rat {
	x := whole(m)
	for _, b := range balls {
		x = mul(x, quo(sub(ipow(m, b), ipow(m-1, b)), ipow(m, b)))
	}
	return x
}

func checkShape(r *run) error {
	oneValley := func(last int, rate func(k int) *big.Rat) (least int, err error) {
		least = 1
		rising := false
		before := rate(1)
		for k := 2; k <= last; k++ {
			now := rate(k)
			switch order := now.Cmp(before); {
			case order > 0:
				rising = true
			case order < 0 && rising:
				return 0, fmt.Errorf("falls again at k=%d", k)
			case order < 0:
				least = k
			}
			before = now
		}
		return least, nil
	}
	figure := func() error {
		s, err := oneValley(40, func(k int) *big.Rat { return rateS(100, 20, k) })
		if err != nil {
			return err
		}
		c, err := oneValley(40, func(k int) *big.Rat { return rateC(100, 20, k) })
		if err == nil && (s != 3 || c != 3) {
			err = fmt.Errorf("best k %d and %d", s, c)
		}
		return err
	}
	return first(
		r.once(figure),
		r.smallest([]int{2, 1}, box{{"m", 2, 3}, {"n", 1, 2}}, func(p []int) error {
			return below(rateS(p[0], p[1], 2), rateS(p[0], p[1], 1))
		}),
		r.all(box{{"m", 1, r.upto(10, 24)}, {"n", 1, r.upto(10, 24)}}, func(p []int) error {
			m, n := p[0], p[1]
			if n > m {
				return errOutside
			}
			last := 2*m/n + 6
			if _, err := oneValley(last, func(k int) *big.Rat { return rateS(m, n, k) }); err != nil {
				return err
			}
			if _, err := oneValley(min(last, m), func(k int) *big.Rat { return rateC(m, n, k) }); err != nil {
				return err
			}
			// f_S >= M >= 1 - k (1-1/m)^(nk), by Bernoulli.
			k := 20 * m
			return first(atMost(mul(whole(k), pow(rat(m-1, m), n*k)), rat(1, 100)), same(rateC(m, n, m), whole(1)))
		}))
}
