//go:build !linux

package asmtest

// newSparse returns no words, because not every other system can reserve more memory than it has.
func newSparse(uint64) (a arena, ok bool) { return a, false }
