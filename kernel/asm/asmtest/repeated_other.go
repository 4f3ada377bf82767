//go:build !linux || (!amd64 && !arm64)

package asmtest

// newRepeated returns no arena. On other operating systems it is not simple to make an array in which several addresses
// share the same memory. Systems with 32 bits have too few addresses.
func newRepeated(int, uint64) (a arena, ok bool) { return a, false }
