package claims

import (
	"fmt"
	"math/big"
	"slices"
)

// committees are n batches of k urns out of m, few enough to enumerate.
var committees = domain{number("m", 1).by(6, 8).upTo(11), number("n", 0).by(3, 6).upTo(7), number("k", 0).under("m").by(6, 8).upTo(11)}

// committee calls law with the enumerated distribution for n batches of k balls in m urns.
func committee(law func(l setLaw, m, n, k int) error) func(p point) error {
	return func(p point) error {
		m, n, k := p.int(0), p.int(1), p.int(2)
		l, err := union(m, repeat(k, n)...)
		if err != nil {
			return err
		}
		return law(l, m, n, k)
	}
}

// committeePower returns nabla^r[C(x,k)^n] at x = m, divided by C(m,k)^n. nabla^r is the r-th backward difference.
func committeePower(m, n, k, r int) *big.Rat { return unionPower(m, repeat(k, n), r) }

// fit returns a product over the committees. The factor of a committee of size k_d is C(x,k_d)/C(m,k_d).
func fit(x, m int, sizes []int) *big.Rat {
	return product(0, len(sizes)-1, func(d int) *big.Rat { return quo(choose(whole(x), sizes[d]), ichoose(m, sizes[d])) })
}

// unionPower returns nabla^r of fit at x = m. nabla^r is the r-th backward difference.
func unionPower(m int, sizes []int, r int) *big.Rat {
	return nabla(r, func(x int) *big.Rat { return fit(x, m, sizes) }, m)
}

// unions asserts a law on batches of any sizes.
func unions(law func(l setLaw, sizes []int) error) part {
	return holdsOn(drawnUrns, func(p point) error {
		l, err := drawn(p)
		if err != nil {
			return err
		}
		return law(l, everyUrn.of(p[1]))
	})
}

// someBatch is the condition that a point has at least one batch.
var someBatch = where("at least one committee", "batches", func(x point) bool { return len(everyUrn.of(x[0])) > 0 })

// shifted returns the list of sgn*k + by for every size k.
func shifted(sizes []int, sgn, by int) []int {
	out := make([]int, len(sizes))
	for i, k := range sizes {
		out[i] = sgn*k + by
	}
	return out
}

// eachPMF returns an error unless formula(i) is P[X = i] for every i. X is the number of urns of the random set l.
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

// eachMoment returns an error unless formula(r) is E[C(X,r)] for every r. X is the number of urns of the random set l.
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

func largest(sizes []int) int { return slices.Max(append([]int{0}, sizes...)) }

var burns22 = []claim{
	burns22Special, burnsFig2, burns22Models, burnsEq14, burnsEq15, burnsEq16, burnsEq17,
}

var burns22Special = claim{
	ID: "burns.2.2.special", Ref: "Section 2.2",
	Statement: "the classic occupancy problem is the committee problem with k = 1",
	Verdict:   Confirmed,
	How:       "(14) with k = 1 against (4)",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(5, 8).upTo(30), number("n", 0).by(5, 8).upTo(20), number("i", 0).under("m").by(5, 8).upTo(30)}, func(p point) error {
				m, n, i := p.int(0), p.int(1), p.int(2)
				left := mul(ichoose(m, i), delta(i, func(x int) *big.Rat { return fit(x, m, repeat(1, n)) }, 0))
				return same(left, quo(mul(stirling(n, i), ifall(m, i)), ipow(m, n)))
			}),
		}
	},
}

var burnsFig2 = claim{
	ID: "burns.fig2", Ref: "Section 2.2, Figure 2",
	Statement: "n = 2 batches of k = 3 balls in m = 5 urns can occupy X = 4 urns",
	Verdict:   Confirmed,
	How:       "P[X = 4] = C(3,2) C(2,1)/C(5,3) = 6/10, by enumeration",
	parts: func() []part {
		return []part{holdsOn(domain{exactly("m", 5), exactly("n", 2), exactly("k", 3)}, func(p point) error {
			l, err := union(p.int(0), repeat(p.int(2), p.int(1))...)
			if err != nil {
				return err
			}
			return same(l.pmf()[4], rat(6, 10))
		})}
	},
}

