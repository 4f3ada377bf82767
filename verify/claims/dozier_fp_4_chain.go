package claims

import (
	"fmt"
	"math/big"
)

// chainBox are the bit-bounded filters that are followed bit by bit; those that are no
// filters, such as sigma >= m or k > m distinct positions, are outside.
func chainBox(r *run) box {
	return box{{"m", 1, r.upto(5, 9)}, {"k", 1, r.upto(3, 5)}, {"sigma", 0, r.upto(4, 8)}}
}

// variants are the four filters of the paper, on chainBox.
func variants(r *run) box {
	return append(box{{"non-colliding", 0, 1}, {"retaining", 0, 1}}, chainBox(r)...)
}

// variant returns the filter at a point of variants.
func variant(p []int) recycler { return bitBounded(p[2], p[3], p[4], p[0] == 1, p[1] == 1) }

// ofKind examines a law on the filters of one kind, at (m, k, sigma).
func ofKind(distinct, retain bool, law func(f recycler, m, k, sigma int) error) func(p []int) error {
	return func(p []int) error {
		f := bitBounded(p[0], p[1], p[2], distinct, retain)
		if !f.valid() {
			return errOutside
		}
		return law(f, p[0], p[1], p[2])
	}
}

// forward returns tau_h(i,j) by Dozier-FP (4), or by (11) when distinct, for 0 <= h <= k: one message
// without recycling, with h hash functions.
func forward(m, k int, distinct bool) func(h, i, j int) *big.Rat {
	table := make([]map[[2]int]*big.Rat, k+1)
	for h := range table {
		table[h] = map[[2]int]*big.Rat{}
	}
	var tau func(h, i, j int) *big.Rat
	tau = func(h, i, j int) *big.Rat {
		if h == 0 {
			return whole(count(i == j)) // (6)
		}
		if j < i || j > i+h || j > m {
			return new(big.Rat) // (8)
		}
		if known := table[h][[2]int{i, j}]; known != nil {
			return known
		}
		drawn := 0 // positions that the h-th function cannot take
		if distinct {
			drawn = h - 1
		}
		x := add(mul(tau(h-1, i, j), rat(j-drawn, m-drawn)), mul(tau(h-1, i, j-1), rat(m-j+1, m-drawn)))
		table[h][[2]int{i, j}] = x
		return x
	}
	return tau
}

// returning returns the right side of Dozier-FP (5), or of (12) when distinct, unrolled from
// tau_0(i,0): the messages that take the filter from i bits over sigma.
func returning(m, k, sigma int, distinct bool, i int) *big.Rat {
	tau := forward(m, k, distinct)
	back := whole(count(i == 0))
	for h := 1; h <= k; h++ {
		drawn := 0
		if distinct {
			drawn = h - 1
		}
		at := tau(h-1, i, sigma)
		if sigma == 0 {
			at = back // tau(i,sigma) and tau(i,0) are one entry of the table
		}
		back = add(back, mul(at, rat(m-sigma, m-drawn)))
	}
	return back
}

// forwardMass returns tau_k(i,j) by enumeration, without recycling.
func (f recycler) forwardMass(i, j int) *big.Rat {
	return f.positions().prob(func(set int) bool { return ones(set|(1<<i-1)) == j })
}

// overflow returns the probability that a message at i bits makes the filter recycle.
func (f recycler) overflow(i int) *big.Rat {
	return f.positions().prob(func(set int) bool { return ones(set|(1<<i-1)) > int(f.Sigma) })
}

// reinserted returns tau(i,j) of the retaining filter: the forward mass, and the messages
// of j positions, t of them among the i bits, that overflow and are inserted again.
func (f recycler) reinserted(i, j int) *big.Rat {
	total := new(big.Rat)
	if j >= i {
		total = f.forwardMass(i, j)
	}
	distinct := f.positions().pmf()[j]
	for t := 0; t <= min(i, j); t++ {
		if i+j-t > int(f.Sigma) {
			total.Add(total, quo(mul(distinct, mul(ichoose(i, t), ichoose(f.m-i, j-t))), ichoose(f.m, j)))
		}
	}
	return total
}

