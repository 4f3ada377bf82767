package conform

import "github.com/bloomproof/bloomproof/verify/conform/internal/families"

type family = families.Family

var randomKeys = families.Random

func mix(z uint64) uint64 { return families.Mix(z) }

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
	s.buf = s.Append(s.buf[:0], s.seed, i)
	return s.buf
}

// The method "take" reserves the numbers of the next n keys, and returns the first of these numbers.
func (s *source) take(n uint64) uint64 {
	first := s.next
	s.next += n
	return first
}
