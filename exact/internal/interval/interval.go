package interval

import (
	"math"
	"math/big"
)

// Interval is a closed interval of real numbers. The zero value is [0, 0] at precision 0. To copy an Interval, use Set;
// an Interval that is in use must not be copied by assignment.
type Interval struct {
	lo, hi big.Float // lo <= hi, and both are finite: see store
	prec   uint      // bits of each endpoint; 0 if the precision is not chosen yet
	bad    bool      // set if the interval has no finite bounds
}

// DefaultPrec is the precision of a result if neither the receiver nor an operand has a precision.
const DefaultPrec = 64

// New returns [0, 0] at the given precision in bits.
func New(prec uint) *Interval { return &Interval{prec: prec} }

// SetPrec sets the precision of z and of future results in z, and returns z. The present value of z is rounded outward.
func (z *Interval) SetPrec(prec uint) *Interval {
	z.prec = prec
	return z.Set(z)
}

// Prec returns the precision of z in bits.
func (z *Interval) Prec() uint { return z.prec }

// Valid reports whether z has finite ends lo <= hi. See the package comment.
func (z *Interval) Valid() bool { return !z.bad }

// Lo returns a copy of the lower end.
func (z *Interval) Lo() *big.Float { return new(big.Float).Copy(&z.lo) }

// Hi returns a copy of the upper end.
func (z *Interval) Hi() *big.Float { return new(big.Float).Copy(&z.hi) }

// The function "down" returns an endpoint that rounds downwards. The function "up" returns an endpoint that rounds
// upwards. Every endpoint must be created by one of these two functions. The reason is that Copy, SetMantExp and Sqrt
// of big.Float use the rounding mode of the argument, and not the mode of the receiver.
func down(prec uint) *big.Float {
	return new(big.Float).SetPrec(prec).SetMode(big.ToNegativeInf)
}

func up(prec uint) *big.Float {
	return new(big.Float).SetPrec(prec).SetMode(big.ToPositiveInf)
}

// The function "smallest" sets z to the smallest positive number, and returns z.
func smallest(z *big.Float) *big.Float {
	z.SetFloat64(0.5)
	return z.SetMantExp(z, big.MinExp)
}

// The method "finish" replaces an endpoint that underflowed, and then stores the endpoints. The endpoint lo must come
// from the function "down", and hi from the function "up". Each endpoint must be the result of a single operation.
func (z *Interval) finish(prec uint, lo, hi *big.Float) *Interval {
	if lo.IsInf() || hi.IsInf() {
		return z.spoil(prec)
	}
	if lo.Sign() == 0 && lo.Acc() == big.Above { // the true lower end is negative
		lo.Neg(smallest(lo))
	}
	if hi.Sign() == 0 && hi.Acc() == big.Below { // the true upper end is positive
		smallest(hi)
	}
	return z.store(prec, lo, hi)
}

// The function PanicOnDisorder sets panicOnDisorder to true. Only tests call this function.
var panicOnDisorder = false

// PanicOnDisorder makes an operation panic if it computes ends with lo > hi. An operation can compute such ends only if
// this package has a bug. Without PanicOnDisorder, such a result is not Valid. The tests of packages that compute with
// intervals call PanicOnDisorder before they begin.
func PanicOnDisorder() { panicOnDisorder = true }

// Only the method "store" sets the ends of z. If lo > hi, the result is not Valid.
func (z *Interval) store(prec uint, lo, hi *big.Float) *Interval {
	if lo.Cmp(hi) > 0 {
		if panicOnDisorder {
			panic("interval: the lower end " + lo.Text('p', 0) + " is above the upper end " + hi.Text('p', 0))
		}
		return z.spoil(prec)
	}
	z.lo, z.hi, z.prec, z.bad = *lo, *hi, prec, false
	return z
}

// The method "spoil" marks z as not Valid, which means that z has no finite ends.
func (z *Interval) spoil(prec uint) *Interval {
	z.prec, z.bad = prec, true
	z.lo, z.hi = big.Float{}, big.Float{}
	return z
}

// The method "target" returns the precision of the next result in z, given its operands xs.
func (z *Interval) target(xs ...*Interval) uint {
	p := z.prec
	if p == 0 {
		for _, x := range xs {
			p = max(p, x.prec)
		}
	}
	if p == 0 {
		p = DefaultPrec
	}
	return p
}