// kernelOf compares tau(i,j) with the filter, for the given states.
func kernelOf(f recycler, i int, from, to int, tau func(j int) *big.Rat) error {
	law := f.next(i)
	for j := from; j <= to; j++ {
		if err := same(tau(j), law[j]); err != nil {
			return fmt.Errorf("i=%d j=%d: %w", i, j, err)
		}
	}
	return nil
}

func dozierFP4Chain() []Claim {
	return []Claim{
		{
			ID: "dozier-fp.4.sigma", Paper: DozierFP, Ref: "Section IV, first paragraph, and IV-A",
			Statement:      "the capacity sigma may be any sigma <= M; the chain has the states 0, 1, ..., sigma",
			Domain:         "sigma < M",
			Verdict:        Conditional,
			Counterexample: "M = 1, sigma = 1: b > sigma never happens, the filter fills for ever and the rate is 1; (15) divides by 1 - tau(M,M) = 0",
			Checked:        "sigma = M: the long run by enumeration is the full filter, rate 1, no cycle ends; sigma < M: no arrival sees more than sigma bits: M <= 9, k <= 5, all four filters",
			check: func(r *run) error {
				return first(
					r.all(box{{"m", 1, r.upto(5, 9)}, {"k", 1, r.upto(3, 5)}}, func(p []int) error {
						f := bitBounded(p[0], p[1], p[0], false, false)
						a, err := inTheLongRun(arrays{}, f.step)
						if err != nil {
							return err
						}
						return first(same(a.rate(), whole(1)), same(a.gains[recycles], whole(0)))
					}),
					r.all(variants(r), func(p []int) error {
						f := variant(p)
						a, err := f.average()
						if err != nil {
							return err
						}
						for b, x := range setBits(a, f.m) {
							if b > int(f.Sigma) && x.Sign() != 0 {
								return fmt.Errorf("%d bits are seen", b)
							}
						}
						return nil
					}))
			},
		},
		{
			ID: "dozier-fp.4a.farthest", Paper: DozierFP, Ref: "Section IV-A",
			Statement: "from state i the largest possible state is min(i+k, sigma)",
			Domain:    "non-retaining, before a recycle; all m, k <= m, sigma >= k",
			Verdict:   Confirmed,
			Checked:   "by enumeration: M <= 9, k <= 5, both hashings, from every state that is reached",
			check: func(r *run) error {
				return r.all(append(box{{"non-colliding", 0, 1}}, chainBox(r)...), func(p []int) error {
					f := bitBounded(p[1], p[2], p[3], p[0] == 1, false)
					if !f.valid() || f.k > f.m || f.k > int(f.Sigma) {
						return errOutside
					}
					for i := 0; i <= int(f.Sigma); i++ {
						most := 0
						for j, x := range f.next(i) {
							if x.Sign() > 0 {
								most = j
							}
						}
						if most != min(i+f.k, int(f.Sigma)) {
							return fmt.Errorf("i=%d: at most %d", i, most)
						}
					}
					return nil
				})
			},
		},
		{
			ID: "dozier-fp.4b.backward", Paper: DozierFP, Ref: "Section IV-B",
			Statement:      "the filter recycles from the states sigma-k+1, ..., sigma and no others",
			Domain:         "sigma >= k-1 and k <= M; otherwise the states below 0 are not there",
			Verdict:        Conditional,
			Counterexample: "M = 2, k = 2, sigma = 0: the list is -1, 0",
			Checked:        "by enumeration: M <= 9, k <= 5, both hashings",
			check: func(r *run) error {
				states := func(f recycler, lowest int) error {
					for i := lowest; i <= int(f.Sigma); i++ {
						back := i >= 0 && f.overflow(i).Sign() > 0
						if back != (i > int(f.Sigma)-f.k) {
							return fmt.Errorf("recycles from %d: %v", i, back)
						}
					}
					return nil
				}
				law := func(p []int) error {
					f := bitBounded(p[1], p[2], p[3], p[0] == 1, false)
					if !f.valid() || f.k > f.m {
						return errOutside
					}
					return states(f, min(0, int(f.Sigma)-f.k+1))
				}
				box := append(box{{"non-colliding", 0, 1}}, chainBox(r)...)
				return first(r.smallest([]int{0, 2, 2, 0}, box, law), r.all(box, func(p []int) error {
					if p[3] < p[2]-1 {
						return errOutside
					}
					return law(p)
				}))
			},
		},
		{
			ID: "dozier-fp.4b.retaining", Paper: DozierFP, Ref: "Section IV-B",
			Statement:      "the backward transitions of the retaining filter are to the states 1, ..., k",
			Domain:         "colliding; non-colliding they are all to k",
			Verdict:        Conditional,
			Counterexample: "non-colliding, M = 3, k = 2, sigma = 2: a retained message sets 2 bits, never 1",
			Checked:        "bits after a recycle by enumeration: every number from 1 to k colliding, k alone non-colliding: M <= 9, k <= 5, k <= sigma < M",
			check: func(r *run) error {
				after := func(f recycler) (low, high int) {
					for i := 1; i <= int(f.Sigma); i++ {
						for _, c := range f.step(arrays{active: 1<<i - 1}) {
							if b := ones(c.to.active); c.gains[recycles] == 1 {
								high = max(high, b)
								if low == 0 || b < low {
									low = b
								}
							}
						}
					}
					return low, high
				}
				ends := func(want1 func(k int) int, distinct bool) func(p []int) error {
					return ofKind(distinct, true, func(f recycler, m, k, _ int) error {
						low, high := after(f)
						return holds(low == want1(k) && high == k, "from %d to %d", low, high)
					})
				}
				one := func(int) int { return 1 }
				return first(
					r.smallest([]int{3, 2, 2}, chainBox(r), ends(one, true)),
					r.all(chainBox(r), ends(one, false)),
					r.all(chainBox(r), ends(func(k int) int { return k }, true)))
			},
		},
		{
			ID: "dozier-fp.eq4", Paper: DozierFP, Ref: "Section IV-C1, (4)",
			Statement: "tau_k(i,j) = tau_{k-1}(i,j) j/M + tau_{k-1}(i,j-1) (M-j+1)/M for j >= i, colliding",
			Domain:    "all 0 <= i <= j <= M, k >= 1: one message without recycling",
			Verdict:   Confirmed,
			Checked:   "by enumeration of the k positions: M <= 9, k <= 5",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(5, 9)}, {"k", 1, r.upto(3, 5)}}, checkForward(false))
			},
		},
		{
			ID: "dozier-fp.eq5", Paper: DozierFP, Ref: "Section IV-C1, (5)",
			Statement:      "tau_k(i,0) = tau_{k-1}(i,0) + tau_{k-1}(i,sigma) (M-sigma)/M, colliding, non-retaining",
			Domain:         "1 <= i <= sigma; at i = 0 the base case tau_0(0,0) = 1 is counted in",
			Verdict:        Misprint,
			Counterexample: "M = 1, k = 1, sigma = 0: the printed tau_1(0,0) is 2",
			Repair:         "for 1 <= i <= sigma; at i = 0 the recursion starts from 0 (with sigma >= k it is (7))",
			Argument: [2]string{
				"From i >= 1 bits, tau_0(i,0) = 0 and each step adds the messages that pass sigma at their h-th position.",
				"At i = 0 the base (6) gives tau_0(0,0) = 1 for a message without positions, which (5) then never takes away.",
			},
			Checked: "by enumeration, every i: M <= 9, k <= 5, sigma < M",
			check:   func(r *run) error { return checkReturning(r, false) },
		},
		{
			ID: "dozier-fp.eq6", Paper: DozierFP, Ref: "Section IV-C1, (6)",
			Statement: "tau_0(i,j) is 1 for i = j and 0 otherwise",
			Domain:    "all i, j",
			Verdict:   Confirmed,
			Checked:   "it is the start of (4) and (11), which agree with the enumeration for k = 1: M <= 12",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(6, 12)}, {"k", 1, 1}}, func(p []int) error {
					return first(checkForward(false)(p), checkForward(true)(p))
				})
			},
		},
		{
			ID: "dozier-fp.eq7", Paper: DozierFP, Ref: "Section IV-C1, (7)",
			Statement:      "tau_k(0,0) = 0 for k > 0, colliding, non-retaining",
			Domain:         "sigma >= k",
			Verdict:        Conditional,
			Counterexample: "M = 1, k = 1, sigma = 0: every message recycles the filter at once, tau_1(0,0) = 1",
			Checked:        "by enumeration: it is 0 for k <= sigma and positive below: M <= 9, k <= 5",
			check: func(r *run) error {
				printed := ofKind(false, false, func(f recycler, m, k, sigma int) error { return same(f.next(0)[0], whole(0)) })
				return first(r.smallest([]int{1, 1, 0}, chainBox(r), printed), r.all(chainBox(r), ofKind(false, false, func(f recycler, m, k, sigma int) error {
					return holds((f.next(0)[0].Sign() == 0) == (k <= sigma), "tau(0,0) = %s", short(f.next(0)[0]))
				})))
			},
		},
		{
			ID: "dozier-fp.eq8", Paper: DozierFP, Ref: "Section IV-C1, (8)",
			Statement: "tau_k(i,j) = 0 for j > i+k",
			Domain:    "all four filters, all sigma",
			Verdict:   Confirmed,
			Checked:   "by enumeration: M <= 9, k <= 5",
			check: func(r *run) error {
				return r.all(variants(r), func(p []int) error {
					f := variant(p)
					if !f.valid() {
						return errOutside
					}
					for i := 0; i <= int(f.Sigma); i++ {
						if err := kernelOf(f, i, i+f.k+1, f.m, func(int) *big.Rat { return whole(0) }); err != nil {
							return err
						}
					}
					return nil
				})
			},
		},
		{
			ID: "dozier-fp.4c.reference", Paper: DozierFP, Ref: "Section IV-C1, before (9)",
			Statement:      "for the colliding, retaining filter tau_k(i,j) has the form of equation (2) for j >= i",
			Domain:         "the reference",
			Verdict:        Misprint,
			Counterexample: "M = 2, k = 1: (2) is the oracle's average of N rates, no probability of a transition",
			Repair:         "of equation (4), where the message does not make the filter recycle: i > k, or sigma >= 2k",
			Argument: [2]string{
				"(4) is the only recursion for j >= i of a colliding filter.",
				"For i <= j <= k a retained message may come back to j as well, which adds to (4) when i+k > sigma.",
			},
			Checked: "(4) by enumeration for j >= i, i > k or sigma >= 2k: M <= 9, k <= 5, k <= sigma < M",
			check: func(r *run) error {
				return r.all(chainBox(r), ofKind(false, true, func(f recycler, m, k, sigma int) error {
					tau := forward(m, k, false)
					for i := 1; i <= sigma; i++ {
						if i <= k && sigma < 2*k {
							continue
						}
						if err := kernelOf(f, i, i, sigma, func(j int) *big.Rat { return tau(k, i, j) }); err != nil {
							return err
						}
					}
					return nil
				}))
			},
		},
		{
			ID: "dozier-fp.eq9", Paper: DozierFP, Ref: "Section IV-C1, (9)",
			Statement: "tau_k(i,0) = 0, retaining",
			Domain:    "k <= sigma < M, as retaining needs; colliding and non-colliding",
			Verdict:   Confirmed,
			Checked:   "by enumeration: M <= 9, k <= 5",
			check: func(r *run) error {
				law := func(f recycler, m, k, sigma int) error {
					for i := 0; i <= sigma; i++ {
						if err := same(f.next(i)[0], whole(0)); err != nil {
							return err
						}
					}
					return nil
				}
				return first(r.all(chainBox(r), ofKind(false, true, law)), r.all(chainBox(r), ofKind(true, true, law)))
			},
		},
		{
			ID: "dozier-fp.eq10", Paper: DozierFP, Ref: "Section IV-C1, (10)",
			Statement:      "tau_k(i,j) = tau_cn(i,0) tau_cn(0,j) for j <= k < i, colliding, retaining",
			Domain:         "k = 1",
			Verdict:        Refuted,
			Counterexample: "M = 4, k = 2, sigma = 3, i = 3, j = 1: the filter has 1/16, the product is 7/64",
			Repair:         "[j >= i] tau(i,j) + P(D=j) sum_{t: i+j-t > sigma} C(i,t) C(M-i,j-t)/C(M,j), D the number of distinct positions, for every i, also for i <= k",
			Argument: [2]string{
				"At 3 of 4 bits a message recycles if it has the fourth position: 7/16; with one distinct position that is 1/16.",
				"The product gives it a second message's law: 7/16 * 1/4. The retained message is the same one, which has more positions than most.",
			},
			Checked: "by enumeration; with k = 1 the printed form holds: M <= 9, k <= 5, k <= sigma < M",
			check: func(r *run) error {
				printed := func(f recycler, m, k, sigma int) error {
					plain := bitBounded(m, k, sigma, false, false)
					for i := k + 1; i <= sigma; i++ {
						back := plain.next(i)[0]
						if err := kernelOf(f, i, 0, k, func(j int) *big.Rat { return mul(back, plain.forwardMass(0, j)) }); err != nil {
							return err
						}
					}
					return nil
				}
				return first(
					r.smallest([]int{4, 2, 3}, chainBox(r), ofKind(false, true, printed)),
					r.once(func() error {
						f := bitBounded(4, 2, 3, false, true)
						return first(same(f.next(3)[1], rat(1, 16)), same(mul(f.overflow(3), f.forwardMass(0, 1)), rat(7, 64)))
					}),
					r.all(box{{"m", 2, r.upto(6, 10)}, {"k", 1, 1}, {"sigma", 1, r.upto(5, 9)}}, ofKind(false, true, printed)),
					r.all(chainBox(r), ofKind(false, true, func(f recycler, m, k, sigma int) error {
						for i := 0; i <= sigma; i++ {
							if err := kernelOf(f, i, 0, sigma, func(j int) *big.Rat { return f.reinserted(i, j) }); err != nil {
								return err
							}
						}
						return nil
					})))
			},
		},
		{
			ID: "dozier-fp.eq11", Paper: DozierFP, Ref: "Section IV-C1, (11)",
			Statement: "tau_k(i,j) = tau_{k-1}(i,j) (j-(k-1))/(M-(k-1)) + tau_{k-1}(i,j-1) (M-j+1)/(M-(k-1)) for j >= i, non-colliding",
			Domain:    "all 0 <= i <= j <= M, 1 <= k <= M: one message without recycling",
			Verdict:   Confirmed,
			Checked:   "by enumeration of the k-subsets: M <= 9, k <= 5",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(5, 9)}, {"k", 1, r.upto(3, 5)}}, checkForward(true))
			},
		},
		{
			ID: "dozier-fp.eq12", Paper: DozierFP, Ref: "Section IV-C1, (12)",
			Statement:      "tau_k(i,0) = tau_{k-1}(i,0) + tau_{k-1}(i,sigma) (M-sigma)/(M-(k-1)), non-colliding, non-retaining",
			Domain:         "1 <= i <= sigma, as for (5)",
			Verdict:        Misprint,
			Counterexample: "M = 1, k = 1, sigma = 0: the printed tau_1(0,0) is 2",
			Repair:         "for 1 <= i <= sigma; at i = 0 the recursion starts from 0 (with sigma >= k it gives 0, as (13))",
			Argument: [2]string{
				"From i >= 1 bits, tau_0(i,0) = 0 and each step adds the messages that pass sigma at their h-th position.",
				"At i = 0 the base (6) gives tau_0(0,0) = 1 for a message without positions, which (12) then never takes away.",
			},
			Checked: "by enumeration, every i: M <= 9, k <= 5, sigma < M",
			check:   func(r *run) error { return checkReturning(r, true) },
		},
		{
			ID: "dozier-fp.eq13", Paper: DozierFP, Ref: "Section IV-C1, (13)",
			Statement:      "tau_k(0,k) = 1, non-colliding, non-retaining",
			Domain:         "sigma >= k",
			Verdict:        Conditional,
			Counterexample: "M = 1, k = 1, sigma = 0: the first message recycles the filter, tau_1(0,1) = 0",
			Checked:        "by enumeration: 1 for sigma >= k, 0 below: M <= 9, k <= 5",
			check: func(r *run) error {
				printed := ofKind(true, false, func(f recycler, m, k, sigma int) error { return same(f.next(0)[k], whole(1)) })
				return first(r.smallest([]int{1, 1, 0}, chainBox(r), printed), r.all(chainBox(r), ofKind(true, false, func(f recycler, m, k, sigma int) error {
					return same(f.next(0)[k], whole(count(sigma >= k)))
				})))
			},
		},
		{
			ID: "dozier-fp.eq14", Paper: DozierFP, Ref: "Section IV-C1, (14)",
			Statement:      "tau_k(i,k) = tau_nn(i,0) for i > k, non-colliding, retaining; with (11) for j >= i that is the whole law",
			Domain:         "(14) itself on all of its domain; the law is whole for sigma >= 2k",
			Verdict:        Conditional,
			Counterexample: "M = 2, k = 1, sigma = 1: from i = k = 1 the filter recycles to 1 with probability 1/2, tau(1,1) is 1 and not 1/2",
			Checked:        "by enumeration; for sigma < 2k the recycled mass is added to tau(i,k) for i <= k as well: M <= 9, k <= 5, k <= sigma < M",
			check: func(r *run) error {
				// The printed law, with (14) for i > from.
				law := func(from func(k int) int) func(p []int) error {
					return ofKind(true, true, func(f recycler, m, k, sigma int) error {
						tau := forward(m, k, true)
						for i := k; i <= sigma; i++ { // no state below k is reached
							err := kernelOf(f, i, 0, sigma, func(j int) *big.Rat {
								x := new(big.Rat)
								if j >= i {
									x = tau(k, i, j)
								}
								if j == k && i > from(k) {
									x = add(x, f.overflow(i))
								}
								return x
							})
							if err != nil {
								return err
							}
						}
						return nil
					})
				}
				printed, repaired := law(func(k int) int { return k }), law(func(int) int { return 0 })
				return first(
					r.smallest([]int{2, 1, 1}, chainBox(r), printed),
					r.all(chainBox(r), repaired),
					r.all(chainBox(r), func(p []int) error {
						if p[2] < 2*p[1] {
							return errOutside
						}
						return printed(p)
					}))
			},
		},
	}
}

