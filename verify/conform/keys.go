package conform

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
)

// family is a kind of keys; append appends the key of number i, which is another for every
// i below most.
type family struct {
	name   string
	most   uint64
	append func(dst []byte, seed, i uint64) []byte
}

// mix is a bijection of 64-bit words that leaves no pattern (SplitMix64).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

var common = bytes.Repeat([]byte("https://example.org/a/long/common/part/"), 5)

// The families. Sequences start somewhere that the seed decides, below 2^32.
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
	// 200 lengths of each byte but 0, which has the empty key too.
	lengths = family{"keys of all lengths from 0 to 200", 201 + 255*200, func(dst []byte, _, i uint64) []byte {
		length, fill := int(i), byte(0)
		if i > 200 {
			length, fill = 1+int((i-201)%200), byte(1+(i-201)/200)
		}
		for range length {
			dst = append(dst, fill)
		}
		return dst
	}}
)

func structured() []family { return []family{integers, prefixed, suffixed, lengths} }

// source hands out the keys of a family one after the other.
type source struct {
	family
	seed, next uint64
	buf        []byte
}

// key returns the key of number i, which is gone at the next call.
func (s *source) key(i uint64) []byte {
	for j := range s.buf {
		s.buf[j] ^= 0xa5 // whoever kept the last key has lost it
	}
	s.buf = s.append(s.buf[:0], s.seed, i)
	return s.buf
}

// take reserves n numbers and returns the first.
func (s *source) take(n uint64) uint64 {
	first := s.next
	s.next += n
	return first
}
