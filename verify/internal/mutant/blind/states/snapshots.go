package states

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/xxh3"
)

func written() []Fault {
	return []Fault{
		fault("snapshot", "the next snapshot overwrites the last", func(s *subject) {
			alone(s)
			s.Marshal = func(f *Filter) ([]byte, error) {
				f.buffer = append(f.buffer[:0], f.marshal()...)
				return f.buffer, nil
			}
		}),
		fault("snapshot", "a snapshot has the remembered count of bits, if there is one", func(s *subject) {
			alone(s)
			s.Bits = func(f *Filter) uint64 {
				f.bits = f.ones()
				return f.bits
			}
			after(s, onAny, func(f *Filter) { f.bits = 0 })
			s.Marshal = func(f *Filter) ([]byte, error) {
				data := f.marshal()
				binary.LittleEndian.PutUint32(data[20:], uint32(f.bits))
				return seal(data), nil
			}
			unmarshal := s.Unmarshal
			s.Unmarshal = func(f *Filter, data []byte) error {
				if len(data) >= headerBytes+sumBytes && sealed(data) {
					data = slices.Clone(data)
					clear(data[20:24])
					seal(data)
				}
				return unmarshal(f, data)
			}
		}),
		fault("snapshot", "in a snapshot every 65,536 words are like the first", func(s *subject) {
			s.Marshal = func(f *Filter) ([]byte, error) {
				data := f.marshal()
				words := data[headerBytes : len(data)-sumBytes]
				const piece = 8 * 65536
				for i := piece; i < len(words); i += piece {
					copy(words[i:], words[:piece])
				}
				// The array has m bits, so the remaining bits of the last word must be clear.
				if n := f.m & 63; n != 0 {
					last := words[len(words)-8:]
					w := binary.LittleEndian.Uint64(last) & (1<<n - 1)
					binary.LittleEndian.PutUint64(last, w)
				}
				return seal(data), nil
			}
		}),
		fault("snapshot", "the checksum is of the first 65,536 bytes", func(s *subject) {
			sum := func(data []byte) uint64 {
				return xxh3.Hash(data[:min(len(data)-sumBytes, 65536)])
			}
			s.Marshal = func(f *Filter) ([]byte, error) {
				data := f.marshal()
				binary.LittleEndian.PutUint64(data[len(data)-sumBytes:], sum(data))
				return data, nil
			}
			s.Unmarshal = func(f *Filter, data []byte) error {
				if _, _, err := header(data); err != nil {
					return err
				}
				if binary.LittleEndian.Uint64(data[len(data)-sumBytes:]) != sum(data) {
					return errSnapshot
				}
				return f.unmarshal(seal(slices.Clone(data)))
			}
		}),
	}
}

func read() []Fault {
	return []Fault{
		fault("snapshot", "an empty snapshot leaves the bits of a used filter", func(s *subject) {
			s.Unmarshal = func(f *Filter, data []byte) error {
				g, err := parse(data)
				if err != nil {
					return err
				}
				if f.like(g) == nil && g.ones() == 0 {
					return nil
				}
				return f.unmarshal(data)
			}
		}),
		fault("snapshot", "a snapshot is added to the bits of a used filter if their arrays are as long", func(s *subject) {
			s.Unmarshal = func(f *Filter, data []byte) error {
				g, err := parse(data)
				if err != nil {
					return err
				}
				if len(f.words) != len(g.words) {
					f.words = g.words
				}
				for i, w := range g.words {
					f.words[i] |= w
				}
				f.m, f.k = g.m, g.k
				return nil
			}
		}),
		fault("snapshot", "a small snapshot leaves the end of a larger used array, which counts", func(s *subject) {
			ones := s.Bits
			s.Unmarshal = func(f *Filter, data []byte) error {
				old := slices.Clone(f.words)
				if err := f.unmarshal(data); err != nil {
					return err
				}
				f.rest = nil
				if len(old) > len(f.words) {
					f.rest = old[len(f.words):]
				}
				return nil
			}
			s.Bits = func(f *Filter) uint64 {
				rest := Filter{words: f.rest}
				return ones(f) + rest.ones()
			}
			after(s, onReset, func(f *Filter) { f.rest = nil })
		}),
		fault("snapshot", "a refused snapshot of more than 1,024 words leaves its words behind", func(s *subject) {
			s.Unmarshal = func(f *Filter, data []byte) error {
				// The words of a large array are overwritten before the snapshot's checksum is checked.
				m, k, err := header(data)
				if err == nil && m == f.m && k == f.k && len(f.words) > 1024 {
					copy(f.words, body(data))
				}
				return f.unmarshal(data)
			}
		}),
		fault("snapshot", "a refused snapshot leaves its k behind", func(s *subject) {
			s.Unmarshal = func(f *Filter, data []byte) error {
				if _, k, err := header(data); err == nil {
					f.k = k
				}
				return f.unmarshal(data)
			}
		}),
		fault("snapshot", "a filter lives in the bytes of the snapshot that it has read", func(s *subject) {
			s.Unmarshal = func(f *Filter, data []byte) error {
				if err := f.unmarshal(data); err != nil {
					return err
				}
				if p := unsafe.Pointer(&data[headerBytes]); uintptr(p)%8 == 0 {
					words := unsafe.Slice((*uint64)(p), len(f.words))
					if slices.Equal(words, f.words) { // false on big-endian hosts
						f.words = words
					}
				}
				return nil
			}
		}),
		fault("panic", "a snapshot that was cut within k makes reading panic", func(s *subject) {
			s.Unmarshal = func(f *Filter, data []byte) error {
				if len(data) <= 16 || binary.LittleEndian.Uint64(data) != magic {
					return errSnapshot
				}
				if k := binary.LittleEndian.Uint64(data[16:]); k > mostPositions {
					return errSnapshot
				}
				return f.unmarshal(data)
			}
		}),
		fault("snapshot", "reading makes the array before it looks at the length", func(s *subject) {
			s.Unmarshal = func(f *Filter, data []byte) error {
				if len(data) < headerBytes || binary.LittleEndian.Uint64(data) != magic {
					return errSnapshot
				}
				m := binary.LittleEndian.Uint64(data[8:])
				if m < 1 || m > mostBits {
					return errSnapshot
				}
				words := make([]uint64, wordsFor(m))
				if err := f.unmarshal(data); err != nil {
					return err
				}
				copy(words, f.words)
				f.words = words
				return nil
			}
		}),
		fault("snapshot", "bytes of 0 behind a snapshot are taken", func(s *subject) {
			s.Unmarshal = func(f *Filter, data []byte) error {
				if len(data) >= headerBytes {
					want := headerBytes + 8*wordsFor(binary.LittleEndian.Uint64(data[8:])&(1<<32-1)) + sumBytes
					if uint64(len(data)) > want && len(bytes.Trim(data[want:], "\x00")) == 0 {
						data = data[:want]
					}
				}
				return f.unmarshal(data)
			}
		}),
		fault("snapshot", "the version of a snapshot is neither read nor in the checksum", func(s *subject) {
			s.Unmarshal = func(f *Filter, data []byte) error {
				if len(data) < headerBytes {
					return errSnapshot
				}
				data = slices.Clone(data)
				binary.LittleEndian.PutUint32(data[4:], magic>>32)
				return f.unmarshal(data)
			}
		}),
	}
}
