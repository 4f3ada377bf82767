// Package bloomfilter has every name of github.com/holiman/bloomfilter/v2, version 2.0.3, with the same
// positions, and reads and writes the same files, binary, gob and JSON forms: change the import, and a
// program goes on with the filters that it stored. Where the import has no name, the library's is v2.
//
// A filter has k keys of 64 bits, and takes hashes of 64 bits. Hash h has the positions h[i] mod m for
// 1 <= i <= k, where h[0] = h and h[i] is h[i-1] rotated left by 17 bits, xor key i. Good hashes are the
// caller's task. The positions are no independent ones, but nearly where m is no power of two:
// verify/like has the rate as "holiman". Package exact answers for independent ones, for what Geometry
// returns.
//
// Any number of goroutines may use a filter: one at a time changes it, behind a lock.
//
// AddBatch, ContainsBatch, Bits, Rate, Items and Geometry are this package's own.
//
// # What differs
//
//   - k is at most 4096 and m at most 2^48. Constructors return a *bloomproof.ParamError beyond that, and
//     OptimalK and OptimalM panic with one where the library converts an infinity, a NaN or a negative
//     number to an integer.
//   - Data that is read is refused, with an error that matches kernel.ErrCorrupt, when it is damaged, when a
//     bit from m on is set, when two keys are equal, when in JSON the number of words is not that of m, and
//     when a byte follows what UnmarshalBinary, GobDecode or UnmarshalJSON read. Memory grows with the bytes
//     read; the library takes it for what the head claims. After an error the filter is as it was.
//   - Filters with different numbers of keys are incompatible; the library panics for some.
//   - Union and UnionInPlace return a *bloomproof.ParamError. Two goroutines may unite two filters both ways.
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

// The least m and k, and the bytes of a word.
const (
	MMin        = 2
	KMin        = 1
	Uint64Bytes = 8
)

const (
	maxM     = 1 << 48
	rotation = 17 // of a hash before each key
)

// Filter is a filter of m bits with k keys. Its zero value serves for reading into.
type Filter struct {
	lock sync.RWMutex
	state
}

// state is the part of a filter that is read and written.
type state struct {
	bits []uint64
	keys []uint64
	mod  array.Divisor // by m
	n    uint64        // additions
}

// OptimalK returns ceil(m/n ln 2), the textbook's best k for n keys in m bits. exact.OptimalK returns the k that is
// really best.
// Domain: maxN at least 1; otherwise it panics with a *bloomproof.ParamError.
func OptimalK(m, maxN uint64) uint64 {
	if maxN == 0 {
		panic(&bloomproof.ParamError{Param: "maxN", Value: maxN, Want: "at least 1"})
	}
	k := math.Ceil(float64(m) * math.Ln2 / float64(maxN))
	return uint64(min(k, 1<<63)) // m 2^63 or more
}

// OptimalM returns the textbook's ceil(n ln(1/p) / (ln 2)^2). exact.LeastBits returns the fewest bits
// that keep the rate p.
// Domain: that of NewOptimal; else it panics with a *bloomproof.ParamError.
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

// New returns an empty filter of m bits with k random keys.
// Errors: *bloomproof.ParamError.
func New(m, k uint64) (*Filter, error) {
	keys := make([]byte, Uint64Bytes*min(k, bloomproof.MaxK+1)) // which NewWithKeys refuses
	_, _ = rand.Read(keys)                                      // which ends the program where it cannot
	words := make([]uint64, len(keys)/Uint64Bytes)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(keys[Uint64Bytes*i:])
	}
	return NewWithKeys(m, words)
}

// NewOptimal returns a filter for maxN keys at a rate of about p, by OptimalM and OptimalK.
// Domain: 1 <= maxN, 0 < p <= 1, at most 2^48 bits.
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

// NewWithKeys returns an empty filter of m bits with the given keys, which are distinct and copied.
// Errors: *bloomproof.ParamError.
func NewWithKeys(m uint64, origKeys []uint64) (f *Filter, err error) {
	if err := check(m, origKeys); err != nil {
		return nil, err
	}
	return &Filter{state: state{
		bits: make([]uint64, wordsOf(m)), keys: slices.Clone(origKeys), mod: array.By(m),
	}}, nil
}

// wordsOf returns the number of words that hold m bits.
func wordsOf(m uint64) uint64 { return m/64 + (m%64+63)/64 }

// check returns a *bloomproof.ParamError if a filter cannot have m bits and these keys.
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

// snapshot returns a copy of the filter's state. The keys never change, and are shared.
func (f *Filter) snapshot() state {
	f.lock.RLock()
	defer f.lock.RUnlock()
	s := f.state
	s.bits = slices.Clone(s.bits)
	return s
}

// NewCompatible returns an empty filter with the same m and keys. The error is nil unless no constructor
// made f.
func (f *Filter) NewCompatible() (*Filter, error) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return NewWithKeys(f.mod.M, f.keys)
}

// M returns the number of bits.
func (f *Filter) M() uint64 { return f.Geometry().M }

// K returns the number of positions a key.
func (f *Filter) K() uint64 { return uint64(f.Geometry().K) }

