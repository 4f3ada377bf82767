// Package bloom is a replacement for github.com/bits-and-blooms/bloom/v3, version 3.7.1. It has all exported names of
// that library and derives the same positions. It also reads and writes the same binary, gob and JSON encodings. A
// program can import this package instead of the library, and still read the filters that it has stored.
//
// For 0 <= i < k, position i of a key is:
//
//	(h[i%2] + i*h[2 + ((i+i%2)%4)/2]) mod m.
//
// Here h[0] and h[1] are the two words of the murmur3 hash of the key (128 bits, variant x64, seed 0). The words h[2]
// and h[3] are the murmur3 hash of a longer key: the key followed by a byte of value 1. The positions are nearly
// independent. Package verify/like computes the false-positive rate that these positions give, under the name
// "bits-and-blooms". The method Geometry returns a geometry with independent positions. Package exact computes the rate
// of this geometry.
//
// The methods AddBatch, ContainsBatch, Bits, Rate, Items and Geometry are additions of this package.
//
// # What differs
//
//   - k is at most 4096. For larger k, New, From and FromWithM panic with a *bloomproof.ParamError.
//   - If the library would convert an infinity, a NaN or a negative number to a uint, EstimateParameters and
//     NewWithEstimates panic with a *bloomproof.ParamError. For n = 0 they use one bit.
//   - The readers refuse invalid data, with an error that matches kernel.ErrCorrupt. Data is invalid if m or k is 0, if
//     k is above 4096, if a byte follows the filter, or if a bit beyond the length of the bit set is set. It is also
//     invalid if m is above 65,536 and above twice the number of bits in the data, because such a filter would later
//     take memory for m bits. Memory is allocated in proportion to the bytes read. The library itself allocates as much
//     memory as the header claims, and panics later for m = 0 and for JSON without bits. After an error the filter is
//     unchanged.
//   - From(nil, k) and FromWithM(data, 0, k) return filters in which every position is 0. The library itself divides by
//     zero when such a filter is used.
//   - The Copy of a filter with m = 0 or k = 0 has the same m, k and bits as the filter. In the library, the Copy of
//     such a filter is empty, and its m or k is 1 instead of 0.
//   - The JSON reader accepts both alphabets of base64, whichever of them package bitset is configured to write.
//   - If two filters cannot be merged, Merge returns a *bloomproof.ParamError.
//   - ApproximatedSize returns 2^32-1 if all bits of the filter are set, or if m or k is 0.
package bloom

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/compat/internal/array"
)

// BloomFilter is a filter with m bits, for keys with k positions. The zero value can be used only as the receiver of a
// method that reads a filter. Many goroutines may read a filter at the same time. A goroutine that changes a filter
// needs exclusive use of it.
type BloomFilter struct {
	m, k uint
	b    *bitset.BitSet
}

// New returns an empty filter with m bits, for keys with k positions. If m or k is 0, New uses 1 instead.
// Domain: k <= 4096; for larger k, New panics with a *bloomproof.ParamError.
func New(m uint, k uint) *BloomFilter {
	return &BloomFilter{max(1, m), permitted(max(1, k)), bitset.New(m)}
}

func permitted(k uint) uint {
	if k > bloomproof.MaxK {
		panic(&bloomproof.ParamError{Param: "k", Value: k, Want: "at most 4096"})
	}
	return k
}

// From returns a filter with 64*len(data) bits. The filter uses the slice data for its bits, without copying it. If k
// is 0, the filter contains every key.
// Domain: the same as for New.
func From(data []uint64, k uint) *BloomFilter { return FromWithM(data, uint(len(data)*64), k) }

// FromWithM does the same as From, but the filter has m bits. If data has fewer bits, Add enlarges the memory of the
// filter when this is necessary.
func FromWithM(data []uint64, m, k uint) *BloomFilter {
	return &BloomFilter{m, permitted(k), bitset.From(data)}
}

// NewWithEstimates returns an empty filter for n keys. Its false-positive rate is about fp after n keys have been
// added. Its m and k are the results of EstimateParameters.
func NewWithEstimates(n uint, fp float64) *BloomFilter {
	m, k := EstimateParameters(n, fp)
	return New(m, k)
}

// EstimateParameters returns the textbook values of m and k:
//
//	m = ceil(n ln(1/p) / (ln 2)^2),
//	k = ceil((m/n) ln 2).
//
// To find the smallest m for which the rate is at most p, use exact.LeastBits.
// Domain: 0 < p <= 1 and m <= 2^48; otherwise EstimateParameters panics with a *bloomproof.ParamError.
func EstimateParameters(n uint, p float64) (m uint, k uint) {
	if !(p > 0 && p <= 1) {
		panic(&bloomproof.ParamError{Param: "p", Value: p, Want: "above 0 and at most 1"})
	}
	if n == 0 {
		return 1, 1
	}
	bits := math.Ceil(-1 * float64(n) * math.Log(p) / math.Pow(math.Log(2), 2))
	if bits > min(1<<48, math.MaxUint) {
		panic(&bloomproof.ParamError{Param: "n", Value: n, Want: "so few that 2^48 bits are enough"})
	}
	m = uint(bits)
	return m, uint(math.Ceil(math.Log(2) * float64(m) / float64(n)))
}

