package fm

import "math"

// Sincos returns sin x and cos x for 0 <= x <= pi, each with an absolute error of at most 1.3u (u = 2^-53). For x <=
// pi/2 the relative error of sin x is at most 2u.
func Sincos(x float64) (sin, cos float64) { return SincosAny(x) }

// For |x| <= seriesSine the series for sin x and cos x are used directly. The constant seriesSine is below pi/4.
const seriesSine = 0.75

// For |x| < mostReduced, SincosAny subtracts a multiple of pi/2 from x. To compute this multiple, the function uses
// pi/2 in two words.
const mostReduced = 0x1p20

// SincosAny returns sin x and cos x for |x| < 2^53. For |x| < 2^20 each has an absolute error of at most 1.3u (u =
// 2^-53). For larger |x| the absolute error is at most u|x|/128.
//
// It writes x as k pi/2 + r. The constant rightHi is the first word of pi/2. For |x| < 2^20 the product of k and
// rightHi is exact. The difference of x and this product is exact too.
func SincosAny(x float64) (sin, cos float64) {
	if math.Abs(x) <= seriesSine {
		return sinSeries(x, 0), cosSeries(x, 0)
	}
	var k int64
	var r, rl float64
	switch {
	case math.Abs(x) < mostReduced:
		shifted := float64(x*perRight) + nearest
		k = int64(math.Float64bits(shifted)) - nearestBits
		j := shifted - nearest
		r, rl = lessRights(x, j)
	case math.Abs(x) <= 0x1p53:
		j := math.RoundToEven(float64(x * perRight))
		k = int64(j)
		d := Double{halfPiHi, halfPiLo}.MulFloat(-j).AddFloat(x)
		r, rl = d.Hi, d.Lo
	default:
		return math.Sincos(x) // beyond the domain
	}
	sin, cos = sinSeries(r, rl), cosSeries(r, rl)
	if k&1 != 0 {
		sin, cos = cos, -sin
	}
	if k&2 != 0 {
		sin, cos = -sin, -cos
	}
	return sin, cos
}

// lessRights returns x - j pi/2 in two words. If j is the integer nearest to 2x/pi, the first difference in the code is
// exact.
func lessRights(x, j float64) (r, rl float64) {
	a := x - float64(j*rightHi)
	t := float64(j * rightLo)
	r = a - t
	return r, (a - r) - t
}

// sinSeries returns sin(r + rl), computed by the series up to r^17, for |r| < 0.79 and |rl| <= u = 2^-53.
func sinSeries(r, rl float64) float64 {
	z := float64(r * r)
	y := float64(z * z)
	first := (-1.0/6 + float64(z*(1.0/120))) + float64(y*(-1.0/5040+float64(z*(1.0/362880))))
	last := (-1.0/39916800 + float64(z*(1.0/6227020800))) + float64(y*(-1.0/1307674368000+float64(z*(1.0/355687428096000))))
	cube := float64(float64(r*z) * (first + float64(float64(y*y)*last)))
	return r + (cube + float64(rl*(1-float64(0.5*z))))
}

// cosSeries returns cos(r + rl), computed by the series up to r^16, for |r| < 0.79 and |rl| <= u = 2^-53.
func cosSeries(r, rl float64) float64 {
	z := float64(r * r)
	y := float64(z * z)
	first := (1.0/24 + float64(z*(-1.0/720))) + float64(y*(1.0/40320+float64(z*(-1.0/3628800))))
	last := (1.0/479001600 + float64(z*(-1.0/87178291200))) + float64(y*(1.0/20922789888000))
	fourth := float64(y * (first + float64(float64(y*y)*last)))
	return 1 - (float64(0.5*z) - (fourth - float64(r*rl)))
}

// Atan2 returns the angle of the point (x, y), unless x and y are both 0. The relative error of the result is within
// 2.5u (u = 2^-53).
//
// It computes the angle as a multiple of a right angle, plus or minus an angle between 0 and pi/4.
func Atan2(y, x float64) float64 {
	ax, ay := math.Abs(x), math.Abs(y)
	if !(ax <= math.MaxFloat64 && ay <= math.MaxFloat64 && ax+ay > 0) {
		return math.Atan2(y, x) // beyond the domain
	}
	var turn, rest, sign, a float64
	switch {
	case ay > ax:
		turn, rest, sign, a = halfPiHi, halfPiLo, 1, ax/ay
		if x > 0 {
			sign = -1
		}
	case x < 0:
		turn, rest, sign, a = piHi, piLo, -1, ay/ax
	default:
		return math.Copysign(arcTangent(0, 0, 1, ay/ax), y)
	}
	return math.Copysign(arcTangent(turn, rest, sign, a), y)
}

// For a <= seriesTangent, arcTangent computes atan(a) by the series alone, without a table.
const seriesTangent = 0x1p-4

// arcTangent returns turn + rest + sign*atan(a), for 0 <= a <= 1. The first two arguments, "turn" and "rest", add up to
// a multiple of a right angle. The argument "sign" is 1 or -1.
func arcTangent(turn, rest, sign, a float64) float64 {
	if a <= seriesTangent {
		z := float64(a * a)
		y := float64(z * z)
		series := (-1.0/3 + float64(z*(1.0/5))) + float64(y*((-1.0/7+float64(z*(1.0/9)))+float64(y*(-1.0/11+float64(z*(1.0/13))))))
		return turn + (float64(sign*a) + (rest + float64(sign*float64(float64(a*z)*series))))
	}
	i := int(float64(a*32) + 0.5)
	c := float64(i) / 32
	p := &tangents[i]
	t := (a - c) / (1 + float64(a*c))
	z := float64(t * t)
	series := (-1.0/3 + float64(z*(1.0/5))) + float64(float64(z*z)*(-1.0/7+float64(z*(1.0/9))))
	return (turn + float64(sign*p.hi)) + (rest + float64(sign*(p.lo+(t+float64(float64(t*z)*series)))))
}
