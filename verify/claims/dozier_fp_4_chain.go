package claims

import (
	"fmt"
	"math/big"
)

// ofKind turns a law on the filters of one kind into a law on points (m, k, sigma).
func ofKind(distinct, retain bool, law func(f recycler, m, k, sigma int) error) func(p point) error {
	return func(p point) error {
		f := bitBounded(p.int(0), p.int(1), p.int(2), distinct, retain)
		if !f.valid() {
			return errOutside
		}
		return law(f, p.int(0), p.int(1), p.int(2))
	}
}

// forward returns tau_h(i,j) by Dozier-FP (4), or by (11) if distinct, for 0 <= h <= k: the probability that the first
// h hash functions of a message bring the filter from i to j set bits, without recycling.
func forward(m, k int, distinct bool) func(h, i, j int) *big.Rat {
	table := make([]map[[2]int]*big.Rat, k+1)
	for h := range table {
		table[h] = map[[2]int]*big.Rat{}
	}
	var tau func(h, i, j int) *big.Rat
	tau = func(h, i, j int) *big.Rat {
		if h == 0 {
			return whole(count(i == j)) // by (6)
		}
		if j < i || j > i+h || j > m {
			return new(big.Rat) // by (8)
		}
		if known := table[h][[2]int{i, j}]; known != nil {
			return known
		}
		drawn := 0 // the number of positions that the h-th hash function cannot take
		if distinct {
			drawn = h - 1
		}
		x := add(mul(tau(h-1, i, j), rat(j-drawn, m-drawn)), mul(tau(h-1, i, j-1), rat(m-j+1, m-drawn)))
		table[h][[2]int{i, j}] = x
		return x
	}
	return tau
}

// returning returns the right side of Dozier-FP (5), or of (12) if distinct, unrolled from tau_0(i,0). It is the
// probability that a message brings the filter from i set bits to more than sigma.
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
			at = back // here tau(i,sigma) and tau(i,0) are the same entry of the table
		}
		back = add(back, mul(at, rat(m-sigma, m-drawn)))
	}
	return back
}

// forwardMass returns tau_k(i,j), the probability that a message brings the filter from i to j set bits without
// recycling. It enumerates the outcomes.
func (f recycler) forwardMass(i, j int) *big.Rat {
	return f.positions().prob(func(set int) bool { return ones(set|(1<<i-1)) == j })
}

// overflow returns the probability that a message makes a filter with i set bits recycle.
func (f recycler) overflow(i int) *big.Rat {
	return f.positions().prob(func(set int) bool { return ones(set|(1<<i-1)) > int(f.Sigma) })
}

// reinserted returns tau(i,j) of the retaining filter: the probability that a message brings it from i to j set bits.
// It adds two probabilities. One is forwardMass. The other is for a message with j positions that overflows the filter
// and is inserted again; t of its positions are among the i set bits.
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

// kernelOf compares tau(i,j) with the filter's transition probabilities from i to j set bits, for all j in the given
// range.
func kernelOf(f recycler, i int, from, to int, tau func(j int) *big.Rat) error {
	law := f.next(i)
	for j := from; j <= to; j++ {
		if err := same(tau(j), law[j]); err != nil {
			return fmt.Errorf("i=%d j=%d: %w", i, j, err)
		}
	}
	return nil
}

var dozierFP4Chain = []claim{
	fp4Sigma, fp4aFarthest, fp4bBackward, fp4bRetaining, fpEq4, fpEq5, fpEq6, fpEq7, fpEq8,
	fp4cReference, fpEq9, fpEq10, fpEq11, fpEq12, fpEq13, fpEq14,
}

