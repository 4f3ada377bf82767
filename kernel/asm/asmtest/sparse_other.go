//go:build !linux

package asmtest

// newSparse returns no arena. A sparse arena can be larger than the available memory, and some operating systems cannot
// reserve so much.
func newSparse(uint64) (a arena, ok bool) { return a, false }
