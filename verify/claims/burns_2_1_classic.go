package claims

import (
	"math/big"
	"math/rand"
)

// everyUrn are lists of batch sizes for the classic model. Some lists have equal sizes and some have mixed sizes.
var everyUrn = &sizeLists{most: 4, least: 0, large: 8, table: [][]int{{}, {1}, {2}, {1, 1}, {1, 2}, {2, 2}, {1, 1, 1}, {3, 1}, {1, 2, 3}, {2, 2, 2}, {1, 1, 1, 1}}}

// drawn returns the distribution of the union of the batches of urns that a point of drawnUrns lists. It enumerates all
// outcomes.
func drawn(p point) (setLaw, error) {
	m, sizes := p.int(0), everyUrn.of(p[1])
	return union(m, sizes...)
}

// drawnUrns are batches that are small enough to enumerate.
var drawnUrns = domain{
	number("m", 1).by(5, 8).upTo(10), everyUrn.variable("batches", "batches of any sizes up to m"),
	where("", "m batches", func(x point) bool { return largest(everyUrn.of(x[1])) <= x.int(0) }),
}

// classicMoment returns the law that formula gives E[X^r]. n balls fall into m urns, and X is the number of urns that
// they occupy.
func classicMoment(formula func(m, n, r int) *big.Rat) func(p point) error {
	return func(p point) error {
		m, n, r := p.int(0), p.int(1), p.int(2)
		l, err := union(m, repeat(1, n)...)
		if err != nil {
			return err
		}
		return same(formula(m, n, r), mean(l.pmf(), func(i int) *big.Rat { return ipow(i, r) }))
	}
}

// moments are numbers n of balls and m of urns, small enough to enumerate, and the order r of a moment.
var moments = domain{number("m", 1).by(5, 7).upTo(11), number("n", 0).by(5, 8).upTo(12), number("r", 0).by(4, 8).upTo(12)}

// byDegree is the proof that parts give for an identity of polynomials: it holds at more points than their degree.
var byDegree = &proof{words: "both sides are polynomials of a degree below the number of points", file: "verify/claims/burns_2_1_classic.go", mark: "// byDegree is the proof"}

// halves returns a variable whose values are half of the whole numbers up to hi. There are enough values to decide an
// identity of polynomials of any degree that occurs here.
func halves(name string, lo, hi int64) variable {
	v := number(name, lo).to(hi).by(hi, hi).over(2).saying(name + " complex")
	return v
}

// powerRatio returns nabla^i[x^n] at x = m, divided by m^n. nabla^i is the i-th backward difference.
func powerRatio(m, n, i int) *big.Rat {
	return quo(nabla(i, func(x int) *big.Rat { return ipow(x, n) }, m), ipow(m, n))
}

// classicPower returns E[X^r]. n balls fall into m urns, and X is the number of urns that they occupy. The function
// adds one ball after another.
func classicPower(m, n, r int) *big.Rat {
	return mean(occupied(m, repeat(1, n)...), func(i int) *big.Rat { return ipow(i, r) })
}

// standardMean returns m (1 - (1-1/m)^balls), and committeeMean returns m (1 - (1-k/m)^n).
func standardMean(m, balls int) *big.Rat { return committeeMean(m, balls, 1) }

func committeeMean(m, n, k int) *big.Rat {
	return mul(whole(m), sub(whole(1), pow(rat(m-k, m), n)))
}

var burns21 = []claim{
	burnsEq1, burnsExchangeable, burnsEq2, burnsEq3, burnsFig1, burnsEq4, burnsEq5, burnsEq6,
	burnsEq7, burnsEq7Sum, burnsLemma1Iid, burnsEq8, burnsEq9, burnsEq10, burnsEq11,
	burnsCor2Degree, burnsEq12, burnsEq13, burnsThm3Proof, burnsThm3Mean,
}