var fp4Sigma = claim{
	ID: "dozier-fp.4.sigma", Ref: "Section IV, first paragraph, and IV-A",
	Statement:      "the capacity sigma may be any sigma <= M; the chain has the states 0, 1, ..., sigma",
	Verdict:        Conditional,
	Counterexample: "b > sigma never happens, the filter fills for ever and the rate is 1; (15) divides by 1 - tau(M,M) = 0",
	How:            "sigma = M: the long run by enumeration is the full filter, rate 1, no cycle ends; sigma < M: no arrival sees more than sigma bits",
	parts: func() []part {
		ends := func(p point) error {
			a, err := inTheLongRun(arrays{}, bitBounded(p.int(0), p.int(1), p.int(2), false, false).step)
			return first(err, below(new(big.Rat), a.gains[recycles]))
		}
		full := domain{number("M", 1).by(5, 9), number("k", 1).by(3, 5), number("sigma", 0).under("M").by(5, 9)}
		parts := []part{
			breaks(point{1, 1, 1}, full, ends),
			holdsOn(with(full, where("sigma = M", "M sigma", func(x point) bool { return x[0] == x[1] })), func(p point) error {
				a, err := inTheLongRun(arrays{}, bitBounded(p.int(0), p.int(1), p.int(2), false, false).step)
				if err != nil {
					return err
				}
				return first(same(a.rate(), whole(1)), same(a.gains[recycles], whole(0)))
			}).on("sigma = M: the full filter"),
		}
		return append(parts, everyKind(bitFilters, []bool{false, true}, func(distinct, retain bool) func(p point) error {
			return ofKind(distinct, retain, func(f recycler, m, _, sigma int) error {
				a, err := f.average()
				if err != nil {
					return err
				}
				for b, x := range setBits(a, m) {
					if b > sigma && x.Sign() != 0 {
						return fmt.Errorf("%d bits are seen", b)
					}
				}
				return nil
			})
		})...)
	},
}

var fp4aFarthest = claim{
	ID: "dozier-fp.4a.farthest", Ref: "Section IV-A",
	Statement: "from state i the largest possible state is min(i+k, sigma)",
	Verdict:   Confirmed,
	How:       "not retaining, before a recycle: by enumeration, from every state that is reached",
	parts: func() []part {
		room := where("k <= sigma", "k sigma", func(x point) bool { return x[0] <= x[1] })
		return everyKind(with(bitFilters, room), []bool{false}, func(distinct, retain bool) func(p point) error {
			return ofKind(distinct, retain, func(f recycler, _, k, sigma int) error {
				for i := 0; i <= sigma; i++ {
					most := 0
					for j, x := range f.next(i) {
						if x.Sign() > 0 {
							most = j
						}
					}
					if most != min(i+k, sigma) {
						return fmt.Errorf("i=%d: at most %d", i, most)
					}
				}
				return nil
			})
		})
	},
}

var fp4bBackward = claim{
	ID: "dozier-fp.4b.backward", Ref: "Section IV-B",
	Statement:      "the filter recycles from the states sigma-k+1, ..., sigma and no others",
	Verdict:        Conditional,
	Counterexample: "the list is -1, 0",
	How:            "by enumeration; otherwise the states below 0 are not there",
	parts: func() []part {
		law := func(distinct, retain bool) func(p point) error {
			return ofKind(distinct, retain, func(f recycler, _, k, sigma int) error {
				for i := min(0, sigma-k+1); i <= sigma; i++ {
					back := i >= 0 && f.overflow(i).Sign() > 0
					if back != (i > sigma-k) {
						return fmt.Errorf("recycles from %d: %v", i, back)
					}
				}
				return nil
			})
		}
		fits := with(bitFilters, where("k <= M", "k M", func(x point) bool { return x[0] <= x[1] }))
		enough := where("sigma >= k-1", "sigma k", func(x point) bool { return x[0] >= x[1]-1 })
		return append([]part{fails(point{2, 2, 0}, kindOf(fits, false, false), law(false, false))},
			everyKind(with(fits, enough), []bool{false}, law)...)
	},
}

var fp4bRetaining = claim{
	ID: "dozier-fp.4b.retaining", Ref: "Section IV-B",
	Statement:      "the backward transitions of the retaining filter are to the states 1, ..., k",
	Verdict:        Conditional,
	Counterexample: "a retained message sets 2 bits, never 1",
	How:            "bits after a recycle by enumeration: every number from 1 to k colliding, k alone non-colliding",
	parts: func() []part {
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
		ends := func(want1 func(k int) int, distinct bool) func(p point) error {
			return ofKind(distinct, true, func(f recycler, m, k, _ int) error {
				low, high := after(f)
				return holds(low == want1(k) && high == k, "from %d to %d", low, high)
			})
		}
		one := func(int) int { return 1 }
		return []part{
			fails(point{3, 2, 2}, kindOf(bitFilters, true, true), ends(one, true)),
			holdsOn(kindOf(bitFilters, false, true), ends(one, false)),
			holdsOn(kindOf(bitFilters, true, true), ends(func(k int) int { return k }, true)).on("non-colliding they are all to k"),
		}
	},
}

