//go:build gc && !purego

package asm

// ContainsRingPopcnt is ContainsPortable for every alignment. It is the fastest of its
// kernels where words is larger than L2 and stays in L3. Requires popcnt.
//
//go:noescape
func ContainsRingPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingNTAPopcnt is ContainsRingPopcnt for words that are larger than L3: what
// it reads displaces less of what else the caches hold. Requires popcnt.
//
//go:noescape
func ContainsRingNTAPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsPairRingPopcnt is ContainsPairPortable for every alignment, as
// ContainsRingPopcnt is ContainsPortable. Requires popcnt.
//
//go:noescape
func ContainsPairRingPopcnt(out []uint8, pair, h []uint64, k int, span, step uint64)

// ContainsPairRingNTAPopcnt is ContainsPairRingPopcnt for pairs that are larger than L3.
// Requires popcnt.
//
//go:noescape
func ContainsPairRingNTAPopcnt(out []uint8, pair, h []uint64, k int, span, step uint64)
