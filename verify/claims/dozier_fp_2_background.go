package claims

import (
	"fmt"
	"math"
	"math/big"
)

// repeated turns a law on one-phase filters into a law on points (m, k, sigma, times). times says how often each
// message arrives in a row.
func repeated(distinct, retain, fresh bool, law func(f recycler, a longRun[arrays]) error) func(p point) error {
	return func(p point) error {
		f := bitBounded(p.int(0), p.int(1), p.int(2), distinct, retain)
		f.FreshPositions = fresh
		a, err := f.repeating(p.int(3))
		if err != nil {
			return err
		}
		return law(f, a)
	}
}

// countFirst, countEach and countInstance are the three rates of Dozier-FP, section II-E.
func countFirst(a longRun[arrays]) *big.Rat {
	return quo(a.gains[falsePositives], a.gains[allArrivals])
}
func countEach(a longRun[arrays]) *big.Rat {
	return quo(a.gains[positiveArrivals], a.gains[allArrivals])
}
func countInstance(a longRun[arrays]) *big.Rat { return a.rate() }

var dozierFP2 = []claim{
	fpTable1N, fp2aNegatives, fp2aColliding, fpEq1, fp6Lower, fp2bOptimum, fp2bLimit, fp2bAverage,
	fp2dRepeats, fp2eFirst, fp2eEach, fp2eLaw, fp2eSubtle,
}

var fpTable1N = claim{
	ID: "dozier-fp.table1.n", Ref: "Table I",
	Statement:      "N is the recycle point in new message arrivals",
	Verdict:        Conditional,
	Counterexample: "recycling at the second arrival has the rate 1/4, at the second bit-setting one 1/3",
	How:            "the two rates by enumeration; f_w and f_o count messages, f_a and Section II-D bit-setting ones",
	parts: func() []part {
		both := func(p point) (all, setting *big.Rat, err error) {
			f := messageBounded(p.int(0), p.int(1), p.int(2), false, false)
			a, err1 := f.oracle(p.int(2))
			b, err2 := f.average()
			if err := first(err1, err2); err != nil {
				return nil, nil, err
			}
			return a.rate(), b.rate(), nil
		}
		colliding := kindOf(countedFilters, false, false)
		return []part{
			breaks(point{2, 1, 2}, with(colliding, through("N for f_a and in Section II-D")), func(p point) error {
				all, setting, err := both(p)
				return first(err, same(setting, all))
			}),
			holdsOn(with(colliding, through("N for f_w and f_o")), func(p point) error {
				all, _, err := both(p)
				return first(err, same(oracleRate(p.int(2), trulyBefore(p.int(0), p.int(1), false)), all))
			}),
			holdsOn(with(colliding, drains, where("N >= 2", "N", func(x point) bool { return x[0] >= 2 })), func(p point) error {
				all, setting, err := both(p)
				return first(err, below(all, setting))
			}).on("the rate counting bit-setting messages is the larger"),
			comesOut("1/4 and 1/3 at M = 2, k = 1, N = 2", func() error {
				all, setting, err := both(point{2, 1, 2})
				return first(err, same(all, rat(1, 4)), same(setting, rat(1, 3)))
			}),
		}
	},
}

var fp2aNegatives = claim{
	ID: "dozier-fp.2a.negatives", Ref: "Sections I and II-A",
	Statement:      "the filter never classifies a repeat message as new",
	Verdict:        Conditional,
	Counterexample: "the message is forgotten as it arrives, and its repeat is called new",
	How:            "at every state the positions of a message that is recorded are set; one and two phases, both ways to freeze, with and without copy-over",
	parts: func() []part {
		return []part{
			breaks(point{1, 1, 0, 2}, with(repeatedFilters, through("one phase, not retaining")), func(p point) error {
				a, err := bitBounded(p.int(0), p.int(1), p.int(2), false, false).repeating(p.int(3))
				if err != nil {
					return err
				}
				return below(a.gains[arrivals], whole(1)) // some arrivals are not new in their cycle
			}),
			holdsOn(with(repeatedFilters, through("repeats of messages that are recorded in an array")), recordedAreSet),
		}
	},
}

