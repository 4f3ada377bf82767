//go:build !linux && !darwin

package asmtest

// newArena returns an arena of n words without forbidden pages, because package syscall cannot protect pages on this
// system.
func newArena(n int) arena { return plainArena(n) }

// newHollow returns an empty arena, because package syscall cannot reserve addresses without memory on this system.
func newHollow(uint64) (a arena) { return a }
