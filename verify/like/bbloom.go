package like

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// ln2 is the constant of the bbloom family.
const ln2 = 0.69314718056

// bbloomSize is the rule of the bbloom family: the next power of two.
func bbloomSize(n uint64, rate float64) (uint64, int) {
	size := -float64(n) * math.Log(rate) / math.Pow(ln2, 2)
	return powerOfTwo(max(512, uint64(size))), int(math.Ceil(ln2 * size / float64(n)))
}

// bbloomMost is the largest m whose start and step have no bits of the hash in common.
const bbloomMost = 1 << 32

// bbloomRate is that of a start and a step in m bits, a power of two, which are log2 m bits of a hash of 64
// each: the high ones and the low ones. They are independent and uniform up to 2^32 bits.
func bbloomRate(hashing bloomproof.Hashing) rate {
	return func(g bloomproof.Geometry, n uint64, prec uint) (exact.Enclosure, error) {
		if g.M > bbloomMost {
			return exact.Enclosure{}, fmt.Errorf("start and step share bits of the hash where m is above %d: %w", uint64(bbloomMost), bloomproof.ErrUndefined)
		}
		g.Hashing = hashing
		e, _, err := exact.FPR(g, n, prec, exact.Auto)
		return e, err
	}
}

const bbloomSizing = "m = -n ln p/ln^2 2, rounded up to a power of two, at least 512; k = ln 2 times the m before rounding over n, rounded up"

var ristretto = &Filter{
	Name:      "ristretto",
	Version:   "2.4.2",
	Source:    "dgraph-io/ristretto z/bbloom.go",
	Hash:      "64 bits that the caller gives",
	Positions: "h + il modulo m, i < k: h the high log2 m bits of the hash, l the low ones, 0 and even ones too",
	Sizing:    bbloomSizing,
	Assumes:   "nothing but an ideal hash",
	Finding:   "a step of 0 or of a large power of two leaves a key few positions: with 500 keys in 2^14 bits and k = 10 the rate is 18 times that of independent ones",
	Law:       Exact,
	bits:      width{step: 512, lo: 512, hi: 1 << 40, power: true},
	k:         span{1, 4096},
	rate:      bbloomRate(bloomproof.DoubleZero),
	own:       bbloomSize,
}

var bbloom = &Filter{
	Name:      "bbloom",
	Version:   "0.1.0",
	Source:    "ipfs/bbloom bbloom.go, sipHash.go",
	Hash:      "SipHash, 64 bits",
	Positions: "h + il modulo m, i < k: h the high log2 m bits of the hash, l the low ones, made odd",
	Sizing:    bbloomSizing,
	Assumes:   "nothing but an ideal hash",
	Finding:   "odd steps, since 0.1.0, make the positions of a key different: the rate of 100 keys in 2^10 bits is 11 % above that of independent ones, where ristretto's is 17 %",
	Law:       Exact,
	bits:      width{step: 512, lo: 512, hi: 1 << 40, power: true},
	k:         span{1, 4096},
	rate:      bbloomRate(bloomproof.DoubleOdd),
	own:       bbloomSize,
}
