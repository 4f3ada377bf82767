// Package bip37 implements the filter of BIP 37, which Bitcoin's light clients send to a node. It derives the same
// positions as Bitcoin's nodes. It reads and writes the body of a filterload message.
//
// # Positions
//
// A filter has m bits, where m is a multiple of 8, and each key has k positions. A number called the tweak is chosen
// for each filter. Position i of a key is h mod m, for i = 0 to k-1. Here h is the 32-bit MurmurHash3 of the key
// (computed by twmb/murmur3). Its seed is i * 0xFBA4C795 + tweak, modulo 2^32. Bit j of the filter is bit j&7 of byte
// j>>3. BIP 37 defines what a key is. A key can be the hash of a transaction, in the byte order of messages. It can
// also be a data element of a script, or the 36 bytes of an outpoint.
//
// # Message body
//
//	1 or 3 bytes   the number of bytes of the filter, as Bitcoin's variable-length integer.
//	1 to 36,000    the bits.
//	4 bytes        k, 1 to 50, little-endian.
//	4 bytes        the tweak, little-endian.
//	1 byte         the flags: they say what the node adds to the filter after a match.
//
// A message with no bits or with k = 0 would match everything, so this package refuses it. The message body has no
// checksum, so all values of the bits are accepted.
//
// # Rates
//
// The positions of a key are independent. The probability of each position is 1/m, with a relative error of at most
// m/2^32. So the false-positive rate is close to the rate of a standard filter. Package verify/like computes bounds of
// this rate, under the name bip37. It also has the rule by which Bitcoin Core chooses m and k.
package bip37

import (
	"encoding/binary"
	"fmt"

	"github.com/twmb/murmur3"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/compat/internal/array"
)

// The protocol permits at most maxBytes bytes for a filter, and at most maxK positions for a key.
const (
	maxBytes = 36_000
	maxK     = 50
)

// These are the values of the two lowest bits of the flags. BIP 37 calls them BLOOM_UPDATE_NONE, BLOOM_UPDATE_ALL and
// BLOOM_UPDATE_P2PUBKEY_ONLY. When an output of a transaction matches the filter, the node may change the filter. These
// values say what the node then adds.
const (
	UpdateNone         byte = 0
	UpdateAll          byte = 1
	UpdateP2PubkeyOnly byte = 2
)

const (
	name    = "bip37" // the name in error messages
	trailer = 4 + 4 + 1
	wide    = 0xfd // the byte before a length of 16 bits
)

// Filter is a filter as BIP 37 specifies it. Many goroutines may read a filter at the same time. A goroutine that
// changes a filter needs exclusive use of it. The zero Filter can be used only as the receiver of UnmarshalBinary.
type Filter struct {
	bits  array.Bits
	tweak uint32
	flags byte
}

// New returns an empty filter with m bits, for keys with k positions.
// Domain: m is a multiple of 8 from 8 to 288,000; k is from 1 to 50.
// Errors: *bloomproof.ParamError for an argument outside its domain.
func New(m uint64, k int, tweak uint32, flags byte) (*Filter, error) {
	switch {
	case m == 0 || m%8 != 0 || m > 8*maxBytes:
		return nil, &bloomproof.ParamError{Param: "m", Value: m, Want: fmt.Sprintf("a multiple of 8 from 8 to %d", 8*maxBytes)}
	case k < 1 || k > maxK:
		return nil, &bloomproof.ParamError{Param: "k", Value: k, Want: fmt.Sprintf("between 1 and %d", maxK)}
	}
	bits, err := array.New(bloomproof.Geometry{M: m, K: k})
	if err != nil {
		return nil, err
	}
	return &Filter{bits, tweak, flags}, nil
}

// Geometry returns the values m and k of the filter.
func (f *Filter) Geometry() bloomproof.Geometry { return f.bits.Geometry() }

// Tweak returns a number that is chosen for each filter. It is the seed for position 0 of every key.
func (f *Filter) Tweak() uint32 { return f.tweak }

// Flags returns the flags of the filter. The message body contains them.
func (f *Filter) Flags() byte { return f.flags }

// The method "position" returns position i of key.
func (f *Filter) position(key []byte, i int) uint64 {
	return uint64(murmur3.SeedSum32(uint32(i)*0xFBA4C795+f.tweak, key)) % f.bits.Geometry().M
}

// Add adds key, and reports whether it set a bit that was clear before.
func (f *Filter) Add(key []byte) (fresh bool) {
	for i := range f.bits.Geometry().K {
		if f.bits.Set(f.position(key, i)) {
			fresh = true
		}
	}
	return fresh
}

// Contains reports whether the bits at all positions of key are set, so that key may have been added. It always returns
// true for a key that was added.
func (f *Filter) Contains(key []byte) bool {
	for i := range f.bits.Geometry().K {
		if !f.bits.Has(f.position(key, i)) {
			return false
		}
	}
	return true
}

