package like

import "math"

// ln2 is the rounded value of ln(2) that the libraries of the bbloom family use.
const ln2 = 0.69314718056

// bbloomSize is the rule by which the libraries of the bbloom family choose m and k. It rounds m up to a power of two.
func bbloomSize(n uint64, rate float64) (uint64, int) {
	size := -float64(n) * math.Log(rate) / math.Pow(ln2, 2)
	return powerOfTwo(max(512, uint64(size))), int(math.Ceil(ln2 * size / float64(n)))
}

var ristretto = bbloomFamily(Filter{
	Name:      "ristretto",
	Version:   "2.4.2",
	Source:    "dgraph-io/ristretto z/bbloom.go",
	Hash:      "64 bits that the caller gives",
	Positions: "h + il modulo m, i < k: h the high log2 m bits of the hash, l the low ones, 0 and even ones too",
	Finding:   "if the step is 0 or a multiple of a large power of two, a key has few different positions: with 500 keys in 2^14 bits and k = 10, the rate is 18 times the rate of independent positions",
	known:     []size{{1000, 0.01, 16384, 7}, {1, 0.5, 512, 1}},
	rate:      fromZero,
})

var bbloom = bbloomFamily(Filter{
	Name:      "bbloom",
	Version:   "0.1.0",
	Source:    "ipfs/bbloom bbloom.go, sipHash.go",
	Hash:      "SipHash, 64 bits",
	Positions: "h + il modulo m, i < k: h the high log2 m bits of the hash, l the low ones, made odd",
	Finding:   "since version 0.1.0 all steps are odd, so the positions of a key are different: with 100 keys in 2^10 bits the rate is 11 % above the rate of independent positions, and ristretto's rate is 17 % above it",
	known:     []size{{1000, 0.01, 16384, 7}},
	rate:      fromOdd,
})

// Some fields have the same value for all filters of the bbloom family. The function bbloomFamily returns a copy of f
// with these values.
func bbloomFamily(f Filter) *Filter {
	f.Sizing = "m = -n ln p/ln^2 2, rounded up to a power of two, at least 512; k = ln 2 times the m before rounding over n, rounded up"
	f.Assumes = "nothing but an ideal hash"
	f.Law = Exact
	f.bits = width{step: 512, lo: 512, hi: 1 << 40, power: true}
	f.k = span{1, 4096}
	f.own = bbloomSize
	return &f
}
