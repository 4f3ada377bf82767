// Package bloomfilter is a replacement for github.com/holiman/bloomfilter/v2, version 2.0.3. It has all exported names
// of that library and derives the same positions. It also reads and writes the same files and the same binary, gob and
// JSON encodings. A program can import this package instead of the library, and still read the filters that it has
// stored. The library's package has the name v2. So a program refers to the library as v2, unless its import statement
// gives the library another name.
//
// The caller computes a hash of 64 bits, and adds this hash to a filter. A filter has k numbers of 64 bits, which are
// called its keys. The positions of a hash are h[i] mod m for 1 <= i <= k. Here h[0] is the hash itself. For i >= 1,
// rotate h[i-1] left by 17 bits. Then h[i] is the bitwise XOR of the result and key i. The hashes must look like random
// numbers. If m is not a power of two, the positions are nearly independent. Package verify/like computes the
// false-positive rate that these positions give, under the name "holiman". The method Geometry returns a geometry with
// independent positions. Package exact computes the rate of this geometry.
//
// Any number of goroutines may use a filter at the same time. A lock gives a goroutine exclusive use of the filter
// while the goroutine changes it.
//
// This package adds the methods AddBatch, ContainsBatch, Bits, Rate, Items and Geometry. The library does not have
// these methods.
//
// # What differs
//
//   - k is at most 4096 and m at most 2^48. Constructors return a *bloomproof.ParamError for larger values. If the
//     library would convert an infinity, a NaN or a negative number to an integer, OptimalK and OptimalM panic with a
//     *bloomproof.ParamError.
//   - The readers refuse invalid data, with an error that matches kernel.ErrCorrupt. Data is invalid if it is damaged,
//     if a bit from m on is set, if two keys are equal, or if the number of words in JSON does not fit m. It is also
//     invalid for UnmarshalBinary, GobDecode and UnmarshalJSON if a byte follows the filter. Memory is allocated in
//     proportion to the bytes read. The library itself allocates as much memory as the header claims. After an error
//     the filter is unchanged.
//   - Filters with different numbers of keys are incompatible. The library panics for some such filters.
//   - Union and UnionInPlace return a *bloomproof.ParamError. Two goroutines may unite two filters in both directions
//     at the same time.
package bloomfilter

import (
	"crypto/rand"
	"encoding/binary"
	"hash"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/kernel/compat/internal/array"
)

// MMin and KMin are the smallest values of m and k that a filter may have. Uint64Bytes is the number of bytes of a
// word.
const (
	MMin        = 2
	KMin        = 1
	Uint64Bytes = 8
)

const (
	maxM     = 1 << 48
	rotation = 17 // the rotation of a hash before each xor with a key
)

// Filter is a Bloom filter with m bits. An item has k positions. They depend on the hash of the item, and on k numbers
// of the filter, which are called keys. The zero value can be used only as the receiver of a method that reads a
// filter.
type Filter struct {
	lock sync.RWMutex
	state
}

// A file contains only some fields of a filter. The type "state" has these fields.
type state struct {
	bits []uint64
	keys []uint64
	mod  array.Divisor // the divisor m
	n    uint64        // the number of additions
}

// OptimalK returns ceil((m/maxN) ln 2). This is the textbook formula for the best k if maxN hashes are added to m bits.
// The true optimum is the result of exact.OptimalK.
// Domain: maxN is at least 1; otherwise OptimalK panics with a *bloomproof.ParamError.
func OptimalK(m, maxN uint64) uint64 {
	if maxN == 0 {
		panic(&bloomproof.ParamError{Param: "maxN", Value: maxN, Want: "at least 1"})
	}
	k := math.Ceil(float64(m) * math.Ln2 / float64(maxN))
	return uint64(min(k, 1<<63)) // for m >= 2^63
}

