//go:build !gc || purego || race || (!amd64 && !arm64)

package kernel

import "github.com/bloomproof/bloomproof/kernel/asm"

// This file is for builds without assembly, and for builds with the race detector. The race detector does not see the
// memory accesses of assembly.

func count(_ impl, x []uint64) int             { return asm.CountPortable(x) }
func andCount(_ impl, a, b []uint64) int       { return asm.AndCountPortable(a, b) }
func orCount(_ impl, a, b []uint64) int        { return asm.OrCountPortable(a, b) }
func xorCount(_ impl, a, b []uint64) int       { return asm.XorCountPortable(a, b) }
func andNotCount(_ impl, a, b []uint64) int    { return asm.AndNotCountPortable(a, b) }
func andInto(_ impl, dst, src []uint64) int    { return asm.AndIntoPortable(dst, src) }
func orInto(_ impl, dst, src []uint64) int     { return asm.OrIntoPortable(dst, src) }
func andNotInto(_ impl, dst, src []uint64) int { return asm.AndNotIntoPortable(dst, src) }
