//go:build gc && !purego && !race

package kernel

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

func containsInBlocks(im impl, out []bool, words []uint64, h []Hash, l *layout) int {
	if im = at(host.Block, im); im != avx2 && im != avx512 || l.form == blockAny {
		return containsInBlocksPortable(out, words, h, l)
	}
	keys := hashWords(h)
	switch ahead, far := blockReads(words); {
	case l.form == block512 && far:
		return asm.BlockContains512T1AVX2(out, words, keys, l.k, ahead)
	case l.form == block512:
		return asm.BlockContains512AVX2(out, words, keys, l.k, ahead)
	case l.form == block8x64 && far:
		return asm.BlockContains8x64T1AVX2(out, words, keys, ahead)
	case l.form == block8x64:
		return asm.BlockContains8x64AVX2(out, words, keys, ahead)
	case far:
		return asm.BlockContains8x32T1AVX2(out, words, keys, ahead)
	default:
		return asm.BlockContains8x32AVX2(out, words, keys, ahead)
	}
}

func addInBlocks(im impl, out []bool, words []uint64, h []Hash, l *layout) int {
	im = at(host.Block, im)
	if l.form == block512 && im != portable {
		return addIn512(im, out, words, h, l.k)
	}
	if im != avx2 && im != avx512 || l.form == blockAny {
		return addInBlocksPortable(out, words, h, l)
	}
	keys := hashWords(h)
	switch ahead, far := blockReads(words); {
	case l.form == block8x64 && far:
		return asm.BlockAdd8x64T1AVX2(out, words, keys, ahead)
	case l.form == block8x64:
		return asm.BlockAdd8x64AVX2(out, words, keys, ahead)
	case far:
		return asm.BlockAdd8x32T1AVX2(out, words, keys, ahead)
	default:
		return asm.BlockAdd8x32AVX2(out, words, keys, ahead)
	}
}

// addIn512 does the same as addAllInBlocks, but only for blocks of the form block512 and implementations in assembly.
func addIn512(im impl, out []bool, words []uint64, h []Hash, k int) int {
	keys := hashWords(h)
	switch ahead, far := blockReads(words); {
	case im == avx512 && far:
		return asm.BlockAdd512T1AVX512(out, words, keys, k, ahead)
	case im == avx512:
		return asm.BlockAdd512AVX512(out, words, keys, k, ahead)
	case far:
		return asm.BlockAdd512T1Popcnt(out, words, keys, k, ahead)
	default:
		return asm.BlockAdd512Popcnt(out, words, keys, k, ahead)
	}
}

func containsOneInBlock(im impl, words []uint64, h Hash, l *layout) bool {
	way := wayOf(im, l)
	if way == noWay {
		return containsOneInBlockPortable(words, h, l)
	}
	a := asm.NewBlockArray(words, l.k, l.size)
	switch way {
	case way512AVX512:
		return asm.BlockContains512OneAVX512(&a, h.H0, h.H1)
	case way8x64AVX512:
		return asm.BlockContains8x64OneAVX512(&a, h.H0, h.H1)
	case way512AVX2:
		return asm.BlockContains512OneAVX2(&a, h.H0, h.H1)
	case way8x64AVX2:
		return asm.BlockContains8x64OneAVX2(&a, h.H0, h.H1)
	}
	return asm.BlockContains8x32OneAVX2(&a, h.H0, h.H1)
}

func addOneInBlock(im impl, words []uint64, h Hash, l *layout) uint64 {
	way := wayOf(im, l)
	popcnt512 := l.form == block512 && at(host.Block, im) == popcnt
	if way == noWay && !popcnt512 {
		return addOneInBlockPortable(words, h, l)
	}
	a := asm.NewBlockArray(words, l.k, l.size)
	switch {
	case way == way512AVX512:
		return uint64(asm.BlockAdd512OneAVX512(&a, h.H0, h.H1))
	case way == way8x64AVX512:
		return uint64(asm.BlockAdd8x64OneAVX512(&a, h.H0, h.H1))
	case way == way512AVX2 || popcnt512:
		return uint64(asm.BlockAdd512OnePopcnt(&a, h.H0, h.H1))
	case way == way8x64AVX2:
		return uint64(asm.BlockAdd8x64OneAVX2(&a, h.H0, h.H1))
	}
	return uint64(asm.BlockAdd8x32OneAVX2(&a, h.H0, h.H1))
}
