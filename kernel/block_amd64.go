//go:build gc && !purego && !race

package kernel

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// blockAhead is for how many keys blocks are asked for before they are needed, in filters
// beyond L2: more than a core can have reads under way for gains nothing.
const blockAhead = 24

// aheadIn returns for how many keys blocks of words are asked for beforehand.
func aheadIn(words []uint64) int {
	if len(words) <= here.l2/8 {
		return 0
	}
	return blockAhead
}

func containsAllInBlocks(im Impl, out []bool, words []uint64, h []Hash, l *layout) (found int) {
	for ; len(h) > handoverReads; out, h = out[handoverReads:], h[handoverReads:] {
		found += containsInBlocks(im, out[:handoverReads], words, h[:handoverReads], l)
	}
	return found + containsInBlocks(im, out, words, h, l)
}

func containsInBlocks(im Impl, out []bool, words []uint64, h []Hash, l *layout) int {
	keys, ahead := hashWords(h), aheadIn(words)
	if im = at(host.Block, im); im == AVX2 || im == AVX512 {
		switch l.form {
		case block512:
			return asm.BlockContains512AVX2(out, words, keys, l.k, ahead)
		case block8x64:
			return asm.BlockContains8x64AVX2(out, words, keys, ahead)
		case block8x32:
			return asm.BlockContains8x32AVX2(out, words, keys, ahead)
		}
	}
	return containsInBlocksPortable(out, words, h, l, ahead)
}

func addAllInBlocks(im Impl, out []bool, words []uint64, h []Hash, l *layout) (fresh int) {
	for ; len(h) > handoverReads; out, h = out[handoverReads:], h[handoverReads:] {
		fresh += addInBlocks(im, out[:handoverReads], words, h[:handoverReads], l)
	}
	return fresh + addInBlocks(im, out, words, h, l)
}

func addInBlocks(im Impl, out []bool, words []uint64, h []Hash, l *layout) int {
	keys, ahead := hashWords(h), aheadIn(words)
	im = at(host.Block, im)
	vectors := im == AVX2 || im == AVX512
	switch {
	case l.form == block512 && im == AVX512:
		return asm.BlockAdd512AVX512(out, words, keys, l.k, ahead)
	case l.form == block512 && im != Portable:
		return asm.BlockAdd512Popcnt(out, words, keys, l.k, ahead)
	case l.form == block8x64 && vectors:
		return asm.BlockAdd8x64AVX2(out, words, keys, ahead)
	case l.form == block8x32 && vectors:
		return asm.BlockAdd8x32AVX2(out, words, keys, ahead)
	}
	return addInBlocksPortable(out, words, h, l, ahead)
}

func containsOneInBlock(im Impl, words []uint64, h Hash, l *layout) bool {
	if im = at(host.Block, im); im == AVX2 || im == AVX512 {
		switch l.form {
		case block512:
			return asm.BlockContains512OneAVX2(words, h.H0, h.H1, l.k)
		case block8x64:
			return asm.BlockContains8x64OneAVX2(words, h.H0, h.H1)
		case block8x32:
			return asm.BlockContains8x32OneAVX2(words, h.H0, h.H1)
		}
	}
	return containsOneInBlockPortable(words, h, l)
}

func addOneInBlock(im Impl, words []uint64, h Hash, l *layout) uint64 {
	im = at(host.Block, im)
	vectors := im == AVX2 || im == AVX512
	switch {
	case l.form == block512 && im == AVX512:
		return uint64(asm.BlockAdd512OneAVX512(words, h.H0, h.H1, l.k))
	case l.form == block512 && im != Portable:
		return uint64(asm.BlockAdd512OnePopcnt(words, h.H0, h.H1, l.k))
	case l.form == block8x64 && vectors:
		return uint64(asm.BlockAdd8x64OneAVX2(words, h.H0, h.H1))
	case l.form == block8x32 && vectors:
		return uint64(asm.BlockAdd8x32OneAVX2(words, h.H0, h.H1))
	}
	return addOneInBlockPortable(words, h, l)
}
