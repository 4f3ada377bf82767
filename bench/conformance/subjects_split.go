package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/bloomproof/bloomproof/internal/shapes"
	"github.com/bloomproof/bloomproof/kernel"
	ours "github.com/bloomproof/bloomproof/kernel/compat/parquet"
	"github.com/bloomproof/bloomproof/verify/conform"
	parquet "github.com/parquet-go/parquet-go/bloom"
)

// splitBlock is the text that describes filters of the Parquet format. In such a filter a key always has 8 positions.
const splitBlock = "split block: blocks of 256 bits, partitioned by 8; XXH64"

// The variable split is the shape of the blocks of the Parquet format.
var split = shapes.Words(32)

func parquetOfOurs() conform.Subject[*ours.Filter] {
	return conform.Subject[*ours.Filter]{
		Hashing:   split.Hashing,
		BlockBits: split.Block,
		New:       func(m uint64, _ int) (*ours.Filter, error) { return ours.New(int(m / 8)) },
		Shape: func(f *ours.Filter) (uint64, int) {
			g := f.Geometry()
			return g.M, g.K
		},
		Add:           func(f *ours.Filter, key []byte) { f.Add(key) },
		Contains:      (*ours.Filter).Contains,
		AddBatch:      func(f *ours.Filter, keys [][]byte) { f.AddBatch(nil, keys) },
		ContainsBatch: func(f *ours.Filter, keys [][]byte) []bool { return f.ContainsBatch(nil, keys) },
		TestAndAdd:    func(f *ours.Filter, key []byte) bool { return !f.Add(key) }, // no bit was new
		Bits:          func(f *ours.Filter) uint64 { return uint64(kernel.Count(words(f.AppendBitset(nil)))) },
		Words:         func(f *ours.Filter) []uint64 { return words(f.AppendBitset(nil)) },
		Union:         (*ours.Filter).Union,
		Items: func(f *ours.Filter) float64 {
			n, _ := f.Items()
			return n
		},
		Rate:    (*ours.Filter).Rate,
		Marshal: func(f *ours.Filter) ([]byte, error) { return f.AppendBitset(nil), nil },
		Unmarshal: func(f *ours.Filter, data []byte) error {
			g, err := ours.FromBitset(data)
			if err == nil {
				*f = *g
			}
			return err
		},
		ConcurrentReads: true,
	}
}

type splitBlocks struct{ f parquet.SplitBlockFilter }

func parquetGo() conform.Subject[*splitBlocks] {
	var hash parquet.XXH64
	return conform.Subject[*splitBlocks]{
		Hashing:   split.Hashing,
		BlockBits: split.Block,
		New: func(m uint64, _ int) (*splitBlocks, error) {
			if m == 0 || m%split.Block > 0 { // look-ups in an empty filter would read beyond its end
				return nil, fmt.Errorf("%d bits are no whole blocks", m)
			}
			return &splitBlocks{make(parquet.SplitBlockFilter, m/split.Block)}, nil
		},
		Shape:    func(f *splitBlocks) (uint64, int) { return uint64(len(f.f)) * split.Block, split.K },
		Add:      func(f *splitBlocks, key []byte) { f.f.Insert(hash.Sum64(key)) },
		Contains: func(f *splitBlocks, key []byte) bool { return f.f.Check(hash.Sum64(key)) },
		Bits:     func(f *splitBlocks) uint64 { return uint64(kernel.Count(words(f.f.Bytes()))) },
		Words:    func(f *splitBlocks) []uint64 { return words(f.f.Bytes()) },
		Reset:    func(f *splitBlocks) { f.f.Reset() },
		Marshal:  func(f *splitBlocks) ([]byte, error) { return slices.Clone(f.f.Bytes()), nil },
		Unmarshal: func(f *splitBlocks, data []byte) error {
			f.f = parquet.MakeSplitBlockFilter(slices.Clone(data))
			return nil
		},
		ConcurrentReads: true,
	}
}

// arrowFilter is the filter of arrow-go. The library has one interface for creating it and another for looking up keys.
// It cannot read a bitset outside a Parquet file.
type arrowFilter interface {
	metadata.BloomFilterBuilder
	metadata.BloomFilter
}

// mostArrow is the size, in bytes, of the largest bitset that arrow-go permits.
const mostArrow = 128 << 20

func arrowGo() conform.Subject[arrowFilter] {
	bits := func(f arrowFilter) []uint64 {
		var b bytes.Buffer
		_, _ = f.WriteTo(&b, nil) // writes to memory cannot fail
		return words(b.Bytes())
	}
	return conform.Subject[arrowFilter]{
		Hashing:   split.Hashing,
		BlockBits: split.Block,
		New: func(m uint64, _ int) (arrowFilter, error) {
			if m/8 > mostArrow {
				return nil, fmt.Errorf("more than %d bytes", mostArrow)
			}
			return metadata.NewBloomFilter(uint32(m/8), mostArrow, memory.DefaultAllocator).(arrowFilter), nil
		},
		Shape:    func(f arrowFilter) (uint64, int) { return uint64(f.Size()) * 8, split.K },
		Add:      func(f arrowFilter, key []byte) { f.InsertHash(f.Hasher().Sum64(key)) },
		Contains: func(f arrowFilter, key []byte) bool { return f.CheckHash(f.Hasher().Sum64(key)) },
		AddBatch: func(f arrowFilter, keys [][]byte) { f.InsertBulk(f.Hasher().Sum64s(keys)) },
		Bits:     func(f arrowFilter) uint64 { return uint64(kernel.Count(bits(f))) },
		Words:    bits,
		Size: func(n uint64, rate float64) (uint64, int) {
			f := metadata.NewBloomFilterFromNDVAndFPP(uint32(n), rate, mostArrow, memory.DefaultAllocator)
			return uint64(f.Size()) * 8, split.K
		},
		ConcurrentReads: true,
	}
}

func words(b []byte) []uint64 {
	out := make([]uint64, (len(b)+7)/8)
	for i, x := range b {
		out[i/8] |= uint64(x) << (i % 8 * 8)
	}
	return out
}
