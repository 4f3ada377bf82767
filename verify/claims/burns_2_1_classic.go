package claims

import (
	"math/big"
	"math/rand"
)

// everyUrn are sizes of batches that cover the classic model, equal and mixed batches.
var everyUrn = [][]int{{}, {1}, {2}, {1, 1}, {1, 2}, {2, 2}, {1, 1, 1}, {3, 1}, {1, 2, 3}, {2, 2, 2}, {1, 1, 1, 1}}

// drawn returns the law of the p[1]-th of everyUrn in m = p[0] urns, where it exists.
func drawn(p []int) (setLaw, error) {
	m, sizes := p[0], everyUrn[p[1]]
	for _, k := range sizes {
		if k > m {
			return setLaw{}, errOutside
		}
	}
	return union(m, sizes...)
}

func drawnBox(r *run) box {
	return box{{"m", 1, r.upto(5, 8)}, {"batches", 0, len(everyUrn) - 1}}
}

// classicMoments says how E[X^r] of n balls in m urns compares with formula.
func classicMoment(formula func(m, n, r int) *big.Rat) func(p []int) error {
	return func(p []int) error {
		m, n, r := p[0], p[1], p[2]
		l, err := union(m, repeat(1, n)...)
		if err != nil {
			return err
		}
		return same(formula(m, n, r), mean(l.pmf(), func(i int) *big.Rat { return ipow(i, r) }))
	}
}

func momentBox(r *run) box {
	return box{{"m", 1, r.upto(5, 7)}, {"n", 0, r.upto(5, 8)}, {"r", 0, r.upto(4, 8)}}
}

// powerRatio returns nabla^i[x^n] at m / m^n.
func powerRatio(m, n, i int) *big.Rat {
	return quo(nabla(i, func(x int) *big.Rat { return ipow(x, n) }, m), ipow(m, n))
}

// classicPower returns E[X^r] of n balls in m urns, one ball after the other.
func classicPower(m, n, r int) *big.Rat {
	return mean(occupied(m, repeat(1, n)...), func(i int) *big.Rat { return ipow(i, r) })
}

// standardMean returns m (1 - (1-1/m)^balls), committeeMean m (1 - (1-k/m)^n).
func standardMean(m, balls int) *big.Rat { return committeeMean(m, balls, 1) }

func committeeMean(m, n, k int) *big.Rat {
	return mul(whole(m), sub(whole(1), pow(rat(m-k, m), n)))
}