var fp2aColliding = claim{
	ID: "dozier-fp.2a.colliding", Ref: "Section II-A1",
	Statement:      "for M > 1000 colliding or not has an unnoticeable impact on the false-positive rate",
	Verdict:        Conditional,
	Counterexample: "the colliding rate is 24 % above the non-colliding one, which is 19 % below it; at k = 7 by 2.7 %",
	How:            "unnoticeable read as rates that differ by at most 0.003; half full by a share below 0.6 k^2/M, which at M = 1001 is less than 1 % for k <= 4 only; float64 sums of positive terms; both rates tend to the same limit as M grows",
	parts: func() []part {
		both := func(p point) (a, b floatChain) {
			return newFloatChain(p.int(0), p.int(1), false), newFloatChain(p.int(0), p.int(1), true)
		}
		share := func(p point) float64 { // the difference of the rates when half full, as a share of the colliding rate
			a, b := both(p)
			return 1 - b.rate[p.int(0)/2]/a.rate[p.int(0)/2]
		}
		large := domain{number("M", 1001).among(1, 1001, 2002, 4004).upTo(3000), number("k", 1).to(32).by(12, 32)}
		return []part{
			breaks(point{1001, 20}, with(large, through("half full, sigma = M/2")), lawOf(func(p point) (float64, error) { return 0.01 - share(p), nil })),
			keeps(with(large, through("every sigma < M")), func(p point) (float64, error) {
				a, b := both(p)
				worst := math.Inf(1)
				for sigma := range p.int(0) {
					d := a.rate[sigma] - b.rate[sigma]
					worst = min(worst, d+1e-12, 0.003-d)
				}
				return worst, nil
			}).tried(2, 60),
			keeps(large, func(p point) (float64, error) {
				return 0.6*float64(p.int(1)*p.int(1))/float64(p.int(0)) - share(p), nil
			}).on("half full, a share below 0.6 k^2/M").tried(2, 100),
			comesOut("M = 1001, half full: less than 1 % for k <= 4 only; 24 % more at k = 20, 2.7 % more at k = 7", func() error {
				more := func(k int64) float64 { x := share(point{1001, k}); return 100 * x / (1 - x) }
				return first(
					holds(share(point{1001, 4}) < 0.01 && share(point{1001, 5}) > 0.01, "k = 4, 5: %g, %g", share(point{1001, 4}), share(point{1001, 5})),
					holds(math.Abs(more(7)-2.7) < 0.05, "%g %% more", more(7)), holds(math.Abs(more(20)-23.6) < 0.05, "%g %% more", more(20)))
			}),
		}
	},
}

var fpEq1 = claim{
	ID: "dozier-fp.eq1", Ref: "Section II-B, (1), and Section I",
	Statement:      "after n messages the colliding false-positive likelihood of the next one is f_w = [1 - (1-1/M)^(kn)]^k",
	Verdict:        Refuted,
	Counterexample: "the rate is 5/8, f_w is 9/16",
	Repair:         "f_w < f_S(M,n,k) = E[(X/M)^k] for M >= 2, n >= 1, k >= 2, X the number of set bits",
	Argument: [2]string{
		"Two positions of one message hit one bit with probability 1/2, both with 1/2: (1/2)(1/4) + (1/2) 1 = 5/8.",
		"(1) is (E[X]/M)^k, and x^k is convex (Jensen). Fan (2) is the same formula.",
	},
	How: "exact rates, ball by ball; equal for k = 1, n = 0 and M = 1 only",
	parts: func() []part {
		law := func(p point) error {
			return same(bloomRate(p.int(0), p.int(1), p.int(2)), standardRate(p.int(0), p.int(1), p.int(2)))
		}
		return []part{
			fails(point{2, 1, 2}, balledFilters, law),
			bloomBelow(),
		}
	},
}

