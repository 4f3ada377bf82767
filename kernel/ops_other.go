//go:build !gc || purego || race || (!amd64 && !arm64)

package kernel

import "github.com/bloomproof/bloomproof/kernel/asm"

// This build has no assembly, or runs under the race detector, which does not see
// what assembly reads and writes.

func countOne(_ Impl, x []uint64) int          { return asm.CountPortable(x) }
func andCountOne(_ Impl, a, b []uint64) int    { return asm.AndCountPortable(a, b) }
func orCountOne(_ Impl, a, b []uint64) int     { return asm.OrCountPortable(a, b) }
func xorCountOne(_ Impl, a, b []uint64) int    { return asm.XorCountPortable(a, b) }
func andNotCountOne(_ Impl, a, b []uint64) int { return asm.AndNotCountPortable(a, b) }
func andIntoOne(_ Impl, dst, src []uint64) int { return asm.AndIntoPortable(dst, src) }
func orIntoOne(_ Impl, dst, src []uint64) int  { return asm.OrIntoPortable(dst, src) }
