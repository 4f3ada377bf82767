package main

import "math"

// The type "number" describes a float64 that a function computes. Its bounds hold for all arguments in a range. The
// ideal value is what the same statements would give without rounding, for the same arguments.
type number struct {
	lo, hi float64 // ends of what is computed
	off    float64 // the computed value differs from the ideal value by at most this
	before float64 // the same without the last rounding
	grain  int     // the computed value is a multiple of 2^grain
}

// The constant "finest" is the exponent of the smallest positive float64, 2^-1074.
const finest = -1074

// The type "rounding" is the arithmetic of float64. Rounding is monotone. So the range of a result is computed from the
// ends of the ranges of its operands. Errors are rounded up: they are increased by more than the rounding errors of
// their own computation.
type rounding struct{}

// The constant "up" is a factor above 1. It exceeds 1 by more than the relative error of a few roundings.
const up = 1 + 0x1p-48

// The function "exactly" returns the range [lo, hi] for a value that has no error.
func exactly(lo, hi float64) number { return number{lo: lo, hi: hi, grain: grainOf(lo, hi)} }

// grainOf returns an exponent g. It is the largest g such that every float64 in [lo, hi] is certainly a multiple of
// 2^g.
func grainOf(lo, hi float64) int {
	least := 0.0
	switch {
	case lo > 0:
		least = lo
	case hi < 0:
		least = -hi
	case lo == 0 && hi == 0:
		return 1 << 20
	}
	if least == 0 {
		return finest
	}
	_, e := math.Frexp(least)
	return max(finest, e-53)
}

func (n number) size() float64 { return max(math.Abs(n.lo), math.Abs(n.hi)) }

// The method "least" returns the smallest absolute value of the computed values.
func (n number) least() float64 {
	if n.lo <= 0 && n.hi >= 0 {
		return 0
	}
	return min(math.Abs(n.lo), math.Abs(n.hi))
}

// The function "rounded" describes a value between lo and hi that was rounded to float64. Before rounding, the value is
// a multiple of 2^grain, and its error is at most off.
func rounded(lo, hi, off float64, grain int) number {
	n := number{lo: lo, hi: hi, before: off * up}
	n.off = (n.before + halfStep(n.size(), grain)) * up
	n.grain = max(grain, grainOf(lo, hi), finest)
	return n
}

// halfStep returns the largest error of rounding a number to float64. The number is a multiple of 2^grain, and at most
// the argument "size". The result is 0 if all such numbers have at most 53 bits.
func halfStep(size float64, grain int) float64 {
	_, e := math.Frexp(size) // size < 2^e
	if e-53 <= grain {
		return 0
	}
	return math.Ldexp(1, max(e-54, finest))
}

// The method "number" returns the range that contains only the constant x.
func (rounding) number(x float64) number {
	n := exactly(x, x)
	if x != 0 {
		m, e := math.Frexp(x)
		b := int64(m * 0x1p53)
		g := e - 53
		for b&1 == 0 {
			b >>= 1
			g++
		}
		n.grain = g
	}
	return n
}

func (rounding) neg(x number) number {
	x.lo, x.hi = -x.hi, -x.lo
	return x
}

func (rounding) add(x, y number) number {
	switch zero := (rounding{}).number(0); {
	case y == zero:
		return x
	case x == zero:
		return y
	}
	return rounded(x.lo+y.lo, x.hi+y.hi, x.off+y.off, min(x.grain, y.grain))
}

func ends(a, b, c, d float64) (lo, hi float64) { return min(a, b, c, d), max(a, b, c, d) }

func (rounding) mul(x, y number) number {
	lo, hi := ends(x.lo*y.lo, x.lo*y.hi, x.hi*y.lo, x.hi*y.hi)
	return rounded(lo, hi, x.size()*y.off+y.size()*x.off+x.off*y.off, x.grain+y.grain)
}

// The method "quo" divides x by y. It panics if the range of the divisor y contains 0. Let dy be the error bound of y.
// The method also panics if dy is not below |y|/2. Let X and Y be the ideal values, and let dx bound the error of x.
// Then
//
//	|x/y - X/Y| <= (|x| dy + |y| dx)/(|y| (|y| - dy)).
func (rounding) quo(x, y number) number {
	least := y.least()
	if !(least > 2*y.off) {
		panic(stop("a divisor may be 0"))
	}
	lo, hi := ends(x.lo/y.lo, x.lo/y.hi, x.hi/y.lo, x.hi/y.hi)
	return rounded(lo, hi, (x.off+x.size()*y.off/least)/(least-y.off), finest-1)
}

// The method "sum" returns the computed sum hi and its rounding error lo. The error of hi is 0 by definition: its ideal
// value is defined as the computed value. The errors of the arguments are counted as errors of lo.
func (rounding) sum(x, y number) (hi, lo number) {
	hi = rounding{}.add(x, y)
	half := halfStep(hi.size(), min(x.grain, y.grain))
	hi.off, hi.before = 0, 0
	off := (x.off + y.off) * up
	return hi, number{-half, half, off, off, max(finest, min(x.grain, y.grain))}
}