// Set sets z to x, rounded outward to z's precision.
func (z *Interval) Set(x *Interval) *Interval {
	p := z.target(x)
	if x.bad {
		return z.spoil(p)
	}
	return z.finish(p, down(p).Set(&x.lo), up(p).Set(&x.hi))
}

// SetUint64 sets z to x.
func (z *Interval) SetUint64(x uint64) *Interval {
	p := z.target()
	return z.finish(p, down(p).SetUint64(x), up(p).SetUint64(x))
}

// SetInt sets z to x.
func (z *Interval) SetInt(x *big.Int) *Interval {
	p := z.target()
	return z.finish(p, down(p).SetInt(x), up(p).SetInt(x))
}

// SetRat sets z to x.
func (z *Interval) SetRat(x *big.Rat) *Interval {
	p := z.target()
	return z.finish(p, down(p).SetRat(x), up(p).SetRat(x))
}

// SetEnds sets z to [lo, hi], rounded outward. If lo > hi, or if lo or hi is infinite, z is not Valid.
func (z *Interval) SetEnds(lo, hi *big.Float) *Interval {
	p := z.target()
	if lo.Cmp(hi) > 0 {
		return z.spoil(p)
	}
	return z.finish(p, down(p).Set(lo), up(p).Set(hi))
}

// SetScaled sets z to [lo, hi] * 2^exp. If lo > hi, z is not Valid.
func (z *Interval) SetScaled(lo, hi *big.Int, exp int) *Interval {
	p := z.target()
	if lo.Cmp(hi) > 0 {
		return z.spoil(p)
	}
	return z.finish(p, scaled(down(p), lo, exp), scaled(up(p), hi, exp))
}

// The function "scaled" sets z to x * 2^exp, rounded in the rounding mode of z, and returns z.
func scaled(z *big.Float, x *big.Int, exp int) *big.Float {
	z.SetInt(x)
	return z.SetMantExp(z, exp) // the argument is z, so the mode and the precision of z are used
}

// MulPow2 sets z to x * 2^exp.
func (z *Interval) MulPow2(x *Interval, exp int) *Interval {
	p := z.target(x)
	if x.bad {
		return z.spoil(p)
	}
	lo, hi := down(p).Set(&x.lo), up(p).Set(&x.hi)
	lo.SetMantExp(lo, exp)
	hi.SetMantExp(hi, exp)
	return z.finish(p, lo, hi)
}

// Neg sets z to -x.
func (z *Interval) Neg(x *Interval) *Interval {
	p := z.target(x)
	if x.bad {
		return z.spoil(p)
	}
	return z.finish(p, neg(down(p), &x.hi), neg(up(p), &x.lo))
}

// The function "neg" sets z to -x, rounded in the rounding mode of z. It is needed because big.Float.Neg rounds before
// it negates, and so rounds in the wrong direction.
func neg(z, x *big.Float) *big.Float {
	if z.Mode() == big.ToNegativeInf {
		return z.Neg(up(z.Prec()).Set(x))
	}
	return z.Neg(down(z.Prec()).Set(x))
}

// The function "add" sets z to x + y, rounded in the rounding mode of z.
func add(z, x, y *big.Float) *big.Float {
	return z.Add(closer(z, x, y), closer(z, y, x))
}

// The function "sub" sets z to x - y, rounded in the rounding mode of z. It treats x = 0 separately, because
// big.Float.Sub then returns z.Neg(y).
func sub(z, x, y *big.Float) *big.Float {
	if x.Sign() == 0 {
		return neg(z, y)
	}
	return z.Sub(closer(z, x, y), closer(z, y, x))
}

// The function "closer" replaces a tiny number by a larger one. The larger number is at least stickyBits bits below the
// last bit of y. It is also at least stickyBits bits below the last bit of the result. Two bits would be enough. The
// larger number would then be less than half a unit of the last bit of y, and of the last bit of the result. So it only
// decides the direction of rounding. The six further bits are a safety margin.
const stickyBits = 8

