package conform

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
)

// A family is a kind of keys. The function "append" appends the key with number i. All keys whose numbers are below the
// value of the field "most" are different.
type family struct {
	name   string
	most   uint64
	append func(dst []byte, seed, i uint64) []byte
}

// The function "mix" is a bijection of 64-bit words that leaves no pattern visible (SplitMix64).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

var common = bytes.Repeat([]byte("https://example.org/a/long/common/part/"), 5)

// These are the families of keys. The seed determines the first key of a family. If the keys contain consecutive
// integers, the first of these is below 2^32.
var (
	randomKeys = family{"random keys", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		dst = binary.LittleEndian.AppendUint64(dst, mix(i+seed))
		return binary.LittleEndian.AppendUint64(dst, mix(i*0x9e3779b97f4a7c15^mix(seed)))
	}}
	integers = family{"sequential integers", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		return binary.LittleEndian.AppendUint64(dst, mix(seed)>>32+i)
	}}
	prefixed = family{"keys with a long common prefix", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		return strconv.AppendUint(append(dst, common...), mix(seed)>>32+i, 10)
	}}
	suffixed = family{"keys with a long common suffix", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		return append(strconv.AppendUint(dst, mix(seed)>>32+i, 10), common...)
	}}
	// A key of the family "lengths" is one byte, repeated up to 200 times. The family has all such keys, and the empty
	// key.
	lengths = family{"keys of all lengths from 0 to 200", 201 + 255*200, func(dst []byte, _, i uint64) []byte {
		length, fill := int(i), byte(0)
		if i > 200 {
			length, fill = 1+int((i-201)%200), byte(1+(i-201)/200)
		}
		return repeated(dst, fill, length)
	}}
	long = family{"a byte repeated up to 4100 times", 4101, func(dst []byte, seed, i uint64) []byte {
		return repeated(dst, byte(mix(seed)), int(i))
	}}
	short = family{"all keys of up to 3 bytes", 1 + 1<<8 + 1<<16 + 1<<24, func(dst []byte, _, i uint64) []byte {
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
	// The family "stretched" has groups of five keys. Each of the last four keys of a group is the first key with bytes
	// appended to it.
	stretched = family{"keys that differ in length only", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		dst = append(hex16(dst, mix(seed+i/5)), "x"[:min(1, i%5)]...)
		return append(dst, []string{"", "", "\x00", " ", "\x00\x00"}[i%5]...)
	}}
	urls = family{"URLs", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		dst = strconv.AppendUint(append(dst, "https://www.example.com/users/"...), mix(seed)>>40+i/7, 10)
		return append(dst, []string{"", "/", "/posts", "/posts?page=2", "/photos#top", "/Profile", "?lang=en"}[i%7]...)
	}}
	uuids = family{"UUIDs", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		low, high := hex16(nil, mix(i+seed)), hex16(nil, mix(i^mix(seed)))
		dst = append(append(append(dst, low[:8]...), '-'), low[8:12]...)
		dst = append(append(append(dst, "-4"...), low[12:15]...), "-8"...)
		return append(append(append(append(dst, high[:2]...), low[15]), '-'), high[4:]...)
	}}
	decimals = family{"decimal numbers", math.MaxUint64, func(dst []byte, seed, i uint64) []byte {
		return strconv.AppendUint(dst, mix(seed)>>44+i, 10)
	}}
	words = family{"words of one to eight syllables", math.MaxUint64, func(dst []byte, _, i uint64) []byte {
		for i++; i > 0; i = (i - 1) / 60 {
			s := (i - 1) % 60
			dst = append(dst, "bdfgklmnprst"[s/5], "aeiou"[s%5])
		}
		return dst
	}}
)

func repeated(dst []byte, b byte, n int) []byte {
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

// integerFamily returns a family of 8-byte integers. They are the results of the function "of" for consecutive
// arguments. If the family has fewer than 2^64 keys, the first argument is 0. Otherwise it is a number below 2^32 that
// depends on the seed.
func integerFamily(name string, most uint64, order binary.AppendByteOrder, of func(i uint64) uint64) family {
	return family{name, most, func(dst []byte, seed, i uint64) []byte {
		if most == math.MaxUint64 {
			i += mix(seed) >> 32
		}
		return order.AppendUint64(dst, of(i))
	}}
}

// highFamily returns a family of keys whose bytes are 0x80 or more, with a common prefix and suffix.
func highFamily(name, before, after string) family {
	return family{name, math.MaxUint64, func(dst []byte, _, i uint64) []byte {
		dst = repeated(append(dst, before...), 0xff, int(i%5))
		for i = i/5 + 1; i > 0; i = (i - 1) / 127 {
			dst = append(dst, 0x80|byte((i-1)%127))
		}
		return append(dst, after...)
	}}
}

// The function "structured" returns the families of keys that resemble one another.
func structured() []family {
	little, big := binary.LittleEndian, binary.BigEndian
	shift := func(bits int) func(i uint64) uint64 { return func(i uint64) uint64 { return i << bits } }
	return []family{
		integers, prefixed, suffixed, lengths,
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

// A source yields the keys of a family one after the other.
type source struct {
	family
	seed, next uint64
	buf        []byte
}

// The method "key" returns the key with number i. The next call of the method overwrites the bytes of this key.
func (s *source) key(i uint64) []byte {
	for j := range s.buf {
		s.buf[j] ^= 0xa5 // overwrite the last key, in case the filter kept it
	}
	s.buf = s.append(s.buf[:0], s.seed, i)
	return s.buf
}

// The method "take" reserves the numbers of the next n keys, and returns the first of these numbers.
func (s *source) take(n uint64) uint64 {
	first := s.next
	s.next += n
	return first
}
