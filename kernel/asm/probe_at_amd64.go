//go:build gc && !purego

package asm

// ContainsAtPopcnt is ContainsAtPortable for every alignment.
// Requires popcnt.
//
//go:noescape
func ContainsAtPopcnt(out []bool, words, pos []uint64, k int) (found int)

// AddAtPopcnt is AddAtPortable for every alignment.
// Requires popcnt.
//
//go:noescape
func AddAtPopcnt(out []bool, words, pos []uint64, k int) (fresh int)

// AddSlicesAtPopcnt is AddSlicesAtPortable for every alignment.
// Requires popcnt.
//
//go:noescape
func AddSlicesAtPopcnt(out []bool, words, pos, slices []uint64) (fresh int)

// ContainsPairAtPopcnt is ContainsPairAtPortable for every alignment.
// Requires popcnt.
//
//go:noescape
func ContainsPairAtPopcnt(out []uint8, pair, pos []uint64, k int)

// AddPairAtPopcnt is AddPairAtPortable for every alignment.
// Requires popcnt.
//
//go:noescape
func AddPairAtPopcnt(pair, pos []uint64, side int) (fresh, overlap int)

// PrefetchPopcnt prefetches the words that hold the positions pos. It changes nothing, and any position is allowed.
// Requires popcnt.
//
//go:noescape
func PrefetchPopcnt(words, pos []uint64)

// PrefetchT1Popcnt is PrefetchPopcnt into L2 and no nearer: for a CPU that can have more memory reads under way into L2
// than into L1. Requires popcnt.
//
//go:noescape
func PrefetchT1Popcnt(words, pos []uint64)
