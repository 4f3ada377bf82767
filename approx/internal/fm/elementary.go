package fm

import "math"

// Ln2 is the natural logarithm of 2, and TwoPi is 2 pi.
const (
	Ln2   = math.Ln2
	TwoPi = 2 * math.Pi
)

// In the comments of this package, a bound of a relative error holds if the result is normal, that is if its absolute
// value is at least 2^-1022. For smaller results the error is at most 2^-1074, the spacing of the subnormal numbers,
// unless the comment of the function states another bound.

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
// For t <= ln 2 it computes ln(-expm1(-t)). The relative error 1.1u of expm1 becomes an absolute error of the logarithm,
// whose absolute value is at least ln 2. So the total is 1.02u + 1.1u/ln 2 < 2.7u. For t > ln 2 it computes
// log1p(-e^-t). The error 1.02u of e^-t = q is amplified by q/((1-q)|ln(1-q)|) <= 1.45. So the total is 1.02u + 1.5u <
// 2.6u.
func Log1mExp(t float64) float64 {
	if t <= Ln2 {
		return Log(-Expm1(-t))
	}
	return Log1p(-Exp(-t))
}

// Log1pMX returns ln(1+x) - x, for -1/2 <= x <= 1, with a relative error of at most 8u (u = 2^-53).
//
// With s = x/(2+x), ln(1+x) = 2 atanh s and x = 2s/(1-s), so that
//
//	ln(1+x) - x = s (2 s^2 S - x),  S = sum over j >= 0 of s^(2j)/(2j+3).
//
// where |s| <= 1/3. For x < 0 the two terms in parentheses have the same sign. For x > 0 the first term is at most 0.24
// times the second. So hardly any digits cancel. S is a sum of positive terms. It ends when a term no longer changes
// it; the sum of the later terms is at most 1/8 of the first term that is left out. The result is normal for |x| >=
// 2^-510.5. If s^2 is not normal, which needs |s| below 2^-510, it is negligible, and only the last product may be
// subnormal.
func Log1pMX(x float64) float64 {
	s := x / (2 + x)
	z := s * s
	sum, p := 1.0/3, z
	for j := 5.0; ; j += 2 {
		next := sum + p/j
		if next == sum {
			break
		}
		sum, p = next, p*z
	}
	return s * (float64(2*z*sum) - x)
}

// Expm1MX returns e^x - 1 - x, for |x| <= 1, with a relative error of at most 8u (u = 2^-53). It computes
//
//	x^2/2 (1 + x/3 (1 + x/4 (1 + ...)));
//
// The factor in parentheses lies between 0.73 and 1.44. After 18 terms the rest of its series is below 1/18! < 2^-52 u.
// The result is normal for |x| >= 2^-510.5. If x^2/2 is not normal, the factor rounds to 1, and only x^2/2 may be
// subnormal.
func Expm1MX(x float64) float64 {
	h := 1.0
	for j := 20.0; j >= 3; j-- {
		h = 1 + float64(x/j)*h
	}
	return 0.5 * x * x * h
}

// XMinusSin returns x - sin x, for 0 <= x <= pi, with a relative error of at most 12u (u = 2^-53). A subnormal result
// has an absolute error of at most 2^-1073, because x^3 and x^3/6 are both rounded to a multiple of 2^-1074.
//
// For x <= 1 it computes x^3/6 (1 - x^2/20 (1 - x^2/42 (...))), where the factor in parentheses lies between 0.95 and
// 1. For larger x it subtracts sin x, which has an absolute error of 1.3u, from x. The difference is at least 0.158, so
// its relative error is at most 1.3u/0.158 + u < 10u.
func XMinusSin(x float64) float64 {
	if x > 1 {
		sin, _ := Sincos(x)
		return x - sin
	}
	z := x * x
	h := 1.0
	for j := 19.0; j >= 5; j -= 2 { // x^19/19! < 2^-56 is the last term
		h = 1 - float64(z/(j*(j-1)))*h
	}
	return float64(x*z/6) * h
}
