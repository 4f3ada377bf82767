// Package guava implements the BloomFilter of Google's Guava library for Java. It derives the same positions. It reads
// and writes the same bytes as Guava's methods readFrom and writeTo.
//
// # Positions
//
// In Guava, an object called a funnel converts a key to a sequence of bytes, which is then hashed. The keys of this
// package are such sequences of bytes. The hash function is MurmurHash3 with a result of 128 bits and seed 0 (computed
// by twmb/murmur3). Its result is two words, h1 and h2. The number m of bits is a multiple of 64.
//
// With the strategy Mitz64, a key has the following positions, for i = 0 to k-1:
//
//	((h1 + i h2) mod 2^63) mod m.
//
// With the strategy Mitz32, each position is computed from an int32 x, for i = 1 to k:
//
//	x = lo + i hi.
//
// Here lo and hi are the low and the high 32 bits of h1. The position is x mod m. If x is negative, it is (-1-x) mod m
// instead.
//
// Bit i of the filter is bit i&63 of word i>>6. In Java a word is a long.
//
// # Funnels
//
// Guava's own funnels convert keys to bytes as follows:
//
//	byteArrayFunnel             the bytes
//	stringFunnel(charset)       the string in the charset: for UTF_8 the bytes of a Go string
//	unencodedCharsFunnel        UTF-16, each unit with its low byte first (see the function Chars)
//	integerFunnel, longFunnel   4 or 8 bytes, the low one first.
//
// A funnel that is written by a user can combine bytes, characters and integers. Each of these values is converted to
// bytes as in the table above. The bytes of the values follow one another directly. No lengths are stored.
//
// # Serial form
//
//	1 byte         the strategy: 0 for Mitz32, 1 for Mitz64
//	1 byte         k, 1 to 255
//	4 bytes        the number of longs, big-endian, at least 1 and below 2^31
//	8 bytes each   the longs, big-endian.
//
// The serial form has no checksum, so all values of the longs are accepted. This package does not read the form in
// which Java serializes a BloomFilter object.
//
// # Rates
//
// Both strategies use double hashing modulo m. The number m is never a prime number. So small filters have a higher
// false-positive rate than standard filters. Package verify/like computes this rate, under the names guava and
// guava-32. It also has the rule by which Guava chooses m and k.
package guava

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"unicode/utf16"

	"github.com/twmb/murmur3"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/compat/internal/array"
)

// A Strategy is one of the two ways in which Guava derives positions from a hash.
type Strategy uint8

const (
	Mitz32 Strategy = iota // MURMUR128_MITZ_32, used before Guava 17
	Mitz64                 // MURMUR128_MITZ_64, used by current versions of Guava
)

const (
	maxK     = 255
	maxWords = 1<<31 - 1
	header   = 6
	name     = "guava" // the name in error messages
)

// Filter is a filter as in Guava. Many goroutines may read a filter at the same time. A goroutine that changes a filter
// needs exclusive use of it. The zero Filter can be used only as the receiver of UnmarshalBinary and ReadFrom.
type Filter struct {
	bits     array.Bits
	strategy Strategy
}

// New returns an empty filter with m bits, for keys with k positions and the strategy s.
// Domain: m is a multiple of 64 from 64 to 2^37 - 64; k is from 1 to 255. Memory: m/8 bytes.
// Errors: *bloomproof.ParamError for an argument outside its domain, and if the host has too little memory for m bits.
func New(m uint64, k int, s Strategy) (*Filter, error) {
	switch {
	case m == 0 || m%64 != 0 || m/64 > maxWords:
		return nil, &bloomproof.ParamError{Param: "m", Value: m, Want: fmt.Sprintf("a multiple of 64 from 64 to %d", uint64(64*maxWords))}
	case k < 1 || k > maxK:
		return nil, &bloomproof.ParamError{Param: "k", Value: k, Want: fmt.Sprintf("between 1 and %d", maxK)}
	case s > Mitz64:
		return nil, &bloomproof.ParamError{Param: "strategy", Value: uint8(s), Want: "Mitz32 or Mitz64"}
	}
	bits, err := array.New(bloomproof.Geometry{M: m, K: k})
	if err != nil {
		return nil, err
	}
	return &Filter{bits, s}, nil
}

// Chars returns the bytes to which Guava's unencodedCharsFunnel converts the string s. Invalid UTF-8 in s is read as
// the character U+FFFD.
func Chars(s string) []byte {
	units := utf16.Encode([]rune(s))
	key := make([]byte, 0, 2*len(units))
	for _, u := range units {
		key = binary.LittleEndian.AppendUint16(key, u)
	}
	return key
}

