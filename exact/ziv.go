package exact

import (
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// MaxPrec is the largest precision in bits that a function accepts: 315,000 digits.
const MaxPrec = precision.Max

// ziv runs f with growing working precision, from first on, until the relative width of
// its result is at most 2^-prec. first should come from a bound on the cancellation, so
// that one run is enough; a run that falls short says by how much.
//
// Errors: ErrPrecision with the width reached when maxGuard more bits do not do; ErrRange.
func ziv(prec, first uint, f func(work uint) *interval.Interval) (Enclosure, error) {
	return zivErr(prec, first, func(work uint) (*interval.Interval, error) { return f(work), nil })
}

// zivErr is ziv for an f that can fail.
func zivErr(prec, first uint, f func(work uint) (*interval.Interval, error)) (Enclosure, error) {
	x, err := precision.Raise(prec, first, f)
	if err != nil {
		return Enclosure{}, err
	}
	return around(x), nil
}

// probability returns e without the part above 1, for a value that is at most 1.
func probability(e Enclosure, err error) (Enclosure, error) {
	one := big.NewFloat(1)
	if err == nil && e.rat == nil && e.Hi().Cmp(one) > 0 {
		e = around(interval.New(e.iv.Prec()).SetEnds(e.Lo(), one))
	}
	return e, err
}
