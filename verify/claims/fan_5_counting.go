package claims

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// counters is what enumeration of a counting filter finds.
type counters struct {
	correct *big.Rat // probability that the first item's count is its frequency
	low     int      // outcomes in which a count is below the frequency
}

// countAll goes through all outcomes of a counting filter of m counters with one item of
// k positions for each frequency. An item increments each of its distinct counters once
// an arrival, or with literal each of them as often as its k positions name it.
func countAll(m, k int, literal bool, frequencies ...int) counters {
	positions := make([]int, k*len(frequencies))
	right, all := 0, 0
	var c counters
	for {
		counts := make([]int, m)
		for i, f := range frequencies {
			own := positions[i*k : (i+1)*k]
			for j, p := range own {
				again := false
				for _, q := range own[:j] {
					again = again || p == q
				}
				if literal || !again {
					counts[p] += f
				}
			}
		}
		estimate := counts[positions[0]]
		for _, p := range positions[1:k] {
			estimate = min(estimate, counts[p])
		}
		if estimate == frequencies[0] {
			right++
		}
		if estimate < frequencies[0] {
			c.low++
		}
		all++
		i := 0
		for ; i < len(positions); i++ { // the next outcome
			if positions[i]++; positions[i] < m {
				break
			}
			positions[i] = 0
		}
		if i == len(positions) {
			c.correct = rat(right, all)
			return c
		}
	}
}

// multisets are frequencies of up to four items.
var multisets = [][]int{{1}, {3}, {1, 1}, {2, 1}, {1, 5}, {1, 1, 1}, {2, 1, 3}, {1, 2, 1, 2}}

// countingBox are filters and multisets small enough to enumerate.
func countingBox(r *run) box {
	return box{{"m", 1, r.upto(3, 5)}, {"multiset", 0, len(multisets) - 1}, {"k", 1, r.upto(3, 4)}}
}

// small returns the frequencies of a point of countingBox, or false where there are too
// many outcomes.
func small(p []int) ([]int, bool) {
	f := multisets[p[1]]
	outcomes := 1
	for range p[2] * len(f) {
		if outcomes *= p[0]; outcomes > 1<<17 {
			return nil, false
		}
	}
	return f, true
}

func fan5Counting() []Claim {
	return []Claim{
		{
			ID: "fan.sec5.above", Paper: Fan, Ref: "Section 5",
			Statement: "the estimate, the least of an item's counters, is at least its frequency",
			Domain:    "counters that do not saturate, nothing removed",
			Verdict:   Confirmed,
			Checked:   "all outcomes, both rules of increment: m <= 5, k <= 4, up to 4 items, at most 2^17 outcomes",
			check: func(r *run) error {
				return r.all(countingBox(r), func(p []int) error {
					f, ok := small(p)
					if !ok {
						return errOutside
					}
					for _, literal := range []bool{false, true} {
						if low := countAll(p[0], p[2], literal, f...).low; low > 0 {
							return fmt.Errorf("%d outcomes below, literal: %v", low, literal)
						}
					}
					return nil
				})
			},
		},
		{
			ID: "fan.eq24", Paper: Fan, Ref: "Section 5, (24)",
			Statement: "a counter is hit by none of the n-1 other items with probability (1-1/m)^(k(n-1))",
			Domain:    "all m, k and n >= 1",
			Verdict:   Confirmed,
			Checked:   "by enumeration: m <= 6, n <= 4, k <= 4",
			check: func(r *run) error {
				return r.all(box{{"m", 1, r.upto(4, 6)}, {"n", 1, 4}, {"k", 1, r.upto(3, 4)}}, func(p []int) error {
					m, n, k := p[0], p[1], p[2]
					l, err := union(m, repeat(1, k*(n-1))...)
					if err != nil {
						return err
					}
					return same(l.prob(func(mask int) bool { return mask&1 == 0 }), pow(rat(m-1, m), k*(n-1)))
				})
			},
		},
		{
			ID: "fan.eq25", Paper: Fan, Ref: "Section 5, (25)",
			Statement:      "the correct rate of a counting filter is C_r = 1 - f at n-1 items",
			Domain:         "where an item increments each of its distinct counters once; as the text has it (once for each of the k hash functions) it is an upper bound, exact for k = 1 only",
			Verdict:        Conditional,
			Counterexample: "m = 2, n = 1, k = 2, literally: both hashes of the only item agree with probability 1/2, and its counter is 2 where 1 is right; (25) says C_r = 1",
			Checked:        "all outcomes against exact rates: m <= 5, k <= 4, up to 4 items of any frequencies, at most 2^17 outcomes; the literal rate against exact.CorrectRate",
			check: func(r *run) error {
				return r.all(countingBox(r), func(p []int) error {
					f, ok := small(p)
					if !ok {
						return errOutside
					}
					m, n, k := p[0], len(f), p[2]
					printed := sub(whole(1), standardRate(m, n-1, k))
					literal := countAll(m, k, true, f...).correct
					e, err := exact.CorrectRate(bloomproof.Geometry{M: uint64(m), K: k}, uint64(n), bloomproof.Literal, 64)
					if err == nil && !e.Contains(literal) {
						err = fmt.Errorf("literal rate %s, enclosure %v", literal.RatString(), e)
					}
					strict := below(literal, printed)
					if k == 1 || printed.Sign() == 0 {
						strict = same(literal, printed)
					}
					return first(err, same(countAll(m, k, false, f...).correct, printed), strict)
				})
			},
		},
		{
			ID: "fan.eq26", Paper: Fan, Ref: "Section 5, (26)",
			Statement:      "1-(1-(1-k/m)^(n-1))^k < C_r < 1-(1-(1-1/m)^((n-1)k))^k",
			Domain:         "each distinct counter incremented once, m >= k >= 2, n >= 2",
			Verdict:        Conditional,
			Counterexample: "n = 1: both sides and C_r are 1; k = 1: all three are equal; m = 1, k = 2, n = 3: the left side is 1, C_r is 0",
			Checked:        "exact rates: m <= 20, n <= 9, k <= min(10, m)",
			check: func(r *run) error {
				correct := func(m, n, k int) *big.Rat { return sub(whole(1), standardRate(m, n-1, k)) }
				left := func(m, n, k int) *big.Rat { return sub(whole(1), upperRate(m, n-1, k)) }
				right := func(m, n, k int) *big.Rat { return sub(whole(1), bloomRate(m, n-1, k)) }
				return first(
					r.all(strictBox(r), fitting(func(m, n, k int) error {
						n++
						return first(below(left(m, n, k), correct(m, n, k)), below(correct(m, n, k), right(m, n, k)))
					})),
					r.once(func() error {
						return first(same(left(1, 3, 2), whole(1)), same(correct(1, 3, 2), new(big.Rat)),
							same(left(4, 1, 2), whole(1)), same(right(4, 1, 2), whole(1)), same(left(4, 3, 1), right(4, 3, 1)))
					}))
			},
		},
	}
}
