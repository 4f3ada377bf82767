//go:build !linux || (!amd64 && !arm64)

package asmtest

// newRepeated returns no arena. Other operating systems have no simple way to map the same memory to several addresses
// in one array. Systems with 32 bits have too few addresses.
func newRepeated(int, uint64) (a arena, ok bool) { return a, false }
