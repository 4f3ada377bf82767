// Package families has the keys that an examination adds and looks up.
package families

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
)

// A Family is a kind of keys. The function Append appends the key with number i. Two keys with different numbers are
// different if both numbers are below the field Most.
type Family struct {
	Name   string
	Most   uint64
	Append func(dst []byte, seed, i uint64) []byte
}

// Mix is a bijection of 64-bit words that leaves no pattern visible (SplitMix64).
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

var common = bytes.Repeat([]byte("https://example.org/a/long/common/part/"), 5)

// These are the families of keys. The seed determines the first key of a family. If the keys contain consecutive
// integers, the first of these is below 2^32.
var (
	Random = Family{"random keys", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		dst = binary.LittleEndian.AppendUint64(dst, Mix(i+seed))
		return binary.LittleEndian.AppendUint64(dst, Mix(i*0x9e3779b97f4a7c15^Mix(seed)))
	}}
	Integers = Family{"sequential integers", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		return binary.LittleEndian.AppendUint64(dst, Mix(seed)>>32+i)
	}}
	prefixed = Family{"keys with a long common prefix", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		return strconv.AppendUint(append(dst, common...), Mix(seed)>>32+i, 10)
	}}
	suffixed = Family{"keys with a long common suffix", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		return append(strconv.AppendUint(dst, Mix(seed)>>32+i, 10), common...)
	}}
	// A key of the family "lengths" is one byte, repeated up to 200 times. The family has all such keys, and the empty
	// key.
	Lengths = Family{"keys of all lengths from 0 to 200", 201 + 255*200, func(dst []byte, _, i uint64) []byte {
		length, fill := int(i), byte(0)
		if i > 200 {
			length, fill = 1+int((i-201)%200), byte(1+(i-201)/200)
		}
		return Repeated(dst, fill, length)
	}}
	long = Family{"a byte repeated up to 4100 times", 4101, func(dst []byte, seed, i uint64) []byte {
		return Repeated(dst, byte(Mix(seed)), int(i))
	}}
	short = Family{"all keys of up to 3 bytes", 1 + 1<<8 + 1<<16 + 1<<24, func(dst []byte, _, i uint64) []byte {
		n, of := 0, uint64(1)
		for ; i >= of; of <<= 8 {
			i -= of
			n++
		}
		for range n {
			dst = append(dst, byte(i))
			i >>= 8
		}
		return dst
	}}
	// The keys of the family "stretched" come in groups of five. Each other key of a group begins with the first key
	// and has more bytes at the end.
	stretched = Family{"keys that differ in length only", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		dst = append(hex16(dst, Mix(seed+i/5)), "x"[:min(1, i%5)]...)
		return append(dst, []string{"", "", "\x00", " ", "\x00\x00"}[i%5]...)
	}}
	urls = Family{"URLs", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		dst = strconv.AppendUint(append(dst, "https://www.example.com/users/"...), Mix(seed)>>40+i/7, 10)
		return append(dst, []string{"", "/", "/posts", "/posts?page=2", "/photos#top", "/Profile", "?lang=en"}[i%7]...)
	}}
	uuids = Family{"UUIDs", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		low, high := hex16(nil, Mix(i+seed)), hex16(nil, Mix(i^Mix(seed)))
		dst = append(append(append(dst, low[:8]...), '-'), low[8:12]...)
		dst = append(append(append(dst, "-4"...), low[12:15]...), "-8"...)
		return append(append(append(append(dst, high[:2]...), low[15]), '-'), high[4:]...)
	}}
	decimals = Family{"decimal numbers", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		return strconv.AppendUint(dst, Mix(seed)>>44+i, 10)
	}}
	words = Family{"words of one to eight syllables", math.MaxUint64, func(dst []byte, _, i uint64) []byte {
		for i++; i > 0; i = (i - 1) / 60 {
			s := (i - 1) % 60
			dst = append(dst, "bdfgklmnprst"[s/5], "aeiou"[s%5])
		}
		return dst
	}}
)

// Repeated appends the byte b to the slice dst, n times.
func Repeated(dst []byte, b byte, n int) []byte {
	for range n {
		dst = append(dst, b)
	}
	return dst
}

// hex16 appends the number v to dst as 16 hexadecimal digits, the lowest digit first.
func hex16(dst []byte, v uint64) []byte {
	for range 16 {
		dst = append(dst, "0123456789abcdef"[v%16])
		v /= 16
	}
	return dst
}

// integerFamily returns a family of 8-byte integers. The argument "of" is a function. It computes each integer from an
// index. The indices of a family are consecutive. If the family has fewer than 2^64 keys, the first index is 0.
// Otherwise it is a number below 2^32 that depends on the seed.
func integerFamily(name string, most uint64, order binary.AppendByteOrder, of func(i uint64) uint64) Family {
	return Family{name, most, func(dst []byte, seed, i uint64) []byte {
		if most == math.MaxUint64 {
			i += Mix(seed) >> 32
		}
		return order.AppendUint64(dst, of(i))
	}}
}

// highFamily returns a family of keys whose bytes are 0x80 or more, with a common prefix and suffix.
func highFamily(name, before, after string) Family {
	return Family{name, math.MaxUint64, func(dst []byte, _, i uint64) []byte {
		dst = Repeated(append(dst, before...), 0xff, int(i%5))
		for i = i/5 + 1; i > 0; i = (i - 1) / 127 {
			dst = append(dst, 0x80|byte((i-1)%127))
		}
		return append(dst, after...)
	}}
}

// Structured returns the families of keys that resemble one another.
func Structured() []Family {
	little, big := binary.LittleEndian, binary.BigEndian
	shift := func(bits int) func(i uint64) uint64 { return func(i uint64) uint64 { return i << bits } }
	return []Family{
		Integers, prefixed, suffixed, Lengths,
		integerFamily("sequential integers, big-endian", math.MaxUint64, big, shift(0)),
		integerFamily("negative integers", math.MaxUint64, little, func(i uint64) uint64 { return -i }),
		integerFamily("multiples of 2^20", 1<<44, little, shift(20)),
		integerFamily("multiples of 2^32", 1<<32, little, shift(32)),
		integerFamily("multiples of 2^32, big-endian", 1<<32, big, shift(32)),
		integerFamily("multiples of 2^40", 1<<24, little, shift(40)),
		integerFamily("multiples of 2^48", 1<<16, little, shift(48)),
		integerFamily("multiples of 2^48, big-endian", 1<<16, big, shift(48)),
		highFamily("bytes from 0x80 on", "", ""),
		highFamily("heads from 0x80 on", "", "a common tail, of ASCII"),
		highFamily("middles from 0x80 on", "a common head ", " a common tail"),
		highFamily("tails from 0x80 on", "a common head of ASCII, 32 bytes", ""),
		long, short, stretched, urls, uuids, decimals, words,
	}
}
