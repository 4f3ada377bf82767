package like

import (
	"fmt"
	"math/big"
	mathbits "math/bits"
	"slices"
	"sync"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// inBlock computes the rate of blocked filters. In these filters, a key has a start and a step within a block of s
// bits. The positions of the key are start + offset(step, i), for i = 0 to k-1.
//
// For blobloom the start is uniform, and independent of the block and the step. Block and step come from one word w of
// h bits. Let B be the number of blocks. The number of the block is floor(w*B/2^h). The step is w mod s, where s is a
// power of two. Let L = floor(2^h/B). For each block, there are L or L+1 words that select it. Some of these words have
// a given step. Their number is at least floor(L/s) and at most ceil((L+1)/s).
//
// First assume that all pairs of a block and a step are equally likely. Let D be the set of the positions of the query.
// The query is positive if the keys in its block hit every position in D. Let J be a subset of D. A pair of a start and
// a step misses J if all its positions are outside J. Let q_J be the share of pairs that miss J. Multiply the
// probability of each hit by x, and let F(x) be the new rate. The rate is F(1). Inclusion and exclusion, and the mean
// over D, give
//
//	F(x) = E[sum over J in D of (-1)^|J| (1 - x (1-q_J)/B)^n].
//
// Now let the pairs of a block and a step have different probabilities. If all pairs were equally likely, each of them
// would have the same probability p. Divide the probability of each pair by p. The quotients lie between low and high.
// Let f be the true rate. Then
//
//	low F(low) <= f <= high F(high).
//
// To prove this, consider the probability that a key hits a given nonempty set of positions in D. Compute this
// probability also for equally likely pairs. The quotient of the two probabilities also lies between low and high.
// Suppose that such a probability grows and the probability of the empty set falls. Then the probability that all of D
// is hit grows. If high <= B, F(high) is the rate for a possible distribution of the keys. In one case the stronger
// inequality F(low) <= f <= F(high) holds. In this case, the start and the step of the query are uniform. Given the
// start and the step, each block has a probability between low/B and high/B. So the bounds hold for a query in any
// block.
type inBlock struct {
	size     uint64 // s, the size of a block
	offset   func(step uint64, i int) uint64
	shares   func(blocks uint64) (shares, error)
	computed sync.Map // for each k, the terms of the sum s*F
}

// The type "shares" holds bounds of the probabilities of pairs. A pair consists of a block and a step.
type shares struct {
	low, high *big.Rat // bounds of the probability of a pair, as multiples of the probability of equally likely pairs
	query     bool     // whether the factors low and high are also needed for the query
}

// multiplyShifted returns a function that computes the shares for some filters, such as those of blobloom. In these
// filters, the block and the step of a key come from one word of h bits.
func multiplyShifted(size uint64, h uint) func(blocks uint64) (shares, error) {
	return func(blocks uint64) (shares, error) {
		all, b := new(big.Int).Lsh(big.NewInt(1), h), integer(blocks)
		least := new(big.Int).Div(all, b)
		most := new(big.Int).Add(least, big.NewInt(1))
		if new(big.Int).Mul(least, b).Cmp(all) == 0 {
			most = least
		}
		pairs := new(big.Int).Mul(b, integer(size))
		share := func(x *big.Int) *big.Rat { return new(big.Rat).SetFrac(x.Mul(x, pairs), all) }
		s := shares{low: share(new(big.Int).Div(least, integer(size))), high: share(ceil(most, integer(size))), query: true}
		if s.high.Cmp(new(big.Rat).SetInt(b)) > 0 {
			return s, fmt.Errorf("a block has fewer words than steps: %w", bloomproof.ErrTooCostly)
		}
		return s, nil
	}
}

// The function "remainders" returns a function that computes the shares. It is for filters in which the start, the step
// and the block of a key come from one word. Some bits of the word determine the start and the step. These bits are
// uniform and independent of the other bits. The list "free" has the indices of the other bits. The block is the
// remainder of the word modulo the number of blocks. The start and the step contribute a constant to the word. Add this
// constant to the value of the free bits. Divide this sum by the number of blocks. The remainder is the number of the
// block.
func remainders(free []uint) func(blocks uint64) (shares, error) {
	return func(blocks uint64) (shares, error) {
		if mathbits.Len64(blocks) > len(free) {
			return shares{}, fmt.Errorf("a start and a step do not reach all blocks: %w", bloomproof.ErrTooCostly)
		}
		counts := make([]int64, blocks)
		for x := range uint64(1) << len(free) {
			word := uint64(0)
			for i, bit := range free {
				word |= x >> i & 1 << bit
			}
			counts[word%blocks]++
		}
		share := func(count int64) *big.Rat {
			return new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(count), integer(blocks)), new(big.Int).Lsh(big.NewInt(1), uint(len(free))))
		}
		return shares{low: share(slices.Min(counts)), high: share(slices.Max(counts))}, nil
	}
}

// The type inBlock computes rates for at most mostInBlock positions per key. With this number, the sum over all steps
// takes at most about a second.
const mostInBlock = 14

