package kernel

import (
	"unsafe"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/asm"
)

// The operations at the positions of keys that the filters' batch methods stand on. im
// is the implementation to use, or the next lower one that the CPU can run; all give the
// same bits. Classic hashing has its positions from appendDistinct, and then uses the
// forms that take positions.

// shape says how a hash becomes positions: the j-th is j*step + reduce(x_j, span).
type shape struct {
	k          int
	span, step uint64
}

func shapeOf(g bloomproof.Geometry) shape {
	if g.Hashing == bloomproof.Partitioned {
		slice := g.M / uint64(g.K)
		return shape{g.K, slice, slice}
	}
	return shape{g.K, g.M, 0}
}

// hashWords returns the words of h, two a hash, as package asm takes them.
func hashWords(h []Hash) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(h))), 2*len(h))
}

// positions sets dst[i*k+j] to the j-th position of h[i] (not for Classic).
func positions(_ Impl, dst []uint64, h []Hash, s shape) {
	asm.PositionsPortable(dst, hashWords(h), s.k, s.span, s.step)
}

// containsAll sets out[i] to whether h[i]'s positions are all set in words, and returns
// how many are. len(out) = len(h).
func containsAll(_ Impl, out []bool, words []uint64, h []Hash, s shape) int {
	return asm.ContainsPortable(out, words, hashWords(h), s.k, s.span, s.step)
}

// addAll sets the positions of h in words, key by key, sets out[i] to whether h[i] found
// a bit clear, and returns the number of bits that were clear. len(out) = len(h).
func addAll(_ Impl, out []bool, words []uint64, h []Hash, s shape) int {
	return asm.AddPortable(out, words, hashWords(h), s.k, s.span, s.step)
}

// containsAt is containsAll for positions that are ready, k a key.
func containsAt(_ Impl, out []bool, words, pos []uint64, k int) int {
	return asm.ContainsAtPortable(out, words, pos, k)
}

// addAt is addAll for positions that are ready, k a key.
func addAt(_ Impl, out []bool, words, pos []uint64, k int) int {
	return asm.AddAtPortable(out, words, pos, k)
}

// addSlicesAt is addAt with k = len(slices) that also adds to slices[j] the number of
// bits that were clear at a key's j-th position.
func addSlicesAt(_ Impl, out []bool, words, pos, slices []uint64) int {
	return asm.AddSlicesAtPortable(out, words, pos, slices)
}

// containsPair sets out[i] to two bits, whether h[i]'s positions are all set in array 0
// and in array 1 of a pair. len(out) = len(h).
func containsPair(_ Impl, out []uint8, pair []uint64, h []Hash, s shape) {
	asm.ContainsPairPortable(out, pair, hashWords(h), s.k, s.span, s.step)
}

// containsPairAt is containsPair for positions that are ready, k a key.
func containsPairAt(_ Impl, out []uint8, pair, pos []uint64, k int) {
	asm.ContainsPairAtPortable(out, pair, pos, k)
}

// addPairAt sets the bits at pos in array side of a pair and returns the number of them
// that were clear, and of those the number that are set in the other array.
func addPairAt(_ Impl, pair, pos []uint64, side int) (fresh, overlap int) {
	return asm.AddPairAtPortable(pair, pos, side)
}

// prefetch asks for the words at pos to be brought near; it changes nothing.
func prefetch(_ Impl, _, _ []uint64) {}
