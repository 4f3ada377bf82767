//go:build !linux && !darwin

package asmtest

// newArena returns an arena with n words and without forbidden pages. On this operating system, package syscall cannot
// protect pages.
func newArena(n int) arena { return plainArena(n) }

// newHollow returns an arena without words. On this operating system, package syscall cannot reserve addresses without
// memory.
func newHollow(uint64) (a arena) { return a }