// Geometry returns the values m and k of the filter. Package bloomproof has no name for Guava's hashing, so the field
// Hashing of the result does not describe the filter.
func (f *Filter) Geometry() bloomproof.Geometry { return f.bits.Geometry() }

// Strategy returns the strategy by which the filter derives positions.
func (f *Filter) Strategy() Strategy { return f.strategy }

// hashOf returns two numbers from which the positions of key are derived. The first position is derived from "start".
// For each further position, "step" is added to this number.
func (f *Filter) hashOf(key []byte) (start, step uint64) {
	h1, h2 := murmur3.Sum128(key)
	if f.strategy == Mitz64 {
		return h1, h2
	}
	return uint64(uint32(h1) + uint32(h1>>32)), h1 >> 32
}

// The method "position" returns the position that Guava derives from the given sum. The argument is the sum start +
// i*step. Here "start" and "step" are the results of hashOf for a key.
func (f *Filter) position(sum uint64) uint64 {
	if f.strategy == Mitz64 {
		return sum & (1<<63 - 1) % f.bits.Geometry().M
	}
	x := int32(sum)
	if x < 0 {
		x = ^x
	}
	return uint64(x) % f.bits.Geometry().M
}

// Add does the same as Guava's method put. It adds key, and reports whether it set a bit that was clear before.
func (f *Filter) Add(key []byte) (fresh bool) {
	at, step := f.hashOf(key)
	for range f.bits.Geometry().K {
		if f.bits.Set(f.position(at)) {
			fresh = true
		}
		at += step
	}
	return fresh
}

// Contains does the same as Guava's method mightContain. It reports whether the bits at all positions of key are set,
// so that key may have been added. It always returns true for a key that was added.
func (f *Filter) Contains(key []byte) bool {
	at, step := f.hashOf(key)
	for range f.bits.Geometry().K {
		if !f.bits.Has(f.position(at)) {
			return false
		}
		at += step
	}
	return true
}

// The method "positions" appends the k positions of each key to the slice "at".
func (f *Filter) positions(at []uint64, keys [][]byte) []uint64 {
	g := f.bits.Geometry()
	d := array.By(g.M)
	for _, key := range keys {
		sum, step := f.hashOf(key)
		if f.strategy == Mitz64 {
			for range g.K {
				at = append(at, d.Mod(sum&(1<<63-1)))
				sum += step
			}
			continue
		}
		for range g.K {
			x := int32(sum)
			at = append(at, d.Mod(uint64(x^x>>31)))
			sum += step
		}
	}
	return at
}

// AddBatch calls Add for each of the keys in turn and appends the results to dst. It reads the bits of many keys at the
// same time. It allocates nothing if dst has room for the results.
func (f *Filter) AddBatch(dst []bool, keys [][]byte) []bool {
	k := f.bits.Geometry().K // at most 255, so the positions of a key fit into a batch
	if f.bits.Geometry().M == 0 {
		return array.Each(dst, keys, f.Add)
	}
	var at [array.Room]uint64
	for part := range slices.Chunk(keys, array.Keys(k)) {
		dst = f.bits.AddAll(dst, f.positions(at[:0], part))
	}
	return dst
}

// ContainsBatch appends to dst the result of Contains for each of the keys. It reads the bits of many keys at the same
// time. It allocates nothing if dst has room for the results.
func (f *Filter) ContainsBatch(dst []bool, keys [][]byte) []bool {
	k := f.bits.Geometry().K
	if f.bits.Geometry().M == 0 {
		return array.Each(dst, keys, f.Contains)
	}
	var at [array.Room]uint64
	for part := range slices.Chunk(keys, array.Keys(k)) {
		dst = array.Contains(dst, f.bits.Words(), f.positions(at[:0], part), k)
	}
	return dst
}

// Bits returns the number of set bits. Its cost is O(1).
func (f *Filter) Bits() uint64 { return f.bits.Bits() }

// Rate returns (b/m)^k, where b is the number of set bits. Guava's method expectedFpp returns the same number. If
// positions were independent, this would be the probability that a new key is found in the filter, given the bits that
// are set now. With Guava's positions this probability is higher. Package verify/like computes the difference for given
// m and k.
// Error: for rates above 1e-300, the relative error is at most 2^-48.
func (f *Filter) Rate() float64 { return f.bits.Rate() }

