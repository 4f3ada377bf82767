package claims

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand"
	"slices"
)

// committeeBox are batches of k of m urns, n times, that can be enumerated.
func committeeBox(r *run) box {
	return box{{"m", 1, r.upto(6, 8)}, {"n", 0, r.upto(3, 6)}, {"k", 0, r.upto(6, 8)}}
}

// committee calls law with the enumerated law of n batches of k balls in m urns.
func committee(law func(l setLaw, m, n, k int) error) func(p []int) error {
	return func(p []int) error {
		m, n, k := p[0], p[1], p[2]
		if k > m {
			return errOutside
		}
		l, err := union(m, repeat(k, n)...)
		if err != nil {
			return err
		}
		return law(l, m, n, k)
	}
}

// committeePower returns nabla^r[C(x,k)^n] at m / C(m,k)^n.
func committeePower(m, n, k, r int) *big.Rat { return unionPower(m, repeat(k, n), r) }

// fit returns the product over the committees of C(x,k_d)/C(m,k_d).
func fit(x, m int, sizes []int) *big.Rat {
	return product(0, len(sizes)-1, func(d int) *big.Rat { return quo(choose(whole(x), sizes[d]), ichoose(m, sizes[d])) })
}

// unionPower returns nabla^r of fit at x = m.
func unionPower(m int, sizes []int, r int) *big.Rat {
	return nabla(r, func(x int) *big.Rat { return fit(x, m, sizes) }, m)
}

// unions runs law over the sizes of everyUrn that exist in m urns.
func unions(r *run, law func(l setLaw, sizes []int) error) error {
	return r.all(drawnBox(r), func(p []int) error {
		l, err := drawn(p)
		if err != nil {
			return err
		}
		return law(l, everyUrn[p[1]])
	})
}

// shifted returns sign*k + by for every size.
func shifted(sizes []int, sgn, by int) []int {
	out := make([]int, len(sizes))
	for i, k := range sizes {
		out[i] = sgn*k + by
	}
	return out
}

// eachPMF fails unless formula(i) is P[X = i] for every i.
func eachPMF(l setLaw, formula func(i int) (*big.Rat, error)) error {
	for i, want := range l.pmf() {
		got, err := formula(i)
		if err != nil {
			return fmt.Errorf("i=%d: %w", i, err)
		}
		if err := same(got, want); err != nil {
			return fmt.Errorf("i=%d: %w", i, err)
		}
	}
	return nil
}

// eachMoment fails unless formula(r) is E[C(X,r)] for every r.
func eachMoment(l setLaw, formula func(r int) (*big.Rat, error)) error {
	pmf := l.pmf()
	for s := range l.m + 1 {
		got, err := formula(s)
		if err != nil {
			return fmt.Errorf("r=%d: %w", s, err)
		}
		if err := same(got, mean(pmf, func(i int) *big.Rat { return ichoose(i, s) })); err != nil {
			return fmt.Errorf("r=%d: %w", s, err)
		}
	}
	return nil
}

// rho is (21): nabla^r of the product of C(x,k_d)/C(s,k_d) at x = s.
func rho(r, s int, sizes []int) *big.Rat { return unionPower(s, sizes, r) }

func largest(sizes []int) int { return slices.Max(append([]int{0}, sizes...)) }

// pgf returns E[z^X].
func pgf(l setLaw, z *big.Rat) *big.Rat {
	return mean(l.pmf(), func(i int) *big.Rat { return pow(z, i) })
}

// somePoints are arguments of generating functions: more of them than any degree here.
var somePoints = []*big.Rat{rat(-3, 1), rat(-2, 1), rat(-3, 2), rat(-1, 1), rat(-1, 3), rat(1, 7), rat(1, 3), rat(1, 2), rat(1, 1), rat(3, 2), rat(2, 1), rat(5, 1)}

