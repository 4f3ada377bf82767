package like

import (
	"math"
	mathbits "math/bits"
	"math/rand/v2"
)

var postgreSQL = &Filter{
	Name:      "postgresql",
	Version:   "13 (05d8449)",
	Source:    "postgres/postgres src/backend/lib/bloomfilter.c",
	Hash:      "its own, 64 bits: x and y of 32",
	Positions: "x; then i = 1 to k-1 times x += y, y += i, modulo m",
	Sizing:    "of n alone, where memory permits: 16n bits, rounded down to a power of two, 2^23 to 2^32; k = (m/n) ln 2, rounded, at most 10",
	Assumes:   "nothing but an ideal hash",
	Finding:   "8 to 16 bits a key from 524,288 keys on, whatever rate is wanted: 1.8 % for a million",
	Law:       Simulated,
	bits:      width{step: 1 << 23, lo: 1 << 23, hi: 1 << 32, power: true},
	k:         span{1, 10},
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		h := rng.Uint64()
		x, y := h>>32&(m-1), h&(1<<32-1)&(m-1)
		for i := range uint64(k) {
			dst = append(dst, x)
			x = (x + y) & (m - 1)
			y = (y + i + 1) & (m - 1)
		}
		return dst
	}),
	own: func(n uint64, _ float64) (uint64, int) {
		m := uint64(1) << min(32, mathbits.Len64(max(1<<23, 16*n))-1)
		return m, max(1, min(10, int(math.RoundToEven(math.Ln2*float64(m)/float64(n)))))
	},
}
