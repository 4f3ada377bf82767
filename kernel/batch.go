package kernel

import (
	"slices"

	"github.com/bloomproof/bloomproof"
)

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
	f.insertAll(f.im, f.g, out, hashes)
	return dst
}

func (f *Filter) addKeys(dst []bool, l keyList) []bool {
	f.mustBeMade()
	dst, out := extend(dst, l.len())
	if len(out) <= hashFew {
		var buf [hashFew]Hash
		f.insertAll(f.im, f.g, out, l.hash(&f.hash, f.im, buf[:]))
		return dst
	}
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := l.hash(&f.hash, f.im, buf[:])
		f.insertAll(f.im, f.g, out[:len(h)], h)
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
	f.lookUpAll(f.im, f.g, out, hashes)
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
		f.lookUpAll(f.im, f.g, out[:len(h)], h)
		out = out[len(h):]
	}
}

// insertAll sets the bits of h, key by key, and out[i] to whether h[i] found one clear.
func (a *array) insertAll(im Impl, g bloomproof.Geometry, out []bool, h []Hash) {
	switch {
	case len(h) < few, g.K > scanK && g.Hashing != bloomproof.Standard: // such a key is a batch of positions
		for i := range h {
			out[i] = a.insert(g, h[i]) > 0
		}
	case g.Hashing == bloomproof.Standard:
		a.bits += uint64(addAll(im, out, a.words, h, shapeOf(g)))
	case len(h)*g.K <= scanK:
		var buf [scanK]uint64
		a.insertBlocks(im, g, out, h, buf[:])
	default:
		var buf [posBlock]uint64
		a.insertBlocks(im, g, out, h, buf[:])
	}
}

// insertBlocks is insertAll for classic and partitioned hashing with k <= scanK, as many
// keys at a time as buf has room for their positions.
func (a *array) insertBlocks(im Impl, g bloomproof.Geometry, out []bool, h []Hash, buf []uint64) {
	for len(h) > 0 {
		n := min(len(h), len(buf)/g.K)
		pos := buf[:n*g.K]
		derive(im, pos, g, h[:n])
		prefetch(im, a.words, pos)
		if a.slices != nil {
			a.bits += uint64(addSlicesAt(im, out[:n], a.words, pos, a.slices))
		} else {
			a.bits += uint64(addAt(im, out[:n], a.words, pos, g.K))
		}
		out, h = out[n:], h[n:]
	}
}

// lookUpAll sets out[i] to whether all positions of h[i] are set.
func (a *array) lookUpAll(im Impl, g bloomproof.Geometry, out []bool, h []Hash) {
	if len(h) < few {
		for i := range h {
			out[i] = a.contains(g, h[i])
		}
		return
	}
	if containsAll(im, out, a.words, h, shapeOf(g)) > 0 && g.Hashing == bloomproof.Classic {
		a.settleAll(im, g, out, h)
	}
}

// settleAll completes a look-up by classic hashing, where out[i] says whether the first
// k draws of h[i] are set: these are the positions unless one repeats.
func (a *array) settleAll(im Impl, g bloomproof.Geometry, out []bool, h []Hash) {
	if g.K > scanK {
		for i := range h {
			out[i] = out[i] && a.contains(g, h[i])
		}
		return
	}
	var buf [posBlock]uint64
	for len(h) > 0 {
		n := min(len(h), posBlock/g.K)
		if slices.Contains(out[:n], true) {
			pos := buf[:n*g.K]
			positions(im, pos, h[:n], shapeOf(g))
			for i := range n {
				if out[i] && repeats(pos[i*g.K:(i+1)*g.K]) {
					out[i] = a.contains(g, h[i])
				}
			}
		}
		out, h = out[n:], h[n:]
	}
}

// derive sets pos to the positions of h, k a key, for k <= scanK.
func derive(im Impl, pos []uint64, g bloomproof.Geometry, h []Hash) {
	positions(im, pos, h, shapeOf(g))
	if g.Hashing != bloomproof.Classic {
		return
	}
	for i := range h {
		// The draws repeat for nearly no key when m is far above k^2.
		if at := pos[i*g.K : (i+1)*g.K : (i+1)*g.K]; repeats(at) {
			s := newStream(h[i])
			appendDistinct(at[:0], g.M, g.K, &s)
		}
	}
}

// repeats reports whether two of the positions are equal.
func repeats(pos []uint64) bool {
	seen := uint64(0) // the low 6 bits of those before
	for i, p := range pos {
		if seen>>(p&63)&1 != 0 && slices.Contains(pos[:i], p) {
			return true
		}
		seen |= 1 << (p & 63)
	}
	return false
}
