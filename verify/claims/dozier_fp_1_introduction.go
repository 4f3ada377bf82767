package claims

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
)

// Capacities here are, unless said otherwise, all new messages of a cycle, the one that
// recycles included, of the best k; the worst-case variant's N is the largest with
// f_w(N) <= F, of its own best k.

// gain returns how many times as many messages the best bit-bounded filter holds, on
// average, as the worst-case variant, at the same rate, and both filters.
func gain(all []floatChain, target float64) (ratio float64, best sized, worstK, worst int) {
	m := all[0].m
	best = largestOf(all, func(c floatChain) sized { return c.onePhase(target) })
	worstK, worst = bestN(m, target, worstN)
	return best.capacity / float64(worst), best, worstK, worst
}

// certified fails unless package exact has the rate of a non-retaining, colliding filter at
// most at target, and its capacity rounds to want.
func certified(m, k, sigma int, target *big.Rat, want string) error {
	c, err := exactrecycling.New(bloomproof.Geometry{M: uint64(m), K: k}, bloomproof.Recycling{Sigma: uint64(sigma)})
	if err != nil {
		return err
	}
	rate, err1 := c.FPR(64)
	capacity, err2 := c.Capacity(64)
	if err := first(err1, err2); err != nil {
		return err
	}
	top, _ := rate.Hi().Rat(nil)
	lo, _ := capacity.Lo().Rat(nil)
	hi, _ := capacity.Hi().Rat(nil)
	return first(atMost(top, target), roundsRat(lo, want), roundsRat(hi, want))
}

// tenths returns 10^-digits.
func tenths(digits int) float64 { return math.Pow(10, -float64(digits)) }

// overheads returns the capacities of one phase in m bits and of one of the two arrays of
// m/2 bits, freeze before, for F = 10^-1 to 10^-last.
func overheads(m, last int) (ratios []float64) {
	whole, half := chains(m, mostK), chains(m/2, mostK)
	for digits := 1; digits <= last; digits++ {
		one := largestOf(whole, func(c floatChain) sized { return c.onePhase(tenths(digits)) })
		two := largestOf(half, func(c floatChain) sized { return c.twoPhase(tenths(digits), false) })
		ratios = append(ratios, one.capacity/two.capacity)
	}
	return ratios
}