// checkForward compares (4) or (11) with the enumeration at (m, k).
func checkForward(distinct bool) func(p []int) error {
	return func(p []int) error {
		m, k := p[0], p[1]
		if distinct && k > m {
			return errOutside
		}
		f := bitBounded(m, k, 0, distinct, false)
		tau := forward(m, k, distinct)
		for i := 0; i <= m; i++ {
			for j := i; j <= m; j++ {
				if err := same(tau(k, i, j), f.forwardMass(i, j)); err != nil {
					return fmt.Errorf("i=%d j=%d: %w", i, j, err)
				}
			}
		}
		return nil
	}
}

// checkReturning decides (5) or (12).
func checkReturning(r *run, distinct bool) error {
	law := func(lowest int) func(p []int) error {
		return ofKind(distinct, false, func(f recycler, m, k, sigma int) error {
			if lowest > sigma {
				return errOutside
			}
			for i := lowest; i <= sigma; i++ {
				if err := same(returning(m, k, sigma, distinct, i), f.next(i)[0]); err != nil {
					return fmt.Errorf("i=%d: %w", i, err)
				}
			}
			return nil
		})
	}
	return first(
		r.once(func() error { return same(returning(1, 1, 0, distinct, 0), whole(2)) }),
		r.smallest([]int{1, 1, 0}, chainBox(r), law(0)),
		r.all(chainBox(r), law(1)))
}
