//go:build gc && !purego

package asm

// CountPopcnt computes the same as CountPortable, for every length and alignment.
// Requires popcnt.
//
//go:noescape
func CountPopcnt(x []uint64) int

// AndCountPopcnt computes the same as AndCountPortable, for every length, alignment and overlap.
// Requires popcnt.
//
//go:noescape
func AndCountPopcnt(a, b []uint64) int

// OrCountPopcnt computes the same as OrCountPortable, for every length, alignment and overlap.
// Requires popcnt.
//
//go:noescape
func OrCountPopcnt(a, b []uint64) int

// XorCountPopcnt computes the same as XorCountPortable, for every length, alignment and overlap.
// Requires popcnt.
//
//go:noescape
func XorCountPopcnt(a, b []uint64) int

// AndNotCountPopcnt computes the same as AndNotCountPortable, for every length, alignment and overlap.
// Requires popcnt.
//
//go:noescape
func AndNotCountPopcnt(a, b []uint64) int

// AndIntoPopcnt computes the same as AndIntoPortable, for every length, alignment and overlap.
// Requires popcnt.
//
//go:noescape
func AndIntoPopcnt(dst, src []uint64) int

// OrIntoPopcnt computes the same as OrIntoPortable, for every length, alignment and overlap.
// Requires popcnt.
//
//go:noescape
func OrIntoPopcnt(dst, src []uint64) int

// AndNotIntoPopcnt computes the same as AndNotIntoPortable, for every length, alignment and overlap.
// Requires popcnt.
//
//go:noescape
func AndNotIntoPopcnt(dst, src []uint64) int

// CountAVX2 computes the same as CountPortable, for every length and alignment.
// Requires avx2, popcnt.
//
//go:noescape
func CountAVX2(x []uint64) int

// AndCountAVX2 computes the same as AndCountPortable, for every length, alignment and overlap.
// Requires avx2, popcnt.
//
//go:noescape
func AndCountAVX2(a, b []uint64) int

// OrCountAVX2 computes the same as OrCountPortable, for every length, alignment and overlap.
// Requires avx2, popcnt.
//
//go:noescape
func OrCountAVX2(a, b []uint64) int

// XorCountAVX2 computes the same as XorCountPortable, for every length, alignment and overlap.
// Requires avx2, popcnt.
//
//go:noescape
func XorCountAVX2(a, b []uint64) int

// AndNotCountAVX2 computes the same as AndNotCountPortable, for every length, alignment and overlap.
// Requires avx2, popcnt.
//
//go:noescape
func AndNotCountAVX2(a, b []uint64) int

// AndIntoAVX2 computes the same as AndIntoPortable, for every length, alignment and overlap.
// Requires avx2, popcnt.
//
//go:noescape
func AndIntoAVX2(dst, src []uint64) int

// OrIntoAVX2 computes the same as OrIntoPortable, for every length, alignment and overlap.
// Requires avx2, popcnt.
//
//go:noescape
func OrIntoAVX2(dst, src []uint64) int

// AndNotIntoAVX2 computes the same as AndNotIntoPortable, for every length, alignment and overlap.
// Requires avx2, popcnt.
//
//go:noescape
func AndNotIntoAVX2(dst, src []uint64) int

// CountAVX512 computes the same as CountPortable, for every length and alignment.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func CountAVX512(x []uint64) int

// AndCountAVX512 computes the same as AndCountPortable, for every length, alignment and overlap.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func AndCountAVX512(a, b []uint64) int

// OrCountAVX512 computes the same as OrCountPortable, for every length, alignment and overlap.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func OrCountAVX512(a, b []uint64) int

// XorCountAVX512 computes the same as XorCountPortable, for every length, alignment and overlap.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func XorCountAVX512(a, b []uint64) int

// AndNotCountAVX512 computes the same as AndNotCountPortable, for every length, alignment and overlap.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func AndNotCountAVX512(a, b []uint64) int

// AndIntoAVX512 computes the same as AndIntoPortable, for every length, alignment and overlap.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func AndIntoAVX512(dst, src []uint64) int

// OrIntoAVX512 computes the same as OrIntoPortable, for every length, alignment and overlap.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func OrIntoAVX512(dst, src []uint64) int

// AndNotIntoAVX512 computes the same as AndNotIntoPortable, for every length, alignment and overlap.
// Requires avx2, avx512f, avx512vpopcntdq.
//
//go:noescape
func AndNotIntoAVX512(dst, src []uint64) int
