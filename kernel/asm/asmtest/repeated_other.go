//go:build !linux || (!amd64 && !arm64)

package asmtest

// newRepeated: other systems, and fewer addresses, do not map a page twice in one array
// so simply.
func newRepeated(int, uint64) (a arena, ok bool) { return a, false }
