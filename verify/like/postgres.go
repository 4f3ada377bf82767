package like

import (
	"math"
	mathbits "math/bits"
	"math/rand/v2"
)

var postgreSQL = &Filter{
	Name:      "postgresql",
	Version:   "18.4 (a copy, 2c534ab)",
	Source:    "postgres-vs-mysql/postgresql-18.4 src/backend/lib/bloomfilter.c",
	Hash:      "its own, 64 bits: x and y of 32",
	Positions: "x; then i = 1 to k-1 times x += y, y += i, modulo m",
	Sizing:    "of n alone, where memory permits: 16n bits, rounded down to a power of two, 2^23 to 2^32; k = (m/n) ln 2, rounded, at most 10",
	Assumes:   "nothing but an ideal hash",
	Finding:   "from 524,288 keys on, the filter has 8 to 16 bits a key, whatever rate is wanted: the rate for a million keys is 1.8 %",
	known:     []size{{1_000_000, 0, 1 << 23, 6}, {1 << 19, 0, 1 << 23, 10}, {1 << 40, 0, 1 << 32, 1}},
	Law:       Enclosed,
	bits:      width{step: 1 << 23, lo: 1 << 23, hi: 1 << 32, power: true},
	k:         span{1, 10},
	rate:      growingSums(32, 1),
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

// The variable parkMiller describes the random generator of a bloom index in PostgreSQL. It multiplies its state modulo
// the prime p = 2^31 - 1. Its seed is 1 + r, where r is the remainder of a signed hash of 32 bits modulo p-1. This
// remainder has the sign of the hash. The first state is a multiple of the seed modulo p. The hashes 0 to p-2 have the
// seeds 1 to p-1. The two largest hashes, p-1 and p, have the seeds 1 and 2. For r from 1 to p-2, the hash -r has the
// seed 1-r modulo p. These seeds are 0, p-1, p-2, ..., 3. Three hashes remain: -(p-1), -p and -(p+1). They have the
// seeds 1, 0 and p-1. So the seed 0 and the seeds from 2 to p-2 each come from two hashes. The seeds 1 and p-1 each
// come from three hashes.
var parkMiller = generated{
	prime: 1<<31 - 1, factor: 16807, each: 2,
	others: [][2]uint64{{16807, 16807 * 16807}, {1<<31 - 1 - 16807, 1<<31 - 1 - 16807*16807}, {0, 0}, {0, 0}},
}

// The variable postgreSQLIndex describes the signature of a row in a bloom index. This signature is a Bloom filter. The
// value of each column of the row is a key.
var postgreSQLIndex = &Filter{
	Name:      "postgresql-index",
	Version:   "18.4 (a copy, 2c534ab)",
	Source:    "postgres-vs-mysql/postgresql-18.4 contrib/bloom/blutils.c; postgres/postgres contrib/bloom/bloom.h (0665023)",
	Hash:      "the column type's, 32 bits",
	Positions: "a Park-Miller generator starts at the hash and the column's number; its next k numbers of 31 bits, modulo m",
	Sizing:    "m is given, 80 bits as a rule and rounded up to 16, and k for each column, 2 as a rule",
	Assumes:   "nothing but an ideal hash; all columns have k bits",
	Finding:   "with the default signature of 80 bits and 2 bits a column, a row of 3 columns matches a value that it does not have at a rate of 0.5 %, and a row of 10 columns at a rate of 5 %; to three digits, these rates are the rates of independent positions",
	Law:       Enclosed,
	bits:      width{step: 16, lo: 16, hi: 4096},
	k:         span{1, 4095},
	rate:      parkMiller.rate,
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		next := int32(rng.Uint64())%0x7ffffffe + 1 // the remainder of a signed number
		for range k {
			next = 16807*(next%127773) - 2836*(next/127773)
			if next < 0 {
				next += 0x7fffffff
			}
			dst = append(dst, uint64(max(0, next-1))%m)
		}
		return dst
	}),
}
