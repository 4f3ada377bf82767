package kernel

import (
	"encoding/binary"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// The operations of filters with blocks, in block_<arch>.go:
//
//	containsAllInBlocks(im, out, words, h, l)  out[i] = all positions of h[i] are set; how many are
//	addAllInBlocks(im, out, words, h, l)       sets the positions of h, key by key, out[i] = h[i]
//	                                           found a bit clear; how many bits were clear
//	newOneBlock(l, hash, im, words)            what the next two take
//	containsOneInBlock(one, h0, h1)            containsAllInBlocks for one key
//	addOneInBlock(one, h0, h1)                 addAllInBlocks for one key
//
// im is as in probe.go, and len(out) = len(h).

// containsInBlocksPortable is containsAllInBlocks by the twins.
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

// addInBlocksPortable is addAllInBlocks by the twins.
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

// oneBlock is a filter as the operations on one key in blocks take it: they choose nothing anew,
// as of few nanoseconds each instruction tells. It is nothing for filters that have none of
// these.
type oneBlock struct {
	asm.BlockArray
	way   blockWay
	short bool   // keys of 8 bytes are hashed by hash
	flip  uint64 // of hash
}

// blockWay is the kernels for one key.
type blockWay uint8

// hash returns the hash of a key of 8 bytes.
func (o *oneBlock) hash(key []byte) Hash {
	lo, hi := asm.HashFlipped(binary.LittleEndian.Uint64(key) ^ o.flip)
	return Hash{lo, hi}
}