// The function "location" returns a number for position i of the key with the hashes h. The position is this number
// modulo m.
func location(h [4]uint64, i uint) uint64 {
	j := uint64(i)
	return h[j%2] + j*h[2+(j+j%2)%4/2]
}

// Locations returns k numbers for the key data. These numbers modulo m are the positions of the key.
func Locations(data []byte, k uint) []uint64 {
	h, all := baseHashes(data), make([]uint64, k)
	for i := range all {
		all[i] = location(h, uint(i))
	}
	return all
}

// Cap returns the number m of bits.
func (f *BloomFilter) Cap() uint { return f.m }

// K returns the number k of positions of a key.
func (f *BloomFilter) K() uint { return f.k }

// BitSet returns the bits of the filter. They are not a copy.
func (f *BloomFilter) BitSet() *bitset.BitSet { return f.b }

// size returns m. If m is 0, it returns 1, so that all positions are 0.
func (f *BloomFilter) size() uint64 { return uint64(max(1, f.m)) }

// The method "modulo" returns a divisor that computes remainders modulo m.
func (f *BloomFilter) modulo() array.Divisor { return array.By(f.size()) }

// Add adds the key data and returns f.
func (f *BloomFilter) Add(data []byte) *BloomFilter {
	f.TestAndAdd(data)
	return f
}

// AddString does the same as Add, for a string.
func (f *BloomFilter) AddString(data string) *BloomFilter { return f.Add([]byte(data)) }

// The method "whole" returns the words of the bit set. If the bit set has fewer than m bits, it returns nil.
func (f *BloomFilter) whole() []uint64 {
	if f.b == nil || f.b.Len() < max(1, f.m) {
		return nil
	}
	return f.b.Words()
}

// Test reports whether the bits at all positions of the key data are set, so that this key may have been added. It
// always returns true for data that was added.
func (f *BloomFilter) Test(data []byte) bool {
	h, d, words := baseHashes(data), f.modulo(), f.whole()
	for i := range f.k {
		at := d.Mod(location(h, i))
		if words != nil && words[at>>6]>>(at&63)&1 == 0 || words == nil && !f.b.Test(uint(at)) {
			return false
		}
	}
	return true
}

// TestString does the same as Test, for a string.
func (f *BloomFilter) TestString(data string) bool { return f.Test([]byte(data)) }

// TestLocations does the same as Test for a key. The argument "locs" is the result of Locations for this key.
func (f *BloomFilter) TestLocations(locs []uint64) bool {
	d := f.modulo()
	for _, x := range locs {
		if !f.b.Test(uint(d.Mod(x))) {
			return false
		}
	}
	return true
}

// TestAndAdd calls Test and then Add, and returns the result of Test.
func (f *BloomFilter) TestAndAdd(data []byte) bool {
	h, d, words := baseHashes(data), f.modulo(), f.whole()
	if words == nil { // the method Set extends the bits
		present := f.Test(data)
		for i := range f.k {
			f.b.Set(uint(d.Mod(location(h, i))))
		}
		return present
	}
	present := uint64(1)
	for i := range f.k {
		at := d.Mod(location(h, i))
		w := words[at>>6]
		present &= w >> (at & 63)
		words[at>>6] = w | 1<<(at&63)
	}
	return present != 0
}

// TestAndAddString does the same as TestAndAdd, for a string.
func (f *BloomFilter) TestAndAddString(data string) bool { return f.TestAndAdd([]byte(data)) }

// TestOrAdd does the same as TestAndAdd. The reason is that adding a key changes nothing if the filter already contains
// it.
func (f *BloomFilter) TestOrAdd(data []byte) bool { return f.TestAndAdd(data) }

// TestOrAddString does the same as TestOrAdd, for a string.
func (f *BloomFilter) TestOrAddString(data string) bool { return f.TestAndAdd([]byte(data)) }

// The method "block" returns how many keys a batch method processes together. It returns 0 if the bit set has fewer
// than m bits, or if k is 0. It also returns 0 if the positions of one key do not fit in a batch.
func (f *BloomFilter) block() int {
	if f.whole() == nil || f.k == 0 {
		return 0
	}
	return array.Keys(int(f.k))
}

// The method "positions" appends the k positions of each key to the slice "at".
func (f *BloomFilter) positions(at []uint64, keys [][]byte) []uint64 {
	d := f.modulo()
	for _, key := range keys {
		h := baseHashes(key)
		for i := range f.k {
			at = append(at, d.Mod(location(h, i)))
		}
	}
	return at
}

