//go:build gc && !purego

package asm

// ContainsRingPopcnt computes the same as ContainsPortable, for every alignment. It is for arrays larger than the L2
// cache. It works on many keys at the same time and reads only the words that are needed. It prefetches words into all
// caches. Requires popcnt.
//
//go:noescape
func ContainsRingPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingT1Popcnt computes the same as ContainsRingPopcnt. It prefetches words into the L2 cache and larger
// caches, but not into L1. Requires popcnt.
//
//go:noescape
func ContainsRingT1Popcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingNTAPopcnt computes the same as ContainsRingPopcnt. It is for arrays larger than the L3 cache. It
// prefetches words with the hint that these words will not be used again soon. Requires popcnt.
//
//go:noescape
func ContainsRingNTAPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsPairRingPopcnt computes the same as ContainsPairPortable, for every alignment. It uses the method of
// ContainsRingPopcnt. Requires popcnt.
//
//go:noescape
func ContainsPairRingPopcnt(out []uint8, pair, h []uint64, k int, span, step uint64)

// ContainsPairRingT1Popcnt computes the same as ContainsPairRingPopcnt. It prefetches words into the L2 cache and
// larger caches, but not into L1. Requires popcnt.
//
//go:noescape
func ContainsPairRingT1Popcnt(out []uint8, pair, h []uint64, k int, span, step uint64)

// ContainsPairRingNTAPopcnt computes the same as ContainsPairRingPopcnt. It is for pairs larger than the L3 cache. It
// prefetches words with the hint that these words will not be used again soon. Requires popcnt.
//
//go:noescape
func ContainsPairRingNTAPopcnt(out []uint8, pair, h []uint64, k int, span, step uint64)
