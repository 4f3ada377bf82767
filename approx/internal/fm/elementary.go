package fm

import "math"

// Ln2 is the natural logarithm of 2, and TwoPi is 2 pi.
const (
	Ln2   = math.Ln2
	TwoPi = 2 * math.Pi
)

// In the comments of this package, a bound of a relative error holds for normal results. A normal result has an
// absolute value of at least 2^-1022. For smaller results the error is at most 2^-1074, which is the spacing of the
// subnormal numbers. The comments of some functions state another bound.

// smallestNormal is the least positive float64 that has the full precision of 53 bits.
const smallestNormal = 0x1p-1022

// Sqrt returns the square root of x, for x >= 0, with a relative error of at most u = 2^-53.
func Sqrt(x float64) float64 { return math.Sqrt(x) }

// Floor returns the greatest integer at most x.
func Floor(x float64) float64 { return math.Floor(x) }

// Abs returns |x|.
func Abs(x float64) float64 { return math.Abs(x) }

// Inf returns positive infinity.
func Inf() float64 { return math.Inf(1) }

// IsInf reports whether x is an infinity.
func IsInf(x float64) bool { return math.IsInf(x, 0) }

// Log1mExp returns ln(1 - e^-t), for t >= 0, with a relative error of at most 3u (u = 2^-53). It returns -Inf for t =
// 0, and 0 for t = +Inf.
//
// For t <= ln 2 it computes ln(-expm1(-t)). The relative error 1.1u of expm1 becomes an absolute error of the
// logarithm. The absolute value of the logarithm is at least ln 2. So the total is 1.02u + 1.1u/ln 2 < 2.7u. For t > ln
// 2 it computes log1p(-e^-t). The error 1.02u of e^-t = q is amplified by q/((1-q)|ln(1-q)|) <= 1.45. So the total is
// 1.02u + 1.5u < 2.6u.
func Log1mExp(t float64) float64 {
	if t <= Ln2 {
		return Log(-Expm1(-t))
	}
	return Log1p(-Exp(-t))
}

// Log1pMX returns ln(1+x) - x for -1/2 <= x <= 1. The relative error of the result is within 4.4u (u = 2^-53).
//
// Let s = x/(2+x), so that |s| <= 1/3. Then ln(1+x) = 2 atanh s and x = 2s + sx. Let S be the sum of s^(2j)/(2j+3) over
// j >= 0. Then 2 atanh s - 2s is 2 s^3 S. Therefore
//
//	ln(1+x) - x = s (2 s^2 S - x).
//
// For x < 0 the two terms in parentheses have the same sign. For x > 0 the first term is at most 0.24 times the second.
// So hardly any digits cancel. S is summed up to s^32. The result is normal for |x| >= 2^-510.5. If s^2 is not normal,
// |s| is below 2^-510. Then s^2 is negligible, and only the last product may be subnormal.
func Log1pMX(x float64) float64 {
	s := x / (2 + x)
	z := float64(s * s)
	y := float64(z * z)
	w := float64(y * y)
	first := cubic(1.0/5, 1.0/7, 1.0/9, 1.0/11, z, y) + float64(w*cubic(1.0/13, 1.0/15, 1.0/17, 1.0/19, z, y))
	last := cubic(1.0/21, 1.0/23, 1.0/25, 1.0/27, z, y) + float64(w*cubic(1.0/29, 1.0/31, 1.0/33, 1.0/35, z, y))
	sum := 1.0/3 + float64(z*(first+float64(float64(w*w)*last)))
	return float64(s * (float64(float64(2*z)*sum) - x))
}

// The function "cubic" returns a + bz + cz^2 + dz^3. The argument y must be z^2.
func cubic(a, b, c, d, z, y float64) float64 {
	return (a + float64(z*b)) + float64(y*(c+float64(z*d)))
}

// Expm1MX returns e^x - 1 - x within 4.6u (u = 2^-53, relative to e^x - 1 - x), for |x| <= 1. It sums the series from
// x^2/2 to x^19/19!. The terms with odd exponents and the terms with even exponents are added separately. The result is
// normal for |x| >= 2^-510.5. If x^2 is not normal, the sum of the other terms is negligible. Only x^2 and x^2/2 may
// then be subnormal.
func Expm1MX(x float64) float64 {
	z := float64(x * x)
	y := float64(z * z)
	w := float64(y * y)
	odd := 1.0/6 + float64(z*(cubic(1.0/120, 1.0/5040, 1.0/362880, 1.0/39916800, z, y)+
		float64(w*cubic(1.0/6227020800, 1.0/1307674368000, 1.0/355687428096000, 1.0/121645100408832000, z, y))))
	even := cubic(1.0/24, 1.0/720, 1.0/40320, 1.0/3628800, z, y) +
		float64(w*cubic(1.0/479001600, 1.0/87178291200, 1.0/20922789888000, 1.0/6402373705728000, z, y))
	return float64(z * (0.5 + (float64(x*odd) + float64(z*even))))
}

// XMinusSin returns x - sin x within 4.6u (u = 2^-53, relative to x - sin x), for 0 <= x <= 1, and within 9.3u for 1 <
// x <= pi. A subnormal result has an absolute error of at most 2^-1073. The reason is that x^3 and x^3/6 are both
// rounded to a multiple of 2^-1074.
//
// For x <= 1 it sums the series from x^3/6 to x^19/19!. For larger x it computes the difference of x and sin x. The
// computed sin x has an absolute error of 1.3u. The difference is at least 0.158.
func XMinusSin(x float64) float64 {
	if x > 1 {
		sin, _ := Sincos(x)
		return x - sin
	}
	z := float64(x * x)
	y := float64(z * z)
	w := float64(y * y)
	series := 1.0/6 - float64(z*(cubic(1.0/120, -1.0/5040, 1.0/362880, -1.0/39916800, z, y)+
		float64(w*cubic(1.0/6227020800, -1.0/1307674368000, 1.0/355687428096000, -1.0/121645100408832000, z, y))))
	return float64(float64(x*z) * series)
}
