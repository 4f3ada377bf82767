//go:build !linux && !darwin

package asmtest

// newArena returns an arena with n words, without forbidden pages, because package syscall cannot protect pages on this
// operating system.
func newArena(n int) arena { return plainArena(n) }

// newHollow returns an arena without words, because package syscall cannot reserve addresses without memory on this
// operating system.
func newHollow(uint64) (a arena) { return a }
