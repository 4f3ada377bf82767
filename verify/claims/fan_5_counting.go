package claims

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// counters has the results of enumerating a counting filter.
type counters struct {
	correct *big.Rat // probability that the first item's count is its frequency
	low     int      // number of outcomes in which the first item's count is below its frequency
}

// countAll enumerates all outcomes of a counting filter with m counters. It has one item for each of the frequencies,
// and each item has k positions. An arrival increments each distinct counter of its item once. If literal is true, it
// increments a counter as often as the k positions of the item name it.
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
		for ; i < len(positions); i++ { // go to the next outcome
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

// multisets are lists of the frequencies of up to four items.
var multisets = &sizeLists{most: 4, least: 1, large: 6, table: [][]int{{1}, {3}, {1, 1}, {2, 1}, {1, 5}, {1, 1, 1}, {2, 1, 3}, {1, 2, 1, 2}}}

// countedItems is the domain of filters with the frequencies of their items. The variable increments chooses between
// distinct and literal increments.
var (
	countedItems = domain{
		number("m", 1).by(3, 5).upTo(9), multisets.variable("frequencies", "items of any frequencies"), number("k", 1).by(3, 4).upTo(6),
		where("", "m frequencies k", func(x point) bool { return fewOutcomes(x.int(0), x.int(2)*len(multisets.of(x[1]))) }),
	}
	increments = either("increment", "each distinct counter incremented once", "each counter incremented once for each hash function")
)

// fewOutcomes reports whether all outcomes of that many positions among m counters are few enough to enumerate.
func fewOutcomes(m, positions int) bool {
	outcomes := 1
	for range positions {
		if outcomes *= m; outcomes > 1<<17 {
			return false
		}
	}
	return true
}

var fan5 = []claim{
	fanSec5Above, fanEq24, fanEq25, fanEq26,
}

var fanSec5Above = claim{
	ID: "fan.sec5.above", Ref: "Section 5",
	Statement: "the estimate, the least of an item's counters, is at least its frequency",
	Verdict:   Confirmed,
	How:       "all outcomes (counters that do not saturate, nothing removed)",
	parts: func() []part {
		return []part{holdsOn(append(domain{increments}, countedItems...), func(p point) error {
			if low := countAll(p.int(1), p.int(3), p[0] == 1, multisets.of(p[2])...).low; low > 0 {
				return fmt.Errorf("%d outcomes below", low)
			}
			return nil
		})}
	},
}

var fanEq24 = claim{
	ID: "fan.eq24", Ref: "Section 5, (24)",
	Statement: "a counter is hit by none of the n-1 other items with probability (1-1/m)^(k(n-1))",
	Verdict:   Confirmed,
	How:       "by enumeration",
	parts: func() []part {
		return []part{
			holdsOn(domain{number("m", 1).by(4, 6).upTo(9), number("n", 1).by(4, 4).upTo(6), number("k", 1).by(3, 4).upTo(5)}, func(p point) error {
				m, n, k := p.int(0), p.int(1), p.int(2)
				l, err := union(m, repeat(1, k*(n-1))...)
				if err != nil {
					return err
				}
				return same(l.prob(func(mask int) bool { return mask&1 == 0 }), pow(rat(m-1, m), k*(n-1)))
			}),
		}
	},
}

var fanEq25 = claim{
	ID: "fan.eq25", Ref: "Section 5, (25)",
	Statement:      "the correct rate of a counting filter is C_r = 1 - f at n-1 items",
	Verdict:        Conditional,
	Counterexample: "both hashes of the only item agree, and its counter is 2 where 1 is right; (25) says C_r = 1; with m = 2 they agree with probability 1/2",
	How:            "all outcomes against exact rates; the literal rate against exact.CorrectRate",
	parts: func() []part {
		printed := func(p point) *big.Rat {
			return sub(whole(1), standardRate(p.int(1), len(multisets.of(p[2]))-1, p.int(3)))
		}
		correct := func(p point) *big.Rat { return countAll(p.int(1), p.int(3), p[0] == 1, multisets.of(p[2])...).correct }
		law := func(p point) error { return same(correct(p), printed(p)) }
		return []part{
			fails(point{1, 1, 0, 2}, append(domain{increments.only(1)}, countedItems...), law),
			holdsOn(append(domain{increments.only(0)}, countedItems...), law),
			holdsOn(append(domain{increments.only(1)}, countedItems...), func(p point) error {
				literal := correct(p)
				e, err := exact.CorrectRate(bloomproof.Geometry{M: uint64(p.int(1)), K: p.int(3)}, uint64(len(multisets.of(p[2]))), bloomproof.Literal, 64)
				if err == nil && !e.Contains(literal) {
					err = fmt.Errorf("literal rate %s, enclosure %v", literal.RatString(), e)
				}
				if p[3] == 1 || printed(p).Sign() == 0 {
					return first(err, same(literal, printed(p)))
				}
				return first(err, below(literal, printed(p)))
			}).on("literally it is an upper bound, exact for k = 1 only"),
		}
	},
}

var fanEq26 = claim{
	ID: "fan.eq26", Ref: "Section 5, (26)",
	Statement:      "1-(1-(1-k/m)^(n-1))^k < C_r < 1-(1-(1-1/m)^((n-1)k))^k",
	Verdict:        Conditional,
	Counterexample: "all are 1; for n = 1 or k = 1 they are equal; m = 1, k = 2, n = 3: the left side is 1, C_r is 0",
	How:            "exact rates, each distinct counter incremented once",
	parts: func() []part {
		law := func(p point) (float64, error) {
			m, n, k := p.int(0), p.int(1), p.int(2)
			correct := sub(whole(1), rateS(m, n-1, k))
			return min(strictGap(sub(whole(1), upperRate(m, n-1, k)), correct), strictGap(correct, sub(whole(1), bloomRate(m, n-1, k)))), nil
		}
		every := domain{number("m", 1).by(7, 20), number("n", 1).by(5, 9), number("k", 1).by(5, 10)}
		return []part{
			fails(point{1, 1, 1}, every, lawOf(law)),
			breaks(point{1, 3, 2}, every, lawOf(law)),
			keeps(domain{number("m", 2).by(7, 20).upTo(100), number("n", 2).by(5, 9).upTo(40), number("k", 2).under("m").by(5, 10).upTo(20)}, law),
		}
	},
}
