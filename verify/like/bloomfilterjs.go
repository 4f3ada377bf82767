package like

import (
	"math"
	"math/rand/v2"
)

var bloomfilterJS = &Filter{
	Name:      "bloomfilter.js",
	Version:   "master (017cbc0)",
	Source:    "jasondavies/bloomfilter.js bloomfilter.js",
	Hash:      "FNV-1a, 64 bits: a and b of 32",
	Positions: "a; then i = 1 to k-1 times a += b, b += i, modulo m",
	Sizing:    "m = -n log2 p/ln 2, rounded up, then to a multiple of 32; k = (m/n) ln 2 with the m before that, rounded up",
	Assumes:   "nothing but an ideal hash, which FNV is not for keys that are alike",
	Finding:   "the library uses enhanced double hashing since report #31, which was about the positions a + ib",
	known:     []size{{1000, 0.01, 9600, 7}},
	Law:       Enclosed,
	bits:      width{step: 32, lo: 32, hi: 1 << 32},
	k:         span{1, 4096},
	rate:      growingSums(32, 2),
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		h := rng.Uint64()
		// In the library, numbers are signed 32-bit integers. So a remainder modulo m can be negative. The library then
		// adds m to this remainder.
		reduce := func(x uint32) uint64 {
			r := int64(int32(x)) % int64(m)
			if r < 0 {
				r += int64(m)
			}
			return uint64(r)
		}
		a, b := reduce(uint32(h>>32)), reduce(uint32(h))
		for i := range uint64(k) {
			dst = append(dst, a)
			a = (a + b) % m
			b = (b + i + 1) % m
		}
		return dst
	}),
	own: func(n uint64, rate float64) (uint64, int) {
		m := math.Ceil(-float64(n) * math.Log2(rate) / math.Ln2)
		if m > 1<<32 {
			return 0, 0
		}
		return (uint64(m) + 31) / 32 * 32, int(math.Ceil(math.Ln2 * m / float64(n)))
	},
}
