package interval

import (
	"math"
	"math/big"
	"math/bits"
	"sync"
)

// Complex is a rectangle of complex numbers, Re + i Im. Its methods have the same form as the methods of Interval. A
// Complex is not Valid if its real or its imaginary part is not Valid.
type Complex struct{ Re, Im Interval }

// NewComplex returns 0 at the given precision in bits.
func NewComplex(prec uint) *Complex {
	return &Complex{Interval{prec: prec}, Interval{prec: prec}}
}

// Valid reports whether both parts are Valid.
func (z *Complex) Valid() bool { return z.Re.Valid() && z.Im.Valid() }

// IsReal reports whether the imaginary part is exactly 0.
func (z *Complex) IsReal() bool { return z.Im.IsPoint() && z.Im.lo.Sign() == 0 }

// Set sets z to x.
func (z *Complex) Set(x *Complex) *Complex {
	z.Re.Set(&x.Re)
	z.Im.Set(&x.Im)
	return z
}

// SetReal sets z to x.
func (z *Complex) SetReal(x *Interval) *Complex {
	z.Re.Set(x)
	z.Im.SetUint64(0)
	return z
}

// Add sets z to x + y.
func (z *Complex) Add(x, y *Complex) *Complex {
	z.Re.Add(&x.Re, &y.Re)
	z.Im.Add(&x.Im, &y.Im)
	return z
}

// Sub sets z to x - y.
func (z *Complex) Sub(x, y *Complex) *Complex {
	z.Re.Sub(&x.Re, &y.Re)
	z.Im.Sub(&x.Im, &y.Im)
	return z
}

// Scale sets z to x*r.
func (z *Complex) Scale(x *Complex, r *Interval) *Complex {
	z.Im.Mul(&x.Im, r)
	z.Re.Mul(&x.Re, r)
	return z
}

// Mul sets z to x * y.
func (z *Complex) Mul(x, y *Complex) *Complex {
	p := z.Re.target(&x.Re, &y.Re)
	switch {
	case y.IsReal():
		return z.Scale(x, New(p).Set(&y.Re))
	case x.IsReal():
		return z.Scale(y, New(p).Set(&x.Re))
	}
	re := New(p).Mul(&x.Re, &y.Re)
	re.Sub(re, New(p).Mul(&x.Im, &y.Im))
	im := New(p).Mul(&x.Re, &y.Im)
	im.Add(im, New(p).Mul(&x.Im, &y.Re))
	z.Re.Set(re)
	z.Im.Set(im)
	return z
}

// The method "norm" returns |z|^2.
func (z *Complex) norm(prec uint) *Interval {
	r := New(prec).PowInt(&z.Re, two)
	if z.IsReal() {
		return r
	}
	return r.Add(r, New(prec).PowInt(&z.Im, two))
}

// Abs returns |z|.
func (z *Complex) Abs() *Interval {
	p := z.Re.target()
	return New(p).Sqrt(z.norm(p + endGuard))
}

// Inv sets z to 1/x. If the rectangle of x contains 0, z is not Valid.
func (z *Complex) Inv(x *Complex) *Complex {
	p := z.Re.target(&x.Re)
	n := x.norm(p + endGuard)
	z.Re.Quo(&x.Re, n)
	z.Im.Neg(&x.Im)
	z.Im.Quo(&z.Im, n)
	return z
}

// Log sets z to the principal logarithm of x. If the rectangle of x contains 0, or has points on both sides of the
// negative real axis, z is not Valid.
func (z *Complex) Log(x *Complex) *Complex {
	p := z.Re.target(&x.Re)
	arg := x.arg(p)
	z.Re.Log(x.norm(p + endGuard))
	z.Re.MulPow2(&z.Re, -1)
	z.Im.Set(arg)
	return z
}

// floatBits is a precision, in bits, at which every float64 can be represented exactly.
const floatBits = 64

// argGuard is the number of extra bits with which arg computes. It computes four products, two sums, a quotient and the
// series of atanSmall. Each of them has an error of a few units in the last place. With the extra bits, the total error
// stays below a sixteenth of a unit in the last place of the result.
const argGuard = 12

