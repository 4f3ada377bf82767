package claims

import (
	"fmt"
	"math/big"
	"slices"
)

// everySingle are lists of committee sizes, with one committee for each department.
var everySingle = &sizeLists{most: 5, least: 0, large: 6, table: [][]int{{0}, {1}, {1, 1}, {2, 1}, {2, 2}, {3, 2}, {3, 3}, {1, 1, 1}, {2, 2, 1}, {2, 2, 2}, {3, 2, 2}, {3, 3, 3}, {1, 1, 1, 1}, {2, 3, 2, 3}}}

// everyDepartment are lists of departments, each with the sizes of its committees.
var everyDepartment = &departmentLists{table: [][][]int{
	{{1}}, {{1, 1}}, {{2, 1}}, {{1}, {1}}, {{1, 1}, {1}}, {{1, 1}, {1, 1, 1}}, {{2, 2}, {1}}, {{2, 1}, {2}}, {{2, 2}, {3}},
	{{1}, {1}, {1}}, {{1, 1}, {1, 1}, {1}}, {{2, 1}, {1, 1}, {2}}, {{}, {1}}, {{1, 2, 3}, {2, 2}},
}}

// crossing calls law with the enumerated distribution of the intersection of the departments' unions.
func crossing(m int, departments [][]int, law func(l setLaw) error) error {
	var sets []setLaw
	for _, sizes := range departments {
		l, err := union(m, sizes...)
		if err != nil {
			return err
		}
		sets = append(sets, l)
	}
	l, err := intersection(sets...)
	if err != nil {
		return err
	}
	return law(l)
}

// alone makes each committee a department of its own.
func alone(sizes []int) [][]int {
	var out [][]int
	for _, k := range sizes {
		out = append(out, []int{k})
	}
	return out
}

// singleCommittees is the domain of departments with one committee each.
var singleCommittees = domain{
	number("m", 1).by(5, 7).upTo(9), everySingle.variable("sizes", "one committee a department"),
	where("", "m sizes", func(x point) bool { return largest(everySingle.of(x[1])) <= x.int(0) }),
}

// singles asserts a law on departments that have one committee each.
func singles(law func(l setLaw, sizes []int) error) part {
	return holdsOn(singleCommittees, single(law))
}

// seriesRatio returns a_1/a_0 for two committees of one member each in m urns.
func seriesRatio(m int) (x *big.Rat, err error) {
	err = crossing(m, [][]int{{1}, {1}}, func(l setLaw) error {
		x = quo(l.pmf()[1], mul(whole(m), l.pmf()[0]))
		return nil
	})
	return x, err
}

func single(law func(l setLaw, sizes []int) error) func(p point) error {
	return func(p point) error {
		sizes := everySingle.of(p[1])
		return crossing(p.int(0), alone(sizes), func(l setLaw) error { return law(l, sizes) })
	}
}

// departments is the domain of departments with several committees.
var departments = domain{
	number("m", 1).by(4, 6).upTo(7), everyDepartment.variable("departments", "departments of committees of any sizes"),
	where("", "m departments", func(x point) bool { return everyDepartment.largest(x[1]) <= x.int(0) }),
}

func several(law func(l setLaw, departments [][]int) error) func(p point) error {
	return func(p point) error {
		departments := everyDepartment.of(p[1])
		return crossing(p.int(0), departments, func(l setLaw) error { return law(l, departments) })
	}
}

// allFull returns the product, over the departments, of the probability that r given urns are all occupied.
func allFull(m int, departments [][]int, r int) *big.Rat {
	return product(0, len(departments)-1, func(d int) *big.Rat { return unionPower(m, departments[d], r) })
}

// elementary returns e_s of the sizes, the elementary symmetric polynomial of degree s.
func elementary(s int, sizes []int) *big.Rat {
	e := make([]*big.Rat, len(sizes)+1)
	for i := range e {
		e[i] = new(big.Rat)
	}
	e[0] = whole(1)
	for _, k := range sizes {
		for i := len(sizes); i > 0; i-- {
			e[i] = add(e[i], mul(whole(k), e[i-1]))
		}
	}
	return e[s]
}

