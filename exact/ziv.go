package exact

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// MaxPrec is the largest precision in bits that a function accepts: 315,000 digits.
const MaxPrec = 1 << 20

// maxGuard is how far beyond its first working precision a computation may go.
const maxGuard = 1 << 16

// ErrTooCostly reports a computation beyond its route's stated limit; the wrapping
// error says how far.
var ErrTooCostly = errors.New("exact: too costly")

func tooCostly(what string, cost, limit float64) error {
	return fmt.Errorf("%s takes %.3g steps, at most %.3g are allowed: %w", what, cost, limit, ErrTooCostly)
}

func checkPrec(prec uint) error {
	if prec < 1 || prec > MaxPrec {
		return &bloomproof.ParamError{Param: "prec", Value: prec, Want: fmt.Sprintf("between 1 and %d bits", MaxPrec)}
	}
	return nil
}

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
	step := prec + 32
	for work := first; ; {
		x, err := f(work)
		if err != nil {
			return Enclosure{}, err
		}
		if underflows(x) {
			return Enclosure{}, ErrRange
		}
		got := x.RelBits()
		if got >= int(prec) {
			return around(interval.New(prec+4).Set(x)).checked(prec, x), nil
		}
		if work > first+maxGuard {
			return Enclosure{}, fmt.Errorf("relative width 2^-%d reached at %d bits, 2^-%d wanted: %w", got, work, prec, ErrPrecision)
		}
		if got > 0 {
			work += prec - uint(got) + 8
		} else { // no bit is known yet: nothing tells how many are missing
			work += step
			step *= 2
		}
	}
}

// underflows reports whether x is what is left of a value below what big.Float holds,
// 2^-2^31, or interval.Exp, e^-1.4e9, perhaps times large factors: it is that close to 0
// on both sides.
func underflows(x *interval.Interval) bool {
	tiny := func(end *big.Float) bool { return end.Sign() == 0 || end.MantExp(nil) < big.MinExp+1<<27 }
	return x.Valid() && x.Sign() == 0 && !x.IsPoint() && tiny(x.Lo()) && tiny(x.Hi())
}

// probability returns e without the part above 1, for a value that is at most 1.
func probability(e Enclosure, err error) (Enclosure, error) {
	one := big.NewFloat(1)
	if err == nil && e.rat == nil && e.Hi().Cmp(one) > 0 {
		e = around(interval.New(e.iv.Prec()).SetEnds(e.Lo(), one))
	}
	return e, err
}

// checked returns e, or x itself where rounding e to fewer bits made it too wide.
func (e Enclosure) checked(prec uint, x *interval.Interval) Enclosure {
	if e.RelBits() < int(prec) {
		return around(x)
	}
	return e
}
