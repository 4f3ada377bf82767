package vec

import (
	"fmt"
	"math"
)

const (
	MaxM = 1 << 53 // the largest number of bits of a filter; up to it, every state is exactly representable as a float64
	MaxK = 4096    // the largest number of positions of a message
)

// A Message is a message with K positions that arrives at a filter of M bits.
type Message struct {
	M        uint64 // the number of bits of the filter, 1 to MaxM
	K        int    // the number of positions of the message, 1 to MaxK
	Distinct bool   // true for K different positions, K <= M; otherwise each position is drawn from all M bits
}

// The method "check" panics if the Message is outside its domain. It also panics if one of the n states from first to
// first+n-1 exceeds the argument "most".
func (x Message) check(first uint64, n int, most uint64) {
	switch {
	case x.M < 1 || x.M > MaxM:
		panic(fmt.Sprintf("vec: %d bits, want 1 to 2^53", x.M))
	case x.K < 1 || x.K > MaxK:
		panic(fmt.Sprintf("vec: %d positions, want 1 to %d", x.K, MaxK))
	case x.Distinct && uint64(x.K) > x.M:
		panic(fmt.Sprintf("vec: %d distinct positions on %d bits", x.K, x.M))
	case n > 0 && (first > most || uint64(n-1) > most-first):
		panic(fmt.Sprintf("vec: %d states from %d on, the last can be %d", n, first, most))
	}
}

// The method "unit" returns a power of two. M times this power is at least 1/2 and less than 1. Numbers of bits are
// multiplied by this power. Its products with the integers up to 2^53 are exact.
func (x Message) unit() float64 {
	_, e := math.Frexp(float64(x.M))
	return math.Ldexp(1, -e)
}

// Earlier positions of a message can exclude some bits for position q. The method "taken" returns the number of
// excluded bits.
func (x Message) taken(q int) int {
	if x.Distinct {
		return q
	}
	return 0
}

// Suppose that i bits are set. For position q, i - x.taken(q) of these bits are possible. The method "set" returns this
// number, multiplied by the argument "unit". The product is exact. It is negative if i is less than x.taken(q).
func (x Message) set(i uint64, q int, unit float64) float64 {
	return (float64(i) - float64(x.taken(q))) * unit
}

// The method "scale" returns a factor for position q. The product of this factor, the argument "unit" and a number of
// bits is a probability. It is the probability that position q lies at one of these bits. The factor is rounded once.
func (x Message) scale(q int, unit float64) float64 {
	return 1 / (float64(x.M-uint64(x.taken(q))) * unit)
}
