package interval

import (
	"math"
	"math/big"
	"math/bits"
	"sync"
)

// This file evaluates functions at a single point in fixed-point arithmetic. A big.Int V at scale F represents the
// number V/2^F. An ulp is 2^-F. All divisions and shifts round down, so sums of positive terms are lower bounds. The
// comment of each function states how far below the true value such a bound can be.

// expLimit limits the arguments of Exp. For larger arguments, exponents would leave the range of big.Float (and of int
// on 32-bit hosts).
const expLimit = 1_400_000_000

// floorFixed returns floor(x * 2^scale).
func floorFixed(x *big.Float, scale uint) *big.Int {
	mant, exp := mantissa(x)
	switch shift := exp + int64(scale); {
	case shift >= 0:
		return mant.Lsh(mant, uint(shift))
	case -shift > int64(mant.BitLen()):
		return mant.SetInt64(int64(min(mant.Sign(), 0)))
	default:
		return mant.Rsh(mant, uint(-shift)) // rounds down, also for negative numbers
	}
}

// Guard bits are extra bits with which the parts of a result are computed.
const (
	// The value at a point is computed with endGuard extra bits. So the width of its enclosure is at most a sixteenth
	// of a unit in the last place of the result. After rounding, each end differs from the true value by at most one
	// unit in the last place.
	endGuard = 4
	// pointGuard is the number of extra bits that cover the rounding errors of a function at a point. The function has
	// fewer than 16 roundings of one unit each.
	pointGuard = 8
	// With exactGuard extra bits, 1+t is exact for |t| >= 2^-8, and x-1 is exact for 1/2 <= x <= 2. The reason is as
	// follows. The result 1+t needs at most exactGuard bits more than t. The result x-1 needs at most exactGuard bits
	// more than x.
	exactGuard = 16
)

// The numbers ln 2 and pi are computed with constantAhead more bits than requested. So the cached value also suffices
// for a slightly more precise request.
const constantAhead = 64

var ln2Cache struct {
	sync.Mutex
	value *big.Int // replaced by another big.Int, and never changed in place
	scale uint
}

// ln2Fixed returns a number v such that ln 2 lies in [v, v+2] at the given scale.
//
// It uses a Machin-like formula, ln 2 = 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749), with 40 more bits. Let T be
// the number of terms in the series for an atanh. Each atanh has an error of at most e = 2T+2 < 2^30 ulp (see
// atanhInv). So the total error is at most (18+2+8) e < 2^35 ulp. Shifting out the 40 bits reduces this error to less
// than one ulp, and truncation adds another ulp.
func ln2Fixed(scale uint) *big.Int {
	const guard = 40 // extra bits: see the comment of the function
	c := &ln2Cache
	c.Lock()
	defer c.Unlock()
	if c.value == nil || c.scale < scale {
		v := ln2Sum(scale + constantAhead + guard)
		c.value, c.scale = new(big.Int).Rsh(v, guard), scale+constantAhead
	}
	return new(big.Int).Rsh(c.value, c.scale-scale)
}

// ln2Sum returns a lower bound of ln 2 at the given scale, by the formula of ln2Fixed.
func ln2Sum(scale uint) *big.Int {
	a, _ := atanhInv(26, scale)
	b, missed := atanhInv(4801, scale)
	d, _ := atanhInv(8749, scale)
	b.Add(b, big.NewInt(missed)) // makes b an upper bound, because b is subtracted
	v := new(big.Int).Mul(a, big.NewInt(18))
	b.Lsh(b, 1)
	v.Sub(v, b)
	d.Lsh(d, 3)
	return v.Add(v, d)
}

// atanhInv returns numbers v and "missed" such that atanh(1/q) lies in [v, v+missed] at the given scale.
//
// The power q^-(2i+1) is computed by dividing the previous power by q^2. This division turns an error e of the previous
// power into at most e/q^2 + 1 < 1.01 ulp. The division by 2i+1 adds one ulp. When the computed power is 0, the true
// power is below 1.01 ulp, and so is the rest of the series.
func atanhInv(q int64, scale uint) (v *big.Int, missed int64) {
	power := new(big.Int).Lsh(one, scale)
	power.Quo(power, big.NewInt(q))
	q2, odd, term := big.NewInt(q*q), new(big.Int), new(big.Int)
	v = new(big.Int)
	terms := int64(0)
	for ; power.Sign() > 0; terms++ {
		odd.SetInt64(2*terms + 1)
		term.Quo(power, odd)
		v.Add(v, term)
		power.Quo(power, q2)
	}
	return v, 2*terms + 2
}