var fp6Lower = claim{
	ID: "dozier-fp.6.lower", Ref: "Section VI",
	Statement: "(1) is slightly inaccurate, and a lower bound of the true worst-case rate",
	Verdict:   Confirmed,
	How:       "exact rates, ball by ball, equal for n = 0, M = 1 and k = 1 only",
	parts: func() []part {
		return []part{
			bloomBelow(),
			comesOut("not for non-colliding positions: f_C = 1/6 is below (7/16)^2 at M = 4, n = 1, k = 2", func() error { return below(rateC(4, 1, 2), bloomRate(4, 1, 2)) }),
		}
	},
}

var fp2bOptimum = claim{
	ID: "dozier-fp.2b.optimum", Ref: "Section II-B, after (1)",
	Statement: "for given M and n, k ~ (M/n) ln 2 minimises (1)",
	Verdict:   Confirmed,
	How:       "(1) in rationals: the best whole k is one of the two neighbours of ln 2/(-n ln(1-1/M)), at least 1; (M/n) ln 2 is above that real number by less than ln 2/n",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("M", 2).by(24, 64).upTo(400), number("n", 1).under("M").by(24, 64).upTo(400)}, func(p point) error {
				m, n := p.int(0), p.int(1)
				if m/n > 64 {
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
			}),
		}
	},
}

var fp2bLimit = claim{
	ID: "dozier-fp.2b.limit", Ref: "Section II-B, after (1)",
	Statement: "from (1), the rate approaches 1 as n increases",
	Verdict:   Confirmed,
	How:       "1 - k (1-1/M)^(kn) <= f_w < f_w at n+1 < 1; the left side tends to 1, and so does the true rate, which is above (M = 1 is full after one message)",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("M", 2).by(12, 24).upTo(100), number("k", 1).by(4, 6).upTo(12), number("n", 0).by(20, 40).upTo(100)}, func(p point) error {
				m, k, n := p.int(0), p.int(1), p.int(2)
				f, next := bloomRate(m, n, k), bloomRate(m, n+1, k)
				low := sub(whole(1), mul(whole(k), pow(rat(m-1, m), k*n)))
				return first(atMost(low, f), below(f, next), below(next, whole(1)))
			}).tried(4, 200),
		}
	},
}

var fp2bAverage = claim{
	ID: "dozier-fp.2b.average", Ref: "Section II-B and Section I",
	Statement: "with the worst-case bound the average over the messages inserted is lower than the rate that is allowed",
	Verdict:   Confirmed,
	How:       "exact rates: the mean of those of the 1st to the N-th message is below f_S(M,N,k), and that of (1) below f_w",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("M", 1).by(7, 20).upTo(60), number("N", 1).by(4, 8).upTo(24), number("k", 1).by(5, 10).upTo(12)}, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				return first(
					below(oracleRate(n, func(i int) *big.Rat { return rateS(m, i-1, k) }), rateS(m, n, k)),
					below(oracleRate(n, before(m, k)), bloomRate(m, n, k)))
			}),
		}
	},
}

var fp2dRepeats = claim{
	ID: "dozier-fp.2d.repeats", Ref: "Section II-D, footnote 2",
	Statement:      "repeat messages never set bits, so the false-positive rate does not increase through their repeated arrival",
	Verdict:        Conditional,
	Counterexample: "two phases without copy-over, freeze before: the rate of new messages rises from 5/9 to 3/5",
	How:            "by enumeration: one phase, an arrival that is recorded leaves the array as it is",
	parts: func() []part {
		rates := func(p point, freezeBefore, without bool) (all, twice *big.Rat, err error) {
			f := twoPhased(bitBounded(p.int(0), p.int(1), p.int(2), false, false), freezeBefore, false)
			f.NoCopyOver = without
			a, err1 := f.average()
			b, err2 := f.repeating(p.int(3))
			if err := first(err1, err2); err != nil {
				return nil, nil, err
			}
			return a.rate(), b.rate(), nil
		}
		return []part{
			breaks(point{3, 1, 1, 2}, with(repeatedFilters, through("two phases without copy-over, freeze before")), func(p point) error {
				all, twice, err := rates(p, true, true)
				return first(err, atMost(twice, all))
			}),
			comesOut("5/9 and 3/5 there; with copy-over, freeze after, a repeat that only the frozen array knows sets bits, and the rate falls from 11/15 to 2/3", func() error {
				p := point{3, 1, 1, 2}
				a, b, err1 := rates(p, true, true)
				c, d, err2 := rates(p, false, false)
				return first(err1, err2, same(a, rat(5, 9)), same(b, rat(3, 5)), same(c, rat(11, 15)), same(d, rat(2, 3)))
			}),
			holdsOn(with(repeatedFilters, through("one phase, repeats within a cycle")), repeatsSetNothing),
		}
	},
}