// kemp returns Q(i,j) of Burns, Corollary 12, for c committees, where c >= 2 and i is below all sizes.
func kemp(m int, sizes []int, i, j int) *big.Rat {
	c := len(sizes)
	q := sum(j, c, func(u int) *big.Rat {
		inner := sum(j, u, func(v int) *big.Rat {
			bracket := sub(
				mul(mul(whole(j), ichoose(c-1, u-1)), ipow(m+1, c-u)),
				mul(whole(v), elementary(c-u, sizes)))
			return mul(mul(mul(stirling(u, v), ichoose(i, v-j)), fact(v-1)), bracket)
		})
		return mul(sign(c-u), inner)
	})
	return quo(q, product(0, c-1, func(l int) *big.Rat { return whole(i - sizes[l]) }))
}

var burns23 = []claim{
	burnsEq29, burnsCor9, burnsEq30, burnsEq31, burnsEq32, burnsThm10Proof, burnsThm11, burnsEq33,
	burnsEq34, burnsCor12Moments, burnsEq35, burnsEq36, burnsEq37, burnsEq38, burnsEq39,
	burnsThm13Proof, burnsEq40, burnsEq41,
}

var burnsEq29 = claim{
	ID: "burns.eq29", Ref: "Section 2.3.2, Lemma 8, (29)",
	Statement:      "P[X_cap = i | m, k_d] = P[X_cup = m-i | m, k_d], one committee a department",
	Verdict:        Misprint,
	Counterexample: "X_cap = X_cup = 0, so P[X_cap = 0] = 1 and P[X_cup = 1] = 0",
	Repair:         "committee sizes m-k_d on the right",
	Argument: [2]string{
		"By De Morgan the urns that not all departments chose are the union of the complements, which are sets of m-k_d.",
		"One committee of k has X_cap = k surely, and m - X_cup = k for a committee of m-k, not of k.",
	},
	How: "by enumeration",
	parts: func() []part {
		law := func(complement bool) func(p point) error {
			return single(func(l setLaw, sizes []int) error {
				if complement {
					sizes = shifted(sizes, -1, l.m)
				}
				u, err := union(l.m, sizes...)
				if err != nil {
					return err
				}
				right := u.pmf()
				return eachPMF(l, func(i int) (*big.Rat, error) { return right[l.m-i], nil })
			})
		}
		return []part{
			fails(point{1, 0}, singleCommittees, law(false)),
			holdsOn(singleCommittees, law(true)),
		}
	},
}

var burnsCor9 = claim{
	ID: "burns.cor9", Ref: "Section 2.3.2, Corollary 9",
	Statement:      "the single committee intersection distribution is a factorial series distribution: P[X_cap = i] = ff(m,i) a_i/A(m) with a_i independent of m",
	Verdict:        Refuted,
	Counterexample: "a_1/a_0 = 1/6, but 1/2 at m = 2",
	Repair:         "the number m - X_cap of urns not chosen by all is one, for fixed numbers m-k_d of those left out (Lemma 8)",
	Argument: [2]string{
		"For k_1 = k_2 = 1, P[X_cap = 1] = 1/m and P[X_cap = 0] = 1 - 1/m, so a_1/a_0 = P[1]/(m P[0]) = 1/(m(m-1)).",
		"(27) asks for a_i that do not depend on m; with m fixed every law would be of this form.",
	},
	How: "the ratio a_1/a_0 = 1/(m(m-1)), which depends on m; the repaired form by enumeration",
	parts: func() []part {
		return []part{
			breaks(point{3, 1, 1}, domain{number("m", 2), exactly("k_1", 1), exactly("k_2", 1)}, func(p point) error {
				here, err1 := seriesRatio(p.int(0))
				two, err2 := seriesRatio(2)
				return first(err1, err2, same(here, two))
			}),
			holdsOn(domain{number("m", 2).by(7, 7).upTo(11), exactly("k_1", 1), exactly("k_2", 1)}, func(p point) error {
				x, err := seriesRatio(p.int(0))
				return first(err, same(x, rat(1, p.int(0)*(p.int(0)-1))))
			}).on("a_1/a_0"),
			singles(func(l setLaw, sizes []int) error {
				left := shifted(sizes, -1, l.m)
				a := factorialSeries(left)
				all := product(0, len(left)-1, func(d int) *big.Rat { return ichoose(l.m, left[d]) })
				return eachPMF(l, func(i int) (*big.Rat, error) {
					return quo(mul(ifall(l.m, l.m-i), a(l.m-i)), all), nil
				})
			}).on("the repaired form"),
		}
	},
}

