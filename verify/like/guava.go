package like

import (
	"math"
	"math/rand/v2"
)

var guavaBits = width{step: 64, lo: 64, hi: 64 * (1<<31 - 1)}

var guava = &Filter{
	Name:      "guava",
	Version:   "master (0d6dbae, 008e78e)",
	Source:    "google/guava guava/src/com/google/common/hash/BloomFilterStrategies.java, BloomFilter.java",
	Hash:      "MurmurHash3, 128 bits: h1 and h2",
	Positions: "h1 + i h2 in 64 bits without the highest, modulo m, i < k (MURMUR128_MITZ_64)",
	Sizing:    "m = -n ln p/ln^2 2, rounded down, then up to a multiple of 64; k = -log2 p, rounded",
	Assumes:   "nothing but an ideal hash",
	Finding:   "for 100 keys at 0.1 % the rate is 0.12 %, because some positions h1 + i h2 modulo a multiple of 64 are equal; from 100,000 bits on this effect is not seen",
	known:     []size{{1000, 0.01, 9600, 7}, {1000, 0.03, 7360, 5}}, // BloomFilter.java says that 3 % always gives k = 5
	Law:       Enclosed,
	bits:      guavaBits,
	k:         span{1, 255},
	rate:      wrappedSteps(word{bits: 63}),
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		h, step := rng.Uint64(), rng.Uint64()
		for range k {
			dst = append(dst, h&(1<<63-1)%m)
			h += step
		}
		return dst
	}),
	own: func(n uint64, rate float64) (uint64, int) {
		m := uint64(-float64(n) * math.Log(rate) / (math.Ln2 * math.Ln2))
		if m == 0 || m > guavaBits.hi {
			return 0, 0
		}
		return (m + 63) / 64 * 64, max(1, int(math.Floor(-math.Log(rate)/math.Ln2+0.5)))
	},
}

var guava32 = &Filter{
	Name:      "guava-32",
	Version:   "master (0d6dbae)",
	Source:    "google/guava guava/src/com/google/common/hash/BloomFilterStrategies.java",
	Hash:      "MurmurHash3, 64 bits: h1 and h2 of 32",
	Positions: "h1 + i h2 in 32 bits, complemented if negative, modulo m, i = 1 to k (MURMUR128_MITZ_32, of filters that older versions wrote)",
	Sizing:    "that of guava, when such filters were written; newer versions only read them",
	Assumes:   "nothing but an ideal hash",
	Finding:   "positions have 31 bits, so a filter uses only its first 2^31 bits",
	Law:       Enclosed,
	bits:      guavaBits,
	k:         span{1, 255},
	rate:      wrappedSteps(word{bits: 32, signed: true}),
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		x := rng.Uint64()
		h, step := int32(x), int32(x>>32)
		for range k {
			h += step
			p := h
			if p < 0 {
				p = ^p
			}
			dst = append(dst, uint64(p)%m)
		}
		return dst
	}),
}
