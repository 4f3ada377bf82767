package states

import (
	"bytes"
	"cmp"
	"slices"
)

func tests() []Fault {
	return []Fault{
		fault("test and add", "TestAndAdd answers from the first 16 positions", func(s *subject) {
			s.TestAndAdd = func(f *Filter, key []byte) bool {
				was := true
				for i, p := range f.positions(key) {
					if !f.set(p) && i < 16 {
						was = false
					}
				}
				return was
			}
		}),
		fault("test and add", "TestAndAdd takes a filter without single calls for empty", func(s *subject) {
			alone(s)
			after(s, onAdd|onTest, func(f *Filter) { f.known = true })
			after(s, onReset, forget)
			test := s.TestAndAdd
			s.TestAndAdd = func(f *Filter, key []byte) bool {
				empty := !f.known
				return test(f, key) && !empty
			}
		}),
		fault("test and add", "TestAndAdd writes back words that it read before it set a bit in them", func(s *subject) {
			alone(s)
			s.TestAndAdd = func(f *Filter, key []byte) bool {
				was := true
				positions := f.positions(key)
				words := make([]uint64, len(positions))
				for i, p := range positions {
					words[i] = f.words[p>>6]
					was = was && f.has(p)
				}
				for i, p := range positions {
					f.words[p>>6] = words[i] | 1<<(p&63)
				}
				return was
			}
		}),
		fault("test and add", "TestAndAdd knows a key by 8 positions, and does not set the others then", func(s *subject) {
			s.TestAndAdd = func(f *Filter, key []byte) bool {
				positions := f.positions(key)
				empty := func(p uint64) bool { return !f.has(p) }
				if len(positions) > 8 && !slices.ContainsFunc(positions[:8], empty) {
					return true
				}
				return f.testAndAdd(key)
			}
		}),
		fault("panic", "TestAndAdd has room for a key of 256 bytes", func(s *subject) {
			s.TestAndAdd = func(f *Filter, key []byte) bool {
				var room [256]byte
				copy(room[:len(key)], key)
				return f.testAndAdd(room[:len(key)])
			}
		}),
	}
}

func batches() []Fault {
	return []Fault{
		fault("batch", "a batch passes over a key like its neighbour in length and the first 16 bytes", func(s *subject) {
			s.AddBatch = func(f *Filter, keys [][]byte) {
				for i, key := range keys {
					if i > 0 && len(key) >= 16 && len(key) == len(keys[i-1]) && bytes.Equal(key[:16], keys[i-1][:16]) {
						continue
					}
					f.add(key)
				}
			}
		}),
		fault("batch", "a batch of more than 1,024 keys lacks those behind the last eight", func(s *subject) {
			s.AddBatch = func(f *Filter, keys [][]byte) {
				if len(keys) > 1024 {
					keys = keys[:len(keys)&^7]
				}
				f.addBatch(keys)
			}
		}),
		fault("batch", "the answers of the next batch overwrite those of the last", func(s *subject) {
			alone(s)
			s.ContainsBatch = func(f *Filter, keys [][]byte) []bool {
				f.answers = f.answers[:0]
				for _, key := range keys {
					f.answers = append(f.answers, f.contains(key))
				}
				return f.answers
			}
		}),
		fault("batch", "a batch of look-ups keeps the yes of a longer one before", func(s *subject) {
			alone(s)
			s.ContainsBatch = func(f *Filter, keys [][]byte) []bool {
				if len(keys) >= len(f.answers) {
					f.answers = make([]bool, len(keys))
				}
				for i, key := range keys {
					if f.contains(key) {
						f.answers[i] = true
					}
				}
				return slices.Clone(f.answers[:len(keys)])
			}
		}),
		fault("panic", "a batch without keys makes AddBatch panic", func(s *subject) {
			s.AddBatch = func(f *Filter, keys [][]byte) {
				next := f.positions(keys[0]) // one key ahead
				for i := range keys {
					now := next
					if i+1 < len(keys) {
						next = f.positions(keys[i+1])
					}
					for _, p := range now {
						f.set(p)
					}
				}
			}
		}),
		fault("batch", "a batch takes the nil key for no key", func(s *subject) {
			s.AddBatch = func(f *Filter, keys [][]byte) {
				for _, key := range keys {
					if key != nil {
						f.add(key)
					}
				}
			}
		}),
		fault("batch", "a batch of 4,096 look-ups or more has its answers in the order of positions", func(s *subject) {
			s.ContainsBatch = func(f *Filter, keys [][]byte) []bool {
				if len(keys) >= 4096 {
					keys = slices.Clone(keys)
					slices.SortFunc(keys, func(x, y []byte) int {
						return cmp.Compare(f.positions(x)[0], f.positions(y)[0])
					})
				}
				return f.containsBatch(keys)
			}
		}),
		fault("batch", "a batch takes two keys for one if 16 bits of their hashes are equal", func(s *subject) {
			s.AddBatch = func(f *Filter, keys [][]byte) {
				seen := make(map[uint16]bool, len(keys))
				for _, key := range keys {
					a, _ := f.hash(key)
					if !seen[uint16(a)] {
						f.add(key)
					}
					seen[uint16(a)] = true
				}
			}
		}),
		fault("panic", "a batch of look-ups has room for 16 positions a key", func(s *subject) {
			s.ContainsBatch = func(f *Filter, keys [][]byte) []bool {
				answers := make([]bool, len(keys))
				for i, key := range keys {
					var room [16]uint64
					positions := room[:f.k]
					copy(positions, f.positions(key))
					answers[i] = !slices.ContainsFunc(positions, func(p uint64) bool { return !f.has(p) })
				}
				return answers
			}
		}),
	}
}
