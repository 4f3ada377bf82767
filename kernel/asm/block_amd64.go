//go:build gc && !purego

package asm

// BlockContains8x64AVX2 computes the same as BlockContains8x64Portable. Requires avx2, popcnt.
//
//go:noescape
func BlockContains8x64AVX2(out []bool, words, h []uint64, ahead int) (found int)

// BlockContains8x64T1AVX2 computes the same as BlockContains8x64AVX2. It prefetches blocks into the L2 cache and not
// into the L1 cache. Some CPUs can have more prefetches in flight if these go to the L2 cache. Requires avx2, popcnt.
//
//go:noescape
func BlockContains8x64T1AVX2(out []bool, words, h []uint64, ahead int) (found int)

// BlockAdd8x64AVX2 computes the same as BlockAdd8x64Portable. Requires avx2, popcnt.
//
//go:noescape
func BlockAdd8x64AVX2(out []bool, words, h []uint64, ahead int) (fresh int)

// BlockAdd8x64T1AVX2 computes the same as BlockAdd8x64AVX2. It prefetches blocks into the L2 cache and not into the L1
// cache. Some CPUs can have more prefetches in flight if these go to the L2 cache. Requires avx2, popcnt.
//
//go:noescape
func BlockAdd8x64T1AVX2(out []bool, words, h []uint64, ahead int) (fresh int)

// BlockContains8x64OneAVX2 computes the same as BlockContains8x64Portable for one key with the hash h0, h1. Requires
// avx2, popcnt.
//
//go:noescape
func BlockContains8x64OneAVX2(a *BlockArray, h0, h1 uint64) bool

// BlockAdd8x64OneAVX2 computes the same as BlockAdd8x64Portable for one key with the hash h0, h1. Requires avx2,
// popcnt.
//
//go:noescape
func BlockAdd8x64OneAVX2(a *BlockArray, h0, h1 uint64) (fresh int)

// BlockContains8x32AVX2 computes the same as BlockContains8x32Portable. Requires avx2, popcnt.
//
//go:noescape
func BlockContains8x32AVX2(out []bool, words, h []uint64, ahead int) (found int)

// BlockContains8x32T1AVX2 computes the same as BlockContains8x32AVX2. It prefetches blocks into the L2 cache and not
// into the L1 cache. Some CPUs can have more prefetches in flight if these go to the L2 cache. Requires avx2, popcnt.
//
//go:noescape
func BlockContains8x32T1AVX2(out []bool, words, h []uint64, ahead int) (found int)

// BlockAdd8x32AVX2 computes the same as BlockAdd8x32Portable. Requires avx2, popcnt.
//
//go:noescape
func BlockAdd8x32AVX2(out []bool, words, h []uint64, ahead int) (fresh int)

// BlockAdd8x32T1AVX2 computes the same as BlockAdd8x32AVX2. It prefetches blocks into the L2 cache and not into the L1
// cache. Some CPUs can have more prefetches in flight if these go to the L2 cache. Requires avx2, popcnt.
//
//go:noescape
func BlockAdd8x32T1AVX2(out []bool, words, h []uint64, ahead int) (fresh int)

// BlockContains8x32OneAVX2 computes the same as BlockContains8x32Portable for one key with the hash h0, h1. Requires
// avx2, popcnt.
//
//go:noescape
func BlockContains8x32OneAVX2(a *BlockArray, h0, h1 uint64) bool

// BlockAdd8x32OneAVX2 computes the same as BlockAdd8x32Portable for one key with the hash h0, h1. Requires avx2,
// popcnt.
//
//go:noescape
func BlockAdd8x32OneAVX2(a *BlockArray, h0, h1 uint64) (fresh int)

// BlockContains512AVX2 computes the same as BlockContains512Portable. Requires avx2, popcnt.
//
//go:noescape
func BlockContains512AVX2(out []bool, words, h []uint64, k, ahead int) (found int)

// BlockContains512T1AVX2 computes the same as BlockContains512AVX2. It prefetches blocks into the L2 cache and not into
// the L1 cache. Some CPUs can have more prefetches in flight if these go to the L2 cache. Requires avx2, popcnt.
//
//go:noescape
func BlockContains512T1AVX2(out []bool, words, h []uint64, k, ahead int) (found int)

// BlockContains512OneAVX2 computes the same as BlockContains512Portable for one key with the hash h0, h1. Requires
// avx2, popcnt.
//
//go:noescape
func BlockContains512OneAVX2(a *BlockArray, h0, h1 uint64) bool

// BlockContains512OneAVX512 computes the same as BlockContains512Portable for one key with the hash h0, h1. Requires
// avx2, popcnt, avx512f, avx512vpopcntdq.
//
//go:noescape
func BlockContains512OneAVX512(a *BlockArray, h0, h1 uint64) bool

// BlockAdd512Popcnt computes the same as BlockAdd512Portable. Requires popcnt.
//
//go:noescape
func BlockAdd512Popcnt(out []bool, words, h []uint64, k, ahead int) (fresh int)

// BlockAdd512T1Popcnt computes the same as BlockAdd512Popcnt. It prefetches blocks into the L2 cache and not into the
// L1 cache. Some CPUs can have more prefetches in flight if these go to the L2 cache. Requires popcnt.
//
//go:noescape
func BlockAdd512T1Popcnt(out []bool, words, h []uint64, k, ahead int) (fresh int)

// BlockAdd512OnePopcnt computes the same as BlockAdd512Portable for one key with the hash h0, h1. Requires popcnt.
//
//go:noescape
func BlockAdd512OnePopcnt(a *BlockArray, h0, h1 uint64) (fresh int)

// BlockAdd512AVX512 computes the same as BlockAdd512Portable. Requires avx2, popcnt, avx512f, avx512vpopcntdq.
//
//go:noescape
func BlockAdd512AVX512(out []bool, words, h []uint64, k, ahead int) (fresh int)

// BlockAdd512T1AVX512 computes the same as BlockAdd512AVX512. It prefetches blocks into the L2 cache and not into the
// L1 cache. Some CPUs can have more prefetches in flight if these go to the L2 cache. Requires avx2, popcnt, avx512f,
// avx512vpopcntdq.
//
//go:noescape
func BlockAdd512T1AVX512(out []bool, words, h []uint64, k, ahead int) (fresh int)

// BlockAdd512OneAVX512 computes the same as BlockAdd512Portable for one key with the hash h0, h1. Requires avx2,
// popcnt, avx512f, avx512vpopcntdq.
//
//go:noescape
func BlockAdd512OneAVX512(a *BlockArray, h0, h1 uint64) (fresh int)

// BlockContains8x64OneAVX512 computes the same as BlockContains8x64Portable for one key with the hash h0, h1. Requires
// avx2, popcnt, avx512f, avx512vpopcntdq.
//
//go:noescape
func BlockContains8x64OneAVX512(a *BlockArray, h0, h1 uint64) bool

// BlockAdd8x64OneAVX512 computes the same as BlockAdd8x64Portable for one key with the hash h0, h1. Requires avx2,
// popcnt, avx512f, avx512vpopcntdq.
//
//go:noescape
func BlockAdd8x64OneAVX512(a *BlockArray, h0, h1 uint64) (fresh int)
