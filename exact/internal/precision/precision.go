// Package precision raises the working precision of a computation until its result is narrow enough.
package precision

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Max is the largest precision in bits that a function accepts. It corresponds to 315,000 digits.
const Max = 1 << 20

// MaxGuard limits how many bits a computation may add to its first working precision.
const MaxGuard = 1 << 16

// The number of bits that a computation loses is estimated, and Spare is added to the estimate. These bits cost very
// little. If an estimate is too low, Raise has to repeat the computation.
const Spare = 16

// The automatic route computes a rational if its unreduced denominator has at most RationalMost bits. This length
// corresponds to 5000 digits, so numerator and denominator together have fewer than 10,000 digits.
const RationalMost = 16609

// Check returns an error for a precision outside 1 to Max.
func Check(prec uint) error {
	if prec < 1 || prec > Max {
		return &bloomproof.ParamError{Param: "prec", Value: prec, Want: fmt.Sprintf("between 1 and %d bits", Max)}
	}
	return fault.Part()
}

// Raise calls f with increasing working precision until the relative width of the result is at most 2^-prec. The
// argument "first" is the first working precision. It should come from a bound of the cancellation, so that one call is
// enough. If a result is too wide, its width shows how many more bits the next call needs.
//
// Errors: ErrPrecision is returned if MaxGuard extra bits are not enough. Its text states the width that was reached.
// ErrRange is returned if the result underflows. An error of f is returned unchanged.
func Raise(prec, first uint, f func(work uint) (*interval.Interval, error)) (*interval.Interval, error) {
	if err := fault.Part(); err != nil {
		return nil, err
	}
	step := prec + 32
	for work := First(prec, first); ; {
		x, err := f(work)
		if err != nil {
			return nil, err
		}
		if underflows(x) {
			return nil, refuse.ErrRange
		}
		got := x.RelBits()
		if x.Valid() && Enough(got, prec) {
			if watching != nil {
				watching.Raw(x)
			}
			return Round(x, prec), nil
		}
		if work > first+MaxGuard {
			return nil, fmt.Errorf("relative width 2^-%d reached at %d bits, 2^-%d wanted: %w", got, work, prec, refuse.ErrPrecision)
		}
		if got > 0 {
			work += prec - uint(got) + 8
		} else { // no bit of the result is correct, so the number of missing bits is unknown
			work += step
			step *= 2
		}
	}
}

// Round returns x rounded to about prec bits. If rounding would make it wider than 2^-prec, Round returns x itself.
func Round(x *interval.Interval, prec uint) *interval.Interval {
	if r := interval.New(prec + 4).Set(x); r.RelBits() >= int(prec) {
		return r
	}
	return x
}

// If both ends of x are very close to 0, an underflow must have occurred. The function "underflows" reports whether
// this is so. In an underflow, an intermediate result is below the smallest positive number of big.Float or of
// interval.Exp. These smallest numbers are 2^-2^31 and e^-1.4e9. The result x may be larger, because later steps can
// multiply the intermediate result by large factors.
func underflows(x *interval.Interval) bool {
	tiny := func(end *big.Float) bool { return end.Sign() == 0 || end.MantExp(nil) < big.MinExp+1<<27 }
	return x.Valid() && x.Sign() == 0 && !x.IsPoint() && tiny(x.Lo()) && tiny(x.Hi())
}
