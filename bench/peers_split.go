package bench

import (
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/bloomproof/bloomproof/kernel"
	parquet "github.com/parquet-go/parquet-go/bloom"
	"github.com/zeebo/xxh3"
)

type splitBlock struct{ f parquet.SplitBlockFilter }

func newParquet(m uint64, _ int) (Filter, error) {
	return splitBlock{make(parquet.SplitBlockFilter, m/256)}, nil
}

// Add adds keys to a SplitBlockFilter, given their hashes.
func (p splitBlock) Add(keys [][]byte) {
	for _, key := range keys {
		p.f.Insert(xxh3.Hash(key))
	}
}

// Contains returns how many of the keys the filter contains.
func (p splitBlock) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if p.f.Check(xxh3.Hash(key)) {
			found++
		}
	}
	return found
}

// AddHashes adds keys. It uses only the first word of each hash.
func (p splitBlock) AddHashes(h []kernel.Hash) {
	for _, x := range h {
		p.f.Insert(x.H0)
	}
}

// ContainsHashes looks up keys and returns the number of hits. It uses only the first word of each hash.
func (p splitBlock) ContainsHashes(h []kernel.Hash) (found int) {
	for _, x := range h {
		if p.f.Check(x.H0) {
			found++
		}
	}
	return found
}

// Batch returns the batch form of the filter.
func (p splitBlock) Batch() Filter { return &splitBlockBulk{splitBlock: p} }

// splitBlockBulk is a SplitBlockFilter that adds keys by InsertBulk.
type splitBlockBulk struct {
	splitBlock
	hashes []uint64
}

func newParquetBulk(m uint64, k int) (Filter, error) {
	f, err := newParquet(m, k)
	return f.(splitBlock).Batch(), err
}

// Add adds all keys in one call, given their hashes.
func (p *splitBlockBulk) Add(keys [][]byte) {
	p.hashes = sums(p.hashes[:0], keys)
	p.f.InsertBulk(p.hashes)
}

// AddHashes adds all keys in one call. It uses only the first word of each hash.
func (p *splitBlockBulk) AddHashes(h []kernel.Hash) {
	p.hashes = firsts(p.hashes[:0], h)
	p.f.InsertBulk(p.hashes)
}

// sums appends the hashes of the given keys to dst.
func sums(dst []uint64, keys [][]byte) []uint64 {
	for _, key := range keys {
		dst = append(dst, xxh3.Hash(key))
	}
	return dst
}

// The function firsts appends the first word of each hash to dst.
func firsts(dst []uint64, h []kernel.Hash) []uint64 {
	for _, x := range h {
		dst = append(dst, x.H0)
	}
	return dst
}

// arrowFilter has the methods of the filter of arrow-go, whose type is not exported.
type arrowFilter interface {
	InsertHash(hash uint64)
	InsertBulk(hashes []uint64)
	CheckHash(hash uint64) bool
}

type arrow struct{ f arrowFilter }

func newArrow(m uint64, _ int) (Filter, error) {
	if m&(m-1) != 0 || m < 256 || m > mostArrow {
		return nil, fmt.Errorf("arrow-go takes a power of two up to 2^30, not %d bits", m)
	}
	f, ok := metadata.NewBloomFilter(uint32(m/8), uint32(m/8), memory.DefaultAllocator).(arrowFilter)
	if !ok {
		return nil, errors.New("arrow-go: the filter has no look-up")
	}
	return arrow{f}, nil
}

// Add adds keys to a filter of arrow-go, given their hashes.
func (p arrow) Add(keys [][]byte) {
	for _, key := range keys {
		p.f.InsertHash(xxh3.Hash(key))
	}
}

// Contains returns how many of the keys the filter contains.
func (p arrow) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if p.f.CheckHash(xxh3.Hash(key)) {
			found++
		}
	}
	return found
}

// AddHashes adds keys. It uses only the first word of each hash.
func (p arrow) AddHashes(h []kernel.Hash) {
	for _, x := range h {
		p.f.InsertHash(x.H0)
	}
}

// ContainsHashes looks up keys and returns the number of hits. It uses only the first word of each hash.
func (p arrow) ContainsHashes(h []kernel.Hash) (found int) {
	for _, x := range h {
		if p.f.CheckHash(x.H0) {
			found++
		}
	}
	return found
}

// Batch returns the batch form of the filter.
func (p arrow) Batch() Filter { return &arrowBulk{arrow: p} }

// arrowBulk is a filter of arrow-go that adds keys by InsertBulk.
type arrowBulk struct {
	arrow
	hashes []uint64
}

func newArrowBulk(m uint64, k int) (Filter, error) {
	f, err := newArrow(m, k)
	if err != nil {
		return nil, err
	}
	return f.(arrow).Batch(), nil
}

// Add adds all keys in one call, given their hashes.
func (p *arrowBulk) Add(keys [][]byte) {
	p.hashes = sums(p.hashes[:0], keys)
	p.f.InsertBulk(p.hashes)
}

// AddHashes adds all keys in one call. It uses only the first word of each hash.
func (p *arrowBulk) AddHashes(h []kernel.Hash) {
	p.hashes = firsts(p.hashes[:0], h)
	p.f.InsertBulk(p.hashes)
}
