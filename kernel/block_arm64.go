//go:build gc && !purego && !race

package kernel

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

func containsInBlocks(im impl, out []bool, words []uint64, h []Hash, l *layout) int {
	if at(host.Block, im) == portable || l.form == blockAny {
		return containsInBlocksPortable(out, words, h, l)
	}
	keys := hashWords(h)
	ahead, _ := blockReads(words)
	switch l.form {
	case block512:
		return asm.BlockContains512NEON(out, words, keys, l.k, ahead)
	case block8x64:
		return asm.BlockContains8x64NEON(out, words, keys, ahead)
	default:
		return asm.BlockContains8x32NEON(out, words, keys, ahead)
	}
}

func addInBlocks(im impl, out []bool, words []uint64, h []Hash, l *layout) int {
	if at(host.Block, im) == portable || l.form == blockAny {
		return addInBlocksPortable(out, words, h, l)
	}
	keys := hashWords(h)
	ahead, _ := blockReads(words)
	switch l.form {
	case block512:
		return asm.BlockAdd512NEON(out, words, keys, l.k, ahead)
	case block8x64:
		return asm.BlockAdd8x64NEON(out, words, keys, ahead)
	default:
		return asm.BlockAdd8x32NEON(out, words, keys, ahead)
	}
}

func containsOneInBlock(im impl, words []uint64, h Hash, l *layout) bool {
	if at(host.Block, im) != portable {
		switch l.form {
		case block512:
			return asm.BlockContains512OneNEON(words, h.H0, h.H1, l.k)
		case block8x64:
			return asm.BlockContains8x64OneNEON(words, h.H0, h.H1)
		case block8x32:
			return asm.BlockContains8x32OneNEON(words, h.H0, h.H1)
		}
	}
	return containsOneInBlockPortable(words, h, l)
}

func addOneInBlock(im impl, words []uint64, h Hash, l *layout) uint64 {
	if at(host.Block, im) != portable {
		switch l.form {
		case block512:
			return uint64(asm.BlockAdd512OneNEON(words, h.H0, h.H1, l.k))
		case block8x64:
			return uint64(asm.BlockAdd8x64OneNEON(words, h.H0, h.H1))
		case block8x32:
			return uint64(asm.BlockAdd8x32OneNEON(words, h.H0, h.H1))
		}
	}
	return addOneInBlockPortable(words, h, l)
}
