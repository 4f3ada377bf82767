//go:build gc && !purego && !race && (amd64 || arm64)

package kernel

// An assembly kernel gets at most handover words of a slice in one call. These words take 1 MiB. There is a limit
// because Go cannot preempt a goroutine that runs assembly.
const handover = 1 << 17

// The constant "handover" is a number of words. An operation may have more words than that. The functions whose names
// end in Long divide such an operation into pieces. They begin with the first words. So their results for overlapping
// slices are the same as those of the portable functions.

func countLong(im impl, x []uint64) (n int) {
	for len(x) > handover {
		n += count(im, x[:handover])
		x = x[handover:]
	}
	return n + count(im, x)
}

func andCountLong(im impl, a, b []uint64) (n int) {
	for min(len(a), len(b)) > handover {
		n += andCount(im, a[:handover], b[:handover])
		a, b = a[handover:], b[handover:]
	}
	return n + andCount(im, a, b)
}

func orCountLong(im impl, a, b []uint64) (n int) {
	for min(len(a), len(b)) > handover {
		n += orCount(im, a[:handover], b[:handover])
		a, b = a[handover:], b[handover:]
	}
	return n + orCount(im, a, b)
}

func xorCountLong(im impl, a, b []uint64) (n int) {
	for min(len(a), len(b)) > handover {
		n += xorCount(im, a[:handover], b[:handover])
		a, b = a[handover:], b[handover:]
	}
	return n + xorCount(im, a, b)
}

func andNotCountLong(im impl, a, b []uint64) (n int) {
	for min(len(a), len(b)) > handover {
		n += andNotCount(im, a[:handover], b[:handover])
		a, b = a[handover:], b[handover:]
	}
	return n + andNotCount(im, a, b)
}

func andIntoLong(im impl, dst, src []uint64) (n int) {
	for min(len(dst), len(src)) > handover {
		n += andInto(im, dst[:handover], src[:handover])
		dst, src = dst[handover:], src[handover:]
	}
	return n + andInto(im, dst, src)
}

func orIntoLong(im impl, dst, src []uint64) (n int) {
	for min(len(dst), len(src)) > handover {
		n += orInto(im, dst[:handover], src[:handover])
		dst, src = dst[handover:], src[handover:]
	}
	return n + orInto(im, dst, src)
}

func andNotIntoLong(im impl, dst, src []uint64) (n int) {
	for min(len(dst), len(src)) > handover {
		n += andNotInto(im, dst[:handover], src[:handover])
		dst, src = dst[handover:], src[handover:]
	}
	return n + andNotInto(im, dst, src)
}
