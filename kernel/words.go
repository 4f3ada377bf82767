package kernel

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
)

// Bit i of an array is bit i&63 of word i>>6; bits from m on are zero.

func getBit(w []uint64, i uint64) bool { return w[i>>6]>>(i&63)&1 != 0 }

// setBit sets bit i of the array w. It returns 1 if the bit was clear, and 0 otherwise.
func setBit(w []uint64, i uint64) uint64 {
	old := w[i>>6]
	w[i>>6] = old | 1<<(i&63)
	return ^old >> (i & 63) & 1
}

// wordsFor returns the number of words of m <= maxM bits.
func wordsFor(m uint64) uint64 { return (m + 63) / 64 }

// probeBytes is the smallest size of an allocation for which the operating system is asked first whether it has the
// memory. Without this question the Go runtime would end the program if it could not get the memory. A host without 64
// MiB of free memory cannot continue in any case.
const probeBytes = 64 << 20

// hugeBytes is the size of a huge page of amd64, and of arm64 with pages of 4 KiB. An allocation may be larger than
// needed by hugeBytes, so that the words can begin at a multiple of hugeBytes.
const hugeBytes = 2 << 20

// newWords returns the n zeroed words that a filter of m bits needs, or a ParamError when the host cannot hold them.
func newWords(m, n uint64) ([]uint64, error) {
	if n > (math.MaxInt-hugeBytes)/8 || n*8 >= probeBytes && !canAllocate(n*8+hugeBytes) {
		return nil, &bloomproof.ParamError{Param: "m", Value: m, Want: fmt.Sprintf("at most what this host can hold, and it refused %d bytes", n*8)}
	}
	return makeWords(int(n)), nil
}

// cloneWords returns a copy of words, or nil for nil.
func cloneWords(words []uint64) []uint64 {
	if words == nil {
		return nil
	}
	c := makeWords(len(words))
	copy(c, words)
	return c
}
