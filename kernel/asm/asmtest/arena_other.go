//go:build !linux && !darwin

package asmtest

// newArena returns an arena with n words, without forbidden pages, because package syscall cannot protect pages on this
// operating system.
func newArena(n int) arena { return plainArena(n) }

// newHollow returns an arena without words, because on this operating system package syscall cannot reserve addresses
// for which there is no memory.
func newHollow(uint64) (a arena) { return a }
