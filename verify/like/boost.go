package like

import (
	mathbits "math/bits"
	"math/rand/v2"
)

// The library multiplies a key's hash by boostFactor. The product is the key's next hash.
const boostFactor = 0xf1357aea2e62a9c5

var boost = &Filter{
	Name:      "boost",
	Version:   "develop (7eda52e)",
	Source:    "boostorg/bloom include/boost/bloom/detail/core.hpp, block.hpp, filter.hpp",
	Hash:      "64 bits, made odd",
	Positions: "filter<T, K>: k times a byte by multiply-shift of the hash, then the hash times 0xf1357aea2e62a9c5, whose bits 3 to 5 choose the bit of the byte",
	Sizing:    "k is given; m is the least with which a mean over a Poisson number of bits in a byte gives p, by bisection, rounded up to bytes",
	Assumes:   "nothing but an ideal hash",
	Finding:   "the place of a bit in its byte depends on only 5 bits of the hash: at 64 bits the rate is 6 % above the rate of independent positions, and from 256 bits on no difference was seen",
	Law:       Enclosed,
	bits:      width{step: 8, lo: 8, hi: 1 << 48},
	k:         span{1, 255},
	rate:      paired(func(m uint64) pairs { return multiplied(64, boostFactor, m) }),
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		h := rng.Uint64() | 1
		for range k {
			p, _ := mathbits.Mul64(h, m/8)
			h *= boostFactor
			dst = append(dst, p*8+h>>3&7)
		}
		return dst
	}),
}
