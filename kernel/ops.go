package kernel

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/internal/host"
)

// The operations on words that the filters stand on. Each takes the implementation
// to use, which a filter resolved when it was made; all implementations give the
// same bits. Unequal lengths count to the shorter one, and arguments may overlap.

// handover is the most words given to assembly at once (1 MiB an argument): a
// goroutine cannot be preempted inside.
const handover = 1 << 17

// choose returns the implementation that runs an operation on n words: Portable
// below the operation's threshold, where a call costs more than it saves.
func choose(im Impl, n, least int) Impl {
	switch {
	case n < least:
		return Portable
	case im == Auto:
		return host.Best()
	}
	return im
}

// count returns the number of ones in x.
func count(im Impl, x []uint64) int {
	n := 0
	for len(x) > handover {
		n += countOne(im, x[:handover])
		x = x[handover:]
	}
	return n + countOne(im, x)
}

// andCount returns the number of ones in a & b.
func andCount(im Impl, a, b []uint64) int {
	n := 0
	for min(len(a), len(b)) > handover {
		n += andCountOne(im, a[:handover], b[:handover])
		a, b = a[handover:], b[handover:]
	}
	return n + andCountOne(im, a, b)
}

// orCount returns the number of ones in a | b.
func orCount(im Impl, a, b []uint64) int {
	n := 0
	for min(len(a), len(b)) > handover {
		n += orCountOne(im, a[:handover], b[:handover])
		a, b = a[handover:], b[handover:]
	}
	return n + orCountOne(im, a, b)
}

// xorCount returns the number of ones in a ^ b.
func xorCount(im Impl, a, b []uint64) int {
	n := 0
	for min(len(a), len(b)) > handover {
		n += xorCountOne(im, a[:handover], b[:handover])
		a, b = a[handover:], b[handover:]
	}
	return n + xorCountOne(im, a, b)
}

// andNotCount returns the number of ones in a &^ b.
func andNotCount(im Impl, a, b []uint64) int {
	n := 0
	for min(len(a), len(b)) > handover {
		n += andNotCountOne(im, a[:handover], b[:handover])
		a, b = a[handover:], b[handover:]
	}
	return n + andNotCountOne(im, a, b)
}

// andInto does dst &= src and returns the number of ones in the words it stored.
func andInto(im Impl, dst, src []uint64) int {
	n := 0
	for min(len(dst), len(src)) > handover {
		n += andIntoOne(im, dst[:handover], src[:handover])
		dst, src = dst[handover:], src[handover:]
	}
	return n + andIntoOne(im, dst, src)
}

// orInto does dst |= src and returns the number of ones in the words it stored.
func orInto(im Impl, dst, src []uint64) int {
	n := 0
	for min(len(dst), len(src)) > handover {
		n += orIntoOne(im, dst[:handover], src[:handover])
		dst, src = dst[handover:], src[handover:]
	}
	return n + orIntoOne(im, dst, src)
}

// rangeCount returns the number of ones among the bits lo <= i < hi of words. Bits
// past the end of words count as zeros, and an empty range has none.
func rangeCount(im Impl, words []uint64, lo, hi uint64) uint64 {
	hi = min(hi, 64*uint64(len(words)))
	if lo >= hi {
		return 0
	}
	first, last := lo>>6, (hi-1)>>6
	low := ^uint64(0) << (lo & 63)         // bits of the first word at lo and above
	high := ^uint64(0) >> (63 - (hi-1)&63) // bits of the last word below hi
	if first == last {
		return uint64(asm.CountPortable([]uint64{words[first] & low & high}))
	}
	ends := asm.CountPortable([]uint64{words[first] & low, words[last] & high})
	return uint64(ends + count(im, words[first+1:last]))
}