var burnsEq1 = claim{
	ID: "burns.eq1", Ref: "Section 2, (1)",
	Statement: "X = chi_1 + ... + chi_m, where chi_i = 1 if urn i holds a ball and 0 if not",
	Verdict:   Confirmed,
	How:       "E[X] = sum of P[chi_i = 1], by enumeration of all outcomes",
	parts: func() []part {
		return []part{
			holdsOn(drawnUrns, func(p point) error {
				l, err := drawn(p)
				if err != nil {
					return err
				}
				right := sum(0, l.m-1, func(i int) *big.Rat {
					return l.prob(func(mask int) bool { return mask>>i&1 == 1 })
				})
				return same(mean(l.pmf(), whole), right)
			}),
		}
	},
}

var burnsExchangeable = claim{
	ID: "burns.exchangeable", Ref: "Section 2, after (1)",
	Statement: "P[chi_i1 ... chi_is = 1] = p_s depends on s only, not on the urns",
	Verdict:   Confirmed,
	How:       "every set of urns, by enumeration",
	parts: func() []part {
		return []part{
			holdsOn(drawnUrns, func(p point) error {
				l, err := drawn(p)
				if err != nil {
					return err
				}
				for set := range 1 << l.m {
					got := l.prob(func(mask int) bool { return mask&set == set })
					if err := same(got, l.first(ones(set))); err != nil {
						return err
					}
				}
				return nil
			}),
		}
	},
}

var burnsEq2 = claim{
	ID: "burns.eq2", Ref: "Section 2, (2)",
	Statement: "E[C(X,r)] = C(m,r) P[chi_1 ... chi_r = 1]",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			holdsOn(with(drawnUrns, through("0 <= r <= m")), func(p point) error {
				l, err := drawn(p)
				for s := 0; s <= l.m && err == nil; s++ {
					left := mean(l.pmf(), func(i int) *big.Rat { return ichoose(i, s) })
					err = same(left, mul(ichoose(l.m, s), l.first(s)))
				}
				return err
			}),
		}
	},
}

var burnsEq3 = claim{
	ID: "burns.eq3", Ref: "Section 2, (3)",
	Statement: "P[X = i] = C(m,i) sum_{j=0}^{m-i} (-1)^j C(m-i,j) P[chi_1 ... chi_{i+j} = 1]",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			holdsOn(with(drawnUrns, through("0 <= i <= m")), func(p point) error {
				l, err := drawn(p)
				if err != nil {
					return err
				}
				for i, want := range l.pmf() {
					got := mul(ichoose(l.m, i), sum(0, l.m-i, func(j int) *big.Rat {
						return mul(mul(sign(j), ichoose(l.m-i, j)), l.first(i+j))
					}))
					if err := same(got, want); err != nil {
						return err
					}
				}
				return nil
			}),
		}
	},
}

var burnsFig1 = claim{
	ID: "burns.fig1", Ref: "Section 2.1, Figure 1",
	Statement: "n = 6 balls in m = 5 urns can occupy X = 3 urns",
	Verdict:   Confirmed,
	How:       "P[X = 3] = S(6,3) ff(5,3)/5^6 = 1080/3125, by enumeration",
	parts: func() []part {
		return []part{holdsOn(domain{exactly("m", 5), exactly("n", 6)}, func(p point) error {
			l, err := union(p.int(0), repeat(1, p.int(1))...)
			if err != nil {
				return err
			}
			return same(l.pmf()[3], rat(1080, 3125))
		})}
	},
}

var burnsEq4 = claim{
	ID: "burns.eq4", Ref: "Section 2.1, (4)",
	Statement: "P[X = i] = S(n,i) C(m,i) i!/m^n = S(n,i) ff(m,i)/m^n",
	Verdict:   Confirmed,
	How:       "by enumeration; printed for 1 <= i <= min(m,n)",
	parts: func() []part {
		return []part{
			holdsOn(with(moments[:2], through("0 <= i <= m")), func(p point) error {
				m, n := p.int(0), p.int(1)
				l, err := union(m, repeat(1, n)...)
				if err != nil {
					return err
				}
				for i, want := range l.pmf() {
					got := quo(mul(stirling(n, i), ifall(m, i)), ipow(m, n))
					if err := same(got, want); err != nil {
						return err
					}
				}
				return nil
			}),
		}
	},
}

