//go:build !gc || purego || race || (!amd64 && !arm64)

package kernel

func containsAllInBlocks(_ impl, out []bool, words []uint64, h []Hash, l *layout) int {
	return containsInBlocksPortable(out, words, h, l)
}

func addAllInBlocks(_ impl, out []bool, words []uint64, h []Hash, l *layout) int {
	return addInBlocksPortable(out, words, h, l)
}

func containsOneInBlock(_ impl, words []uint64, h Hash, l *layout) bool {
	return containsOneInBlockPortable(words, h, l)
}

func addOneInBlock(_ impl, words []uint64, h Hash, l *layout) uint64 {
	return addOneInBlockPortable(words, h, l)
}
