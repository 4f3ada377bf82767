package mutant

import (
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/bloomproof/bloomproof/verify/conform"
)

// The function "racy" returns a subject. The argument "add" is its function for additions, and the argument "contains"
// is its function for look-ups. The subject can also return its words, and its function Bits counts the set bits in
// them. The argument "own" is a function that returns additional state for a new filter.
func racy(own func(f *Plain) any, add func(f *Plain, key []byte), contains func(f *Plain, key []byte) bool) conform.Subject[*Plain] {
	sound := subject(fair, fair)
	s := conform.Subject[*Plain]{
		New: sound.New, Add: sound.Add, Contains: sound.Contains, Words: sound.Words,
		Bits: func(f *Plain) uint64 {
			f.recount()
			return uint64(f.count.Load())
		},
		ConcurrentReads: true, ConcurrentAdds: true,
	}
	if own != nil {
		s.New = func(m uint64, k int) (*Plain, error) {
			f, err := sound.New(m, k)
			if err == nil {
				f.own = own(f)
			}
			return f, err
		}
	}
	if add != nil {
		s.Add = add
	}
	if contains != nil {
		s.Contains = contains
	}
	return s
}

// The function "bare" returns a subject with a data race. This subject has no functions Bits and Words. It is used for
// filters that do not keep their bits in the field "words".
func bare(own func(f *Plain) any, add func(f *Plain, key []byte), contains func(f *Plain, key []byte) bool) conform.Subject[*Plain] {
	s := racy(own, add, contains)
	s.Bits, s.Words = nil, nil
	return s
}

// eachOf returns a function that adds keys. It calls the function "set" for each position of a key. The function allOf
// returns a function that looks keys up. It calls the function "has" for the positions of a key, and returns true if
// every call returns true.
func eachOf(set func(f *Plain, p uint64)) func(f *Plain, key []byte) {
	return func(f *Plain, key []byte) {
		var buf [64]uint64
		for _, p := range fair(buf[:0], f, key) {
			set(f, p)
		}
	}
}

func allOf(has func(f *Plain, p uint64) bool) func(f *Plain, key []byte) bool {
	return func(f *Plain, key []byte) bool {
		var buf [64]uint64
		for _, p := range fair(buf[:0], f, key) {
			if !has(f, p) {
				return false
			}
		}
		return true
	}
}

// The method "word" returns a pointer to the word that contains the bit at position p. It also returns the mask of this
// bit.
func (f *Plain) word(p uint64) (word *uint64, bit uint64) { return &f.words[p>>6], 1 << (p & 63) }

// The function "lossy" reads a bit's word and writes it back with the bit set. Each of the two accesses is atomic by
// itself, but another goroutine may write between them.
func lossy(f *Plain, p uint64) {
	word, bit := f.word(p)
	atomic.StoreUint64(word, atomic.LoadUint64(word)|bit)
}

