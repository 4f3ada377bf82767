package kernel

import "unsafe"

// The batch methods of filters use the following operations, which are in probe_<arch>.go:
//
//   - positions(im, dst, h, s) sets dst[i*k+j] to the j-th draw of h[i].
//   - containsAll(im, out, words, h, s) sets out[i] to true if the bits at all draws of h[i] are set, and otherwise to
//     false. It returns the number of keys for which they are set.
//   - addAll(im, out, words, h, s) sets the bits at the draws of h, key by key. It sets out[i] to true if one of the
//     bits of h[i] was clear, and otherwise to false. It returns the number of bits that were clear.
//   - addOne(im, words, h, s) does the same as addAll, for one key and s.step = 0.
//   - containsOne(im, words, h, s) does the same as containsAll, for one key.
//   - containsAt(im, out, words, pos, k) does the same as containsAll, for k given positions of each key.
//   - addAt(im, out, words, pos, k) does the same as addAll, for k given positions of each key.
//   - addSlicesAt(im, out, words, pos, slices) does the same as addAt, for k = len(slices). It adds to slices[j] the
//     number of bits that were clear at the j-th positions.
//   - containsPair(im, out, pair, h, s) sets bit a of out[i] to 1 if the bits at all draws of h[i] are set in array a
//     of a pair, and otherwise to 0.
//   - containsPairAt(im, out, pair, pos, k) does the same as containsPair, for k given positions of each key.
//   - addPairAt(im, pair, pos, side) sets the bits at pos in array side of a pair. It returns how many of them were
//     clear, and how many of those are set in the other array.
//   - prefetch(im, words, pos) prefetches the words with the bits at pos.
//
// The argument "im" is the implementation to use. If the CPU cannot run it, the next lower implementation is used. All
// implementations give the same results. The slice "out" has one element for each key. The number of keys is len(h), or
// len(pos)/k. The draws of a key follow from its hash and the shape s. Some layouts replace a draw that equals an
// earlier draw of the same key. Layouts with blocks derive draws in another way. For these layouts, use the operations
// that take positions.

// hashWords returns the memory of the hashes h as a slice of words, with two words for each hash. The functions of
// package asm take hashes in this form.
func hashWords(h []Hash) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(h))), 2*len(h))
}

// A pipeline is one of several ways to process many keys.
type pipeline uint8

const (
	byTwin pipeline = iota // the portable twin
	byWord                 // one position after the other, as far as the first that is clear
	byOne                  // one key after the other, all positions of a key at once, AVX2
	by2x4                  // one position of each of 8 keys in an iteration, AVX2
	// The pipeline byLevels processes 256 keys at a time, with AVX2. It divides the positions of a key into levels of
	// 1, 2, 3, 4, 4, ... positions. At each level it reads the bits at these positions. It skips keys that had a clear
	// bit at an earlier position.
	byLevels
	by8         // one position of each of 8 keys in an iteration, AVX512
	byGather    // one position of each of 16 keys in an iteration, AVX512 with gathers
	byRing      // one position of each of 64 keys in a round, each prefetched one round earlier
	byRingT1    // as byRing, prefetched into L2 only
	byRingNTA   // as byRing, prefetched for a single use (PREFETCHNTA)
	byRing8     // one position of each of 96 keys in a round, 8 keys in an iteration, AVX512
	byRing8T1   // as byRing8, prefetched into L2 only
	byPositions // all positions are derived by vectors, then tested
	lastPipeline
)

// A value of the type machine describes a host. It has the properties on which the choice of a pipeline depends.
type machine struct {
	l2, l3     int  // bytes of the caches
	fastGather bool // host.FastGather
	toL2       bool // host.PrefetchToL2
}

