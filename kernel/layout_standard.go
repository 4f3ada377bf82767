package kernel

import (
	"math"

	"github.com/bloomproof/bloomproof"
)

// In standard hashing the j-th position of a key is reduce(x_j, m). Here x_j is the j-th word of the key's stream, and
// the function "reduce" maps it to a number below m. So the k positions are independent, and some of them may be equal.
var standardLayout = layoutEntry{bloomproof.Standard, func(g bloomproof.Geometry) layout {
	return layout{
		g:        g,
		shape:    shape{k: g.K, span: g.M},
		settled:  true,
		coincide: true,
		rate:     standardRate,
		items:    standardItems,
	}
}, func(g bloomproof.Geometry) layout { // k independent positions in a block
	return layout{
		g:        g,
		shape:    shape{k: g.K, span: g.Block},
		settled:  true,
		coincide: true,
		rateIn: func(l *layout, block []uint64) float64 {
			return standardRate(l.block(), uint64(count(portable, block)))
		},
		items: func(l *layout, b uint64) float64 {
			logMiss := float64(l.k) * log1mRatio(1, l.size)
			return l.blockItems(b, logMiss, -math.Expm1(logMiss))
		},
	}
}}

// standardRate returns (b/m)^k. This is the probability that the k positions of a new key are all among the b set bits.
// This is equation Burns (52). Its cost is O(log k).
func standardRate(g bloomproof.Geometry, b uint64) float64 {
	r := 1.0
	for x, k := float64(b)/float64(g.M), g.K; k > 0; k >>= 1 {
		if k&1 != 0 {
			r *= x
		}
		x *= x
	}
	return r
}

// standardItems estimates the number of keys in a filter with b set bits. It returns ln(1-b/m) / (k ln(1-1/m)).
func standardItems(l *layout, b uint64) float64 {
	return log1mRatio(b, l.g.M) / (float64(l.k) * log1mRatio(1, l.g.M))
}
