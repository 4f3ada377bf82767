//go:build gc && !purego

package asm

// ContainsAtPopcnt computes the same as ContainsAtPortable, for every alignment.
// Requires popcnt.
//
//go:noescape
func ContainsAtPopcnt(out []bool, words, pos []uint64, k int) (found int)

// AddAtPopcnt computes the same as AddAtPortable, for every alignment.
// Requires popcnt.
//
//go:noescape
func AddAtPopcnt(out []bool, words, pos []uint64, k int) (fresh int)

// AddSlicesAtPopcnt computes the same as AddSlicesAtPortable, for every alignment.
// Requires popcnt.
//
//go:noescape
func AddSlicesAtPopcnt(out []bool, words, pos, slices []uint64) (fresh int)

// ContainsPairAtPopcnt computes the same as ContainsPairAtPortable, for every alignment.
// Requires popcnt.
//
//go:noescape
func ContainsPairAtPopcnt(out []uint8, pair, pos []uint64, k int)

// AddPairAtPopcnt computes the same as AddPairAtPortable, for every alignment.
// Requires popcnt.
//
//go:noescape
func AddPairAtPopcnt(pair, pos []uint64, side int) (fresh, overlap int)

// PrefetchPopcnt prefetches the words that contain the bits at the positions pos. It changes nothing. Positions outside
// the slice "words" are allowed. Requires popcnt.
//
//go:noescape
func PrefetchPopcnt(words, pos []uint64)

// PrefetchT1Popcnt prefetches the same words as PrefetchPopcnt, but into the L2 cache and not into the L1 cache. Some
// CPUs can have more prefetches in flight if these go to the L2 cache. Requires popcnt.
//
//go:noescape
func PrefetchT1Popcnt(words, pos []uint64)