func wrongRaces() []Wrong {
	var all []Wrong
	of := func(law conform.Law, name string, s conform.Subject[*Plain], also ...conform.Law) {
		all = append(all, Wrong{Name: name, Law: law, Also: also, Subject: s})
	}
	const adds, reads = "concurrent adds", "concurrent reads"

	of(adds, "|= on words of 64 bits", racy(nil, eachOf(func(f *Plain, p uint64) { word, bit := f.word(p); *word |= bit }), nil))
	of(adds, "|= on words of 32 bits", bare(
		func(f *Plain) any { return make([]uint32, len(f.words)*2) },
		eachOf(func(f *Plain, p uint64) { f.own.([]uint32)[p>>5] |= 1 << (p & 31) }),
		allOf(func(f *Plain, p uint64) bool { return f.own.([]uint32)[p>>5]>>(p&31)&1 == 1 })))
	of(adds, "|= on bytes", bare(
		func(f *Plain) any { return make([]uint8, len(f.words)*8) },
		eachOf(func(f *Plain, p uint64) { f.own.([]uint8)[p>>3] |= 1 << (p & 7) }),
		allOf(func(f *Plain, p uint64) bool { return f.own.([]uint8)[p>>3]>>(p&7)&1 == 1 })))
	of(adds, "words are read and written, not or-ed", racy(nil, eachOf(lossy), nil))
	of(adds, "words are written if the bit is clear", racy(nil, eachOf(func(f *Plain, p uint64) {
		if !f.has(p) {
			lossy(f, p)
		}
	}), nil))
	of(adds, "compare and swap is not tried again", racy(nil, eachOf(func(f *Plain, p uint64) {
		word, bit := f.word(p)
		w := atomic.LoadUint64(word)
		atomic.CompareAndSwapUint64(word, w, w|bit)
	}), nil))
	of(adds, "a bit that was clear is flipped", racy(nil, eachOf(func(f *Plain, p uint64) {
		word, bit := f.word(p)
		for !f.has(p) {
			w := atomic.LoadUint64(word)
			if atomic.CompareAndSwapUint64(word, w, w^bit) {
				return
			}
		}
	}), nil))
	of(adds, "a bit that was clear is added to its word", racy(nil, eachOf(func(f *Plain, p uint64) {
		if word, bit := f.word(p); !f.has(p) {
			atomic.AddUint64(word, bit)
		}
	}), nil))

	counted := func(add func(f *Plain, p uint64), count func(f *Plain) uint64) conform.Subject[*Plain] {
		s := racy(func(*Plain) any { return new(uint64) }, eachOf(add), nil)
		s.Bits = count
		return s
	}
	of(adds, "a bit is counted by all who find it clear", counted(func(f *Plain, p uint64) {
		if !f.has(p) {
			word, bit := f.word(p)
			atomic.OrUint64(word, bit)
			f.count.Add(1)
		}
	}, func(f *Plain) uint64 { return uint64(f.count.Load()) }))
	of(adds, "the count is increased without atomics", counted(func(f *Plain, p uint64) {
		if f.set(p) {
			*f.own.(*uint64)++
		}
	}, func(f *Plain) uint64 { return *f.own.(*uint64) }))

	type locks struct {
		sync.RWMutex
		shards [16]sync.Mutex
	}
	newLocks := func(*Plain) any { return new(locks) }
	of(adds, "the lock is that of the key's shard, not of the word's", racy(newLocks, func(f *Plain, key []byte) {
		l := &f.own.(*locks).shards[len(key)&15]
		if len(key) > 0 {
			l = &f.own.(*locks).shards[key[0]&15]
		}
		l.Lock()
		defer l.Unlock()
		eachOf(lossy)(f, key)
	}, nil))
	of(adds, "the lock is released before the word is written", racy(newLocks, eachOf(func(f *Plain, p uint64) {
		word, bit := f.word(p)
		l := f.own.(*locks)
		l.Lock()
		w := atomic.LoadUint64(word)
		l.Unlock()
		atomic.StoreUint64(word, w|bit)
	}), nil))
	of(adds, "words are written under the lock for reading", racy(newLocks, func(f *Plain, key []byte) {
		l := f.own.(*locks)
		l.RLock()
		defer l.RUnlock()
		eachOf(func(f *Plain, p uint64) { word, bit := f.word(p); *word |= bit })(f, key)
	}, nil))

	// The positions are stored one after the other in a field of the filter. All goroutines share this field.
	place := func(f *Plain, key []byte) {
		for i, p := range fair(nil, f, key) {
			f.scratch[i].Store(p)
		}
	}
	of(adds, "additions share room for positions", racy(nil, func(f *Plain, key []byte) {
		place(f, key)
		for i := range f.g.K {
			f.set(f.scratch[i].Load())
		}
	}, nil))
	of(reads, "look-ups share room for positions", func() conform.Subject[*Plain] {
		s := racy(nil, nil, func(f *Plain, key []byte) bool {
			place(f, key)
			for i := range f.g.K {
				if !f.has(f.scratch[i].Load()) {
					return false
				}
			}
			return true
		})
		s.ConcurrentAdds = false
		return s
	}())
	of(adds, "batches share room for positions", func() conform.Subject[*Plain] {
		s := racy(nil, nil, nil)
		s.AddBatch = func(f *Plain, keys [][]byte) {
			for _, key := range keys {
				place(f, key)
				for i := range f.g.K {
					f.set(f.scratch[i].Load())
				}
			}
		}
		return s
	}())
	of(adds, "test and set writes words", func() conform.Subject[*Plain] {
		s := racy(nil, nil, nil)
		s.TestAndAdd = func(f *Plain, key []byte) bool {
			before := s.Contains(f, key)
			eachOf(lossy)(f, key)
			return before
		}
		return s
	}())

	// The state of the hash function is a field of the filter, so goroutines write and read the same state.
	hash := func(f *Plain, key []byte) []byte {
		state := &f.scratch[63]
		state.Store(0xcbf29ce484222325)
		for _, b := range key {
			state.Store((state.Load() ^ uint64(b)) * 0x100000001b3)
		}
		h := state.Load()
		return []byte{byte(h), byte(h >> 8), byte(h >> 16), byte(h >> 24), byte(h >> 32), byte(h >> 40), byte(h >> 48), byte(h >> 56)}
	}
	sound := subject(fair, fair)
	hashing := racy(nil, func(f *Plain, key []byte) { sound.Add(f, hash(f, key)) }, func(f *Plain, key []byte) bool { return sound.Contains(f, hash(f, key)) })
	of(adds, "additions share the state of a hash", hashing, reads)
	readsOnly := hashing
	readsOnly.ConcurrentAdds = false
	of(reads, "look-ups share the state of a hash", readsOnly)

	of(adds, "the array is made by whoever comes first, and by others with him", bare(
		func(*Plain) any { return new(atomic.Pointer[[]uint64]) },
		func(f *Plain, key []byte) {
			lazy := f.own.(*atomic.Pointer[[]uint64])
			if lazy.Load() == nil {
				words := make([]uint64, len(f.words))
				lazy.Store(&words)
			}
			eachOf(func(_ *Plain, p uint64) { atomic.OrUint64(&(*lazy.Load())[p>>6], 1<<(p&63)) })(f, key)
		},
		func(f *Plain, key []byte) bool {
			words := f.own.(*atomic.Pointer[[]uint64]).Load()
			return words != nil && allOf(func(_ *Plain, p uint64) bool { return atomic.LoadUint64(&(*words)[p>>6])>>(p&63)&1 == 1 })(f, key)
		}))
	// This filter has a directory of pages, and each page has 256 bits. Whenever a page is added, the directory is
	// copied.
	type page = [4]uint64
	type directory = map[uint64]*page
	pages := func(f *Plain) *atomic.Pointer[directory] { return f.own.(*atomic.Pointer[directory]) }
	of(adds, "pages are added to a copy of the directory, which may be old", bare(
		func(*Plain) any {
			d := new(atomic.Pointer[directory])
			d.Store(&directory{})
			return d
		},
		eachOf(func(f *Plain, p uint64) {
			d := pages(f)
			at, ok := (*d.Load())[p>>8]
			if !ok {
				old := *d.Load()
				fresh := make(directory, len(old)+1)
				for i, page := range old {
					fresh[i] = page
				}
				at = new(page)
				fresh[p>>8] = at
				d.Store(&fresh)
			}
			atomic.OrUint64(&at[p>>6&3], 1<<(p&63))
		}),
		allOf(func(f *Plain, p uint64) bool {
			at, ok := (*pages(f).Load())[p>>8]
			return ok && atomic.LoadUint64(&at[p>>6&3])>>(p&63)&1 == 1
		})))
	// The type "growing" has an array that grows with the largest position. Suppose that a goroutine still uses the old
	// array. Then the bits that it sets are lost.
	type growing struct {
		sync.Mutex
		words atomic.Pointer[[]uint64]
	}
	of(adds, "the array grows by a copy while others add to the old one", bare(
		func(*Plain) any {
			g := new(growing)
			g.words.Store(&[]uint64{})
			return g
		},
		eachOf(func(f *Plain, p uint64) {
			g := f.own.(*growing)
			words := *g.words.Load()
			if i := int(p >> 6); i >= len(words) {
				g.Lock()
				if words = *g.words.Load(); i >= len(words) { // read again, which is right
					wider := make([]uint64, i+1)
					for j := range words {
						wider[j] = atomic.LoadUint64(&words[j])
					}
					words = wider
					g.words.Store(&words)
				}
				g.Unlock()
			}
			atomic.OrUint64(&words[p>>6], 1<<(p&63))
		}),
		allOf(func(f *Plain, p uint64) bool {
			words := *f.own.(*growing).words.Load()
			return int(p>>6) < len(words) && atomic.LoadUint64(&words[p>>6])>>(p&63)&1 == 1
		})))

	// The type "waiting" collects keys until there are eight, and then adds all eight.
	type waiting struct {
		sync.Mutex
		keys [][]byte
	}
	newWaiting := func(*Plain) any { return new(waiting) }
	of(adds, "keys wait, and those being added are in neither place", bare(newWaiting,
		func(f *Plain, key []byte) {
			w := f.own.(*waiting)
			w.Lock()
			w.keys = append(w.keys, slices.Clone(key))
			var full [][]byte
			if len(w.keys) == 8 {
				full, w.keys = w.keys, nil
			}
			w.Unlock()
			for _, key := range full {
				sound.Add(f, key)
			}
		},
		func(f *Plain, key []byte) bool {
			w := f.own.(*waiting)
			w.Lock()
			defer w.Unlock()
			return sound.Contains(f, key) || slices.ContainsFunc(w.keys, func(k []byte) bool { return string(k) == string(key) })
		}))

	// The type "last" is for the most recent look-up. It has the hash of the key and the answer.
	type last struct{ key, answer atomic.Uint64 }
	newLast := func(*Plain) any { return new(last) }
	id := func(key []byte) uint64 {
		h := hasher.Hasher().Bytes(key)
		return h.H0 | 1
	}
	ask := func(f *Plain, key []byte) bool {
		l, id := f.own.(*last), id(key)
		if l.key.Load() == id {
			return l.answer.Load() == 1
		}
		got := sound.Contains(f, key)
		l.key.Store(id)
		l.answer.Store(0)
		if got {
			l.answer.Store(1)
		}
		return got
	}
	cached := racy(newLast, func(f *Plain, key []byte) {
		sound.Add(f, key)
		f.own.(*last).key.Store(0)
	}, ask)
	cached.ConcurrentAdds = false
	of(reads, "the last key and its answer are kept one by one", cached)
	// This filter stores the last key that a look-up did not find. The added key may be the stored key. So each
	// addition clears the stored key. If a look-up runs at the same time, it can store this key afterwards.
	of(adds, "that a key is absent is kept after it was added", racy(newLast,
		func(f *Plain, key []byte) {
			sound.Add(f, key)
			f.own.(*last).key.Store(0)
		},
		func(f *Plain, key []byte) bool {
			l, id := f.own.(*last), id(key)
			if l.key.Load() == id {
				return false
			}
			got := sound.Contains(f, key)
			if !got {
				l.key.Store(id)
			}
			return got
		}))
	of(adds, "the last key that was added is not added again, be it there yet or not", racy(newLast,
		func(f *Plain, key []byte) {
			l, id := f.own.(*last), id(key)
			if l.key.Swap(id) != id {
				sound.Add(f, key)
			}
		}, nil))

	// This filter has counters of four bits, sixteen in a word.
	of(adds, "counters are raised by those who saw the same", bare(
		func(f *Plain) any { return make([]uint64, len(f.words)*4) },
		eachOf(func(f *Plain, p uint64) {
			word := &f.own.([]uint64)[p>>4]
			if w := atomic.LoadUint64(word); w>>(p&15*4)&15 < 15 {
				atomic.StoreUint64(word, w+1<<(p&15*4))
			}
		}),
		allOf(func(f *Plain, p uint64) bool { return atomic.LoadUint64(&f.own.([]uint64)[p>>4])>>(p&15*4)&15 > 0 })))

	// Look-ups read a table of the type "tables". The first look-up fills this table.
	type tables struct {
		ready atomic.Bool
		of    [64]atomic.Uint64
	}
	table := racy(func(*Plain) any { return new(tables) },
		func(f *Plain, key []byte) {
			sound.Add(f, key)
			f.own.(*tables).ready.Store(false)
		},
		func(f *Plain, key []byte) bool {
			t := f.own.(*tables)
			if !t.ready.Swap(true) { // too early
				for i := range t.of {
					t.of[i].Store(uint64(bits.Reverse8(uint8(i))))
				}
			}
			return sound.Contains(f, key) && t.of[63].Load() != 0
		})
	table.ConcurrentAdds = false
	of(reads, "a table is said to be there before it is", table)
	return all
}