var burnsEq5 = claim{
	ID: "burns.eq5", Ref: "Section 2.1, (5)",
	Statement: "E[X^r] = sum_{i=1}^m S(n,i) ff(m,i) i^r/m^n",
	Verdict:   Confirmed,
	How:       "by enumeration (for n = 0 and r = 0 the sum must begin at i = 0)",
	parts: func() []part {
		law := classicMoment(func(m, n, r int) *big.Rat {
			return sum(1, m, func(i int) *big.Rat {
				return quo(mul(mul(stirling(n, i), ifall(m, i)), ipow(i, r)), ipow(m, n))
			})
		})
		return []part{
			holdsOn(domain{moments[0], number("n", 1).by(5, 8).upTo(12), moments[2]}, law),
		}
	},
}

var burnsEq6 = claim{
	ID: "burns.eq6", Ref: "Section 2.1, (6)",
	Statement:      "E[X^r] = sum_{i=1}^r S(r,i) E[ff(X,i)] = sum_{i=1}^r S(r,i) ff(m,i) P[chi_1 ... chi_i = 1]",
	Verdict:        Misprint,
	Counterexample: "E[X^0] = 1, the sum is empty",
	Repair:         "both sums begin at i = 0",
	Argument: [2]string{
		"x^r = sum_{i=0}^r S(r,i) ff(x,i), and for r = 0 its only term is S(0,0) ff(x,0) = 1, at i = 0.",
		"For r >= 1 the term at i = 0 is S(r,0) = 0, so only r = 0 is touched.",
	},
	How: "by enumeration",
	parts: func() []part {
		from := func(lo int) func(p point) error {
			return classicMoment(func(m, n, r int) *big.Rat {
				l, err := union(m, repeat(1, n)...)
				if err != nil {
					return whole(-1)
				}
				return sum(lo, r, func(i int) *big.Rat {
					return mul(stirling(r, i), mul(ifall(m, i), l.first(i)))
				})
			})
		}
		return []part{
			fails(point{1, 0, 0}, moments, from(1)),
			holdsOn(moments, from(0)),
		}
	},
}

var burnsEq7 = claim{
	ID: "burns.eq7", Ref: "Section 2.1.1, (7)",
	Statement: "nabla^i C(x,k) = C(x-i,k-i)",
	Verdict:   Confirmed,
	How:       "for i > k both sides are 0",
	parts: func() []part {
		return []part{
			holdsOn(domain{halves("x", -24, 24), number("k", 0).by(4, 6).upTo(11), number("i", 0).by(5, 8).upTo(14)}, func(p point) error {
				x, k, i := rat(p.int(0), 2), p.int(1), p.int(2)
				left := nabla(i, func(t int) *big.Rat { return choose(add(x, whole(t)), k) }, 0)
				return same(left, choose(sub(x, whole(i)), k-i))
			}).by(byDegree),
		}
	},
}

var burnsEq7Sum = claim{
	ID: "burns.eq7.sum", Ref: "Section 2.1.1, after (7)",
	Statement: "nabla^i f(x) = sum_{j=0}^i (-1)^j C(i,j) f(x-j), and Delta^i f at a = nabla^i f at a+i",
	Verdict:   Confirmed,
	How:       "f with random values, i <= 40",
	parts: func() []part {
		return []part{
			holdsOn(domain{draws("every f, i >= 0", 20, 400)}, drawing(func(rnd *rand.Rand) error {
				i, a := rnd.Intn(41), rnd.Intn(10)
				value := map[int]*big.Rat{}
				f := func(x int) *big.Rat {
					if value[x] == nil {
						value[x] = rat(rnd.Intn(2001)-1000, 1+rnd.Intn(50))
					}
					return value[x]
				}
				right := sum(0, i, func(j int) *big.Rat { return mul(mul(sign(j), ichoose(i, j)), f(a+i-j)) })
				forward := a // from here on Delta is applied i times by its definition
				values := []*big.Rat{}
				for x := range i + 1 {
					values = append(values, f(forward+x))
				}
				for len(values) > 1 {
					for x := range len(values) - 1 {
						values[x] = sub(values[x+1], values[x])
					}
					values = values[:len(values)-1]
				}
				return first(same(nabla(i, f, a+i), right), same(values[0], right))
			})),
		}
	},
}

