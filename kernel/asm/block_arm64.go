//go:build gc && !purego

package asm

// BlockContains512NEON computes the same as BlockContains512Portable.
//
//go:noescape
func BlockContains512NEON(out []bool, words, h []uint64, k, ahead int) (found int)

// BlockAdd512NEON computes the same as BlockAdd512Portable.
//
//go:noescape
func BlockAdd512NEON(out []bool, words, h []uint64, k, ahead int) (fresh int)

// BlockContains512OneNEON computes the same as BlockContains512Portable for one key with the hash h0, h1. If the slice
// "words" is smaller than a block, it returns false.
//
//go:noescape
func BlockContains512OneNEON(words []uint64, h0, h1 uint64, k int) bool

// BlockAdd512OneNEON computes the same as BlockAdd512Portable for one key with the hash h0, h1. If the slice "words" is
// smaller than a block, it returns 0.
//
//go:noescape
func BlockAdd512OneNEON(words []uint64, h0, h1 uint64, k int) (fresh int)

// BlockContains8x64NEON computes the same as BlockContains8x64Portable.
//
//go:noescape
func BlockContains8x64NEON(out []bool, words, h []uint64, ahead int) (found int)

// BlockAdd8x64NEON computes the same as BlockAdd8x64Portable.
//
//go:noescape
func BlockAdd8x64NEON(out []bool, words, h []uint64, ahead int) (fresh int)

// BlockContains8x64OneNEON computes the same as BlockContains8x64Portable for one key with the hash h0, h1. If the
// slice "words" is smaller than a block, it returns false.
//
//go:noescape
func BlockContains8x64OneNEON(words []uint64, h0, h1 uint64) bool

// BlockAdd8x64OneNEON computes the same as BlockAdd8x64Portable for one key with the hash h0, h1. If the slice "words"
// is smaller than a block, it returns 0.
//
//go:noescape
func BlockAdd8x64OneNEON(words []uint64, h0, h1 uint64) (fresh int)

// BlockContains8x32NEON computes the same as BlockContains8x32Portable.
//
//go:noescape
func BlockContains8x32NEON(out []bool, words, h []uint64, ahead int) (found int)

// BlockAdd8x32NEON computes the same as BlockAdd8x32Portable.
//
//go:noescape
func BlockAdd8x32NEON(out []bool, words, h []uint64, ahead int) (fresh int)

// BlockContains8x32OneNEON computes the same as BlockContains8x32Portable for one key with the hash h0, h1. If the
// slice "words" is smaller than a block, it returns false.
//
//go:noescape
func BlockContains8x32OneNEON(words []uint64, h0, h1 uint64) bool

// BlockAdd8x32OneNEON computes the same as BlockAdd8x32Portable for one key with the hash h0, h1. If the slice "words"
// is smaller than a block, it returns 0.
//
//go:noescape
func BlockAdd8x32OneNEON(words []uint64, h0, h1 uint64) (fresh int)
