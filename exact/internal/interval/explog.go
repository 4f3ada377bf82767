package interval

import (
	"math"
	"math/big"
	"math/bits"
	"sync"
)

// The functions of this file work on one point in fixed point: a big.Int V at scale F
// stands for V/2^F. "ulp" is 2^-F. All divisions and shifts round down, so computed
// sums of positive terms are lower bounds, and each function says how far below the
// true value they can be.

// expLimit bounds the arguments of Exp: beyond it, exponents leave the range of
// big.Float (and of int on 32-bit hosts).
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
		return mant.Rsh(mant, uint(-shift)) // rounds down, also below 0
	}
}

// Guard bits: the number of additional bits with which the parts of a result are computed.
const (
	// endGuard: a point's function is enclosed to a sixteenth of a unit of the result, so
	// that rounding moves each end by one unit beyond the true one at most.
	endGuard = 4
	// pointGuard: a function of a point makes fewer than 16 roundings of a unit of its parts.
	pointGuard = 8
	// exactGuard: as many bits as 1+t has more than t, or x-1 than x, for 1/2 <= x <= 2 and
	// |t| >= 2^-8: the sum is exact.
	exactGuard = 16
)

// constantAhead is the number of bits beyond the request with which ln 2 and pi are computed, so that the cached value
// also serves the next, slightly finer request.
const constantAhead = 64

var ln2Cache struct {
	sync.Mutex
	value *big.Int // replaced, never changed
	scale uint
}

// ln2Fixed returns v with ln 2 in [v, v+2] at the given scale.
//
// Machin-like: ln 2 = 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749), at 40 more bits. The total error of the three
// sums is (18+2+8) e ulp with e <= 2*terms+2 < 2^30 (atanhInv). This is less than 2^35 < 2^40, so after the shift it is
// one ulp, and truncation adds another.
func ln2Fixed(scale uint) *big.Int {
	const guard = 40 // see above
	c := &ln2Cache
	c.Lock()
	defer c.Unlock()
	if c.value == nil || c.scale < scale {
		work := scale + constantAhead + guard
		a, _ := atanhInv(26, work)
		b, missed := atanhInv(4801, work)
		d, _ := atanhInv(8749, work)
		b.Add(b, big.NewInt(missed)) // subtracted, so an upper bound
		v := new(big.Int).Mul(a, big.NewInt(18))
		b.Lsh(b, 1)
		v.Sub(v, b)
		d.Lsh(d, 3)
		v.Add(v, d)
		c.value, c.scale = new(big.Int).Rsh(v, guard), scale+constantAhead
	}
	return new(big.Int).Rsh(c.value, c.scale-scale)
}

// atanhInv returns v and missed with atanh(1/q) in [v, v+missed] at the given scale.
//
// The power q^-(2i+1) is computed by divisions, with the error e' <= e/q^2 + 1 < 1.01 ulp; the division by 2i+1 adds
// one. When the computed power is 0, the true power is below 1.01 ulp, and so is the tail.
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

// expPoint returns an enclosure of e^x for |x| <= expLimit, relative width at most
// 2^-prec.
func expPoint(x *big.Float, prec uint) *Interval {
	if x.Sign() == 0 {
		return New(prec).SetUint64(1)
	}
	// x = n ln 2 + r with 0 <= r < 0.7, and e^r = (e^(r/2^s))^(2^s).
	s := uint(math.Sqrt(float64(prec))/1.5) + 2 // about as many squarings as terms
	// The relative error of the result is 4 (3 count + 16) units of scale. There are fewer than prec + 8 terms, so this
	// is below 2^(bits.Len(prec)+9) units: an eighth of 2^-prec.
	const guard = 12
	scale := prec + 2*s + uint(bits.Len(prec)) + guard // of r, in ulp
	wide := scale + s                                  // of r/2^s and all that follows
	approx, _ := x.Float64()
	n := int64(math.Floor(approx / math.Ln2))
	fixed := floorFixed(x, scale)
	reduced := func() *big.Int {
		// n ln 2 with |n| < 2^32 is computed with 34 further bits: the 2n units by which ln2Fixed is uncertain are then
		// below one ulp.
		const more = 34
		m := ln2Fixed(scale + more)
		m.Mul(m, big.NewInt(n))
		m.Rsh(m, more)
		return m.Sub(fixed, m)
	}
	r := reduced() // |r - true| <= 2 ulp: x misses one, n ln 2 one on either side and one
	if r.Cmp(two) < 0 {
		n--
		r = reduced()
	}
	r.Sub(r, two)
	// Now 0 <= r, and the true r/2^s is in [r, r+4] at scale wide.

	// Taylor: term' = floor(floor(term r)/i) has error e' <= (e y + 1)/i + 1 < 3 ulp
	// for y < 0.71; the tail after a computed 0 is below 3 ulp.
	sum := new(big.Int).Lsh(one, wide)
	term, div := new(big.Int).Set(sum), new(big.Int)
	count := int64(1)
	for ; term.Sign() > 0; count++ {
		term.Mul(term, r)
		term.Rsh(term, wide)
		div.SetInt64(count)
		term.Quo(term, div)
		sum.Add(sum, term)
	}
	// e^(y+4ulp) - e^y < 11 ulp.
	missed := big.NewInt(3*count + 3 + 11 + 1)
	// Squaring a value T = true (1-d), true >= 1, gives d' <= 2d + 2^-wide, so after
	// s squarings the error is below 2^s (missed + 1) true, and true < 2.1.
	for range s {
		sum.Mul(sum, sum)
		sum.Rsh(sum, wide)
	}
	missed.Lsh(missed, s+2)
	hi := new(big.Int).Add(sum, missed)
	return New(prec+2).SetScaled(sum, hi, int(n)-int(wide))
}

