package like

import (
	"math"
	"math/rand/v2"
)

var bitsAndBlooms = &Filter{
	Name:      "bits-and-blooms",
	Version:   "3.7.1",
	Source:    "bits-and-blooms/bloom bloom.go",
	Hash:      "MurmurHash3, 256 bits: four words h0 to h3",
	Positions: "h[i%2] + i h[2 + ((i + i%2)%4)/2] modulo m, i < k",
	Sizing:    "m = -n ln p/ln^2 2, rounded up; k = (m/n) ln 2, rounded up",
	Assumes:   "the four words as independent",
	Finding:   "no difference from independent positions was seen from 1,000 bits on; at 256 bits and k = 6 the rate is 6 % higher",
	known:     []size{{1000, 0.01, 9586, 7}},
	Law:       Enclosed,
	bits:      width{step: 1, lo: 1, hi: 1 << 63},
	k:         span{1, 4096},
	rate:      paired(func(m uint64) pairs { return wrapped(word{bits: 64}, m, fourWords) }),
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		h := [4]uint64{rng.Uint64(), rng.Uint64(), rng.Uint64(), rng.Uint64()}
		for i := range uint64(k) {
			dst = append(dst, (h[i%2]+i*h[2+(i+i%2)%4/2])%m)
		}
		return dst
	}),
	own: textbookUp,
}

// textbookUp is the usual rule for choosing m and k. It rounds both up. Several libraries use it.
func textbookUp(n uint64, rate float64) (uint64, int) {
	m := math.Ceil(-float64(n) * math.Log(rate) / (math.Ln2 * math.Ln2))
	return uint64(m), int(math.Ceil(math.Ln2 * m / float64(n)))
}
