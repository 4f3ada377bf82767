//go:build gc && !purego && !race

package kernel

import "github.com/bloomproof/bloomproof/kernel/asm"

// The fewest words for which assembly beats the portable loop, from
// BenchmarkCount, BenchmarkAndCount and BenchmarkOrInto with -bench=words=[1-9]$
const (
	countMin = 4
	pairMin  = 4
	intoMin  = 4
)

func countOne(im Impl, x []uint64) int {
	switch choose(im, len(x), countMin) {
	case NEON:
		return asm.CountNEON(x)
	}
	return asm.CountPortable(x)
}

func andCountOne(im Impl, a, b []uint64) int {
	switch choose(im, min(len(a), len(b)), pairMin) {
	case NEON:
		return asm.AndCountNEON(a, b)
	}
	return asm.AndCountPortable(a, b)
}

func orCountOne(im Impl, a, b []uint64) int {
	switch choose(im, min(len(a), len(b)), pairMin) {
	case NEON:
		return asm.OrCountNEON(a, b)
	}
	return asm.OrCountPortable(a, b)
}

func xorCountOne(im Impl, a, b []uint64) int {
	switch choose(im, min(len(a), len(b)), pairMin) {
	case NEON:
		return asm.XorCountNEON(a, b)
	}
	return asm.XorCountPortable(a, b)
}

func andNotCountOne(im Impl, a, b []uint64) int {
	switch choose(im, min(len(a), len(b)), pairMin) {
	case NEON:
		return asm.AndNotCountNEON(a, b)
	}
	return asm.AndNotCountPortable(a, b)
}

func andIntoOne(im Impl, dst, src []uint64) int {
	switch choose(im, min(len(dst), len(src)), intoMin) {
	case NEON:
		return asm.AndIntoNEON(dst, src)
	}
	return asm.AndIntoPortable(dst, src)
}

func orIntoOne(im Impl, dst, src []uint64) int {
	switch choose(im, min(len(dst), len(src)), intoMin) {
	case NEON:
		return asm.OrIntoNEON(dst, src)
	}
	return asm.OrIntoPortable(dst, src)
}
