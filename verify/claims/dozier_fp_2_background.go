package claims

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
)

// repeatBox are the filters that are followed through messages that arrive again.
func repeatBox(r *run) box {
	return box{{"m", 1, r.upto(3, 4)}, {"k", 1, r.upto(2, 3)}, {"sigma", 0, 3}, {"times", 2, r.upto(3, 4)}}
}

// repeated examines a law on one-phase filters at (m, k, sigma, times): each message
// arrives so many times in a row.
func repeated(distinct, retain bool, positions bloomproof.Positions, law func(f recycler, a longRun[arrays]) error) func(p []int) error {
	return func(p []int) error {
		f := bitBounded(p[0], p[1], p[2], distinct, retain)
		f.Positions = positions
		a, err := f.repeating(p[3])
		if err != nil {
			return err
		}
		return law(f, a)
	}
}

// The three rates of Section II-E.
func countFirst(a longRun[arrays]) *big.Rat {
	return quo(a.gains[falsePositives], a.gains[allArrivals])
}
func countEach(a longRun[arrays]) *big.Rat {
	return quo(a.gains[positiveArrivals], a.gains[allArrivals])
}
func countInstance(a longRun[arrays]) *big.Rat { return a.rate() }

func dozierFP2Background() []Claim {
	return []Claim{
		{
			ID: "dozier-fp.table1.n", Paper: DozierFP, Ref: "Table I",
			Statement:      "N is the recycle point in new message arrivals",
			Domain:         "for f_w and f_o; in f_a and in Section II-D it counts bit-setting messages, which is another filter for k >= 1 and N >= 2",
			Verdict:        Conditional,
			Counterexample: "M = 2, k = 1, N = 2: recycling at the second arrival has the rate 1/4, at the second bit-setting one 1/3",
			Checked:        "the two rates by enumeration, the second is the larger for N >= 2: M <= 8, k <= 4, N <= 6 where no filter fills",
			check: func(r *run) error {
				return first(
					r.once(func() error {
						a, err1 := messageBounded(2, 1, 2, false, false).oracle(2)
						b, err2 := messageBounded(2, 1, 2, false, false).average()
						if err := first(err1, err2); err != nil {
							return err
						}
						return first(same(a.rate(), rat(1, 4)), same(b.rate(), rat(1, 3)))
					}),
					r.all(messageBox(r), counting(false, false, func(f recycler, m, k, n int) error {
						if n < 2 || (n-1)*k >= m {
							return errOutside
						}
						a, err1 := f.oracle(n)
						b, err2 := f.average()
						if err := first(err1, err2); err != nil {
							return err
						}
						return below(a.rate(), b.rate())
					})))
			},
		},
		{
			ID: "dozier-fp.2a.negatives", Paper: DozierFP, Ref: "Sections I and II-A",
			Statement:      "the filter never classifies a repeat message as new",
			Domain:         "repeats of messages that are recorded in an array",
			Verdict:        Conditional,
			Counterexample: "M = 1, k = 1, sigma = 0, one phase, non-retaining: the message is forgotten as it arrives, and its repeat is called new",
			Checked:        "by enumeration: at every state the positions of a message that is recorded are set; one and two phases, both ways to freeze, with and without copy-over: M <= 4, k <= 3, messages that arrive 2 to 4 times in a row",
			check: func(r *run) error {
				recorded := func(p []int) error {
					for kind := range 20 {
						f := bitBounded(p[0], p[1], p[2], kind&1 == 1, kind&2 == 2)
						if kind >= 4 {
							f = twoPhased(f, bloomproof.Freeze(kind>>2&1), bloomproof.Fixed)
							f.NoCopyOver = kind >= 12
						}
						a, err := f.repeating(p[3])
						if err != nil {
							continue // no filter, or one that may fill and then calls everything a repeat
						}
						for s := range a.share {
							t := decode(s.settled)
							if t.recordedActive && s.current&^s.active != 0 || t.recordedFrozen && s.current&^s.frozen != 0 {
								return fmt.Errorf("%v: recorded and not set: %+v", f.Recycling, s)
							}
						}
					}
					return nil
				}
				return first(
					r.once(func() error {
						a, err := bitBounded(1, 1, 0, false, false).repeating(2)
						if err != nil {
							return err
						}
						return same(a.gains[arrivals], whole(1)) // every arrival is new in its cycle, also the second one
					}),
					r.all(repeatBox(r), recorded))
			},
		},
		{
			ID: "dozier-fp.2a.colliding", Paper: DozierFP, Ref: "Section II-A1",
			Statement:      "for M > 1000 colliding or not has an unnoticeable impact on the false-positive rate",
			Domain:         "the rates of all sigma differ by less than 0.003 for k <= 32; half full by a share below 0.6 k^2/M, which at M = 1001 is less than 1 % for k <= 4 only",
			Verdict:        Conditional,
			Counterexample: "M = 1001, k = 20, sigma = 500: the colliding rate is 24 % above the non-colliding one; at k = 7 it is 2.7 %",
			Checked:        "float64 sums of positive terms, every sigma < M: M = 1001, 2002, 4004, k = 1, ..., 32; both rates tend to the same limit as M grows",
			check: func(r *run) error {
				return first(
					r.all(box{{"thousands", 0, r.upto(0, 2)}, {"k", 1, r.upto(12, 32)}}, func(p []int) error {
						m, k := 1001<<p[0], p[1]
						a, b := newFloatChain(m, k, false), newFloatChain(m, k, true)
						for sigma := range m {
							if d := a.rate[sigma] - b.rate[sigma]; d < -1e-12 || d > 0.003 {
								return fmt.Errorf("sigma=%d: the rates are %g apart", sigma, d)
							}
						}
						share := 1 - b.rate[m/2]/a.rate[m/2]
						return holds(share < 0.6*float64(k*k)/float64(m) && (m > 1001 || share < 0.01 == (k <= 4)), "half full, a share of %g apart", share)
					}),
					r.all(box{{"k", 7, 20}}, func(p []int) error {
						want := map[int]float64{7: 2.7, 20: 23.6}[p[0]]
						if want == 0 {
							return errOutside
						}
						a, b := newFloatChain(1001, p[0], false), newFloatChain(1001, p[0], true)
						more := 100 * (a.rate[500]/b.rate[500] - 1)
						return holds(math.Abs(more-want) < 0.05, "%g %% more", more)
					}))
			},
		},
		{
			ID: "dozier-fp.eq1", Paper: DozierFP, Ref: "Section II-B, (1), and Section I",
			Statement:      "after n messages the colliding false-positive likelihood of the next one is f_w = [1 - (1-1/M)^(kn)]^k",
			Domain:         "k = 1, n = 0 or M = 1",
			Verdict:        Refuted,
			Counterexample: "M = 2, n = 1, k = 2: the rate is 5/8, f_w is 9/16",
			Repair:         "f_w < f_S(M,n,k) = E[(X/M)^k] for M >= 2, n >= 1, k >= 2, X the number of set bits",
			Argument: [2]string{
				"Two positions of one message hit one bit with probability 1/2, both with 1/2: (1/2)(1/4) + (1/2) 1 = 5/8.",
				"(1) is (E[X]/M)^k, and x^k is convex (Jensen). Fan (2) is the same formula.",
			},
			Checked: "exact rates, ball by ball: M <= 20, n <= 8, k <= 10",
			check: func(r *run) error {
				law := func(p []int) error { return same(bloomRate(p[0], p[1], p[2]), standardRate(p[0], p[1], p[2])) }
				return first(r.smallest([]int{2, 1, 2}, filterBox(r), law), checkBloomBelow(r))
			},
		},
		{
			ID: "dozier-fp.6.lower", Paper: DozierFP, Ref: "Section VI",
			Statement: "(1) is slightly inaccurate, and a lower bound of the true worst-case rate",
			Domain:    "colliding, all M, n, k; not for non-colliding positions (M = 4, n = 1, k = 2: f_C = 1/6 below (7/16)^2)",
			Verdict:   Confirmed,
			Checked:   "exact rates, ball by ball, equal for n = 0, M = 1 and k = 1 only: M <= 20, n <= 8, k <= 10",
			check: func(r *run) error {
				return first(r.once(func() error { return below(rateC(4, 1, 2), bloomRate(4, 1, 2)) }), checkBloomBelow(r))
			},
		},
		{
			ID: "dozier-fp.2b.optimum", Paper: DozierFP, Ref: "Section II-B, after (1)",
			Statement: "for given M and n, k ~ (M/n) ln 2 minimises (1)",
			Domain:    "M >= 2, n >= 1: the best whole k is one of the two neighbours of ln 2/(-n ln(1-1/M)), at least 1; (M/n) ln 2 is above that real number by less than ln 2/n",
			Verdict:   Confirmed,
			Checked:   "(1) in rationals for k = 1 to twice (M/n) ln 2 + 3: M <= 64, n <= M",
			check: func(r *run) error {
				most := r.upto(24, 64)
				return r.all(box{{"m", 2, most}, {"n", 1, most}}, func(p []int) error {
					m, n := p[0], p[1]
					if n > m {
						return errOutside
					}
					k, _ := best(enoughK(m, n), func(k int) *big.Rat { return bloomRate(m, n, k) })
					at := -math.Ln2 / float64(n) / math.Log1p(-1/float64(m))
					text := float64(m) / float64(n) * math.Ln2
					for _, k := range k {
						if k != 1 && math.Abs(float64(k)-at) > 1 || text <= at || text > at+math.Ln2/float64(n) {
							return fmt.Errorf("best k = %d, real %g, textbook %g", k, at, text)
						}
					}
					return nil
				})
			},
		},
		{
			ID: "dozier-fp.2b.limit", Paper: DozierFP, Ref: "Section II-B, after (1)",
			Statement: "from (1), the rate approaches 1 as n increases",
			Domain:    "all M, k",
			Verdict:   Confirmed,
			Checked:   "1 - k (1-1/M)^(kn) <= f_w < f_w at n+1 < 1 (M >= 2): M <= 24, k <= 6, n <= 40; the left side tends to 1, and so does the true rate, which is above",
			check: func(r *run) error {
				return r.all(box{{"m", 2, r.upto(12, 24)}, {"k", 1, r.upto(4, 6)}, {"n", 0, r.upto(20, 40)}}, func(p []int) error {
					m, k, n := p[0], p[1], p[2]
					f, next := bloomRate(m, n, k), bloomRate(m, n+1, k)
					low := sub(whole(1), mul(whole(k), pow(rat(m-1, m), k*n)))
					return first(atMost(low, f), below(f, next), below(next, whole(1)))
				})
			},
		},
		{
			ID: "dozier-fp.2b.average", Paper: DozierFP, Ref: "Section II-B and Section I",
			Statement: "with the worst-case bound the average over the messages inserted is lower than the rate that is allowed",
			Domain:    "N >= 1, all M, k: the mean of the exact rates of the 1st to the N-th message is below f_S(M,N,k), and that of (1) below f_w",
			Verdict:   Confirmed,
			Checked:   "exact rates: M <= 20, N <= 8, k <= 10",
			check: func(r *run) error {
				box := filterBox(r)
				box[1].Lo = 1
				return r.all(box, func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					return first(
						below(oracleRate(n, func(i int) *big.Rat { return rateS(m, i-1, k) }), rateS(m, n, k)),
						below(oracleRate(n, before(m, k)), bloomRate(m, n, k)))
				})
			},
		},
		{
			ID: "dozier-fp.2d.repeats", Paper: DozierFP, Ref: "Section II-D, footnote 2",
			Statement:      "repeat messages never set bits, so the false-positive rate does not increase through their repeated arrival",
			Domain:         "one phase, repeats within a cycle",
			Verdict:        Conditional,
			Counterexample: "two phases without copy-over, freeze before, M = 3, k = 1, sigma = 1, each message twice in a row: the rate of new messages rises from 5/9 to 3/5",
			Checked:        "by enumeration: one phase, an arrival that is recorded leaves the array as it is; two phases with copy-over, freeze after: a repeat that only the frozen array knows sets bits, and the rate falls from 11/15 to 2/3 at the same M, k, sigma",
			check: func(r *run) error {
				once := func(freeze bloomproof.Freeze, without bool, all, twice *big.Rat) error {
					f := twoPhased(bitBounded(3, 1, 1, false, false), freeze, bloomproof.Fixed)
					f.NoCopyOver = without
					a, err1 := f.average()
					b, err2 := f.repeating(2)
					if err := first(err1, err2); err != nil {
						return err
					}
					return first(same(a.rate(), all), same(b.rate(), twice))
				}
				return first(
					r.once(func() error { return once(bloomproof.FreezeBefore, true, rat(5, 9), rat(3, 5)) }),
					r.once(func() error { return once(bloomproof.FreezeAfter, false, rat(11, 15), rat(2, 3)) }),
					r.all(repeatBox(r), func(p []int) error {
						for kind := range 4 {
							f := bitBounded(p[0], p[1], p[2], kind&1 == 1, kind&2 == 2)
							a, err := f.repeating(p[3])
							if err != nil {
								continue
							}
							for s := range a.share {
								if !decode(s.settled).recordedActive {
									continue
								}
								for _, c := range a.step(s) {
									if ones(c.to.active) != ones(s.active) {
										return fmt.Errorf("a repeat sets bits: %+v", s)
									}
								}
							}
						}
						return nil
					}))
			},
		},
		{
			ID: "dozier-fp.2e.first", Paper: DozierFP, Ref: "Section II-E, with footnote 3",
			Statement: "count-first is at most count-each, and at most count-instance",
			Domain:    "every cycle: F_i <= F_i eta_i, and sum eta_i >= sum 1",
			Verdict:   Confirmed,
			Checked:   "the long run by enumeration, each message 2 to 4 times in a row, all four filters, positions fixed or fresh: M <= 4, k <= 3",
			check: func(r *run) error {
				law := func(f recycler, a longRun[arrays]) error {
					return first(atMost(countFirst(a), countEach(a)), atMost(countFirst(a), countInstance(a)))
				}
				for kind := range 8 {
					if err := r.all(repeatBox(r), repeated(kind&1 == 1, kind&2 == 2, bloomproof.Positions(kind>>2), law)); err != nil {
						return err
					}
				}
				return nil
			},
		},
		{
			ID: "dozier-fp.2e.each", Paper: DozierFP, Ref: "Section II-E",
			Statement:      "count-instance is the largest of the three rates (the proof is left to an extended version)",
			Domain:         "holds against count-first; against count-each where later messages of a cycle come again less often than early ones",
			Verdict:        Refuted,
			Counterexample: "M = 2, k = 1, sigma = 1, non-retaining, each message twice in a row: count-each is 1/2, count-instance 1/3",
			Repair:         "count-first <= count-instance and count-first <= count-each; count-each can be on either side of count-instance",
			Argument: [2]string{
				"A cycle: the second arrival of the last cycle's last message (new, since forgotten), on average one false positive that arrives twice, and the message that recycles, once.",
				"Of 3 new arrivals 1 is a false positive: 1/3; of all 1 + 2 + 1 arrivals 2 belong to it: 1/2.",
			},
			Checked: "by enumeration: the smallest; on the other side, when an arrival is with probability 1/2 the cycle's first message again, count-each is below: M <= 4, k <= 3",
			check: func(r *run) error {
				law := repeated(false, false, bloomproof.Fixed, func(_ recycler, a longRun[arrays]) error { return atMost(countEach(a), countInstance(a)) })
				return first(
					r.once(func() error {
						a, err := bitBounded(2, 1, 1, false, false).repeating(2)
						if err != nil {
							return err
						}
						return first(same(countEach(a), rat(1, 2)), same(countInstance(a), rat(1, 3)))
					}),
					r.smallest([]int{2, 1, 1, 2}, repeatBox(r), law),
					r.all(repeatBox(r)[:3], ofKind(false, false, firstAgain)))
			},
		},
		{
			ID: "dozier-fp.2e.law", Paper: DozierFP, Ref: "Section II-E",
			Statement:      "count-instance is not affected by how often messages repeat",
			Domain:         "one phase; positions drawn again for a message that returns after a recycle, or, when it returns at once, non-colliding or k = 1",
			Verdict:        Conditional,
			Counterexample: "M = 2, k = 2, sigma = 1, colliding, non-retaining, positions fixed, each message twice in a row: 1/13, all new it is 1/10",
			Checked:        "by enumeration, 2 to 4 times in a row, retaining or not: fresh positions, both hashings; fixed positions, non-colliding: M <= 4, k <= 3; two phases: dozier-fp.2d.repeats",
			check: func(r *run) error {
				law := func(f recycler, a longRun[arrays]) error {
					b, err := f.average()
					if err != nil {
						return err
					}
					return same(a.rate(), b.rate())
				}
				return first(
					r.once(func() error {
						a, err := bitBounded(2, 2, 1, false, false).repeating(2)
						if err != nil {
							return err
						}
						return same(a.rate(), rat(1, 13))
					}),
					r.smallest([]int{2, 2, 1, 2}, repeatBox(r), repeated(false, false, bloomproof.Fixed, law)),
					r.all(repeatBox(r), repeated(false, false, bloomproof.Fresh, law)), r.all(repeatBox(r), repeated(true, false, bloomproof.Fresh, law)),
					r.all(repeatBox(r), repeated(true, false, bloomproof.Fixed, law)), r.all(repeatBox(r), repeated(true, true, bloomproof.Fixed, law)),
					r.all(repeatBox(r), repeated(false, true, bloomproof.Fixed, law)))
			},
		},
		{
			ID: "dozier-fp.2e.subtle", Paper: DozierFP, Ref: "Section II-E, footnote 4",
			Statement:      "count-instance is itself an upper bound in a recycling filter, for a subtle reason (in the extended version)",
			Domain:         "false positives of messages that never arrived before, over all arrivals that are new in their cycle: a message from an earlier cycle that matches is rightly called a repeat",
			Verdict:        Conditional,
			Counterexample: "over messages that never arrived before: M = 2, k = 1, sigma = 1, each twice in a row: 1/2 of them are false positives, count-instance is 1/3",
			Checked:        "by enumeration, where the false positives are all of messages that never arrived before; each message 2 to 4 times in a row, colliding, non-retaining: M <= 4, k <= 3",
			check: func(r *run) error {
				never := func(times int, a longRun[arrays]) *big.Rat {
					return quo(a.gains[falsePositives], quo(a.gains[allArrivals], whole(times)))
				}
				law := func(p []int) error {
					return repeated(false, false, bloomproof.Fixed, func(_ recycler, a longRun[arrays]) error {
						return atMost(never(p[3], a), countInstance(a))
					})(p)
				}
				return first(
					r.once(func() error {
						a, err := bitBounded(2, 1, 1, false, false).repeating(2)
						if err != nil {
							return err
						}
						return same(never(2, a), rat(1, 2))
					}),
					r.smallest([]int{2, 1, 1, 2}, repeatBox(r), law),
					// A second arrival that is new meets an empty array: no false positive is left out.
					r.all(repeatBox(r), repeated(false, false, bloomproof.Fixed, func(f recycler, a longRun[arrays]) error {
						for s := range a.share {
							if decode(s.settled).left == 0 || decode(s.settled).recordedActive {
								continue
							}
							for _, c := range a.step(s) {
								if c.gains[falsePositives] > 0 {
									return fmt.Errorf("a returning message matches: %+v", s)
								}
							}
						}
						return nil
					})))
			},
		},
	}
}