// expPoint returns an enclosure of e^x for |x| <= expLimit, with a relative width of at most 2^-prec.
func expPoint(x *big.Float, prec uint) *Interval {
	if x.Sign() == 0 {
		return New(prec).SetUint64(1)
	}
	sum, missed, n, wide := expFixed(x, prec)
	return New(prec+2).SetScaled(sum, missed.Add(missed, sum), int(n)-int(wide))
}

// expFixed returns an integer n and an enclosure of e^x 2^-n. For x != 0 and |x| <= expLimit, the number e^x 2^-n lies
// in [sum, sum+missed] 2^-wide. It is at least 1 and below 2.1. The result "missed" is at most 2^(wide-prec-3).
func expFixed(x *big.Float, prec uint) (sum, missed *big.Int, n int64, wide uint) {
	// The argument is reduced to r with x = n ln 2 + r and 0 <= r < 0.7. Then e^(r/2^s) is computed. This number is
	// squared s times, which gives e^r.
	s := uint(math.Sqrt(float64(prec))/1.5) + 2 // about as many squarings as terms of the series
	// Let "count" be the number of terms of the series. The relative error of the result is at most 4 (3*count + 16)
	// times 2^-scale. The series has fewer than prec + 8 terms, so the error is below 2^(bits.Len(prec)+9-scale). This
	// is at most an eighth of 2^-prec.
	const guard = 12
	scale := prec + 2*s + uint(bits.Len(prec)) + guard // the scale of r
	wide = scale + s                                   // the scale of r/2^s and of all numbers computed from it
	approx, _ := x.Float64()
	n = int64(math.Floor(approx / math.Ln2))
	fixed := floorFixed(x, scale)
	reduced := func() *big.Int {
		// The number n ln 2, with |n| < 2^32, is computed with 34 more bits. At this scale, the error of n times
		// ln2Fixed is 2n units. This is less than one ulp.
		const more = 34
		m := ln2Fixed(scale + more)
		m.Mul(m, big.NewInt(n))
		m.Rsh(m, more)
		return m.Sub(fixed, m)
	}
	r := reduced() // has an error of at most 2 ulp: one from x, which is rounded down, and one from n ln 2
	if r.Cmp(two) < 0 {
		n--
		r = reduced()
	}
	r.Sub(r, two)
	// Now the integer r is at least 0. The reduced argument is divided by 2^s. In units of 2^-wide, the true value of
	// this quotient lies in [r, r+4].
	sum, missed = expSeries(r, s, wide)
	return sum, missed, n, wide
}

// expSeries returns a lower bound and the width of an enclosure. Let y be any number with r <= y 2^wide <= r+4. Then
// e^(y 2^s) 2^wide is at least the lower bound. It exceeds this bound by at most the width. The caller must ensure that
// 0 <= r <= 0.71*2^wide and e^(y 2^s) < 2.1.
func expSeries(r *big.Int, s, wide uint) (sum, missed *big.Int) {
	// The i-th term of the Taylor series is floor(floor(t*y)/i), where t is the previous term and y = r/2^s. An error e
	// of t becomes an error of at most (e y + 1)/i + 1 < 3 ulp for y < 0.71. When a computed term is 0, the rest of the
	// series is below 3 ulp.
	sum = new(big.Int).Lsh(one, wide)
	term, div := new(big.Int).Set(sum), new(big.Int)
	count := int64(1)
	for ; term.Sign() > 0; count++ {
		term.Mul(term, r)
		term.Rsh(term, wide)
		div.SetInt64(count)
		term.Quo(term, div)
		sum.Add(sum, term)
	}
	// Suppose that the argument y = r/2^s of the series has an error of 4 ulp. Then e^y has an error of less than 11
	// ulp.
	missed = big.NewInt(3*count + 3 + 11 + 1)
	// Suppose that a computed power is too small by a relative error d, and that the true power is at least 1. Then
	// squaring turns d into at most 2d + 2^-wide. So after s squarings the error is below 2^s (missed + 1) times the
	// true value. The true value is below 2.1.
	for range s {
		sum.Mul(sum, sum)
		sum.Rsh(sum, wide)
	}
	return sum, missed.Lsh(missed, s+2)
}