var burnsEq30 = claim{
	ID: "burns.eq30", Ref: "Section 2.3.2, Theorem 10, (30)",
	Statement: "P[X_cap = i] = C(m,i) Delta^(m-i){prod_d C(x,m-k_d)/C(m,m-k_d)} at x = 0",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			singles(func(l setLaw, sizes []int) error {
				return eachPMF(l, func(i int) (*big.Rat, error) {
					f := func(x int) *big.Rat { return fit(x, l.m, shifted(sizes, -1, l.m)) }
					return mul(ichoose(l.m, i), delta(l.m-i, f, 0)), nil
				})
			}).in(through("0 <= i <= m")),
		}
	},
}

var burnsEq31 = claim{
	ID: "burns.eq31", Ref: "Section 2.3.2, Theorem 10, (31)",
	Statement: "P[X_cap = i] = C(m,i)^(1-c) (prod_d C(k_d,i)) F[i-k_1, ..., i-k_c; i-m, ..., i-m; 1] with c upper and c-1 lower parameters",
	Verdict:   Confirmed,
	How:       "by enumeration, 0 above min k_d; and C(i,k)/C(m,k) = C(m-k,i-k)/C(m,i), which the proof notes",
	parts: func() []part {
		return []part{
			singles(func(l setLaw, sizes []int) error {
				for i := range l.m + 1 {
					for _, k := range sizes {
						left := quo(ichoose(i, k), ichoose(l.m, k))
						if err := same(left, quo(ichoose(l.m-k, i-k), ichoose(l.m, i))); i >= k && err != nil {
							return err
						}
					}
				}
				return eachPMF(l, func(i int) (*big.Rat, error) {
					if i > slices.Min(sizes) {
						return new(big.Rat), nil
					}
					f, err := hyper(shifted(sizes, -1, i), repeat(i-l.m, len(sizes)-1), whole(1))
					if err != nil {
						return nil, err
					}
					return mul(cross(l.m, i, sizes), f), nil
				})
			}).in(through("0 <= i <= m")),
		}
	},
}

var burnsEq32 = claim{
	ID: "burns.eq32", Ref: "Section 2.3.2, Theorem 10, (32)",
	Statement: "E[C(X_cap,r)] = C(m,r)^(1-c) prod_d C(k_d,r)",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			singles(func(l setLaw, sizes []int) error {
				return eachMoment(l, func(s int) (*big.Rat, error) { return cross(l.m, s, sizes), nil })
			}).in(through("0 <= r <= m")),
		}
	},
}

var burnsThm10Proof = claim{
	ID: "burns.thm10.proof", Ref: "Section 2.3.2, proof of Theorem 10",
	Statement:      "P[chi_i ... chi_r = 1] = prod_d C(k_d,r)/C(m,r), the product of the chi_l from l = i",
	Verdict:        Misprint,
	Counterexample: "r = 2, i = 2: P[chi_2 = 1] = 1/2, the right side is 0",
	Repair:         "the product begins at l = 1",
	Argument: [2]string{
		"The r urns 1 to r are all in a random k-subset with probability C(k,r)/C(m,r).",
		"From l = i there are r-i+1 urns; with i = r a single one, of probability k/m.",
	},
	How: "by enumeration",
	parts: func() []part {
		line := func(from func(s int) int) func(p point) error {
			return single(func(l setLaw, sizes []int) error {
				for s := range l.m + 1 {
					rest := l.prob(func(mask int) bool { return mask>>(from(s)-1)&(1<<(s-from(s)+1)-1) == 1<<(s-from(s)+1)-1 })
					right := product(0, len(sizes)-1, func(d int) *big.Rat { return quo(ichoose(sizes[d], s), ichoose(l.m, s)) })
					if err := same(rest, right); err != nil {
						return fmt.Errorf("r=%d: %w", s, err)
					}
				}
				return nil
			})
		}
		return []part{
			fails(point{2, 1}, singleCommittees, line(func(s int) int { return max(s, 1) })),
			holdsOn(singleCommittees, line(func(int) int { return 1 })).in(through("0 <= r <= m")),
		}
	},
}

var burnsThm11 = claim{
	ID: "burns.thm11", Ref: "Section 2.3.2, proof of Theorem 11",
	Statement: "G(t+1) = sum_i C(m,i) (C(k_1,i)/C(m,i)) ... (C(k_c,i)/C(m,i)) t^i = F[-k_1, ..., -k_c; -m, ..., -m; -t]",
	Verdict:   Confirmed,
	How:       "by enumeration at 12 points t, more than the degree",
	parts: func() []part {
		return []part{
			singles(func(l setLaw, sizes []int) error {
				for _, t := range somePoints {
					series := sum(0, l.m, func(i int) *big.Rat { return mul(cross(l.m, i, sizes), pow(t, i)) })
					f, err := hyper(shifted(sizes, -1, 0), repeat(-l.m, len(sizes)-1), sub(new(big.Rat), t))
					if err := first(err, same(series, pgf(l, add(t, whole(1)))), same(series, f)); err != nil {
						return err
					}
				}
				return nil
			}).by(byDegree),
		}
	},
}

