package exact

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// The type linearDraws represents a hashing. This formula gives the positions P_i of an item:
//
//	P_i = A + L_i V + c_i mod m, 0 <= i < k.
//
// Here A is a random start, and V is a vector of d random words. The start and the words are independent, and uniform
// in 0..m-1. The L_i are fixed integer vectors with d entries, and the c_i are fixed integers. The first entry of L_i
// is i. It is enough to consider queries with the start 0. The positions of a query are called q_j.
//
// An item and the query match at (i,j) if the i-th position P_i of the item equals q_j. Suppose that all words except
// V_1 are given. Then two matches (i,j) and (i',j') with i < i' determine (i'-i) V_1 modulo m. If V_1 and one match are
// known, A can be computed. So all items with two or more matches can be found from the pairs of matches. Each such
// item is counted only once. Of all its pairs of matches, only the pair with the two smallest values of i is used. Let
// V and j be given, and let A take all its m values. These m items together have k matches at j. Each of the other
// matches belongs to an item that has only this match. For each set of positions of the query, these counts give the
// number of outcomes that hit exactly this set. Let J be a set of positions of the query. A sum over subsets then gives
// the number of outcomes that hit no position in J. For one query and all values of V_1, about (k^5)/4 operations are
// needed.
type linearDraws struct {
	d        int
	slope    func(i int64) int64 // the second entry of L_i, for d = 2
	constant func(i int64) int64 // c_i
}

// lookCost is a time in nanoseconds. Looking up one position of an item takes this time. It includes a share of the
// time for finding the two matches that determine the item. Measured: 4 to 6.
const lookCost = 6

func (l linearDraws) queries(g bloomproof.Geometry) *big.Int {
	return integer.Power(integer.Uint(g.M), uint64(l.d))
}

func (l linearDraws) outcomes(g bloomproof.Geometry) *big.Int {
	return integer.Power(integer.Uint(g.M), uint64(l.d)+1)
}

// The method "check" returns an error if counting the outcomes for this m and k would take too long.
func (l linearDraws) check(g bloomproof.Geometry) error {
	m, k := float64(g.M), float64(g.K)
	distinct := min(m, k)
	queries, items := m, 1.0
	if l.d == 2 {
		items = m
		queries *= float64(len(divisorsBelow(g.M, mostDivided))) / 2
	}
	cost := queries * (items*lookCost*k*k*k*distinct*distinct/2 + 2*distinct*math.Exp2(distinct))
	if g.M > mostDivided || distinct > mostPositions || cost > doubleLimit {
		return refuse.TooCostly(fmt.Sprintf("the rate of %v", g), cost, doubleLimit)
	}
	return nil
}

// mostDivided is the largest permitted m. With this limit m^3 is below 2^64, and trial division finds the divisors of m
// quickly.
const mostDivided = 1 << 21

// divisorsBelow returns the divisors of m, or an empty list if m is above limit.
func divisorsBelow(m, limit uint64) (all []uint64) {
	for d := uint64(1); m <= limit && d <= m; d++ {
		if m%d == 0 {
			all = append(all, d)
		}
	}
	return all
}

// The method "each" calls f for every value of the second word V_2 of an item. Let L_i2 be the second entry of L_i. The
// first argument of f is V_2. The second argument of f is a list. Its elements are the numbers c_i + L_i2 V_2. For d =
// 1 there is no second word, and f is called once with the word 0.
func (l linearDraws) each(g bloomproof.Geometry, f func(word uint64, constants []uint64)) {
	words := g.M
	if l.d == 1 {
		words = 1
	}
	for word := range words {
		f(word, l.constants(g, word))
	}
}

// The method "constants" returns the numbers c_i + L_i2*word mod m for all i, where L_i2 is the second entry of L_i.
func (l linearDraws) constants(g bloomproof.Geometry, word uint64) []uint64 {
	c := make([]uint64, g.K)
	for i := range c {
		c[i] = residue(l.constant(int64(i)), g.M)
		if l.d == 2 {
			c[i] = addMod(c[i], mulMod(residue(l.slope(int64(i)), g.M), word, g.M), g.M)
		}
	}
	return c
}

