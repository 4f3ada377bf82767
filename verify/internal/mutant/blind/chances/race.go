package chances

import (
	"bytes"
	"hash"
	"hash/fnv"
	"math"
	"sync"
	"sync/atomic"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/xxh3"
)

// The type "races" has additional fields for filters with data races. Goroutines share these fields without the
// necessary synchronisation.
type races struct {
	shards  [16]sync.Mutex
	scratch []uint64
	digest  hash.Hash64
	key     []byte
	hash    xxh3.Uint128
	table   atomic.Pointer[[]uint64]
	parts   []atomic.Pointer[part]
	sparse  map[uint64]uint64
	answers map[uint64]bool
	buffer  []places
	filled  atomic.Uint64
}

// A part consists of 16 successive words of the bit array.
type part [16]uint64

// In the filter that the function "adding" returns, only the function Add is replaced. The new Add calls the function
// "put" to set bits.
func adding(put func(f *Filter, pos uint64)) conform.Subject[*Filter] {
	s := Sound()
	s.Add = func(f *Filter, key []byte) {
		p := f.place(f, key)
		for _, pos := range p[:f.k] {
			put(f, pos)
		}
	}
	return s
}

// The function "racing" returns a subject with the functions New, Add and Contains. The arguments are the functions Add
// and Contains of this subject. The subject declares that goroutines may share its filters.
func racing(add func(f *Filter, key []byte), contains func(f *Filter, key []byte) bool) conform.Subject[*Filter] {
	s := bare()
	s.ConcurrentReads, s.ConcurrentAdds = true, true
	s.Add, s.Contains = add, contains
	return s
}

// The argument x is one word of a key's hash. The method "from" computes the positions of the key from x.
func (f *Filter) from(x uint64) (p places) {
	for i := range f.k {
		p[i] = reduce(mix(x+uint64(i)*golden), f.m)
	}
	return p
}

func (f *Filter) putAll(p []uint64) {
	for _, pos := range p {
		f.put(pos)
	}
}

// orAll sets bits without regard to other goroutines: it reads each word long before it writes it.
func (f *Filter) orAll(p []uint64) {
	var old places
	for i, pos := range p {
		old[i] = f.words[pos>>6]
	}
	for i, pos := range p {
		for j, other := range p {
			if pos>>6 == other>>6 {
				old[i] |= 1 << (p[j] & 63)
			}
		}
		f.words[pos>>6] = old[i]
	}
}

