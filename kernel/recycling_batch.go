package kernel

// ObserveBatch is Observe for each of the keys in turn, and appends its results to dst:
// a key that repeats in the batch is seen as a repeat, and the filter recycles, and
// calls OnRecycle, at the arrival that triggers it.
// Cost: O(k) a key, and O(m/64) a recycle; no allocation when dst has room and k <= 64.
func (f *RecyclingFilter) ObserveBatch(dst []Observation, keys [][]byte) []Observation {
	return f.observeKeys(dst, keyList{bytes: keys})
}

// ObserveUint64Batch is ObserveBatch for keys of 8 bytes, given as little-endian words.
func (f *RecyclingFilter) ObserveUint64Batch(dst []Observation, keys []uint64) []Observation {
	return f.observeKeys(dst, keyList{words: keys})
}

// ObserveHashBatch is ObserveBatch for ready-made hashes.
func (f *RecyclingFilter) ObserveHashBatch(dst []Observation, hashes []Hash) []Observation {
	f.mustBeMade()
	dst, out := extend(dst, len(hashes))
	f.observeAll(out, hashes)
	return dst
}

func (f *RecyclingFilter) observeKeys(dst []Observation, l keyList) []Observation {
	f.mustBeMade()
	dst, out := extend(dst, l.len())
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := l.hash(&f.hash, buf[:])
		f.observeAll(out[:len(h)], h)
		out = out[len(h):]
	}
	return dst
}

// observeAll sets out[i] to what was observed at the arrival of h[i].
func (f *RecyclingFilter) observeAll(out []Observation, h []Hash) {
	for i := range h {
		out[i] = f.ObserveHash(h[i])
	}
}

// ContainsBatch appends to dst, for each of the keys, what Contains says of it.
// Cost: O(k) a key; no allocation when dst has room and k <= 64.
func (f *RecyclingFilter) ContainsBatch(dst []bool, keys [][]byte) []bool {
	return f.containsKeys(dst, keyList{bytes: keys})
}

// ContainsUint64Batch is ContainsBatch for keys of 8 bytes, given as little-endian
// words.
func (f *RecyclingFilter) ContainsUint64Batch(dst []bool, keys []uint64) []bool {
	return f.containsKeys(dst, keyList{words: keys})
}

// ContainsHashBatch is ContainsBatch for ready-made hashes.
func (f *RecyclingFilter) ContainsHashBatch(dst []bool, hashes []Hash) []bool {
	f.mustBeMade()
	dst, out := extend(dst, len(hashes))
	f.lookUpAll(out, hashes)
	return dst
}

func (f *RecyclingFilter) containsKeys(dst []bool, l keyList) []bool {
	f.mustBeMade()
	dst, out := extend(dst, l.len())
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := l.hash(&f.hash, buf[:])
		f.lookUpAll(out[:len(h)], h)
		out = out[len(h):]
	}
	return dst
}

// lookUpAll sets out[i] to whether an arrival of h[i] would be called a repeat.
func (f *RecyclingFilter) lookUpAll(out []bool, h []Hash) {
	for i := range h {
		out[i] = f.ContainsHash(h[i])
	}
}
