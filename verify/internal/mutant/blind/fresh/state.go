package fresh

import (
	"bytes"
	"slices"
)

// stateFaults returns filters with faults in the data that a filter keeps in addition to its bits.
func stateFaults() []Fault {
	return []Fault{
		{"an addition of the key that came last is skipped, and a new filter believes that the empty key did", "state", lastEmpty()},
		{"a batch that begins with the key that ended the batch before skips it, although a snapshot was read meanwhile", "state", lastOfBatch()},
		{"a missed look-up is remembered until the filter has changed, which is counted in a byte", "cache", missesInByte()},
		{"the key that was found last is still found after a snapshot of the same shape was read", "cache", hitAfterUnmarshal()},
		{"the counted bits are kept when a filter with fewer bits was joined", "cache", bitsAfterUnion()},
		{"a reset leaves the number of set bits", "count", countAfterReset()},
		{"the estimate of the items outlives the reading of a snapshot", "cache", itemsAfterUnmarshal()},
		{"a snapshot is the filter's own copy, and who writes over it changes the next one", "cache", snapshotShared()},
		{"a reset makes a new array, and additions go on in a page of the old one", "state", pageOfOldArray()},
		{"a union with an empty filter shares the array until either changes, which a test and set does not notice", "state", sharedUntilAdd()},
		{"a reset only counts on in a byte, and after 256 of them the keys are back", "state", epochInByte()},
	}
}

// lastEmpty has a fault that was reported in facebook/rocksdb #3776. That filter remembers the last key, and skips the
// next key if both are equal. At first it remembers the empty string. So it skips an empty key that is added first.
func lastEmpty() subject {
	s := few(alone())
	s.Add = func(f *Filter, key []byte) {
		if bytes.Equal(key, f.lastKey) {
			return
		}
		f.lastKey = append(f.lastKey[:0], key...)
		sound.add(f, key)
	}
	return s
}

func lastOfBatch() subject {
	s := alone()
	s.AddBatch = func(f *Filter, keys [][]byte) {
		for _, key := range keys {
			if f.hasLast && bytes.Equal(key, f.lastKey) {
				continue
			}
			f.lastKey, f.hasLast = append(f.lastKey[:0], key...), true
			sound.add(f, key)
		}
	}
	around(&s, byReset|byIntersect, nil, func(f *Filter) { f.hasLast = false })
	return s
}

func missesInByte() subject {
	const slots = 256
	s := alone()
	s.Contains = func(f *Filter, key []byte) bool {
		lo, hi := hash(key)
		if f.negative == nil {
			f.negative = make([]miss, slots)
		}
		e := &f.negative[hi%slots]
		if *e == (miss{lo, hi, f.changes, true}) {
			return false
		}
		found := sound.contains(f, key)
		if !found {
			*e = miss{lo, hi, f.changes, true}
		}
		return found
	}
	around(&s, byAll&^byAddBatch, nil, func(f *Filter) { f.changes++ })
	s.AddBatch = func(f *Filter, keys [][]byte) {
		for _, key := range keys {
			s.Add(f, key)
		}
	}
	return s
}

func hitAfterUnmarshal() subject {
	s := alone()
	s.Contains = func(f *Filter, key []byte) bool {
		lo, hi := hash(key)
		if f.hit && f.hitLo == lo && f.hitHi == hi {
			return true
		}
		found := sound.contains(f, key)
		if found {
			f.hit, f.hitLo, f.hitHi = true, lo, hi
		}
		return found
	}
	around(&s, byReset|byIntersect, nil, func(f *Filter) { f.hit = false })
	s.Unmarshal = func(f *Filter, data []byte) error {
		m, k := f.m, f.k
		err := unmarshal(f, data)
		if m != f.m || k != f.k {
			f.hit = false
		}
		return err
	}
	return s
}

// bitsAfterUnion has a fault that was reported in alexandrnikitin/bloom-filter-scala #39.
func bitsAfterUnion() subject {
	s := alone()
	s.New = func(m uint64, k int) (*Filter, error) {
		f, err := New(m, k)
		if err == nil {
			f.stale = true
		}
		return f, err
	}
	s.Bits = func(f *Filter) uint64 {
		if f.stale {
			f.count, f.stale = popcount(f.words), false
		}
		return f.count
	}
	around(&s, byAll&^byUnion, nil, func(f *Filter) { f.stale = true })
	s.Union = func(f, g *Filter) error {
		if popcount(g.words) > popcount(f.words) {
			f.stale = true
		}
		return union(f, g)
	}
	return s
}

