//go:build gc && !purego

package asm

// CountPopcnt is CountPortable for every length and alignment.
// Requires popcnt.
//
//go:noescape
func CountPopcnt(x []uint64) int

// AndCountPopcnt is AndCountPortable for every length, alignment and overlap.
// Requires popcnt.
//
//go:noescape
func AndCountPopcnt(a, b []uint64) int

// OrCountPopcnt is OrCountPortable for every length, alignment and overlap.
// Requires popcnt.
//
//go:noescape
func OrCountPopcnt(a, b []uint64) int

// XorCountPopcnt is XorCountPortable for every length, alignment and overlap.
// Requires popcnt.
//
//go:noescape
func XorCountPopcnt(a, b []uint64) int

// AndNotCountPopcnt is AndNotCountPortable for every length, alignment and overlap.
// Requires popcnt.
//
//go:noescape
func AndNotCountPopcnt(a, b []uint64) int

// AndIntoPopcnt is AndIntoPortable for every length, alignment and overlap.
// Requires popcnt.
//
//go:noescape
func AndIntoPopcnt(dst, src []uint64) int

// OrIntoPopcnt is OrIntoPortable for every length, alignment and overlap.
// Requires popcnt.
//
//go:noescape
func OrIntoPopcnt(dst, src []uint64) int

// AndNotIntoPopcnt is AndNotIntoPortable for every length, alignment and overlap.
// Requires popcnt.
//
//go:noescape
func AndNotIntoPopcnt(dst, src []uint64) int

// CountAVX2 is CountPortable for every length and alignment.
// Requires avx2, popcnt.
//
//go:noescape
func CountAVX2(x []uint64) int

// AndCountAVX2 is AndCountPortable for every length, alignment and overlap.
// Requires avx2, popcnt.
//
//go:noescape
func AndCountAVX2(a, b []uint64) int

// OrCountAVX2 is OrCountPortable for every length, alignment and overlap.
// Requires avx2, popcnt.
//
//go:noescape
func OrCountAVX2(a, b []uint64) int

// XorCountAVX2 is XorCountPortable for every length, alignment and overlap.
// Requires avx2, popcnt.
//
//go:noescape
func XorCountAVX2(a, b []uint64) int

// AndNotCountAVX2 is AndNotCountPortable for every length, alignment and overlap.
// Requires avx2, popcnt.
//
//go:noescape
func AndNotCountAVX2(a, b []uint64) int

// AndIntoAVX2 is AndIntoPortable for every length, alignment and overlap.
// Requires avx2, popcnt.
//
//go:noescape
func AndIntoAVX2(dst, src []uint64) int

// OrIntoAVX2 is OrIntoPortable for every length, alignment and overlap.
// Requires avx2, popcnt.
//
//go:noescape
func OrIntoAVX2(dst, src []uint64) int

// AndNotIntoAVX2 is AndNotIntoPortable for every length, alignment and overlap.
// Requires avx2, popcnt.
//
//go:noescape
func AndNotIntoAVX2(dst, src []uint64) int

// CountAVX512 is CountPortable for every length and alignment.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func CountAVX512(x []uint64) int

// AndCountAVX512 is AndCountPortable for every length, alignment and overlap.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func AndCountAVX512(a, b []uint64) int

// OrCountAVX512 is OrCountPortable for every length, alignment and overlap.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func OrCountAVX512(a, b []uint64) int

// XorCountAVX512 is XorCountPortable for every length, alignment and overlap.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func XorCountAVX512(a, b []uint64) int

// AndNotCountAVX512 is AndNotCountPortable for every length, alignment and overlap.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func AndNotCountAVX512(a, b []uint64) int

// AndIntoAVX512 is AndIntoPortable for every length, alignment and overlap.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func AndIntoAVX512(dst, src []uint64) int

// OrIntoAVX512 is OrIntoPortable for every length, alignment and overlap.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func OrIntoAVX512(dst, src []uint64) int

// AndNotIntoAVX512 is AndNotIntoPortable for every length, alignment and overlap.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func AndNotIntoAVX512(dst, src []uint64) int
