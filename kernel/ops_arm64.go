//go:build gc && !purego && !race

package kernel

import "github.com/bloomproof/bloomproof/kernel/asm"

func count(im impl, x []uint64) int {
	n := len(x)
	if n > handover {
		return countLong(im, x)
	}
	switch choose(im, n, countMin) {
	case neon:
		return asm.CountNEON(x)
	}
	return asm.CountPortable(x)
}

func andCount(im impl, a, b []uint64) int {
	n := min(len(a), len(b))
	if n > handover {
		return andCountLong(im, a, b)
	}
	switch choose(im, n, pairMin) {
	case neon:
		return asm.AndCountNEON(a, b)
	}
	return asm.AndCountPortable(a, b)
}

func orCount(im impl, a, b []uint64) int {
	n := min(len(a), len(b))
	if n > handover {
		return orCountLong(im, a, b)
	}
	switch choose(im, n, pairMin) {
	case neon:
		return asm.OrCountNEON(a, b)
	}
	return asm.OrCountPortable(a, b)
}

func xorCount(im impl, a, b []uint64) int {
	n := min(len(a), len(b))
	if n > handover {
		return xorCountLong(im, a, b)
	}
	switch choose(im, n, pairMin) {
	case neon:
		return asm.XorCountNEON(a, b)
	}
	return asm.XorCountPortable(a, b)
}

func andNotCount(im impl, a, b []uint64) int {
	n := min(len(a), len(b))
	if n > handover {
		return andNotCountLong(im, a, b)
	}
	switch choose(im, n, pairMin) {
	case neon:
		return asm.AndNotCountNEON(a, b)
	}
	return asm.AndNotCountPortable(a, b)
}

func andInto(im impl, dst, src []uint64) int {
	n := min(len(dst), len(src))
	if n > handover {
		return andIntoLong(im, dst, src)
	}
	switch choose(im, n, intoMin) {
	case neon:
		return asm.AndIntoNEON(dst, src)
	}
	return asm.AndIntoPortable(dst, src)
}

func orInto(im impl, dst, src []uint64) int {
	n := min(len(dst), len(src))
	if n > handover {
		return orIntoLong(im, dst, src)
	}
	switch choose(im, n, intoMin) {
	case neon:
		return asm.OrIntoNEON(dst, src)
	}
	return asm.OrIntoPortable(dst, src)
}

func andNotInto(im impl, dst, src []uint64) int {
	n := min(len(dst), len(src))
	if n > handover {
		return andNotIntoLong(im, dst, src)
	}
	switch choose(im, n, intoMin) {
	case neon:
		return asm.AndNotIntoNEON(dst, src)
	}
	return asm.AndNotIntoPortable(dst, src)
}