var fp2eFirst = claim{
	ID: "dozier-fp.2e.first", Ref: "Section II-E, with footnote 3",
	Statement: "count-first is at most count-each, and at most count-instance",
	Verdict:   Confirmed,
	How:       "every cycle has F_i <= F_i eta_i, and sum eta_i >= sum 1; the long run by enumeration",
	parts: func() []part {
		law := func(f recycler, a longRun[arrays]) error {
			return first(atMost(countFirst(a), countEach(a)), atMost(countFirst(a), countInstance(a)))
		}
		return []part{holdsOn(append(domain{hashings, retains, drawings}, repeatedFilters...), func(p point) error {
			return repeated(p[0] == 1, p[1] == 1, p.int(2) == 1, law)(p[3:])
		})}
	},
}

var fp2eEach = claim{
	ID: "dozier-fp.2e.each", Ref: "Section II-E",
	Statement:      "count-instance is the largest of the three rates (the proof is left to an extended version)",
	Verdict:        Refuted,
	Counterexample: "count-each is 1/2, count-instance 1/3",
	Repair:         "count-first <= count-instance and count-first <= count-each; count-each can be on either side of count-instance",
	Argument: [2]string{
		"A cycle: the second arrival of the last cycle's last message (new, since forgotten), on average one false positive that arrives twice, and the message that recycles, once.",
		"Of 3 new arrivals 1 is a false positive: 1/3; of all 1 + 2 + 1 arrivals 2 belong to it: 1/2.",
	},
	How: "by enumeration; on the other side, when an arrival is with probability 1/2 the cycle's first message again, count-each is below",
	parts: func() []part {
		law := repeated(false, false, false, func(_ recycler, a longRun[arrays]) error { return atMost(countEach(a), countInstance(a)) })
		return []part{
			fails(point{2, 1, 1, 2}, kindOf(repeatedFilters, false, false), law),
			comesOut("1/2 and 1/3 there", func() error {
				a, err := bitBounded(2, 1, 1, false, false).repeating(2)
				if err != nil {
					return err
				}
				return first(same(countEach(a), rat(1, 2)), same(countInstance(a), rat(1, 3)))
			}),
			holdsOn(kindOf(repeatedFilters[:3], false, false), ofKind(false, false, firstAgain)).on("the other side"),
		}
	},
}

var fp2eLaw = claim{
	ID: "dozier-fp.2e.law", Ref: "Section II-E",
	Statement:      "count-instance is not affected by how often messages repeat",
	Verdict:        Conditional,
	Counterexample: "1/13, all new it is 1/10",
	How:            "by enumeration, one phase; two phases: dozier-fp.2d.repeats",
	parts: func() []part {
		law := func(f recycler, a longRun[arrays]) error {
			b, err := f.average()
			if err != nil {
				return err
			}
			return same(a.rate(), b.rate())
		}
		kind := func(distinct, retain, fresh bool) part {
			return holdsOn(with(kindOf(repeatedFilters, distinct, retain), drawings.only(int64(count(fresh)))), repeated(distinct, retain, fresh, law))
		}
		return []part{
			fails(point{2, 2, 1, 2}, with(kindOf(repeatedFilters, false, false), drawings.only(0)), repeated(false, false, false, law)),
			comesOut("1/13 there", func() error {
				a, err := bitBounded(2, 2, 1, false, false).repeating(2)
				if err != nil {
					return err
				}
				return same(a.rate(), rat(1, 13))
			}),
			kind(false, false, true), kind(true, false, true),
			kind(true, false, false), kind(true, true, false), kind(false, true, false),
		}
	},
}

