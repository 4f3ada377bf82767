// Package parquet is the split-block Bloom filter of the Apache Parquet format, as
// apache/parquet-format's BloomFilter.md specifies it: the header and the bitset are byte for byte those
// that other implementations write and read.
//
// A filter has blocks of 256 bits, which are 8 words of 32. A key chooses a block and one bit
// in each of the block's words. For x, XXH64 of the key with seed 0, and B blocks:
//
//	block  floor((x >> 32) B / 2^32)
//	bit i  ((x mod 2^32) salt[i] mod 2^32) >> 27, of word i
//
// It is a [kernel.Filter] of [bloomproof.Geometry] {M: 256 B, K: 8, Hashing: Partitioned, Block: 256} that is given
// other hashes. So its kernels do the work, and exact and approx compute its rate and its size. The writers' own
// formula, -8/ln(1-p^(1/8)) bits a key, ignores that blocks are unevenly full; exact.LeastBits gives the smallest size
// for a rate.
//
// Two properties of the format deviate from the exact distribution. First, a key has 64 bits of hash, and 32 of them
// give its 8 positions. Two keys with the same x are one key, which adds n/2^64 to the rate. (Filters of more than 2^32
// blocks, which the format does not have, would also miss blocks.) Second, the 8 positions are products of the same 32
// bits, not independent draws; a test of package verify compares the measured rate with the exact one.
package parquet

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/kernel/compat/internal/array"
)

// Filter is a split-block filter. Changing it needs exclusive use; any number of goroutines may read it. The zero
// Filter has no bits: like a full filter it contains every key, and it has no binary form. UnmarshalBinary and ReadFrom
// turn it into a filter with bits.
type Filter struct{ bits *kernel.Filter }

// New returns an empty filter whose bitset has so many bytes: a multiple of 32, from 32 to
// 2^31-32.
// Errors: *bloomproof.ParamError.
func New(bytes int) (*Filter, error) {
	if bytes < blockBytes || bytes > maxBytes || bytes%blockBytes != 0 {
		return nil, &bloomproof.ParamError{
			Param: "bytes", Value: bytes, Want: fmt.Sprintf("a multiple of %d from %d to %d", blockBytes, blockBytes, maxBytes),
		}
	}
	bits, err := kernel.New(geometry(bytes), kernel.Options{})
	if err != nil {
		return nil, err
	}
	return &Filter{bits}, nil
}

// FromBitset returns a filter with the bits of a bitset of the format, which it copies. The length of the bitset must
// be a multiple of 32, from 32 to 2^31-32 bytes; every content is a filter. Memory: len(bitset).
// Errors: *bloomproof.ParamError.
func FromBitset(bitset []byte) (*Filter, error) {
	f, err := New(len(bitset))
	if err != nil {
		return nil, err
	}
	words := make([]uint64, len(bitset)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(bitset[8*i:])
	}
	if err := f.bits.SetWords(words); err != nil {
		return nil, err
	}
	return f, nil
}

