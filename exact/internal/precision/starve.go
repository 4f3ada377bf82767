package precision

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// Starving makes computations use smaller precisions than they would choose. So a test can find wrong error bounds.
// With the usual precision, rounding errors and remainders of series are far below the requested width. Therefore a
// test would not notice a bound that is somewhat too small. With little precision, the errors and remainders determine
// the width of the result. If a result then does not contain the true value, one of the bounds is wrong. With so little
// precision, the results are wide. In this mode, no result is rejected because of its width.
type Starving struct {
	// Every computation adds extra bits to the requested precision. If Guard is at least 0, it is the number of extra
	// bits. If Guard is negative, each computation chooses this number itself.
	Guard int
	// Cut makes series, sums and distributions end at terms below 2^-Cut. If Cut is 0, the working precision determines
	// where they end.
	Cut int
	// Some error bounds have terms for rounding errors of float64. They are far below the width of an answer. If Margin is
	// above 0, it replaces the relative error of a rounding in these terms. Then each of them shows in the bound.
	Margin float64
}

// The variable "starving" points to the value of type Starving that is in effect. Otherwise it is nil.
var starving *Starving

// Starve puts s into effect for all computations of package exact and of its subpackages. Starve is for tests only.
// Before the call of Starve, the test must not compute anything else. Starve returns a function, which the test must
// call at the end. After this call, s has no effect.
func Starve(s Starving) (end func()) {
	starving = &s
	return func() { starving = nil }
}

// A Watcher is told what the computations do. It is for tests.
type Watcher struct {
	First func(first uint)           // gets the first working precision that each computation has chosen
	Raw   func(x *interval.Interval) // gets each result of Raise before it is rounded
}

// The variable "watching" is the Watcher that Watch got, or nil.
var watching *Watcher

// Watch tells w what all computations of package exact and of its subpackages do. Watch returns a function, which the
// test must call at the end.
func Watch(w Watcher) (end func()) {
	watching = &w
	return func() { watching = nil }
}

// First returns the initial working precision of a computation. The argument "own" is the precision that the
// computation itself has chosen. If no test has changed the number of extra bits, First returns this precision.
func First(prec, own uint) uint {
	if watching != nil {
		watching.First(own)
	}
	if starving == nil || starving.Guard < 0 {
		return own
	}
	return prec + uint(starving.Guard)
}

// Enough reports whether a result is narrow enough for a precision of prec bits. The argument "got" is the number of
// its correct bits.
func Enough(got int, prec uint) bool { return got >= int(prec) || starving != nil }

// Cut returns a number c. A sum that is computed with work bits may end when its terms fall below 2^-c.
func Cut(work uint) int {
	if starving == nil || starving.Cut == 0 {
		return int(work)
	}
	return min(starving.Cut, int(work))
}

// Negligible returns the probability below which a computation in float64 may leave out terms. The argument "own" is
// the probability that the computation itself has chosen.
func Negligible(own float64) float64 {
	if starving == nil || starving.Cut == 0 {
		return own
	}
	return math.Ldexp(1, -starving.Cut)
}

// Margin returns a bound of a relative rounding error. The argument "own" is the bound that the computation itself has
// chosen.
func Margin(own float64) float64 {
	if starving == nil || starving.Margin == 0 {
		return own
	}
	return starving.Margin
}

// Fixed reports whether a computation may use a fixed, high precision in place of the requested precision.
func Fixed() bool { return starving == nil || starving.Guard < 0 }

// Ulps returns the number 2^(work-c), where c is the result of the function Cut. If no test makes sums end early, this
// number is 1.
func Ulps(work uint) *big.Int {
	one := big.NewInt(1)
	return one.Lsh(one, work-uint(Cut(work)))
}