var burnsEq33 = claim{
	ID: "burns.eq33", Ref: "Section 2.3.2, Theorem 11, (33)",
	Statement: "the p.g.f. of X_cap is F[-k_1, ..., -k_c; -m, ..., -m; 1-z]: a generalised hypergeometric factorial moment distribution",
	Verdict:   Confirmed,
	How:       "by enumeration at 12 points z, more than the degree; for the urns in no committee, with m-k_d (proof of Corollary 6), too",
	parts: func() []part {
		return []part{
			singles(func(l setLaw, sizes []int) error {
				u, err := union(l.m, sizes...)
				if err != nil {
					return err
				}
				for _, z := range somePoints {
					f, err := hyper(shifted(sizes, -1, 0), repeat(-l.m, len(sizes)-1), sub(whole(1), z))
					if err := first(err, same(f, pgf(l, z))); err != nil {
						return err
					}
					empty, err := hyper(shifted(sizes, 1, -l.m), repeat(-l.m, len(sizes)-1), sub(whole(1), z))
					if err := first(err, same(empty, mean(u.pmf(), func(i int) *big.Rat { return pow(z, l.m-i) }))); err != nil {
						return err
					}
				}
				return nil
			}).by(byDegree),
		}
	},
}

var burnsEq34 = claim{
	ID: "burns.eq34", Ref: "Section 2.3.2, Corollary 12, (34)",
	Statement: "P[X_cap = i] = sum_{j=1}^{c-1} (-1)^j C(i+j,j) Q(i,j) P[X_cap = i+j], Q as printed below it",
	Verdict:   Confirmed,
	How:       "by enumeration (at i = k_d for some d, Q divides by 0)",
	parts: func() []part {
		return []part{
			singles(func(l setLaw, sizes []int) error {
				pmf := append(l.pmf(), slices.Repeat([]*big.Rat{new(big.Rat)}, len(sizes))...)
				for i := range slices.Min(sizes) {
					right := sum(1, len(sizes)-1, func(j int) *big.Rat {
						return mul(mul(mul(sign(j), ichoose(i+j, j)), kemp(l.m, sizes, i, j)), pmf[i+j])
					})
					if err := same(pmf[i], right); err != nil {
						return fmt.Errorf("i=%d: %w", i, err)
					}
				}
				return nil
			}).in(where("at least two committees, none empty", "sizes", func(x point) bool { s := everySingle.of(x[0]); return len(s) > 1 && slices.Min(s) > 0 }), through("0 <= i < min k_d")),
		}
	},
}

var burnsCor12Moments = claim{
	ID: "burns.cor12.moments", Ref: "Section 2.3.2, Corollary 12",
	Statement: "mu_[r+1] = (m-r) (prod_j (k_j-r)/(m-r)) mu_[r] and b_(r+1) = ((m-r)/(r+1)) (prod_j (k_j-r)/(m-r)) b_(r), factorial and binomial moments",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			singles(func(l setLaw, sizes []int) error {
				pmf := l.pmf()
				for s := range l.m {
					f := mul(whole(l.m-s), product(0, len(sizes)-1, func(j int) *big.Rat { return rat(sizes[j]-s, l.m-s) }))
					falling := func(s int) *big.Rat { return mean(pmf, func(i int) *big.Rat { return ifall(i, s) }) }
					binomial := func(s int) *big.Rat { return mean(pmf, func(i int) *big.Rat { return ichoose(i, s) }) }
					err := first(same(falling(s+1), mul(f, falling(s))), same(binomial(s+1), quo(mul(f, binomial(s)), whole(s+1))))
					if err != nil {
						return fmt.Errorf("r=%d: %w", s, err)
					}
				}
				return nil
			}).in(through("0 <= r < m")),
		}
	},
}

