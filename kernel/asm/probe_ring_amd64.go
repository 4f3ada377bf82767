//go:build gc && !purego

package asm

// ContainsRingPopcnt computes the same as ContainsPortable, for every alignment. It is for arrays larger than L2. It
// keeps many keys in flight and reads no more words than needed. It prefetches words into every cache. Requires popcnt.
//
//go:noescape
func ContainsRingPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingT1Popcnt computes the same as ContainsRingPopcnt. It prefetches words into L2 and the caches beyond L2.
// Requires popcnt.
//
//go:noescape
func ContainsRingT1Popcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingNTAPopcnt computes the same as ContainsRingPopcnt. It is for arrays larger than L3, and prefetches words
// with the hint that they are not used again soon. Requires popcnt.
//
//go:noescape
func ContainsRingNTAPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsPairRingPopcnt computes the same as ContainsPairPortable, for every alignment, by the method of
// ContainsRingPopcnt. Requires popcnt.
//
//go:noescape
func ContainsPairRingPopcnt(out []uint8, pair, h []uint64, k int, span, step uint64)

// ContainsPairRingT1Popcnt computes the same as ContainsPairRingPopcnt. It prefetches words into L2 and the caches
// beyond L2. Requires popcnt.
//
//go:noescape
func ContainsPairRingT1Popcnt(out []uint8, pair, h []uint64, k int, span, step uint64)

// ContainsPairRingNTAPopcnt computes the same as ContainsPairRingPopcnt. It is for pairs larger than L3, and prefetches
// words with the hint that they are not used again soon. Requires popcnt.
//
//go:noescape
func ContainsPairRingNTAPopcnt(out []uint8, pair, h []uint64, k int, span, step uint64)
