package bench

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/bits-and-blooms/bloom/v3"
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/greatroar/blobloom"
	bloomfilter "github.com/holiman/bloomfilter/v2"
	"github.com/zeebo/xxh3"
)

// Filter is what every filter is measured by: a key in, its hash included.
type Filter interface {
	Add(key []byte)
	Contains(key []byte) bool
}

// Peer is one implementation under comparison.
type Peer struct {
	Name string
	Note string // what differs from a standard filter of m bits and k positions
	New  func(m uint64, k int) (Filter, error)
}

// Ours is the name of this module's filter among Peers.
const Ours = "bloomproof"

// Peers returns the implementations, ours first. All get the same m and set k bits
// per key.
func Peers() []Peer {
	return []Peer{
		{Ours, "kernel.New, standard hashing, XXH3-128, a key at a time", newOurs},
		{"bits-and-blooms", "bloom/v3, MurmurHash3-128 of its own", newBitsAndBlooms},
		{"holiman", "bloomfilter/v2 with xxh3; takes a lock at each call", newHoliman},
		{"blobloom", "blobloom v0.8.1 with xxh3; blocked: the k bits lie in one cache line, which costs one miss and a higher rate", newBlobloom},
	}
}

type ours struct{ f *kernel.Filter }

func newOurs(m uint64, k int) (Filter, error) {
	f, err := kernel.New(bloomproof.Geometry{M: m, K: k}, kernel.Options{})
	return ours{f}, err
}

// Add adds key to a kernel.Filter, which hashes the key itself.
func (o ours) Add(key []byte) { o.f.Add(key) }

// Contains asks it for key.
func (o ours) Contains(key []byte) bool { return o.f.Contains(key) }

type bitsAndBlooms struct{ f *bloom.BloomFilter }

func newBitsAndBlooms(m uint64, k int) (Filter, error) {
	return bitsAndBlooms{bloom.New(uint(m), uint(k))}, nil
}

// Add adds key to a bloom.BloomFilter, which hashes the key itself.
func (b bitsAndBlooms) Add(key []byte) { b.f.Add(key) }

// Contains asks it for key.
func (b bitsAndBlooms) Contains(key []byte) bool { return b.f.Test(key) }

type holiman struct{ f *bloomfilter.Filter }

// newHoliman gives the filter fixed keys in place of random ones, so that runs repeat.
func newHoliman(m uint64, k int) (Filter, error) {
	keys := make([]uint64, k)
	for i := range keys {
		keys[i] = xxh3.HashSeed(nil, uint64(i)+1)
	}
	f, err := bloomfilter.NewWithKeys(m, keys)
	return holiman{f}, err
}

// Add adds key to a bloomfilter.Filter, given the key's hash.
func (h holiman) Add(key []byte) { h.f.AddHash(xxh3.Hash(key)) }

// Contains asks it for key.
func (h holiman) Contains(key []byte) bool { return h.f.ContainsHash(xxh3.Hash(key)) }

type blob struct{ f *blobloom.Filter }

// newBlobloom asks for k+1 hashes: the first chooses the block, so k bits are set.
func newBlobloom(m uint64, k int) (Filter, error) {
	f := blobloom.New(m, k+1)
	if f.NumBits() != m {
		return nil, fmt.Errorf("blobloom holds %d bits, not %d", f.NumBits(), m)
	}
	return blob{f}, nil
}

// Add adds key to a blobloom.Filter, given the key's hash.
func (b blob) Add(key []byte) { b.f.Add(xxh3.Hash(key)) }

// Contains asks it for key.
func (b blob) Contains(key []byte) bool { return b.f.Has(xxh3.Hash(key)) }

// K is the number of positions per item in every comparison.
const K = 7

// Size is a filter size of the comparison.
type Size struct {
	Name string
	M    uint64 // bits
}

// Sizes are the comparison's sizes: within L1, within L2, and beyond.
var Sizes = []Size{{"32KiB", 32 << 13}, {"1MiB", 1 << 23}, {"64MiB", 64 << 23}}

// Items returns n = m ln 2/k, which sets about half of m bits.
func Items(m uint64) uint64 { return uint64(float64(m) * math.Ln2 / K) }

// FirstMiss is the number of the first key that is never added.
const FirstMiss = 1 << 40

// Key writes key number i into buf: 8 bytes, different for every i.
func Key(buf []byte, i uint64) { binary.LittleEndian.PutUint64(buf, i*0x9e3779b97f4a7c15) }

// Add adds keys from, from+1, ..., to-1.
func Add(f Filter, from, to uint64) {
	buf := make([]byte, 8)
	for i := from; i < to; i++ {
		Key(buf, i)
		f.Add(buf)
	}
}

// Count returns how many of the keys from, from+1, ..., to-1 are contained.
func Count(f Filter, from, to uint64) uint64 {
	buf := make([]byte, 8)
	found := uint64(0)
	for i := from; i < to; i++ {
		Key(buf, i)
		if f.Contains(buf) {
			found++
		}
	}
	return found
}
