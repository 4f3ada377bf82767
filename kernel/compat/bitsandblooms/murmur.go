package bloom

import (
	"encoding/binary"
	"math/bits"
)

// These are the constants in the definition of murmur3, in its variant x64 with 128 bits.
const (
	c1 = 0x87c37b91114253d5
	c2 = 0x4cf5ad432745937f
)

// The type "murmur" is the state of a computation of murmur3 with seed 0, in its variant x64 with 128 bits.
type murmur struct{ a, b uint64 }

func scramble1(x uint64) uint64 { return bits.RotateLeft64(x*c1, 31) * c2 }
func scramble2(x uint64) uint64 { return bits.RotateLeft64(x*c2, 33) * c1 }

// The method "block" returns the state after the next 16 bytes of the key. The arguments x and y are these bytes as
// two words, with the lowest byte first.
func (s murmur) block(x, y uint64) murmur {
	s.a = (bits.RotateLeft64(s.a^scramble1(x), 27)+s.b)*5 + 0x52dce729
	s.b = (bits.RotateLeft64(s.b^scramble2(y), 31)+s.a)*5 + 0x38495ab5
	return s
}

// The method "sum" returns the hash of a key with n bytes. The words x and y have the last 0 to 15 bytes of the
// key, followed by zeros.
func (s murmur) sum(x, y, n uint64) (uint64, uint64) {
	a, b := s.a^scramble1(x)^n, s.b^scramble2(y)^n
	a += b
	b += a
	a, b = mix(a), mix(b)
	a += b
	return a, b + a
}

func mix(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// baseHashes returns four words. The words h[0] and h[1] are the murmur3 hash of data (variant x64, 128 bits). The
// words h[2] and h[3] are the same hash of data followed by a byte of value 1. It reads data only once.
func baseHashes(data []byte) (h [4]uint64) {
	var s murmur
	n := uint64(len(data))
	for ; len(data) >= 16; data = data[16:] {
		s = s.block(binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:]))
	}
	x, y := words(data)
	h[0], h[1] = s.sum(x, y, n)
	if at := uint(len(data)); at < 8 {
		x |= 1 << (8 * at)
	} else {
		y |= 1 << (8 * (at - 8))
	}
	if len(data) == 15 {
		s = s.block(x, y)
		x, y = 0, 0
	}
	h[2], h[3] = s.sum(x, y, n+1)
	return h
}

// The function "words" combines the bytes of the slice "tail" into two words. The lowest byte comes first. It adds
// zeros after the last byte. The slice "tail" has at most 15 bytes.
func words(tail []byte) (x, y uint64) {
	if len(tail) >= 8 {
		return binary.LittleEndian.Uint64(tail), word(tail[8:])
	}
	return word(tail), 0
}

// The function "word" returns the bytes of b as a word, with the lowest byte first. It adds zeros after the last
// byte. The slice b has at most 7 bytes.
func word(b []byte) (x uint64) {
	n := len(b)
	switch {
	case n >= 4: // these two reads may overlap
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<(8*(n-4))
	case n > 0: // bytes 0, n/2 and n-1 are all bytes if n is one, two or three
		return uint64(b[0]) | uint64(b[n/2])<<(8*(n/2)) | uint64(b[n-1])<<(8*(n-1))
	}
	return 0
}