// OptimalM returns ceil(maxN ln(1/p) / (ln 2)^2). This is the textbook formula for the number of bits. It is for a
// filter with maxN hashes and a false-positive rate of p. The function exact.LeastBits returns the smallest number of
// bits for which the rate is at most p.
// Domain: as for NewOptimal; otherwise OptimalM panics with a *bloomproof.ParamError.
func OptimalM(maxN uint64, p float64) uint64 {
	m, err := optimalM(maxN, p)
	if err != nil {
		panic(err)
	}
	return m
}

func optimalM(maxN uint64, p float64) (uint64, error) {
	if !(p > 0 && p <= 1) {
		return 0, &bloomproof.ParamError{Param: "p", Value: p, Want: "above 0 and at most 1"}
	}
	m := math.Ceil(-float64(maxN) * math.Log(p) / (math.Ln2 * math.Ln2))
	if m > maxM {
		return 0, &bloomproof.ParamError{Param: "maxN", Value: maxN, Want: "so few that 2^48 bits are enough"}
	}
	return uint64(m), nil
}

// New returns an empty filter with m bits and k random keys.
// Errors: *bloomproof.ParamError.
func New(m, k uint64) (*Filter, error) {
	keys := make([]byte, Uint64Bytes*min(k, bloomproof.MaxK+1)) // NewWithKeys refuses MaxK+1 keys
	_, _ = rand.Read(keys)                                      // Read never returns an error
	words := make([]uint64, len(keys)/Uint64Bytes)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(keys[Uint64Bytes*i:])
	}
	return NewWithKeys(m, words)
}

// NewOptimal returns an empty filter for maxN hashes. Its false-positive rate is about p after maxN hashes have been
// added. Its m and k are the results of OptimalM and OptimalK.
// Domain: 1 <= maxN; 0 < p <= 1; the filter has at most 2^48 bits.
// Errors: *bloomproof.ParamError.
func NewOptimal(maxN uint64, p float64) (*Filter, error) {
	if maxN == 0 {
		return nil, &bloomproof.ParamError{Param: "maxN", Value: maxN, Want: "at least 1"}
	}
	m, err := optimalM(maxN, p)
	if err != nil {
		return nil, err
	}
	return New(m, OptimalK(m, maxN))
}

// NewWithKeys returns an empty filter with m bits and a copy of the given keys. The keys must differ from one another.
// Errors: *bloomproof.ParamError.
func NewWithKeys(m uint64, origKeys []uint64) (f *Filter, err error) {
	if err := check(m, origKeys); err != nil {
		return nil, err
	}
	return &Filter{state: state{
		bits: make([]uint64, wordsOf(m)), keys: slices.Clone(origKeys), mod: array.By(m),
	}}, nil
}

// wordsOf returns the number of words that m bits take.
func wordsOf(m uint64) uint64 { return m/64 + (m%64+63)/64 }

// The function "check" returns a *bloomproof.ParamError if no filter can have m bits and the given keys.
func check(m uint64, keys []uint64) error {
	if m < MMin || m > maxM {
		return &bloomproof.ParamError{Param: "m", Value: m, Want: "between 2 and 2^48"}
	}
	if len(keys) < KMin || len(keys) > bloomproof.MaxK {
		return &bloomproof.ParamError{Param: "k", Value: len(keys), Want: "between 1 and 4096"}
	}
	sorted := slices.Sorted(slices.Values(keys))
	if len(slices.Compact(sorted)) < len(keys) {
		return &bloomproof.ParamError{Param: "origKeys", Value: len(keys), Want: "distinct keys"}
	}
	return nil
}

// The method "snapshot" returns a copy of the state of the filter. The copy shares the slice of keys with the
// filter, because keys never change.
func (f *Filter) snapshot() state {
	f.lock.RLock()
	defer f.lock.RUnlock()
	s := f.state
	s.bits = slices.Clone(s.bits)
	return s
}