func burns22Committee() []Claim {
	return []Claim{
		{
			ID: "burns.2.2.special", Paper: Burns, Ref: "Section 2.2",
			Statement: "the classic occupancy problem is the committee problem with k = 1",
			Domain:    "m >= 1, n >= 0",
			Verdict:   Confirmed,
			Checked:   "(14) with k = 1 against (4): m <= 8, n <= 8, all i",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(5, 8)}, {"n", 0, r.upto(5, 8)}, {"i", 0, r.upto(5, 8)}}, func(p []int) error {
					m, n, i := p[0], p[1], p[2]
					if i > m {
						return errOutside
					}
					left := mul(ichoose(m, i), delta(i, func(x int) *big.Rat { return fit(x, m, repeat(1, n)) }, 0))
					return same(left, quo(mul(stirling(n, i), ifall(m, i)), ipow(m, n)))
				})
			},
		},
		{
			ID: "burns.fig2", Paper: Burns, Ref: "Section 2.2, Figure 2",
			Statement: "n = 2 batches of k = 3 balls in m = 5 urns can occupy X = 4 urns",
			Domain:    "m = 5, n = 2, k = 3",
			Verdict:   Confirmed,
			Checked:   "P[X = 4] = C(3,2) C(2,1)/C(5,3) = 6/10, by enumeration",
			check: func(r *run) error {
				return r.once(func() error {
					l, err := union(5, 3, 3)
					if err != nil {
						return err
					}
					return same(l.pmf()[4], rat(6, 10))
				})
			},
		},
		{
			ID: "burns.2.2.models", Paper: Burns, Ref: "Section 2.2, equivalent models",
			Statement: "painting k balls of an urn of m red in each of n samples, capture and recapture, and the cardinality of the union of n random k-subsets have the law of the committee problem",
			Domain:    "0 <= k <= m, n >= 0",
			Verdict:   Confirmed,
			Checked:   "the count of painted balls as a chain with hypergeometric steps against the enumerated union: m <= 8, n <= 6",
			check: func(r *run) error {
				return r.all(committeeBox(r), committee(func(l setLaw, m, n, k int) error {
					chain := occupied(m, repeat(k, n)...)
					return eachPMF(l, func(i int) (*big.Rat, error) { return chain[i], nil })
				}))
			},
		},
		{
			ID: "burns.eq14", Paper: Burns, Ref: "Section 2.2, (14)",
			Statement: "P[X = i] = C(m,i) sum_{j=0}^i (-1)^(i-j) C(i,j) [C(j,k)/C(m,k)]^n = C(m,i) Delta^i[C(x,k)^n] at 0 / C(m,k)^n",
			Domain:    "0 <= k <= m, n >= 0 with 0^0 = 1, all i",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 8, n <= 6, all k and i",
			check: func(r *run) error {
				return r.all(committeeBox(r), committee(func(l setLaw, m, n, k int) error {
					return eachPMF(l, func(i int) (*big.Rat, error) {
						terms := sum(0, i, func(j int) *big.Rat {
							return mul(mul(sign(i-j), ichoose(i, j)), pow(quo(ichoose(j, k), ichoose(m, k)), n))
						})
						difference := delta(i, func(x int) *big.Rat { return fit(x, m, repeat(k, n)) }, 0)
						return mul(ichoose(m, i), difference), same(terms, difference)
					})
				}))
			},
		},
		{
			ID: "burns.eq15", Paper: Burns, Ref: "Section 2.2, (15)",
			Statement: "E[C(X,r)]/C(m,r) = E[ff(X,r)]/ff(m,r) = sum_{i=0}^r (-1)^i C(r,i) [C(m-i,k)/C(m,k)]^n = nabla^r[C(x,k)^n] at m / C(m,k)^n",
			Domain:    "0 <= k <= m, n >= 0, 0 <= r <= m",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 8, n <= 6, all k and r",
			check: func(r *run) error {
				return r.all(committeeBox(r), committee(func(l setLaw, m, n, k int) error {
					return eachMoment(l, func(s int) (*big.Rat, error) {
						terms := sum(0, s, func(i int) *big.Rat {
							return mul(mul(sign(i), ichoose(s, i)), pow(quo(ichoose(m-i, k), ichoose(m, k)), n))
						})
						falling := quo(mean(l.pmf(), func(i int) *big.Rat { return ifall(i, s) }), ifall(m, s))
						err := first(same(terms, committeePower(m, n, k, s)), same(terms, falling))
						return mul(ichoose(m, s), terms), err
					})
				}))
			},
		},
		{
			ID: "burns.eq16", Paper: Burns, Ref: "Section 2.2, (16)",
			Statement: "E[X] = m (1 - (1-k/m)^n)",
			Domain:    "0 <= k <= m, n >= 0",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 8, n <= 6, all k",
			check: func(r *run) error {
				return r.all(committeeBox(r), committee(func(l setLaw, m, n, k int) error {
					return same(mean(l.pmf(), whole), committeeMean(m, n, k))
				}))
			},
		},
		{
			ID: "burns.eq17", Paper: Burns, Ref: "Section 2.2, (17), after Sprott",
			Statement: "P[X = i] = C(m,i) sum_{j=0}^i (-1)^(i-j) C(i,j) prod_d C(j,k_d)/C(m,k_d)",
			Domain:    "committees of any sizes up to m, all i",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 8, committees of up to 4 sizes, all i",
			check: func(r *run) error {
				return unions(r, func(l setLaw, sizes []int) error {
					return eachPMF(l, func(i int) (*big.Rat, error) {
						return mul(ichoose(l.m, i), sum(0, i, func(j int) *big.Rat {
							return mul(mul(sign(i-j), ichoose(i, j)), fit(j, l.m, sizes))
						})), nil
					})
				})
			},
		},
		{
			ID: "burns.fig3", Paper: Burns, Ref: "Section 2.3, Figure 3",
			Statement: "2 red and 3 cyan batches of 3 balls in m = 5 urns can give a union of 5 urns and an intersection of 3",
			Domain:    "m = 5, n_1 = 2, k_1 = 3, n_2 = 3, k_2 = 3",
			Verdict:   Confirmed,
			Checked:   "by enumeration of the two sets of urns",
			check: func(r *run) error {
				return r.once(func() error {
					red, err := union(5, 3, 3)
					if err != nil {
						return err
					}
					cyan, err := union(5, 3, 3, 3)
					if err != nil {
						return err
					}
					for a, x := range red.count {
						for b, y := range cyan.count {
							if x > 0 && y > 0 && ones(a|b) == 5 && ones(a&b) == 3 {
								return nil
							}
						}
					}
					return errors.New("no such outcome")
				})
			},
		},
		{
			ID: "burns.eq18", Paper: Burns, Ref: "Section 2.3.1, (18)",
			Statement: "P[X_cup = i] = C(m,i) Delta^i{prod_d [C(x,k_d)/C(m,k_d)]^n_d} at x = 0, the sum of (17) with multiplicities",
			Domain:    "committees of any sizes up to m, all i",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 8, committees of up to 4 sizes, all i",
			check: func(r *run) error {
				return unions(r, func(l setLaw, sizes []int) error {
					return eachPMF(l, func(i int) (*big.Rat, error) {
						return mul(ichoose(l.m, i), delta(i, func(x int) *big.Rat { return fit(x, l.m, sizes) }, 0)), nil
					})
				})
			},
		},
		{
			ID: "burns.eq19", Paper: Burns, Ref: "Section 2.3.1, (19)",
			Statement: "E[C(X_cup,r)] = C(m,r) nabla^r{prod_d [C(x,k_d)/C(m,k_d)]^n_d} at x = m",
			Domain:    "committees of any sizes up to m, 0 <= r <= m",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 8, committees of up to 4 sizes, all r",
			check: func(r *run) error {
				return unions(r, func(l setLaw, sizes []int) error {
					return eachMoment(l, func(s int) (*big.Rat, error) {
						return mul(ichoose(l.m, s), unionPower(l.m, sizes, s)), nil
					})
				})
			},
		},
		{
			ID: "burns.eq20", Paper: Burns, Ref: "Section 2.3.1, (20)",
			Statement: "prod_d [C(x,k_d)/C(m,k_d)]^n_d = prod_l C(x,k'_l)/C(m,k'_l), the sizes listed with their multiplicities: the union has the law of one department",
			Domain:    "committees of any sizes up to m",
			Verdict:   Confirmed,
			Checked:   "the law of (X or Y), X of n_1 committees of k_1, Y of n_2 of k_2 drawn apart, against that of all n_1 + n_2: m <= 6, n_d <= 2",
			check: func(r *run) error {
				box := box{{"m", 1, r.upto(4, 6)}, {"k1", 0, 6}, {"k2", 0, 6}, {"n1", 0, 2}, {"n2", 0, 2}}
				return r.all(box, func(p []int) error {
					m, k1, k2, n1, n2 := p[0], p[1], p[2], p[3], p[4]
					if k1 > m || k2 > m {
						return errOutside
					}
					x, err := union(m, repeat(k1, n1)...)
					if err != nil {
						return err
					}
					y, err := union(m, repeat(k2, n2)...)
					if err != nil {
						return err
					}
					both := make([]*big.Rat, m+1)
					for i := range both {
						both[i] = new(big.Rat)
					}
					for a, ca := range x.count {
						for b, cb := range y.count {
							both[ones(a|b)].Add(both[ones(a|b)], mul(x.share(ca), y.share(cb)))
						}
					}
					all, err := union(m, append(repeat(k1, n1), repeat(k2, n2)...)...)
					if err != nil {
						return err
					}
					for at := range m + 1 {
						product := mul(pow(fit(at, m, []int{k1}), n1), pow(fit(at, m, []int{k2}), n2))
						if err := same(product, fit(at, m, append(repeat(k1, n1), repeat(k2, n2)...))); err != nil {
							return err
						}
					}
					return eachPMF(all, func(i int) (*big.Rat, error) { return both[i], nil })
				})
			},
		},
		{
			ID: "burns.eq21", Paper: Burns, Ref: "Section 2.3.1, Theorem 4, (21)",
			Statement: "rho(r,s) = nabla^r[prod_d C(x,k_d)/C(s,k_d)] at x = s",
			Domain:    "max k_d <= s (below, the denominator is 0), 0 <= r <= s",
			Verdict:   Confirmed,
			Checked:   "a definition; that it is P[r given urns of s are all occupied], by enumeration: s <= 8, up to 4 sizes",
			check: func(r *run) error {
				return unions(r, func(l setLaw, sizes []int) error {
					for s := range l.m + 1 {
						if err := same(rho(s, l.m, sizes), l.first(s)); err != nil {
							return err
						}
					}
					return nil
				})
			},
		},
		{
			ID: "burns.eq22", Paper: Burns, Ref: "Section 2.3.1, Theorem 4, (22)",
			Statement: "rho(r,s) = rho(r-1,s) - (prod_d (1-k_d/s)) rho(r-1,s-1), rho(0,s) = 1",
			Domain:    "max k_d <= s, 1 <= r <= s (where k_d = s the product is 0 and rho(r-1,s-1) is not needed)",
			Verdict:   Confirmed,
			Checked:   "by enumeration: s <= 8, up to 4 sizes, all r",
			check: func(r *run) error {
				return unions(r, func(l setLaw, sizes []int) error {
					var recursion func(s, of int) *big.Rat
					recursion = func(s, of int) *big.Rat {
						if s == 0 {
							return whole(1)
						}
						q := product(0, len(sizes)-1, func(d int) *big.Rat { return rat(of-sizes[d], of) })
						if q.Sign() == 0 {
							return recursion(s-1, of)
						}
						return sub(recursion(s-1, of), mul(q, recursion(s-1, of-1)))
					}
					for s := range l.m + 1 {
						if err := same(recursion(s, l.m), l.first(s)); err != nil {
							return err
						}
					}
					return nil
				})
			},
		},
		{
			ID: "burns.eq23", Paper: Burns, Ref: "Section 2.3.1, Theorem 4, (23)",
			Statement: "rho(r,s) = F[-r, k_1-s, ..., k_n-s; -s, ..., -s; 1] with n+1 upper and n lower parameters",
			Domain:    "0 <= max k_d <= r <= s as printed; it holds for all 0 <= r <= s with max k_d <= s",
			Verdict:   Confirmed,
			Checked:   "by enumeration: s <= 8, up to 4 sizes, all r",
			check: func(r *run) error {
				return unions(r, func(l setLaw, sizes []int) error {
					for s := range l.m + 1 {
						got, err := hyper(append(shifted(sizes, 1, -l.m), -s), repeat(-l.m, len(sizes)), whole(1))
						if err != nil {
							return err
						}
						if err := same(got, l.first(s)); err != nil {
							return err
						}
					}
					return nil
				})
			},
		},
		{
			ID: "burns.thm4.proof", Paper: Burns, Ref: "Section 2.3.1, proof of Theorem 4",
			Statement: "((-r)^(j)/j!) prod_d (k_d-m)^(j)/(-m)^(j) = (-1)^j C(r,j) prod_d C(m-j,k_d)/C(m,k_d), rising factorials x^(j)",
			Domain:    "0 <= j <= m, r >= 0, sizes up to m",
			Verdict:   Confirmed,
			Checked:   "m <= 8, up to 4 sizes, all r and j",
			check: func(r *run) error {
				return unions(r, func(l setLaw, sizes []int) error {
					for s := range l.m + 1 {
						for j := range l.m + 1 {
							left := quo(rise(whole(-s), j), fact(j))
							for _, k := range sizes {
								left = mul(left, quo(rise(whole(k-l.m), j), rise(whole(-l.m), j)))
							}
							if err := same(left, mul(mul(sign(j), ichoose(s, j)), fit(l.m-j, l.m, sizes))); err != nil {
								return err
							}
						}
					}
					return nil
				})
			},
		},
		{
			ID: "burns.eq24", Paper: Burns, Ref: "Section 2.3.1, Corollary 5, (24)",
			Statement: "P[X_cup = i] = C(m,i) (prod_d C(i,k_d)/C(m,k_d)) F[k_1-i, ..., k_n-i; -i, ..., -i; 1] with n upper and n-1 lower parameters, and 0 outside max k_d <= i <= m",
			Domain:    "n >= 1 committees, max k_d <= i <= m",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 8, up to 4 sizes, all i",
			check: func(r *run) error {
				return unions(r, func(l setLaw, sizes []int) error {
					if len(sizes) == 0 {
						return errOutside
					}
					return eachPMF(l, func(i int) (*big.Rat, error) {
						if i < largest(sizes) {
							return new(big.Rat), nil
						}
						f, err := hyper(shifted(sizes, 1, -i), repeat(-i, len(sizes)-1), whole(1))
						if err != nil {
							return nil, err
						}
						return mul(mul(ichoose(l.m, i), fit(i, l.m, sizes)), f), nil
					})
				})
			},
		},
		{
			ID: "burns.cor5.proof", Paper: Burns, Ref: "Section 2.3.1, proof of Corollary 5",
			Statement:      "Delta^i[prod_d C(x,k_d)/C(m,k_d)] at 0 = (prod_d C(i,k_d)/C(m,k_d)) nabla^i[prod_d C(x,k_d)/C(m,k_d)] at x = i (the products on the left are left out in print)",
			Domain:         "max k_d <= i <= m",
			Verdict:        Misprint,
			Counterexample: "m = 2, one committee of k = 1, i = 1: the left side is 1/2, the right side 1/2 * 1/2",
			Repair:         "C(x,k_d)/C(i,k_d) in the last bracket, which is rho(i,i), as the next line of the proof uses it",
			Argument: [2]string{
				"Delta^i f at 0 = nabla^i f at i, so the factor taken out, prod C(i,k_d)/C(m,k_d), must be divided out of the bracket.",
				"The bracket divided by it is prod [C(x,k_d)/C(m,k_d)] [C(m,k_d)/C(i,k_d)] = prod C(x,k_d)/C(i,k_d).",
			},
			Checked: "m <= 8, up to 4 sizes, all i",
			check: func(r *run) error {
				line := func(below func(m, i int) int) func(p []int) error {
					return func(p []int) error {
						m, sizes := p[0], everyUrn[p[1]]
						if largest(sizes) > m {
							return errOutside
						}
						for i := largest(sizes); i <= m; i++ {
							left := delta(i, func(x int) *big.Rat { return fit(x, m, sizes) }, 0)
							bracket := nabla(i, func(x int) *big.Rat { return fit(x, below(m, i), sizes) }, i)
							if err := same(left, mul(fit(i, m, sizes), bracket)); err != nil {
								return err
							}
						}
						return nil
					}
				}
				return first(
					r.smallest([]int{2, 1}, drawnBox(r), line(func(m, _ int) int { return m })),
					r.all(drawnBox(r), line(func(_, i int) int { return i })))
			},
		},
		{
			ID: "burns.eq25", Paper: Burns, Ref: "Section 2.3.1, Corollary 5, (25)",
			Statement: "E[C(X_cup,r)] = C(m,r) F[-r, k_1-m, ..., k_n-m; -m, ..., -m; 1]",
			Domain:    "0 <= r <= m, sizes up to m",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 8, up to 4 sizes, all r",
			check: func(r *run) error {
				return unions(r, func(l setLaw, sizes []int) error {
					return eachMoment(l, func(s int) (*big.Rat, error) {
						f, err := hyper(append(shifted(sizes, 1, -l.m), -s), repeat(-l.m, len(sizes)), whole(1))
						if err != nil {
							return nil, err
						}
						return mul(ichoose(l.m, s), f), nil
					})
				})
			},
		},
		{
			ID: "burns.eq26", Paper: Burns, Ref: "Section 2.3.1, Corollary 6, (26)",
			Statement: "the p.g.f. of X_cup is z^m F[-(m-k_1), ..., -(m-k_n); -m, ..., -m; 1-1/z]",
			Domain:    "n >= 1 committees, z not 0",
			Verdict:   Confirmed,
			Checked:   "by enumeration at 12 points z, more than its degree: m <= 8, up to 4 sizes",
			check: func(r *run) error {
				return unions(r, func(l setLaw, sizes []int) error {
					if len(sizes) == 0 {
						return errOutside
					}
					for _, z := range somePoints {
						f, err := hyper(shifted(sizes, 1, -l.m), repeat(-l.m, len(sizes)-1), sub(whole(1), quo(whole(1), z)))
						if err != nil {
							return err
						}
						if err := same(mul(pow(z, l.m), f), pgf(l, z)); err != nil {
							return err
						}
					}
					return nil
				})
			},
		},
		{
			ID: "burns.eq27", Paper: Burns, Ref: "Section 2.3.1, (27)",
			Statement: "A(m) = sum_{i=0}^m ff(m,i) a_i if and only if a_m = Delta^m[A(i)] at 0 / m!",
			Domain:    "all sequences a (the sign does not matter)",
			Verdict:   Confirmed,
			Checked:   "both ways, random sequences of up to 30 members",
			check: func(r *run) error {
				return r.sample(r.upto(20, 300), func(rnd *rand.Rand) error {
					given := make([]*big.Rat, 1+rnd.Intn(r.upto(10, 30)))
					for i := range given {
						given[i] = rat(rnd.Intn(2001)-1000, 1+rnd.Intn(60))
					}
					a := func(i int) *big.Rat { return given[i] }
					series := func(coefficient func(i int) *big.Rat) func(m int) *big.Rat {
						return func(m int) *big.Rat {
							return sum(0, m, func(i int) *big.Rat { return mul(ifall(m, i), coefficient(i)) })
						}
					}
					differences := func(values func(m int) *big.Rat) func(m int) *big.Rat {
						return func(m int) *big.Rat { return quo(delta(m, values, 0), fact(m)) }
					}
					for m := range given {
						err := first(same(differences(series(a))(m), a(m)), same(series(differences(a))(m), a(m)))
						if err != nil {
							return err
						}
					}
					return nil
				})
			},
		},
		{
			ID: "burns.eq28", Paper: Burns, Ref: "Section 2.3.1, (28), the p.g.f.",
			Statement:      "a factorial series distribution has the p.g.f. G(z) = sum_{i=0}^m ff(m,i) a_i z^i",
			Domain:         "A(m) = sum_{i=0}^m ff(m,i) a_i > 0",
			Verdict:        Misprint,
			Counterexample: "A(x) = C(x,1), m = 2: G(1) = 2",
			Repair:         "divide by A(m)",
			Argument: [2]string{
				"A p.g.f. is 1 at z = 1, and by (27) the sum printed is A(m) there.",
				"One committee of 1 among m = 2 has A(x) = x, a_0 = 0, a_1 = 1: the sum is 2 z, the p.g.f. z.",
			},
			Checked: "A(x) = prod C(x,k_d) for up to 4 sizes, m <= 8, at 12 points z",
			check: func(r *run) error {
				law := func(divide bool) func(p []int) error {
					return func(p []int) error {
						l, err := drawn(p)
						if err != nil {
							return err
						}
						a := factorialSeries(everyUrn[p[1]])
						for _, z := range somePoints {
							g := sum(0, l.m, func(i int) *big.Rat { return mul(mul(ifall(l.m, i), a(i)), pow(z, i)) })
							if divide {
								g = quo(g, sum(0, l.m, func(i int) *big.Rat { return mul(ifall(l.m, i), a(i)) }))
							}
							if err := same(g, pgf(l, z)); err != nil {
								return err
							}
						}
						return nil
					}
				}
				return first(r.smallest([]int{2, 1}, drawnBox(r), law(false)), r.all(drawnBox(r), law(true)))
			},
		},
		{
			ID: "burns.eq28.pmf", Paper: Burns, Ref: "Section 2.3.1, Theorem 7 and (28), the p.m.f.",
			Statement: "X_cup is a factorial series distribution with A(x) = prod_d C(x,k_d): P[X = i] = C(m,i) Delta^i[A(x)] at 0 / A(m), a_i >= 0 independent of m",
			Domain:    "committees of any sizes up to m",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 8, up to 4 sizes, all i",
			check: func(r *run) error {
				return unions(r, func(l setLaw, sizes []int) error {
					a := factorialSeries(sizes)
					return eachPMF(l, func(i int) (*big.Rat, error) {
						all := product(0, len(sizes)-1, func(d int) *big.Rat { return ichoose(l.m, sizes[d]) })
						return quo(mul(ifall(l.m, i), a(i)), all), atMost(new(big.Rat), a(i))
					})
				})
			},
		},
	}
}

// factorialSeries returns a_i = Delta^i[prod_d C(x,k_d)] at 0 / i!.
func factorialSeries(sizes []int) func(i int) *big.Rat {
	return func(i int) *big.Rat {
		a := delta(i, func(x int) *big.Rat {
			return product(0, len(sizes)-1, func(d int) *big.Rat { return ichoose(x, sizes[d]) })
		}, 0)
		return quo(a, fact(i))
	}
}
