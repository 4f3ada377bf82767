package fresh

// setFaults returns filters that have a fault in a union or an intersection. Other filters have a fault in a call that
// fails or stops halfway.
func setFaults() []Fault {
	return []Fault{
		{"a union with a filter of another k is refused after it was made", "union", unionThenError()},
		{"a union is refused for another number of words, not of bits", "union", unionByWords()},
		{"an intersection of a filter with itself is empty", "intersection", intersectSelf()},
		{"a union ends with the highest word of the last key of a batch", "union", unionToHigh()},
		{"a test and set of a new key sets no position from the ninth on", "state", shortCircuit()},
	}
}

// unionThenError has a fault that was reported in apache/commons-collections #258.
func unionThenError() subject {
	s := Sound()
	s.Union = func(f, g *Filter) error {
		if f.m != g.m {
			return errMismatch
		}
		for i, w := range g.words {
			f.words[i] |= w
		}
		if f.k != g.k {
			return errMismatch
		}
		return nil
	}
	return s
}

// unionByWords has a fault that was reported in addthis/stream-lib #134.
func unionByWords() subject {
	s := Sound()
	s.Union = func(f, g *Filter) error {
		if len(f.words) != len(g.words) || f.k != g.k {
			return errMismatch
		}
		for i, w := range g.words {
			f.words[i] |= w
		}
		return nil
	}
	return s
}

func intersectSelf() subject {
	s := alone()
	s.Intersect = func(f, g *Filter) error {
		if !sameShape(f, g) {
			return errMismatch
		}
		old := f.words
		f.words = make([]uint64, len(old))
		for i, w := range g.words {
			f.words[i] = old[i] & w
		}
		return nil
	}
	return s
}

func unionToHigh() subject {
	s := alone()
	s.Add = func(f *Filter, key []byte) { sound.add(f, key); raise(f, key) }
	s.TestAndAdd = func(f *Filter, key []byte) bool { raise(f, key); return sound.testAndAdd(f, key) }
	s.AddBatch = func(f *Filter, keys [][]byte) {
		for _, key := range keys {
			sound.add(f, key)
		}
		if len(keys) > 0 {
			raise(f, keys[len(keys)-1])
		}
	}
	s.Union = func(f, g *Filter) error {
		if !sameShape(f, g) {
			return errMismatch
		}
		for i, w := range g.words[:g.high] {
			f.words[i] |= w
		}
		f.high = max(f.high, g.high)
		return nil
	}
	around(&s, byReset, nil, func(f *Filter) { f.high = 0 })
	around(&s, byUnmarshal, nil, func(f *Filter) { f.high = uint64(len(f.words)) })
	return s
}

func shortCircuit() subject {
	s := Sound()
	s.TestAndAdd = func(f *Filter, key []byte) bool {
		lo, hi := hash(key)
		present := true
		for i := range min(f.k, 8) {
			if f.set(position(f, lo, hi, i)) {
				present = false
			}
		}
		for i := 8; i < f.k; i++ {
			present = present && !f.set(position(f, lo, hi, i))
		}
		return present
	}
	return s
}
