// Package parquet implements the split-block Bloom filter of the Apache Parquet format, as BloomFilter.md of
// apache/parquet-format specifies it. The header and the bitset are byte for byte the same as in other implementations.
//
// A filter has blocks of 256 bits. A block has 8 words of 32 bits. A key chooses a block and one bit in each word of
// the block. Let x be XXH64 of the key with seed 0, and B the number of blocks:
//
//	block  floor((x >> 32) B / 2^32)
//	bit i  ((x mod 2^32) salt[i] mod 2^32) >> 27, of word i
//
// The filter is a [kernel.Filter] of [bloomproof.Geometry] {M: 256 B, K: 8, Hashing: Partitioned, Block: 256} with
// other hashes. So it uses the kernels of package kernel, and exact and approx compute its rate and its size. Programs
// that write Parquet files choose the number of bits by the formula -8/ln(1-p^(1/8)) bits per key, where p is the
// wanted rate. The formula ignores that blocks have different numbers of keys. The function exact.LeastBits returns the
// smallest size for a rate.
//
// Two properties of the format deviate from the exact distribution. First, the hash of a key has 64 bits, and 32 of
// them determine its 8 positions. The filter cannot distinguish two keys with the same x. With n keys this adds n/2^64
// to the rate. (Filters of more than 2^32 blocks, which the format does not have, would also leave some blocks unused.)
// Second, the 8 positions are products of the same 32 bits, not independent draws; a test of package verify compares
// the measured rate with the exact one.
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

// Filter is a split-block filter. Any number of goroutines may read it, but a change needs exclusive access. The zero
// Filter has no bits: like a full filter it contains every key, and it has no binary form. UnmarshalBinary and ReadFrom
// turn it into a filter with bits.
type Filter struct{ bits *kernel.Filter }

// New returns an empty filter with a bitset of the given number of bytes. The number must be a multiple of 32, from 32
// to 2^31-32.
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
// be a multiple of 32, from 32 to 2^31-32 bytes. Any value of the bits is a valid filter. Memory: len(bitset).
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

// AppendBitset appends the bitset of the filter to dst. The bitset consists of the words of the blocks, each in
// little-endian order.
// Cost: O(m/64).
func (f *Filter) AppendBitset(dst []byte) []byte {
	for _, w := range f.words() {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

// Geometry returns the geometry of the filter. It has blocks of 256 bits, and 8 positions, one in each slice of a
// block. The packages exact and approx accept this geometry.
func (f *Filter) Geometry() bloomproof.Geometry {
	if f.bits == nil {
		return bloomproof.Geometry{}
	}
	return f.bits.Geometry()
}

// Add adds key and reports whether the call set a bit that was clear. The bytes of key must be the plain encoding of a
// value, as the format defines it for the value's type.
func (f *Filter) Add(key []byte) bool { return f.AddHash(xxhash.Sum64(key)) }

// AddHash does the same as Add, for a key whose XXH64 with seed 0 is x.
func (f *Filter) AddHash(x uint64) bool {
	if f.bits == nil {
		return false
	}
	return f.bits.AddHash(hashOf(x))
}

// Contains reports whether key may have been added. It always returns true for a key that was added.
func (f *Filter) Contains(key []byte) bool { return f.ContainsHash(xxhash.Sum64(key)) }

// ContainsHash does the same as Contains, for a key whose XXH64 with seed 0 is x.
func (f *Filter) ContainsHash(x uint64) bool {
	if f.bits == nil {
		return true
	}
	return f.bits.ContainsHash(hashOf(x))
}

// hashBlock is the number of keys that are hashed at a time. The hashes take 2 KiB on the stack. A batch of package
// kernel has the same number of hashes.
const hashBlock = 128

// hashAll sets h[i] to the hash of keys[i], up to the shorter length of h and keys. It returns these hashes and the
// remaining keys.
func hashAll(h []kernel.Hash, keys [][]byte) ([]kernel.Hash, [][]byte) {
	n := min(len(h), len(keys))
	for i, key := range keys[:n] {
		h[i] = hashOf(xxhash.Sum64(key))
	}
	return h[:n], keys[n:]
}

// AddBatch calls Add for each of the keys in turn and appends the results to dst. The memory reads of many keys
// overlap. It allocates nothing if dst has room.
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

// ContainsBatch appends to dst the result of Contains for each of the keys. It allocates nothing if dst has room.
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

// Equal reports whether f and g have the same bits.
// Cost: O(m/64).
func (f *Filter) Equal(g *Filter) bool {
	return f.Geometry() == g.Geometry() && slices.Equal(f.words(), g.words())
}

// The method words returns a copy of the words of the filter. It returns no words for the zero Filter.
func (f *Filter) words() []uint64 {
	if f.bits == nil {
		return nil
	}
	return f.bits.AppendWords(nil)
}

// Union adds the keys of g to f.
// Errors: *bloomproof.ParamError if the sizes differ; f is then unchanged.
func (f *Filter) Union(g *Filter) error {
	if f.bits == nil || g.bits == nil {
		if f.bits == g.bits {
			return nil
		}
		return &bloomproof.ParamError{Param: "m", Value: g.Geometry().M, Want: fmt.Sprint(f.Geometry().M)}
	}
	return f.bits.Union(g.bits)
}

// Rate returns the probability that the filter contains a new key, given the present bits. It assumes that the
// positions of a key are independent. For a block the probability is the product of the shares of set bits in its
// words, and Rate returns the mean over the blocks. Error and cost: the same as for kernel.Filter.Rate.
func (f *Filter) Rate() float64 {
	if f.bits == nil {
		return 1
	}
	return f.bits.Rate()
}

// Items estimates how many distinct keys were added, and reports whether the estimate is bounded. The estimate is
// unbounded if all bits are set.
// Error: the same as for kernel.Filter.Items.
func (f *Filter) Items() (n float64, bounded bool) {
	if f.bits == nil {
		return 0, true
	}
	return f.bits.Items()
}
