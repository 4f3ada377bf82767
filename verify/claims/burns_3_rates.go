package claims

import (
	"fmt"
	"math/big"
	"math/rand"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// rateBox are filters whose rate is found by enumeration.
func rateBox(r *Run) Box {
	return Box{{"m", 1, r.Upto(5, 7)}, {"n", 0, r.Upto(3, 4)}, {"k", 1, r.Upto(3, 4)}}
}

// enumerated returns the probability that a further item finds all its positions set,
// by going through the sets that n items leave and the positions of the item.
func enumerated(h bloomproof.Hashing, m, n, k int) (*big.Rat, error) {
	sizes, query := repeat(1, n*k), repeat(1, k)
	if h == bloomproof.Classic {
		sizes, query = repeat(k, n), []int{k}
	}
	state, err := union(m, sizes...)
	if err != nil {
		return nil, err
	}
	item, err := union(m, query...)
	if err != nil {
		return nil, err
	}
	f := new(big.Rat)
	for b, ways := range state.count {
		if ways == 0 {
			continue
		}
		hit := item.prob(func(mask int) bool { return mask&^b == 0 })
		f.Add(f, mul(state.share(ways), hit))
	}
	return f, nil
}

// rates runs law with the enumerated rate; k <= m for classic hashing.
func rates(h bloomproof.Hashing, law func(m, n, k int, rate *big.Rat) error) func(p []int) error {
	return func(p []int) error {
		m, n, k := p[0], p[1], p[2]
		if h == bloomproof.Classic && k > m {
			return errOutside
		}
		f, err := enumerated(h, m, n, k)
		if err != nil {
			return err
		}
		return law(m, n, k, f)
	}
}

// psi is the recursion of (55) and (63): psi(0,.) = 1 and psi(h,m) = psi(h-1,m) -
// q(h,m) psi(h-1,m-1).
func psi(h, m int, q func(h, m int) *big.Rat) *big.Rat {
	if h == 0 {
		return whole(1)
	}
	f := q(h, m)
	if f.Sign() == 0 {
		return psi(h-1, m, q)
	}
	return sub(psi(h-1, m, q), mul(f, psi(h-1, m-1, q)))
}

// boundsBox are filters large enough to tell inequalities apart.
func boundsBox(r *Run) Box {
	return Box{{"m", 1, r.Upto(10, 24)}, {"n", 0, r.Upto(5, 12)}, {"k", 1, r.Upto(11, 25)}}
}

// bounded runs law where domain holds.
func bounded(domain func(m, n, k int) bool, law func(m, n, k int) error) func(p []int) error {
	return func(p []int) error {
		if !domain(p[0], p[1], p[2]) {
			return errOutside
		}
		return law(p[0], p[1], p[2])
	}
}

func anyK(_, _, _ int) bool  { return true }
func kFits(m, _, k int) bool { return k <= m }

func burns3Rates() []Claim {
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
			Check: func(r *Run) error {
				return first(
					r.Smallest([]int{2, 1, 2}, Box{{"m", 1, 6}, {"n", 0, 4}, {"k", 0, 4}}, func(p []int) error {
						m, n, k := p[0], p[1], p[2]
						if k > m || n > m {
							return errOutside
						}
						return same(mean(occupied(m, repeat(n, k)...), whole), committeeMean(m, n, k))
					}),
					r.All(committeeBox(r), committee(func(l setLaw, m, n, k int) error {
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
			Check: func(r *Run) error {
				return r.All(rateBox(r), func(p []int) error {
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
			Check: func(r *Run) error {
				return first(
					r.All(Box{{"m", 1, r.Upto(5, 7)}, {"k", 0, 4}}, func(p []int) error {
						m, k := p[0], p[1]
						l, err := union(m, repeat(1, k)...)
						if err != nil || k > m {
							return first(err, same(ifall(m, k), new(big.Rat)))
						}
						return same(l.pmf()[k], quo(ifall(m, k), ipow(m, k)))
					}),
					r.All(Box{{"m", 1, r.Upto(100, 10000)}, {"k", 0, 12}}, func(p []int) error {
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
			Check: func(r *Run) error {
				return r.Once(func() error {
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
			Check:          checkShape,
		},
		{
			ID: "burns.3.1.union", Paper: Burns, Ref: "Section 3.1",
			Statement:      "B_or of filters of n_1, ..., n_c items is a filter of n = n_1 + ... + n_c items",
			Domain:         "sets that share no item; otherwise of as many items as the union of the sets has",
			Verdict:        Conditional,
			Counterexample: "m = 2, k = 1, two filters of the same item: X = 1 surely, but two items give E[X] = 3/2",
			Checked:        "the law of or for disjoint sets by enumeration: m <= 6, n_1, n_2 <= 3, k <= 3; the counterexample",
			Check: func(r *Run) error {
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
				box := Box{{"m", 1, r.Upto(4, 6)}, {"k", 1, 3}, {"n1", 1, r.Upto(2, 3)}, {"n2", 1, r.Upto(2, 3)}}
				return first(r.Smallest([]int{2, 1, 1, 1}, box, law(true)), r.All(box, law(false)))
			},
		},
		{
			ID: "burns.3.1.positives", Paper: Burns, Ref: "Section 3.1",
			Statement: "what tests positive for some B_i tests positive for B_or; what tests positive for B_and does so for every B_i",
			Domain:    "all arrays of bits and positions",
			Verdict:   Confirmed,
			Checked:   "all pairs of arrays and sets of positions, m <= 6",
			Check: func(r *Run) error {
				return r.All(Box{{"m", 1, r.Upto(5, 6)}}, func(p []int) error {
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
			Check: func(r *Run) error {
				shared := func() error {
					one, err := union(2, 1)
					return first(err, same(mean(one.pmf(), whole), rat(1, 1)), same(andMean(2, []int{1, 1}), rat(1, 2)))
				}
				return first(r.Once(shared), r.All(andBox(r), func(p []int) error {
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
			Check: func(r *Run) error {
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
					r.Smallest([]int{1, 1, 0, 1}, andBox(r), law(sign, 1)),
					r.All(andBox(r), law(func(int) *big.Rat { return whole(1) }, -1)))
			},
		},
		{
			ID: "burns.eq51", Paper: Burns, Ref: "Section 3.2, (51)",
			Statement: "the false-positive rate is the probability that all positions of an item that was not inserted are set",
			Domain:    "ideal hashing, standard and classic",
			Verdict:   Confirmed,
			Checked:   "a definition; its mean over all states and positions is f_S, f_C of (53), (59): m <= 7, n, k <= 4",
			Check: func(r *Run) error {
				return first(
					r.All(rateBox(r), rates(bloomproof.Standard, func(m, n, k int, f *big.Rat) error { return same(f, standardRate(m, n, k)) })),
					r.All(rateBox(r), rates(bloomproof.Classic, func(m, n, k int, f *big.Rat) error { return same(f, classicRate(m, n, k)) })))
			},
		},
		{
			ID: "burns.eq52", Paper: Burns, Ref: "Section 3.2.1, (52)",
			Statement: "P[all k independent positions set] = (|B|/m)^k, and P[all k distinct positions set] = C(|B|,k)/C(m,k), for a given array B",
			Domain:    "k >= 0, for distinct positions k <= m",
			Verdict:   Confirmed,
			Checked:   "every array and all positions: m <= 7, k <= 5",
			Check: func(r *Run) error {
				return r.All(Box{{"m", 1, r.Upto(5, 7)}, {"k", 0, r.Upto(4, 5)}}, func(p []int) error {
					m, k := p[0], p[1]
					item, err := union(m, repeat(1, k)...)
					if err != nil {
						return err
					}
					var distinct setLaw
					if k <= m {
						if distinct, err = union(m, k); err != nil {
							return err
						}
					}
					for b := range 1 << m {
						hit := func(mask int) bool { return mask&^b == 0 }
						if err := same(item.prob(hit), pow(rat(ones(b), m), k)); err != nil {
							return err
						}
						if k > m {
							continue
						}
						if err := same(distinct.prob(hit), quo(ichoose(ones(b), k), ichoose(m, k))); err != nil {
							return err
						}
					}
					return nil
				})
			},
		},
		{
			ID: "burns.eq53", Paper: Burns, Ref: "Section 3.2.1, (53)",
			Statement: "f_S = sum_{i=1}^m P[X = i] (i/m)^k = E[X^k]/m^k",
			Domain:    "m, k >= 1, n >= 0",
			Verdict:   Confirmed,
			Checked:   "against the enumeration of states and positions: m <= 7, n, k <= 4",
			Check: func(r *Run) error {
				return r.All(rateBox(r), rates(bloomproof.Standard, func(m, n, k int, f *big.Rat) error {
					pmf := occupied(m, repeat(1, n*k)...)
					return first(
						same(f, sum(1, m, func(i int) *big.Rat { return mul(pmf[i], pow(rat(i, m), k)) })),
						same(f, quo(classicPower(m, n*k, k), ipow(m, k))))
				}))
			},
		},
		{
			ID: "burns.eq54", Paper: Burns, Ref: "Section 3.2.1, (54), after Bose et al.",
			Statement: "f_S = m^(-(n+1)k) sum_{i=1}^m S(nk,i) ff(m,i) i^k",
			Domain:    "m, k >= 1, n >= 0",
			Verdict:   Confirmed,
			Checked:   "against the enumeration of states and positions: m <= 7, n, k <= 4; f_S(2,1,2) = 5/8",
			Check: func(r *Run) error {
				formula := func(m, n, k int) *big.Rat {
					s := sum(1, m, func(i int) *big.Rat { return mul(mul(stirling(n*k, i), ifall(m, i)), ipow(i, k)) })
					return quo(s, ipow(m, (n+1)*k))
				}
				return first(
					r.Once(func() error { return same(formula(2, 1, 2), rat(5, 8)) }),
					r.All(rateBox(r), rates(bloomproof.Standard, func(m, n, k int, f *big.Rat) error { return same(f, formula(m, n, k)) })))
			},
		},
		{
			ID: "burns.eq55", Paper: Burns, Ref: "Section 3.2.1, (55), after Grandi",
			Statement:      "psi(h,m) = psi(h-1,m) - (1-1/m)^(kn+h+1) psi(h-1,m-1), f_S = psi(k,m)",
			Domain:         "psi(0,.) = 1, kn fixed",
			Verdict:        Misprint,
			Counterexample: "m = 1, n = 0, k = 1: f_S = 0, the formula gives 1 - 0; m = 2, n = 1, k = 1: f_S = 1/2, the formula gives 1 - 1/8",
			Repair:         "exponent kn+h-1",
			Argument: [2]string{
				"h = 1 gives psi(1,m) = f_S for k = 1 positions of kn balls: 1 - (1-1/m)^(kn), the share of occupied urns.",
				"By Theorem 3 each step from m to m-1 urns costs (1-1/m)^(kn), and (X/m)^(h-1) against (X/(m-1))^(h-1) the other h-1.",
			},
			Checked: "against the enumeration of states and positions: m <= 7, n, k <= 4",
			Check: func(r *Run) error {
				law := func(by int) func(p []int) error {
					return rates(bloomproof.Standard, func(m, n, k int, f *big.Rat) error {
						return same(f, psi(k, m, func(h, m int) *big.Rat { return pow(rat(m-1, m), k*n+h+by) }))
					})
				}
				return first(r.Smallest([]int{1, 0, 1}, rateBox(r), law(1)), r.All(rateBox(r), law(-1)))
			},
		},
		{
			ID: "burns.eq55.step", Paper: Burns, Ref: "Section 3.2.1, after (55)",
			Statement: "E[(X/m)^k | m] = E[(X/m)^(k+1) | m] + (1-1/m)^(nk+k) E[(X/(m-1))^k | m-1], nk balls",
			Domain:    "m >= 2, n, k >= 0",
			Verdict:   Confirmed,
			Checked:   "m <= 10, nk <= 24, exponents k <= 6",
			Check: func(r *Run) error {
				return r.All(Box{{"m", 2, r.Upto(7, 10)}, {"n", 0, 4}, {"k", 0, r.Upto(4, 6)}}, func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					part := func(m, j int) *big.Rat { return quo(classicPower(m, n*k, j), ipow(m, j)) }
					return same(part(m, k), add(part(m, k+1), mul(pow(rat(m-1, m), n*k+k), part(m-1, k))))
				})
			},
		},
		{
			ID: "burns.eq56", Paper: Burns, Ref: "Section 3.2.1, Theorem 22, (56)",
			Statement: "f_S = m^(-(n+1)k) sum_{i=0}^k S(k,i) ff(m,i) sum_{j=0}^i (-1)^j C(i,j) (m-j)^(nk)",
			Domain:    "m, k >= 1, n >= 0",
			Verdict:   Confirmed,
			Checked:   "against the enumeration of states and positions: m <= 7, n, k <= 4; against (53) by the chain of occupied urns: m <= 40, n <= 8, k <= 10",
			Check: func(r *Run) error {
				return first(
					r.All(rateBox(r), rates(bloomproof.Standard, func(m, n, k int, f *big.Rat) error { return same(f, rateS(m, n, k)) })),
					r.All(Box{{"m", 1, r.Upto(12, 40)}, {"n", 0, r.Upto(4, 8)}, {"k", 1, r.Upto(5, 10)}}, func(p []int) error {
						return same(standardRate(p[0], p[1], p[2]), rateS(p[0], p[1], p[2]))
					}))
			},
		},
		{
			ID: "burns.taylor", Paper: Burns, Ref: "Section 3.2.1, after Theorem 22",
			Statement: "E[phi(X)] = E[sum_i phi^(i)(mu)/i! (X-mu)^i], phi(x) = (x/m)^k: the series ends at i = k",
			Domain:    "m, k >= 1, n >= 0",
			Verdict:   Confirmed,
			Checked:   "m <= 8, n <= 4, k <= 5",
			Check: func(r *Run) error {
				return r.All(Box{{"m", 1, r.Upto(6, 8)}, {"n", 1, r.Upto(3, 4)}, {"k", 1, r.Upto(4, 5)}}, func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					pmf, mu := occupied(m, repeat(1, n*k)...), standardMean(m, n*k)
					series := sum(0, k, func(i int) *big.Rat {
						derivative := mul(ichoose(k, i), quo(pow(mu, k-i), ipow(m, k)))
						return mul(derivative, mean(pmf, func(x int) *big.Rat { return pow(sub(whole(x), mu), i) }))
					})
					return same(series, standardRate(m, n, k))
				})
			},
		},
		{
			ID: "burns.taylor.close", Paper: Burns, Ref: "Section 3.2.1, after Theorem 22",
			Statement: "phi(mu) + phi''(mu) Var X/2 is a close approximation of f_S",
			Domain:    "m large against k^2; for small m it can exceed 1",
			Verdict:   Confirmed,
			Checked:   "k = 7, m = 10 n = 10^2, 10^3, 10^4, 10^5: each relative error is less than 1/50 of the one before (it falls like 1/m^2), the first below 0.02",
			Check: func(r *Run) error {
				return r.Once(func() error {
					last := rat(1, 1)
					for m := 100; m <= 100000; m *= 10 {
						f, err := rateOf(bloomproof.Standard, uint64(m), uint64(m/10), 7)
						if err != nil {
							return err
						}
						t, err := exact.Taylor(uint64(m), uint64(m/10), 7, exact.PrecFor(30))
						if err != nil {
							return err
						}
						now := relative(t, f)
						if err := below(now, quo(last, whole(50))); err != nil {
							return fmt.Errorf("m=%d: %w", m, err)
						}
						last = now
					}
					return nil
				})
			},
		},
		{
			ID: "burns.eq57", Paper: Burns, Ref: "Section 3.2.1, (57)",
			Statement: "M = (1-(1-1/m)^(kn))^k = phi(mu) <= f_S",
			Domain:    "m, k >= 1, n >= 0; equality for k = 1, m = 1 and n = 0 only",
			Verdict:   Confirmed,
			Checked:   "exhaustively: m <= 24, n <= 12, k <= 25",
			Check: func(r *Run) error {
				return r.All(boundsBox(r), bounded(anyK, func(m, n, k int) error {
					f := rateS(m, n, k)
					if k == 1 || m == 1 || n == 0 {
						return same(bloomRate(m, n, k), f)
					}
					return first(below(bloomRate(m, n, k), f), same(bloomRate(m, n, k), pow(quo(standardMean(m, n*k), whole(m)), k)))
				}))
			},
		},
		{
			ID: "burns.eq58", Paper: Burns, Ref: "Section 3.2.1, (58)",
			Statement: "E = (1-e^(-kn/m))^k <= M",
			Domain:    "m, k >= 1, n >= 0; equality for n = 0 only",
			Verdict:   Confirmed,
			Checked:   "for all n and k at once, as ln(1-1/m) < -1/m: m <= 10^5 (m = 1 is plain); E <= M <= f_S as enclosures on 200 random filters with m up to 2^40",
			Check: func(r *Run) error {
				return first(
					r.All(Box{{"m", 2, r.Upto(300, 100000)}}, func(p []int) error {
						_, hi := ln(rat(p[0]-1, p[0]))
						return below(hi, rat(-1, p[0]))
					}),
					r.Sample(r.Upto(10, 200), func(rnd *rand.Rand) error {
						m := 2 + rnd.Uint64()>>(24+rnd.Intn(38))
						n, k := 1+rnd.Uint64()%m, 2+rnd.Intn(20)
						e, err := exact.Exponential(m, n, k, exact.PrecFor(40))
						if err != nil {
							return err
						}
						b, err := exact.Bloom(m, n, k, exact.PrecFor(40))
						if err != nil {
							return err
						}
						f, err := rateOf(bloomproof.Standard, m, n, k)
						if err != nil {
							return err
						}
						return first(certain(e, b), certain(b, f))
					}))
			},
		},
		{
			ID: "burns.eq59", Paper: Burns, Ref: "Section 3.2.2, (59)",
			Statement: "f_C = E[C(X,k)]/C(m,k)",
			Domain:    "1 <= k <= m, n >= 0",
			Verdict:   Confirmed,
			Checked:   "against the enumeration of states and positions: m <= 7, n, k <= 4",
			Check: func(r *Run) error {
				return r.All(rateBox(r), rates(bloomproof.Classic, func(m, n, k int, f *big.Rat) error { return same(f, classicRate(m, n, k)) }))
			},
		},
		{
			ID: "burns.eq60", Paper: Burns, Ref: "Section 3.2.2, (60)",
			Statement: "f_C = sum_{i=0}^k (-1)^i C(k,i) [C(m-i,k)/C(m,k)]^n",
			Domain:    "1 <= k <= m, n >= 0",
			Verdict:   Confirmed,
			Checked:   "against the enumeration of states and positions: m <= 7, n, k <= 4; against (59) by the chain of occupied urns: m <= 30, n <= 8, all k",
			Check: func(r *Run) error {
				return first(
					r.All(rateBox(r), rates(bloomproof.Classic, func(m, n, k int, f *big.Rat) error { return same(f, rateC(m, n, k)) })),
					r.All(Box{{"m", 1, r.Upto(9, 30)}, {"n", 0, r.Upto(4, 8)}, {"k", 1, r.Upto(9, 30)}}, bounded(kFits, func(m, n, k int) error {
						return same(classicRate(m, n, k), rateC(m, n, k))
					})))
			},
		},
		{
			ID: "burns.eq61", Paper: Burns, Ref: "Section 3.2.2, (61)",
			Statement: "f_C = nabla^k[C(x,k)^n] at m / C(m,k)^n = rho_k(k,m)",
			Domain:    "1 <= k <= m, n >= 0",
			Verdict:   Confirmed,
			Checked:   "against the enumeration of states and positions: m <= 7, n, k <= 4",
			Check: func(r *Run) error {
				return r.All(rateBox(r), rates(bloomproof.Classic, func(m, n, k int, f *big.Rat) error {
					return first(same(f, committeePower(m, n, k, k)), same(f, rho(k, m, repeat(k, n))))
				}))
			},
		},
		{
			ID: "burns.eq62", Paper: Burns, Ref: "Section 3.2.2, (62)",
			Statement: "f_C = F[-k, k-m, ..., k-m; -m, ..., -m; 1] with n+1 upper and n lower parameters",
			Domain:    "1 <= k <= m, n >= 0",
			Verdict:   Confirmed,
			Checked:   "against the enumeration of states and positions: m <= 7, n, k <= 4",
			Check: func(r *Run) error {
				return r.All(rateBox(r), rates(bloomproof.Classic, func(m, n, k int, f *big.Rat) error {
					got, err := hyper(append(repeat(k-m, n), -k), repeat(-m, n), whole(1))
					return first(err, same(got, f))
				}))
			},
		},
		{
			ID: "burns.eq63", Paper: Burns, Ref: "Section 3.2.2, (63), after Grandi",
			Statement:      "psi(h,m) = psi(h-1,m) - (1-k/m)^n psi(h-1,m-1), f_C = psi(m,k)",
			Domain:         "psi(0,.) = 1, 1 <= k <= m, n >= 1",
			Verdict:        Misprint,
			Counterexample: "m = 2, n = 1, k = 1: f_C = 1/2, psi(2,1) = 1",
			Repair:         "f_C = psi(k,m)",
			Argument: [2]string{
				"The second argument of psi is the number of urns: with k urns the factor (1-k/k)^n is 0, so psi(h,k) = 1 for all h.",
				"psi(1,2) = 1 - (1-1/2)^1 = 1/2 is the share of set bits after one item.",
			},
			Checked: "against the enumeration of states and positions: m <= 7, n, k <= 4",
			Check: func(r *Run) error {
				law := func(swap bool) func(p []int) error {
					return rates(bloomproof.Classic, func(m, n, k int, f *big.Rat) error {
						h, urns := k, m
						if swap {
							h, urns = m, k
						}
						return same(f, psi(h, urns, func(_, m int) *big.Rat { return pow(rat(m-k, m), n) }))
					})
				}
				box := rateBox(r)
				box[1].Lo = 1
				return first(r.Smallest([]int{2, 1, 1}, box, law(true)), r.All(rateBox(r), law(false)))
			},
		},
		{
			ID: "burns.cor23.lower", Paper: Burns, Ref: "Section 3.2.2, Corollary 23",
			Statement: "L <= f_S and L <= f_C, L = nabla^k[x^(nk)] at m / m^(nk)",
			Domain:    "1 <= k <= (m-1)/2 as printed; both hold for all 1 <= k <= m",
			Verdict:   Confirmed,
			Checked:   "exhaustively: m <= 24, n <= 12, 1 <= k <= m",
			Check: func(r *Run) error {
				return r.All(boundsBox(r), bounded(kFits, func(m, n, k int) error {
					l := powerRatio(m, n*k, k)
					return first(atMost(l, rateS(m, n, k)), atMost(l, rateC(m, n, k)))
				}))
			},
		},
		{
			ID: "burns.eq64", Paper: Burns, Ref: "Section 3.2.2, Corollary 23, (64)",
			Statement: "L = nabla^k[x^(nk)] at m / m^(nk) >= C(mu_S,k)/C(m,k), mu_S = m (1-(1-1/m)^(nk))",
			Domain:    "1 <= k <= (m-1)/2; beyond it fails first at m = 12, n = 1, k = 12, where mu_S < k-1",
			Verdict:   Confirmed,
			Checked:   "exhaustively: m <= 60, n <= 4, 1 <= k <= (m-1)/2; the failure is the first with k <= m",
			Check: func(r *Run) error {
				law := func(m, n, k int) error {
					return atMost(quo(choose(standardMean(m, n*k), k), ichoose(m, k)), powerRatio(m, n*k, k))
				}
				box := Box{{"m", 1, r.Upto(14, 60)}, {"n", 0, r.Upto(3, 4)}, {"k", 1, r.Upto(14, 60)}}
				return first(
					r.All(box, bounded(func(m, _, k int) bool { return 2*k <= m-1 }, law)),
					r.Smallest([]int{12, 1, 12}, Box{{"m", 1, 12}, {"n", 0, 3}, {"k", 1, 12}}, bounded(kFits, law)))
			},
		},
		{
			ID: "burns.eq65", Paper: Burns, Ref: "Section 3.2.2, Corollary 23, (65)",
			Statement: "f_S <= U and f_C <= U, U = (1-(1-k/m)^n)^k = (mu_C/m)^k",
			Domain:    "1 <= k <= (m-1)/2 as printed; both hold for all 1 <= k <= m, and fail for k > m",
			Verdict:   Confirmed,
			Checked:   "exhaustively: m <= 24, n <= 12, 1 <= k <= m; m = 1, n = 2, k = 2: U = 0, f_S = 1",
			Check: func(r *Run) error {
				return first(
					r.Once(func() error { return below(upperRate(1, 2, 2), rateS(1, 2, 2)) }),
					r.All(boundsBox(r), bounded(kFits, func(m, n, k int) error {
						u := upperRate(m, n, k)
						return first(atMost(rateS(m, n, k), u), atMost(rateC(m, n, k), u), same(u, pow(quo(committeeMean(m, n, k), whole(m)), k)))
					})))
			},
		},
		{
			ID: "burns.cor23.proof", Paper: Burns, Ref: "Section 3.2.2, proof of Corollary 23",
			Statement: "U = m^(-k) sum_i S(k,i) ff(mu_C,i), and ff(mu_C,i) >= ff(m,i) nabla^i[x^(nk)] at m / m^(nk) for i <= k",
			Domain:    "1 <= k <= m",
			Verdict:   Confirmed,
			Checked:   "exhaustively: m <= 14, n <= 8, all k and i",
			Check: func(r *Run) error {
				box := Box{{"m", 1, r.Upto(7, 14)}, {"n", 0, r.Upto(4, 8)}, {"k", 1, r.Upto(7, 14)}}
				return r.All(box, bounded(kFits, func(m, n, k int) error {
					mu := committeeMean(m, n, k)
					u := quo(sum(0, k, func(i int) *big.Rat { return mul(stirling(k, i), fall(mu, i)) }), ipow(m, k))
					err := same(u, upperRate(m, n, k))
					for i := 0; i <= k && err == nil; i++ {
						err = atMost(mul(ifall(m, i), powerRatio(m, n*k, i)), fall(mu, i))
					}
					return err
				}))
			},
		},
		{
			ID: "burns.3.3.better", Paper: Burns, Ref: "Section 3.3",
			Statement:      "Bloom's original construction is more efficient than the standard filter: f_C < f_S for the same m, n, k",
			Domain:         "k >= 2, n >= 1 and kn <= 0.7 (m-1); it fails when the filter is filled much beyond its best: at m = 60 first at kn = 51 for n = 1, 52 for n = 2, 60 for n = 6",
			Verdict:        Conditional,
			Counterexample: "m = 3, n = 1, k = 2: both rates are 1/3; m = 3, n = 2, k = 2: f_C = 7/9 is above f_S = 55/81",
			Checked:        "exhaustively for k >= 2, kn <= 0.7 (m-1), m <= 40, n <= 14; the counterexamples; f_C = f_S for k = 1",
			Check: func(r *Run) error {
				law := func(m, n, k int) error {
					if k == 1 {
						return same(rateC(m, n, k), rateS(m, n, k))
					}
					return below(rateC(m, n, k), rateS(m, n, k))
				}
				box := Box{{"m", 1, r.Upto(16, 40)}, {"n", 1, r.Upto(8, 14)}, {"k", 1, r.Upto(11, 28)}}
				return first(
					r.Once(func() error { return below(rateS(3, 2, 2), rateC(3, 2, 2)) }),
					r.Smallest([]int{3, 1, 2}, box, bounded(func(m, _, k int) bool { return k < m }, law)),
					r.All(box, bounded(func(m, n, k int) bool { return 10*k*n <= 7*(m-1) || k == 1 }, law)))
			},
		},
		{
			ID: "burns.3.3.best", Paper: Burns, Ref: "Section 3.3",
			Statement: "the best classic filter has a lower rate than the best standard one: min_k f_C <= min_k f_S",
			Domain:    "m, n >= 1; strict where the best k of one of them is above 1, except m = 3, n = 1",
			Verdict:   Confirmed,
			Checked:   "exhaustively for n <= m <= 40",
			Check: func(r *Run) error {
				return r.All(Box{{"m", 1, r.Upto(14, 40)}, {"n", 1, r.Upto(14, 40)}}, func(p []int) error {
					m, n := p[0], p[1]
					if n > m {
						return errOutside
					}
					kS, s := bestS(m, n)
					kC, c := bestC(m, n)
					if (kS[0] > 1 || kC[0] > 1) && m > 3 {
						return below(c, s)
					}
					return atMost(c, s)
				})
			},
		},
	}
}

// certain fails unless a <= b for certain.
func certain(a, b exact.Enclosure) error {
	if order, decided := a.Cmp(b); !decided || order > 0 {
		return fmt.Errorf("%v is not certainly at most %v", a, b)
	}
	return nil
}

// relative returns an upper bound of |a-b|/b for enclosures of positive values.
func relative(a, b exact.Enclosure) *big.Rat {
	lo, _ := b.Lo().Rat(nil)
	worst := new(big.Rat)
	for _, x := range []*big.Float{a.Lo(), a.Hi()} {
		for _, y := range []*big.Float{b.Lo(), b.Hi()} {
			p, _ := x.Rat(nil)
			q, _ := y.Rat(nil)
			if d := sub(p, q); d.Abs(d).Cmp(worst) > 0 {
				worst = d
			}
		}
	}
	return quo(worst, lo)
}

// andBox are one to three filters by their numbers of balls n_i k; 0 ends the list.
func andBox(r *Run) Box {
	return Box{{"m", 1, r.Upto(4, 6)}, {"balls1", 1, r.Upto(3, 4)}, {"balls2", 0, r.Upto(3, 4)}, {"balls3", 0, r.Upto(2, 3)}}
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

func checkShape(r *Run) error {
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
		r.Once(figure),
		r.Smallest([]int{2, 1}, Box{{"m", 2, 3}, {"n", 1, 2}}, func(p []int) error {
			return below(rateS(p[0], p[1], 2), rateS(p[0], p[1], 1))
		}),
		r.All(Box{{"m", 1, r.Upto(10, 24)}, {"n", 1, r.Upto(10, 24)}}, func(p []int) error {
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
