package fresh

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/bloomproof/bloomproof/verify/internal/mutant/blind/xxh3"
)

// raceFaults returns filters whose fault needs several goroutines. Nothing in them waits or yields.
func raceFaults() []Fault {
	return []Fault{
		{"additions count the new bits and store the sum", "race", racyCount()},
		{"look-ups of more than 8 positions share the place for them", "race", sharedScratch()},
		{"a snapshot is kept before it is written", "race", earlySnapshot()},
		{"two additions make the same page, and one of them is lost", "race", racyPages()},
		{"pending additions leave the list before their bits are set", "race", racyPending()},
		{"the lock of an addition goes by the key, not by the word", "race", stripesByKey()},
		{"the last look-up is remembered before it was answered", "race", earlyMemory()},
		{"a batch of 1,024 keys or more sets bits by goroutines without atomic operations", "race", parallelBatch()},
	}
}

func racyCount() subject {
	s := counting()
	s.Add = func(f *Filter, key []byte) {
		lo, hi := hash(key)
		count := f.count
		for i := range f.k {
			if f.set(position(f, lo, hi, i)) {
				count++
			}
		}
		f.count = count
	}
	s.AddBatch = func(f *Filter, keys [][]byte) {
		for _, key := range keys {
			s.Add(f, key)
		}
	}
	s.TestAndAdd = nil
	around(&s, byReset, nil, func(f *Filter) { f.count = 0 })
	s.ConcurrentReads, s.ConcurrentAdds = true, true
	return s
}

// The subject sharedScratch has a known fault of a library (bits-and-blooms/bloom, issues #17 and #31).
func sharedScratch() subject {
	s := Sound()
	s.New = func(m uint64, k int) (*Filter, error) {
		f, err := New(m, k)
		if err == nil {
			f.scratch = make([]uint64, maxK)
		}
		return f, err
	}
	s.Contains = func(f *Filter, key []byte) bool {
		if f.k <= 8 {
			return sound.contains(f, key)
		}
		lo, hi := hash(key)
		places := f.scratch[:f.k]
		for i := range places {
			places[i] = reduce(stream(lo, hi, i), f.m)
		}
		for _, p := range places {
			if !f.get(p) {
				return false
			}
		}
		return true
	}
	return s
}

func earlySnapshot() subject {
	s := Sound()
	s.ConcurrentAdds = false
	s.Marshal = func(f *Filter) ([]byte, error) {
		if f.cached == nil {
			b := make([]byte, header+8*len(f.words)+8)
			f.cached = &b
			copy(b, magic)
			binary.LittleEndian.PutUint64(b[len(magic):], f.m)
			binary.LittleEndian.PutUint32(b[len(magic)+8:], uint32(f.k))
			for i, w := range f.words {
				binary.LittleEndian.PutUint64(b[header+8*i:], w)
			}
			end := len(b) - 8
			binary.LittleEndian.PutUint64(b[end:], xxh3.Hash(b[:end]))
		}
		return slices.Clone(*f.cached), nil
	}
	around(&s, byAll, nil, func(f *Filter) { f.cached = nil })
	return s
}

const pageWords = 64 // the words of a page of the filter that makes its pages when they are needed

func racyPages() subject {
	s := few(Sound())
	s.New = func(m uint64, k int) (*Filter, error) {
		if m == 0 || m > maxBits || k < 1 || k > maxK {
			return nil, errShape
		}
		n := (m + 64*pageWords - 1) / (64 * pageWords)
		return &Filter{m: m, k: k, pages: make([]atomic.Pointer[[pageWords]uint64], n)}, nil
	}
	s.Add = func(f *Filter, key []byte) {
		lo, hi := hash(key)
		for i := range f.k {
			p := position(f, lo, hi, i)
			place := &f.pages[p/(64*pageWords)]
			page := place.Load()
			if page == nil {
				page = new([pageWords]uint64)
				place.Store(page)
			}
			atomic.OrUint64(&page[p>>6%pageWords], 1<<(p&63))
		}
	}
	s.Contains = func(f *Filter, key []byte) bool {
		lo, hi := hash(key)
		for i := range f.k {
			p := position(f, lo, hi, i)
			page := f.pages[p/(64*pageWords)].Load()
			if page == nil || atomic.LoadUint64(&page[p>>6%pageWords])>>(p&63)&1 == 0 {
				return false
			}
		}
		return true
	}
	s.Bits = func(f *Filter) uint64 {
		var n uint64
		for i := range f.pages {
			if page := f.pages[i].Load(); page != nil {
				for _, w := range page {
					n += uint64(bits.OnesCount64(w))
				}
			}
		}
		return n
	}
	return s
}

func racyPending() subject {
	flush := func(f *Filter) {
		f.mu.Lock()
		keys := f.pending
		f.pending = nil
		f.mu.Unlock()
		for _, h := range keys {
			for i := range f.k {
				f.set(position(f, h[0], h[1], i))
			}
		}
	}
	s := few(Sound())
	s.Add = func(f *Filter, key []byte) {
		lo, hi := hash(key)
		f.mu.Lock()
		f.pending = append(f.pending, [2]uint64{lo, hi})
		full := len(f.pending) >= 64
		f.mu.Unlock()
		if full {
			flush(f)
		}
	}
	s.Contains = func(f *Filter, key []byte) bool { flush(f); return sound.contains(f, key) }
	s.Bits = func(f *Filter) uint64 { flush(f); return popcount(f.words) }
	return s
}

func stripesByKey() subject {
	s := Sound()
	s.TestAndAdd = func(f *Filter, key []byte) bool {
		lo, hi := hash(key)
		mu := &f.stripes[lo%uint64(len(f.stripes))]
		mu.Lock()
		defer mu.Unlock()
		present := true
		for i := range f.k {
			p := position(f, lo, hi, i)
			if w := f.words[p>>6]; w>>(p&63)&1 == 0 {
				present = false
				f.words[p>>6] = w | 1<<(p&63)
			}
		}
		return present
	}
	s.Add = func(f *Filter, key []byte) { s.TestAndAdd(f, key) }
	s.AddBatch = func(f *Filter, keys [][]byte) {
		for _, key := range keys {
			s.TestAndAdd(f, key)
		}
	}
	return s
}

func earlyMemory() subject {
	s := Sound()
	s.ConcurrentAdds = false
	s.Contains = func(f *Filter, key []byte) bool {
		lo, hi := hash(key)
		if f.seen && f.seenLo == lo && f.seenHi == hi {
			return f.answer
		}
		f.seen, f.seenLo, f.seenHi = true, lo, hi
		f.answer = true
		for i := range f.k {
			if !f.get(position(f, lo, hi, i)) {
				f.answer = false
				break
			}
		}
		return f.answer
	}
	around(&s, byAll, nil, func(f *Filter) { f.seen = false })
	return s
}

// parallelBatch has a fault that was reported in neo-project/neo #3497.
func parallelBatch() subject {
	const workers = 4
	s := Sound()
	s.AddBatch = func(f *Filter, keys [][]byte) {
		if len(keys) < 1024 {
			for _, key := range keys {
				sound.add(f, key)
			}
			return
		}
		var wg sync.WaitGroup
		for part := range slices.Chunk(keys, (len(keys)+workers-1)/workers) {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for _, key := range part {
					lo, hi := hash(key)
					for i := range f.k {
						p := position(f, lo, hi, i)
						f.words[p>>6] |= 1 << (p & 63)
					}
				}
			}()
		}
		wg.Wait()
	}
	return s
}
