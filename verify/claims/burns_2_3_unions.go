package claims

import (
	"errors"
	"math/big"
	"math/rand"
)

// rho is Burns (21): the backward difference nabla^r of the product of C(x,k_d)/C(s,k_d) at x = s, over the sizes k_d.
func rho(r, s int, sizes []int) *big.Rat { return unionPower(s, sizes, r) }

// pgf returns E[z^X], where X is the number of urns of the random set l.
func pgf(l setLaw, z *big.Rat) *big.Rat {
	return mean(l.pmf(), func(i int) *big.Rat { return pow(z, i) })
}

// somePoints are arguments of generating functions. They are more than the degree of any generating function here.
var somePoints = []*big.Rat{rat(-3, 1), rat(-2, 1), rat(-3, 2), rat(-1, 1), rat(-1, 3), rat(1, 7), rat(1, 3), rat(1, 2), rat(1, 1), rat(3, 2), rat(2, 1), rat(5, 1)}

var burns23Unions = []claim{
	burnsFig3, burnsEq18, burnsEq19, burnsEq20, burnsEq21, burnsEq22, burnsEq23, burnsThm4Proof,
	burnsEq24, burnsCor5Proof, burnsEq25, burnsEq26, burnsEq27, burnsEq28, burnsEq28Pmf,
}

var burnsFig3 = claim{
	ID: "burns.fig3", Ref: "Section 2.3, Figure 3",
	Statement: "2 red and 3 cyan batches of 3 balls in m = 5 urns can give a union of 5 urns and an intersection of 3",
	Verdict:   Confirmed,
	How:       "by enumeration of the two sets of urns",
	parts: func() []part {
		return []part{holdsOn(domain{exactly("m", 5), exactly("n_1", 2), exactly("k_1", 3), exactly("n_2", 3), exactly("k_2", 3)}, func(p point) error {
			red, err1 := union(p.int(0), repeat(p.int(2), p.int(1))...)
			cyan, err2 := union(p.int(0), repeat(p.int(4), p.int(3))...)
			if err := first(err1, err2); err != nil {
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
		})}
	},
}

var burnsEq18 = claim{
	ID: "burns.eq18", Ref: "Section 2.3.1, (18)",
	Statement: "P[X_cup = i] = C(m,i) Delta^i{prod_d [C(x,k_d)/C(m,k_d)]^n_d} at x = 0, the sum of (17) with multiplicities",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			unions(func(l setLaw, sizes []int) error {
				return eachPMF(l, func(i int) (*big.Rat, error) {
					return mul(ichoose(l.m, i), delta(i, func(x int) *big.Rat { return fit(x, l.m, sizes) }, 0)), nil
				})
			}).in(through("0 <= i <= m")),
		}
	},
}

var burnsEq19 = claim{
	ID: "burns.eq19", Ref: "Section 2.3.1, (19)",
	Statement: "E[C(X_cup,r)] = C(m,r) nabla^r{prod_d [C(x,k_d)/C(m,k_d)]^n_d} at x = m",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			unions(func(l setLaw, sizes []int) error {
				return eachMoment(l, func(s int) (*big.Rat, error) {
					return mul(ichoose(l.m, s), unionPower(l.m, sizes, s)), nil
				})
			}).in(through("0 <= r <= m")),
		}
	},
}

var burnsEq20 = claim{
	ID: "burns.eq20", Ref: "Section 2.3.1, (20)",
	Statement: "prod_d [C(x,k_d)/C(m,k_d)]^n_d = prod_l C(x,k'_l)/C(m,k'_l), the sizes listed with their multiplicities: the union has the law of one department",
	Verdict:   Confirmed,
	How:       "the law of (X or Y), X of n1 committees of k1, Y of n2 of k2 drawn apart, against that of all n1 + n2",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(4, 6).upTo(8), number("k1", 0).under("m").by(6, 6).upTo(8), number("k2", 0).under("m").by(6, 6).upTo(8), number("n1", 0).by(2, 2).upTo(3), number("n2", 0).by(2, 2).upTo(3)}, func(p point) error {
				m, k1, k2, n1, n2 := p.int(0), p.int(1), p.int(2), p.int(3), p.int(4)
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
			}),
		}
	},
}

// firstOccupied asserts that formula gives the probability that s given urns of the union are all occupied, for s =
// 0..m.
func firstOccupied(formula func(l setLaw, s int, sizes []int) (*big.Rat, error)) part {
	return unions(func(l setLaw, sizes []int) error {
		for s := range l.m + 1 {
			x, err := formula(l, s, sizes)
			if err != nil {
				return err
			}
			if err := same(x, l.first(s)); err != nil {
				return err
			}
		}
		return nil
	}).in(through("0 <= r <= m"))
}

