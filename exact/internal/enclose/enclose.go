// Package enclose makes Enclosures from intervals and rationals, for package exact and the packages below it.
package enclose

import (
	"math/big"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// Interval returns x as an Enclosure. If x is not Valid, the Enclosure has no bounds.
func Interval(x *interval.Interval) exact.Enclosure {
	lo, hi := x.Lo(), x.Hi()
	if !x.Valid() {
		lo.SetInf(true)
		hi.SetInf(false)
	}
	e, err := exact.NewEnclosure(lo, hi)
	if err != nil {
		panic("enclose: an interval whose ends are not in order: " + err.Error())
	}
	return e
}

// Of(e) is the enclosure e as an interval. This interval has the same precision as the ends of e.
func Of(e exact.Enclosure) *interval.Interval {
	lo, hi := e.Lo(), e.Hi()
	return interval.New(max(lo.Prec(), hi.Prec())).SetEnds(lo, hi)
}

// Rational returns the rational r as an Enclosure with ends of prec bits. If prec is not permitted, it uses the nearest
// permitted precision. The caller must not change r afterwards.
func Rational(r *big.Rat, prec uint) exact.Enclosure {
	e, err := exact.NewRational(r, max(1, min(prec, precision.Max)))
	if err != nil {
		panic("enclose: a precision that is allowed is refused: " + err.Error())
	}
	return e
}

// Int returns the integer v as an Enclosure with ends of prec bits.
func Int(v int64, prec uint) exact.Enclosure { return Rational(big.NewRat(v, 1), prec) }

// Ziv calls f with increasing working precision until the relative width of the result is at most 2^-prec. It returns
// this result as an Enclosure. The argument "first" is the first working precision.
func Ziv(prec, first uint, f func(work uint) *interval.Interval) (exact.Enclosure, error) {
	return ZivErr(prec, first, func(work uint) (*interval.Interval, error) { return f(work), nil })
}

// ZivErr does the same as Ziv for a function f that can fail.
func ZivErr(prec, first uint, f func(work uint) (*interval.Interval, error)) (exact.Enclosure, error) {
	x, err := precision.Raise(prec, first, f)
	if err != nil {
		return exact.Enclosure{}, err
	}
	return Interval(x), nil
}

// Probability returns e, with its upper bound reduced to 1 if that bound exceeds 1. This is correct because the
// enclosed value is a probability.
func Probability(e exact.Enclosure, err error) (exact.Enclosure, error) {
	if err != nil {
		return e, err
	}
	one := big.NewFloat(1)
	if _, rational := e.Rat(); !rational && e.Hi().Cmp(one) > 0 {
		x := Of(e)
		return Interval(x.SetEnds(x.Lo(), one)), nil
	}
	return e, nil
}
