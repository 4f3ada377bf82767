package fm

import "math"

var ln2 = Double{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56} // within 2^-110

// mostExp is the largest |a| for which e^a is computed. For larger |a|, the exponents of further products would not fit
// into 32 bits.
const mostExp = 0x1p28

// For |a| < directExpm1 the method Expm1 returns expm1(a), and the method Exp returns 1 + expm1(a). The constant
// directExpm1 is half of ln 2, rounded up.
const directExpm1 = 0.35

// Exp returns e^a for a <= 2^28, with a relative error of at most 2^-98 + |a| 2^-104. For a < -2^28 it returns 0. It
// writes a as j ln 2 + x with |x| < 0.35, and computes 2^j (1 + expm1(x)). The number x has an absolute error of 3v |a|
// (v = 2^-106).
func (a Double) Exp() Scaled {
	if a.Hi < -mostExp {
		return Scaled{}
	}
	j := math.RoundToEven(a.Hi / math.Ln2)
	x := a.Sub(ln2.MulFloat(j))
	return Scaled{expm1(x).AddFloat(1), int(j)}.fit()
}

// Expm1 returns e^a - 1, for a < 700, with a relative error of at most 2^-98 + |a| 2^-104.
func (a Double) Expm1() Double {
	if math.Abs(a.Hi) < directExpm1 {
		return expm1(a)
	}
	return a.Exp().Unscaled().AddFloat(-1)
}

// factorial[j] is 1/(j+1)!.
var factorial = func() (t [13]Double) {
	t[0] = Whole(1)
	for j := 1; j < len(t); j++ {
		t[j] = t[j-1].QuoFloat(float64(j + 1))
	}
	return t
}()

// For |x| <= seriesEnd, expm1(x) uses its series directly. The other constants are further limits of |x|. If |x| is
// below one of these limits, fewer terms of the series need a second word.
const (
	seriesEnd  = 0.0113  // 0.36/32, rounded up; 13 terms leave x^13/14! < 2^-109 of the first term
	fiveWords  = 0x1p-12 // the sixth term is below x^5/6! < 2^-69
	threeWords = 0x1p-27 // the fourth term is below x^3/4! < 2^-85
)

// The function expm1 returns e^x - 1 for |x| < 0.36, with a relative error of at most 2^-100. For |x| <= 0.0113 it uses
// the series
//
//	x (1 + x (1/2! + x (1/3! + ...))).
//
// After 13 terms the rest of the series is below 2^-109 of the sum. The terms beyond the seventh are below 2^-60 and
// need no second word. For smaller x fewer terms need a second word. If |x| > 0.0113, x is divided by 32. Then e =
// e^(x/32) - 1 is replaced five times by e (2 + e). This adds 7v (v = 2^-106) to the relative error.
func expm1(x Double) Double {
	halved := 0
	for math.Abs(x.Hi) > seriesEnd {
		x = Double{x.Hi / 32, x.Lo / 32}
		halved += 5
	}
	words := 7
	switch z := math.Abs(x.Hi); {
	case z < threeWords:
		words = 3
	case z < fiveWords:
		words = 5
	}
	h := 0.0
	for j := words + 5; j >= words; j-- {
		h = float64(h*x.Hi) + factorial[j].Hi
	}
	e := x.MulFloat(h)
	for j := words - 1; j > 0; j-- {
		e = e.Add(factorial[j]).Mul(x)
	}
	e = e.AddFloat(1).Mul(x)
	for range halved {
		e = e.Mul(e.AddFloat(2))
	}
	return e
}

// odd[j] is 1/(2j+1).
var odd = func() (t [7]Double) {
	for j := range t {
		t[j] = Double{1, 0}.QuoFloat(float64(2*j + 1))
	}
	return t
}()

// For |a| < smallLog, Log1p(a) sums 12 terms of a series in powers of z. The comment of Log1p defines this number z.
// For z below twoWords only the first two terms need a second word.
const (
	smallLog = 0x1p-4
	twoWords = 0x1p-26 // the third term is below z^2/5 < 2^-54
)

// Log1p returns ln(1+a), for a >= -1/2, with a relative error of at most 2^-97.
//
// For |a| < 1/16 it computes 2 atanh s with s = a/(2+a). It uses the series in powers of z = s^2 < 2^-9.8. After 12
// terms the rest of the series is below 2^-117 of the sum. The terms from the seventh on are below 2^-58 and need no
// second word. For smaller z the terms from the third on need no second word.
func (a Double) Log1p() Double {
	if math.Abs(a.Hi) >= smallLog {
		return a.AddFloat(1).Log()
	}
	s := a.Quo(a.AddFloat(2))
	z := s.Mul(s)
	words := len(odd)
	if z.Hi < twoWords {
		words = 2
	}
	tail := 0.0
	for j := words + 4; j >= words; j-- {
		tail = float64(tail*z.Hi) + 1/float64(2*j+1)
	}
	h := Double{tail, 0}
	for j := words - 1; j >= 0; j-- {
		h = h.Mul(z).Add(odd[j])
	}
	h = h.Mul(s)
	return Double{2 * h.Hi, 2 * h.Lo}
}