var two = big.NewInt(2)

// Exp sets z to e^x. If x exceeds 1.4e9, z is not Valid. For x below -1.4e9 the result is [0, e^-1.4e9].
func (z *Interval) Exp(x *Interval) *Interval {
	p := z.target(x)
	if x.bad || x.hi.Cmp(big.NewFloat(expLimit)) > 0 {
		return z.spoil(p)
	}
	low := big.NewFloat(-expLimit)
	hi := new(big.Float).Copy(&x.hi)
	if hi.Cmp(low) < 0 {
		hi.Copy(low)
	}
	upper := expPoint(hi, p+endGuard)
	lower := upper
	switch {
	case x.lo.Cmp(low) < 0:
		lower = new(Interval)
	case x.lo.Cmp(hi) != 0:
		lower = expPoint(&x.lo, p+endGuard)
	}
	return z.finish(p, down(p).Set(&lower.lo), up(p).Set(&upper.hi))
}

// The function "series" returns an enclosure of the sum over i >= 0 of c_i u^i. Here 0 <= u <= 1/16 and c_0 = 1. Given
// the power u^i, the function sumTerm returns c_i u^i, rounded down once. The derivative of the sum must be at most 1.
// The relative width of the result is at most 2^-prec plus the width of u.
func series(u *Interval, prec uint, sumTerm func(power *big.Int, i int64) *big.Int) *Interval {
	const guard = 6 // the error is 3i+5 units with i <= prec/4 + 3, which is below 2^(bits.Len(prec)+4)
	scale := prec + uint(bits.Len(prec)) + guard
	ulo, uhi := floorFixed(&u.lo, scale), floorFixed(&u.hi, scale)
	sum, missed := seriesFixed(ulo, uhi, scale, sumTerm)
	return New(prec+2).SetScaled(sum, missed.Add(missed, sum), -int(scale))
}

// The function "series" encloses the sum of a series. The function seriesFixed computes this enclosure. Let u be
// between ulo 2^-scale and (uhi+1) 2^-scale. Then the sum of the series lies in the following interval:
//
//	[sum, sum+missed] 2^-scale.
func seriesFixed(ulo, uhi *big.Int, scale uint, sumTerm func(power *big.Int, i int64) *big.Int) (sum, missed *big.Int) {
	power := new(big.Int).Lsh(one, scale)
	sum = new(big.Int).Set(power)
	i := int64(1)
	// Multiplying a power by u turns its error e into at most e/16 + 1 < 1.1 ulp. Each term adds one ulp. When a
	// computed term is 0, the rest of the series is below 2 ulp.
	for ; ; i++ {
		power.Mul(power, ulo)
		power.Rsh(power, scale)
		if power.Sign() == 0 {
			break
		}
		sum.Add(sum, sumTerm(power, i))
	}
	// Both ends of u were rounded down. Each end has an error of at most one ulp. So the sum of the series changes by
	// at most one ulp, because its derivative with respect to u is at most 1.
	missed = new(big.Int).Sub(uhi, ulo)
	return sum, missed.Add(missed, big.NewInt(3*i+5))
}

