// Package message says what an arriving message finds in an array of which b bits are set:
// whether all its positions are set, and what a position can still choose.
package message

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// Taken returns how many bits position q of a message can no longer choose.
func Taken(g bloomproof.Geometry, q int) int {
	if g.Hashing == bloomproof.Classic {
		return q
	}
	return 0
}

// HitRatios returns rho(b)/rho(at) as a function of b, 0 < b, within 2k u.
func HitRatios(g bloomproof.Geometry, at float64) func(b float64) float64 {
	if g.Hashing != bloomproof.Classic {
		inverse := 1 / max(at, 1) // rho(0) = 0
		return func(b float64) float64 { return Power(b*inverse, g.K) }
	}
	k := float64(g.K)
	inverse := make([]float64, g.K)
	for t := range inverse {
		if at > float64(t) {
			inverse[t] = 1 / (at - float64(t))
		}
	}
	return func(b float64) float64 {
		if b < k {
			return 0
		}
		h := 1.0
		for _, x := range inverse {
			h *= b * x
			b--
		}
		return h
	}
}

// Power returns x^k, k >= 1.
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

// HitAt returns rho(b), the probability that a new message finds all its positions set where
// b bits are.
func HitAt(g bloomproof.Geometry, b uint64) fm.Scaled {
	if g.Hashing != bloomproof.Classic {
		if b == 0 {
			return fm.Scaled{}
		}
		return fm.Whole(b).Quo(fm.Whole(g.M)).Scale().Pow(g.K)
	}
	if b < uint64(g.K) {
		return fm.Scaled{}
	}
	p := fm.Whole(1).Scale()
	for t := range uint64(g.K) {
		p = p.Times(fm.Whole(b - t).Quo(fm.Whole(g.M - t)))
	}
	return p
}

// Miss returns 1 - rho(b), b < m, within 3k u.
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

// Fills reports whether N-1 messages can set all bits. Then some cycle never ends.
func Fills(g bloomproof.Geometry, messages uint64) bool {
	return messages-1 >= (g.M-1)/uint64(g.K)+1
}