func dozierFP1Introduction() []Claim {
	return []Claim{
		{
			ID: "dozier-fp.1.reduction", Paper: DozierFP, Ref: "Abstract",
			Statement:      "the worst-case formulation leads to up to a 30 % reduction in efficiency",
			Domain:         "F below about 0.003",
			Verdict:        Refuted,
			Counterexample: "M = 1000, F = 0.01: (1) allows N = 104 (k = 7); sigma = 606, k = 6 has the average rate 0.009996 and holds 155.9 messages: 33 % fewer",
			Repair:         "the reduction grows with F: 20 % at 10^-7, 28 % at 10^-3, 33 % at 10^-2, 43 % at 10^-1, 56 % at 1/2 (M = 1000, best k for each)",
			Argument: [2]string{
				"(1 - 0.999^(7*105))^7 = 0.0103 > 0.01, and no other k allows more than 104 messages.",
				"(18) and (23) at M = 1000, k = 6, sigma = 606 give 0.009996 and 155.9; 104/155.9 = 0.667.",
			},
			Checked: "the counterexample with enclosures; all k <= 26 in float64 sums of positive terms, F = 1/2, 10^-1 to 10^-7, M = 1000, 2000: the reduction is within 0.02 of these",
			check: func(r *run) error {
				want := []float64{0.565, 0.432, 0.333, 0.282, 0.240, 0.227, 0.212, 0.202}
				return first(
					r.once(func() error { return certified(1000, 6, 606, rat(1, 100), "155.9") }),
					r.once(func() error {
						return first(atMost(bloomRate(1000, 104, 7), rat(1, 100)), below(rat(1, 100), bloomRate(1000, 105, 7)))
					}),
					r.all(box{{"thousands", 1, r.upto(1, 2)}}, func(p []int) error {
						all := chains(1000*p[0], mostK)
						for digits, w := range want {
							target := tenths(digits)
							if digits == 0 {
								target = 0.5
							}
							ratio, _, _, _ := gain(all, target)
							if math.Abs(1-1/ratio-w) > 0.02 {
								return fmt.Errorf("at F = %g: reduction %g", target, 1-1/ratio)
							}
						}
						return nil
					}))
			},
		},
		{
			ID: "dozier-fp.1.increase", Paper: DozierFP, Ref: "Section I",
			Statement:      "bounding the average rate can offer a 30 % or more increase in the messages stored",
			Domain:         "F >= 10^-4: at least 30 % (50 % at 0.01, 76 % at 0.1)",
			Verdict:        Conditional,
			Counterexample: "M = 1000, F = 10^-5: 53.1 (k = 15) for 41 (k = 14), 29 % more",
			Checked:        "best bit-bounded filter against (1), all k <= 26, F = 10^-1 to 10^-7, M = 1000, 2000; the counterexample with an enclosure",
			check: func(r *run) error {
				return first(
					r.once(func() error { return certified(1000, 15, 545, rat(1, 100000), "53.1") }),
					r.all(box{{"thousands", 1, r.upto(1, 2)}}, func(p []int) error {
						all := chains(1000*p[0], mostK)
						for digits := 1; digits <= 7; digits++ {
							ratio, best, k, n := gain(all, tenths(digits))
							if ratio >= 1.3 != (digits <= 4) {
								return fmt.Errorf("at F = 10^-%d: %g more", digits, ratio-1)
							}
							if p[0] == 1 && digits == 5 && (best.k != 15 || best.sigma != 545 || k != 14 || n != 41) {
								return fmt.Errorf("%+v, N = %d with k = %d", best, n, k)
							}
						}
						return nil
					}))
			},
		},
		{
			ID: "dozier-fp.1.average", Paper: DozierFP, Ref: "Section I, findings",
			Statement:      "the average-case variants store around 30 % more messages in expectation than the worst-case one",
			Domain:         "F from 10^-4 to 10^-6 (23 to 33 %); bit-setting messages N by f_a, or all messages of the bit-bounded filter",
			Verdict:        Conditional,
			Counterexample: "F = 0.01, as in Figure 6, M = 1000: N = 155 by f_a (k = 6) for 104, 49 % more; it is the worst-case variant that holds 33 % fewer",
			Checked:        "both ways to count, all k <= 26: M = 1000, 2000, F = 10^-1 to 10^-6",
			check: func(r *run) error {
				return r.all(box{{"thousands", 1, r.upto(1, 2)}, {"digits", 1, 6}}, func(p []int) error {
					m, target := 1000*p[0], tenths(p[1])
					ratio, _, _, worst := gain(chains(m, mostK), target)
					_, n := bestActual(m, target)
					counted := float64(n) / float64(worst)
					around := func(x float64) bool { return x > 1.23 && x < 1.33 }
					if around(ratio) != (p[1] >= 4) || around(counted) != (p[1] >= 4) {
						return fmt.Errorf("%g and %g", ratio, counted)
					}
					return holds(m != 1000 || p[1] != 2 || n == 155 && worst == 104, "N = %d, %d", n, worst)
				})
			},
		},
		{
			ID: "dozier-fp.1.best", Paper: DozierFP, Ref: "Section I, findings, and V (2)",
			Statement:      "the filter that recycles by set bits packs the largest expected number of messages at a given rate",
			Domain:         "among all rules that decide by what was seen, when sigma may be mixed between two neighbours at random; whole thresholds can lose by their steps",
			Verdict:        Conditional,
			Counterexample: "k = 2, M = 3, F = 1/4: N = 2 holds 103/40 messages at the rate 23/103; sigma = 1 holds 11/8 and sigma = 2 has a higher rate",
			Checked:        "every message-bounded filter is on or above the chain of lines through (E[N_0], false positives a cycle) of sigma = 0, 1, ...: M <= 8, k <= 4, N <= 6, both hashings",
			check: func(r *run) error {
				return first(
					r.smallest([]int{3, 2, 3}, sizeBox(r), bitsWin),
					r.all(messageBox(r), counting(false, false, aboveFrontier)),
					r.all(messageBox(r), counting(true, false, aboveFrontier)))
			},
		},
		{
			ID: "dozier-fp.1.slightly", Paper: DozierFP, Ref: "Section I, findings",
			Statement: "recycling by message counts to an average rate achieves only a slightly smaller expected number of messages",
			Domain:    "M >= 1000, F <= 0.3: at least 95 % of the bit-bounded filter's, all new messages counted in both, the true rate of both at most F, best k for each",
			Verdict:   Confirmed,
			Checked:   "the chain of bits and counts, float64 sums of positive terms: M = 1000, 2000, F = 0.3 and 10^-1 to 10^-5, k <= 20",
			check: func(r *run) error {
				return r.all(box{{"thousands", 1, r.upto(1, 2)}}, func(p []int) error {
					m := 1000 * p[0]
					all := chains(m, 20)
					counted := make([][]float64, 21)
					for k := 1; k <= 20; k++ {
						counted[k] = countedChain(m, k, 2*m/k)
					}
					for _, target := range []float64{0.3, 0.1, 0.01, 0.001, 1e-4, 1e-5} {
						most := 0.0
						for k := 1; k <= 20; k++ {
							for i, arrivals := range counted[k] {
								if 1-float64(i+1)/arrivals > target {
									break
								}
								most = max(most, arrivals)
							}
						}
						best := largestOf(all, func(c floatChain) sized { return c.onePhase(target) }).capacity
						if share := most / best; share < 0.95 || share > 1.0001 {
							return fmt.Errorf("at F = %g: a share of %g", target, share)
						}
					}
					return nil
				})
			},
		},
		{
			ID: "dozier-fp.1.overhead", Paper: DozierFP, Ref: "Abstract, Section I and V-C, Figure 8",
			Statement: "the two-phase overhead diminishes as the needed false-positive rate is tightened",
			Domain:    "M bits in all, best k for each, F <= 0.1: the capacity of one phase over that of one of the two arrays falls from 3.8 at 10^-1 to 2.3 at 10^-7 (half of that when the messages of both arrays count)",
			Verdict:   Confirmed,
			Checked:   "(26) with freeze before, all k <= 26, float64 sums of positive terms: M = 1000, 2000, F = 10^-1 to 10^-7, each ratio below the one before",
			check: func(r *run) error {
				return r.all(box{{"thousands", 1, r.upto(1, 2)}}, func(p []int) error {
					ratios := overheads(1000*p[0], 7)
					for i := 1; i < len(ratios); i++ {
						if ratios[i] >= ratios[i-1] {
							return fmt.Errorf("ratios %v", ratios)
						}
					}
					return holds(math.Abs(ratios[0]-3.8) < 0.05 && math.Abs(ratios[6]-2.33) < 0.05, "ratios %v", ratios)
				})
			},
		},
		{
			ID: "dozier-fp.1.closely", Paper: DozierFP, Ref: "Section I, findings",
			Statement:      "a two-phase filter closely matches the one-phase one as the false-positive rate to be met decreases",
			Domain:         "the messages of both arrays counted: within 25 % from F = 10^-5 on (M = 1000); it would take far smaller rates to come closer",
			Verdict:        Conditional,
			Counterexample: "one array's messages counted, as E[N_0] does: M = 1000, F = 10^-7: 36.3 against 15.8, a ratio of 2.3; it stays above 2 for every F, the array having half the bits",
			Checked:        "as dozier-fp.1.overhead: M = 1000, 2000, F = 10^-1 to 10^-7, every ratio above 2, half of it below 1.25 from 10^-5 on and above at 10^-4",
			check: func(r *run) error {
				return r.all(box{{"thousands", 1, r.upto(1, 2)}}, func(p []int) error {
					for i, x := range overheads(1000*p[0], 7) {
						if x <= 2 || x/2 < 1.25 != (i+1 >= 5) {
							return fmt.Errorf("at F = 10^-%d: ratio %g", i+1, x)
						}
					}
					return nil
				})
			},
		},
		{
			ID: "dozier-fp.1.observability", Paper: DozierFP, Ref: "Section I, Observability",
			Statement:      "with b bits set, the next new arrival is called a repeat with probability (b/M)^k",
			Domain:         "colliding",
			Verdict:        Conditional,
			Counterexample: "non-colliding, M = 2, k = 2, b = 1: one set bit never matches two distinct positions, (1/2)^2 = 1/4",
			Checked:        "by enumeration: M <= 10, k <= 5",
			check: func(r *run) error {
				box := box{{"m", 1, r.upto(6, 10)}, {"k", 1, r.upto(3, 5)}, {"b", 0, r.upto(6, 10)}}
				law := func(distinct bool) func(p []int) error {
					return func(p []int) error {
						f := bitBounded(p[0], p[1], 0, distinct, false)
						if !f.valid() || p[2] > p[0] {
							return errOutside
						}
						return same(pow(rat(p[2], p[0]), p[1]), f.match(p[2]))
					}
				}
				return first(r.smallest([]int{2, 2, 1}, box, law(true)), r.all(box, law(false)))
			},
		},
		{
			ID: "dozier-fp.1.grows", Paper: DozierFP, Ref: "Section I, Average rate",
			Statement:      "the false-positive rate of a new arrival grows with the number of set bits",
			Domain:         "colliding; non-colliding from b = k-1 on, it is 0 below",
			Verdict:        Conditional,
			Counterexample: "non-colliding, M = 2, k = 2: 0 at b = 0 and at b = 1",
			Checked:        "by enumeration: M <= 10, k <= 5, every b < M",
			check: func(r *run) error {
				box := box{{"m", 1, r.upto(6, 10)}, {"k", 1, r.upto(3, 5)}, {"b", 0, r.upto(5, 9)}}
				law := func(distinct, repaired bool) func(p []int) error {
					return func(p []int) error {
						f := bitBounded(p[0], p[1], 0, distinct, false)
						if !f.valid() || p[2] >= p[0] {
							return errOutside
						}
						if repaired && distinct && p[2] < p[1]-1 {
							return same(f.match(p[2]+1), whole(0))
						}
						return below(f.match(p[2]), f.match(p[2]+1))
					}
				}
				return first(r.smallest([]int{2, 2, 0}, box, law(true, false)), r.all(box, law(false, false)), r.all(box, law(true, true)))
			},
		},
	}
}