var burnsEq21 = claim{
	ID: "burns.eq21", Ref: "Section 2.3.1, Theorem 4, (21)",
	Statement: "rho(r,s) = nabla^r[prod_d C(x,k_d)/C(s,k_d)] at x = s",
	Verdict:   Confirmed,
	How:       "a definition, s = m urns; that it is P[r given urns of s are all occupied], by enumeration (for a size above s the denominator is 0)",
	parts: func() []part {
		return []part{
			firstOccupied(func(l setLaw, s int, sizes []int) (*big.Rat, error) { return rho(s, l.m, sizes), nil }),
		}
	},
}

var burnsEq22 = claim{
	ID: "burns.eq22", Ref: "Section 2.3.1, Theorem 4, (22)",
	Statement: "rho(r,s) = rho(r-1,s) - (prod_d (1-k_d/s)) rho(r-1,s-1), rho(0,s) = 1",
	Verdict:   Confirmed,
	How:       "by enumeration, s = m urns; where a size is s the product is 0 and rho(r-1,s-1) is not needed",
	parts: func() []part {
		return []part{
			firstOccupied(func(l setLaw, s int, sizes []int) (*big.Rat, error) {
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
				return recursion(s, l.m), nil
			}),
		}
	},
}

var burnsEq23 = claim{
	ID: "burns.eq23", Ref: "Section 2.3.1, Theorem 4, (23)",
	Statement: "rho(r,s) = F[-r, k_1-s, ..., k_n-s; -s, ..., -s; 1] with n+1 upper and n lower parameters",
	Verdict:   Confirmed,
	How:       "by enumeration, s = m urns; printed for max k_d <= r",
	parts: func() []part {
		return []part{
			firstOccupied(func(l setLaw, s int, sizes []int) (*big.Rat, error) {
				return hyper(append(shifted(sizes, 1, -l.m), -s), repeat(-l.m, len(sizes)), whole(1))
			}),
		}
	},
}

var burnsThm4Proof = claim{
	ID: "burns.thm4.proof", Ref: "Section 2.3.1, proof of Theorem 4",
	Statement: "((-r)^(j)/j!) prod_d (k_d-m)^(j)/(-m)^(j) = (-1)^j C(r,j) prod_d C(m-j,k_d)/C(m,k_d), rising factorials x^(j)",
	Verdict:   Confirmed,
	How:       "rationals",
	parts: func() []part {
		return []part{
			unions(func(l setLaw, sizes []int) error {
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
			}).in(through("0 <= r, j <= m")),
		}
	},
}

var burnsEq24 = claim{
	ID: "burns.eq24", Ref: "Section 2.3.1, Corollary 5, (24)",
	Statement: "P[X_cup = i] = C(m,i) (prod_d C(i,k_d)/C(m,k_d)) F[k_1-i, ..., k_n-i; -i, ..., -i; 1] with n upper and n-1 lower parameters, and 0 outside max k_d <= i <= m",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			unions(func(l setLaw, sizes []int) error {
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
			}).in(someBatch, through("0 <= i <= m")),
		}
	},
}

var burnsCor5Proof = claim{
	ID: "burns.cor5.proof", Ref: "Section 2.3.1, proof of Corollary 5",
	Statement:      "Delta^i[prod_d C(x,k_d)/C(m,k_d)] at 0 = (prod_d C(i,k_d)/C(m,k_d)) nabla^i[prod_d C(x,k_d)/C(m,k_d)] at x = i (the products on the left are left out in print)",
	Verdict:        Misprint,
	Counterexample: "the left side is 1/2, the right side 1/2 * 1/2",
	Repair:         "C(x,k_d)/C(i,k_d) in the last bracket, which is rho(i,i), as the next line of the proof uses it",
	Argument: [2]string{
		"Delta^i f at 0 = nabla^i f at i, so the factor taken out, prod C(i,k_d)/C(m,k_d), must be divided out of the bracket.",
		"The bracket divided by it is prod [C(x,k_d)/C(m,k_d)] [C(m,k_d)/C(i,k_d)] = prod C(x,k_d)/C(i,k_d).",
	},
	How: "rationals",
	parts: func() []part {
		line := func(below func(m, i int) int) func(p point) error {
			return func(p point) error {
				m, sizes := p.int(0), everyUrn.of(p[1])
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
		return []part{
			fails(point{2, 1}, drawnUrns, line(func(m, _ int) int { return m })),
			holdsOn(drawnUrns, line(func(_, i int) int { return i })).in(through("max k_d <= i <= m")),
		}
	},
}

var burnsEq25 = claim{
	ID: "burns.eq25", Ref: "Section 2.3.1, Corollary 5, (25)",
	Statement: "E[C(X_cup,r)] = C(m,r) F[-r, k_1-m, ..., k_n-m; -m, ..., -m; 1]",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			unions(func(l setLaw, sizes []int) error {
				return eachMoment(l, func(s int) (*big.Rat, error) {
					f, err := hyper(append(shifted(sizes, 1, -l.m), -s), repeat(-l.m, len(sizes)), whole(1))
					if err != nil {
						return nil, err
					}
					return mul(ichoose(l.m, s), f), nil
				})
			}).in(through("0 <= r <= m")),
		}
	},
}