func raceFaults() []Fault {
	return append([]Fault{
		{"Add sets bits by a plain or", "race", adding(func(f *Filter, pos uint64) {
			f.words[pos>>6] |= 1 << (pos & 63)
		})},
		{"Add compares and swaps once", "race", adding(func(f *Filter, pos uint64) {
			w := &f.words[pos>>6]
			old := atomic.LoadUint64(w)
			atomic.CompareAndSwapUint64(w, old, old|1<<(pos&63))
		})},
		{"Add loads and stores atomically, one after the other", "race", adding(func(f *Filter, pos uint64) {
			w := &f.words[pos>>6]
			if old := atomic.LoadUint64(w); old>>(pos&63)&1 == 0 {
				atomic.StoreUint64(w, old|1<<(pos&63))
			}
		})},
		{"Add swaps a word with 0 and stores it with its bit", "race", adding(func(f *Filter, pos uint64) {
			w := &f.words[pos>>6]
			atomic.StoreUint64(w, atomic.SwapUint64(w, 0)|1<<(pos&63))
		})},
		{"the 32-bit halves of a word are written one after the other", "race", func() conform.Subject[*Filter] {
			s := made(bare(), func(f *Filter) { f.race.scratch = make([]uint64, 2*len(f.words)) })
			s.ConcurrentReads, s.ConcurrentAdds = true, true
			s.Add = func(f *Filter, key []byte) {
				p := f.place(f, key)
				for _, pos := range p[:f.k] {
					half := f.race.scratch[pos>>6<<1:][:2]
					w := atomic.LoadUint64(&half[1])<<32 | atomic.LoadUint64(&half[0]) | 1<<(pos&63)
					atomic.StoreUint64(&half[0], uint64(uint32(w)))
					atomic.StoreUint64(&half[1], w>>32)
				}
			}
			s.Contains = func(f *Filter, key []byte) bool {
				p := f.place(f, key)
				for _, pos := range p[:f.k] {
					if f.race.scratch[pos>>5]>>(pos&31)&1 == 0 {
						return false
					}
				}
				return true
			}
			return s
		}()},
		{"Add locks the shard of the key and not that of the word", "race", func() conform.Subject[*Filter] {
			s := Sound()
			s.Add = func(f *Filter, key []byte) {
				p := f.place(f, key)
				shard := &f.race.shards[xxh3.Hash(key)&15]
				shard.Lock()
				defer shard.Unlock()
				f.orAll(p[:f.k])
			}
			return s
		}()},
		{"Add locks the shard of the bit and not that of the word", "race", adding(func(f *Filter, pos uint64) {
			shard := &f.race.shards[pos&15]
			shard.Lock()
			f.words[pos>>6] |= 1 << (pos & 63)
			shard.Unlock()
		})},
		{"Add unlocks before it stores the word", "race", adding(func(f *Filter, pos uint64) {
			f.mu.Lock()
			w := f.words[pos>>6]
			f.mu.Unlock()
			f.words[pos>>6] = w | 1<<(pos&63)
		})},
		{"Add takes the lock for reading", "race", func() conform.Subject[*Filter] {
			s := Sound()
			s.Add = func(f *Filter, key []byte) {
				p := f.place(f, key)
				f.mu.RLock()
				defer f.mu.RUnlock()
				f.orAll(p[:f.k])
			}
			return s
		}()},
		{"Add drops the key where another holds the lock of its shard", "race", func() conform.Subject[*Filter] {
			s := Sound()
			s.Add = func(f *Filter, key []byte) {
				p := f.place(f, key)
				shard := &f.race.shards[xxh3.Hash(key)&15]
				if shard.TryLock() {
					f.putAll(p[:f.k])
					shard.Unlock()
				}
			}
			return s
		}()},
		{"Add has its positions in a buffer of the filter", "race", func() conform.Subject[*Filter] {
			s := made(Sound(), func(f *Filter) { f.race.scratch = make([]uint64, maxK) })
			s.Add = func(f *Filter, key []byte) {
				h := xxh3.Hash128(key)
				for i := range f.k {
					f.race.scratch[i] = reduce(word(h, i), f.m)
				}
				f.putAll(f.race.scratch[:f.k])
			}
			return s
		}()},
		{"Add has its hash state in the filter", "race", func() conform.Subject[*Filter] {
			s := made(bare(), func(f *Filter) { f.race.digest = fnv.New64a() })
			s.ConcurrentReads, s.ConcurrentAdds = true, true
			s.Add = func(f *Filter, key []byte) {
				d := f.race.digest
				d.Reset()
				d.Write(key)
				p := f.from(mix(d.Sum64()))
				f.putAll(p[:f.k])
			}
			s.Contains = func(f *Filter, key []byte) bool {
				d := fnv.New64a()
				d.Write(key)
				p := f.from(mix(d.Sum64()))
				return f.hasAll(p[:f.k])
			}
			return s
		}()},
		{"Add keeps the hash of the last key without a lock", "race", func() conform.Subject[*Filter] {
			s := made(Sound(), func(f *Filter) { f.race.key = make([]byte, 0, 64) })
			s.Add = func(f *Filter, key []byte) {
				if len(key) == 0 || len(key) > cap(f.race.key) {
					add(f, key)
					return
				}
				if !bytes.Equal(key, f.race.key) {
					f.race.key = append(f.race.key[:0], key...)
					f.race.hash = xxh3.Hash128(key)
				}
				for i := range f.k {
					f.put(reduce(word(f.race.hash, i), f.m))
				}
			}
			return s
		}()},
		{"the number of set bits is counted without a lock", "race", func() conform.Subject[*Filter] {
			s := adding(func(f *Filter, pos uint64) {
				if !f.put(pos) {
					f.set++
				}
			})
			s.Bits = func(f *Filter) uint64 { return f.set }
			s.AddBatch, s.TestAndAdd, s.Union, s.Intersect = nil, nil, nil, nil
			s.Rate, s.Items, s.Marshal, s.Unmarshal = nil, nil, nil, nil
			s.Reset = func(f *Filter) { clear(f.words); f.set = 0 }
			return s
		}()},
		{"the number of set bits, which is what Rate knows, loses counts", "race", func() conform.Subject[*Filter] {
			s := adding(func(f *Filter, pos uint64) {
				if !f.put(pos) {
					atomic.StoreUint64(&f.set, atomic.LoadUint64(&f.set)+1)
				}
			})
			s.Bits = func(f *Filter) uint64 { return f.set }
			s.Rate = func(f *Filter) float64 { return math.Pow(f.fill(), float64(f.k)) }
			s.ContainsBatch, s.AddBatch, s.TestAndAdd, s.Union, s.Intersect = nil, nil, nil, nil, nil
			s.Items, s.Marshal, s.Unmarshal, s.Reset, s.Words = nil, nil, nil, nil, nil
			return s
		}()},
	}, lazyFaults()...)
}