// bitsWin is the law that no message-bounded filter of a rate of at most F holds more
// messages than the best bit-bounded one, colliding, non-retaining, k given.
func bitsWin(p []int) error {
	m, k, target := p[0], p[1], rat(p[2], 12)
	byBits, err := bitCapacity(m, k, target)
	if err != nil {
		return err
	}
	byCount := new(big.Rat)
	for n := 1; (n-1)*k < m; n++ {
		a, err := messageBounded(m, k, n, false, false).average()
		if err != nil {
			return err
		}
		if a.rate().Cmp(target) <= 0 {
			byCount = a.capacity()
		}
	}
	return atMost(byCount, byBits)
}

// aboveFrontier is the law that a message-bounded filter has at least the false positives
// a cycle that the bit-bounded filters have, in line between two neighbours, at the same
// number of messages.
func aboveFrontier(f recycler, m, k, n int) error {
	a, err := f.average()
	if err != nil {
		return err
	}
	if a.gains[recycles].Sign() == 0 {
		return errOutside
	}
	positives := quo(a.gains[falsePositives], a.gains[recycles])
	var x0, y0 *big.Rat
	for sigma := range m {
		b, err := bitBounded(m, k, sigma, f.distinct, false).average()
		if err != nil {
			return err
		}
		x, y := b.capacity(), quo(b.gains[falsePositives], b.gains[recycles])
		if x.Cmp(a.capacity()) >= 0 {
			line := y
			if x0 != nil && x.Cmp(x0) > 0 {
				share := quo(sub(a.capacity(), x0), sub(x, x0))
				line = add(y0, mul(share, sub(y, y0)))
			}
			return atMost(line, positives)
		}
		x0, y0 = x, y
	}
	return errOutside // longer cycles than any threshold gives
}