var fpEq4 = claim{
	ID: "dozier-fp.eq4", Ref: "Section IV-C1, (4)",
	Statement: "tau_k(i,j) = tau_{k-1}(i,j) j/M + tau_{k-1}(i,j-1) (M-j+1)/M for j >= i, colliding",
	Verdict:   Confirmed,
	How:       "one message without recycling, by enumeration of the k positions",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("M", 1).by(5, 9).upTo(12), number("k", 1).by(3, 5).upTo(6), through("0 <= i <= j <= M")}, checkForward(false)),
		}
	},
}

var fpEq5 = claim{
	ID: "dozier-fp.eq5", Ref: "Section IV-C1, (5)",
	Statement:      "tau_k(i,0) = tau_{k-1}(i,0) + tau_{k-1}(i,sigma) (M-sigma)/M, colliding, non-retaining",
	Verdict:        Misprint,
	Counterexample: "the printed tau_1(0,0) is 2",
	Repair:         "for 1 <= i <= sigma; at i = 0 the recursion starts from 0 (with sigma >= k it is (7))",
	Argument: [2]string{
		"From i >= 1 bits, tau_0(i,0) = 0 and each step adds the messages that pass sigma at their h-th position.",
		"At i = 0 the base (6) gives tau_0(0,0) = 1 for a message without positions, which (5) then never takes away.",
	},
	How:   "by enumeration, every i",
	parts: func() []part { return returningParts(false) },
}

var fpEq6 = claim{
	ID: "dozier-fp.eq6", Ref: "Section IV-C1, (6)",
	Statement: "tau_0(i,j) is 1 for i = j and 0 otherwise",
	Verdict:   Confirmed,
	How:       "it is the start of (4) and (11), which agree with the enumeration for k = 1",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("M", 1).by(6, 12).upTo(14), exactly("k", 1), through("every i, j")}, func(p point) error {
				return first(checkForward(false)(p), checkForward(true)(p))
			}),
		}
	},
}

var fpEq7 = claim{
	ID: "dozier-fp.eq7", Ref: "Section IV-C1, (7)",
	Statement:      "tau_k(0,0) = 0 for k > 0, colliding, non-retaining",
	Verdict:        Conditional,
	Counterexample: "every message recycles the filter at once, tau_1(0,0) = 1",
	How:            "by enumeration: it is 0 for k <= sigma and positive below",
	parts: func() []part {
		stays := func(f recycler, m, k, sigma int) error { return same(f.next(0)[0], whole(0)) }
		colliding := kindOf(bitFilters, false, false)
		return []part{
			fails(point{1, 1, 0}, colliding, ofKind(false, false, stays)),
			holdsOn(with(colliding, where("sigma >= k", "sigma k", func(x point) bool { return x[0] >= x[1] })), ofKind(false, false, stays)),
			holdsOn(with(colliding, where("sigma < k", "sigma k", func(x point) bool { return x[0] < x[1] })), ofKind(false, false, func(f recycler, m, k, sigma int) error {
				return below(new(big.Rat), f.next(0)[0])
			})).on("positive below"),
		}
	},
}

var fpEq8 = claim{
	ID: "dozier-fp.eq8", Ref: "Section IV-C1, (8)",
	Statement: "tau_k(i,j) = 0 for j > i+k",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return everyKind(bitFilters, []bool{false, true}, func(distinct, retain bool) func(p point) error {
			return ofKind(distinct, retain, func(f recycler, m, k, sigma int) error {
				for i := 0; i <= sigma; i++ {
					if err := kernelOf(f, i, i+k+1, m, func(int) *big.Rat { return whole(0) }); err != nil {
						return err
					}
				}
				return nil
			})
		})
	},
}