func burns21Classic() []Claim {
	return []Claim{
		{
			ID: "burns.eq1", Paper: Burns, Ref: "Section 2, (1)",
			Statement: "X = chi_1 + ... + chi_m, where chi_i = 1 if urn i holds a ball and 0 if not",
			Domain:    "any batches of balls",
			Verdict:   Confirmed,
			Checked:   "E[X] = sum of P[chi_i = 1], by enumeration of all outcomes: m <= 8, batches of up to 4 sizes",
			check: func(r *run) error {
				return r.all(drawnBox(r), func(p []int) error {
					l, err := drawn(p)
					if err != nil {
						return err
					}
					right := sum(0, l.m-1, func(i int) *big.Rat {
						return l.prob(func(mask int) bool { return mask>>i&1 == 1 })
					})
					return same(mean(l.pmf(), whole), right)
				})
			},
		},
		{
			ID: "burns.exchangeable", Paper: Burns, Ref: "Section 2, after (1)",
			Statement: "P[chi_i1 ... chi_is = 1] = p_s depends on s only, not on the urns",
			Domain:    "any batches of balls",
			Verdict:   Confirmed,
			Checked:   "every set of urns, by enumeration: m <= 8, batches of up to 4 sizes",
			check: func(r *run) error {
				return r.all(drawnBox(r), func(p []int) error {
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
				})
			},
		},
		{
			ID: "burns.eq2", Paper: Burns, Ref: "Section 2, (2)",
			Statement: "E[C(X,r)] = C(m,r) P[chi_1 ... chi_r = 1]",
			Domain:    "exchangeable occupancy, 0 <= r <= m",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 8, batches of up to 4 sizes, all r",
			check: func(r *run) error {
				return r.all(drawnBox(r), func(p []int) error {
					l, err := drawn(p)
					for s := 0; s <= l.m && err == nil; s++ {
						left := mean(l.pmf(), func(i int) *big.Rat { return ichoose(i, s) })
						err = same(left, mul(ichoose(l.m, s), l.first(s)))
					}
					return err
				})
			},
		},
		{
			ID: "burns.eq3", Paper: Burns, Ref: "Section 2, (3)",
			Statement: "P[X = i] = C(m,i) sum_{j=0}^{m-i} (-1)^j C(m-i,j) P[chi_1 ... chi_{i+j} = 1]",
			Domain:    "exchangeable occupancy, 0 <= i <= m",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 8, batches of up to 4 sizes, all i",
			check: func(r *run) error {
				return r.all(drawnBox(r), func(p []int) error {
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
				})
			},
		},
		{
			ID: "burns.fig1", Paper: Burns, Ref: "Section 2.1, Figure 1",
			Statement: "n = 6 balls in m = 5 urns can occupy X = 3 urns",
			Domain:    "m = 5, n = 6",
			Verdict:   Confirmed,
			Checked:   "P[X = 3] = S(6,3) ff(5,3)/5^6 = 1080/3125, by enumeration",
			check: func(r *run) error {
				return r.once(func() error {
					l, err := union(5, repeat(1, 6)...)
					if err != nil {
						return err
					}
					return same(l.pmf()[3], rat(1080, 3125))
				})
			},
		},
		{
			ID: "burns.eq4", Paper: Burns, Ref: "Section 2.1, (4)",
			Statement: "P[X = i] = S(n,i) C(m,i) i!/m^n = S(n,i) ff(m,i)/m^n",
			Domain:    "1 <= i <= min(m,n); it holds for all i >= 0 and n >= 0 too",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 7, n <= 8, all i from 0",
			check: func(r *run) error {
				return r.all(momentBox(r)[:2], func(p []int) error {
					m, n := p[0], p[1]
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
				})
			},
		},
		{
			ID: "burns.eq5", Paper: Burns, Ref: "Section 2.1, (5)",
			Statement: "E[X^r] = sum_{i=1}^m S(n,i) ff(m,i) i^r/m^n",
			Domain:    "n >= 1, r >= 0 (for n = 0 and r = 0 the sum must begin at i = 0)",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 7, 1 <= n <= 8, r <= 8",
			check: func(r *run) error {
				law := classicMoment(func(m, n, r int) *big.Rat {
					return sum(1, m, func(i int) *big.Rat {
						return quo(mul(mul(stirling(n, i), ifall(m, i)), ipow(i, r)), ipow(m, n))
					})
				})
				box := momentBox(r)
				box[1].Lo = 1
				return r.all(box, law)
			},
		},
		{
			ID: "burns.eq6", Paper: Burns, Ref: "Section 2.1, (6)",
			Statement:      "E[X^r] = sum_{i=1}^r S(r,i) E[ff(X,i)] = sum_{i=1}^r S(r,i) ff(m,i) P[chi_1 ... chi_i = 1]",
			Domain:         "r >= 0",
			Verdict:        Misprint,
			Counterexample: "m = 1, n = 0, r = 0: E[X^0] = 1, the sum is empty",
			Repair:         "both sums begin at i = 0",
			Argument: [2]string{
				"x^r = sum_{i=0}^r S(r,i) ff(x,i), and for r = 0 its only term is S(0,0) ff(x,0) = 1, at i = 0.",
				"For r >= 1 the term at i = 0 is S(r,0) = 0, so only r = 0 is touched.",
			},
			Checked: "by enumeration: m <= 7, n <= 8, r <= 8",
			check: func(r *run) error {
				from := func(lo int) func(p []int) error {
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
				return first(r.smallest([]int{1, 0, 0}, momentBox(r), from(1)), r.all(momentBox(r), from(0)))
			},
		},
		{
			ID: "burns.eq7", Paper: Burns, Ref: "Section 2.1.1, (7)",
			Statement: "nabla^i C(x,k) = C(x-i,k-i)",
			Domain:    "all x, 0 <= i <= k (for i > k both sides are 0)",
			Verdict:   Confirmed,
			Checked:   "x = -12..12 and halves between, k <= 6, i <= 8: more points than the degree of the two polynomials, so all x",
			check: func(r *run) error {
				return r.all(box{{"2x", -24, 24}, {"k", 0, r.upto(4, 6)}, {"i", 0, r.upto(5, 8)}}, func(p []int) error {
					x, k, i := rat(p[0], 2), p[1], p[2]
					left := nabla(i, func(t int) *big.Rat { return choose(add(x, whole(t)), k) }, 0)
					return same(left, choose(sub(x, whole(i)), k-i))
				})
			},
		},
		{
			ID: "burns.eq7.sum", Paper: Burns, Ref: "Section 2.1.1, after (7)",
			Statement: "nabla^i f(x) = sum_{j=0}^i (-1)^j C(i,j) f(x-j), and Delta^i f at a = nabla^i f at a+i",
			Domain:    "all f, i >= 0",
			Verdict:   Confirmed,
			Checked:   "f with random values, i <= 40",
			check: func(r *run) error {
				return r.sample(r.upto(20, 400), func(rnd *rand.Rand) error {
					i, a := rnd.Intn(41), rnd.Intn(10)
					value := map[int]*big.Rat{}
					f := func(x int) *big.Rat {
						if value[x] == nil {
							value[x] = rat(rnd.Intn(2001)-1000, 1+rnd.Intn(50))
						}
						return value[x]
					}
					right := sum(0, i, func(j int) *big.Rat { return mul(mul(sign(j), ichoose(i, j)), f(a+i-j)) })
					forward := a // the definition of Delta, applied i times
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
				})
			},
		},
		{
			ID: "burns.lemma1.iid", Paper: Burns, Ref: "Section 2.1.1, Lemma 1",
			Statement:      "the chi_i are i.i.d. urn occupancy random variables under the classic occupancy model",
			Domain:         "m >= 2 urns, n >= 1 balls",
			Verdict:        Refuted,
			Counterexample: "m = 2, n = 1: P[chi_1 = 1] = 1/2, P[chi_1 chi_2 = 1] = 0",
			Repair:         "identically distributed and exchangeable, which is all that the proof uses; P[chi_1 chi_2 = 1] < P[chi_1 = 1]^2 for all m >= 2, n >= 1",
			Argument: [2]string{
				"One ball cannot lie in two urns: P[chi_1 chi_2 = 1] = 0, but independence would give 1/2 * 1/2.",
				"In general 1 - 2(1-1/m)^n + (1-2/m)^n < (1 - (1-1/m)^n)^2, because 1 - 2/m < (1-1/m)^2.",
			},
			Checked: "by enumeration: m = 2..7, 1 <= n <= 8",
			check: func(r *run) error {
				both := func(p []int) (pair, square *big.Rat, err error) {
					l, err := union(p[0], repeat(1, p[1])...)
					if err != nil {
						return nil, nil, err
					}
					return l.first(2), pow(l.first(1), 2), nil
				}
				box := box{{"m", 2, r.upto(5, 7)}, {"n", 1, r.upto(5, 8)}}
				return first(
					r.smallest([]int{2, 1}, box, func(p []int) error {
						pair, square, err := both(p)
						return first(err, same(pair, square))
					}),
					r.all(box, func(p []int) error {
						pair, square, err := both(p)
						return first(err, below(pair, square))
					}))
			},
		},
		{
			ID: "burns.eq8", Paper: Burns, Ref: "Section 2.1.1, Lemma 1, (8)",
			Statement: "P[chi_1 ... chi_i = 1] = sum_{j=0}^i (-1)^j C(i,j) (1-j/m)^n = nabla^i[x^n] at m / m^n",
			Domain:    "0 <= i <= m, n >= 0 with 0^0 = 1",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 7, n <= 8, all i; the probability that the first i urns stay empty, (1-i/m)^n, too",
			check: func(r *run) error {
				return r.all(momentBox(r)[:2], func(p []int) error {
					m, n := p[0], p[1]
					l, err := union(m, repeat(1, n)...)
					for i := 0; i <= m && err == nil; i++ {
						terms := sum(0, i, func(j int) *big.Rat {
							return mul(mul(sign(j), ichoose(i, j)), pow(rat(m-j, m), n))
						})
						empty := l.prob(func(mask int) bool { return mask&(1<<i-1) == 0 })
						err = first(same(l.first(i), terms), same(terms, powerRatio(m, n, i)), same(empty, pow(rat(m-i, m), n)))
					}
					return err
				})
			},
		},
		{
			ID: "burns.eq9", Paper: Burns, Ref: "Section 2.1.1, Lemma 1, (9)",
			Statement:      "E[X^r] = sum_{i=1}^r S(r,i) ff(m,i)/m^n nabla^i[x^n] at m",
			Domain:         "r >= 0",
			Verdict:        Misprint,
			Counterexample: "m = 1, n = 0, r = 0: E[X^0] = 1, the sum is empty",
			Repair:         "the sum begins at i = 0",
			Argument: [2]string{
				"For r = 0 the left side is E[1] = 1, and a sum from 1 to 0 is 0; the term at i = 0 is S(0,0) m^n/m^n = 1.",
				"For r >= 1 the term at i = 0 is S(r,0) = 0, so only r = 0 is touched.",
			},
			Checked: "by enumeration: m <= 7, n <= 8, r <= 8",
			check: func(r *run) error {
				from := func(lo int) func(p []int) error {
					return classicMoment(func(m, n, r int) *big.Rat {
						return sum(lo, r, func(i int) *big.Rat {
							return mul(mul(stirling(r, i), ifall(m, i)), powerRatio(m, n, i))
						})
					})
				}
				return first(r.smallest([]int{1, 0, 0}, momentBox(r), from(1)), r.all(momentBox(r), from(0)))
			},
		},
		{
			ID: "burns.eq10", Paper: Burns, Ref: "Section 2.1.1, Lemma 1, (10)",
			Statement: "E[C(X,r)]/C(m,r) = E[ff(X,r)]/ff(m,r) = nabla^r[x^n] at m / m^n",
			Domain:    "0 <= r <= m",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 7, n <= 8, all r",
			check: func(r *run) error {
				return r.all(momentBox(r), func(p []int) error {
					m, n, s := p[0], p[1], p[2]
					if s > m {
						return errOutside
					}
					l, err := union(m, repeat(1, n)...)
					if err != nil {
						return err
					}
					binomial := quo(mean(l.pmf(), func(i int) *big.Rat { return ichoose(i, s) }), ichoose(m, s))
					falling := quo(mean(l.pmf(), func(i int) *big.Rat { return ifall(i, s) }), ifall(m, s))
					return first(same(binomial, falling), same(falling, powerRatio(m, n, s)))
				})
			},
		},
		{
			ID: "burns.eq11", Paper: Burns, Ref: "Section 2.1.1, Corollary 2, (11)",
			Statement: "sum_{i=1}^n S(n,i) i^r ff(z,i) = sum_{j=0}^r S(r,j) (nabla^j[x^n] at z) ff(z,j)",
			Domain:    "z complex, n >= 1, r >= 0",
			Verdict:   Confirmed,
			Checked:   "n <= 8, r <= 8, z = -6..6 in steps of 1/2: more points than the degree n+r of the polynomials, so all z; and sum_i S(n,i) ff(z,i) = z^n for r = 0",
			check: func(r *run) error {
				return r.all(box{{"n", 1, r.upto(4, 8)}, {"r", 0, r.upto(4, 8)}, {"2z", -12, 12}}, func(p []int) error {
					n, s, z := p[0], p[1], rat(p[2], 2)
					left := sum(1, n, func(i int) *big.Rat { return mul(mul(stirling(n, i), ipow(i, s)), fall(z, i)) })
					right := sum(0, s, func(j int) *big.Rat {
						difference := nabla(j, func(t int) *big.Rat { return pow(add(z, whole(t)), n) }, 0)
						return mul(mul(stirling(s, j), difference), fall(z, j))
					})
					if s == 0 {
						return first(same(left, right), same(left, pow(z, n)))
					}
					return same(left, right)
				})
			},
		},
		{
			ID: "burns.cor2.degree", Paper: Burns, Ref: "Section 2.1.1, proof of Corollary 2",
			Statement: "f(z) = sum_{i=1}^n S(n,i) i^r ff(z,i) is a polynomial of degree n, and f(m) = m^n E[X^r] for integers m >= n",
			Domain:    "n, r >= 1",
			Verdict:   Confirmed,
			Checked:   "by the n-th difference n! n^r at every point and by enumeration: n <= 7, r <= 6, m <= 7; the second part holds for m < n too",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(4, 7)}, {"n", 1, r.upto(4, 7)}, {"r", 1, r.upto(4, 6)}}, func(p []int) error {
					m, n, s := p[0], p[1], p[2]
					f := func(z int) *big.Rat {
						return sum(1, n, func(i int) *big.Rat { return mul(mul(stirling(n, i), ipow(i, s)), ifall(z, i)) })
					}
					law := classicMoment(func(m, n, _ int) *big.Rat { return quo(f(m), ipow(m, n)) })
					return first(same(nabla(n, f, m), mul(fact(n), ipow(n, s))), same(nabla(n+1, f, m), new(big.Rat)), law(p))
				})
			},
		},
		{
			ID: "burns.eq12", Paper: Burns, Ref: "Section 2.1.1, (12), after Price",
			Statement: "P[X = i+1 | m, n+1] = (m-i)/m P[X = i | m, n] + (i+1)/m P[X = i+1 | m, n]",
			Domain:    "0 <= i < m, n >= 0",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 7, n <= 8, all i",
			check: func(r *run) error {
				return r.all(momentBox(r)[:2], func(p []int) error {
					m, n := p[0], p[1]
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
				})
			},
		},
		{
			ID: "burns.eq13", Paper: Burns, Ref: "Section 2.1.1, Theorem 3, (13)",
			Statement: "E[X^r | m, n] = E[X^(r+1) | m, n]/m + (1-1/m)^n E[X^r | m-1, n]",
			Domain:    "r >= 0, m >= 2 (for m = 1, n >= 1 with the last term read as 0)",
			Verdict:   Confirmed,
			Checked:   "by enumeration: 2 <= m <= 7, n <= 8, r <= 8",
			check: func(r *run) error {
				box := momentBox(r)
				box[0].Lo = 2
				return r.all(box, func(p []int) error {
					m, n, s := p[0], p[1], p[2]
					right := add(quo(classicPower(m, n, s+1), whole(m)), mul(pow(rat(m-1, m), n), classicPower(m-1, n, s)))
					return same(classicPower(m, n, s), right)
				})
			},
		},
		{
			ID: "burns.thm3.proof", Paper: Burns, Ref: "Section 2.1.1, proof of Theorem 3, second line",
			Statement:      "(1/m^n) sum_{i=1}^m S(n,i) ff(m,i) i^r (1-i/m) = ((m-1)/m)^n (1/m^n) sum_{i=1}^{m-1} S(n,i) ff(m-1,i) i^r",
			Domain:         "m >= 2, r > 0",
			Verdict:        Misprint,
			Counterexample: "m = 2, n = 1, r = 1: the left side is 1/4 * 2 = 1/2 * 1/2 = 1/2, the right side 1/2 * 1/2 * 1 = 1/4",
			Repair:         "1/(m-1)^n in place of 1/m^n on the right; the next line of the proof is right",
			Argument: [2]string{
				"ff(m,i) (1-i/m) = ff(m,i+1)/m = ff(m-1,i), so the left side is (1/m^n) sum_i S(n,i) ff(m-1,i) i^r.",
				"The factor ((m-1)/m)^n is only made from 1/m^n by multiplying and dividing by (m-1)^n.",
			},
			Checked: "2 <= m <= 7, n <= 8, 1 <= r <= 8",
			check: func(r *run) error {
				line := func(base int) func(p []int) error {
					return func(p []int) error {
						m, n, s := p[0], p[1], p[2]
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
				box := box{{"m", 2, r.upto(5, 7)}, {"n", 0, r.upto(5, 8)}, {"r", 1, r.upto(4, 8)}}
				return first(r.smallest([]int{2, 1, 1}, box, line(0)), r.all(box, line(1)))
			},
		},
		{
			ID: "burns.thm3.mean", Paper: Burns, Ref: "Section 2.1.1, proof of Theorem 3",
			Statement: "E[X^0 | m, n] = E[X^0 | m-1, n] = 1 and E[X | m, n] = m (1 - (1-1/m)^n)",
			Domain:    "m >= 1, n >= 0",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 7, n <= 8",
			check: func(r *run) error {
				return r.all(momentBox(r)[:2], func(p []int) error {
					m, n := p[0], p[1]
					return first(same(classicPower(m, n, 0), whole(1)), same(classicPower(m, n, 1), standardMean(m, n)))
				})
			},
		},
	}
}