// AddBatch calls Add for each of the keys in turn and appends the results to dst. It processes the keys one by one.
func (f *Filter) AddBatch(dst []bool, keys [][]byte) []bool { return array.Each(dst, keys, f.Add) }

// ContainsBatch appends to dst the result of Contains for each of the keys. It processes the keys one by one, because
// Contains computes no further hash after the first clear bit.
func (f *Filter) ContainsBatch(dst []bool, keys [][]byte) []bool {
	return array.Each(dst, keys, f.Contains)
}

// Bits returns the number of set bits. Its cost is O(1).
func (f *Filter) Bits() uint64 { return f.bits.Bits() }

// Rate returns (b/m)^k, where b is the number of set bits. This is the probability that a new key is found in the
// filter, given the bits that are set now.
// Error: relative, at most 1.01*k*m*2^-32 for rates above 1e-300. The reason for this error is that positions are not
// exactly uniformly distributed. With the largest k and m that the protocol allows, this bound is 0.34 %.
func (f *Filter) Rate() float64 { return f.bits.Rate() }

// Items estimates how many distinct keys were added, by the method of moments. Let b be the number of set bits. The
// estimate is:
//
//	ln(1-b/m) / (k ln(1-1/m)).
//
// If all bits are set, b gives no upper bound for the number of keys. In that case the result "bounded" is false, and
// the result n is 0.
func (f *Filter) Items() (n float64, bounded bool) { return f.bits.Items() }

// Union adds the keys of g to f. The flags of f do not change.
// Errors: *bloomproof.ParamError if f and g differ in m, k or the tweak. After an error, f is unchanged.
func (f *Filter) Union(g *Filter) error {
	if f.tweak != g.tweak {
		return &bloomproof.ParamError{Param: "tweak", Value: g.tweak, Want: fmt.Sprint(f.tweak)}
	}
	return f.bits.Union(&g.bits)
}

// Clear removes all keys.
func (f *Filter) Clear() { f.bits.Clear() }

// Clone returns a copy that is independent of f.
func (f *Filter) Clone() *Filter { return &Filter{f.bits.Clone(), f.tweak, f.flags} }

// Equal reports whether f and g have the same m, k, tweak, flags and bits.
func (f *Filter) Equal(g *Filter) bool {
	return f.tweak == g.tweak && f.flags == g.flags && f.bits.Equal(&g.bits)
}

// AppendBinary appends the message body of the filter to dst.
// Error: *bloomproof.ParamError for the zero Filter, which has no message body.
func (f *Filter) AppendBinary(dst []byte) ([]byte, error) {
	g := f.bits.Geometry()
	if g.M == 0 {
		return dst, array.NoBits()
	}
	n := int(g.M / 8)
	if n < wide {
		dst = append(dst, byte(n))
	} else {
		dst = binary.LittleEndian.AppendUint16(append(dst, wide), uint16(n))
	}
	end := len(dst) + n
	for _, w := range f.bits.Words() {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	dst = binary.LittleEndian.AppendUint32(dst[:end], uint32(g.K))
	return append(binary.LittleEndian.AppendUint32(dst, f.tweak), f.flags), nil
}

// MarshalBinary returns the message body of the filter.
// Error: as for AppendBinary.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// UnmarshalBinary reads a message body from data. It replaces f by the filter in this message body. No bytes may follow
// the message body.
// Errors: an error that wraps kernel.ErrCorrupt. After an error, f is unchanged.
func (f *Filter) UnmarshalBinary(data []byte) error {
	if len(data) < 1+1+trailer {
		return array.Corrupt(name, "%d bytes, less than any filter", len(data))
	}
	n, bits := int(data[0]), data[1:len(data)-trailer]
	switch {
	case n > wide:
		return array.Corrupt(name, "more than %d bytes of bits", maxBytes)
	case n == wide:
		if n = int(binary.LittleEndian.Uint16(data[1:])); n < wide {
			return array.Corrupt(name, "the length %d is written in 3 bytes", n)
		}
		bits = bits[min(2, len(bits)):]
	}
	end := data[len(data)-trailer:]
	k := binary.LittleEndian.Uint32(end)
	switch {
	case n == 0 || n > maxBytes:
		return array.Corrupt(name, "%d bytes of bits, where 1 to %d are permitted", n, maxBytes)
	case len(bits) != n:
		return array.Corrupt(name, "%d bytes of bits, where %d are said to come", len(bits), n)
	case k == 0 || k > maxK:
		return array.Corrupt(name, "%d hash functions, where 1 to %d are permitted", k, maxK)
	}
	words := make([]uint64, (n+7)/8)
	for i, b := range bits {
		words[i/8] |= uint64(b) << (i % 8 * 8)
	}
	g := bloomproof.Geometry{M: 8 * uint64(n), K: int(k)}
	*f = Filter{array.Of(g, words), binary.LittleEndian.Uint32(end[4:]), end[8]}
	return nil
}
