//go:build !gc || purego || race || !amd64

package kernel

func containsAllInBlocks(_ Impl, out []bool, words []uint64, h []Hash, l *layout) int {
	return containsInBlocksPortable(out, words, h, l)
}

func addAllInBlocks(_ Impl, out []bool, words []uint64, h []Hash, l *layout) int {
	return addInBlocksPortable(out, words, h, l)
}

func containsOneInBlock(_ Impl, words []uint64, h Hash, l *layout) bool {
	return containsOneInBlockPortable(words, h, l)
}

func addOneInBlock(_ Impl, words []uint64, h Hash, l *layout) uint64 {
	return addOneInBlockPortable(words, h, l)
}
