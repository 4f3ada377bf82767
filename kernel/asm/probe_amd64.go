//go:build gc && !purego

package asm

// PositionsAVX2 is PositionsPortable.
// Requires avx2, popcnt, bmi2.
//
//go:noescape
func PositionsAVX2(dst, h []uint64, k int, span, step uint64) int

// PositionsAVX512 is PositionsPortable.
// Requires avx2, popcnt, avx512f, avx512dq, avx512ifma.
//
//go:noescape
func PositionsAVX512(dst, h []uint64, k int, span, step uint64) int

// ContainsPopcnt is ContainsPortable.
// Requires popcnt.
//
//go:noescape
func ContainsPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsAVX2 is ContainsPortable.
// Requires avx2, popcnt, bmi2.
//
//go:noescape
func ContainsAVX2(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsAVX512 is ContainsPortable. It loads words one by one.
// Requires avx2, popcnt, avx512f, avx512dq, avx512ifma.
//
//go:noescape
func ContainsAVX512(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsGatherAVX512 is ContainsPortable. It loads 8 words at once.
// Requires avx2, popcnt, avx512f, avx512dq, avx512ifma.
//
//go:noescape
func ContainsGatherAVX512(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingAVX512 is ContainsPortable. It is the fastest kernel of this operation where words is far larger than L2.
// Requires avx2, popcnt, avx512f, avx512dq, avx512ifma.
//
//go:noescape
func ContainsRingAVX512(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// ContainsRingT1AVX512 is ContainsRingAVX512 for a CPU that can have more memory reads under way into L2 than into L1.
// Requires avx2, popcnt, avx512f, avx512dq, avx512ifma.
//
//go:noescape
func ContainsRingT1AVX512(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// AddPopcnt is AddPortable.
// Requires popcnt.
//
//go:noescape
func AddPopcnt(out []bool, words, h []uint64, k int, span, step uint64) (fresh int)

// AddAVX512 is AddPortable.
// Requires avx2, popcnt, avx512f, avx512dq, avx512ifma.
//
//go:noescape
func AddAVX512(out []bool, words, h []uint64, k int, span, step uint64) (fresh int)

// ContainsOneAVX2 is ContainsPortable for one key, h0 and h1. Requires avx2, popcnt, bmi2.
//
//go:noescape
func ContainsOneAVX2(words []uint64, h0, h1 uint64, k int, span, step uint64) bool

// ContainsLevelsAVX2 is ContainsPortable for words that are larger than L2: it prefetches them into L2, many keys
// ahead. Requires avx2, popcnt, bmi2.
//
//go:noescape
func ContainsLevelsAVX2(out []bool, words, h []uint64, k int, span, step uint64) (found int)

// AddAVX2 is AddPortable. Requires avx2, popcnt, bmi2.
//
//go:noescape
func AddAVX2(out []bool, words, h []uint64, k int, span, step uint64) (fresh int)

// AddAheadAVX2 is AddPortable for words that are larger than L2: it prefetches them into L2, some keys ahead. Requires
// avx2, popcnt, bmi2.
//
//go:noescape
func AddAheadAVX2(out []bool, words, h []uint64, k int, span, step uint64) (fresh int)

// AddOneAVX2 is AddPortable for one key, h0 and h1. Requires avx2, popcnt, bmi2.
//
//go:noescape
func AddOneAVX2(words []uint64, h0, h1 uint64, k int, span, step uint64) (fresh int)

// ContainsOneAVX512 is ContainsPortable for one key, h0 and h1.
// Requires avx2, popcnt, avx512f, avx512dq, avx512ifma.
//
//go:noescape
func ContainsOneAVX512(words []uint64, h0, h1 uint64, k int, span, step uint64) bool
