//go:build gc && !purego

package asm

// PositionsAVX2 computes the same as PositionsPortable.
// Requires avx2, popcnt, bmi2.
//
//go:noescape
func PositionsAVX2(dst, h []uint64, k int, span, step uint64) int

// PositionsAVX512 computes the same as PositionsPortable.
// It requires avx2, popcnt, avx512f, avx512dq and avx512ifma.
//
//go:noescape
func PositionsAVX512(dst, h []uint64, k int, span, step uint64) int

// ContainsPopcnt computes the same as ContainsPortable.
// Requires popcnt.
//
//go:noescape
func ContainsPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsAVX2 computes the same as ContainsPortable.
// Requires avx2, popcnt, bmi2.
//
//go:noescape
func ContainsAVX2(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsAVX512 computes the same as ContainsPortable. It reads words one by one, without gather instructions. It
// requires avx2, popcnt, avx512f, avx512dq and avx512ifma.
//
//go:noescape
func ContainsAVX512(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsGatherAVX512 computes the same as ContainsPortable. It reads 8 words at once, by a gather instruction. It
// requires avx2, popcnt, avx512f, avx512dq and avx512ifma.
//
//go:noescape
func ContainsGatherAVX512(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingAVX512 computes the same as ContainsPortable. It is the fastest kernel of this operation if the slice
// "words" is much larger than the L2 cache. It requires avx2, popcnt, avx512f, avx512dq and avx512ifma.
//
//go:noescape
func ContainsRingAVX512(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingT1AVX512 computes the same as ContainsRingAVX512. It prefetches words into the L2 cache and not into the
// L1 cache. Some CPUs can have more prefetches in flight if these go to the L2 cache. It requires avx2, popcnt,
// avx512f, avx512dq and avx512ifma.
//
//go:noescape
func ContainsRingT1AVX512(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// AddPopcnt computes the same as AddPortable.
// Requires popcnt.
//
//go:noescape
func AddPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (fresh int)

// AddAVX512 computes the same as AddPortable.
// It requires avx2, popcnt, avx512f, avx512dq and avx512ifma.
//
//go:noescape
func AddAVX512(out []bool, words, h []uint64, k int, span, step uint64) (fresh int)

// ContainsOneAVX2 computes the same as ContainsPortable for one key with the hash h0, h1. Requires avx2, popcnt, bmi2.
//
//go:noescape
func ContainsOneAVX2(words []uint64, h0, h1 uint64, k int, span, step uint64) bool

// ContainsLevelsAVX2 computes the same as ContainsPortable. It is for arrays larger than the L2 cache. It prefetches
// their words into L2, many keys before they are needed. Requires avx2, popcnt, bmi2.
//
//go:noescape
func ContainsLevelsAVX2(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// AddAVX2 computes the same as AddPortable. Requires avx2, popcnt, bmi2.
//
//go:noescape
func AddAVX2(out []bool, words, h []uint64, k int, span, step uint64) (fresh int)

// AddAheadAVX2 computes the same as AddPortable. It is for arrays larger than the L2 cache. It prefetches their words
// into L2, some keys before they are needed. Requires avx2, popcnt, bmi2.
//
//go:noescape
func AddAheadAVX2(out []bool, words, h []uint64, k int, span, step uint64) (fresh int)

// AddOneAVX2 computes the same as AddPortable for one key with the hash h0, h1. Requires avx2, popcnt, bmi2.
//
//go:noescape
func AddOneAVX2(words []uint64, h0, h1 uint64, k int, span, step uint64) (fresh int)

// ContainsOneAVX512 computes the same as ContainsPortable for one key with the hash h0, h1. It requires avx2, popcnt,
// avx512f, avx512dq and avx512ifma.
//
//go:noescape
func ContainsOneAVX512(words []uint64, h0, h1 uint64, k int, span, step uint64) bool