var burnsEq35 = claim{
	ID: "burns.eq35", Ref: "Section 2.3.2, proof of Corollary 12, (35)",
	Statement: "theta (theta-(m+1))^(c-1) G(1+t) = -t prod_j (theta-k_j) G(1+t), theta = t d/dt; that is r (r-(m+1))^(c-1) b_r = -(prod_j (r-1-k_j)) b_(r-1)",
	Verdict:   Confirmed,
	How:       "the coefficients of t^r by enumeration",
	parts: func() []part {
		return []part{
			singles(func(l setLaw, sizes []int) error {
				pmf := l.pmf()
				b := func(s int) *big.Rat {
					return mean(pmf, func(i int) *big.Rat { return ichoose(i, s) })
				}
				for s := range l.m + 2 { // because theta t^s = s t^s
					left := mul(mul(whole(s), ipow(s-l.m-1, len(sizes)-1)), b(s))
					right := new(big.Rat)
					if s > 0 {
						right = product(0, len(sizes)-1, func(j int) *big.Rat { return whole(s - 1 - sizes[j]) })
						right = mul(mul(whole(-1), right), b(s-1))
					}
					if err := same(left, right); err != nil {
						return fmt.Errorf("r=%d: %w", s, err)
					}
				}
				return nil
			}).in(through("0 <= r <= m+1")),
		}
	},
}

var burnsEq36 = claim{
	ID: "burns.eq36", Ref: "Section 2.3.3, (36), after Nishimura and Sibuya",
	Statement: "E[ff(X_cap,r) | m, n_1, n_2] = ff(m,r)/m^(n_1+n_2) nabla^r[x^n_1] nabla^r[x^n_2] at m, and E[C(X_cap,r)] the same with C(m,r)",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(4, 6).upTo(9), number("n1", 0).by(3, 5).upTo(8), number("n2", 0).by(3, 5).upTo(8), through("0 <= r <= m")}, func(p point) error {
				m, n1, n2 := p.int(0), p.int(1), p.int(2)
				return crossing(m, [][]int{repeat(1, n1), repeat(1, n2)}, func(l setLaw) error {
					return eachMoment(l, func(s int) (*big.Rat, error) {
						both := mul(powerRatio(m, n1, s), powerRatio(m, n2, s))
						falling := mean(l.pmf(), func(i int) *big.Rat { return ifall(i, s) })
						return mul(ichoose(m, s), both), same(falling, mul(ifall(m, s), both))
					})
				})
			}),
		}
	},
}

var burnsEq37 = claim{
	ID: "burns.eq37", Ref: "Section 2.3.3, Theorem 13, (37)",
	Statement: "P[X_cap = i] = C(m,i) Delta^(m-i){prod_d nabla^(m-y)[C(x,k_d)^n_d/C(m,k_d)^n_d] at x = m} at y = 0",
	Verdict:   Confirmed,
	How:       "by enumeration; different sizes within a department, (40), included",
	parts:     intersectionPMF,
}

var burnsEq38 = claim{
	ID: "burns.eq38", Ref: "Section 2.3.3, Theorem 13, (38)",
	Statement:      "P[X_cap = i] = C(m,i) sum_{j=0}^{m-i} (-1)^j C(m-i,j) prod_{d=1}^c sum_{l=0}^{i+j} (-1)^(i+j-l) C(i+j,l) (C(m-l,k_d)/C(m,k_d))^n_d",
	Verdict:        Misprint,
	Counterexample: "c = 1, n_1 = 1, k_1 = 1: the formula gives P[X_cap = 0] = 2 and P[X_cap = 1] = -1",
	Repair:         "(-1)^l in place of (-1)^(i+j-l); as printed it is right for an even number c of departments only",
	Argument: [2]string{
		"nabla^s f(m) = sum_l (-1)^l C(s,l) f(m-l); the printed sign makes each of the c factors (-1)^s times that, s = i+j.",
		"For c = 1, m = 1, n = k = 1, i = 1 the inner sum is -C(1,0) 1 + C(1,1) 0 = -1, and P[X_cap = 1] is 1.",
	},
	How: "by enumeration",
	parts: func() []part {
		form := func(own func(s, l int) int) func(p point) error {
			return several(func(l setLaw, departments [][]int) error {
				return eachPMF(l, func(i int) (*big.Rat, error) {
					return mul(ichoose(l.m, i), sum(0, l.m-i, func(j int) *big.Rat {
						all := product(0, len(departments)-1, func(d int) *big.Rat {
							return sum(0, i+j, func(at int) *big.Rat {
								return mul(mul(sign(own(i+j, at)), ichoose(i+j, at)), fit(l.m-at, l.m, departments[d]))
							})
						})
						return mul(mul(sign(j), ichoose(l.m-i, j)), all)
					})), nil
				})
			})
		}
		printed := form(func(s, l int) int { return s + l })
		return []part{
			fails(point{1, 0}, departments, printed),
			holdsOn(departments, form(func(_, l int) int { return l })).on("repaired"),
			holdsOn(departments, printed).in(where("an even number of departments", "departments", func(x point) bool { return len(everyDepartment.of(x[0]))%2 == 0 })).on("as printed"),
		}
	},
}

