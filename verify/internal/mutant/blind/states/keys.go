package states

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
)

// asIf returns a fault: the filter hashes other(key) instead of the key.
func asIf(name string, other func(key []byte) []byte) Fault {
	return fault("key", name, func(s *subject) {
		s.New = func(m uint64, k int) (*Filter, error) {
			f, err := newFilter(m, k)
			if err == nil {
				f.hash = func(key []byte) (a, b uint64) { return hash(other(key)) }
			}
			return f, err
		}
	})
}

func keys() []Fault {
	return []Fault{
		asIf("the length of a key is kept in a byte", func(key []byte) []byte {
			return key[:len(key)&255]
		}),
		asIf("bytes of 0 at the end of a key are cut", func(key []byte) []byte {
			return bytes.TrimRight(key, "\x00")
		}),
		asIf("ASCII text is the same in upper and lower case", func(key []byte) []byte {
			if slices.ContainsFunc(key, func(c byte) bool { return c < ' ' || c > '~' }) {
				return key
			}
			return bytes.ToLower(key)
		}),
		asIf("bytes that are no UTF-8 are all the replacement character", func(key []byte) []byte {
			return []byte(string([]rune(string(key))))
		}),
		asIf("eight bytes are folded to four, so that n and its complement are one", func(key []byte) []byte {
			if len(key) != 8 {
				return key
			}
			x := binary.BigEndian.Uint64(key)
			return binary.BigEndian.AppendUint64(nil, uint64(uint32(x^x>>32)))
		}),
		asIf("eight bytes are an integer with the precision of a float64", func(key []byte) []byte {
			if len(key) != 8 {
				return key
			}
			x := float64(binary.LittleEndian.Uint64(key))
			return binary.LittleEndian.AppendUint64(nil, math.Float64bits(x))
		}),
		asIf("text of digits is a number, without zeros before it", func(key []byte) []byte {
			if slices.ContainsFunc(key, func(c byte) bool { return c < '0' || c > '9' }) {
				return key
			}
			return bytes.TrimLeft(key, "0")
		}),
		asIf("of a key of more than 128 bytes only both ends are hashed", func(key []byte) []byte {
			if len(key) <= 128 {
				return key
			}
			ends := append(slices.Clone(key[:64]), key[len(key)-64:]...)
			return binary.LittleEndian.AppendUint64(ends, uint64(len(key)))
		}),
		fault("key", "words of eight bytes are hashed and added by exclusive or", func(s *subject) {
			s.New = func(m uint64, k int) (*Filter, error) {
				f, err := newFilter(m, k)
				if err != nil {
					return nil, err
				}
				f.hash = func(key []byte) (a, b uint64) {
					if len(key) < 16 || len(key)%8 != 0 {
						return hash(key)
					}
					for word := range slices.Chunk(key, 8) {
						x, y := hash(word)
						a, b = a^x, b^y
					}
					return a, b ^ mix(uint64(len(key)))
				}
				return f, nil
			}
		}),
		fault("alias", "Add writes its salt behind the key, where the caller has other keys", func(s *subject) {
			few(s)
			salted := func(f *Filter, key []byte) []uint64 {
				return f.positions(append(key, byte(f.k)))
			}
			s.Add = func(f *Filter, key []byte) {
				for _, p := range salted(f, key) {
					f.set(p)
				}
			}
			s.Contains = func(f *Filter, key []byte) bool {
				return !slices.ContainsFunc(salted(f, slices.Clone(key)), func(p uint64) bool { return !f.has(p) })
			}
		}),
		fault("alias", "TestAndAdd compares with the caller's buffer of the last key", func(s *subject) {
			alone(s)
			s.TestAndAdd = func(f *Filter, key []byte) bool {
				if f.key != nil && bytes.Equal(f.key, key) {
					return true
				}
				f.key = key
				return f.testAndAdd(key)
			}
			after(s, onIntersect|onReset|onRead, func(f *Filter) { f.key = nil })
		}),
		fault("alias", "the keys of a batch wait in the caller's memory for the next look-up", func(s *subject) {
			contains := s.ContainsBatch
			few(s)
			settle := func(f *Filter) {
				f.addBatch(f.waiting)
				f.waiting = nil
			}
			s.AddBatch = func(f *Filter, keys [][]byte) { f.waiting = append(f.waiting, keys...) }
			s.Contains = func(f *Filter, key []byte) bool {
				settle(f)
				return f.contains(key)
			}
			s.ContainsBatch = func(f *Filter, keys [][]byte) []bool {
				settle(f)
				return contains(f, keys)
			}
		}),
		fault("key", "the empty key is never contained", func(s *subject) {
			s.Contains = func(f *Filter, key []byte) bool { return len(key) > 0 && f.contains(key) }
			singly(s)
		}),
		fault("panic", "the array is a word short unless m is a multiple of 64", func(s *subject) {
			few(s)
			s.New = func(m uint64, k int) (*Filter, error) {
				f, err := newFilter(m, k)
				if err == nil && m > 64 {
					f.words = f.words[:m/64]
				}
				return f, err
			}
		}),
	}
}