var burns22Models = claim{
	ID: "burns.2.2.models", Ref: "Section 2.2, equivalent models",
	Statement: "painting k balls of an urn of m red in each of n samples, capture and recapture, and the cardinality of the union of n random k-subsets have the law of the committee problem",
	Verdict:   Confirmed,
	How:       "the count of painted balls as a chain with hypergeometric steps against the enumerated union",
	parts: func() []part {
		return []part{
			holdsOn(committees, committee(func(l setLaw, m, n, k int) error {
				chain := occupied(m, repeat(k, n)...)
				return eachPMF(l, func(i int) (*big.Rat, error) { return chain[i], nil })
			})),
		}
	},
}

var burnsEq14 = claim{
	ID: "burns.eq14", Ref: "Section 2.2, (14)",
	Statement: "P[X = i] = C(m,i) sum_{j=0}^i (-1)^(i-j) C(i,j) [C(j,k)/C(m,k)]^n = C(m,i) Delta^i[C(x,k)^n] at 0 / C(m,k)^n",
	Verdict:   Confirmed,
	How:       "by enumeration, with 0^0 = 1",
	parts: func() []part {
		return []part{
			holdsOn(committees, committee(func(l setLaw, m, n, k int) error {
				return eachPMF(l, func(i int) (*big.Rat, error) {
					terms := sum(0, i, func(j int) *big.Rat {
						return mul(mul(sign(i-j), ichoose(i, j)), pow(quo(ichoose(j, k), ichoose(m, k)), n))
					})
					difference := delta(i, func(x int) *big.Rat { return fit(x, m, repeat(k, n)) }, 0)
					return mul(ichoose(m, i), difference), same(terms, difference)
				})
			})).in(through("0 <= i <= m")),
		}
	},
}

var burnsEq15 = claim{
	ID: "burns.eq15", Ref: "Section 2.2, (15)",
	Statement: "E[C(X,r)]/C(m,r) = E[ff(X,r)]/ff(m,r) = sum_{i=0}^r (-1)^i C(r,i) [C(m-i,k)/C(m,k)]^n = nabla^r[C(x,k)^n] at m / C(m,k)^n",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			holdsOn(committees, committee(func(l setLaw, m, n, k int) error {
				return eachMoment(l, func(s int) (*big.Rat, error) {
					terms := sum(0, s, func(i int) *big.Rat {
						return mul(mul(sign(i), ichoose(s, i)), pow(quo(ichoose(m-i, k), ichoose(m, k)), n))
					})
					falling := quo(mean(l.pmf(), func(i int) *big.Rat { return ifall(i, s) }), ifall(m, s))
					err := first(same(terms, committeePower(m, n, k, s)), same(terms, falling))
					return mul(ichoose(m, s), terms), err
				})
			})).in(through("0 <= r <= m")),
		}
	},
}

var burnsEq16 = claim{
	ID: "burns.eq16", Ref: "Section 2.2, (16)",
	Statement: "E[X] = m (1 - (1-k/m)^n)",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			holdsOn(committees, committee(func(l setLaw, m, n, k int) error {
				return same(mean(l.pmf(), whole), committeeMean(m, n, k))
			})),
		}
	},
}

var burnsEq17 = claim{
	ID: "burns.eq17", Ref: "Section 2.2, (17), after Sprott",
	Statement: "P[X = i] = C(m,i) sum_{j=0}^i (-1)^(i-j) C(i,j) prod_d C(j,k_d)/C(m,k_d)",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			unions(func(l setLaw, sizes []int) error {
				return eachPMF(l, func(i int) (*big.Rat, error) {
					return mul(ichoose(l.m, i), sum(0, i, func(j int) *big.Rat {
						return mul(mul(sign(i-j), ichoose(i, j)), fit(j, l.m, sizes))
					})), nil
				})
			}).in(through("0 <= i <= m")),
		}
	},
}
