//go:build !linux

package asmtest

// newSparse: not every other system can promise memory that it does not have.
func newSparse(uint64) (a arena, ok bool) { return a, false }
