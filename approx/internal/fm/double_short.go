package fm

import "math"

// The functions in this file are faster than Exp and LogMiss, and less accurate. They are used for alternating sums.
// The terms of such sums need more precision than one word, but not the full precision of two words.

// ExpWords returns two numbers y and e with e^a = y 2^e, for -700 <= a <= 0. The number y lies between 0.99 and 2.01.
// The argument a must satisfy |Lo| <= 2^-45. The relative error is at most 2^-76 for a >= -90, and at most 2^-75 for
// smaller a.
//
// ExpWords writes a as j ln(2)/128 + r, as Exp does. For a >= -90, the number j is below 2^14.1. For smaller a it is
// below 2^17.1. The product j*partHi is exact. The first word of r is also exact, before the second word is added. The
// sum partHi + partLo has an error of at most 2^-97. The number |j partLo| is below 2^-28 for a >= -90, and below 2^-25
// for smaller a. So the error of r is at most 2^-80.5 for a >= -90, and at most 2^-77 for smaller a. The other errors
// are relative. The table "powers" has an error of 2^-79. The number r^3 (1/6 + ...) is computed in one word. It is at
// most 2^-28.1, and its relative error is at most 4u (u = 2^-53). The terms left out are below 2^-83. This number has
// an error, and terms are left out. Together these two errors contribute 2^-78. Eight roundings of second words also
// contribute 2^-78. Each of these words is at most 2^-28.1 times the first word.
//
// Each number that is rounded is converted to float64, so the result does not depend on FMA instructions.
func (a Double) ExpWords() (y Double, e int) {
	k := int64(math.Float64bits(float64(a.Hi*perPart)+nearest)) - nearestBits
	j := float64(k)
	p := &powers[k&127]
	power := fastSum(p.hi, p.lo)
	r := sum(a.Hi-float64(j*partHi), a.Lo-float64(j*partLo))
	square := float64(r.Hi * r.Hi)
	low := math.FMA(r.Hi, r.Hi, -square)/2 + float64(r.Hi*r.Lo)
	h := r.Hi
	cubic := float64(float64(square*h) * (1.0/6 + float64(h*(1.0/24+float64(h*(1.0/120+float64(h*(1.0/720+float64(h*(1.0/5040))))))))))
	m := fastSum(h, square/2) // e^r - 1
	m.Lo += r.Lo + (low + cubic)
	h = float64(power.Hi * m.Hi)
	s := fastSum(power.Hi, h)
	return fastSum(s.Hi, s.Lo+(power.Lo+(math.FMA(power.Hi, m.Hi, -h)+(float64(power.Hi*m.Lo)+float64(power.Lo*m.Hi))))), int(k >> 7)
}

// mostShort is the largest c/m for which LogMissShort uses its series.
const mostShort = 1.0 / 16

// LogMissShort returns ln(1 - c/m), for c < m and c < 2^53, with a relative error of at most 2^-84.
//
// For c <= m/16 it computes -2 atanh s with s = c/(2m-c) <= 1/31. The series is s + s z (1/3 + z (1/5 + z T)) with z =
// s^2 < 2^-9.9. T has one word and a relative error of at most 2u (u = 2^-53). This error contributes z^3 T 2u <
// 2^-84.4. The terms left out are below z^9/19 < 2^-93. The operations in two words contribute less than 2^-100.
func LogMissShort(c, m uint64) Double {
	if float64(c) > mostShort*float64(m) {
		return LogMiss(c, m)
	}
	w := Whole(m)
	cf := float64(c)
	s := Double{cf, 0}.Quo(Double{2 * w.Hi, 2 * w.Lo}.AddFloat(-cf))
	z := s.Mul(s)
	x := z.Hi
	tail := 1.0/7 + float64(x*(1.0/9+float64(x*(1.0/11+float64(x*(1.0/13+float64(x*(1.0/15+float64(x*(1.0/17))))))))))
	h := odd[1].Add(z.Mul(odd[2].Add(z.MulFloat(tail))))
	l := s.Add(s.Mul(z.Mul(h)))
	return Double{-2 * l.Hi, -2 * l.Lo}
}

// AtanhQuotient returns 2 atanh(c/d), for 0 < c <= d/190, with a relative error of at most 2^-82. The argument d may be
// any Double.
//
// The series is s (1 + z/3 + z^2 (1/5 + ...)) with s = c/d and z = s^2 < 2^-15.1. The term z/3 is computed in two
// words, and the later terms in one word. The first of them is z^2/5 < 2^-32.5. Their relative error of at most 4u (u =
// 2^-53) contributes 2^-83.5. The terms left out are below z^6/13 < 2^-94.
func AtanhQuotient(c float64, d Double) Double {
	s := c / d.Hi
	low := (math.FMA(-s, d.Hi, c) - float64(s*d.Lo)) / d.Hi
	z := float64(s * s)
	zl := math.FMA(s, s, -z) + float64(2*s*low)
	h := float64(z * odd[1].Hi)
	hl := math.FMA(z, odd[1].Hi, -h) + float64(z*odd[1].Lo) + float64(zl*odd[1].Hi) + float64(float64(z*z)*(1.0/5+float64(z*(1.0/7+float64(z*(1.0/9+float64(z*(1.0/11))))))))
	m := float64(s * h)
	r := fastSum(s, m)
	return Double{2 * r.Hi, 2 * (r.Lo + (low + (math.FMA(s, h, -m) + (float64(s*hl) + float64(low*h)))))}
}

// ExactProduct returns a*b exactly, provided that the product is between 2^-450 and 2^450.
func ExactProduct(a, b float64) Double {
	p := float64(a * b)
	return Double{p, math.FMA(a, b, -p)}
}

// AddLoose returns a + b, where the second words may be larger than those of a Double. It does not normalise the sum.
// The sum of the first words has a rounding error. The second word of the result is the sum of this error and both
// second words. Three roundings of second words are the only errors.
func (a Double) AddLoose(b Double) Double {
	s := sum(a.Hi, b.Hi)
	return Double{s.Hi, s.Lo + (a.Lo + b.Lo)}
}