// If x is tiny compared with y, the function "closer" returns a number x' of the same sign with |x'| > |x|. The rounded
// values of x'+y and x+y are equal. If x is not tiny, the function returns x. The function is needed because big.Float
// aligns mantissas by shifting. For 1 + 2^-2^31 this would take 2^31 bits.
func closer(z, x, y *big.Float) *big.Float {
	if x.Sign() == 0 || y.Sign() == 0 {
		return x
	}
	keep := int(max(z.Prec(), y.MinPrec())) + stickyBits
	ex, ey := x.MantExp(nil), y.MantExp(nil)
	if int64(ex) >= int64(ey)-int64(keep) {
		return x
	}
	tiny := big.NewFloat(math.Copysign(0.5, float64(x.Sign())))
	return tiny.SetMantExp(tiny, ey-keep)
}

// Add sets z to x + y.
func (z *Interval) Add(x, y *Interval) *Interval {
	p := z.target(x, y)
	if x.bad || y.bad {
		return z.spoil(p)
	}
	return z.finish(p, add(down(p), &x.lo, &y.lo), add(up(p), &x.hi, &y.hi))
}

// Sub sets z to x - y.
func (z *Interval) Sub(x, y *Interval) *Interval {
	p := z.target(x, y)
	if x.bad || y.bad {
		return z.spoil(p)
	}
	return z.finish(p, sub(down(p), &x.lo, &y.hi), sub(up(p), &x.hi, &y.lo))
}

// Mul sets z to x * y.
func (z *Interval) Mul(x, y *Interval) *Interval {
	p := z.target(x, y)
	if x.bad || y.bad {
		return z.spoil(p)
	}
	// If the signs of both factors are known, two products suffice.
	switch {
	case x.lo.Sign() >= 0 && y.lo.Sign() >= 0:
		return z.finish(p, down(p).Mul(&x.lo, &y.lo), up(p).Mul(&x.hi, &y.hi))
	case x.lo.Sign() >= 0 && y.hi.Sign() <= 0:
		return z.finish(p, down(p).Mul(&x.hi, &y.lo), up(p).Mul(&x.lo, &y.hi))
	case x.hi.Sign() <= 0 && y.lo.Sign() >= 0:
		return z.finish(p, down(p).Mul(&x.lo, &y.hi), up(p).Mul(&x.hi, &y.lo))
	case x.hi.Sign() <= 0 && y.hi.Sign() <= 0:
		return z.finish(p, down(p).Mul(&x.hi, &y.hi), up(p).Mul(&x.lo, &y.lo))
	}
	return z.corners(p, x, y, (*big.Float).Mul)
}

// Quo sets z to x / y. If y contains 0, z is not Valid.
func (z *Interval) Quo(x, y *Interval) *Interval {
	p := z.target(x, y)
	if x.bad || y.bad || y.lo.Sign() <= 0 && y.hi.Sign() >= 0 {
		return z.spoil(p)
	}
	// The divisor has a sign. If it is positive, two quotients suffice.
	if y.lo.Sign() > 0 {
		least, most := &y.hi, &y.lo
		if x.lo.Sign() < 0 {
			least = &y.lo
		}
		if x.hi.Sign() < 0 {
			most = &y.hi
		}
		return z.finish(p, down(p).Quo(&x.lo, least), up(p).Quo(&x.hi, most))
	}
	return z.corners(p, x, y, (*big.Float).Quo)
}

// The method "corners" combines each end of x with each end of y by the operation op. It sets z to the smallest
// interval that contains the four results. This is correct because products and quotients are monotone in each operand
// wherever they are defined.
func (z *Interval) corners(p uint, x, y *Interval, op func(z, x, y *big.Float) *big.Float) *Interval {
	var lo, hi *big.Float
	for _, xe := range []*big.Float{&x.lo, &x.hi} {
		for _, ye := range []*big.Float{&y.lo, &y.hi} {
			var c Interval
			if c.finish(p, op(down(p), xe, ye), op(up(p), xe, ye)); c.bad {
				return z.spoil(p)
			}
			if lo == nil || c.lo.Cmp(lo) < 0 {
				lo = &c.lo
			}
			if hi == nil || c.hi.Cmp(hi) > 0 {
				hi = &c.hi
			}
		}
	}
	return z.store(p, lo, hi)
}