// The method "arg" returns the argument of x, which is its angle in the complex plane. It first computes the argument
// of a nearby complex number with float64 parts. Then it rotates x back by that argument. A small angle remains, which
// is computed as an arc tangent. The result is the sum of this angle and the first argument.
func (x *Complex) arg(prec uint) *Interval {
	if x.IsReal() && x.Re.Sign() > 0 {
		return New(prec)
	}
	if !x.Valid() || x.Re.lo.Sign() <= 0 && x.Im.Sign() == 0 { // x may contain 0 or a part of the negative axis
		return New(prec).spoil(prec)
	}
	// The angle of the rotation depends only on the ratio of the imaginary part to the real part. An approximation of
	// this ratio is enough.
	e := max(x.Re.hi.MantExp(nil), x.Re.lo.MantExp(nil), x.Im.hi.MantExp(nil), x.Im.lo.MantExp(nil))
	part := func(p *Interval) float64 {
		m := new(big.Float).SetPrec(floatBits).Set(&p.lo)
		m.SetMantExp(m, -e)
		f, _ := m.Float64()
		return f
	}
	near := math.Atan2(part(&x.Im), part(&x.Re))
	turn := big.NewFloat(near)
	work := prec + argGuard
	c, s := New(work), New(work)
	sinCos(c, s, New(floatBits).SetEnds(turn, turn))
	u := New(work).Mul(&x.Re, c)
	u.Add(u, New(work).Mul(&x.Im, s))
	v := New(work).Mul(&x.Im, c)
	v.Sub(v, New(work).Mul(&x.Re, s))
	v.Quo(v, u)
	v.atanSmall(v)
	return New(prec).Add(v, New(floatBits).SetEnds(turn, turn))
}

// atanSmall sets z to atan x. If x contains a number outside (-2^-8, 2^-8), z is not Valid. The function uses this
// series:
//
//	atan x = x (1 - x^2/3 + x^4/5 - ...).
//
// The error of a partial sum is less than the first omitted term.
func (z *Interval) atanSmall(x *Interval) *Interval {
	p := z.target(x)
	if x.bad || !small(&x.lo) || !small(&x.hi) {
		return z.spoil(p)
	}
	least := min(exponentBelow(&x.lo), exponentBelow(&x.hi)) // |x| < 2^-least
	return z.atanTerms(x, p, least, int64(p)/int64(2*least)+2)
}

// atanTerms sets z to atan x at the precision p. It adds up the terms of the series up to x^(2*terms+1), and adds an
// interval that contains the rest of the series. The caller must ensure that |x| < 2^-least.
func (z *Interval) atanTerms(x *Interval, p uint, least int, terms int64) *Interval {
	square := New(p).PowInt(x, two)
	sum := New(p)
	for i := terms; i >= 0; i-- {
		t := New(p).Quo(New(p).SetUint64(1), New(p).SetUint64(uint64(2*i+1)))
		sum.Mul(sum, square)
		sum.Sub(t, sum)
	}
	sum.Add(sum, New(p).SetScaled(big.NewInt(-1), one, -2*least*int(terms+1)))
	return z.Mul(x, sum)
}

// zeroExponent is the result of exponentBelow for 0. It is so large that atanSmall needs only one term. But it is still
// far from overflow.
const zeroExponent = 1 << 20

// exponentBelow returns an integer e with |x| < 2^-e, for |x| < 1. For 0 it returns zeroExponent.
func exponentBelow(x *big.Float) int {
	if x.Sign() == 0 {
		return zeroExponent
	}
	return -x.MantExp(nil)
}

// Exp sets z to e^x.
func (z *Complex) Exp(x *Complex) *Complex {
	p := z.Re.target(&x.Re)
	r := New(p).Exp(&x.Re)
	if x.IsReal() {
		return z.SetReal(r)
	}
	c, s := New(p), New(p)
	sinCos(c, s, &x.Im)
	z.Re.Mul(c, r)
	z.Im.Mul(s, r)
	return z
}

const (
	// maxAngleExp limits the angles that sinCos accepts: they must be below 2^maxAngleExp in absolute value. To reduce
	// an angle, sinCos multiplies pi by an integer of at most maxAngleExp bits.
	maxAngleExp = 256
	// At a precision of p bits, sinCos computes with bits.Len(p) + sinCosGuard extra bits. The error of sinCosFixed is
	// at most 5p+9 < 2^(bits.Len(p)+4) units in the last place. So with bits.Len(p) + 8 extra bits the error is at most
	// a sixteenth of a unit of the result.
	sinCosGuard = 8
)

// sinCos sets c and s to the cosine and the sine of x. The width of each result is at most 3*2^-prec plus twice the
// width of x. The results are not Valid for |x| >= 2^256.
func sinCos(c, s, x *Interval) {
	p := c.target(x)
	if x.bad || x.lo.MantExp(nil) > maxAngleExp || x.hi.MantExp(nil) > maxAngleExp {
		c.spoil(p)
		s.spoil(p)
		return
	}
	scale := p + uint(bits.Len(p)) + sinCosGuard
	v, w, missed := sinCosFixed(&x.lo, scale)
	if !x.IsPoint() { // within x, cosine and sine change by at most the width of x
		missed.Add(missed, floorFixed(x.Width(), scale))
		missed.Add(missed, one)
	}
	set := func(z *Interval, v *big.Int) {
		lo := new(big.Int).Sub(v, missed)
		z.prec = p
		z.SetScaled(lo, new(big.Int).Add(v, missed), -int(scale))
	}
	set(c, v)
	set(s, w)
}

