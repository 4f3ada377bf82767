package kernel

import (
	"math/bits"

	"github.com/bloomproof/bloomproof/kernel/host"
)

// The operations on words that the filters use, in ops_<arch>.go:
//
//	count(im, x)           ones of x
//	andCount(im, a, b)     ones of a & b; orCount, xorCount, andNotCount alike
//	andInto(im, dst, src)  dst &= src, and the ones of the words it stored; orInto and
//	                       andNotInto alike
//
// im is the implementation to use, or the next lower one that the CPU can run; all give the same bits. If lengths
// differ the shorter one counts, and arguments may overlap.

// The fewest words for which a call to assembly beats the portable loop, from BenchmarkThreshold on amd64. With 4 words
// the loop wins, with 8 words assembly does, for every implementation. NEON uses the same numbers, unmeasured.
const (
	countMin = 6
	pairMin  = 8
	intoMin  = 8
	avx2Min  = 16 // the fewest for which AVX2, whose turn has 16 words, beats Popcnt
)

// choose returns the implementation that runs an operation on n words. A call to assembly is worthwhile from least
// words on.
func choose(im impl, n, least int) impl {
	if !host.Assembly || n < least {
		return portable
	}
	im = at(host.Popcount, im)
	if im == avx2 && n < avx2Min {
		return popcnt // which AVX2 requires
	}
	return im
}

// rangeCount returns the number of ones among the bits lo <= i < hi of words. Bits
// past the end of words count as zeros, and an empty range has none.
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