// PowInt computes with log2 n + powerGuard extra bits. At most 2*log2(n) products are rounded, each by one unit. Such a
// rounding multiplies the product by a factor near 1. Later squarings raise this factor to at most the n-th power. All
// roundings together change the result by at most 2n units of the working precision. This is 2^-7 of a unit of the
// result.
const powerGuard = 8

// PowInt sets z to x^n for n >= 0, with 0^0 = 1. If n < 0, z is not Valid. Consider the range of x^n, with both ends
// rounded outward. Each end of z is at most one unit in the last place beyond the corresponding end of this range.
func (z *Interval) PowInt(x *Interval, n *big.Int) *Interval {
	p := z.target(x)
	if x.bad || n.Sign() < 0 {
		return z.spoil(p)
	}
	work := p + uint(n.BitLen()) + powerGuard
	base := New(work).Set(x)
	straddles := x.lo.Sign() < 0 && x.hi.Sign() > 0
	even := n.Bit(0) == 0
	if straddles {
		// x^n is monotone on each side of 0.
		left, pos := New(work), New(work).powNonNeg(New(work).SetEnds(new(big.Float), &x.hi), n)
		left.SetEnds(&x.lo, new(big.Float))
		left.Neg(left)
		left.powNonNeg(left, n)
		if left.bad || pos.bad {
			return z.spoil(p)
		}
		if !even {
			return z.finish(p, neg(down(p), &left.hi), up(p).Set(&pos.hi))
		}
		top := &pos.hi
		if left.hi.Cmp(top) > 0 {
			top = &left.hi
		}
		low := down(p)
		if n.Sign() == 0 {
			low.SetUint64(1)
		}
		return z.finish(p, low, up(p).Set(top))
	}
	flip := x.hi.Sign() <= 0 && x.lo.Sign() < 0
	if flip {
		base.Neg(base)
	}
	base.powNonNeg(base, n)
	if flip && !even {
		base.Neg(base)
	}
	z.prec = p
	return z.Set(base)
}

// powNonNeg sets z to x^n for x >= 0. It squares repeatedly, beginning with the most significant bit of n.
func (z *Interval) powNonNeg(x *Interval, n *big.Int) *Interval {
	r := New(z.target(x)).SetUint64(1)
	for i := n.BitLen() - 1; i >= 0; i-- {
		if r.Mul(r, r); n.Bit(i) == 1 {
			r.Mul(r, x)
		}
	}
	return z.Set(r)
}

// Sqrt sets z to the square root of x. If x contains a negative number, z is not Valid.
func (z *Interval) Sqrt(x *Interval) *Interval {
	p := z.target(x)
	if x.bad || x.lo.Sign() < 0 {
		return z.spoil(p)
	}
	lo, hi := sqrtEnd(down(p), &x.lo), sqrtEnd(up(p), &x.hi)
	return z.finish(p, lo, hi)
}

// sqrtEnd sets z to a bound of the square root of x >= 0. The bound is an upper bound if z rounds upwards, and
// otherwise a lower bound. It shifts the mantissa and computes its exact integer root r, for which r^2 <= x 2^(2s) <
// (r+1)^2.
func sqrtEnd(z, x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return z
	}
	mant, exp := mantissa(x)
	shift := 2*int(z.Prec()) + 2 - mant.BitLen()
	if shift < 0 {
		shift = 0
	}
	if (exp-int64(shift))&1 != 0 {
		shift++
	}
	mant.Lsh(mant, uint(shift))
	root := new(big.Int).Sqrt(mant)
	if z.Mode() == big.ToPositiveInf && new(big.Int).Mul(root, root).Cmp(mant) != 0 {
		root.Add(root, one)
	}
	return scaled(z, root, int((exp-int64(shift))/2))
}

var one = big.NewInt(1)

// The function "mantissa" returns an integer mant and an exponent exp for a finite x. The equation x = mant * 2^exp
// holds exactly.
func mantissa(x *big.Float) (mant *big.Int, exp int64) {
	m := new(big.Float).Copy(x) // Copy keeps the precision, so scaling is exact
	bits := int(m.MinPrec())
	exp = int64(m.MantExp(m)) - int64(bits)
	m.SetMantExp(m, bits)
	mant, _ = m.Int(nil)
	return mant, exp
}

