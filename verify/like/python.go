package like

import (
	"math"
	"math/big"
	mathbits "math/bits"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

var pybloomLive = &Filter{
	Name:      "pybloom-live",
	Version:   "4.0.0 (da1a8b3)",
	Source:    "joseph-fox/python-bloomfilter pybloom_live/pybloom.py",
	Hash:      "xxh128 or SHA, as many bits as are needed, cut into words of 16, 32 or 64 bits",
	Positions: "one in each of k slices of s bits: a word of 16 bits below 2^15, of 32 below 2^31, modulo s",
	Sizing:    "k = -log2 p, rounded up; s = -n ln p/(k ln^2 2), rounded up",
	Assumes:   "the words as independent",
	Finding:   "words of 16 bits are reduced modulo the number s of bits of a slice, which favours some bits: for 18,170 keys at 0.1 %, in slices of 26,214 bits, the rate is 1.2 times the rate of uniform positions",
	known:     []size{{1000, 0.01, 9590, 7}},
	Law:       Exact,
	bits:      width{step: 1, lo: 1, hi: 1 << 48},
	k:         span{1, 4096},
	slices:    true,
	ideal:     inSlices,
	rate:      sliced,
	own: func(n uint64, rate float64) (uint64, int) {
		k := math.Ceil(math.Log(1/rate) / math.Log(2))
		s := math.Ceil(float64(n) * math.Abs(math.Log(rate)) / (k * (math.Log(2) * math.Log(2))))
		return uint64(k) * uint64(s), int(k)
	},
}

// The function "sliced" encloses the rate of a filter with one position in each slice of s bits. The position in a
// slice is the remainder of a word of h bits modulo s. Let r = 2^h mod s. In each slice, r positions have the
// probability a, and s-r positions have the probability b. These probabilities are
//
//	a = (floor(2^h/s)+1)/2^h,    b = floor(2^h/s)/2^h.
//
// The rate is
//
//	f = (r a (1-(1-a)^n) + (s-r) b (1-(1-b)^n))^k.
func sliced(g bloomproof.Geometry, n uint64, prec uint) (exact.Enclosure, error) {
	if n == 0 {
		return exact.Enclosure{}, nil
	}
	s := g.M / uint64(g.K)
	h := uint(16)
	switch {
	case s >= 1<<31:
		h = 64
	case s >= 1<<15:
		h = 32
	}
	all := new(big.Int).Lsh(big.NewInt(1), h)
	few, r := new(big.Int).DivMod(all, new(big.Int).SetUint64(s), new(big.Int))
	many := new(big.Int).Add(few, big.NewInt(1))
	// The variable "work" is the precision of the numbers, in bits. So (1-a)^n has a relative error below 4n*2^-work.
	// The number 1-(1-a)^n is at least 2^-h.
	work := prec + 64 + h + 64 + uint(mathbits.Len(uint(g.K)))
	side := func(slack int64) *big.Rat {
		sum := new(big.Rat)
		for _, part := range []struct{ places, probability *big.Int }{
			{r, many}, {new(big.Int).Sub(new(big.Int).SetUint64(s), r), few},
		} {
			p := new(big.Rat).SetFrac(part.probability, all)
			missed, _ := power(new(big.Float).SetPrec(work).SetRat(new(big.Rat).Sub(big.NewRat(1, 1), p)), n).Rat(nil)
			// Widen the enclosure by more than the error of the computation.
			missed.Mul(missed, new(big.Rat).SetFrac(new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), work-70), big.NewInt(slack)), new(big.Int).Lsh(big.NewInt(1), work-70)))
			if one := big.NewRat(1, 1); missed.Cmp(one) > 0 {
				missed = one
			}
			sum.Add(sum, p.Mul(p, missed.Sub(big.NewRat(1, 1), missed)).Mul(p, new(big.Rat).SetInt(part.places)))
		}
		return sum
	}
	down := new(big.Float).SetPrec(work).SetMode(big.ToNegativeInf).SetRat(side(1))
	up := new(big.Float).SetPrec(work).SetMode(big.ToPositiveInf).SetRat(side(-1))
	lo, hi := power(down, uint64(g.K)), power(up, uint64(g.K))
	return exact.NewEnclosure(lo, hi)
}

var rbloom = &Filter{
	Name:      "rbloom",
	Version:   "1.5.4 (b4e39fa)",
	Source:    "KenanHanke/rbloom src/lib.rs",
	Hash:      "Python's, 64 bits, or 128 that the caller gives",
	Positions: "a linear congruential generator modulo 2^128 starts at the hash; bits 32 to 95 of each state, modulo m",
	Sizing:    "m = -n ln p/ln^2 2, rounded down and then up to bytes; k = (m/n) ln 2, rounded down",
	Assumes:   "an ideal hash of 64 bits, which Python's is not for small integers",
	Finding:   "k is rounded down, so the rate is too high: at 1 %, k is 6, but 7 is best",
	known:     []size{{1000, 0.01, 9592, 6}},
	Law:       Simulated,
	Unproven:  "the pairs of 64 bits modulo m that the generator reaches are points of a lattice in five dimensions, which no tight bound counts",
	bits:      width{step: 8, lo: 8, hi: 1 << 48},
	k:         span{1, 4096},
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		// The generator multiplies its state of 128 bits by 47026247687942121848144207491837418733. The constants
		// "high" and "low" are the two halves of this factor.
		const high, low = 2549297995355413924, 4865540595714317549
		var state struct{ hi, lo uint64 }
		state.lo = rng.Uint64()
		state.hi = uint64(int64(state.lo) >> 63) // the sign of an i128
		for range k {
			hi, lo := mathbits.Mul64(state.lo, low)
			hi += state.lo*high + state.hi*low
			lo, carry := mathbits.Add64(lo, 1, 0)
			state.hi, state.lo = hi+carry, lo
			dst = append(dst, (state.hi<<32|state.lo>>32)%m)
		}
		return dst
	}),
	own: func(n uint64, rate float64) (uint64, int) {
		m := -float64(n) * math.Log(rate) / (math.Ln2 * math.Ln2)
		return (uint64(m) + 7) / 8 * 8, int(m / float64(n) * math.Ln2)
	},
}
