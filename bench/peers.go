package bench

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/bits-and-blooms/bloom/v3"
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/dgraph-io/ristretto/v2/z"
	"github.com/greatroar/blobloom"
	bloomfilter "github.com/holiman/bloomfilter/v2"
	parquet "github.com/parquet-go/parquet-go/bloom"
	"github.com/zeebo/xxh3"
)

// Filter is what every filter is measured by. Each takes many keys a call and loops
// over them itself, so that no call through an interface is measured.
type Filter interface {
	// Add adds keys, Contains returns how many are contained; hashing is included.
	Add(keys [][]byte)
	Contains(keys [][]byte) int
}

// HashFilter is a Filter that also takes ready-made hashes.
type HashFilter interface {
	Filter
	AddHashes(h []kernel.Hash)
	ContainsHashes(h []kernel.Hash) int
}

// Uint64Filter is a Filter that also takes keys of 8 bytes as integers.
type Uint64Filter interface {
	Filter
	AddUint64s(keys []uint64)
	ContainsUint64s(keys []uint64) int
}

// Kind says how far a peer's rate may be from that of m bits and k free positions.
type Kind uint8

const (
	Free    Kind = iota // k positions anywhere: the rate of the model
	Coarse              // k positions anywhere, with a rate that is visibly off
	Blocked             // all positions in one block: one cache line a key, a higher rate
)

// Peer is one implementation under comparison.
type Peer struct {
	Name string
	Note string // how it is used, and what differs from m bits and k free positions
	Kind Kind
	New  func(m uint64, k int) (Filter, error)
}

// The names of this module's forms among Peers, and of the peer that goals refer to.
const (
	Single   = "bloomproof"
	Batch    = "bloomproof batch"
	Baseline = "bits-and-blooms"
)

// Peers returns the implementations, ours first. All get the same m, and set k bits per
// key if not said otherwise.
func Peers() []Peer {
	return []Peer{
		{Single, "kernel.Filter, standard hashing, XXH3-128, a key at a time", Free, newSingle},
		{Batch, "the same filter through its batch methods", Free, newBatch},
		{Baseline, "bloom/v3, MurmurHash3-128 of its own", Free, newBitsAndBlooms},
		{"holiman", "bloomfilter/v2 with xxh3; takes a lock at each call", Free, newHoliman},
		{"ristretto", "z.Bloom with xxh3; double hashing, m a power of two", Coarse, newRistretto},
		{"blobloom", "v0.8.1 with xxh3; blocked by 512 bits", Blocked, newBlobloom},
		{"parquet-go", "split-block filter with xxh3; blocked by 256 bits, always 8 bits per key", Blocked, newParquet},
	}
}

type single struct{ f *kernel.Filter }

func newSingle(m uint64, k int) (Filter, error) {
	f, err := kernel.New(bloomproof.Geometry{M: m, K: k}, kernel.Options{})
	return single{f}, err
}

// Add adds keys one at a time.
func (s single) Add(keys [][]byte) {
	for _, key := range keys {
		s.f.Add(key)
	}
}

// Contains asks for keys one at a time.
func (s single) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if s.f.Contains(key) {
			found++
		}
	}
	return found
}

// AddHashes adds hashes one at a time.
func (s single) AddHashes(h []kernel.Hash) {
	for _, x := range h {
		s.f.AddHash(x)
	}
}

// ContainsHashes asks for hashes one at a time.
func (s single) ContainsHashes(h []kernel.Hash) (found int) {
	for _, x := range h {
		if s.f.ContainsHash(x) {
			found++
		}
	}
	return found
}

type batch struct {
	f   *kernel.Filter
	out []bool
}

func newBatch(m uint64, k int) (Filter, error) {
	f, err := kernel.New(bloomproof.Geometry{M: m, K: k}, kernel.Options{})
	return &batch{f: f}, err
}

// count returns the number of trues, which are bytes of value 1, at no cost that counts.
func count(out []bool) (n int) {
	bytes := unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(out))), len(out))
	for ; len(bytes) >= 8; bytes = bytes[8:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(bytes))
	}
	for _, b := range bytes {
		n += int(b)
	}
	return n
}

// Add adds keys at once.
func (b *batch) Add(keys [][]byte) { b.out = b.f.AddBatch(b.out[:0], kernel.KeysOf(keys)) }

// Contains asks for keys at once.
func (b *batch) Contains(keys [][]byte) int {
	b.out = b.f.ContainsBatch(b.out[:0], kernel.KeysOf(keys))
	return count(b.out)
}

// AddHashes adds hashes at once.
func (b *batch) AddHashes(h []kernel.Hash) { b.out = b.f.AddBatch(b.out[:0], kernel.KeysOf(h)) }

// ContainsHashes asks for hashes at once.
func (b *batch) ContainsHashes(h []kernel.Hash) int {
	b.out = b.f.ContainsBatch(b.out[:0], kernel.KeysOf(h))
	return count(b.out)
}

// AddUint64s adds keys of 8 bytes at once.
func (b *batch) AddUint64s(keys []uint64) { b.out = b.f.AddBatch(b.out[:0], kernel.KeysOf(keys)) }

// ContainsUint64s asks for keys of 8 bytes at once.
func (b *batch) ContainsUint64s(keys []uint64) int {
	b.out = b.f.ContainsBatch(b.out[:0], kernel.KeysOf(keys))
	return count(b.out)
}

