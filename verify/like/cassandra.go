package like

import (
	"math"
	"math/rand/v2"
	"strconv"
)

// signed64 derives the positions of a key from a start and a step. Both are signed words of 64 bits. Each sum is the
// previous sum plus the step, and may overflow. Each sum has a remainder modulo m. The absolute value of this remainder
// is a position.
var signed64 = each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
	h, step := int64(rng.Uint64()), int64(rng.Uint64())
	for range k {
		p := h % int64(m)
		dst = append(dst, uint64(max(p, -p)))
		h += step
	}
	return dst
})

// caoSize is the rule by which both libraries of this file choose m and k. A table determines k and the number of bits
// per key. Then 20 bits are added to the total number of bits, and the result is rounded up to whole words.
func caoSize(n uint64, rate float64) (uint64, int) {
	b, k, ok := caoSpec(rate)
	if !ok {
		return 0, 0
	}
	return (n*uint64(b) + 20 + 63) / 64 * 64, k
}

const (
	caoPositions = "|base + i step in 64 bits with a sign, modulo m|, i < k"
	caoSizing    = "the fewest of 2 to 20 bits a key whose best rate in a table of (1-e^(-k/b))^k is enough, then the least such k; 20 bits more, up to a multiple of 64"
	caoFinding   = "for a rate of 0.393 or more, the rule exchanges its two numbers: a filter with one bit a key and two positions has a rate of 75 %; for a rate below 6.71e-5 there is no filter"
)

var cassandra = &Filter{
	Name:      "cassandra",
	Version:   "trunk (02c3489, 52ab6b7, 1c05568)",
	Source:    "apache/cassandra src/java/org/apache/cassandra/utils/BloomFilter.java, FilterFactory.java, BloomCalculations.java",
	Hash:      "MurmurHash3, 128 bits: base and step",
	Positions: caoPositions,
	Sizing:    caoSizing,
	Assumes:   "nothing but an ideal hash",
	Finding:   caoFinding,
	known:     []size{{1000, 0.001, 15040, 7}, {1 << 34, 0.001, 0, 0}},
	Law:       Enclosed,
	bits:      width{step: 64, lo: 64, hi: 64 * (1<<31 - 1)},
	k:         span{1, 14},
	rate:      wrappedSteps(word{bits: 64, signed: true}),
	twin:      signed64,
	own: func(n uint64, rate float64) (uint64, int) {
		m, k := caoSize(n, rate)
		if m > 64*(1<<31-1) {
			return 0, 0
		}
		return m, k
	},
}

var scyllaDB = &Filter{
	Name:      "scylladb",
	Version:   "2026.4.0-dev (f4a4091)",
	Source:    "scylladb/scylladb utils/bloom_filter.cc, utils/bloom_calculations.hh",
	Hash:      "MurmurHash3, 128 bits: base and step",
	Positions: caoPositions,
	Sizing:    caoSizing,
	Assumes:   "nothing but an ideal hash",
	Finding:   "as cassandra",
	known:     []size{{1000, 0.01, 10048, 5}, {1000, 0.5, 1024, 2}, {1000, 6e-5, 0, 0}},
	Law:       Enclosed,
	bits:      width{step: 64, lo: 64, hi: 1 << 62},
	k:         span{1, 14},
	rate:      wrappedSteps(word{bits: 64, signed: true}),
	twin:      signed64,
	own:       caoSize,
}

// The function "cao" returns the entries of a table. The variable caoMost has the largest k in each row of this table.
// The first row is for b = 2 bits per key.
var caoMost = [...]int{2, 3, 4, 5, 6, 6, 7, 8, 8, 8, 8, 9, 10, 10, 11, 12, 12, 13, 14}

// Both libraries choose b and k by a table of rates. The function "cao" returns the entry for b and k. It is the rate
// with b bits per key and k positions, rounded to three digits.
func cao(b, k int) float64 {
	x, _ := strconv.ParseFloat(strconv.FormatFloat(math.Pow(-math.Expm1(-float64(k)/float64(b)), float64(k)), 'g', 3, 64), 64)
	return x
}

// The libraries choose two numbers for a given rate: b bits per key and k positions. The function caoSpec returns b and
// k.
func caoSpec(rate float64) (b, k int, ok bool) {
	best := func(b int) int {
		least := 1
		for k := 2; k <= caoMost[b-2]; k++ {
			if cao(b, k) < cao(b, least) {
				least = k
			}
		}
		return least
	}
	last := len(caoMost) + 1
	switch {
	case rate >= cao(2, 1):
		return best(2), 2, true // the library exchanges the two numbers: one bit per key and two positions
	case rate < cao(last, caoMost[last-2]):
		return 0, 0, false
	}
	for b = 2; cao(b, best(b)) > rate; b++ {
	}
	for k = best(b); k > 1 && cao(b, k-1) <= rate; k-- {
	}
	return b, k, true
}

var hbase = &Filter{
	Name:      "hbase",
	Version:   "master (07739e1)",
	Source:    "apache/hbase hbase-server/src/main/java/org/apache/hadoop/hbase/util/BloomFilterUtil.java",
	Hash:      "one that is configured, 32 bits, twice: a, and b with seed a",
	Positions: "|a + ib in 32 bits with a sign, modulo m|, i < k",
	Sizing:    "a chunk has a given size (128 KiB as a rule), rounded up so that it can be folded; k = ceil(ln 2 floor(m/n)) with n = m (ln 2)^2/-ln p, and the chunk takes the keys with which the formula gives p",
	Assumes:   "the hashes of different seeds as independent",
	Finding:   "a large filter is a sequence of chunks of fixed size; in a chunk of 1,440 bits with k = 10, the rate is 1.24 times the rate of independent positions",
	Law:       Enclosed,
	bits:      width{step: 8, lo: 8, hi: 1<<31 - 8},
	k:         span{1, 255},
	rate:      wrappedSteps(word{bits: 32, signed: true}),
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		x := rng.Uint64()
		h, step := int32(x), int32(x>>32)
		for range k {
			p := int64(h) % int64(m)
			dst = append(dst, uint64(max(p, -p)))
			h += step
		}
		return dst
	}),
}
