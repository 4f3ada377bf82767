//go:build !linux && !darwin

package asmtest

// newArena returns n words without forbidden pages: this system's are not in package
// syscall.
func newArena(n int) arena { return plainArena(n) }

// newHollow: nor are pages that are not there.
func newHollow(uint64) (a arena) { return a }
