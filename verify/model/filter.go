package model

import (
	"maps"
	"math/big"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// Filter is the model of kernel.Filter. It has the positions of the keys in the filter.
type Filter struct {
	g    bloomproof.Geometry
	keys map[kernel.Hash]bool
	set  map[uint64]bool          // the positions of set bits
	memo map[kernel.Hash][]uint64 // a cache of positions
}

// NewFilter returns an empty model of geometry g, which must be valid with m <= 2^48.
func NewFilter(g bloomproof.Geometry) *Filter {
	hashingOf(g) // panics early
	return &Filter{g: g, keys: map[kernel.Hash]bool{}, set: map[uint64]bool{}, memo: map[kernel.Hash][]uint64{}}
}

func (f *Filter) positions(h kernel.Hash) []uint64 {
	pos, met := f.memo[h]
	if !met {
		pos = Positions(f.g, h)
		f.memo[h] = pos
	}
	return pos
}

// Add adds the key h, and reports whether this addition set a bit.
func (f *Filter) Add(h kernel.Hash) bool {
	before := len(f.set)
	f.keys[h] = true
	for _, p := range f.positions(h) {
		f.set[p] = true
	}
	return len(f.set) > before
}

// Contains reports whether all positions of h are set.
func (f *Filter) Contains(h kernel.Hash) bool { return holds(f.set, f.positions(h)) }

func holds(set map[uint64]bool, pos []uint64) bool {
	return !slices.ContainsFunc(pos, func(p uint64) bool { return !set[p] })
}

// Keys returns the hashes that were added since the last Clear, except hashes that an intersection removed.
func (f *Filter) Keys() []kernel.Hash { return slices.Collect(maps.Keys(f.keys)) }

// Bits returns the number of set bits.
func (f *Filter) Bits() uint64 { return uint64(len(f.set)) }

// Words returns the bits as words: bit i of the filter is bit i&63 of word i>>6.
func (f *Filter) Words() []uint64 { return bitWords(f.g.M, f.set) }

func bitWords(m uint64, set map[uint64]bool) []uint64 {
	words := make([]uint64, (m+63)/64)
	for p := range set {
		words[p/64] |= 1 << (p % 64)
	}
	return words
}

// Rate returns the probability that all positions of a new key are set.
func (f *Filter) Rate() *big.Rat { return rate(f.g, f.set) }

// Clear makes the model empty again.
func (f *Filter) Clear() {
	clear(f.keys)
	clear(f.set)
}

// Union adds the keys of o.
func (f *Filter) Union(o *Filter) {
	maps.Copy(f.keys, o.keys)
	maps.Copy(f.set, o.set)
}

// Intersect keeps only the bits that are also set in o.
func (f *Filter) Intersect(o *Filter) {
	maps.DeleteFunc(f.keys, func(h kernel.Hash, _ bool) bool { return !o.keys[h] })
	maps.DeleteFunc(f.set, func(p uint64, _ bool) bool { return !o.set[p] })
}
