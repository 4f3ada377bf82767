package fm

import "math"

// The exponential functions write x as k ln(2)/128 + r with |r| < ln(2)/255. So e^x is 2^(k/128) e^r. The first factor
// is a power of 2 times an entry of the table "powers". The second factor is computed by a series. The number r is (x -
// k*partHi) - k*partLo. The difference in parentheses is exact. The sum partHi + partLo is ln(2)/128.

// Adding the constant "nearest" to a number below 2^51 rounds this number to an integer. The reason is that the sum is
// too large to have bits after the binary point. The rounded integer is the difference of two bit patterns, both read
// as integers. The first is the pattern of the sum, and the second is the pattern of the constant. The constant
// nearestBits is the bit pattern of nearest.
const (
	nearest     = 0x1.8p52
	nearestBits = 0x4338 << 48
)

// Adding the constant "coarse" to a small number, and then subtracting it again, rounds the number to a multiple of
// 2^-34.
const coarse = 0x1.8p18

// For |x| >= mostPower, the float64 nearest to e^x is 0 or infinity.
const mostPower = 746

// Exp returns e^x within 1.02u (u = 2^-53, relative to e^x), for x <= 709.
//
// A subnormal result is rounded twice. The first rounding has an error of at most 2^-1075.9. The second rounding has an
// error of at most 2^-1075.
func Exp(x float64) float64 {
	if !(math.Abs(x) < mostPower) {
		return expLimit(x)
	}
	shifted := float64(x*perPart) + nearest
	k := int64(math.Float64bits(shifted)) - nearestBits
	j := shifted - nearest
	p := &powers[k&127]
	rh := x - float64(j*partHi)
	rl := float64(j * partLo)
	r := rh - rl
	y := p.hi + (p.lo + float64((p.hi+p.lo)*(r+expTail(r))))
	e := k >> 7
	if e <= -1022 || e >= 1023 {
		return math.Ldexp(y, int(e))
	}
	return math.Float64frombits(math.Float64bits(y) + uint64(e)<<52)
}

// expLimit returns e^x for those x for which the float64 result is 0, +Inf or not a number.
func expLimit(x float64) float64 {
	switch {
	case x > 0:
		return math.Inf(1)
	case x < 0:
		return 0
	}
	return x
}

// expTail returns e^r - 1 - r, computed by the series up to r^6, for |r| < ln(2)/255. The terms that are left out are
// below 2^-70 in total.
func expTail(r float64) float64 {
	z := float64(r * r)
	return float64(z * ((0.5 + float64(r*(1.0/6))) + float64(z*((1.0/24+float64(r*(1.0/120)))+float64(z*(1.0/720))))))
}

// Expm1 uses a series for |x| <= seriesExpm1. For |x| >= mostExpm1, one of the numbers e^x and 1 is less than 2^-63
// times the other.
const (
	seriesExpm1 = 0x1p-4
	mostExpm1   = 44
)

// Expm1 returns e^x - 1 within 1.1u (u = 2^-53, relative to e^x - 1), for x <= 709.
func Expm1(x float64) float64 {
	if math.Abs(x) <= seriesExpm1 {
		z := float64(x * x)
		odd := (1.0/6 + float64(z*(1.0/120))) + float64(float64(z*z)*(1.0/5040+float64(z*(1.0/362880))))
		even := (1.0/24 + float64(z*(1.0/720))) + float64(float64(z*z)*(1.0/40320+float64(z*(1.0/3628800))))
		return x + float64(z*(0.5+(float64(x*odd)+float64(z*even))))
	}
	if !(math.Abs(x) < mostExpm1) {
		return Exp(x) - 1
	}
	shifted := float64(x*perPart) + nearest
	k := int64(math.Float64bits(shifted)) - nearestBits
	j := shifted - nearest
	p := &powers[k&127]
	s := math.Float64frombits(uint64(k>>7+1023) << 52)
	rh := x - float64(j*partHi)
	rl := float64(j * partLo)
	r := rh - rl
	// The product of p.hi and rh may not be exact. So rh is written as a + low. Here a has so few bits that the product
	// of p.hi and a is exact. The variable "low" is a difference, which is exact too.
	a := (rh + coarse) - coarse
	low := rh - a
	rest := p.lo + (float64(p.hi*(low-rl)) + (float64(p.lo*r) + float64((p.hi+p.lo)*expTail(r))))
	v := sum(float64(s*p.hi), -1)
	w := sum(v.Hi, float64(s*float64(p.hi*a)))
	return w.Hi + (w.Lo + (v.Lo + float64(s*rest)))
}