// Geometry returns m and k, with independent positions. exact and approx take it, and their results are close to this
// filter's.
func (f *Filter) Geometry() bloomproof.Geometry {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return bloomproof.Geometry{M: f.mod.M, K: len(f.keys)}
}

// N returns the number of times that a hash was added.
func (f *Filter) N() uint64 {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return f.n
}

// next returns the hash after one step with a key.
func next(hash, key uint64) uint64 { return bits.RotateLeft64(hash, rotation) ^ key }

// Add records v.Sum64().
func (f *Filter) Add(v hash.Hash64) { f.AddHash(v.Sum64()) }

// AddHash records a hash.
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

// Contains reports whether v.Sum64() may have been added. It is always true for a hash that was.
func (f *Filter) Contains(v hash.Hash64) bool { return f.ContainsHash(v.Sum64()) }

// ContainsHash reports whether hash may have been added. It is always true for a hash that was.
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

// positions appends the positions of each of the hashes to at.
func (f *Filter) positions(at, hashes []uint64) []uint64 {
	for _, hash := range hashes {
		for _, key := range f.keys {
			hash = next(hash, key)
			at = append(at, f.mod.Mod(hash))
		}
	}
	return at
}

// AddBatch calls AddHash for each of the hashes in turn, and appends to dst whether it set a bit. It takes the lock
// once, and allocates nothing when dst has room and k is at most 512.
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

// ContainsBatch appends to dst the result of ContainsHash for each of the hashes. It takes the lock once. The reads of
// many hashes are under way at once. It allocates nothing when dst has room and k is at most 512.
func (f *Filter) ContainsBatch(dst []bool, hashes []uint64) []bool {
	var room [array.Room]uint64
	f.lock.RLock()
	defer f.lock.RUnlock()
	for part := range slices.Chunk(hashes, max(1, array.Keys(len(f.keys)))) {
		dst = array.Contains(dst, f.bits, f.positions(room[:0], part), len(f.keys))
	}
	return dst
}

// Copy returns an independent copy. The error is always nil.
func (f *Filter) Copy() (*Filter, error) { return &Filter{state: f.snapshot()}, nil }

// IsCompatible reports whether f and f2 have the same m and keys, and can be united.
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

// unite adds to s what t holds.
func (s *state) unite(t *state) error {
	if !s.compatible(t) {
		return &bloomproof.ParamError{Param: "f2", Value: "a filter of other keys or bits", Want: "one with the same m and keys"}
	}
	kernel.OrInto(s.bits, t.bits)
	s.n += t.n
	return nil
}

// UnionInPlace adds to f all that f2 holds, and adds its N. It copies f2 first, so that two goroutines may unite two
// filters in both directions at the same time.
// Errors: *bloomproof.ParamError when they are not compatible; f is then unchanged.
func (f *Filter) UnionInPlace(f2 *Filter) error {
	t := f2.snapshot()
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.unite(&t)
}

// Union returns a new filter that holds what f and f2 hold.
// Errors: *bloomproof.ParamError when they are not compatible.
func (f *Filter) Union(f2 *Filter) (out *Filter, err error) {
	out = &Filter{state: f.snapshot()}
	f2.lock.RLock()
	defer f2.lock.RUnlock()
	if err := out.unite(&f2.state); err != nil {
		return nil, err
	}
	return out, nil
}

// CountBitsUint64s returns the number of ones in b, by the fastest popcount of the host.
func CountBitsUint64s(b []uint64) int { return kernel.Count(b) }

// counts returns the number of set bits, m and k, all at the same moment.
func (f *Filter) counts() (b, m, k uint64) {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return uint64(kernel.Count(f.bits)), f.mod.M, uint64(len(f.keys))
}

// Bits returns the number of set bits.
// Cost: O(m/64), by the fastest popcount of the host.
func (f *Filter) Bits() uint64 {
	b, _, _ := f.counts()
	return b
}

// PreciseFilledRatio returns the share of the bits that are set.
// Cost: that of Bits.
func (f *Filter) PreciseFilledRatio() float64 {
	b, m, _ := f.counts()
	return float64(b) / float64(m)
}

// Rate returns (b/m)^k for the b bits that are set now: the probability that a new key is contained, if
// its positions are independent.
// Cost: that of Bits.
func (f *Filter) Rate() float64 { return array.Rate(f.counts()) }

// Items estimates from the set bits how many different hashes were added: ln(1-b/m) / (k ln(1-1/m)).
// When all bits are set the number is not bounded. exact.ItemsInterval has an interval for it, of
// Geometry and Bits.
// Cost: that of Bits.
func (f *Filter) Items() (n float64, bounded bool) { return array.Items(f.counts()) }

// FalsePosititveProbability returns (1 - exp(-k(N+0.5)/(m-1)))^k, an approximation of the rate for N different hashes.
// exact.FPR computes the rate for independent positions; Rate returns the rate given the present bits.
func (f *Filter) FalsePosititveProbability() float64 {
	f.lock.RLock()
	m, n, k := float64(f.mod.M), float64(f.n), float64(len(f.keys))
	f.lock.RUnlock()
	return math.Pow(1-math.Exp(-k*(n+0.5)/(m-1)), k)
}
