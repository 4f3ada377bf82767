//go:build !linux || (!amd64 && !arm64)

package asmtest

// newRepeated returns no words. Other systems have no simple way to map a page twice in one array, and 32-bit systems
// have too few addresses.
func newRepeated(int, uint64) (a arena, ok bool) { return a, false }
