//go:build !linux

package kernel

// makeWords returns n words, which are zero.
func makeWords(n int) []uint64 { return make([]uint64, n) }