// eachQuery calls f for several queries, which together represent all queries. The argument "positions" has the
// distinct positions of such a query. Other queries can have the same terms as this query. The argument "count" is the
// number of queries with these terms. For d = 2 all c_i are 0, and the second entry of L_i is C(i,2). Consider a unit u
// of the integers mod m. Multiplication by u permutes the items. It also multiplies each word of the query by u. So it
// is enough to consider queries whose second word is 0 or a divisor of m. If the second word is 0, it is enough to
// consider queries whose first word is 0 or a divisor of m. Consider a query with the words b and c. A query with the
// words -b - (k-2)c and c has the same positions in reverse order.
func (l linearDraws) eachQuery(g bloomproof.Geometry, f func(positions []uint64, count uint64)) {
	words := []uint64{0}
	if l.d == 2 {
		words = divisorsBelow(g.M, mostDivided)
	}
	seen := make([]uint64, g.M) // for each position, the number of the last query that has it, counted from 1
	for at, word := range words {
		count := uint64(1)
		if l.d == 2 {
			count = phi(g.M / word)
		}
		constants := l.constants(g, word%g.M)
		for step := range g.M {
			count := count
			if l.d == 2 && word == g.M {
				if step > 0 && g.M%step != 0 {
					continue
				}
				count = phi(g.M / gcd(step, g.M))
			} else if l.d == 2 {
				switch other := subMod(0, addMod(step, mulMod(residue(int64(g.K)-2, g.M), word, g.M), g.M), g.M); {
				case other < step:
					continue
				case other > step:
					count *= 2
				}
			}
			var positions []uint64
			p, query := uint64(0), uint64(at)*g.M+step+1
			for _, c := range constants {
				if x := addMod(p, c, g.M); seen[x] != query {
					seen[x] = query
					positions = append(positions, x)
				}
				p = addMod(p, step, g.M)
			}
			f(positions, count)
		}
	}
}

func (l linearDraws) hits(g bloomproof.Geometry) *big.Int {
	sum := uint64(0)
	l.eachQuery(g, func(positions []uint64, count uint64) { sum += count * uint64(len(positions)) })
	return integer.Uint(sum)
}

// The method "full" reports whether every item sets every bit. Outcomes are counted only if m <= k <= MaxK. So the loop
// in the method "hits" is short.
func (l linearDraws) full(g bloomproof.Geometry) bool {
	return g.M == 1 || uint64(g.K) >= g.M && l.d == 1 && l.hits(g).Cmp(l.outcomes(g)) == 0
}

func (l linearDraws) terms(g bloomproof.Geometry) ([]term, error) {
	if err := cmp.Or(l.check(g), fault.Part()); err != nil {
		return nil, err
	}
	type class struct {
		size   int
		missed uint64
	}
	weights := map[class]uint64{}
	total := integer.Power(integer.Uint(g.M), uint64(l.d)+1).Uint64()
	var items [][]uint64
	l.each(g, func(_ uint64, constants []uint64) { items = append(items, constants) })
	finder := newMatches(g)
	l.eachQuery(g, func(query []uint64, count uint64) {
		within := make([]uint64, 1<<len(query)) // for each set of positions, how many outcomes hit exactly this set
		finder.lookFor(query)
		for _, constants := range items {
			finder.count(within, constants)
		}
		hit := uint64(0)
		for _, x := range within {
			hit += x
		}
		within[0] = total - hit
		for j := range query { // turns them into the numbers of outcomes that hit a subset of each set and nothing else
			for set := range within {
				if set>>j&1 == 1 {
					within[set] += within[set&^(1<<j)]
				}
			}
		}
		for set := range within { // an outcome misses set if it hits only positions outside of set
			weights[class{bits.OnesCount(uint(set)), within[len(within)-1-set]}] += count
		}
	})
	var terms []term
	for c, w := range weights {
		terms = append(terms, term{c.size, integer.Uint(c.missed), integer.Uint(w)})
	}
	slices.SortFunc(terms, smallFirst)
	return terms, nil
}

// The type "matches" finds the matches of items with a query.
type matches struct {
	m, k  uint64
	steps []stepDivisor // steps[x] is for the difference x = i'-i
	query []uint64
	slots []slot // a hash table of the query's positions
	shift uint
}

type slot struct {
	position uint64
	index    int // 1 + index of the position, or 0 if the slot is empty
}

// Let x be the difference i'-i of two indices. For this x, the type stepDivisor stores gcd(x,m) in the field "both".
// The field "inverse" is the inverse of x/gcd(x,m) modulo m/gcd(x,m).
type stepDivisor struct{ both, inverse uint64 }

