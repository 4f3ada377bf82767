package fuzz

import "math"

// source decodes values from the bytes of an input. Where the bytes end it gives zeros,
// so that short inputs are useful, and every byte matters up to there.
type source struct{ data []byte }

func (s *source) byte() byte {
	if len(s.data) == 0 {
		return 0
	}
	b := s.data[0]
	s.data = s.data[1:]
	return b
}

// below returns one of 0 to n-1, n at most 256.
func (s *source) below(n int) int { return int(s.byte()) % n }

func (s *source) bool() bool { return s.byte()&1 != 0 }

// size returns a number by its number of bits, of at most so many, which is a byte of its
// own: small numbers are as frequent as large ones. The high bytes follow, as many as are
// needed, and 0 bytes of them are those of a power of two.
func (s *source) size(bits int) uint64 {
	n := s.below(bits + 1)
	if n == 0 {
		return 0
	}
	v := uint64(1)
	for at := n - 1; at > 0; {
		take := min(at, 8)
		v = v<<take | uint64(s.byte())>>(8-take)
		at -= take
	}
	return v
}

// near returns a size, or one that is at most 2 off it.
func (s *source) near(bits int) uint64 {
	v := s.size(bits)
	off := uint64(s.below(8))
	most := uint64(math.MaxUint64) >> (64 - bits)
	switch {
	case off <= 2 && v <= most-off:
		return v + off
	case off >= 6 && v >= 8-off:
		return v - (8 - off)
	}
	return v
}

// unit returns a number of (0, 1), which is of any of so many orders of 2 or near 1.
func (s *source) unit(orders int) float64 {
	x := math.Ldexp(1+float64(s.byte())/256, -1-s.below(orders))
	if s.bool() {
		return 1 - x/2
	}
	return x
}
