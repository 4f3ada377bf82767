//go:build gc && !purego

package asm

// HashWordsAVX2 computes the same as HashWordsPortable.
// Requires avx2.
//
//go:noescape
func HashWordsAVX2(dst, keys []uint64, seed uint64) int

// HashWordsAVX512 computes the same as HashWordsPortable.
// Requires avx2, avx512f, avx512dq.
//
//go:noescape
func HashWordsAVX512(dst, keys []uint64, seed uint64) int
