//go:build gc && !purego && (amd64 || arm64)

package asmtest

func prefetchFunc(f func(words, pos []uint64)) ProbeFunc {
	return func(c ProbeCall) (int, int) { f(c.Words, c.Keys); return 0, 0 }
}
