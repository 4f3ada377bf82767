//go:build !linux && !darwin

package asmtest

// newArena returns n words without forbidden pages, because package syscall cannot protect pages on this system.
func newArena(n int) arena { return plainArena(n) }

// newHollow returns no words, because package syscall cannot reserve missing pages on this system.
func newHollow(uint64) (a arena) { return a }
