// Package message computes the probability that an arriving message finds all its positions set in an array with b set
// bits. It also computes the number of bits that a position can still choose.
package message

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/kernel/vec"
)

// Power returns x^k, for k >= 1.
func Power(x float64, k int) float64 {
	p := 1.0
	for {
		if k&1 == 1 {
			p *= x
		}
		if k >>= 1; k == 0 {
			return p
		}
		x *= x
	}
}

// Miss returns the probability that a message finds at least one of its positions clear if b < m bits are set. Its
// relative error is at most 3k u, where u = 2^-53.
func Miss(g bloomproof.Geometry, b uint64) float64 {
	stay, sum := 1.0, 0.0
	for q := range g.K {
		t := uint64(Taken(g, q))
		left := float64(g.M - t)
		sum += stay * (float64(g.M-b) / left)
		if b <= t {
			return min(sum, 1)
		}
		stay *= float64(b-t) / left
	}
	return sum
}

// Fills considers a filter whose cycles end at the N-th message that sets a bit. Here N is the argument "messages". It
// reports whether N-1 messages can set all bits. If N-1 messages can set all bits, some cycle eventually never ends.
func Fills(g bloomproof.Geometry, messages uint64) bool {
	return messages-1 >= (g.M-1)/uint64(g.K)+1
}

// Vector returns the geometry in the form that package vec uses.
func Vector(g bloomproof.Geometry) vec.Message {
	return vec.Message{M: g.M, K: g.K, Distinct: Avoids(g)}
}

// fewPositions reports whether m >= 2k^2. If this holds, the bounds in the comment of cycle.Truncation hold too.
func fewPositions(m uint64, k int) bool { return float64(m) >= 2*float64(k)*float64(k) }

// FewPositions reports whether m >= 2k^2 for a geometry, as the comment of cycle.Truncation requires.
func FewPositions(g bloomproof.Geometry) bool { return fewPositions(g.M, g.K) }

// PoleFactor returns 1.2 e^(k^3/(30m)). The products |P_r| of cycle/closed.go are at most this factor times an
// exponential function. The comment of cycle.Truncation derives this for m >= 2k^2.
func PoleFactor(m uint64, k int) float64 {
	kf := float64(k)
	return 1.2 * fm.Exp(kf*kf*kf/(30*float64(m)))
}
