package like

import (
	"math"

	"github.com/bloomproof/bloomproof/internal/shapes"
)

const (
	formatBlocks = 1<<26 - 1 // the header has the number of bytes as an int32
	splitMost    = 1 << 30   // the limit in bits of most writers
)

// splitBlock returns a copy of f. It sets the fields that are the same for all filters of the Parquet format. These
// filters have blocks of 256 bits. A block consists of eight words of 32 bits. A key sets one bit in each word of its
// block. Most writers choose a power of two as m.
func splitBlock(f Filter) *Filter {
	f.Hash = "XXH64, 64 bits"
	f.Positions = "the high 32 bits choose a block of 256 bits by multiply-shift; the low 32, times 8 odd constants, choose a bit in each of its 8 words"
	f.Assumes = "the 8 products of the low 32 bits of different keys as independent"
	f.Law = Enclosed
	f.k = span{8, 8}
	f.ideal = shapes.Words(32)
	f.rate = sharing(32, 32)
	if f.bits.step == 0 {
		f.bits = width{step: 256, lo: 256, hi: splitMost, power: true}
	}
	return &f
}

// Most writers use the formula naiveSplitBits for the number of bits of a split-block filter. It wrongly assumes that
// all blocks have equally many keys.
func naiveSplitBits(n uint64, rate float64) float64 {
	return -8 * float64(n) / math.Log(1-math.Pow(rate, 1./8))
}

var parquet = splitBlock(Filter{
	Name:    "parquet",
	Version: "2.14.0-SNAPSHOT (24102ed)",
	Source:  "apache/parquet-format BloomFilter.md",
	Sizing:  "m = -8n/ln(1-p^(1/8)), the formula of most writers, rounded up to whole blocks; the specification has a table of bits a key in place of it",
	Finding: "the specification's table is right; if a filter is sized by the formula of the writers, its rate is 1.46 times the rate asked for at 1 %, and 5.5 times at 0.001 %",
	known:   []size{{1_000_000, 0.01, 9681664, 8}, {1 << 40, 0.01, 0, 0}},
	bits:    width{step: 256, lo: 256, hi: 256 * formatBlocks},
	own: func(n uint64, rate float64) (uint64, int) {
		blocks := math.Ceil(max(1, naiveSplitBits(n, rate)/256))
		if blocks > formatBlocks {
			return 0, 0
		}
		return 256 * uint64(blocks), 8
	},
})

var arrowCPP = splitBlock(Filter{
	Name:    "arrow-cpp",
	Version: "26.0.0-SNAPSHOT (515410b)",
	Source:  "apache/arrow cpp/src/parquet/bloom_filter.h",
	Sizing:  "m = -8n/ln(1-p^(1/8)), rounded up to a power of two, at most 2^30",
	Finding: "the formula asks for too few bits; rounding up to a power of two hides this, unless the formula's number of bits is just below a power of two",
	known: []size{ // cpp/src/parquet/bloom_filter_test.cc, OptimalValueTest
		{256, 0.01, 4096, 8}, {512, 0.01, 8192, 8}, {1024, 0.01, 16384, 8}, {2048, 0.01, 32768, 8},
		{200, 0.01, 2048, 8}, {300, 0.01, 4096, 8}, {700, 0.01, 8192, 8}, {1500, 0.01, 16384, 8},
		{4, 0.01, 256, 8}, {4, 0.25, 256, 8}, {1<<32 - 1, 0.01, 1 << 30, 8}, {1<<32 - 1, 0.25, 1 << 30, 8},
	},
	own: func(n uint64, rate float64) (uint64, int) {
		return powerOfTwo(uint64(min(splitMost, max(256, naiveSplitBits(n, rate))))), 8
	},
})

var arrowRS = splitBlock(Filter{
	Name:    "arrow-rs",
	Version: "59.2.0 (cd7c6b8)",
	Source:  "apache/arrow-rs parquet/src/bloom_filter/mod.rs",
	Sizing:  "as arrow-cpp, in bytes: m/8 rounded down, then up to a power of two",
	Finding: "as arrow-cpp",
	known:   []size{{10, 0.01, 256, 8}, {100, 0.01, 1024, 8}, {1_000_000, 0.001, 8 << 21, 8}}, // in the file, 968 bits are 121 bytes
	own: func(n uint64, rate float64) (uint64, int) {
		return 8 * powerOfTwo(min(splitMost/8, max(32, uint64(min(naiveSplitBits(n, rate), 1<<62))/8))), 8
	},
})

var arrowGo = splitBlock(Filter{
	Name:    "arrow-go",
	Version: "18.5.2",
	Source:  "apache/arrow-go parquet/metadata/bloom_filter.go",
	Sizing:  "as arrow-cpp up to 2^24 bits by the formula; 2^30 bits beyond",
	Finding: "a filter for which the formula asks for more than 2 MiB gets 128 MiB",
	known:   []size{{1024 * 1024, 0.01, 8 << 21, 8}, {128 << 20, 0.9, 1 << 30, 8}}, // parquet/metadata/bloom_filter_test.go
	own: func(n uint64, rate float64) (uint64, int) {
		m := naiveSplitBits(n, rate)
		if m > splitMost>>6 {
			return splitMost, 8
		}
		return powerOfTwo(uint64(max(256, m))), 8
	},
})

var parquetJava = splitBlock(Filter{
	Name:    "parquet-java",
	Version: "1.18.0 (a3a1de1)",
	Source:  "apache/parquet-java parquet-column/.../bloomfilter/BlockSplitBloomFilter.java, ColumnValueCollector.java",
	Sizing:  "as arrow-cpp, but at most 2^23 bits (parquet.bloom.filter.max.bytes is 1 MiB by default)",
	Finding: "with the default limit of 1 MiB, the filter of a column with a million distinct values has a rate of 2.7 %, however low the rate asked for is",
	known:   []size{{1_000_000, 0.01, 1 << 23, 8}, {1000, 0.01, 16384, 8}},
	own: func(n uint64, rate float64) (uint64, int) {
		m := uint64(min(splitMost, naiveSplitBits(n, rate)))
		// The library then applies the mask ^256. This mask clears only one bit of the number m+255. The mask ^255
		// would round m up to whole blocks.
		m = max(256, (m+255)&^256)
		return min(1<<23, 8*powerOfTwo(max(32, m/8))), 8
	},
})

// powerOfTwo returns the least power of two that is at least x.
func powerOfTwo(x uint64) uint64 {
	p := uint64(1)
	for p < x {
		p *= 2
	}
	return p
}