var fp4cReference = claim{
	ID: "dozier-fp.4c.reference", Ref: "Section IV-C1, before (9)",
	Statement:      "for the colliding, retaining filter tau_k(i,j) has the form of equation (2) for j >= i",
	Verdict:        Misprint,
	Counterexample: "(2) is the oracle's average of N rates, 0 for N = 1, no probability of a transition",
	Repair:         "of equation (4), where the message does not make the filter recycle: i > k, or sigma >= 2k",
	Argument: [2]string{
		"(4) is the only recursion for j >= i of a colliding filter.",
		"For i <= j <= k a retained message may come back to j as well, which adds to (4) when i+k > sigma.",
	},
	How: "(4) by enumeration for j >= i, i > k or sigma >= 2k",
	parts: func() []part {
		retaining := kindOf(bitFilters, false, true)
		return []part{
			breaks(point{2, 1, 1}, retaining, func(p point) error {
				f := bitBounded(p.int(0), p.int(1), p.int(2), false, true)
				return same(f.next(1)[1], oracleRate(1, before(p.int(0), p.int(1))))
			}),
			holdsOn(retaining, ofKind(false, true, func(f recycler, m, k, sigma int) error {
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
			})),
		}
	},
}

var fpEq9 = claim{
	ID: "dozier-fp.eq9", Ref: "Section IV-C1, (9)",
	Statement: "tau_k(i,0) = 0, retaining",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		law := func(f recycler, m, k, sigma int) error {
			for i := 0; i <= sigma; i++ {
				if err := same(f.next(i)[0], whole(0)); err != nil {
					return err
				}
			}
			return nil
		}
		return []part{
			holdsOn(kindOf(bitFilters, false, true), ofKind(false, true, law)),
			holdsOn(kindOf(bitFilters, true, true), ofKind(true, true, law)),
		}
	},
}

var fpEq10 = claim{
	ID: "dozier-fp.eq10", Ref: "Section IV-C1, (10)",
	Statement:      "tau_k(i,j) = tau_cn(i,0) tau_cn(0,j) for j <= k < i, colliding, retaining",
	Verdict:        Refuted,
	Counterexample: "i = 3, j = 1: the filter has 1/16, the product is 7/64",
	Repair:         "[j >= i] tau(i,j) + P(D=j) sum_{t: i+j-t > sigma} C(i,t) C(M-i,j-t)/C(M,j), D the number of distinct positions, for every i, also for i <= k",
	Argument: [2]string{
		"At 3 of 4 bits a message recycles if it has the fourth position: 7/16; with one distinct position that is 1/16.",
		"The product gives it a second message's law: 7/16 * 1/4. The retained message is the same one, which has more positions than most.",
	},
	How: "by enumeration",
	parts: func() []part {
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
		return []part{
			fails(point{4, 2, 3}, kindOf(bitFilters, false, true), ofKind(false, true, printed)),
			comesOut("1/16 and 7/64 there", func() error {
				f := bitBounded(4, 2, 3, false, true)
				return first(same(f.next(3)[1], rat(1, 16)), same(mul(f.overflow(3), f.forwardMass(0, 1)), rat(7, 64)))
			}),
			holdsOn(kindOf(domain{number("M", 2).by(6, 10), exactly("k", 1), number("sigma", 1).below("M").by(5, 9)}, false, true), ofKind(false, true, printed)).on("as printed, k = 1"),
			holdsOn(kindOf(bitFilters, false, true), ofKind(false, true, func(f recycler, m, k, sigma int) error {
				for i := 0; i <= sigma; i++ {
					if err := kernelOf(f, i, 0, sigma, func(j int) *big.Rat { return f.reinserted(i, j) }); err != nil {
						return err
					}
				}
				return nil
			})),
		}
	},
}

var fpEq11 = claim{
	ID: "dozier-fp.eq11", Ref: "Section IV-C1, (11)",
	Statement: "tau_k(i,j) = tau_{k-1}(i,j) (j-(k-1))/(M-(k-1)) + tau_{k-1}(i,j-1) (M-j+1)/(M-(k-1)) for j >= i, non-colliding",
	Verdict:   Confirmed,
	How:       "one message without recycling, by enumeration of the k-subsets",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("M", 1).by(5, 9).upTo(14), number("k", 1).under("M").by(3, 5).upTo(10), through("0 <= i <= j <= M")}, checkForward(true)),
		}
	},
}