func newMatches(g bloomproof.Geometry) *matches {
	x := &matches{m: g.M, k: uint64(g.K), steps: make([]stepDivisor, 1)}
	for d := uint64(1); d < x.k; d++ {
		both := gcd(d, g.M)
		inverse := new(big.Int).ModInverse(integer.Uint(d/both), integer.Uint(g.M/both))
		x.steps = append(x.steps, stepDivisor{both, inverse.Uint64()})
	}
	return x
}

// lookFor stores the query that later calls of "find" and "count" use.
func (x *matches) lookFor(query []uint64) {
	size := bits.Len(uint(4 * len(query)))
	x.query, x.shift, x.slots = query, uint(64-size), make([]slot, 1<<size)
	for j, q := range query {
		at := x.slot(q)
		for x.slots[at].index != 0 {
			at = (at + 1) & (len(x.slots) - 1)
		}
		x.slots[at] = slot{q, j + 1}
	}
}

// The method "slot" returns the index of a slot of the hash table. The search for the position p begins at this slot.
// To compute the index, p is multiplied by an odd constant, mod 2^64. The index consists of the top bits of the
// product. This constant is close to 2^64 divided by the golden ratio.
func (x *matches) slot(p uint64) int { return int(p * 0x9e3779b97f4a7c15 >> x.shift) }

// The method "find" returns the index of the position p in the list of the query's positions. It returns -1 if the
// query does not have this position.
func (x *matches) find(p uint64) int {
	for at := x.slot(p); x.slots[at].index != 0; at = (at + 1) & (len(x.slots) - 1) {
		if x.slots[at].position == p {
			return x.slots[at].index - 1
		}
	}
	return -1
}

// The argument "constants" is fixed. Items then differ only in their start and their first word. The method "count"
// considers all these items. For each set of positions of the query, it counts the items that hit exactly this set. The
// list "within" has one entry for each set of positions. The count is added to this entry.
func (x *matches) count(within, constants []uint64) {
	single := make([]uint64, len(x.query)) // for each position, the number of items that match only there
	for j := range single {
		single[j] = x.k * x.m
	}
	at := make([]int, x.k)
	for second := range x.k {
		for first := range second {
			step := x.steps[second-first]
			n := x.m / step.both
			between := subMod(constants[second], constants[first], x.m)
			for j, p := range x.query {
				for j2, p2 := range x.query {
					r := subMod(subMod(p2, p, x.m), between, x.m)
					if step.both > 1 {
						if r%step.both != 0 {
							continue
						}
						r /= step.both
					}
					word := r * step.inverse % n // does not overflow, because m is below 2^32
					for range step.both {
						start := subMod(subMod(p, constants[first], x.m), first*word%x.m, x.m)
						if x.follow(at, start, word, constants, first, second) {
							set := 1<<j | 1<<j2
							single[j]--
							single[j2]--
							for _, j := range at[second+1:] {
								if j >= 0 {
									set |= 1 << j
									single[j]--
								}
							}
							within[set]++
						}
						word += n
					}
				}
			}
		}
	}
	for j, count := range single {
		within[1<<j] += count
	}
}

// For each i above "second", the method "follow" sets at[i] to the number j for which P_i = q_j. If there is no such j,
// it sets at[i] to -1. The item matches at "first" and at "second". If the item has a third match at an index below
// "second", the method returns false. Such an item is counted for the pair with its two smallest values of i.
func (x *matches) follow(at []int, start, word uint64, constants []uint64, first, second uint64) bool {
	p := start
	for i := range x.k {
		if i != first && i != second {
			if at[i] = x.find(addMod(p, constants[i], x.m)); at[i] >= 0 && i < second {
				return false
			}
		}
		p = addMod(p, word, x.m)
	}
	return true
}

// residue returns x mod m.
func residue(x int64, m uint64) uint64 {
	if x < 0 {
		return subMod(0, uint64(-x)%m, m)
	}
	return uint64(x) % m
}

// addMod returns x+y mod m, and subMod returns x-y mod m. The arguments x and y of both functions must be below m.
func addMod(x, y, m uint64) uint64 {
	if s := x + y; s >= x && s < m {
		return s
	}
	return x + y - m
}

func subMod(x, y, m uint64) uint64 {
	if x < y {
		return x + (m - y)
	}
	return x - y
}