// Items estimates how many distinct keys were added, by the method of moments for independent positions. Let b be the
// number of set bits. The estimate is:
//
//	ln(1-b/m) / (k ln(1-1/m)).
//
// If all bits are set, any larger number of keys is possible too. The result "bounded" is then false. In filters with
// fewer than 1,000 bits the estimate is a few percent too low. The reason is that a key has more equal positions than
// the formula assumes.
func (f *Filter) Items() (n float64, bounded bool) { return f.bits.Items() }

// Union does the same as Guava's method putAll: it adds the keys of g to f.
// Errors: *bloomproof.ParamError if f and g differ in m, k or the strategy. After an error, f is unchanged.
func (f *Filter) Union(g *Filter) error {
	if f.strategy != g.strategy {
		return &bloomproof.ParamError{Param: "strategy", Value: uint8(g.strategy), Want: fmt.Sprint(uint8(f.strategy))}
	}
	return f.bits.Union(&g.bits)
}

// Clear removes all keys.
func (f *Filter) Clear() { f.bits.Clear() }

// Clone returns a copy that is independent of f.
func (f *Filter) Clone() *Filter { return &Filter{f.bits.Clone(), f.strategy} }

// Equal reports whether f and g have the same m, k, strategy and bits.
func (f *Filter) Equal(g *Filter) bool { return f.strategy == g.strategy && f.bits.Equal(&g.bits) }

// AppendBinary appends the serial form of the filter to dst.
// Error: *bloomproof.ParamError for the zero Filter, which has no serial form.
func (f *Filter) AppendBinary(dst []byte) ([]byte, error) {
	if f.bits.Geometry().M == 0 {
		return dst, array.NoBits()
	}
	words := f.bits.Words()
	dst = append(dst, byte(f.strategy), byte(f.bits.Geometry().K))
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(words)))
	for _, w := range words {
		dst = binary.BigEndian.AppendUint64(dst, w)
	}
	return dst, nil
}

// MarshalBinary returns the serial form of the filter.
// Error: as for AppendBinary.
func (f *Filter) MarshalBinary() ([]byte, error) {
	return f.AppendBinary(make([]byte, 0, header+8*len(f.bits.Words())))
}

// WriteTo writes the serial form of the filter to w, by a single call of Write.
// Errors: those of AppendBinary, and those of w.Write.
func (f *Filter) WriteTo(w io.Writer) (int64, error) {
	data, err := f.MarshalBinary()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(data)
	return int64(n), err
}

// UnmarshalBinary replaces f by the filter whose serial form is data. No bytes may follow the serial form.
// Errors: an error that wraps kernel.ErrCorrupt. After an error, f is unchanged.
func (f *Filter) UnmarshalBinary(data []byte) error {
	var g Filter
	if n, err := g.ReadFrom(bytes.NewReader(data)); err != nil {
		return err
	} else if n < int64(len(data)) {
		return array.Corrupt(name, "%d bytes follow", int64(len(data))-n)
	}
	*f = g
	return nil
}

// The function "parse" returns the strategy and the geometry from the header of a serial form.
func parse(data []byte) (Strategy, bloomproof.Geometry, error) {
	s, k, n := Strategy(data[0]), int(data[1]), binary.BigEndian.Uint32(data[2:])
	switch {
	case s > Mitz64:
		return 0, bloomproof.Geometry{}, array.Corrupt(name, "strategy %d", s)
	case k == 0:
		return 0, bloomproof.Geometry{}, array.Corrupt(name, "no hash functions")
	case n == 0 || n > maxWords:
		return 0, bloomproof.Geometry{}, array.Corrupt(name, "%d longs", int32(n))
	}
	return s, bloomproof.Geometry{M: 64 * uint64(n), K: k}, nil
}

// ReadFrom reads the serial form of a filter from r, and replaces f by this filter. Like Guava's method readFrom, it
// reads no byte after the serial form. The memory that it allocates is proportional to the number of bytes that it
// reads, whatever the header says.
// Errors: an error that wraps kernel.ErrCorrupt, or the error of r. After an error, f is unchanged.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) {
	var head [header]byte
	n, err := io.ReadFull(r, head[:])
	if err != nil {
		return int64(n), array.Short(name, err)
	}
	s, g, err := parse(head[:])
	if err != nil {
		return int64(n), err
	}
	words, read, err := array.Read(r, g.M/64, binary.BigEndian)
	if err != nil {
		return int64(n) + read, array.Short(name, err)
	}
	*f = Filter{array.Of(g, words), s}
	return int64(n) + read, nil
}
