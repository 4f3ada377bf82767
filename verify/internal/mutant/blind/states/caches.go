package states

import "slices"

func caches() []Fault {
	return []Fault{
		fault("cache", "a batch leaves the remembered miss", func(s *subject) {
			alone(s)
			s.Contains = func(f *Filter, key []byte) bool {
				a, b := f.hash(key)
				if f.known && f.a == a && f.b == b {
					return false
				}
				found := f.contains(key)
				if !found {
					f.known, f.a, f.b = true, a, b
				}
				return found
			}
			after(s, onAny&^onBatch, forget)
		}),
		fault("cache", "a reset leaves the list of keys that Add need not set again", func(s *subject) {
			alone(s)
			s.Add = func(f *Filter, key []byte) {
				if f.recent == nil {
					f.recent = make([]uint64, 256)
				}
				a, b := f.hash(key)
				if slot := &f.recent[a%256]; *slot != a^b {
					f.add(key)
					*slot = a ^ b
				}
			}
			after(s, onIntersect|onRead, func(f *Filter) { f.recent = nil })
		}),
		fault("cache", "a union leaves the remembered count of bits", func(s *subject) {
			alone(s)
			s.Bits = func(f *Filter) uint64 {
				if !f.known {
					f.known, f.bits = true, f.ones()
				}
				return f.bits
			}
			after(s, onAny&^onUnion, forget)
		}),
		fault("cache", "an intersection leaves the remembered hit", func(s *subject) {
			alone(s)
			s.Contains = func(f *Filter, key []byte) bool {
				a, b := f.hash(key)
				if f.known && f.a == a && f.b == b {
					return true
				}
				found := f.contains(key)
				if found {
					f.known, f.a, f.b = true, a, b
				}
				return found
			}
			after(s, onReset|onRead, forget)
		}),
		fault("cache", "a key passes for the last hit if 8 bits of their hashes are equal", func(s *subject) {
			few(s)
			s.Contains = func(f *Filter, key []byte) bool {
				a, _ := f.hash(key)
				if f.known && f.a == a>>56 {
					return true
				}
				if !f.contains(key) {
					return false
				}
				f.known, f.a = true, a>>56
				return true
			}
		}),
	}
}

func orders() []Fault {
	settle := func(f *Filter) {
		f.addBatch(f.waiting)
		f.waiting = nil
	}
	wait := func(f *Filter, key []byte) {
		if f.waiting = append(f.waiting, slices.Clone(key)); len(f.waiting) == 32 {
			settle(f)
		}
	}
	settled := func(f *Filter, key []byte) bool {
		settle(f)
		return f.contains(key)
	}
	return []Fault{
		fault("order", "a snapshot lacks the keys that wait for a look-up", func(s *subject) {
			marshal, unmarshal := s.Marshal, s.Unmarshal
			few(s)
			s.Add, s.Contains, s.Marshal, s.Unmarshal = wait, settled, marshal, unmarshal
			before(s, onRead, settle)
		}),
		fault("order", "a union lacks the keys of the other filter that wait for a look-up", func(s *subject) {
			union := s.Union
			few(s)
			s.Add, s.Contains, s.Union = wait, settled, union
		}),
		fault("order", "a count that comes after a look-up lacks the keys added since", func(s *subject) {
			alone(s)
			// A look-up in a small filter counts the set bits for a later call of Bits. Add does not change this count.
			s.Contains = func(f *Filter, key []byte) bool {
				if !f.known && len(f.words) <= 1024 {
					f.known, f.bits = true, f.ones()
				}
				return f.contains(key)
			}
			s.Bits = func(f *Filter) uint64 {
				defer forget(f)
				if f.known {
					return f.bits
				}
				return f.ones()
			}
			after(s, onAny&^(onAdd|onTest), forget)
		}),
		fault("order", "a filter without Add passes for empty, though TestAndAdd was called", func(s *subject) {
			alone(s)
			s.Contains = func(f *Filter, key []byte) bool { return f.known && f.contains(key) }
			after(s, onAny&^onTest, func(f *Filter) { f.known = true })
		}),
	}
}

func resets() []Fault {
	return []Fault{
		fault("reset", "a reset clears whole pieces of 1,024 words, and not the rest", func(s *subject) {
			s.Reset = func(f *Filter) {
				n := len(f.words)
				if n > 1024 {
					n &^= 1023
				}
				clear(f.words[:n])
			}
		}),
		fault("reset", "words that were written 256 resets ago are valid again", func(s *subject) {
			few(s)
			// A reset does not clear the array, but begins a new epoch. A word is valid only if it was written in the
			// present epoch.
			s.Add = func(f *Filter, key []byte) {
				if f.epochs == nil {
					f.epochs = make([]uint8, len(f.words))
				}
				for _, p := range f.positions(key) {
					if w := p >> 6; f.epochs[w] != f.epoch {
						f.words[w], f.epochs[w] = 0, f.epoch
					}
					f.set(p)
				}
			}
			s.Contains = func(f *Filter, key []byte) bool {
				return f.epochs != nil && !slices.ContainsFunc(f.positions(key), func(p uint64) bool {
					return f.epochs[p>>6] != f.epoch || !f.has(p)
				})
			}
			s.Reset = func(f *Filter) { f.epoch++ }
		}),
		fault("reset", "a reset clears up to the highest word that Add used, whatever a union or a snapshot used", func(s *subject) {
			s.Add = func(f *Filter, key []byte) {
				f.add(key)
				f.top = max(f.top, slices.Max(f.positions(key))>>6)
			}
			singly(s)
			alone(s)
			s.Reset = func(f *Filter) {
				clear(f.words[:min(f.top+1, uint64(len(f.words)))])
				f.top = 0
			}
		}),
		fault("reset", "a reset draws a new seed, which union and snapshot do not know", func(s *subject) {
			s.Reset = func(f *Filter) {
				clear(f.words)
				f.items++
				seed := mix(f.items)
				f.hash = func(key []byte) (a, b uint64) {
					a, b = hash(key)
					return a ^ seed, b
				}
			}
		}),
		fault("reset", "a reset rounds m down to whole words", func(s *subject) {
			s.Reset = func(f *Filter) {
				if f.m > 64 {
					f.m &^= 63
				}
				f.words = make([]uint64, wordsFor(f.m))
			}
		}),
	}
}