var burnsLemma1Iid = claim{
	ID: "burns.lemma1.iid", Ref: "Section 2.1.1, Lemma 1",
	Statement:      "the chi_i are i.i.d. urn occupancy random variables under the classic occupancy model",
	Verdict:        Refuted,
	Counterexample: "P[chi_1 = 1] = 1/2, P[chi_1 chi_2 = 1] = 0",
	Repair:         "identically distributed and exchangeable, which is all that the proof uses; P[chi_1 chi_2 = 1] < P[chi_1 = 1]^2 for all m >= 2, n >= 1",
	Argument: [2]string{
		"One ball cannot lie in two urns: P[chi_1 chi_2 = 1] = 0, but independence would give 1/2 * 1/2.",
		"In general 1 - 2(1-1/m)^n + (1-2/m)^n < (1 - (1-1/m)^n)^2, because 1 - 2/m < (1-1/m)^2.",
	},
	How: "by enumeration",
	parts: func() []part {
		both := func(p point) (pair, square *big.Rat, err error) {
			l, err := union(p.int(0), repeat(1, p.int(1))...)
			if err != nil {
				return nil, nil, err
			}
			return l.first(2), pow(l.first(1), 2), nil
		}
		pairs := domain{number("m", 2).by(5, 7).upTo(12), number("n", 1).by(5, 8).upTo(14)}
		return []part{
			fails(point{2, 1}, pairs, func(p point) error {
				pair, square, err := both(p)
				return first(err, same(pair, square))
			}),
			holdsOn(pairs, func(p point) error {
				pair, square, err := both(p)
				return first(err, below(pair, square))
			}),
		}
	},
}

var burnsEq8 = claim{
	ID: "burns.eq8", Ref: "Section 2.1.1, Lemma 1, (8)",
	Statement: "P[chi_1 ... chi_i = 1] = sum_{j=0}^i (-1)^j C(i,j) (1-j/m)^n = nabla^i[x^n] at m / m^n",
	Verdict:   Confirmed,
	How:       "by enumeration, with 0^0 = 1; the probability that the first i urns stay empty, (1-i/m)^n, too",
	parts: func() []part {
		return []part{
			holdsOn(with(moments[:2], through("0 <= i <= m")), func(p point) error {
				m, n := p.int(0), p.int(1)
				l, err := union(m, repeat(1, n)...)
				for i := 0; i <= m && err == nil; i++ {
					terms := sum(0, i, func(j int) *big.Rat {
						return mul(mul(sign(j), ichoose(i, j)), pow(rat(m-j, m), n))
					})
					empty := l.prob(func(mask int) bool { return mask&(1<<i-1) == 0 })
					err = first(same(l.first(i), terms), same(terms, powerRatio(m, n, i)), same(empty, pow(rat(m-i, m), n)))
				}
				return err
			}),
		}
	},
}

var burnsEq9 = claim{
	ID: "burns.eq9", Ref: "Section 2.1.1, Lemma 1, (9)",
	Statement:      "E[X^r] = sum_{i=1}^r S(r,i) ff(m,i)/m^n nabla^i[x^n] at m",
	Verdict:        Misprint,
	Counterexample: "E[X^0] = 1, the sum is empty",
	Repair:         "the sum begins at i = 0",
	Argument: [2]string{
		"For r = 0 the left side is E[1] = 1, and a sum from 1 to 0 is 0; the term at i = 0 is S(0,0) m^n/m^n = 1.",
		"For r >= 1 the term at i = 0 is S(r,0) = 0, so only r = 0 is touched.",
	},
	How: "by enumeration",
	parts: func() []part {
		from := func(lo int) func(p point) error {
			return classicMoment(func(m, n, r int) *big.Rat {
				return sum(lo, r, func(i int) *big.Rat {
					return mul(mul(stirling(r, i), ifall(m, i)), powerRatio(m, n, i))
				})
			})
		}
		return []part{
			fails(point{1, 0, 0}, moments, from(1)),
			holdsOn(moments, from(0)),
		}
	},
}