// NewCompatible returns an empty filter with the same m and the same keys as f. If a constructor made f, the error is
// nil.
func (f *Filter) NewCompatible() (*Filter, error) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return NewWithKeys(f.mod.M, f.keys)
}

// M returns the number m of bits.
func (f *Filter) M() uint64 { return f.Geometry().M }

// K returns the number k of positions of a hash.
func (f *Filter) K() uint64 { return uint64(f.Geometry().K) }

// Geometry returns a geometry with the values m and k of the filter, and with independent positions. For this geometry,
// packages exact and approx compute results that are close to the true values for this filter.
func (f *Filter) Geometry() bloomproof.Geometry {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return bloomproof.Geometry{M: f.mod.M, K: len(f.keys)}
}

// N returns how many times a hash was added. A hash that was added twice counts twice.
func (f *Filter) N() uint64 {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return f.n
}

// The function "next" returns h[i], which the package comment defines. The argument "hash" is h[i-1]. The argument
// "key" is the filter's key with the number i.
func next(hash, key uint64) uint64 { return bits.RotateLeft64(hash, rotation) ^ key }

// Add adds the hash v.Sum64().
func (f *Filter) Add(v hash.Hash64) { f.AddHash(v.Sum64()) }

// AddHash adds a hash.
func (f *Filter) AddHash(hash uint64) {
	f.lock.Lock()
	defer f.lock.Unlock()
	for _, key := range f.keys {
		hash = next(hash, key)
		i := f.mod.Mod(hash)
		f.bits[i>>6] |= 1 << (i & 63)
	}
	f.n++
}

// Contains reports whether the bits at all positions of the hash v.Sum64() are set. If they are set, this hash may have
// been added. The method always returns true for a hash that was added.
func (f *Filter) Contains(v hash.Hash64) bool { return f.ContainsHash(v.Sum64()) }

// ContainsHash reports whether the bits at all positions of hash are set, so that this hash may have been added. It
// always returns true for a hash that was added.
func (f *Filter) ContainsHash(hash uint64) bool {
	f.lock.RLock()
	defer f.lock.RUnlock()
	for _, key := range f.keys {
		hash = next(hash, key)
		if i := f.mod.Mod(hash); f.bits[i>>6]>>(i&63)&1 == 0 {
			return false
		}
	}
	return true
}

// The method "positions" computes the positions of each hash. It appends them to the slice "at".
func (f *Filter) positions(at, hashes []uint64) []uint64 {
	for _, hash := range hashes {
		for _, key := range f.keys {
			hash = next(hash, key)
			at = append(at, f.mod.Mod(hash))
		}
	}
	return at
}

// AddBatch calls AddHash for each of the hashes in turn. For each hash it appends true to dst if the call set a bit
// that was clear before, otherwise false. It locks the filter only once. It allocates nothing if k is at most 512 and
// dst has room for the results.
func (f *Filter) AddBatch(dst []bool, hashes []uint64) []bool {
	var room [array.Room]uint64
	f.lock.Lock()
	defer f.lock.Unlock()
	for part := range slices.Chunk(hashes, max(1, array.Keys(len(f.keys)))) {
		dst = array.Add(dst, f.bits, f.positions(room[:0], part), len(f.keys))
	}
	f.n += uint64(len(hashes))
	return dst
}

// ContainsBatch appends to dst the result of ContainsHash for each of the hashes. It locks the filter only once, and
// reads the bits of many hashes at the same time. It allocates nothing if k is at most 512 and dst has room for the
// results.
func (f *Filter) ContainsBatch(dst []bool, hashes []uint64) []bool {
	var room [array.Room]uint64
	f.lock.RLock()
	defer f.lock.RUnlock()
	for part := range slices.Chunk(hashes, max(1, array.Keys(len(f.keys)))) {
		dst = array.Contains(dst, f.bits, f.positions(room[:0], part), len(f.keys))
	}
	return dst
}

// Copy returns a copy that is independent of f. The error is always nil.
func (f *Filter) Copy() (*Filter, error) { return &Filter{state: f.snapshot()}, nil }

