//go:build gc && !purego

package asm

// BlockContains8x64AVX2 is BlockContains8x64Portable. Requires avx2, popcnt.
//
//go:noescape
func BlockContains8x64AVX2(out []bool, words, h []uint64, ahead int) (found int)

// BlockContains8x64T1AVX2 is BlockContains8x64AVX2 for a CPU that has more reads of memory
// under way when they end in L2. Requires avx2, popcnt.
//
//go:noescape
func BlockContains8x64T1AVX2(out []bool, words, h []uint64, ahead int) (found int)

// BlockAdd8x64AVX2 is BlockAdd8x64Portable. Requires avx2, popcnt.
//
//go:noescape
func BlockAdd8x64AVX2(out []bool, words, h []uint64, ahead int) (fresh int)

// BlockAdd8x64T1AVX2 is BlockAdd8x64AVX2 for a CPU that has more reads of memory
// under way when they end in L2. Requires avx2, popcnt.
//
//go:noescape
func BlockAdd8x64T1AVX2(out []bool, words, h []uint64, ahead int) (fresh int)

// BlockContains8x64OneAVX2 is BlockContains8x64Portable for one key, h0 and h1. Requires avx2,
// popcnt.
//
//go:noescape
func BlockContains8x64OneAVX2(a *BlockArray, h0, h1 uint64) bool

// BlockAdd8x64OneAVX2 is BlockAdd8x64Portable for one key, h0 and h1. Requires avx2, popcnt.
//
//go:noescape
func BlockAdd8x64OneAVX2(a *BlockArray, h0, h1 uint64) (fresh int)

// BlockContains8x32AVX2 is BlockContains8x32Portable. Requires avx2, popcnt.
//
//go:noescape
func BlockContains8x32AVX2(out []bool, words, h []uint64, ahead int) (found int)

// BlockContains8x32T1AVX2 is BlockContains8x32AVX2 for a CPU that has more reads of memory
// under way when they end in L2. Requires avx2, popcnt.
//
//go:noescape
func BlockContains8x32T1AVX2(out []bool, words, h []uint64, ahead int) (found int)

// BlockAdd8x32AVX2 is BlockAdd8x32Portable. Requires avx2, popcnt.
//
//go:noescape
func BlockAdd8x32AVX2(out []bool, words, h []uint64, ahead int) (fresh int)

// BlockAdd8x32T1AVX2 is BlockAdd8x32AVX2 for a CPU that has more reads of memory
// under way when they end in L2. Requires avx2, popcnt.
//
//go:noescape
func BlockAdd8x32T1AVX2(out []bool, words, h []uint64, ahead int) (fresh int)

// BlockContains8x32OneAVX2 is BlockContains8x32Portable for one key, h0 and h1. Requires avx2,
// popcnt.
//
//go:noescape
func BlockContains8x32OneAVX2(a *BlockArray, h0, h1 uint64) bool

// BlockAdd8x32OneAVX2 is BlockAdd8x32Portable for one key, h0 and h1. Requires avx2, popcnt.
//
//go:noescape
func BlockAdd8x32OneAVX2(a *BlockArray, h0, h1 uint64) (fresh int)

// BlockContains512AVX2 is BlockContains512Portable. Requires avx2, popcnt.
//
//go:noescape
func BlockContains512AVX2(out []bool, words, h []uint64, k, ahead int) (found int)

// BlockContains512T1AVX2 is BlockContains512AVX2 for a CPU that has more reads of memory
// under way when they end in L2. Requires avx2, popcnt.
//
//go:noescape
func BlockContains512T1AVX2(out []bool, words, h []uint64, k, ahead int) (found int)

// BlockContains512OneAVX2 is BlockContains512Portable for one key, h0 and h1. Requires avx2,
// popcnt.
//
//go:noescape
func BlockContains512OneAVX2(a *BlockArray, h0, h1 uint64) bool

// BlockContains512OneAVX512 is BlockContains512Portable for one key, h0 and h1. Requires avx2,
// popcnt, avx512f, avx512vpopcntdq.
//
//go:noescape
func BlockContains512OneAVX512(a *BlockArray, h0, h1 uint64) bool

// BlockAdd512Popcnt is BlockAdd512Portable. Requires popcnt.
//
//go:noescape
func BlockAdd512Popcnt(out []bool, words, h []uint64, k, ahead int) (fresh int)

// BlockAdd512T1Popcnt is BlockAdd512Popcnt for a CPU that has more reads of memory
// under way when they end in L2. Requires popcnt.
//
//go:noescape
func BlockAdd512T1Popcnt(out []bool, words, h []uint64, k, ahead int) (fresh int)

// BlockAdd512OnePopcnt is BlockAdd512Portable for one key, h0 and h1. Requires popcnt.
//
//go:noescape
func BlockAdd512OnePopcnt(a *BlockArray, h0, h1 uint64) (fresh int)

// BlockAdd512AVX512 is BlockAdd512Portable. Requires avx2, popcnt, avx512f, avx512vpopcntdq.
//
//go:noescape
func BlockAdd512AVX512(out []bool, words, h []uint64, k, ahead int) (fresh int)

// BlockAdd512T1AVX512 is BlockAdd512AVX512 for a CPU that has more reads of memory
// under way when they end in L2. Requires avx2, popcnt, avx512f, avx512vpopcntdq.
//
//go:noescape
func BlockAdd512T1AVX512(out []bool, words, h []uint64, k, ahead int) (fresh int)

// BlockAdd512OneAVX512 is BlockAdd512Portable for one key, h0 and h1. Requires avx2, popcnt,
// avx512f, avx512vpopcntdq.
//
//go:noescape
func BlockAdd512OneAVX512(a *BlockArray, h0, h1 uint64) (fresh int)

// BlockContains8x64OneAVX512 is BlockContains8x64Portable for one key, h0 and h1. Requires avx2,
// popcnt, avx512f, avx512vpopcntdq.
//
//go:noescape
func BlockContains8x64OneAVX512(a *BlockArray, h0, h1 uint64) bool

// BlockAdd8x64OneAVX512 is BlockAdd8x64Portable for one key, h0 and h1. Requires avx2, popcnt,
// avx512f, avx512vpopcntdq.
//
//go:noescape
func BlockAdd8x64OneAVX512(a *BlockArray, h0, h1 uint64) (fresh int)
