//go:build gc && !purego

package asm

// PositionsNEON computes the same as PositionsPortable.
//
//go:noescape
func PositionsNEON(dst, h []uint64, k int, span, step uint64) int

// ContainsNEON computes the same as ContainsPortable.
//
//go:noescape
func ContainsNEON(out []bool, words, h []uint64, k int, span, step uint64) int

// AddNEON computes the same as AddPortable.
//
//go:noescape
func AddNEON(out []bool, words, h []uint64, k int, span, step uint64) int

// ContainsAtNEON computes the same as ContainsAtPortable.
//
//go:noescape
func ContainsAtNEON(out []bool, words, pos []uint64, k int) int

// AddAtNEON computes the same as AddAtPortable.
//
//go:noescape
func AddAtNEON(out []bool, words, pos []uint64, k int) int

// AddSlicesAtNEON computes the same as AddSlicesAtPortable.
//
//go:noescape
func AddSlicesAtNEON(out []bool, words, pos, slices []uint64) int

// ContainsPairNEON computes the same as ContainsPairPortable.
//
//go:noescape
func ContainsPairNEON(out []uint8, pair, h []uint64, k int, span, step uint64)

// ContainsPairAtNEON computes the same as ContainsPairAtPortable.
//
//go:noescape
func ContainsPairAtNEON(out []uint8, pair, pos []uint64, k int)

// AddPairAtNEON computes the same as AddPairAtPortable.
//
//go:noescape
func AddPairAtNEON(pair, pos []uint64, side int) (fresh, overlap int)

// PrefetchNEON prefetches the words that contain the bits at the positions pos. It serves for words that will be read
// and for words that will be written. The prefetch itself changes nothing.
//
//go:noescape
func PrefetchNEON(words, pos []uint64)

// ContainsRingNEON computes the same as ContainsPortable. It is for arrays that are larger than the L2 cache and fit in
// the L3 cache.
//
//go:noescape
func ContainsRingNEON(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingNTANEON computes the same as ContainsRingNEON. It is for arrays that are larger than the L3 cache.
//
//go:noescape
func ContainsRingNTANEON(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsPairRingNEON computes the same as ContainsPairPortable. It uses the method of ContainsRingNEON.
//
//go:noescape
func ContainsPairRingNEON(out []uint8, pair, h []uint64, k int, span, step uint64)

// ContainsPairRingNTANEON computes the same as ContainsPairRingNEON, for pairs that are larger than L3.
//
//go:noescape
func ContainsPairRingNTANEON(out []uint8, pair, h []uint64, k int, span, step uint64)
