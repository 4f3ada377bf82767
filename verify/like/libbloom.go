package like

import (
	"math"
	"math/rand/v2"
)

// These are ln(2) and its square, with the digits that libbloom and its copy in RedisBloom use.
const (
	libbloomLn2        = 0.693147180559945
	libbloomLn2Squared = 0.480453013918201
)

var libbloom = &Filter{
	Name:      "libbloom",
	Version:   "2.0 (57b35ea)",
	Source:    "jvirkki/libbloom bloom.c",
	Hash:      "MurmurHash2, 32 bits, twice: a, and b with seed a",
	Positions: "a + ib modulo m, i < k, without overflow",
	Sizing:    "m = -n ln p/ln^2 2, rounded down; k = -log2 p, rounded up; n at least 1000",
	Assumes:   "the hashes of different seeds as independent",
	Finding:   "for 1,000 keys at 0.1 % the rate is 6 % above the rate of independent positions, because a step can be 0 or have a common divisor with m",
	known:     []size{{1000, 0.01, 9585, 7}, {999, 0.01, 0, 0}},
	Law:       Enclosed,
	bits:      width{step: 1, lo: 1, hi: 1 << 40},
	k:         span{1, 255},
	rate:      sums(32),
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		h := rng.Uint64()
		a, b := h>>32, h&(1<<32-1)
		for i := range uint64(k) {
			dst = append(dst, (a+i*b)%m)
		}
		return dst
	}),
	own: func(n uint64, rate float64) (uint64, int) {
		if n < 1000 {
			return 0, 0
		}
		perKey := -math.Log(rate) / libbloomLn2Squared
		return uint64(float64(n) * perKey), int(math.Ceil(libbloomLn2 * perKey))
	},
}

var redisBloom = &Filter{
	Name:      "redisbloom",
	Version:   "master (b28c294)",
	Source:    "RedisBloom/RedisBloom deps/bloom/bloom.c, src/sb.c, src/rebloom.c",
	Hash:      "MurmurHash64A, twice: a, and b with seed a",
	Positions: "a + ib in 64 bits, modulo m, i < k",
	Sizing:    "for half the rate asked for, unless the filter is NONSCALING: m = -n ln p/ln^2 2, rounded down, then up to a multiple of 64; k = -log2 p, rounded up",
	Assumes:   "the hashes of different seeds as independent; one filter of the chain, before it grows",
	Finding:   "the first filter of a chain is sized for half the rate asked for, so that the chain keeps the rate when it grows",
	known:     []size{{1000, 0.02, 9600, 7}},
	Law:       Enclosed,
	bits:      width{step: 64, lo: 64, hi: 1 << 63},
	k:         span{1, 4096},
	rate:      wrappedSteps(word{bits: 64}),
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		a, b := rng.Uint64(), rng.Uint64()
		for i := range uint64(k) {
			dst = append(dst, (a+i*b)%m)
		}
		return dst
	}),
	own: func(n uint64, rate float64) (uint64, int) {
		perKey := -math.Log(rate/2) / libbloomLn2Squared
		return (max(1, uint64(float64(n)*perKey)) + 63) / 64 * 64, int(math.Ceil(libbloomLn2 * perKey))
	},
}