// log1pSmall returns an enclosure of log(1+t) for all t in a Valid interval with |t| <= 2^-8. If the interval is a
// point, the relative width is about 2^-prec. The function uses this series:
//
//	log(1+t) = 2 atanh(t/(2+t)) = 2 v (1 + v^2/3 + v^4/5 + ...),   where v = t/(2+t).
func log1pSmall(t *Interval, prec uint) *Interval {
	v := New(prec+pointGuard).Add(t, New(prec+pointGuard).SetUint64(2))
	v.Quo(t, v)
	if v.bad {
		return v
	}
	div, term := new(big.Int), new(big.Int)
	s := series(New(prec+pointGuard).PowInt(v, two), prec+endGuard, func(power *big.Int, i int64) *big.Int {
		div.SetInt64(2*i + 1)
		return term.Quo(power, div)
	})
	v.Mul(v, s)
	return v.MulPow2(v, 1)
}

// logPoint returns an enclosure of log x for x > 0, with a relative width of about 2^-prec.
func logPoint(x *big.Float, prec uint) *Interval {
	if d := lessOne(x); d != nil && small(d) {
		return log1pSmall(New(prec+pointGuard).SetEnds(d, d), prec)
	}
	// Write x = m 2^e with 0.7 <= m < 1.42, so that e ln 2 and log m cannot cancel. Let y be a float64 near log m, and
	// let t = m e^-y - 1. The number log m is computed as y + log(1 + t). The result is correct for any y. Even if
	// math.Log is inaccurate, |t| < 2^-40.
	m := new(big.Float).Copy(x)
	e := m.MantExp(m)
	approx, _ := m.Float64()
	if approx < math.Sqrt2/2 {
		m.SetMantExp(m, 1)
		e, approx = e-1, 2*approx
	}
	const guard = 20 // ten bits because log m can be 2^-9 when t is 2^-50, and ten for the rounding errors
	work := prec + guard
	y := big.NewFloat(math.Log(approx))
	t := expPoint(new(big.Float).Neg(y), work+endGuard)
	t.Mul(t, New(work+endGuard).SetEnds(m, m))
	t.SetPrec(work + endGuard)
	t.Sub(t, New(work+endGuard).SetUint64(1))
	if t.bad || !small(&t.lo) || !small(&t.hi) {
		return New(prec).spoil(prec) // happens only if math.Log is very inaccurate
	}
	r := New(work).Add(log1pSmall(t, work), New(work).SetEnds(y, y))
	if e != 0 {
		l := ln2Fixed(work + pointGuard)
		ln2 := New(work+pointGuard).SetScaled(l, new(big.Int).Add(l, two), -int(work+pointGuard))
		ln2.Mul(ln2, New(work).SetInt(big.NewInt(int64(e))))
		r.Add(r, ln2)
	}
	return r
}

// The function "small" reports whether |x| < 2^-8.
func small(x *big.Float) bool { return x.Sign() == 0 || x.MantExp(nil) <= -8 }

// lessOne returns x - 1 exactly for 1/2 <= x <= 2, and nil for other x.
func lessOne(x *big.Float) *big.Float {
	if x.Cmp(big.NewFloat(0.5)) < 0 || x.Cmp(big.NewFloat(2)) > 0 {
		return nil
	}
	return new(big.Float).SetPrec(x.MinPrec()+exactGuard).Sub(x, big.NewFloat(1))
}

// Log sets z to the natural logarithm of x. If x contains 0 or a negative number, z is not Valid. The relative error is
// small even if x is near 1.
func (z *Interval) Log(x *Interval) *Interval {
	p := z.target(x)
	if x.bad || x.lo.Sign() <= 0 {
		return z.spoil(p)
	}
	return z.monotone(p, x, logPoint)
}

// Let f be an increasing function. The method "monotone" sets z to an interval that contains f(t) for every t in x.
func (z *Interval) monotone(p uint, x *Interval, f func(*big.Float, uint) *Interval) *Interval {
	lower := f(&x.lo, p+endGuard)
	upper := lower
	if !x.IsPoint() {
		upper = f(&x.hi, p+endGuard)
	}
	if lower.bad || upper.bad {
		return z.spoil(p)
	}
	return z.finish(p, down(p).Set(&lower.lo), up(p).Set(&upper.hi))
}

// Log1p sets z to log(1+x). If x contains a number that is -1 or less, z is not Valid.
func (z *Interval) Log1p(x *Interval) *Interval {
	p := z.target(x)
	if x.bad || x.lo.Cmp(big.NewFloat(-1)) <= 0 {
		return z.spoil(p)
	}
	return z.monotone(p, x, log1pPoint)
}