// IsCompatible reports whether f and f2 have the same m and the same keys. Such filters can be united.
func (f *Filter) IsCompatible(f2 *Filter) bool {
	f.lock.RLock()
	s := f.state
	f.lock.RUnlock()
	f2.lock.RLock()
	defer f2.lock.RUnlock()
	return s.compatible(&f2.state)
}

func (s *state) compatible(t *state) bool {
	return s.mod == t.mod && slices.Equal(s.keys, t.keys)
}

// The method "unite" adds to s the hashes that t contains.
func (s *state) unite(t *state) error {
	if !s.compatible(t) {
		return &bloomproof.ParamError{Param: "f2", Value: "a filter of other keys or bits", Want: "one with the same m and keys"}
	}
	kernel.OrInto(s.bits, t.bits)
	s.n += t.n
	return nil
}

// UnionInPlace adds the hashes of f2 to f. Afterwards, the method N of f also counts the additions to f2. It copies f2
// first. So one goroutine may unite f with f2 while another unites f2 with f.
// Errors: *bloomproof.ParamError if f and f2 are not compatible. After an error, f is unchanged.
func (f *Filter) UnionInPlace(f2 *Filter) error {
	t := f2.snapshot()
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.unite(&t)
}

// Union returns a new filter that contains the hashes of both f and f2.
// Errors: *bloomproof.ParamError if f and f2 are not compatible.
func (f *Filter) Union(f2 *Filter) (out *Filter, err error) {
	out = &Filter{state: f.snapshot()}
	f2.lock.RLock()
	defer f2.lock.RUnlock()
	if err := out.unite(&f2.state); err != nil {
		return nil, err
	}
	return out, nil
}

// CountBitsUint64s returns the number of ones in the words of b. It uses the fastest implementation for this host.
func CountBitsUint64s(b []uint64) int { return kernel.Count(b) }

// The method "counts" returns the number b of set bits, m and k. All three are from the same moment.
func (f *Filter) counts() (b, m, k uint64) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return uint64(kernel.Count(f.bits)), f.mod.M, uint64(len(f.keys))
}

// Bits returns the number of set bits.
// Cost: O(m/64), with the fastest implementation for this host.
func (f *Filter) Bits() uint64 {
	b, _, _ := f.counts()
	return b
}

// PreciseFilledRatio returns the number of set bits divided by m.
// Cost: the same as for Bits.
func (f *Filter) PreciseFilledRatio() float64 {
	b, m, _ := f.counts()
	return float64(b) / float64(m)
}

// Rate returns (b/m)^k, where b is the number of bits that are set now. If positions were independent, this would be
// the probability that a new hash is found in the filter.
// Cost: the same as for Bits.
func (f *Filter) Rate() float64 { return array.Rate(f.counts()) }

// Items estimates how many distinct hashes were added. Let b be the number of set bits. The estimate is:
//
//	ln(1-b/m) / (k ln(1-1/m)).
//
// If all bits are set, the number of hashes has no upper bound, and the result "bounded" is false. From the results of
// Geometry and Bits, exact.ItemsInterval computes an interval for the number of hashes.
// Cost: the same as for Bits.
func (f *Filter) Items() (n float64, bounded bool) { return array.Items(f.counts()) }

// FalsePosititveProbability returns (1 - exp(-k(N+0.5)/(m-1)))^k. This is an approximation of the false-positive rate
// after N distinct hashes were added. The exact rate for independent positions is the result of exact.FPR. The method
// Rate returns the rate for the bits that are set now.
func (f *Filter) FalsePosititveProbability() float64 {
	f.lock.RLock()
	m, n, k := float64(f.mod.M), float64(f.n), float64(len(f.keys))
	f.lock.RUnlock()
	return math.Pow(1-math.Exp(-k*(n+0.5)/(m-1)), k)
}