// AppendBitset appends the filter's bitset to dst: the words of its blocks in little-endian
// order.
// Cost: O(m/64).
func (f *Filter) AppendBitset(dst []byte) []byte {
	for _, w := range f.words() {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

// Geometry returns the filter's m, its 8 positions, one in each slice of a block, and its blocks of 256 bits. exact and
// approx take it.
func (f *Filter) Geometry() bloomproof.Geometry {
	if f.bits == nil {
		return bloomproof.Geometry{}
	}
	return f.bits.Geometry()
}

// Add records key, in the format's plain encoding of its type, and reports whether that set a bit.
func (f *Filter) Add(key []byte) bool { return f.AddHash(xxhash.Sum64(key)) }

// AddHash is Add for a key whose XXH64 with seed 0 is x.
func (f *Filter) AddHash(x uint64) bool {
	if f.bits == nil {
		return false
	}
	return f.bits.AddHash(hashOf(x))
}

// Contains reports whether key may have been added. It is always true for a key that was.
func (f *Filter) Contains(key []byte) bool { return f.ContainsHash(xxhash.Sum64(key)) }

// ContainsHash is Contains for a key whose XXH64 with seed 0 is x.
func (f *Filter) ContainsHash(x uint64) bool {
	if f.bits == nil {
		return true
	}
	return f.bits.ContainsHash(hashOf(x))
}

// hashBlock is the number of keys hashed at a time, in 2 KiB on the stack. It is as many as a batch of package kernel
// hashes.
const hashBlock = 128

// hashAll sets h[i] to the hash of keys[i], for as many as both h and keys have. It returns those hashes and the
// remaining keys.
func hashAll(h []kernel.Hash, keys [][]byte) ([]kernel.Hash, [][]byte) {
	n := min(len(h), len(keys))
	for i, key := range keys[:n] {
		h[i] = hashOf(xxhash.Sum64(key))
	}
	return h[:n], keys[n:]
}

// AddBatch calls Add for each of the keys in turn and appends the results to dst. The reads of many keys are under way
// at once. It allocates nothing when dst has room.
func (f *Filter) AddBatch(dst []bool, keys [][]byte) []bool {
	if f.bits == nil {
		return array.Each(dst, keys, f.Add)
	}
	var buf [hashBlock]kernel.Hash
	for len(keys) > 0 {
		var h []kernel.Hash
		h, keys = hashAll(buf[:], keys)
		dst = f.bits.AddBatch(dst, kernel.KeysOf(h))
	}
	return dst
}

// ContainsBatch appends to dst the result of Contains for each of the keys. It allocates nothing when dst has room.
func (f *Filter) ContainsBatch(dst []bool, keys [][]byte) []bool {
	if f.bits == nil {
		return array.Each(dst, keys, f.Contains)
	}
	var buf [hashBlock]kernel.Hash
	for len(keys) > 0 {
		var h []kernel.Hash
		h, keys = hashAll(buf[:], keys)
		dst = f.bits.ContainsBatch(dst, kernel.KeysOf(h))
	}
	return dst
}

// Bits returns the number of set bits, in O(1).
func (f *Filter) Bits() uint64 {
	if f.bits == nil {
		return 0
	}
	return f.bits.Bits()
}

// Clear removes all keys.
func (f *Filter) Clear() {
	if f.bits != nil {
		f.bits.Clear()
	}
}

// Clone returns an independent copy.
func (f *Filter) Clone() *Filter {
	if f.bits == nil {
		return &Filter{}
	}
	return &Filter{f.bits.Clone()}
}

// Equal reports whether both have the same bits.
// Cost: O(m/64).
func (f *Filter) Equal(g *Filter) bool {
	return f.Geometry() == g.Geometry() && slices.Equal(f.words(), g.words())
}

// words returns a copy of the filter's words, none of the zero Filter.
func (f *Filter) words() []uint64 {
	if f.bits == nil {
		return nil
	}
	return f.bits.AppendWords(nil)
}

// Union adds to f the keys that g has.
// Errors: *bloomproof.ParamError when their sizes differ;
// f is then unchanged.
func (f *Filter) Union(g *Filter) error {
	if f.bits == nil || g.bits == nil {
		if f.bits == g.bits {
			return nil
		}
		return &bloomproof.ParamError{Param: "m", Value: g.Geometry().M, Want: fmt.Sprint(f.Geometry().M)}
	}
	return f.bits.Union(g.bits)
}

// Rate returns the probability that a new key is contained given the present bits, if the
// positions of a key are independent: the mean over the blocks of the product of the words'
// shares of set bits. Error and cost: those of kernel.Filter.Rate.
func (f *Filter) Rate() float64 {
	if f.bits == nil {
		return 1
	}
	return f.bits.Rate()
}

// Items estimates how many distinct keys were added, and reports whether the estimate is bounded. It is not when all
// bits are set.
// Error: that of kernel.Filter.Items.
func (f *Filter) Items() (n float64, bounded bool) {
	if f.bits == nil {
		return 0, true
	}
	return f.bits.Items()
}