// checkBloomBelow is the law that (1) is below the exact rate, and where it is equal.
func checkBloomBelow(r *run) error {
	return r.all(filterBox(r), func(p []int) error {
		m, n, k := p[0], p[1], p[2]
		f, bloom := standardRate(m, n, k), bloomRate(m, n, k)
		if m == 1 || n == 0 || k == 1 {
			return same(bloom, f)
		}
		return below(bloom, f)
	})
}

// firstAgain is the law that count-each is at most count-instance, and below it where
// there are false positives, when each arrival is with probability 1/2 the first message
// of its cycle again, which is never one.
func firstAgain(f recycler, _, _, _ int) error {
	a, err := inTheLongRun(arrays{}, func(s arrays) []chance[arrays] {
		again := chance[arrays]{to: s, p: rat(1, 2)}
		again.gains[allArrivals] = 1
		out := f.step(s)
		if s.active == 0 { // nothing to come again
			for i := range out {
				out[i].gains[allArrivals] = 1
			}
			return out
		}
		for i := range out {
			out[i].p = quo(out[i].p, whole(2))
			out[i].gains[allArrivals] = 1
		}
		return append(out, again)
	})
	if err != nil {
		return err
	}
	each := quo(a.gains[falsePositives], a.gains[allArrivals])
	if a.gains[falsePositives].Sign() == 0 {
		return same(each, a.rate())
	}
	return below(each, a.rate())
}