var fp2eSubtle = claim{
	ID: "dozier-fp.2e.subtle", Ref: "Section II-E, footnote 4",
	Statement:      "count-instance is itself an upper bound in a recycling filter, for a subtle reason (in the extended version)",
	Verdict:        Conditional,
	Counterexample: "over messages that never arrived before 1/2 are false positives, count-instance is 1/3",
	How:            "by enumeration, colliding, not retaining: a message from an earlier cycle that matches is rightly called a repeat; the false positives are all of messages that never arrived before",
	parts: func() []part {
		never := func(times int, a longRun[arrays]) *big.Rat {
			return quo(a.gains[falsePositives], quo(a.gains[allArrivals], whole(times)))
		}
		filters := kindOf(repeatedFilters, false, false)
		return []part{
			fails(point{2, 1, 1, 2}, with(filters, through("over messages that never arrived before")), func(p point) error {
				return repeated(false, false, false, func(_ recycler, a longRun[arrays]) error {
					return atMost(never(p.int(3), a), countInstance(a))
				})(p)
			}),
			comesOut("1/2 there", func() error {
				a, err := bitBounded(2, 1, 1, false, false).repeating(2)
				if err != nil {
					return err
				}
				return same(never(2, a), rat(1, 2))
			}),
			// A second arrival that is new in its cycle meets an empty array. So it is no false positive, and no false
			// positive is missed.
			holdsOn(with(filters, through("over all arrivals that are new in their cycle")), repeated(false, false, false, func(f recycler, a longRun[arrays]) error {
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
			})),
		}
	},
}

// bloomBelow is the law that Dozier-FP (1) is below the exact rate. If m = 1, n = 0 or k = 1, the two must be equal
// instead.
func bloomBelow() part {
	return holdsOn(balledFilters, func(p point) error {
		m, n, k := p.int(0), p.int(1), p.int(2)
		f, bloom := standardRate(m, n, k), bloomRate(m, n, k)
		if m == 1 || n == 0 || k == 1 {
			return same(bloom, f)
		}
		return below(bloom, f)
	})
}

// recordedAreSet is the law that all positions of a recorded message are set. It examines one-phase and two-phase
// filters.
func recordedAreSet(p point) error {
	for kind := range 20 {
		f := bitBounded(p.int(0), p.int(1), p.int(2), kind&1 == 1, kind&2 == 2)
		if kind >= 4 {
			f = twoPhased(f, kind>>2&1 != 0, false)
			f.NoCopyOver = kind >= 12
		}
		a, err := f.repeating(p.int(3))
		if err != nil {
			continue // there is no such filter, or it may fill up and then calls every arrival a repeat
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

// repeatsSetNothing is the law that an arrival of a recorded message does not change a one-phase filter.
func repeatsSetNothing(p point) error {
	for kind := range 4 {
		f := bitBounded(p.int(0), p.int(1), p.int(2), kind&1 == 1, kind&2 == 2)
		a, err := f.repeating(p.int(3))
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
}

// firstAgain is the law that the rate count-each is at most the rate count-instance, and less if there are false
// positives. In the traffic of this law, an arrival repeats the first message of its cycle with probability 1/2. Such a
// repeat is no false positive.
func firstAgain(f recycler, _, _, _ int) error {
	a, err := inTheLongRun(arrays{}, func(s arrays) []chance[arrays] {
		again := chance[arrays]{to: s, p: rat(1, 2)}
		again.gains[allArrivals] = 1
		out := f.step(s)
		if s.active == 0 { // no message has arrived that could repeat
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
