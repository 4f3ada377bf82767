package kernel

import "slices"

// A batch is hashed and worked off block by block, in arrays on the stack: big enough
// to keep many reads of memory under way, small enough to stay in L1 and to be zeroed
// in no time.
const (
	hashBlock = 128  // keys hashed at a time
	hashFew   = 16   // keys of a batch that is hashed in a smaller array
	hashMany  = 1024 // keys of a batch that is hashed in a larger one: look-ups beyond L2 rest less
	posBlock  = 512  // positions derived at a time; for keys with k <= scanK of them
	few       = 4    // keys of a batch up to which, not including, single calls are faster
)

// keyList is a batch of keys in one of the two forms that callers have them.
type keyList struct {
	bytes [][]byte
	words []uint64 // of 8 little-endian bytes each; used when bytes is nil
}

func (l *keyList) len() int { return max(len(l.bytes), len(l.words)) }

// hash takes keys from the front of the list, as many as buf holds, and returns their
// hashes, in buf.
func (l *keyList) hash(by *hasher, im Impl, buf []Hash) []Hash {
	buf = buf[:min(len(buf), l.len())]
	if l.bytes != nil {
		by.hashKeys(im, buf, l.bytes)
		l.bytes = l.bytes[len(buf):]
	} else {
		by.hashWords(im, buf, l.words)
		l.words = l.words[len(buf):]
	}
	return buf
}

// extend returns dst with n more elements, and those.
func extend[T any](dst []T, n int) (all, more []T) {
	all = slices.Grow(dst, n)[:len(dst)+n]
	return all, all[len(dst):]
}

// AddBatch is Add for each of the keys in turn, and appends its results to dst: a key
// that repeats in the batch is seen as a repeat. It is several times as fast, as the
// reads of many keys are under way at once.
// Cost: O(k) a key; no allocation when dst has room and k <= 64.
func (f *Filter) AddBatch(dst []bool, keys [][]byte) []bool {
	if len(keys) < few {
		f.mustBeMade()
		for _, key := range keys {
			dst = append(dst, f.Add(key))
		}
		return dst
	}
	return f.addKeys(dst, keyList{bytes: keys})
}

// AddUint64Batch is AddBatch for keys of 8 bytes, given as little-endian words.
func (f *Filter) AddUint64Batch(dst []bool, keys []uint64) []bool {
	if len(keys) < few {
		f.mustBeMade()
		for _, key := range keys {
			dst = append(dst, f.AddHash(f.hash.hashWord(key)))
		}
		return dst
	}
	return f.addKeys(dst, keyList{words: keys})
}

// AddHashBatch is AddBatch for ready-made hashes.
func (f *Filter) AddHashBatch(dst []bool, hashes []Hash) []bool {
	f.mustBeMade()
	dst, out := extend(dst, len(hashes))
	f.insertAll(f.im, &f.layout, out, hashes)
	return dst
}

func (f *Filter) addKeys(dst []bool, l keyList) []bool {
	f.mustBeMade()
	dst, out := extend(dst, l.len())
	if len(out) <= hashFew {
		var buf [hashFew]Hash
		f.insertAll(f.im, &f.layout, out, l.hash(&f.hash, f.im, buf[:]))
		return dst
	}
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := l.hash(&f.hash, f.im, buf[:])
		f.insertAll(f.im, &f.layout, out[:len(h)], h)
		out = out[len(h):]
	}
	return dst
}

// ContainsBatch appends to dst, for each of the keys, what Contains says of it.
// Cost: O(k) a key; no allocation when dst has room and k <= 64.
func (f *Filter) ContainsBatch(dst []bool, keys [][]byte) []bool {
	if len(keys) < few {
		f.mustBeMade()
		for _, key := range keys {
			dst = append(dst, f.Contains(key))
		}
		return dst
	}
	return f.containsKeys(dst, keyList{bytes: keys})
}

// ContainsUint64Batch is ContainsBatch for keys of 8 bytes, given as little-endian
// words.
func (f *Filter) ContainsUint64Batch(dst []bool, keys []uint64) []bool {
	if len(keys) < few {
		f.mustBeMade()
		for _, key := range keys {
			dst = append(dst, f.ContainsHash(f.hash.hashWord(key)))
		}
		return dst
	}
	return f.containsKeys(dst, keyList{words: keys})
}