var two = big.NewInt(2)

// Exp sets z to e^x. It is not Valid for x above 1.4e9; below -1.4e9 the result is
// [0, e^-1.4e9].
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

// series returns an enclosure of the sum over i >= 0 of c_i u^i for 0 <= u <= 1/16,
// where c_0 = 1 and sumTerm returns c_i times the power u^i that it is given, rounded
// down once. The derivative of the sum must be at most 1. Relative width at most
// 2^-prec plus the width of u.
func series(u *Interval, prec uint, sumTerm func(power *big.Int, i int64) *big.Int) *Interval {
	const guard = 6 // the 3i+5 units missed, i <= prec/4 + 3, are below 2^(bits.Len(prec)+4)
	scale := prec + uint(bits.Len(prec)) + guard
	ulo, uhi := floorFixed(&u.lo, scale), floorFixed(&u.hi, scale)
	spread := new(big.Int).Sub(uhi, ulo)
	power := new(big.Int).Lsh(one, scale)
	sum := new(big.Int).Set(power)
	i := int64(1)
	// Each power misses e' <= e/16 + 1 < 1.1 ulp, each term one more; the tail after
	// a computed 0 is below 2 ulp.
	for ; ; i++ {
		power.Mul(power, ulo)
		power.Rsh(power, scale)
		if power.Sign() == 0 {
			break
		}
		sum.Add(sum, sumTerm(power, i))
	}
	// uhi and ulo were rounded down: an error of one ulp each, times a derivative of at most 1.
	hi := new(big.Int).Add(spread, sum)
	hi.Add(hi, big.NewInt(3*i+5))
	return New(prec+2).SetScaled(sum, hi, -int(scale))
}

// log1pSmall returns an enclosure of log(1+t) for t in a Valid x with |t| <= 2^-8,
// relative width about 2^-prec for a point:
//
//	log(1+t) = 2 atanh(t/(2+t)) = 2 v (1 + v^2/3 + v^4/5 + ...), v = t/(2+t).
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

// logPoint returns an enclosure of log x for x > 0, relative width about 2^-prec.
func logPoint(x *big.Float, prec uint) *Interval {
	if d := lessOne(x); d != nil && small(d) {
		return log1pSmall(New(prec+pointGuard).SetEnds(d, d), prec)
	}
	// x = m 2^e with 0.7 <= m < 1.42, so that e ln 2 and log m cannot cancel, and log m = y + log(1 + t), t = m
	// e^-y - 1, for a float64 y near log m. |t| < 2^-40 holds even for a poor math.Log, and correctness does not depend
	// on y.
	m := new(big.Float).Copy(x)
	e := m.MantExp(m)
	approx, _ := m.Float64()
	if approx < math.Sqrt2/2 {
		m.SetMantExp(m, 1)
		e, approx = e-1, 2*approx
	}
	const guard = 20 // log m can be 2^-9 where t is 2^-50: ten bits, and the roundings
	work := prec + guard
	y := big.NewFloat(math.Log(approx))
	t := expPoint(new(big.Float).Neg(y), work+endGuard)
	t.Mul(t, New(work+endGuard).SetEnds(m, m))
	t.SetPrec(work + endGuard)
	t.Sub(t, New(work+endGuard).SetUint64(1))
	if t.bad || !small(&t.lo) || !small(&t.hi) {
		return New(prec).spoil(prec) // only if math.Log is wrong
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

// small reports whether |x| < 2^-8.
func small(x *big.Float) bool { return x.Sign() == 0 || x.MantExp(nil) <= -8 }

// lessOne returns x - 1 exactly for 1/2 <= x <= 2, and nil outside.
func lessOne(x *big.Float) *big.Float {
	if x.Cmp(big.NewFloat(0.5)) < 0 || x.Cmp(big.NewFloat(2)) > 0 {
		return nil
	}
	return new(big.Float).SetPrec(x.MinPrec()+exactGuard).Sub(x, big.NewFloat(1))
}

// Log sets z to the natural logarithm of x. It is not Valid unless all of x is
// positive. The relative error stays small near 1.
func (z *Interval) Log(x *Interval) *Interval {
	p := z.target(x)
	if x.bad || x.lo.Sign() <= 0 {
		return z.spoil(p)
	}
	return z.monotone(p, x, logPoint)
}

// monotone sets z to f(x) for an increasing f.
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

// Log1p sets z to log(1+x). It is not Valid unless x > -1.
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
	// 1 + t >= 1.5: a relative error in it becomes at most 2.5 times that in its log.
	point.Add(point, New(prec).SetUint64(1))
	return New(prec + endGuard).Log(point)
}

// Expm1 sets z to e^x - 1, with small relative error near 0. It is not Valid for x
// above 1.4e9.
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
	// e^x - 1 = x e^(x/2) sinh(w)/w, w = x/2: sum of w^(2i)/(2i+1)!, all positive.
	// The argument must stay a point, so w is made from x, not from its rounding.
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

// Pow sets z to x^y for x > 0, or for x >= 0 and y > 0. It is not Valid elsewhere.
func (z *Interval) Pow(x, y *Interval) *Interval {
	p := z.target(x, y)
	if x.bad || y.bad || x.lo.Sign() < 0 || x.lo.Sign() == 0 && y.lo.Sign() <= 0 {
		return z.spoil(p)
	}
	if x.hi.Sign() == 0 {
		return z.finish(p, down(p), up(p))
	}
	// An absolute error in y log x is a relative one in the power: |y log x| < 2^31, or it
	// leaves the range of Exp, so 31 bits more, and 5 for three roundings.
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

// hull sets z to the smallest interval around a and b.
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
