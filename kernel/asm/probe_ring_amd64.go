//go:build gc && !purego

package asm

// ContainsRingPopcnt is ContainsPortable for every alignment, with many keys in flight
// and no more words read than needed: for arrays larger than L2. It asks for words to
// stay in every cache. Requires popcnt.
//
//go:noescape
func ContainsRingPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingT1Popcnt is ContainsRingPopcnt that asks for words to stay in L2 and beyond.
// Requires popcnt.
//
//go:noescape
func ContainsRingT1Popcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingNTAPopcnt is ContainsRingPopcnt that asks for words not to be used again
// soon, for arrays larger than L3. Requires popcnt.
//
//go:noescape
func ContainsRingNTAPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsPairRingPopcnt is ContainsPairPortable for every alignment, as
// ContainsRingPopcnt is ContainsPortable. Requires popcnt.
//
//go:noescape
func ContainsPairRingPopcnt(out []uint8, pair, h []uint64, k int, span, step uint64)

// ContainsPairRingT1Popcnt is ContainsPairRingPopcnt that asks for words to stay in L2
// and beyond. Requires popcnt.
//
//go:noescape
func ContainsPairRingT1Popcnt(out []uint8, pair, h []uint64, k int, span, step uint64)

// ContainsPairRingNTAPopcnt is ContainsPairRingPopcnt that asks for words not to be used
// again soon, for pairs larger than L3. Requires popcnt.
//
//go:noescape
func ContainsPairRingNTAPopcnt(out []uint8, pair, h []uint64, k int, span, step uint64)