// ContainsHashBatch is ContainsBatch for ready-made hashes.
func (f *Filter) ContainsHashBatch(dst []bool, hashes []Hash) []bool {
	f.mustBeMade()
	dst, out := extend(dst, len(hashes))
	f.lookUpAll(f.im, &f.layout, out, hashes)
	return dst
}

func (f *Filter) containsKeys(dst []bool, l keyList) []bool {
	f.mustBeMade()
	dst, out := extend(dst, l.len())
	switch {
	case len(out) <= hashFew:
		var buf [hashFew]Hash
		f.lookUpKeys(out, l, buf[:])
	case len(out) < hashMany:
		var buf [hashBlock]Hash
		f.lookUpKeys(out, l, buf[:])
	default:
		var buf [hashMany]Hash
		f.lookUpKeys(out, l, buf[:])
	}
	return dst
}

// lookUpKeys is lookUpAll for keys, whose hashes buf takes.
func (f *Filter) lookUpKeys(out []bool, l keyList, buf []Hash) {
	for len(out) > 0 {
		h := l.hash(&f.hash, f.im, buf)
		f.lookUpAll(f.im, &f.layout, out[:len(h)], h)
		out = out[len(h):]
	}
}

// insertAll sets the bits of h, key by key, and out[i] to whether h[i] found one clear.
func (a *array) insertAll(im Impl, l *layout, out []bool, h []Hash) {
	switch {
	case len(h) < few, l.k > scanK && !l.plain(): // such a key is a batch of positions
		for i := range h {
			out[i] = a.insert(l, h[i]) > 0
		}
	case l.plain():
		a.bits += uint64(addAll(im, out, a.words, h, l.shape))
	case len(h)*l.k <= scanK:
		var buf [scanK]uint64
		a.insertBlocks(im, l, out, h, buf[:])
	default:
		var buf [posBlock]uint64
		a.insertBlocks(im, l, out, h, buf[:])
	}
}

// insertBlocks is insertAll for layouts that are not plain and k <= scanK, as many keys at
// a time as buf has room for their positions.
func (a *array) insertBlocks(im Impl, l *layout, out []bool, h []Hash, buf []uint64) {
	for len(h) > 0 {
		n := min(len(h), len(buf)/l.k)
		pos := buf[:n*l.k]
		l.derive(im, pos, h[:n])
		prefetch(im, a.words, pos)
		if a.slices != nil {
			a.bits += uint64(addSlicesAt(im, out[:n], a.words, pos, a.slices))
		} else {
			a.bits += uint64(addAt(im, out[:n], a.words, pos, l.k))
		}
		out, h = out[n:], h[n:]
	}
}

// lookUpAll sets out[i] to whether all positions of h[i] are set.
func (a *array) lookUpAll(im Impl, l *layout, out []bool, h []Hash) {
	if len(h) < few {
		for i := range h {
			out[i] = a.contains(l, h[i])
		}
		return
	}
	if containsAll(im, out, a.words, h, l.shape) > 0 && !l.settled {
		a.settleAll(im, l, out, h)
	}
}

// settleAll completes a look-up in a layout that is not settled, where out[i] says whether
// the draws of h[i] are set: these are the positions unless one repeats.
func (a *array) settleAll(im Impl, l *layout, out []bool, h []Hash) {
	if l.k > scanK {
		for i := range h {
			out[i] = out[i] && a.contains(l, h[i])
		}
		return
	}
	var buf [posBlock]uint64
	k := l.k
	for len(h) > 0 {
		n := min(len(h), posBlock/k)
		if slices.Contains(out[:n], true) {
			pos := buf[:n*k]
			positions(im, pos, h[:n], l.shape)
			for i := range n {
				if out[i] && repeats(pos[i*k:(i+1)*k]) {
					out[i] = a.contains(l, h[i])
				}
			}
		}
		out, h = out[n:], h[n:]
	}
}
