package kernel

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
)

// Bit i of an array of words is bit i&63 of word i>>6. Bit m and all later bits are zero.

func getBit(w []uint64, i uint64) bool { return w[i>>6]>>(i&63)&1 != 0 }

// setBit sets bit i of the array w. The result is 1 if the bit was clear, and otherwise 0.
func setBit(w []uint64, i uint64) uint64 {
	old := w[i>>6]
	w[i>>6] = old | 1<<(i&63)
	return ^old >> (i & 63) & 1
}

// wordsFor returns the number of words that have room for m bits, for m <= maxM.
func wordsFor(m uint64) uint64 { return (m + 63) / 64 }

// Before an allocation of at least probeBytes bytes, the program asks the operating system whether enough memory is
// available. Without this check, the Go runtime would end the program if there were too little memory. Smaller
// allocations are not checked. A host with less than 64 MiB of free memory could not continue anyway.
const probeBytes = 64 << 20

// hugeBytes is the size of a huge page in bytes. Huge pages have this size on amd64. On arm64, huge pages have this
// size if small pages have 4 KiB. An allocation may have hugeBytes more bytes than needed, so that the words can begin
// at a multiple of hugeBytes.
const hugeBytes = 2 << 20

// newWords returns n zero words for a filter of m bits. It returns a ParamError if the host has too little memory for
// them.
func newWords(m, n uint64) ([]uint64, error) {
	if n > (math.MaxInt-hugeBytes)/8 || probed(n) && !canAllocate(n*8+hugeBytes) {
		return nil, &bloomproof.ParamError{Param: "m", Value: m, Want: fmt.Sprintf("at most what this host can hold, and it refused %d bytes", n*8)}
	}
	return makeWords(int(n)), nil
}

// The function "probed" reports whether the operating system is asked before n words are allocated.
func probed(n uint64) bool { return n*8 >= probeBytes }

// cloneWords returns a copy of words, or nil if words is nil.
func cloneWords(words []uint64) []uint64 {
	if words == nil {
		return nil
	}
	c := makeWords(len(words))
	copy(c, words)
	return c
}