// sinCosFixed returns the numbers v, w and "missed", for |x| < 2^256. These numbers satisfy:
//
//	|cos x - v*2^-scale| <= missed*2^-scale,
//	|sin x - w*2^-scale| <= missed*2^-scale.
//
// An ulp is 2^-scale. The argument is reduced to r in [0, pi/2) with x = n pi/2 + r. The product n pi/2 is computed
// with 260 more bits and has an error of less than one ulp. Rounding x down to a multiple of an ulp adds an error of
// one ulp. The i-th term of the Taylor series is floor(floor(t*r)/i), where t is the previous term. If the error of t
// is e ulp, the error of the i-th term is at most (e r + 1)/i + 1 ulp. So for r < 1.6 the error of every term is below
// 5 ulp. The error of each sum is at most the sum of the errors of its terms. When a computed term is 0, the true term
// is at most 5 ulp. The later terms add up to less than the true value of this term.
func sinCosFixed(x *big.Float, scale uint) (v, w, missed *big.Int) {
	const more = maxAngleExp + 4  // n has at most maxAngleExp bits, and 4 more are a margin
	half := piFixed(scale + more) // pi at scale + more, which equals pi/2 at scale + more + 1
	fixed := floorFixed(x, scale)
	n := new(big.Int).Lsh(fixed, more+1)
	n.Div(n, half)
	r := new(big.Int).Mul(n, half)
	r.Rsh(r, more+1)
	r.Sub(fixed, r)
	sums := [2]*big.Int{new(big.Int), new(big.Int)} // the series of the cosine and of the sine
	term, div := new(big.Int).Lsh(one, scale), new(big.Int)
	count := int64(0)
	for ; term.Sign() > 0; count++ {
		part := count & 1
		if count&2 == 0 {
			sums[part].Add(sums[part], term)
		} else {
			sums[part].Sub(sums[part], term)
		}
		term.Mul(term, r)
		term.Rsh(term, scale)
		div.SetInt64(count + 1)
		term.Quo(term, div)
	}
	// Adding pi/2 to the angle replaces (cos, sin) by (-sin, cos).
	for range new(big.Int).And(n, big.NewInt(3)).Int64() {
		sums[0], sums[1] = new(big.Int).Neg(sums[1]), sums[0]
	}
	return sums[0], sums[1], big.NewInt(5*count + 5 + 4)
}

var piCache struct {
	sync.Mutex
	value *big.Int // replaced by another big.Int, and never changed in place
	scale uint
}

// piFixed returns an integer v such that pi*2^scale lies in [v-1, v+2]. It computes pi = 16 atan(1/5) - 4 atan(1/239)
// with 40 more bits.
func piFixed(scale uint) *big.Int {
	const guard = 40 // the sums are too small by at most 20 (4 terms) units, which is far less than 2^40
	c := &piCache
	c.Lock()
	defer c.Unlock()
	if c.value == nil || c.scale < scale {
		work := scale + constantAhead + guard
		a, b := atanInv(5, work), atanInv(239, work)
		a.Lsh(a, 4)
		b.Lsh(b, 2)
		a.Sub(a, b)
		c.value, c.scale = new(big.Int).Rsh(a, guard), scale+constantAhead
	}
	return new(big.Int).Rsh(c.value, c.scale-scale)
}

// atanInv returns an integer that approximates atan(1/q)*2^scale. The error is at most 4 for each term of the series.
// It computes each power of 1/q in units of 2^-scale. For q >= 5, the computed power is too small by less than 1.1
// units. Dividing the power by an odd number makes the term too small by at most one more unit.
func atanInv(q int64, scale uint) *big.Int {
	power := new(big.Int).Lsh(one, scale)
	power.Quo(power, big.NewInt(q))
	q2, odd, term := big.NewInt(q*q), new(big.Int), new(big.Int)
	v := new(big.Int)
	for i := int64(0); power.Sign() > 0; i++ {
		odd.SetInt64(2*i + 1)
		term.Quo(power, odd)
		if i&1 == 0 {
			v.Add(v, term)
		} else {
			v.Sub(v, term)
		}
		power.Quo(power, q2)
	}
	return v
}

// Angle sets z to 2 pi/n for n >= 1, and returns z.
func Angle(z *Interval, n uint64) *Interval {
	p := z.target()
	v := piFixed(p + pointGuard)
	lo, hi := new(big.Int).Sub(v, one), new(big.Int).Add(v, two)
	return z.Quo(New(p+endGuard).SetScaled(lo, hi, 1-int(p+pointGuard)), New(floatBits).SetUint64(n))
}
