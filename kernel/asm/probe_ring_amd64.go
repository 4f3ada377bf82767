//go:build gc && !purego

package asm

// ContainsRingPopcnt is ContainsPortable for every alignment, for arrays larger than L2. It keeps many keys in flight
// and reads no more words than needed. It prefetches words into every cache. Requires popcnt.
//
//go:noescape
func ContainsRingPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingT1Popcnt is ContainsRingPopcnt that prefetches words into L2 and the caches beyond it. Requires popcnt.
//
//go:noescape
func ContainsRingT1Popcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingNTAPopcnt is ContainsRingPopcnt that prefetches words as not to be used again soon, for arrays larger
// than L3. Requires popcnt.
//
//go:noescape
func ContainsRingNTAPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsPairRingPopcnt is ContainsPairPortable for every alignment, in the way in which ContainsRingPopcnt is
// ContainsPortable. Requires popcnt.
//
//go:noescape
func ContainsPairRingPopcnt(out []uint8, pair, h []uint64, k int, span, step uint64)

// ContainsPairRingT1Popcnt is ContainsPairRingPopcnt that prefetches words into L2 and the caches beyond it. Requires
// popcnt.
//
//go:noescape
func ContainsPairRingT1Popcnt(out []uint8, pair, h []uint64, k int, span, step uint64)

// ContainsPairRingNTAPopcnt is ContainsPairRingPopcnt that prefetches words as not to be used again soon, for pairs
// larger than L3. Requires popcnt.
//
//go:noescape
func ContainsPairRingNTAPopcnt(out []uint8, pair, h []uint64, k int, span, step uint64)