// Cmp compares x with y. If every number in x is smaller than every number in y, the result "order" is -1. If every
// number in x is larger than every number in y, it is +1. If x and y are the same single point, it is 0. In these three
// cases the result "decided" is true. Otherwise it is false, and "order" has no meaning.
func (x *Interval) Cmp(y *Interval) (order int, decided bool) {
	switch {
	case x.bad || y.bad:
		return 0, false
	case x.hi.Cmp(&y.lo) < 0:
		return -1, true
	case x.lo.Cmp(&y.hi) > 0:
		return +1, true
	case x.IsPoint() && y.IsPoint():
		return 0, true // x and y are the same point
	}
	return 0, false
}

// Overlaps reports whether x and y have a point in common. Two enclosures of the same number always overlap.
func (x *Interval) Overlaps(y *Interval) bool {
	order, decided := x.Cmp(y)
	return !decided || order == 0
}

// Float64 returns the float64 nearest to the middle of x.
func (x *Interval) Float64() float64 {
	mid := new(big.Float).SetPrec(x.prec+1).Add(&x.lo, &x.hi)
	mid.SetMantExp(mid, -1)
	f, _ := mid.Float64()
	return f
}

// IsPoint reports whether x is a single number.
func (x *Interval) IsPoint() bool { return !x.bad && x.lo.Cmp(&x.hi) == 0 }

// Sign returns -1 if all points of x are negative, +1 if all are positive, and 0 otherwise.
func (x *Interval) Sign() int {
	switch {
	case x.bad:
		return 0
	case x.lo.Sign() > 0:
		return 1
	case x.hi.Sign() < 0:
		return -1
	}
	return 0
}

// ContainsRat reports whether the interval x contains the number r.
func (x *Interval) ContainsRat(r *big.Rat) bool {
	return !x.bad && cmpFloatRat(&x.lo, r) <= 0 && cmpFloatRat(&x.hi, r) >= 0
}

// CmpRat compares x with the number r in the same way as Cmp.
func (x *Interval) CmpRat(r *big.Rat) (order int, decided bool) {
	switch {
	case x.bad:
		return 0, false
	case cmpFloatRat(&x.hi, r) < 0:
		return -1, true
	case cmpFloatRat(&x.lo, r) > 0:
		return +1, true
	}
	return 0, x.IsPoint()
}

// cmpFloatRat compares f with r. If f is much larger or much smaller than r, only the exponents are compared. As a
// rational, such an f could have billions of digits.
func cmpFloatRat(f *big.Float, r *big.Rat) int {
	if s := f.Sign(); s != r.Sign() || s == 0 {
		return s - r.Sign()
	}
	e := f.MantExp(nil)                        // 2^(e-1) <= |f| < 2^e
	q := r.Num().BitLen() - r.Denom().BitLen() // 2^(q-1) < |r| < 2^(q+1)
	switch {
	case e-1 > q:
		return f.Sign()
	case e < q:
		return -f.Sign()
	}
	exact, _ := f.Rat(nil)
	return exact.Cmp(r)
}

// Contains reports whether every point of y is a point of x.
func (x *Interval) Contains(y *Interval) bool {
	return !x.bad && !y.bad && x.lo.Cmp(&y.lo) <= 0 && x.hi.Cmp(&y.hi) >= 0
}

// Width returns hi - lo, rounded up.
func (x *Interval) Width() *big.Float {
	return sub(up(x.target()), &x.hi, &x.lo)
}

// RelBits returns the approximate number of correct bits of x. Let s be the smallest magnitude in x, and let w be the
// result. Then the width of x is at most 2^-w s. The number w is computed from the exponents of s and of the width. For
// a point, RelBits returns MaxRelBits. If x contains 0 or is not Valid, it returns 0.
func (x *Interval) RelBits() int {
	switch {
	case x.bad:
		return 0
	case x.IsPoint():
		return MaxRelBits
	case x.Sign() == 0:
		return 0
	}
	least := &x.lo
	if x.Sign() < 0 {
		least = &x.hi
	}
	// With a = x.Width().MantExp(nil), the width is below 2^a. With b = least.MantExp(nil), the magnitude of every
	// point of x is at least 2^(b-1).
	return max(0, least.MantExp(nil)-1-x.Width().MantExp(nil))
}

// MaxRelBits is the value that RelBits returns for an interval with equal ends.
const MaxRelBits = 1<<31 - 1
