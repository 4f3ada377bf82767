package kernel

import (
	"math/bits"

	"github.com/bloomproof/bloomproof/kernel/host"
)

// The files ops_<arch>.go have the operations on words that the filters use:
//
//   - count(im, x) counts the ones of x.
//   - andCount(im, a, b) counts the ones of a & b.
//   - andInto(im, dst, src) does dst &= src, and counts the ones of the words that it stored.
//
// The operations orCount, xorCount and andNotCount count the ones of a | b, a ^ b and a &^ b. The operations orInto and
// andNotInto do dst |= src and dst &^= src. They also count the ones of the words that they store.
//
// The argument "im" is the implementation to use. If the CPU cannot run it, the next lower implementation is used. All
// implementations give the same results. If two slices differ in length, the words at the end of the longer one are
// ignored. Slices may overlap.

// The following constants are numbers of words. With at least this number of words, a call of an assembly kernel is
// faster than the portable loop. The numbers were measured on amd64 with BenchmarkThreshold. For 4 words the loop is
// faster than every assembly kernel. For 8 words it is slower than every assembly kernel. NEON uses the same constants,
// but they were not measured on NEON.
const (
	countMin = 6
	pairMin  = 8
	intoMin  = 8
	avx2Min  = 16 // the fewest words for which AVX2, which takes 16 words an iteration, is faster than Popcnt
)

// The function "choose" returns the implementation that is used for an operation on n words. The argument "least" is
// the smallest number of words for which a call of an assembly kernel saves time.
func choose(im impl, n, least int) impl {
	if !host.Assembly || n < least {
		return portable
	}
	im = at(host.Popcount, im)
	if im == avx2 && n < avx2Min {
		return popcnt // every CPU with AVX2 has POPCNT
	}
	return im
}

// rangeCount counts the ones among the bits i of the slice "words", for lo <= i < hi. Bits beyond the end of the slice
// count as 0. If lo >= hi, the result is 0.
func rangeCount(im impl, words []uint64, lo, hi uint64) uint64 {
	hi = min(hi, 64*uint64(len(words)))
	if lo >= hi {
		return 0
	}
	first, last := lo>>6, (hi-1)>>6
	low := ^uint64(0) << (lo & 63)         // bits of the first word at lo and above
	high := ^uint64(0) >> (63 - (hi-1)&63) // bits of the last word below hi
	if first == last {
		return uint64(bits.OnesCount64(words[first] & low & high))
	}
	ends := bits.OnesCount64(words[first]&low) + bits.OnesCount64(words[last]&high)
	return uint64(ends + count(im, words[first+1:last]))
}