var burnsEq26 = claim{
	ID: "burns.eq26", Ref: "Section 2.3.1, Corollary 6, (26)",
	Statement: "the p.g.f. of X_cup is z^m F[-(m-k_1), ..., -(m-k_n); -m, ..., -m; 1-1/z]",
	Verdict:   Confirmed,
	How:       "by enumeration at 12 points z, more than its degree",
	parts: func() []part {
		return []part{
			unions(func(l setLaw, sizes []int) error {
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
			}).in(someBatch, through("z not 0")).by(byDegree),
		}
	},
}

var burnsEq27 = claim{
	ID: "burns.eq27", Ref: "Section 2.3.1, (27)",
	Statement: "A(m) = sum_{i=0}^m ff(m,i) a_i if and only if a_m = Delta^m[A(i)] at 0 / m!",
	Verdict:   Confirmed,
	How:       "both ways (the sign of a does not matter)",
	parts: func() []part {
		return []part{
			holdsOn(domain{draws("every sequence a", 20, 300)}, drawing(func(rnd *rand.Rand) error {
				given := make([]*big.Rat, 1+rnd.Intn(20))
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
			})),
		}
	},
}

var burnsEq28 = claim{
	ID: "burns.eq28", Ref: "Section 2.3.1, (28), the p.g.f.",
	Statement:      "a factorial series distribution has the p.g.f. G(z) = sum_{i=0}^m ff(m,i) a_i z^i",
	Verdict:        Misprint,
	Counterexample: "A(x) = C(x,1), and G(1) = 2",
	Repair:         "divide by A(m)",
	Argument: [2]string{
		"A p.g.f. is 1 at z = 1, and by (27) the sum printed is A(m) there.",
		"One committee of 1 among m = 2 has A(x) = x, a_0 = 0, a_1 = 1: the sum is 2 z, the p.g.f. z.",
	},
	How: "A(x) = prod C(x,k_d) at 12 points z",
	parts: func() []part {
		law := func(divide bool) func(p point) error {
			return func(p point) error {
				l, err := drawn(p)
				if err != nil {
					return err
				}
				a := factorialSeries(everyUrn.of(p[1]))
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
		return []part{
			fails(point{2, 1}, drawnUrns, law(false)),
			holdsOn(drawnUrns, law(true)),
		}
	},
}

var burnsEq28Pmf = claim{
	ID: "burns.eq28.pmf", Ref: "Section 2.3.1, Theorem 7 and (28), the p.m.f.",
	Statement: "X_cup is a factorial series distribution with A(x) = prod_d C(x,k_d): P[X = i] = C(m,i) Delta^i[A(x)] at 0 / A(m), a_i >= 0 independent of m",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			unions(func(l setLaw, sizes []int) error {
				a := factorialSeries(sizes)
				return eachPMF(l, func(i int) (*big.Rat, error) {
					all := product(0, len(sizes)-1, func(d int) *big.Rat { return ichoose(l.m, sizes[d]) })
					return quo(mul(ifall(l.m, i), a(i)), all), atMost(new(big.Rat), a(i))
				})
			}).in(through("0 <= i <= m")),
		}
	},
}

// factorialSeries returns the coefficients a_i: Delta^i[prod_d C(x,k_d)] at x = 0, divided by i!.
func factorialSeries(sizes []int) func(i int) *big.Rat {
	return func(i int) *big.Rat {
		a := delta(i, func(x int) *big.Rat {
			return product(0, len(sizes)-1, func(d int) *big.Rat { return ichoose(x, sizes[d]) })
		}, 0)
		return quo(a, fact(i))
	}
}