// Each of the following constants belongs to a pipeline. The pipeline saves time if there are at least that many keys.
const (
	turn8Min  = 7  // by2x4, look-ups and additions: one key less than an iteration takes
	gatherMin = 16 // byGather: the number of keys in an iteration
	// The pipeline byLevels saves time if there are at least levelsMin keys. This was measured with an array of 16 MiB
	// on Zen 4. In a batch of 16 keys, byLevels takes 60 ns a key, and by2x4 takes 54 ns. In a batch of 32 keys,
	// byLevels takes 30 ns a key, and by2x4 takes 48 ns.
	levelsMin = 24
	ringMin   = 16 // rings: a quarter of the smallest ring, because filling and draining the ring takes time
)

// nearL2 is the size of the largest array that needs no prefetching, divided by the size of the L2 cache. In such an
// array it is enough to read the bits at several positions at the same time. The number was measured on Zen 4 with
// look-ups for k = 7. There were three kinds of batches. The array contained all keys of the first kind, no key of the
// second kind, and half of the keys of the third kind. In an array of 4 MiB, by8 takes 7 ns a key for all three kinds.
// If all or half of the keys are in this array, byRing8 takes 10 ns a key. If no key is in it, byRing8 takes 5 ns a
// key. In an array of 16 MiB, by8 takes 29 ns a key for all three kinds. If all keys are in this array, byRing8 takes
// 21 ns a key. If half of the keys are in it, byRing8 takes 18 ns a key. If no key is in it, byRing8 takes 8 ns a key.
const nearL2 = 4

// chooseContains returns the pipeline by which the implementation im looks up keys. The choice depends on the number of
// keys, the number of words of the array, and the machine m. The implementation must be in the list that
// host.Runs(host.Probe) returns. Some arrays need no prefetching (see nearL2). For these, the pipeline reads the bits
// at all positions of several keys at the same time. For a larger array, it works on many keys and reads only the bits
// that it needs.
func chooseContains(im impl, keys, words int, m machine) pipeline {
	near := words <= nearL2*m.l2/8
	switch {
	case im == portable:
		return byTwin
	case im == avx2 && keys < turn8Min:
		return byOne
	case im == avx2 && (near || keys < levelsMin):
		return by2x4
	case im == avx2:
		return byLevels
	case im == avx512 && near && keys >= gatherMin && m.fastGather:
		return byGather
	case im == avx512 && near:
		return by8
	case words <= m.l2/8 || keys < ringMin:
		return byWord
	case im == avx512 && m.toL2:
		return byRing8T1
	case im == avx512:
		return byRing8
	case m.toL2:
		return byRingT1
	case words <= m.l3/8:
		return byRing
	}
	return byRingNTA
}

// chooseAddAVX2 returns the pipeline by which AVX2 adds keys. The choice depends on the number of keys, the number of
// words of the array, and the machine m. The pipeline byLevels is not used, because an addition must set the bits at
// all positions of a key.
func chooseAddAVX2(keys, words int, m machine) pipeline {
	switch {
	case keys < turn8Min:
		return byOne
	case words <= m.l2/8:
		return by2x4
	}
	return byRingT1
}

// choosePair does the same as chooseContains, for a pair of arrays and keys with k positions. If the pair fits in the
// L2 cache, all positions are derived with vector instructions. This is faster than finding out which positions are
// needed.
func choosePair(im impl, keys, words, k int, m machine) pipeline {
	near := words <= m.l2/8
	switch {
	case im == portable || keys < ringMin:
		return byTwin
	case near && (im == avx2 || im == avx512) && k <= posBlock:
		return byPositions
	case m.toL2 && !near:
		return byRingT1
	case words <= m.l3/8:
		return byRing
	}
	return byRingNTA
}

// hasAll reports whether the bits at all draws of h are set. The draws follow from h and the shape s. It stops at the
// first draw whose bit is clear.
func hasAll(words []uint64, h Hash, s shape) bool {
	state, gamma, base := h.H0, h.H1|1, uint64(0)
	for k := s.k; k > 0; k-- {
		state += gamma
		if !getBit(words, base+reduce(word(state), s.span)) {
			return false
		}
		base += s.step
	}
	return true
}
