package like

import (
	mathbits "math/bits"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof/internal/shapes"
)

// Users of RocksDB and LevelDB choose the bits per key, which determine k. These libraries have no rule that computes
// the bits per key from a false-positive rate.

var rocksdb = &Filter{
	Name:      "rocksdb",
	Version:   "11.9.0 (1dfa729)",
	Source:    "facebook/rocksdb util/bloom_impl.h, table/block_based/filter_policy.cc",
	Hash:      "a preview of XXH3, 64 bits: h1 and h2 of 32",
	Positions: "h1 chooses a block of 512 bits by multiply-shift; the high 9 bits of h2, of h2 c, of h2 c^2, ... (c = 0x9e3779b9) are bits in it (fast local)",
	Sizing:    "bits a key are given (10 as a rule): m = n times them, rounded up to whole blocks; k from a table, such as 6 up to 10.07 bits a key and 9 up to 16.05, at most 24",
	Assumes:   "nothing but an ideal hash",
	Finding:   "no difference from independent positions in the block was seen at 10 bits a key and k = 6",
	Law:       Simulated,
	Unproven:  "pairs of positions are nearly independent, but in a block of 512 bits a key often shares three or more with others, and for these no bound is known",
	bits:      width{step: 512, lo: 512, hi: (1<<32 - 64) * 8},
	k:         span{1, 24},
	ideal:     shapes.Line(),
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		x := rng.Uint64()
		start, h := x>>32*(m/512)>>32*512, uint32(x)
		for range k {
			dst = append(dst, start+uint64(h>>23))
			h *= 0x9e3779b9
		}
		return dst
	}),
}

// rocksdbLegacySteps describes positions by a start in a block and a step from one position to the next. The start is
// the low 9 bits of h. The step is bits 17 to 25 of h, which are the low 9 bits after a rotation by 17.
var rocksdbLegacySteps = &inBlock{
	size:   512,
	offset: func(step uint64, i int) uint64 { return uint64(i) * step },
	shares: remainders([]uint{9, 10, 11, 12, 13, 14, 15, 16, 26, 27, 28, 29, 30, 31}),
}

var rocksdbLegacy = &Filter{
	Name:      "rocksdb-legacy",
	Version:   "11.9.0 (1dfa729)",
	Source:    "facebook/rocksdb util/bloom_impl.h, table/block_based/filter_policy.cc",
	Hash:      "LevelDB's, 32 bits",
	Positions: "the hash h modulo the odd number of blocks of 512 bits chooses one; h + id modulo 512 are bits in it, d being h rotated right by 17 (format_version below 5)",
	Sizing:    "bits a key are given: m = n times them, rounded up to an odd number of blocks; k = 0.69 times them, rounded down, 1 to 30",
	Assumes:   "nothing but an ideal hash",
	Finding:   "a key has only one position if its step is a multiple of 512, and few positions for other multiples of large powers of two: the rate is 1.2 times the rate of independent positions at 10 bits a key, and 60 times at 25 (rocksdb#4120); the bounds are close to each other up to about 50 blocks",
	Law:       Enclosed,
	bits:      width{step: 1024, lo: 512, hi: 0xffff0000/1024*1024 + 512},
	k:         span{1, 30},
	ideal:     shapes.Line(),
	rate:      rocksdbLegacySteps.rate,
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		h := uint32(rng.Uint64() >> 32)
		start, step := uint64(h)%(m/512)*512, mathbits.RotateLeft32(h, -17)
		for range k {
			dst = append(dst, start+uint64(h%512))
			h += step
		}
		return dst
	}),
}

var leveldb = &Filter{
	Name:      "leveldb",
	Version:   "1.23 (78a352f)",
	Source:    "google/leveldb util/bloom.cc",
	Hash:      "its own, 32 bits",
	Positions: "h + id in 32 bits, modulo m, i < k, d being h rotated right by 17",
	Sizing:    "bits a key are given (10 as a rule): m = n times them, at least 64, rounded up to bytes; k = 0.69 times them, rounded down, 1 to 30",
	Assumes:   "nothing but an ideal hash",
	Finding:   "the step d is the hash h itself, rotated, and h + 2d is 65,537 times one of 196,606 numbers, so most bits of a large filter are never the third position of a key: at 10 bits a key, the rate is above the rate of independent positions by 3 % for 2,000 keys, and by 45 % to 75 % for 100,000",
	Law:       Simulated,
	Unproven:  "the words are sums of the two parts of h, 15 and 17 bits, with factors: some positions are far from even, and no bound is known for pairs of them",
	bits:      width{step: 8, lo: 64, hi: 1 << 32},
	k:         span{1, 30},
	twin: each(func(dst []uint64, rng *rand.Rand, m uint64, k int) []uint64 {
		h := uint32(rng.Uint64() >> 32)
		step := mathbits.RotateLeft32(h, -17)
		for range k {
			dst = append(dst, uint64(h)%m)
			h += step
		}
		return dst
	}),
}
