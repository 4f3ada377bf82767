//go:build gc && !purego

package asm

// PositionsNEON is PositionsPortable.
//
//go:noescape
func PositionsNEON(dst, h []uint64, k int, span, step uint64) int

// ContainsNEON is ContainsPortable.
//
//go:noescape
func ContainsNEON(out []bool, words, h []uint64, k int, span, step uint64) int

// AddNEON is AddPortable.
//
//go:noescape
func AddNEON(out []bool, words, h []uint64, k int, span, step uint64) int

// ContainsAtNEON is ContainsAtPortable.
//
//go:noescape
func ContainsAtNEON(out []bool, words, pos []uint64, k int) int

// AddAtNEON is AddAtPortable.
//
//go:noescape
func AddAtNEON(out []bool, words, pos []uint64, k int) int

// AddSlicesAtNEON is AddSlicesAtPortable.
//
//go:noescape
func AddSlicesAtNEON(out []bool, words, pos, slices []uint64) int

// ContainsPairNEON is ContainsPairPortable.
//
//go:noescape
func ContainsPairNEON(out []uint8, pair, h []uint64, k int, span, step uint64)

// ContainsPairAtNEON is ContainsPairAtPortable.
//
//go:noescape
func ContainsPairAtNEON(out []uint8, pair, pos []uint64, k int)

// AddPairAtNEON is AddPairAtPortable.
//
//go:noescape
func AddPairAtNEON(pair, pos []uint64, side int) (fresh, overlap int)

// PrefetchNEON prefetches the words at pos, for reading or writing. It changes nothing.
//
//go:noescape
func PrefetchNEON(words, pos []uint64)

// ContainsRingNEON is ContainsPortable, for words that are larger than L2 and stay in L3.
//
//go:noescape
func ContainsRingNEON(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingNTANEON is ContainsRingNEON for words that are larger than L3.
//
//go:noescape
func ContainsRingNTANEON(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsPairRingNEON is ContainsPairPortable, in the way in which ContainsRingNEON is ContainsPortable.
//
//go:noescape
func ContainsPairRingNEON(out []uint8, pair, h []uint64, k int, span, step uint64)

// ContainsPairRingNTANEON is ContainsPairRingNEON for pairs that are larger than L3.
//
//go:noescape
func ContainsPairRingNTANEON(out []uint8, pair, h []uint64, k int, span, step uint64)