// AddBatch calls Add for each of the keys in turn. For each key it appends true to dst if the call set a bit that was
// clear before, otherwise false. It allocates nothing if dst has room for the results.
func (f *BloomFilter) AddBatch(dst []bool, keys [][]byte) []bool {
	var at [array.Room]uint64
	if block := f.block(); block > 0 {
		for part := range slices.Chunk(keys, block) {
			dst = array.Add(dst, f.b.Words(), f.positions(at[:0], part), int(f.k))
		}
		return dst
	}
	for _, key := range keys {
		dst = append(dst, !f.TestAndAdd(key))
	}
	return dst
}

// ContainsBatch appends to dst the result of Test for each of the keys. It reads the bits of many keys at the same
// time. It allocates nothing if dst has room for the results.
func (f *BloomFilter) ContainsBatch(dst []bool, keys [][]byte) []bool {
	var at [array.Room]uint64
	if block := f.block(); block > 0 {
		for part := range slices.Chunk(keys, block) {
			dst = array.Contains(dst, f.b.Words(), f.positions(at[:0], part), int(f.k))
		}
		return dst
	}
	for _, key := range keys {
		dst = append(dst, f.Test(key))
	}
	return dst
}

// Merge adds the keys of g to f.
// Errors: *bloomproof.ParamError if f and g differ in m or k. After an error, f is unchanged.
func (f *BloomFilter) Merge(g *BloomFilter) error {
	if f.m != g.m {
		return &bloomproof.ParamError{Param: "m", Value: g.m, Want: "that of the filter"}
	}
	if f.k != g.k {
		return &bloomproof.ParamError{Param: "k", Value: g.k, Want: "that of the filter"}
	}
	f.b.InPlaceUnion(g.b)
	return nil
}

// Copy returns a copy that is independent of f.
func (f *BloomFilter) Copy() *BloomFilter {
	c := &BloomFilter{f.m, f.k, bitset.New(f.m)}
	c.b.InPlaceUnion(f.b)
	return c
}

// ClearAll removes all keys, and returns f.
func (f *BloomFilter) ClearAll() *BloomFilter {
	f.b.ClearAll()
	return f
}

// Equal reports whether f and g have the same m, the same k and equal bit sets of the same length. The bit set of a
// filter may have fewer than m bits. The bit set of its Copy always has m bits. In this case Equal returns false for
// the filter and its Copy, as in the library.
func (f *BloomFilter) Equal(g *BloomFilter) bool {
	return f.m == g.m && f.k == g.k && f.b.Equal(g.b)
}

// Geometry returns a geometry with the values m and k of the filter, and with independent positions. For this geometry,
// packages exact and approx compute results that are close to the true values for this filter.
func (f *BloomFilter) Geometry() bloomproof.Geometry {
	return bloomproof.Geometry{M: uint64(f.m), K: int(f.k)}
}

// Bits returns the number of set bits.
// Cost: O(m/64), with the fastest implementation for this host.
func (f *BloomFilter) Bits() uint64 {
	if f.b == nil {
		return 0
	}
	return array.Count(f.b.Words(), f.size())
}

// Rate returns (b/m)^k, where b is the number of bits that are set now. If positions were independent, this would be
// the probability that a new key is found in the filter.
// Cost: the same as for Bits.
func (f *BloomFilter) Rate() float64 { return array.Rate(f.Bits(), f.size(), uint64(f.k)) }

// Items estimates how many distinct keys were added. Let b be the number of set bits. The estimate is:
//
//	ln(1-b/m) / (k ln(1-1/m)).
//
// If all bits are set, the number of keys has no upper bound, and the result "bounded" is false. From the results of
// Geometry and Bits, exact.ItemsInterval computes an interval for the number of keys.
// Cost: the same as for Bits.
func (f *BloomFilter) Items() (n float64, bounded bool) {
	return array.Items(f.Bits(), f.size(), uint64(f.k))
}

// ApproximatedSize estimates the number of keys as (m/k) ln(1/(1-b/m)), where b is the number of set bits. It rounds
// the estimate. It returns 2^32-1 if the estimate is larger or has no bound. It also returns 2^32-1 if m or k is 0,
// because the formula then has no value.
func (f *BloomFilter) ApproximatedSize() uint32 {
	x, m, k := float64(f.b.Count()), float64(f.m), float64(f.k)
	size := math.Floor(-1*m/k*math.Log(1-x/m)/math.Log(math.E) + 0.5)
	if size < math.MaxUint32 {
		return uint32(size)
	}
	return math.MaxUint32
}

// EstimateFalsePositiveRate makes a filter with m bits, for keys with k positions, and adds n keys to it. It looks up
// 100,000 other keys, and returns the share of these keys that the filter contains. The exact rate for independent
// positions is the result of exact.FPR.
func EstimateFalsePositiveRate(m, k, n uint) (fpRate float64) {
	const rounds = 100_000
	f := New(m, k)
	var key [4]byte
	for i := range uint32(n) {
		binary.BigEndian.PutUint32(key[:], i)
		f.Add(key[:])
	}
	found := 0
	for i := range uint32(rounds) {
		binary.BigEndian.PutUint32(key[:], i+uint32(n)+1)
		if f.Test(key[:]) {
			found++
		}
	}
	return float64(found) / rounds
}