type bitsAndBlooms struct{ f *bloom.BloomFilter }

func newBitsAndBlooms(m uint64, k int) (Filter, error) {
	return bitsAndBlooms{bloom.New(uint(m), uint(k))}, nil
}

// Add adds keys to a bloom.BloomFilter, which hashes them itself.
func (b bitsAndBlooms) Add(keys [][]byte) {
	for _, key := range keys {
		b.f.Add(key)
	}
}

// Contains asks it for keys.
func (b bitsAndBlooms) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if b.f.Test(key) {
			found++
		}
	}
	return found
}

// The filters below are called directly, each in loops of its own: one loop for all of
// them would call through a function value or an interface for every key, and charge the
// peers for it.

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

// Add adds keys to a bloomfilter.Filter, given their hashes.
func (p holiman) Add(keys [][]byte) {
	for _, key := range keys {
		p.f.AddHash(xxh3.Hash(key))
	}
}

// Contains asks it for keys.
func (p holiman) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if p.f.ContainsHash(xxh3.Hash(key)) {
			found++
		}
	}
	return found
}

// AddHashes adds first words of hashes.
func (p holiman) AddHashes(h []kernel.Hash) {
	for _, x := range h {
		p.f.AddHash(x.H0)
	}
}

// ContainsHashes asks for first words of hashes.
func (p holiman) ContainsHashes(h []kernel.Hash) (found int) {
	for _, x := range h {
		if p.f.ContainsHash(x.H0) {
			found++
		}
	}
	return found
}

type ristretto struct{ f *z.Bloom }

func newRistretto(m uint64, k int) (Filter, error) {
	if m&(m-1) != 0 {
		return nil, fmt.Errorf("ristretto takes a power of two, not %d bits", m)
	}
	return ristretto{z.NewBloomFilter(float64(m), float64(k))}, nil
}

// Add adds keys to a z.Bloom, given their hashes.
func (p ristretto) Add(keys [][]byte) {
	for _, key := range keys {
		p.f.Add(xxh3.Hash(key))
	}
}

// Contains asks it for keys.
func (p ristretto) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if p.f.Has(xxh3.Hash(key)) {
			found++
		}
	}
	return found
}

// AddHashes adds first words of hashes.
func (p ristretto) AddHashes(h []kernel.Hash) {
	for _, x := range h {
		p.f.Add(x.H0)
	}
}

// ContainsHashes asks for first words of hashes.
func (p ristretto) ContainsHashes(h []kernel.Hash) (found int) {
	for _, x := range h {
		if p.f.Has(x.H0) {
			found++
		}
	}
	return found
}

type blob struct{ f *blobloom.Filter }

// newBlobloom asks for k+1 hashes: the first chooses the block, so k bits are set.
func newBlobloom(m uint64, k int) (Filter, error) {
	f := blobloom.New(m, k+1)
	if f.NumBits() != m {
		return nil, fmt.Errorf("blobloom holds %d bits, not %d", f.NumBits(), m)
	}
	return blob{f}, nil
}

// Add adds keys to a blobloom.Filter, given their hashes.
func (p blob) Add(keys [][]byte) {
	for _, key := range keys {
		p.f.Add(xxh3.Hash(key))
	}
}

// Contains asks it for keys.
func (p blob) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if p.f.Has(xxh3.Hash(key)) {
			found++
		}
	}
	return found
}

// AddHashes adds first words of hashes.
func (p blob) AddHashes(h []kernel.Hash) {
	for _, x := range h {
		p.f.Add(x.H0)
	}
}

// ContainsHashes asks for first words of hashes.
func (p blob) ContainsHashes(h []kernel.Hash) (found int) {
	for _, x := range h {
		if p.f.Has(x.H0) {
			found++
		}
	}
	return found
}

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

// Contains asks it for keys.
func (p splitBlock) Contains(keys [][]byte) (found int) {
	for _, key := range keys {
		if p.f.Check(xxh3.Hash(key)) {
			found++
		}
	}
	return found
}

// AddHashes adds first words of hashes.
func (p splitBlock) AddHashes(h []kernel.Hash) {
	for _, x := range h {
		p.f.Insert(x.H0)
	}
}

// ContainsHashes asks for first words of hashes.
func (p splitBlock) ContainsHashes(h []kernel.Hash) (found int) {
	for _, x := range h {
		if p.f.Check(x.H0) {
			found++
		}
	}
	return found
}

// Memory returns the largest slice that f holds, as words: the bits of the filter,
// whatever the type keeps them in. It is how a comparison sets half of the bits of a
// large filter at once, which would take a slow peer minutes of adding.
func Memory(f Filter) []uint64 {
	var best []uint64
	seen := map[unsafe.Pointer]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if v.Kind() == reflect.Pointer && !v.IsNil() {
				if seen[v.UnsafePointer()] {
					return
				}
				seen[v.UnsafePointer()] = true
			}
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice:
			size := uintptr(v.Len()) * v.Type().Elem().Size()
			if int(size/8) > len(best) {
				best = unsafe.Slice((*uint64)(v.UnsafePointer()), size/8)
			}
		}
	}
	walk(reflect.ValueOf(f))
	return best
}