// The type blockTerm describes one term of the sum s*F(x):
//
//	(-1)^places * count * (1 - x*hit/(s^2*B))^n.
//
// The comment of the type inBlock defines the function F and the numbers s, x and B. There are n keys.
type blockTerm struct {
	places int
	hit    uint64
	count  uint64
}

func (l *inBlock) rate(g bloomproof.Geometry, n uint64, prec uint) (exact.Enclosure, error) {
	if n == 0 {
		return exact.Enclosure{}, nil
	}
	if g.K > mostInBlock {
		return exact.Enclosure{}, fmt.Errorf("no sum for more than %d positions in a block: %w", mostInBlock, bloomproof.ErrTooCostly)
	}
	terms := l.terms(g.K)
	blocks := g.M / l.size
	of, err := l.shares(blocks)
	if err != nil {
		return exact.Enclosure{}, err
	}
	pairs := new(big.Int).Mul(integer(blocks), integer(l.size))
	// The variable "work" is the precision of the numbers, in bits. So an n-th power has a relative error below
	// 4n*2^-work. The sum s*F has 2^k*s terms. The error bound that is added also covers the roundings in the sum and
	// after it. About log2(1/f) bits are lost by cancellation.
	const cancels = 256
	work := prec + cancels + 64 + uint(2*g.K) + 32
	each := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Mul(pairs, integer(l.size))) // the probability of a start, a step and a block
	sum := func(x *big.Rat, sign int64) *big.Float {
		f := new(big.Float).SetPrec(work)
		part := new(big.Rat).Mul(x, each)
		for _, t := range terms {
			base := new(big.Rat).Mul(part, new(big.Rat).SetInt(integer(t.hit)))
			base.Sub(big.NewRat(1, 1), base)
			y := power(new(big.Float).SetPrec(work).SetRat(base), n)
			y.Mul(y, new(big.Float).SetPrec(work).SetInt(integer(t.count)))
			if t.places&1 == 1 {
				y.Neg(y)
			}
			f.Add(f, y)
		}
		err := new(big.Float).SetPrec(work).SetInt64(sign)
		f.Add(f, err.SetMantExp(err, mathbits.Len64(n)+g.K+mathbits.Len64(l.size)+mathbits.Len(uint(len(terms)))+8-int(work)))
		if of.query {
			f.Mul(f, new(big.Float).SetPrec(work).SetRat(x))
		}
		return f.Quo(f, new(big.Float).SetPrec(work).SetUint64(l.size))
	}
	lo, hi := sum(of.low, -1), sum(of.high, 1)
	lo = new(big.Float).SetPrec(prec + 8).SetMode(big.ToNegativeInf).Set(lo)
	hi = new(big.Float).SetPrec(prec + 8).SetMode(big.ToPositiveInf).Set(hi)
	if lo.Sign() < 0 {
		lo.SetInt64(0)
	}
	if one := big.NewFloat(1); hi.Cmp(one) > 0 {
		hi = one
	}
	return exact.NewEnclosure(lo, hi)
}

// The method "terms" returns the terms of the sum s*F(x) for k positions. It computes them only once.
func (l *inBlock) terms(k int) []blockTerm {
	if known, ok := l.computed.Load(k); ok {
		return known.([]blockTerm)
	}
	steps := make([][]uint64, l.size) // the distinct positions for each step, with start 0
	for step := range l.size {
		for i := range k {
			if p := l.offset(step, i) % l.size; !slices.Contains(steps[step], p) {
				steps[step] = append(steps[step], p)
			}
		}
	}
	type class struct {
		places int
		hit    uint64
	}
	counts := map[class]uint64{}
	met := make([]uint32, l.size) // bit set, for each start: the positions of the query that a key hits
	for _, query := range steps {
		within := make([]uint64, 1<<len(query)) // within[set] is the number of starts and steps that hit exactly these positions
		for _, key := range steps {
			for j, p := range query {
				for _, x := range key {
					met[(p-x)%l.size] |= 1 << j
				}
			}
			within[0] += l.size
			for _, p := range query {
				for _, x := range key {
					if set := &met[(p-x)%l.size]; *set != 0 {
						within[*set]++
						within[0]--
						*set = 0
					}
				}
			}
		}
		for j := range query { // make within[set] the number that hit no positions except these
			for set := range within {
				if set>>j&1 == 1 {
					within[set] += within[set&^(1<<j)]
				}
			}
		}
		for set := range within {
			counts[class{mathbits.OnesCount(uint(set)), l.size*l.size - within[len(within)-1-set]}]++
		}
	}
	terms := make([]blockTerm, 0, len(counts))
	for c, count := range counts {
		terms = append(terms, blockTerm{c.places, c.hit, count})
	}
	slices.SortFunc(terms, func(a, b blockTerm) int {
		if a.hit != b.hit {
			return int(a.hit) - int(b.hit)
		}
		return a.places - b.places
	})
	l.computed.Store(k, terms)
	return terms
}
