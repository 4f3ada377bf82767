//go:build gc && !purego && !race

package kernel

import "github.com/bloomproof/bloomproof/kernel/asm"

func count(im impl, x []uint64) int {
	n := len(x)
	if n > handover {
		return countLong(im, x)
	}
	switch choose(im, n, countMin) {
	case popcnt:
		return asm.CountPopcnt(x)
	case avx2:
		return asm.CountAVX2(x)
	case avx512:
		return asm.CountAVX512(x)
	}
	return asm.CountPortable(x)
}

func andCount(im impl, a, b []uint64) int {
	n := min(len(a), len(b))
	if n > handover {
		return andCountLong(im, a, b)
	}
	switch choose(im, n, pairMin) {
	case popcnt:
		return asm.AndCountPopcnt(a, b)
	case avx2:
		return asm.AndCountAVX2(a, b)
	case avx512:
		return asm.AndCountAVX512(a, b)
	}
	return asm.AndCountPortable(a, b)
}

func orCount(im impl, a, b []uint64) int {
	n := min(len(a), len(b))
	if n > handover {
		return orCountLong(im, a, b)
	}
	switch choose(im, n, pairMin) {
	case popcnt:
		return asm.OrCountPopcnt(a, b)
	case avx2:
		return asm.OrCountAVX2(a, b)
	case avx512:
		return asm.OrCountAVX512(a, b)
	}
	return asm.OrCountPortable(a, b)
}

func xorCount(im impl, a, b []uint64) int {
	n := min(len(a), len(b))
	if n > handover {
		return xorCountLong(im, a, b)
	}
	switch choose(im, n, pairMin) {
	case popcnt:
		return asm.XorCountPopcnt(a, b)
	case avx2:
		return asm.XorCountAVX2(a, b)
	case avx512:
		return asm.XorCountAVX512(a, b)
	}
	return asm.XorCountPortable(a, b)
}

func andNotCount(im impl, a, b []uint64) int {
	n := min(len(a), len(b))
	if n > handover {
		return andNotCountLong(im, a, b)
	}
	switch choose(im, n, pairMin) {
	case popcnt:
		return asm.AndNotCountPopcnt(a, b)
	case avx2:
		return asm.AndNotCountAVX2(a, b)
	case avx512:
		return asm.AndNotCountAVX512(a, b)
	}
	return asm.AndNotCountPortable(a, b)
}

func andInto(im impl, dst, src []uint64) int {
	n := min(len(dst), len(src))
	if n > handover {
		return andIntoLong(im, dst, src)
	}
	switch choose(im, n, intoMin) {
	case popcnt:
		return asm.AndIntoPopcnt(dst, src)
	case avx2:
		return asm.AndIntoAVX2(dst, src)
	case avx512:
		return asm.AndIntoAVX512(dst, src)
	}
	return asm.AndIntoPortable(dst, src)
}

func orInto(im impl, dst, src []uint64) int {
	n := min(len(dst), len(src))
	if n > handover {
		return orIntoLong(im, dst, src)
	}
	switch choose(im, n, intoMin) {
	case popcnt:
		return asm.OrIntoPopcnt(dst, src)
	case avx2:
		return asm.OrIntoAVX2(dst, src)
	case avx512:
		return asm.OrIntoAVX512(dst, src)
	}
	return asm.OrIntoPortable(dst, src)
}

func andNotInto(im impl, dst, src []uint64) int {
	n := min(len(dst), len(src))
	if n > handover {
		return andNotIntoLong(im, dst, src)
	}
	switch choose(im, n, intoMin) {
	case popcnt:
		return asm.AndNotIntoPopcnt(dst, src)
	case avx2:
		return asm.AndNotIntoAVX2(dst, src)
	case avx512:
		return asm.AndNotIntoAVX512(dst, src)
	}
	return asm.AndNotIntoPortable(dst, src)
}
