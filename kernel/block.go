package kernel

import "github.com/bloomproof/bloomproof/kernel/asm"

// The file block_<arch>.go has the operations of filters with blocks:
//
//   - containsAllInBlocks(im, out, words, h, l) sets out[i] to true if the bits at all positions of h[i] are set, and
//     otherwise to false. It returns the number of hashes for which they are set.
//   - addAllInBlocks(im, out, words, h, l) sets the bits at the positions of h, key by key. It sets out[i] to true if
//     one of the bits of h[i] was clear, and otherwise to false. It returns the number of bits that were clear.
//   - containsOneInBlock(im, words, h, l) does the same as containsAllInBlocks, for one key.
//   - addOneInBlock(im, words, h, l) does the same as addAllInBlocks, for one key.
//
// The argument "im" is the implementation to use. The first comment of probe.go says more about it. The slices out and
// h have the same length.

// containsInBlocksPortable does the same as containsAllInBlocks, in Go code without assembly.
func containsInBlocksPortable(out []bool, words []uint64, h []Hash, l *layout) int {
	keys := hashWords(h)
	switch l.form {
	case block512:
		return asm.BlockContains512Portable(out, words, keys, l.k, 0)
	case block8x64:
		return asm.BlockContains8x64Portable(out, words, keys, 0)
	case block8x32:
		return asm.BlockContains8x32Portable(out, words, keys, 0)
	}
	return asm.BlockContainsPortable(out, words, keys, l.k, l.span, l.step, l.size)
}

// addInBlocksPortable does the same as addAllInBlocks, in Go code without assembly.
func addInBlocksPortable(out []bool, words []uint64, h []Hash, l *layout) int {
	keys := hashWords(h)
	switch l.form {
	case block512:
		return asm.BlockAdd512Portable(out, words, keys, l.k, 0)
	case block8x64:
		return asm.BlockAdd8x64Portable(out, words, keys, 0)
	case block8x32:
		return asm.BlockAdd8x32Portable(out, words, keys, 0)
	}
	return asm.BlockAddPortable(out, words, keys, l.k, l.span, l.step, l.size)
}

func containsOneInBlockPortable(words []uint64, h Hash, l *layout) bool {
	var out [1]bool
	return containsInBlocksPortable(out[:], words, []Hash{h}, l) != 0
}

func addOneInBlockPortable(words []uint64, h Hash, l *layout) uint64 {
	var out [1]bool
	return uint64(addInBlocksPortable(out[:], words, []Hash{h}, l))
}
