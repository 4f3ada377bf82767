package like

import (
	"math"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof/internal/shapes"
)

// In blobloomSteps, each position is the sum of the previous position and a step. Before each use the step grows, first
// by 1, then by 2, and so on.
var blobloomSteps = &inBlock{size: 512, offset: growing, shares: multiplyShifted(512, 32)}

// The function "growing" returns the offset of position i from the start. The offset is i*b + i(i+1)(i+2)/6, where b is
// the argument "step".
func growing(step uint64, i int) (p uint64) {
	for j := range uint64(i) {
		step += j + 1
		p += step
	}
	return p
}

var blobloom = &Filter{
	Name:      "blobloom",
	Version:   "0.8.1",
	Source:    "greatroar/blobloom bloomfilter.go, optimize.go",
	Hash:      "64 bits that the caller gives: h1 the high 32, h2 the low 32",
	Positions: "h2 chooses a block of 512 bits by multiply-shift; then k times h1 += h2, h2 += i, and bit h1 mod 512 (k is one less than the library's nhashes)",
	Sizing:    "bits a key from a table of Putze et al., at most trebled, rounded up to blocks; k+1 = (m/n) ln 2, rounded to the side of higher rate by its own formula",
	Assumes:   "nothing but an ideal hash",
	Finding:   "nhashes also counts the choice of the block, so a key has one position fewer than the library's formula for the rate assumes",
	known:     []size{{1000, 0.001, 17408, 12}},
	Law:       Enclosed,
	bits:      width{step: 512, lo: 512, hi: 512 << 32},
	k:         span{1, 4095},
	ideal:     shapes.Line(),
	rate:      blobloomSteps.rate,
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		h := rng.Uint64()
		h1, h2 := uint32(h>>32), uint32(h)
		start := uint64(h2) * (m / 512) >> 32 * 512
		for i := range uint32(k) {
			h1, h2 = h1+h2, h2+i+1
			dst = append(dst, start+uint64(h1%512))
		}
		return dst
	}),
	own: func(n uint64, rate float64) (uint64, int) {
		c := math.Ceil(-math.Log2(rate) / math.Ln2)
		if int(c) < len(putze) {
			c = float64(putze[int(c)])
		} else {
			c *= 3
		}
		m := uint64(c*float64(n)+511) / 512 * 512
		if m > 512<<32 {
			return 0, 0
		}
		c = float64(m) / float64(n)
		k := c * math.Ln2
		// The library estimates the rate for the two whole numbers next to k. It takes the number with the higher
		// rate. The estimate assumes that the number of keys in a block has a Poisson distribution. The estimate is
		// the mean of the rate over this distribution.
		if lo, hi := math.Floor(k), math.Ceil(k); k < 1 {
			k = 1
		} else if k = lo; blobloomRate(c, lo) < blobloomRate(c, hi) {
			k = hi
		}
		return m, max(1, int(k)-1)
	},
}

// Let r be the rate of a filter without blocks that has b bits per key. A blocked filter needs putze[b] bits per key
// for the same rate r. The list is table I of Putze, Sanders and Singler (2010), with the library's extension.
var putze = []byte{
	1, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 20,
	21, 23, 25, 26, 28, 30, 32, 35, 38, 40, 44, 48, 51, 58, 64, 74, 90,
}

// blobloomRate is the library's estimate of the rate for c bits per key and k positions.
func blobloomRate(c, k float64) float64 {
	mean, sum := 512/c, 0.0
	for i := 1.0; i < 3*mean+100; i++ {
		lg, _ := math.Lgamma(i + 1)
		sum += math.Exp(i*math.Log(mean) - mean - lg + k*math.Log1p(-math.Exp(-k*i/512)))
	}
	return sum
}