// lazyFaults returns filters that make or change tables while other goroutines add keys.
func lazyFaults() []Fault {
	return []Fault{
		{"the table is made by the first Add, or by some", "race", racing(func(f *Filter, key []byte) {
			t := f.race.table.Load()
			if t == nil {
				words := make([]uint64, len(f.words))
				t = &words
				f.race.table.Store(t)
			}
			p := f.place(f, key)
			for _, pos := range p[:f.k] {
				atomic.OrUint64(&(*t)[pos>>6], 1<<(pos&63))
			}
		}, func(f *Filter, key []byte) bool {
			t := f.race.table.Load()
			if t == nil {
				return false
			}
			g := Filter{k: f.k, words: *t}
			p := f.place(f, key)
			return g.hasAll(p[:f.k])
		})},
		{"a part of the table is made when it is first written, and one of two wins", "race",
			parted(func(f *Filter, pos uint64) {
				at := &f.race.parts[pos>>10]
				t := at.Load()
				if t == nil {
					t = new(part)
					at.Store(t)
				}
				atomic.OrUint64(&t[pos>>6&15], 1<<(pos&63))
			})},
		{"a part of the table is copied, changed and put back", "race",
			parted(func(f *Filter, pos uint64) {
				at := &f.race.parts[pos>>10]
				t := new(part)
				if old := at.Load(); old != nil {
					*t = *old
				}
				t[pos>>6&15] |= 1 << (pos & 63)
				at.Store(t)
			})},
		{"256 keys are kept in the filter and written when the last of them has its number", "race", made(racing(func(f *Filter, key []byte) {
			n := f.race.filled.Add(1) - 1
			f.race.buffer[n%256] = f.place(f, key)
			if n%256 == 255 {
				f.flush(256)
			}
		}, func(f *Filter, key []byte) bool {
			f.mu.Lock()
			f.flush(f.race.filled.Load() % 256)
			f.mu.Unlock()
			return contains(f, key)
		}), func(f *Filter) { f.race.buffer = make([]places, 256) })},
		{"1,024 positions are kept in the filter, and their number is not atomic", "race", made(racing(func(f *Filter, key []byte) {
			p := f.place(f, key)
			for _, pos := range p[:f.k] {
				n := f.set
				f.race.scratch[n%1024] = pos
				f.set = n + 1
				if f.set%1024 == 0 {
					f.putAll(f.race.scratch)
				}
			}
		}, func(f *Filter, key []byte) bool {
			f.putAll(f.race.scratch[:f.set%1024])
			return contains(f, key)
		}), func(f *Filter) { f.race.scratch = make([]uint64, 1024) })},
		{"the words are a map that many write, which ends the program", "race, fatal", func() conform.Subject[*Filter] {
			s := made(bare(), func(f *Filter) { f.race.sparse = map[uint64]uint64{} })
			s.ConcurrentReads, s.ConcurrentAdds = true, true
			s.Add = func(f *Filter, key []byte) {
				p := f.place(f, key)
				for _, pos := range p[:f.k] {
					f.race.sparse[pos>>6] |= 1 << (pos & 63)
				}
			}
			s.Contains = func(f *Filter, key []byte) bool {
				p := f.place(f, key)
				for _, pos := range p[:f.k] {
					if f.race.sparse[pos>>6]>>(pos&63)&1 == 0 {
						return false
					}
				}
				return true
			}
			return s
		}()},
		{"a batch of 1,024 keys and more is added by two goroutines with a plain or", "race", func() conform.Subject[*Filter] {
			s := Sound()
			s.AddBatch = func(f *Filter, keys [][]byte) {
				if len(keys) < 1024 {
					Sound().AddBatch(f, keys)
					return
				}
				var wg sync.WaitGroup
				for i := range 2 {
					wg.Add(1)
					go func() {
						defer wg.Done()
						for _, key := range keys[i*len(keys)/2 : (i+1)*len(keys)/2] {
							p := f.place(f, key)
							for _, pos := range p[:f.k] {
								f.words[pos>>6] |= 1 << (pos & 63)
							}
						}
					}()
				}
				wg.Wait()
			}
			return s
		}()},
		{"a batch of 1,024 keys and more waits for one of the two goroutines that add it", "race", func() conform.Subject[*Filter] {
			s := Sound()
			s.AddBatch = func(f *Filter, keys [][]byte) {
				if len(keys) < 1024 {
					Sound().AddBatch(f, keys)
					return
				}
				done := make(chan bool, 2)
				for i := range 2 {
					go func() {
						for _, key := range keys[i*len(keys)/2 : (i+1)*len(keys)/2] {
							add(f, key)
						}
						done <- true
					}()
				}
				<-done
			}
			return s
		}()},
	}
}

// The method "flush" adds the first n keys of the buffer to the filter.
func (f *Filter) flush(n uint64) {
	for i := range n {
		p := &f.race.buffer[i]
		f.putAll(p[:f.k])
	}
}

