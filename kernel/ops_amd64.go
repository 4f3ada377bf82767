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
	case Popcnt:
		return asm.CountPopcnt(x)
	case AVX2:
		return asm.CountAVX2(x)
	case AVX512:
		return asm.CountAVX512(x)
	}
	return asm.CountPortable(x)
}

func andCountOne(im Impl, a, b []uint64) int {
	switch choose(im, min(len(a), len(b)), pairMin) {
	case Popcnt:
		return asm.AndCountPopcnt(a, b)
	case AVX2:
		return asm.AndCountAVX2(a, b)
	case AVX512:
		return asm.AndCountAVX512(a, b)
	}
	return asm.AndCountPortable(a, b)
}

func orCountOne(im Impl, a, b []uint64) int {
	switch choose(im, min(len(a), len(b)), pairMin) {
	case Popcnt:
		return asm.OrCountPopcnt(a, b)
	case AVX2:
		return asm.OrCountAVX2(a, b)
	case AVX512:
		return asm.OrCountAVX512(a, b)
	}
	return asm.OrCountPortable(a, b)
}

func xorCountOne(im Impl, a, b []uint64) int {
	switch choose(im, min(len(a), len(b)), pairMin) {
	case Popcnt:
		return asm.XorCountPopcnt(a, b)
	case AVX2:
		return asm.XorCountAVX2(a, b)
	case AVX512:
		return asm.XorCountAVX512(a, b)
	}
	return asm.XorCountPortable(a, b)
}

func andNotCountOne(im Impl, a, b []uint64) int {
	switch choose(im, min(len(a), len(b)), pairMin) {
	case Popcnt:
		return asm.AndNotCountPopcnt(a, b)
	case AVX2:
		return asm.AndNotCountAVX2(a, b)
	case AVX512:
		return asm.AndNotCountAVX512(a, b)
	}
	return asm.AndNotCountPortable(a, b)
}

func andIntoOne(im Impl, dst, src []uint64) int {
	switch choose(im, min(len(dst), len(src)), intoMin) {
	case Popcnt:
		return asm.AndIntoPopcnt(dst, src)
	case AVX2:
		return asm.AndIntoAVX2(dst, src)
	case AVX512:
		return asm.AndIntoAVX512(dst, src)
	}
	return asm.AndIntoPortable(dst, src)
}

func orIntoOne(im Impl, dst, src []uint64) int {
	switch choose(im, min(len(dst), len(src)), intoMin) {
	case Popcnt:
		return asm.OrIntoPopcnt(dst, src)
	case AVX2:
		return asm.OrIntoAVX2(dst, src)
	case AVX512:
		return asm.OrIntoAVX512(dst, src)
	}
	return asm.OrIntoPortable(dst, src)
}