var burnsEq39 = claim{
	ID: "burns.eq39", Ref: "Section 2.3.3, Theorem 13, (39)",
	Statement: "E[C(X_cap,r)] = C(m,r) prod_d nabla^r{[C(x,k_d)/C(m,k_d)]^n_d} at x = m",
	Verdict:   Confirmed,
	How:       "by enumeration; different sizes within a department, (41), included",
	parts:     intersectionMoments,
}

var burnsThm13Proof = claim{
	ID: "burns.thm13.proof", Ref: "Section 2.3.3, proof of Theorem 13",
	Statement:      "E[X_cap^r] = sum_{i=1}^r S(r,i) ff(m,i) P[chi_1 ... chi_i = 1]",
	Verdict:        Misprint,
	Counterexample: "E[X^0] = 1, the sum is empty",
	Repair:         "the sum begins at i = 0",
	Argument: [2]string{
		"For r = 0 the left side is E[1] = 1, and a sum from 1 to 0 is 0; the term at i = 0 is 1.",
		"For r >= 1 the term at i = 0 is S(r,0) = 0, so only r = 0 is touched, as in (6) and (9).",
	},
	How: "by enumeration; P[chi_1 ... chi_i = 1] also as the product over the departments",
	parts: func() []part {
		law := func(lo int) func(p point) error {
			return func(p point) error {
				return several(func(l setLaw, departments [][]int) error {
					left := mean(l.pmf(), func(i int) *big.Rat { return ipow(i, p.int(2)) })
					if err := same(l.first(min(p.int(2), l.m)), allFull(l.m, departments, min(p.int(2), l.m))); err != nil {
						return err
					}
					return same(left, sum(lo, min(p.int(2), l.m), func(i int) *big.Rat {
						return mul(mul(stirling(p.int(2), i), ifall(l.m, i)), l.first(i))
					}))
				})(p)
			}
		}
		box := with(departments, number("r", 0).by(3, 5).upTo(9))
		return []part{
			fails(point{1, 0, 0}, box, law(1)),
			holdsOn(box, law(0)),
		}
	},
}

var burnsEq40 = claim{
	ID: "burns.eq40", Ref: "Section 2.3.3, Corollary 14, (40)",
	Statement: "P[X_cap = i] = C(m,i) Delta^(m-i){prod_d nabla^(m-y)[prod_l C(x,k_{d,l})/C(m,k_{d,l})] at x = m} at y = 0",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts:     intersectionPMF,
}

var burnsEq41 = claim{
	ID: "burns.eq41", Ref: "Section 2.3.3, Corollary 14, (41)",
	Statement: "E[C(X_cap,r)] = C(m,r) prod_d nabla^r{prod_l C(x,k_{d,l})/C(m,k_{d,l})} at x = m",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts:     intersectionMoments,
}

// cross returns C(m,i)^(1-c) times the product of C(k_d,i) over the c sizes k_d.
func cross(m, i int, sizes []int) *big.Rat {
	x := ichoose(m, i)
	for _, k := range sizes {
		x = mul(x, quo(ichoose(k, i), ichoose(m, i)))
	}
	return x
}

// intersectionPMF returns the parts of the claims Burns (37) and (40).
func intersectionPMF() []part {
	return []part{holdsOn(with(departments, through("0 <= i <= m")), several(func(l setLaw, departments [][]int) error {
		return eachPMF(l, func(i int) (*big.Rat, error) {
			f := func(y int) *big.Rat { return allFull(l.m, departments, l.m-y) }
			return mul(ichoose(l.m, i), delta(l.m-i, f, 0)), nil
		})
	}))}
}

// intersectionMoments returns the parts of the claims Burns (39) and (41).
func intersectionMoments() []part {
	return []part{holdsOn(with(departments, through("0 <= r <= m")), several(func(l setLaw, departments [][]int) error {
		return eachMoment(l, func(s int) (*big.Rat, error) { return mul(ichoose(l.m, s), allFull(l.m, departments, s)), nil })
	}))}
}