// The function "parted" returns a filter whose bit array is divided into parts of 1,024 bits. The filter's Add calls
// the function "put" to set bits.
func parted(put func(f *Filter, pos uint64)) conform.Subject[*Filter] {
	s := made(bare(), func(f *Filter) { f.race.parts = make([]atomic.Pointer[part], (f.m+1023)>>10) })
	s.ConcurrentReads, s.ConcurrentAdds = true, true
	s.Add = func(f *Filter, key []byte) {
		p := f.place(f, key)
		for _, pos := range p[:f.k] {
			put(f, pos)
		}
	}
	s.Contains = func(f *Filter, key []byte) bool {
		p := f.place(f, key)
		for _, pos := range p[:f.k] {
			if t := f.race.parts[pos>>10].Load(); t == nil || t[pos>>6&15]>>(pos&63)&1 == 0 {
				return false
			}
		}
		return true
	}
	return s
}

// raceReadFaults returns filters with faults in look-ups. Their additions are sound. They declare that only one
// goroutine at a time may add keys.
func raceReadFaults() []Fault {
	reading := func(contains func(f *Filter, key []byte) bool) conform.Subject[*Filter] {
		s := Sound()
		s.ConcurrentAdds = false
		s.Contains = contains
		return s
	}
	return []Fault{
		{"Contains has its positions in a buffer of the filter", "race of reads",
			made(reading(func(f *Filter, key []byte) bool {
				h := xxh3.Hash128(key)
				for i := range f.k {
					f.race.scratch[i] = reduce(word(h, i), f.m)
				}
				return f.hasAll(f.race.scratch[:f.k])
			}), func(f *Filter) { f.race.scratch = make([]uint64, maxK) })},
		{"Contains has its hash state in the filter", "race of reads", func() conform.Subject[*Filter] {
			digest := func(d hash.Hash64, key []byte) uint64 {
				d.Reset()
				d.Write(key)
				return mix(d.Sum64())
			}
			s := made(bare(), func(f *Filter) { f.race.digest = fnv.New64a() })
			s.ConcurrentReads = true
			s.Add = func(f *Filter, key []byte) {
				p := f.from(digest(f.race.digest, key))
				f.putAll(p[:f.k])
			}
			s.Contains = func(f *Filter, key []byte) bool {
				p := f.from(digest(f.race.digest, key))
				return f.hasAll(p[:f.k])
			}
			return s
		}()},
		{"Contains keeps the hash of the last key without a lock", "race of reads",
			made(reading(func(f *Filter, key []byte) bool {
				if len(key) == 0 || len(key) > cap(f.race.key) {
					return contains(f, key)
				}
				if !bytes.Equal(key, f.race.key) {
					f.race.key = append(f.race.key[:0], key...)
					f.race.hash = xxh3.Hash128(key)
				}
				for i := range f.k {
					if !f.has(reduce(word(f.race.hash, i), f.m)) {
						return false
					}
				}
				return true
			}), func(f *Filter) { f.race.key = make([]byte, 0, 64) })},
		{"the first look-up writes the keys that were only noted, and the second does not wait", "race of reads", func() conform.Subject[*Filter] {
			s := bare()
			s.ConcurrentReads = true
			s.Add = func(f *Filter, key []byte) {
				if f.race.table.Load() == nil {
					f.race.table.Store(new([]uint64))
				}
				p, list := f.place(f, key), f.race.table.Load()
				*list = append(*list, p[:f.k]...)
			}
			s.Contains = func(f *Filter, key []byte) bool {
				if list := f.race.table.Swap(nil); list != nil {
					f.putAll(*list)
				}
				return contains(f, key)
			}
			return s
		}()},
		{"a look-up that finds the lock taken says no", "race of reads",
			reading(func(f *Filter, key []byte) bool {
				p := f.place(f, key)
				if !f.mu.TryLock() {
					return false
				}
				defer f.mu.Unlock()
				return f.hasAll(p[:f.k])
			})},
		{"Contains notes its answers in a map without a lock, which ends the program", "race of reads, fatal", func() conform.Subject[*Filter] {
			s := bare()
			s.ConcurrentReads = true
			s.Add = func(f *Filter, key []byte) {
				f.race.answers = nil
				add(f, key)
			}
			s.Contains = func(f *Filter, key []byte) bool {
				h := xxh3.Hash(key)
				yes, known := f.race.answers[h]
				if !known {
					yes = contains(f, key)
					if f.race.answers == nil || len(f.race.answers) > 4096 {
						f.race.answers = map[uint64]bool{}
					}
					f.race.answers[h] = yes
				}
				return yes
			}
			return s
		}()},
	}
}
