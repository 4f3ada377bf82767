package fm

import "math"

// If the argument of the logarithm differs from 1 by at most seriesLog, Log and Log1p use a series.
const seriesLog = 0x1p-7

// For x >= mostLog1p, Log1p(x) returns Log(x), because the relative difference of ln(1+x) and ln x is below 2^-65.
const mostLog1p = 0x1p60

// Log returns ln x within 1.02u for x > 0 (u = 2^-53, relative to ln x), and -Inf for x = 0.
func Log(x float64) float64 {
	if r := x - 1; math.Abs(r) <= seriesLog {
		return r + logTail(r)
	}
	if x >= smallestNormal && x <= 0x1p1023 {
		return logSum(x, 0, 0)
	}
	switch {
	case x == 0:
		return math.Inf(-1)
	case x > 0 && x < smallestNormal:
		return logSum(x*0x1p54, 0, -54)
	case x > 0 && x <= math.MaxFloat64:
		return logSum(x/2, 0, 1)
	case x < 0:
		return math.NaN()
	}
	return x
}

// Log1p returns ln(1+x) within 1.02u (u = 2^-53, relative to ln(1+x)), for x > -1.
func Log1p(x float64) float64 {
	if math.Abs(x) <= seriesLog {
		return x + logTail(x)
	}
	if x > -1 && x < mostLog1p {
		s := sum(1, x)
		return logSum(s.Hi, s.Lo, 0)
	}
	return Log(1 + x)
}

// logSum returns the sum of ln(x + c) and shift*ln 2. It requires a normal x <= 2^1023 and |c| <= u x. If its absolute
// value is at least 2^-8, the result is within 1.02u (u = 2^-53, relative to the result).
//
// The function writes x = 2^e z, where z lies in one of 128 intervals. For each interval the table "logs" has a factor
// near 1/z. The product of this factor and z + 2^-e c is 1 + r with |r| < 2^-7. The factor has 9 bits after the binary
// point. So its product with the first 32 bits of z is exact, and so is its product with the remaining bits. The
// function logSum adds three numbers: (e+shift)*ln2Hi, the field "hi" of the table, and the first part of r. Their sum
// has at most 53 bits and is exact.
func logSum(x, c float64, shift int64) float64 {
	bits := math.Float64bits(x)
	from := bits - logStart
	e := int64(from) >> 52
	z := math.Float64frombits(bits - uint64(e)<<52)
	p := &logs[from>>45&127]
	zh := math.Float64frombits(math.Float64bits(z) &^ (1<<21 - 1))
	zl := z - zh
	cz := float64(c * math.Float64frombits(uint64(1023-e)<<52))
	ef := float64(e + shift)
	rh := float64(zh*p.inverse) - 1
	rl := float64((zl + cz) * p.inverse)
	r := rh + rl
	w := (float64(ef*ln2Hi) + p.hi) + rh
	return w + ((float64(ef*ln2Lo) + p.lo) + (rl + logTail(r)))
}

// logTail returns ln(1+r) - r, computed by the series up to r^9, for |r| <= 2^-7. The terms that are left out are below
// 2^-66 |r| in total.
func logTail(r float64) float64 {
	z := float64(r * r)
	first := (-1.0/2 + float64(r*(1.0/3))) + float64(z*(-1.0/4+float64(r*(1.0/5))))
	last := (-1.0/6 + float64(r*(1.0/7))) + float64(z*(-1.0/8+float64(r*(1.0/9))))
	return float64(z * (first + float64(float64(z*z)*last)))
}
