// Package array has the code that several filters of package compat share. Such a filter is an array of words. A key
// has k positions. Each position is x mod m. The number x is derived as in another library. Bit i of the filter is bit
// i&63 of word i>>6.
package array

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// A Divisor computes x mod m by multiplications instead of a division.
type Divisor struct {
	M       uint64
	inverse uint64 // floor((2^64-1)/M)
}

// By returns a Divisor that computes x mod m. The number m must be at least 1.
func By(m uint64) Divisor { return Divisor{m, math.MaxUint64 / m} }

// Mod returns x mod m.
//
// Proof: The field "inverse" is floor((2^64-1)/m). So 2^64 - m*inverse is at least 1 and at most m. This gives the
// following bounds:
//
//	0 <= x/m - x*inverse/2^64 <= x/2^64 < 1.
//
// The integer q below is therefore floor(x/m) or floor(x/m) - 1. So x - q*m is at least 0 and less than 2m.
func (d Divisor) Mod(x uint64) uint64 {
	q, _ := bits.Mul64(x, d.inverse)
	r := x - q*d.M
	if r >= d.M {
		r -= d.M
	}
	return r
}

// Room is the number of positions that are computed together in a batch. They take 4 KiB on the stack.
const Room = 512

// Keys returns the number of keys with k positions that fit in one batch. It may be 0.
func Keys(k int) int { return Room / max(k, 1) }

// A batch look-up first reads a few bits of every key, and then tests these bits. The constant "first" is the number of
// these bits for each key. If a key is not in the filter, one of these bits is usually clear. The reads are done in
// parallel, because none of them waits for the result of a test.
const first = 2

// Contains looks up keys in the array "words". The slice "at" has k positions for each key. These are in the order of
// the keys. For each key it appends true to dst if the bits at all positions of the key are set, otherwise false.
func Contains(dst []bool, words, at []uint64, k int) []bool {
	from, least := len(dst), min(k, first)
	for i := 0; i < len(at); i += k {
		all := uint64(1)
		for _, p := range at[i : i+least] {
			all &= words[p>>6] >> (p & 63)
		}
		dst = append(dst, all != 0)
	}
	for i, found := range dst[from:] {
		if found {
			dst[from+i] = HasAll(words, at[i*k+least:(i+1)*k])
		}
	}
	return dst
}

// HasAll reports whether the bits at all positions in the slice "at" are set in the array "words".
func HasAll(words, at []uint64) bool {
	for _, p := range at {
		if words[p>>6]>>(p&63)&1 == 0 {
			return false
		}
	}
	return true
}

// Add adds keys to the array "words". The slice "at" has k positions for each key. These are in the order of the keys.
// For each key in turn it sets the bits at the positions of the key. It appends true to dst if one of these bits was
// clear, otherwise false.
func Add(dst []bool, words, at []uint64, k int) []bool {
	for i := 0; i < len(at); i += k {
		dst = append(dst, SetAll(words, at[i:i+k]))
	}
	return dst
}

// SetAll sets the bits at all positions in the slice "at", and reports whether one of them was clear. It changes the
// array "words".
func SetAll(words, at []uint64) bool {
	all := uint64(1)
	for _, p := range at {
		w := words[p>>6]
		all &= w >> (p & 63)
		words[p>>6] = w | 1<<(p&63)
	}
	return all == 0
}

// Count returns the number of ones among the first m bits of the array "words".
func Count(words []uint64, m uint64) uint64 {
	if m/64 >= uint64(len(words)) {
		return uint64(kernel.Count(words))
	}
	rest := words[m/64] & (1<<(m%64) - 1)
	return uint64(kernel.Count(words[:m/64]) + bits.OnesCount64(rest))
}

// Rate returns (b/m)^k. This is the probability that the bits at k independent positions are all set, if b of m bits
// are set.
func Rate(b, m, k uint64) float64 { return math.Pow(float64(b)/float64(m), float64(k)) }

// Items estimates the number of keys in an array of m bits if b bits are set. It uses the method of moments, for keys
// with k positions. The result n is:
//
//	ln(1-b/m) / (k ln(1-1/m)).
//
// The results are 0 and false in two cases. In the first case all bits are set (b = m > 0). In the second case b > 0
// and k = 0.
func Items(b, m, k uint64) (n float64, bounded bool) {
	if b >= m || k == 0 {
		return 0, b == 0
	}
	share := float64(b) / float64(m)
	miss := math.Log1p(-share)
	if share > 0.5 { // 1 - share would be inaccurate
		miss = math.Log(float64(m-b) / float64(m))
	}
	return miss / (float64(k) * math.Log1p(-1/float64(m))), true
}

// Corrupt returns an error that wraps kernel.ErrCorrupt. Its text begins with the name of a library.
func Corrupt(name, format string, args ...any) error {
	return fmt.Errorf("%s: %w: %w", name, kernel.ErrCorrupt, fmt.Errorf(format, args...))
}

// NoBits returns the error for an attempt to encode the zero filter. This filter has no bits, and the libraries have no
// binary form for it.
func NoBits() error {
	return &bloomproof.ParamError{Param: "m", Value: 0, Want: "at least 1: the zero filter has no binary form"}
}

// If err reports the end of a stream, Short returns an error that wraps kernel.ErrCorrupt and io.ErrUnexpectedEOF.
// Otherwise it returns err.
func Short(name string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return Corrupt(name, "it ends too early: %w", io.ErrUnexpectedEOF)
	}
	return err
}

// The constant "chunk" is the number of words that are read or written at a time.
const chunk = 512

// Read reads n words from r, in the given byte order. The memory that it allocates is proportional to the number of
// words that it reads, even if n is larger.
func Read(r io.Reader, n uint64, order binary.ByteOrder) (words []uint64, done int64, err error) {
	var buf [8 * chunk]byte
	for uint64(len(words)) < n {
		left := n - uint64(len(words))
		part := buf[:8*min(left, chunk)]
		got, err := io.ReadFull(r, part)
		done += int64(got)
		if err != nil {
			return nil, done, err
		}
		if len(words)+len(part)/8 > cap(words) {
			words = slices.Grow(words, int(min(left, max(uint64(len(words)), chunk))))
		}
		for ; len(part) > 0; part = part[8:] {
			words = append(words, order.Uint64(part))
		}
	}
	return words, done, nil
}

// Write writes the words to w, in the given byte order.
func Write(w io.Writer, words []uint64, order binary.ByteOrder) (done int64, err error) {
	var buf [8 * chunk]byte
	for part := range slices.Chunk(words, chunk) {
		for i, x := range part {
			order.PutUint64(buf[8*i:], x)
		}
		n, err := w.Write(buf[:8*len(part)])
		if done += int64(n); err != nil {
			return done, err
		}
	}
	return done, nil
}