// The function "counting" returns a filter that keeps the number of its set bits in a counter.
func counting() subject {
	s := alone()
	s.Add = func(f *Filter, key []byte) {
		lo, hi := hash(key)
		for i := range f.k {
			if f.set(position(f, lo, hi, i)) {
				f.count++
			}
		}
	}
	s.AddBatch = func(f *Filter, keys [][]byte) {
		for _, key := range keys {
			s.Add(f, key)
		}
	}
	s.TestAndAdd = func(f *Filter, key []byte) bool {
		before := f.count
		s.Add(f, key)
		return f.count == before
	}
	s.Bits = func(f *Filter) uint64 { return f.count }
	around(&s, byUnion|byIntersect|byUnmarshal, nil, func(f *Filter) { f.count = popcount(f.words) })
	return s
}

// countAfterReset has a fault that was reported in axiak/pybloomfiltermmap #77. There, a reset does not change the
// counter of set bits.
func countAfterReset() subject { return counting() }

func itemsAfterUnmarshal() subject {
	s := alone()
	s.Items = func(f *Filter) float64 {
		if !f.known {
			f.estimate, f.known = items(f), true
		}
		return f.estimate
	}
	around(&s, byAll&^byUnmarshal, nil, func(f *Filter) { f.known = false })
	return s
}

func snapshotShared() subject {
	s := alone()
	s.Marshal = func(f *Filter) ([]byte, error) {
		if f.snapshot == nil {
			f.snapshot, _ = marshal(f)
		}
		return f.snapshot, nil
	}
	around(&s, byAll, nil, func(f *Filter) { f.snapshot = nil })
	return s
}

func pageOfOldArray() subject {
	const length = 4096
	s := alone()
	s.Add = func(f *Filter, key []byte) {
		lo, hi := hash(key)
		for i := range f.k {
			p := position(f, lo, hi, i)
			no := p >> 6 / length
			if f.page == nil || f.pageNo != no {
				f.page = f.words[no*length : min((no+1)*length, uint64(len(f.words)))]
				f.pageNo = no
			}
			f.page[p>>6%length] |= 1 << (p & 63)
		}
	}
	s.Reset = func(f *Filter) { f.words = make([]uint64, len(f.words)) }
	around(&s, byUnmarshal, nil, func(f *Filter) { f.page = nil })
	return s
}

func sharedUntilAdd() subject {
	own := func(f *Filter) {
		if f.shared {
			f.words, f.shared = slices.Clone(f.words), false
		}
	}
	s := alone()
	s.Union = func(f, g *Filter) error {
		if f == g || !sameShape(f, g) || popcount(f.words) != 0 {
			own(f)
			return union(f, g)
		}
		f.words, f.shared, g.shared = g.words, true, true
		return nil
	}
	around(&s, byAll&^byTestAndAdd&^byUnion, own, nil)
	return s
}

func epochInByte() subject {
	const chunk = 64
	settle := func(f *Filter) {
		for i, e := range f.epochs {
			if e != f.epoch {
				clear(f.words[i*chunk : min((i+1)*chunk, len(f.words))])
				f.epochs[i] = f.epoch
			}
		}
	}
	s := few(alone())
	s.New = func(m uint64, k int) (*Filter, error) {
		f, err := New(m, k)
		if err == nil {
			f.epochs = make([]uint8, (len(f.words)+chunk-1)/chunk)
		}
		return f, err
	}
	s.Add = func(f *Filter, key []byte) {
		lo, hi := hash(key)
		for i := range f.k {
			p := position(f, lo, hi, i)
			c := int(p >> 6 / chunk)
			if f.epochs[c] != f.epoch {
				clear(f.words[c*chunk : min((c+1)*chunk, len(f.words))])
				f.epochs[c] = f.epoch
			}
			f.words[p>>6] |= 1 << (p & 63)
		}
	}
	s.Contains = func(f *Filter, key []byte) bool {
		lo, hi := hash(key)
		for i := range f.k {
			p := position(f, lo, hi, i)
			if f.epochs[p>>6/chunk] != f.epoch || !f.get(p) {
				return false
			}
		}
		return true
	}
	s.Bits = func(f *Filter) uint64 { settle(f); return popcount(f.words) }
	s.Reset = func(f *Filter) { f.epoch++ }
	return s
}