// Log returns ln a for a > 0. If |ln a| > 1/17, the relative error is at most 2^-97. It begins with a float64 l near ln
// a. The number r = a e^-l - 1 is then below 2^-50. It returns l + r - r^2/2. The returned value has an error of r^3/3,
// because ln a = l + ln(1+r).
func (a Double) Log() Double { return a.logFrom(Log(a.Hi)) }

func (a Double) logFrom(l float64) Double {
	r := a.Scale().Mul(Double{-l, 0}.Exp()).Unscaled().AddFloat(-1)
	return r.AddFloat(-0.5 * r.Hi * r.Hi).AddFloat(l)
}

// LogMiss returns ln(1 - c/m), for c < m, with a relative error of at most 2^-97.
func LogMiss(c, m uint64) Double {
	if c > m/2 {
		return Whole(m - c).Quo(Whole(m)).Log()
	}
	return Whole(c).Quo(Whole(m)).Neg().Log1p()
}

// Log1pMX returns ln(1+a) - a, for -1/2 <= a <= 1, with a relative error of at most 2^-58.
//
// Like the function Log1pMX for float64, it computes s (2 s^2 S - a) with s = a/(2+a). Here
//
//	S = 1/3 + s^2 T,  T = 1/5 + s^2 (1/7 + ...).
//
// T needs no second word. The number T has a relative error of 2u (u = 2^-53). Because s^2 <= 1/9, this causes a
// relative error of only u/7 in S. Moreover, 2 s^2 S is at most 0.14 times the absolute value of the factor 2 s^2 S -
// a.
func (a Double) Log1pMX() Double {
	s := a.Quo(a.AddFloat(2))
	z := s.Mul(s)
	inner, p := 0.2, z.Hi
	for j := 7.0; ; j += 2 {
		next := inner + p/j
		if next == inner {
			break
		}
		inner, p = next, p*z.Hi
	}
	sum := odd[1].Add(z.MulFloat(inner))
	return s.Mul(z.Mul(sum).MulFloat(2).Sub(a))
}

// For t <= seriesHit the method Hit uses the series of 1 - e^-t.
const seriesHit = 0x1p-6

// Hit returns 1 - e^-t, for 0 < t <= 8, with a relative error of at most 2^-62. It is faster than Expm1.
//
// For t <= 2^-6 it computes t - t^2/2 + t^3 (1/6 - t/24 + ...). The first two terms have two words. The third term is
// at most t 2^-14.5, and has a relative error below 6u (u = 2^-53). The terms left out are below t^9/10! < 2^-75 t.
//
// For larger t it writes -t as j ln(2)/128 + r, as Exp does. Here r has two words. Its absolute error is at most 2^-84,
// because the product j*partLo is below 2^-32. The number e^r - 1 - r is below 2^-18. It has a relative error of at
// most 4u. It is computed from the first word of r. This adds an error of r^2 u, which is below 2^-70. The entry of the
// table "powers" has an error of at most 2^-79. So e^-t has an absolute error below 2^-68.2, and 1 - e^-t is above
// 2^-6.02.
func (a Double) Hit() Double {
	if a.Hi <= seriesHit {
		t := a.Hi
		square := a.Mul(a)
		rest := 1.0/6 - float64(t*(1.0/24-float64(t*(1.0/120-float64(t*(1.0/720-float64(t*(1.0/5040-float64(t*(1.0/40320-float64(t*(1.0/362880))))))))))))
		return a.Add(Double{-square.Hi / 2, -square.Lo / 2}).AddFloat(float64(square.Hi*t) * rest)
	}
	k := int64(math.Float64bits(float64(-a.Hi*perPart)+nearest)) - nearestBits
	j := float64(k)
	p := &powers[k&127]
	s := math.Float64frombits(uint64(k>>7+1023) << 52)
	r := sum(-a.Hi-float64(j*partHi), -a.Lo-float64(j*partLo))
	e := fastSum(r.Hi, r.Lo+expTail(r.Hi)) // e^r - 1
	miss := fastSum(p.hi, p.lo)
	miss = miss.Add(miss.Mul(e))
	return Double{-s * miss.Hi, -s * miss.Lo}.AddFloat(1)
}
