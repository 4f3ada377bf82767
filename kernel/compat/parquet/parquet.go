// Package parquet implements the split-block Bloom filter of the Apache Parquet format, as BloomFilter.md of
// apache/parquet-format specifies it. The header and the bitset are the same, byte for byte, as those of other
// implementations.
//
// A filter consists of blocks of 256 bits. A block consists of 8 words of 32 bits. A key has one block, and one bit in
// each word of this block. Let x be the XXH64 hash of the key, with seed 0, and let B be the number of blocks. The
// number of the key's block is:
//
//	floor((x >> 32) B / 2^32).
//
// In word i of the block, the key has the bit with this number:
//
//	((x mod 2^32) salt[i] mod 2^32) >> 27.
//
// The filter is a [kernel.Filter] with other hashes. Its [bloomproof.Geometry] is {M: 256 B, K: 8, Hashing:
// Partitioned, Block: 256}. So it uses the kernels of package kernel. Packages exact and approx can compute its
// false-positive rate and its size. Let p be the wanted rate. For each key, programs that write Parquet files use this
// number of bits:
//
//	-8/ln(1-p^(1/8)).
//
// This formula assumes that every block has the same number of keys. The function exact.LeastBits returns the smallest
// number of bits for a given rate.
//
// The rate of the format differs slightly from the rate that package exact computes, for two reasons. First, the hash x
// of a key has 64 bits, and 32 of them determine its 8 positions. Two keys with the same x cannot be distinguished.
// With n keys this adds n/2^64 to the rate. In a filter with more than 2^32 blocks, no key would use some of the
// blocks. But the format permits no such filter. Second, all 8 positions are computed from the same 32 bits of the
// hash. So these positions are not independent. A test of package verify compares the measured rate with the exact one.
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

// Filter is a split-block Bloom filter. Many goroutines may read a filter at the same time. A goroutine that changes a
// filter needs exclusive use of it. The zero Filter has no bits. It contains every key, as a full filter does, and it
// has no binary form. Use UnmarshalBinary or ReadFrom to read a filter with bits into it.
type Filter struct{ bits *kernel.Filter }

// New returns an empty filter with a bitset of the given number of bytes. This number must be a multiple of 32, from 32
// to 2^31-32.
// Errors: *bloomproof.ParamError for any other number, and if the host has too little memory.
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

// FromBitset returns a filter with a copy of the given bitset. The number of bytes of the bitset must be a multiple of
// 32, from 32 to 2^31-32. All values of the bits are accepted. Memory: len(bitset) bytes.
// Errors: *bloomproof.ParamError for any other number of bytes, and if the host has too little memory.
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

// AppendBitset appends the bitset of the filter to dst. The bitset has the words of all blocks, with the lowest byte of
// each word first.
// Cost: O(m/64).
func (f *Filter) AppendBitset(dst []byte) []byte {
	for _, w := range f.words() {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

// Geometry returns the geometry of the filter. Its blocks have 256 bits, and each of the 8 positions of a key is in its
// own slice of a block. Packages exact and approx accept this geometry.
func (f *Filter) Geometry() bloomproof.Geometry {
	if f.bits == nil {
		return bloomproof.Geometry{}
	}
	return f.bits.Geometry()
}

// Add adds key, and reports whether it set a bit that was clear before. The bytes of key must be the plain encoding of
// a value. The format defines this encoding for each type of values.
func (f *Filter) Add(key []byte) bool { return f.AddHash(xxhash.Sum64(key)) }

// AddHash does the same as Add, for a key whose XXH64 hash with seed 0 is x.
func (f *Filter) AddHash(x uint64) bool {
	if f.bits == nil {
		return false
	}
	return f.bits.AddHash(hashOf(x))
}

// Contains reports whether the bits at all positions of key are set, so that key may have been added. It always returns
// true for a key that was added.
func (f *Filter) Contains(key []byte) bool { return f.ContainsHash(xxhash.Sum64(key)) }

// ContainsHash does the same as Contains, for a key whose XXH64 hash with seed 0 is x.
func (f *Filter) ContainsHash(x uint64) bool {
	if f.bits == nil {
		return true
	}
	return f.bits.ContainsHash(hashOf(x))
}

// hashBlock is the number of keys that are hashed together. Their hashes take 2 KiB on the stack. The number is the
// same as in the batches of package kernel.
const hashBlock = 128

// hashAll hashes the first min(len(h), len(keys)) keys. It sets h[i] to the hash of keys[i]. It returns these hashes,
// and the keys that are not hashed yet.
func hashAll(h []kernel.Hash, keys [][]byte) ([]kernel.Hash, [][]byte) {
	n := min(len(h), len(keys))
	for i, key := range keys[:n] {
		h[i] = hashOf(xxhash.Sum64(key))
	}
	return h[:n], keys[n:]
}

// AddBatch calls Add for each of the keys in turn and appends the results to dst. It reads the bits of many keys at the
// same time. It allocates nothing if dst has room for the results.
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

// ContainsBatch appends to dst the result of Contains for each of the keys. It allocates nothing if dst has room for
// the results.
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

// Bits returns the number of set bits. Its cost is O(1).
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

// Clone returns a copy that is independent of f.
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

// The method "words" returns a copy of the words of the filter. The zero Filter has no words.
func (f *Filter) words() []uint64 {
	if f.bits == nil {
		return nil
	}
	return f.bits.AppendWords(nil)
}

// Union adds the keys of g to f.
// Errors: *bloomproof.ParamError if f and g differ in size. After an error, f is unchanged.
func (f *Filter) Union(g *Filter) error {
	if f.bits == nil || g.bits == nil {
		if f.bits == g.bits {
			return nil
		}
		return &bloomproof.ParamError{Param: "m", Value: g.Geometry().M, Want: fmt.Sprint(f.Geometry().M)}
	}
	return f.bits.Union(g.bits)
}

// Rate returns the probability that a new key is found in the filter, given the bits that are set now. It assumes that
// the positions of a key are independent. For one block, this probability is a product with one factor for each word of
// the block. The factor is the share of the word's bits that are set. Rate returns the mean of these probabilities over
// all blocks. Error and cost: as for kernel.Filter.Rate.
func (f *Filter) Rate() float64 {
	if f.bits == nil {
		return 1
	}
	return f.bits.Rate()
}

// Items estimates how many distinct keys were added. If all bits are set, the number of keys has no upper bound, and
// the result "bounded" is false.
// Error: as for kernel.Filter.Items.
func (f *Filter) Items() (n float64, bounded bool) {
	if f.bits == nil {
		return 0, true
	}
	return f.bits.Items()
}
