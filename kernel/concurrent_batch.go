package kernel

import (
	"math/bits"

	"github.com/bloomproof/bloomproof"
)

// AddBatch is Add for each of the keys in turn, and appends its results to dst: a key
// that repeats in the batch is seen as a repeat. The reads of many keys are under way at
// once.
// Cost: O(k) a key; no allocation when dst has room and k <= 64.
func (f *ConcurrentFilter) AddBatch(dst []bool, keys [][]byte) []bool {
	return f.addKeys(dst, keyList{bytes: keys})
}

// AddUint64Batch is AddBatch for keys of 8 bytes, given as little-endian words.
func (f *ConcurrentFilter) AddUint64Batch(dst []bool, keys []uint64) []bool {
	return f.addKeys(dst, keyList{words: keys})
}

// AddHashBatch is AddBatch for ready-made hashes.
func (f *ConcurrentFilter) AddHashBatch(dst []bool, hashes []Hash) []bool {
	f.f.mustBeMade()
	dst, out := extend(dst, len(hashes))
	f.insertAll(out, hashes)
	return dst
}

func (f *ConcurrentFilter) addKeys(dst []bool, l keyList) []bool {
	f.f.mustBeMade()
	dst, out := extend(dst, l.len())
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := l.hash(&f.f.hash, buf[:])
		f.insertAll(out[:len(h)], h)
		out = out[len(h):]
	}
	return dst
}

// insertAll adds h, key by key, and sets out[i] to what AddHash says of h[i].
func (f *ConcurrentFilter) insertAll(out []bool, h []Hash) {
	g := f.f.g
	if g.K > scanK { // one key is a batch of positions
		for i := range h {
			out[i] = f.AddHash(h[i])
		}
		return
	}
	var buf [posBlock]uint64
	for len(h) > 0 {
		n := min(len(h), posBlock/g.K)
		pos := buf[:n*g.K]
		derive(f.f.im, pos, g, h[:n])
		touch(f.f.words, pos)
		var all uint64
		for i := range n {
			fresh := setAllShared(f.f.words, pos[i*g.K:(i+1)*g.K])
			out[i] = fresh > 0
			all += fresh
		}
		f.fresh.add(all)
		out, h = out[n:], h[n:]
	}
}

// ContainsBatch appends to dst, for each of the keys, what Contains says of it.
// Cost: O(k) a key; no allocation when dst has room and k <= 64.
func (f *ConcurrentFilter) ContainsBatch(dst []bool, keys [][]byte) []bool {
	return f.containsKeys(dst, keyList{bytes: keys})
}

// ContainsUint64Batch is ContainsBatch for keys of 8 bytes, given as little-endian
// words.
func (f *ConcurrentFilter) ContainsUint64Batch(dst []bool, keys []uint64) []bool {
	return f.containsKeys(dst, keyList{words: keys})
}

// ContainsHashBatch is ContainsBatch for ready-made hashes.
func (f *ConcurrentFilter) ContainsHashBatch(dst []bool, hashes []Hash) []bool {
	f.f.mustBeMade()
	dst, out := extend(dst, len(hashes))
	lookUpAllShared(f.f.im, out, f.f.words, f.f.g, hashes)
	return dst
}

func (f *ConcurrentFilter) containsKeys(dst []bool, l keyList) []bool {
	f.f.mustBeMade()
	dst, out := extend(dst, l.len())
	var buf [hashBlock]Hash
	for len(out) > 0 {
		h := l.hash(&f.f.hash, buf[:])
		lookUpAllShared(f.f.im, out[:len(h)], f.f.words, f.f.g, h)
		out = out[len(h):]
	}
	return dst
}

// lookUpWords is the size of a filter up to which its words are read from a cache of the
// core. There it costs more to find out which positions to read than to read them all.
const lookUpWords = 1 << 17

// lookUpAllShared sets out[i] to whether all positions of h[i] are set in words.
func lookUpAllShared(im Impl, out []bool, words []uint64, g bloomproof.Geometry, h []Hash) {
	if g.K <= scanK && len(words) <= lookUpWords {
		lookUpNear(im, out, words, g, h)
	} else {
		lookUpFar(out, words, g, h)
	}
	if g.Hashing == bloomproof.Classic { // so far these were draws, of which some may repeat
		for i := range out {
			out[i] = out[i] && containsShared(words, g, h[i])
		}
	}
}

// lookUpNear sets out[i] to whether the first k draws of h[i] are all set.
func lookUpNear(im Impl, out []bool, words []uint64, g bloomproof.Geometry, h []Hash) {
	var buf [posBlock]uint64
	for len(h) > 0 {
		n := min(len(h), posBlock/g.K)
		pos := buf[:n*g.K]
		positions(im, pos, h[:n], shapeOf(g))
		for i := range n {
			all := uint64(1)
			for _, p := range pos[i*g.K : (i+1)*g.K] {
				all &= getShared(&words[p>>6], p)
			}
			out[i] = all != 0
		}
		out, h = out[n:], h[n:]
	}
}

// lookUpFar does the same. It takes 64 keys at a time and looks at one position of each
// in a round, and at the next only of those whose bit was set: the reads of a round are
// under way together, and no branch waits for them.
func lookUpFar(out []bool, words []uint64, g bloomproof.Geometry, h []Hash) {
	s := shapeOf(g)
	var pos [64]uint64
	for len(h) > 0 {
		n := min(len(h), len(pos))
		left := ^uint64(0) >> (64 - n) // bit i: h[i] has passed all rounds
		for j := range uint64(s.k) {
			end := 0
			for l := left; l != 0; l &= l - 1 {
				key := &h[bits.TrailingZeros64(l)]
				at := stream{key.H0 + j*(key.H1|1), key.H1 | 1}
				pos[end&63] = j*s.step + reduce(at.next(), s.span)
				end++
			}
			touch(words, pos[:end])
			passed := uint64(0)
			for _, p := range pos[:end] {
				passed |= getShared(&words[p>>6], p) * (left & -left)
				left &= left - 1
			}
			left = passed
		}
		for i := range n {
			out[i] = left>>(i&63)&1 != 0
		}
		out, h = out[n:], h[n:]
	}
}