func log1pPoint(t *big.Float, prec uint) *Interval {
	e := t.MantExp(nil)
	point := New(prec+pointGuard).SetEnds(t, t)
	switch {
	case small(t):
		return log1pSmall(point, prec)
	case e <= 0:
		return logPoint(new(big.Float).SetPrec(t.MinPrec()+exactGuard).Add(t, big.NewFloat(1)), prec)
	}
	// Here 1 + t >= 1.5, so the relative error of the logarithm is at most 2.5 times the relative error of 1 + t.
	point.Add(point, New(prec).SetUint64(1))
	return New(prec + endGuard).Log(point)
}

// Expm1 sets z to e^x - 1, with a small relative error even if x is near 0. If x exceeds 1.4e9, z is not Valid.
func (z *Interval) Expm1(x *Interval) *Interval {
	p := z.target(x)
	if x.bad {
		return z.spoil(p)
	}
	return z.monotone(p, x, expm1Point)
}

func expm1Point(x *big.Float, prec uint) *Interval {
	point := New(prec+pointGuard).SetEnds(x, x)
	switch {
	case x.Sign() == 0:
		return New(prec)
	case x.MantExp(nil) > -2: // |x| >= 1/4: at most three bits cancel
		return New(prec+pointGuard).Sub(New(prec+pointGuard).Exp(point), New(prec).SetUint64(1))
	}
	// The code uses the identity e^x - 1 = x e^(x/2) sinh(w)/w with w = x/2. The quotient sinh(w)/w is the sum of
	// w^(2i)/(2i+1)!, and all terms are positive. The number w must be a single point. Therefore it is computed from
	// the exact x.
	w := New(x.MinPrec()).SetEnds(x, x)
	w.MulPow2(w, -1)
	fact := new(big.Int).Set(one)
	term, step := new(big.Int), new(big.Int)
	s := series(New(prec+pointGuard).PowInt(w, two), prec+endGuard, func(power *big.Int, i int64) *big.Int {
		step.SetInt64(2 * i * (2*i + 1))
		fact.Mul(fact, step)
		return term.Quo(power, fact)
	})
	r := New(prec + pointGuard).Exp(w)
	r.Mul(r, s)
	return r.Mul(r, point)
}

// Pow sets z to x^y for x > 0, or for x >= 0 and y > 0. For other x and y, z is not Valid.
func (z *Interval) Pow(x, y *Interval) *Interval {
	p := z.target(x, y)
	if x.bad || y.bad || x.lo.Sign() < 0 || x.lo.Sign() == 0 && y.lo.Sign() <= 0 {
		return z.spoil(p)
	}
	if x.hi.Sign() == 0 {
		return z.finish(p, down(p), up(p))
	}
	// An absolute error of y log x becomes a relative error of the power x^y. The number |y log x| is below 2^31,
	// because Exp accepts no larger arguments. So 31 extra bits are needed for this number. For three roundings, 5 more
	// bits are needed.
	const guard = 36
	work := p + guard
	power := func(xe *big.Float) *Interval {
		l := New(work).Log(New(work).SetEnds(xe, xe))
		l.Mul(l, New(work).Set(y))
		return l.Exp(l)
	}
	upper := power(&x.hi)
	if x.lo.Sign() == 0 {
		z.prec = p
		return z.hull(new(Interval), upper)
	}
	z.prec = p
	if x.IsPoint() {
		return z.Set(upper)
	}
	return z.hull(power(&x.lo), upper)
}

// The method "hull" sets z to the smallest interval around a and b.
func (z *Interval) hull(a, b *Interval) *Interval {
	p := z.target(a, b)
	if a.bad || b.bad {
		return z.spoil(p)
	}
	lo, hi := &a.lo, &b.hi
	if b.lo.Cmp(lo) < 0 {
		lo = &b.lo
	}
	if a.hi.Cmp(hi) > 0 {
		hi = &a.hi
	}
	return z.finish(p, down(p).Set(lo), up(p).Set(hi))
}
