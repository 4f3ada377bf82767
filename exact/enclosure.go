package exact

import (
	"fmt"
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// Enclosure is an interval that is guaranteed to contain a true value. The package comment states this guarantee. An
// Enclosure is immutable and can be copied. The zero value encloses exactly 0.
type Enclosure struct {
	iv  *interval.Interval // nil if the value is exactly 0
	rat *big.Rat           // the true value, if it was computed as a rational
}

var zeroInterval = interval.New(interval.DefaultPrec)

// The function "around" returns an Enclosure whose ends are the ends of x. The caller must not change x afterwards.
func around(x *interval.Interval) Enclosure { return Enclosure{iv: x} }

// The function "exactly" returns an Enclosure of the rational r, with ends of prec bits. The caller must not change
// r afterwards.
func exactly(r *big.Rat, prec uint) Enclosure {
	return Enclosure{iv: interval.New(prec + 2).SetRat(r), rat: r}
}

func exactlyInt(v int64, prec uint) Enclosure { return exactly(big.NewRat(v, 1), prec) }

func (e Enclosure) interval() *interval.Interval {
	if e.iv == nil {
		return zeroInterval
	}
	return e.iv
}

// NewEnclosure returns the enclosure of a value that lies between lo and hi. If lo or hi is infinite, the result has
// neither a lower nor an upper bound. A finite end is then not stored.
//
// Source: none. The caller computes the value.
// Domain: lo <= hi.
// Error: none; the ends are not rounded.
// Cost: two copies.
// Errors: *bloomproof.ParamError.
func NewEnclosure(lo, hi *big.Float) (Enclosure, error) {
	switch {
	case lo == nil:
		return Enclosure{}, &bloomproof.ParamError{Param: "lo", Value: nil, Want: "a number"}
	case hi == nil:
		return Enclosure{}, &bloomproof.ParamError{Param: "hi", Value: nil, Want: "a number"}
	case lo.Cmp(hi) > 0:
		return Enclosure{}, &bloomproof.ParamError{Param: "lo", Value: lo, Want: fmt.Sprintf("at most hi = %v", hi)}
	}
	return around(interval.New(max(lo.Prec(), hi.Prec())).SetEnds(lo, hi)), nil
}

// NewRational returns an enclosure of x whose ends have prec bits. The enclosure also stores x itself.
//
// Source: none, as for NewEnclosure.
// Domain: prec is from 1 to MaxPrec.
// Error: none. The lower end is x rounded down, and the upper end is x rounded up. The method Rat returns x.
// Cost: two roundings.
// Errors: *bloomproof.ParamError.
func NewRational(x *big.Rat, prec uint) (Enclosure, error) {
	if err := precision.Check(prec); err != nil {
		return Enclosure{}, err
	}
	if x == nil {
		return Enclosure{}, &bloomproof.ParamError{Param: "x", Value: nil, Want: "a number"}
	}
	return exactly(new(big.Rat).Set(x), prec), nil
}

// Lo returns a copy of the lower bound, or -Inf if there is none.
func (e Enclosure) Lo() *big.Float {
	if !e.interval().Valid() {
		return new(big.Float).SetInf(true)
	}
	return e.interval().Lo()
}

// Hi returns a copy of the upper bound, or +Inf if there is none.
func (e Enclosure) Hi() *big.Float {
	if !e.interval().Valid() {
		return new(big.Float).SetInf(false)
	}
	return e.interval().Hi()
}

// If the true value was computed as a rational, Rat returns a copy of this rational. The second result is then true.
// Otherwise Rat returns nil and false.
func (e Enclosure) Rat() (*big.Rat, bool) {
	switch {
	case e.iv == nil:
		return new(big.Rat), true
	case e.rat == nil:
		return nil, false
	}
	return new(big.Rat).Set(e.rat), true
}

// PrecFor returns the precision in bits that an enclosure needs so that Decimal can print the given number of digits.
func PrecFor(digits int) uint {
	return uint(math.Ceil(float64(max(1, digits))*math.Log2(10))) + 8
}

// Decimal returns the enclosure as decimal strings lo <= mid <= hi. The number mid has the given number of significant
// digits. The ends lo and hi are rounded outward, so the true value lies between them. The difference hi - lo is at
// most one unit in the last digit of mid. If the value is known exactly and its decimal expansion terminates, lo = hi.
// The numbers have a form such as 0.00061. For decimal exponents below -7 or above 20 they have a form such as
// d.ddde-12. Zero is "0".
//
// Errors: *bloomproof.ParamError for digits < 1; ErrPrecision when the enclosure is too wide for this number of digits.
// An enclosure that was computed with prec = PrecFor(digits) is narrow enough.
func (e Enclosure) Decimal(digits int) (lo, mid, hi string, err error) {
	if digits < 1 {
		return "", "", "", &bloomproof.ParamError{Param: "digits", Value: digits, Want: "at least 1"}
	}
	if e.rat != nil {
		lo, mid, hi, err = interval.RatDecimal(e.rat, digits)
	} else {
		lo, mid, hi, err = e.interval().Decimal(digits)
	}
	if err != nil {
		return "", "", "", ErrPrecision
	}
	return lo, mid, hi, nil
}

// String returns the middle of the enclosure with as many digits as its width allows, up to 17.
func (e Enclosure) String() string {
	for digits := 17; digits > 0; digits-- {
		if _, mid, _, err := e.Decimal(digits); err == nil {
			return mid
		}
	}
	return "[" + e.Lo().Text('g', 5) + ", " + e.Hi().Text('g', 5) + "]"
}

// Contains reports whether r lies between the bounds.
func (e Enclosure) Contains(r *big.Rat) bool { return e.interval().ContainsRat(r) }

// Overlaps reports whether the two enclosures have a point in common. Two enclosures of the same value always overlap.
func (e Enclosure) Overlaps(x Enclosure) bool {
	return e.interval().Overlaps(x.interval())
}

// Cmp compares the true values of e and x. If the enclosures overlap, the result "decided" can be false. In that case
// the result "order" is 0 and says nothing about the values. The caller can then compute enclosures of higher precision
// and compare these. If both values are known as rationals, the result "decided" is always true.
func (e Enclosure) Cmp(x Enclosure) (order int, decided bool) {
	a, okA := e.Rat()
	b, okB := x.Rat()
	switch {
	case okA && okB:
		return a.Cmp(b), true
	case okA:
		order, decided = x.interval().CmpRat(a)
		return -order, decided
	case okB:
		return e.interval().CmpRat(b)
	}
	return e.interval().Cmp(x.interval())
}

// Float64 returns the float64 nearest to the middle of the enclosure. If the absolute value of the middle is too small
// for a float64, the result is 0.
func (e Enclosure) Float64() float64 {
	if e.rat != nil {
		f, _ := e.rat.Float64()
		return f
	}
	return e.interval().Float64()
}

// RelBits returns the number of bits to which the value is known. If it returns b, the relative width is at most 2^-b.
func (e Enclosure) RelBits() int { return e.interval().RelBits() }

// Sign returns -1 if the true value is certainly negative, +1 if it is certainly positive, and 0 otherwise.
func (e Enclosure) Sign() int { return e.interval().Sign() }

// MaxPrec is the largest precision in bits that a function accepts. This precision corresponds to 315,000 decimal
// digits.
const MaxPrec = precision.Max

// The function "ziv" calls the function f with increasing working precision, in bits. It stops when f returns an
// enclosure with a relative width of at most 2^-prec. The argument "first" is the working precision of the first call.
// Suppose that at most c bits can cancel. Then one call is enough if "first" is at least prec+c. If a result is too
// wide, the function "ziv" computes from its width how many bits to add for the next call.
//
// Errors: ErrPrecision if prec plus precision.MaxGuard bits are not enough; ErrRange. An ErrPrecision states the width
// that was reached.
func ziv(prec, first uint, f func(work uint) *interval.Interval) (Enclosure, error) {
	return zivErr(prec, first, func(work uint) (*interval.Interval, error) { return f(work), nil })
}

// zivErr does the same as ziv, for a function f that can return an error.
func zivErr(prec, first uint, f func(work uint) (*interval.Interval, error)) (Enclosure, error) {
	x, err := precision.Raise(prec, first, f)
	if err != nil {
		return Enclosure{}, err
	}
	return around(x), nil
}

// The enclosed value of e is a probability. If the upper bound of e is above 1, the function "probability" reduces this
// bound to 1.
func probability(e Enclosure, err error) (Enclosure, error) {
	one := big.NewFloat(1)
	if err == nil && e.rat == nil && e.Hi().Cmp(one) > 0 {
		e = around(interval.New(e.iv.Prec()).SetEnds(e.Lo(), one))
	}
	return e, err
}
