//go:build !linux

package asmtest

// newSparse returns no arena, because some operating systems cannot reserve more memory than they have.
func newSparse(uint64) (a arena, ok bool) { return a, false }