var burnsEq10 = claim{
	ID: "burns.eq10", Ref: "Section 2.1.1, Lemma 1, (10)",
	Statement: "E[C(X,r)]/C(m,r) = E[ff(X,r)]/ff(m,r) = nabla^r[x^n] at m / m^n",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			holdsOn(domain{moments[0], moments[1], number("r", 0).under("m").by(7, 7).upTo(12)}, func(p point) error {
				m, n, s := p.int(0), p.int(1), p.int(2)
				l, err := union(m, repeat(1, n)...)
				if err != nil {
					return err
				}
				binomial := quo(mean(l.pmf(), func(i int) *big.Rat { return ichoose(i, s) }), ichoose(m, s))
				falling := quo(mean(l.pmf(), func(i int) *big.Rat { return ifall(i, s) }), ifall(m, s))
				return first(same(binomial, falling), same(falling, powerRatio(m, n, s)))
			}),
		}
	},
}

var burnsEq11 = claim{
	ID: "burns.eq11", Ref: "Section 2.1.1, Corollary 2, (11)",
	Statement: "sum_{i=1}^n S(n,i) i^r ff(z,i) = sum_{j=0}^r S(r,j) (nabla^j[x^n] at z) ff(z,j)",
	Verdict:   Confirmed,
	How:       "and sum_i S(n,i) ff(z,i) = z^n for r = 0",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("n", 1).by(4, 8).upTo(10), number("r", 0).by(4, 8).upTo(10), halves("z", -12, 12)}, func(p point) error {
				n, s, z := p.int(0), p.int(1), rat(p.int(2), 2)
				left := sum(1, n, func(i int) *big.Rat { return mul(mul(stirling(n, i), ipow(i, s)), fall(z, i)) })
				right := sum(0, s, func(j int) *big.Rat {
					difference := nabla(j, func(t int) *big.Rat { return pow(add(z, whole(t)), n) }, 0)
					return mul(mul(stirling(s, j), difference), fall(z, j))
				})
				if s == 0 {
					return first(same(left, right), same(left, pow(z, n)))
				}
				return same(left, right)
			}).by(byDegree),
		}
	},
}

var burnsCor2Degree = claim{
	ID: "burns.cor2.degree", Ref: "Section 2.1.1, proof of Corollary 2",
	Statement: "f(z) = sum_{i=1}^n S(n,i) i^r ff(z,i) is a polynomial of degree n, and f(m) = m^n E[X^r] for integers m >= n",
	Verdict:   Confirmed,
	How:       "by the n-th difference n! n^r at every point and by enumeration; the second part is printed for m >= n",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(4, 7).upTo(10), number("n", 1).by(4, 7).upTo(10), number("r", 1).by(4, 6).upTo(9)}, func(p point) error {
				m, n, s := p.int(0), p.int(1), p.int(2)
				f := func(z int) *big.Rat {
					return sum(1, n, func(i int) *big.Rat { return mul(mul(stirling(n, i), ipow(i, s)), ifall(z, i)) })
				}
				law := classicMoment(func(m, n, _ int) *big.Rat { return quo(f(m), ipow(m, n)) })
				return first(same(nabla(n, f, m), mul(fact(n), ipow(n, s))), same(nabla(n+1, f, m), new(big.Rat)), law(p))
			}),
		}
	},
}