var fpEq12 = claim{
	ID: "dozier-fp.eq12", Ref: "Section IV-C1, (12)",
	Statement:      "tau_k(i,0) = tau_{k-1}(i,0) + tau_{k-1}(i,sigma) (M-sigma)/(M-(k-1)), non-colliding, non-retaining",
	Verdict:        Misprint,
	Counterexample: "the printed tau_1(0,0) is 2",
	Repair:         "for 1 <= i <= sigma; at i = 0 the recursion starts from 0 (with sigma >= k it gives 0, as (13))",
	Argument: [2]string{
		"From i >= 1 bits, tau_0(i,0) = 0 and each step adds the messages that pass sigma at their h-th position.",
		"At i = 0 the base (6) gives tau_0(0,0) = 1 for a message without positions, which (12) then never takes away.",
	},
	How:   "by enumeration, every i",
	parts: func() []part { return returningParts(true) },
}

var fpEq13 = claim{
	ID: "dozier-fp.eq13", Ref: "Section IV-C1, (13)",
	Statement:      "tau_k(0,k) = 1, non-colliding, non-retaining",
	Verdict:        Conditional,
	Counterexample: "the first message recycles the filter, tau_1(0,1) = 0",
	How:            "by enumeration: 1 for sigma >= k, 0 below",
	parts: func() []part {
		at := func(want int) func(p point) error {
			return ofKind(true, false, func(f recycler, m, k, sigma int) error { return same(f.next(0)[k], whole(want)) })
		}
		apart := kindOf(bitFilters, true, false)
		return []part{
			fails(point{1, 1, 0}, apart, at(1)),
			holdsOn(with(apart, where("sigma >= k", "sigma k", func(x point) bool { return x[0] >= x[1] })), at(1)),
			holdsOn(with(apart, where("sigma < k", "sigma k", func(x point) bool { return x[0] < x[1] })), at(0)).on("0 below"),
		}
	},
}

var fpEq14 = claim{
	ID: "dozier-fp.eq14", Ref: "Section IV-C1, (14)",
	Statement:      "tau_k(i,k) = tau_nn(i,0) for i > k, non-colliding, retaining; with (11) for j >= i that is the whole law",
	Verdict:        Conditional,
	Counterexample: "from i = k = 1 the filter recycles to 1 with probability 1/2, tau(1,1) is 1 and not 1/2",
	How:            "by enumeration",
	parts: func() []part {
		// law examines the distribution as printed, with Dozier-FP (14) for i > from(k).
		law := func(from func(k int) int) func(p point) error {
			return ofKind(true, true, func(f recycler, m, k, sigma int) error {
				tau := forward(m, k, true)
				for i := k; i <= sigma; i++ { // the filter reaches no state below k
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
		printed := law(func(k int) int { return k })
		retaining := kindOf(bitFilters, true, true)
		return []part{
			fails(point{2, 1, 1}, retaining, printed),
			holdsOn(with(retaining, where("sigma >= 2k", "sigma k", func(x point) bool { return x[0] >= 2*x[1] })), printed),
			holdsOn(retaining, law(func(int) int { return 0 })).on("with the recycled mass added to tau(i,k) for i <= k as well"),
		}
	},
}

// checkForward turns the comparison of Dozier-FP (4) or (11) with the enumeration into a law on points (m, k).
func checkForward(distinct bool) func(p point) error {
	return func(p point) error {
		m, k := p.int(0), p.int(1)
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

// returningParts returns the parts of the claims Dozier-FP (5) or (12).
func returningParts(distinct bool) []part {
	law := func(lowest int) func(p point) error {
		return ofKind(distinct, false, func(f recycler, m, k, sigma int) error {
			for i := lowest; i <= sigma; i++ {
				if err := same(returning(m, k, sigma, distinct, i), f.next(i)[0]); err != nil {
					return fmt.Errorf("i=%d: %w", i, err)
				}
			}
			return nil
		})
	}
	filters := kindOf(bitFilters, distinct, false)
	return []part{
		fails(point{1, 1, 0}, filters, law(0)),
		comesOut("2 there", func() error { return same(returning(1, 1, 0, distinct, 0), whole(2)) }),
		holdsOn(with(filters, where("sigma >= 1", "sigma", func(x point) bool { return x[0] >= 1 }), through("1 <= i <= sigma")), law(1)),
	}
}
