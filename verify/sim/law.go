package sim

import (
	"math/bits"
	"math/rand/v2"
)

// The type "law" represents a probability distribution on 0, 1, ..., n-1. Numbers are drawn by Walker's alias method,
// with the tables of Vose. The uniform distribution has no tables.
type law struct {
	n     uint64
	cut   []uint64 // a number below cut[i], in units of 2^-64, selects the column's own number
	alias []uint32 // any other number selects this one
}

// The function "uniform" returns the distribution in which the numbers 0 to n-1 have equal probabilities.
func uniform(n uint64) *law { return &law{n: n} }

// newLaw returns the distribution with the given weights. They are finite and non-negative, and have a positive sum.
// The number n is below 2^32. Error: a probability is wrong by at most n*2^-52 times the largest probability. The
// reason is that at most n numbers are subtracted from a probability, and each subtraction rounds.
// Cost: O(n). Memory: 12 bytes for each of the n numbers. Making the tables takes 8 more bytes for each number.
func newLaw(n uint64, weight func(uint64) float64) *law {
	share := make([]float64, n) // first the weight, then n times the probability that is not yet assigned to a column
	most := 0.0
	for j := range share {
		share[j] = weight(uint64(j))
		most = max(most, share[j])
	}
	total, lost := 0.0, 0.0 // the sum of weights over the largest, without overflow; its rounding error (Kahan)
	for _, w := range share {
		y := w/most - lost
		sum := total + y
		lost = float64(sum-total) - y
		total = sum
	}
	var small, large []uint32
	for j, w := range share {
		share[j] = w / most / total * float64(n)
		if share[j] < 1 {
			small = append(small, uint32(j))
		} else {
			large = append(large, uint32(j))
		}
	}
	l := &law{n: n, cut: make([]uint64, n), alias: make([]uint32, n)}
	for len(small) > 0 && len(large) > 0 {
		s, g := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		l.cut[s], l.alias[s] = uint64(share[s]*(1<<64)), g
		share[g] -= 1 - share[s]
		if share[g] < 1 {
			large = large[:len(large)-1]
			small = append(small, g)
		}
	}
	for _, rest := range [][]uint32{small, large} {
		for _, j := range rest { // the share is 1, up to rounding
			l.cut[j], l.alias[j] = 1<<64-1, j
		}
	}
	return l
}

// The method "draw" returns a random number with this distribution, made from one random word. The high part of the
// word selects a column. A column has two numbers: its own number and an alias. The rest of the word selects one of
// these two numbers. Whichever column is selected, the rest of the word is uniformly distributed.
func (l *law) draw(rng *rand.ChaCha8) uint64 {
	if l.cut == nil {
		return below(rng, l.n)
	}
	j, rest := bits.Mul64(rng.Uint64(), l.n)
	if rest < l.cut[j] {
		return j
	}
	return uint64(l.alias[j])
}
