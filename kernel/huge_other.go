//go:build !linux

package kernel

// makeWords returns n zeroed words.
func makeWords(n int) []uint64 { return make([]uint64, n) }
