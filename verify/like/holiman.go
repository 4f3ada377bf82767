package like

import (
	mathbits "math/bits"
	"math/rand/v2"
)

var holiman = &Filter{
	Name:      "holiman",
	Version:   "2.0.3",
	Source:    "holiman/bloomfilter bloomfilter.go, new.go",
	Hash:      "64 bits that the caller gives, and k random keys of the filter",
	Positions: "the hash rotated by 17 bits and xored with the next key, again and again, each time modulo m",
	Sizing:    "m = -n ln p/ln^2 2, rounded up; k = (m/n) ln 2, rounded up",
	Assumes:   "keys of the filter as drawn anew for each",
	Finding:   "all positions are windows of the same 64 bits; if m is a power of two and k log2 m is above 64, these windows overlap, and the rate is 1 % to 5 % higher",
	known:     []size{{1000, 0.01, 9586, 7}},
	Law:       Simulated,
	Unproven:  "all keys of a filter share its random keys, and no bound is known for the remainders of two rotations of one hash after the exclusive or",
	bits:      width{step: 1, lo: 2, hi: 1 << 63},
	k:         span{1, 4096},
	twin: func(rng *rand.Rand, m uint64, k int) func([]uint64) []uint64 {
		keys := make([]uint64, k)
		for i := range keys {
			keys[i] = rng.Uint64()
		}
		return func(dst []uint64) []uint64 {
			h := rng.Uint64()
			for _, key := range keys {
				h = mathbits.RotateLeft64(h, 17) ^ key
				dst = append(dst, h%m)
			}
			return dst
		}
	},
	own: textbookUp,
}