var burnsEq12 = claim{
	ID: "burns.eq12", Ref: "Section 2.1.1, (12), after Price",
	Statement: "P[X = i+1 | m, n+1] = (m-i)/m P[X = i | m, n] + (i+1)/m P[X = i+1 | m, n]",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			holdsOn(with(moments[:2], through("0 <= i < m")), func(p point) error {
				m, n := p.int(0), p.int(1)
				before, err := union(m, repeat(1, n)...)
				if err != nil {
					return err
				}
				after, err := union(m, repeat(1, n+1)...)
				if err != nil {
					return err
				}
				old, now := before.pmf(), after.pmf()
				for i := 0; i < m && err == nil; i++ {
					err = same(now[i+1], add(mul(rat(m-i, m), old[i]), mul(rat(i+1, m), old[i+1])))
				}
				return err
			}),
		}
	},
}

var burnsEq13 = claim{
	ID: "burns.eq13", Ref: "Section 2.1.1, Theorem 3, (13)",
	Statement: "E[X^r | m, n] = E[X^(r+1) | m, n]/m + (1-1/m)^n E[X^r | m-1, n]",
	Verdict:   Confirmed,
	How:       "one ball after the other (for m = 1, n >= 1 with the last term read as 0)",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 2).by(5, 7).upTo(24), number("n", 0).by(5, 8).upTo(40), number("r", 0).by(4, 8).upTo(16)}, func(p point) error {
				m, n, s := p.int(0), p.int(1), p.int(2)
				right := add(quo(classicPower(m, n, s+1), whole(m)), mul(pow(rat(m-1, m), n), classicPower(m-1, n, s)))
				return same(classicPower(m, n, s), right)
			}),
		}
	},
}

var burnsThm3Proof = claim{
	ID: "burns.thm3.proof", Ref: "Section 2.1.1, proof of Theorem 3, second line",
	Statement:      "(1/m^n) sum_{i=1}^m S(n,i) ff(m,i) i^r (1-i/m) = ((m-1)/m)^n (1/m^n) sum_{i=1}^{m-1} S(n,i) ff(m-1,i) i^r",
	Verdict:        Misprint,
	Counterexample: "the left side is 1/4 * 2 = 1/2 * 1/2 = 1/2, the right side 1/2 * 1/2 * 1 = 1/4",
	Repair:         "1/(m-1)^n in place of 1/m^n on the right; the next line of the proof is right",
	Argument: [2]string{
		"ff(m,i) (1-i/m) = ff(m,i+1)/m = ff(m-1,i), so the left side is (1/m^n) sum_i S(n,i) ff(m-1,i) i^r.",
		"The factor ((m-1)/m)^n is only made from 1/m^n by multiplying and dividing by (m-1)^n.",
	},
	How: "rationals",
	parts: func() []part {
		line := func(base int) func(p point) error {
			return func(p point) error {
				m, n, s := p.int(0), p.int(1), p.int(2)
				part := func(m, top int) *big.Rat {
					return sum(1, top, func(i int) *big.Rat { return mul(mul(stirling(n, i), ifall(m, i)), ipow(i, s)) })
				}
				left := sum(1, m, func(i int) *big.Rat {
					return mul(mul(mul(stirling(n, i), ifall(m, i)), ipow(i, s)), rat(m-i, m))
				})
				right := quo(mul(pow(rat(m-1, m), n), part(m-1, m-1)), ipow(m-base, n))
				return same(quo(left, ipow(m, n)), right)
			}
		}
		box := domain{number("m", 2).by(5, 7).upTo(30), number("n", 0).by(5, 8).upTo(40), number("r", 1).by(4, 8).upTo(16)}
		return []part{
			fails(point{2, 1, 1}, box, line(0)),
			holdsOn(box, line(1)),
		}
	},
}

var burnsThm3Mean = claim{
	ID: "burns.thm3.mean", Ref: "Section 2.1.1, proof of Theorem 3",
	Statement: "E[X^0 | m, n] = E[X^0 | m-1, n] = 1 and E[X | m, n] = m (1 - (1-1/m)^n)",
	Verdict:   Confirmed,
	How:       "one ball after the other",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(5, 7).upTo(60), number("n", 0).by(5, 8).upTo(80)}, func(p point) error {
				m, n := p.int(0), p.int(1)
				return first(same(classicPower(m, n, 0), whole(1)), same(classicPower(m, n, 1), standardMean(m, n)))
			}),
		}
	},
}
