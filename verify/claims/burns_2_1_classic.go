package claims

import "math/big"

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

func drawnBox(r *Run) Box {
	return Box{{"m", 1, r.Upto(5, 8)}, {"batches", 0, len(everyUrn) - 1}}
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

func momentBox(r *Run) Box {
	return Box{{"m", 1, r.Upto(5, 7)}, {"n", 0, r.Upto(5, 8)}, {"r", 0, r.Upto(4, 8)}}
}

func burns21Classic() []Claim {
	return []Claim{
		{
			ID: "burns.eq1", Paper: Burns, Ref: "Section 2, (1)",
			Statement: "X = chi_1 + ... + chi_m, where chi_i = 1 if urn i holds a ball and 0 if not",
			Domain:    "any batches of balls",
			Verdict:   Confirmed,
			Checked:   "E[X] = sum of P[chi_i = 1], by enumeration of all outcomes: m <= 8, batches of up to 4 sizes",
			Check: func(r *Run) error {
				return r.All(drawnBox(r), func(p []int) error {
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
			Check: func(r *Run) error {
				return r.All(drawnBox(r), func(p []int) error {
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
			Check: func(r *Run) error {
				return r.All(drawnBox(r), func(p []int) error {
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
			Check: func(r *Run) error {
				return r.All(drawnBox(r), func(p []int) error {
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
			Check: func(r *Run) error {
				return r.Once(func() error {
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
			Check: func(r *Run) error {
				return r.All(momentBox(r)[:2], func(p []int) error {
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
			Check: func(r *Run) error {
				law := classicMoment(func(m, n, r int) *big.Rat {
					return sum(1, m, func(i int) *big.Rat {
						return quo(mul(mul(stirling(n, i), ifall(m, i)), ipow(i, r)), ipow(m, n))
					})
				})
				box := momentBox(r)
				box[1].Lo = 1
				return r.All(box, law)
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
			Check: func(r *Run) error {
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
				return first(r.Smallest([]int{1, 0, 0}, momentBox(r), from(1)), r.All(momentBox(r), from(0)))
			},
		},
	}
}
