package precision

import "math/big"

// Starving replaces the precisions that computations choose by smaller ones. With the usual precision, the rounding
// errors and the remainders of series are far below the requested width. So a remainder that is too small by some
// factor would not be noticed. With little precision, the errors and remainders are the width of the result. If a
// result then does not contain the true value, one of them is wrong. Such results are wide, and they are never refused
// for being too wide.
type Starving struct {
	// Guard replaces the number of bits that a computation adds to the requested precision. If Guard is negative, the
	// computation adds its own number.
	Guard int
	// Cut ends series, sums and distributions at terms below 2^-Cut. If Cut is 0, they end where the precision says.
	Cut int
}

// starving is set by Starve.
var starving *Starving

// Starve starves all computations of package exact and of the packages below it, until end is called. It is for tests.
// While it is in effect, a test must not compute anything else.
func Starve(s Starving) (end func()) {
	starving = &s
	return func() { starving = nil }
}

// First returns the working precision with which a computation begins. This is own, the computation's choice, unless it
// is starved.
func First(prec, own uint) uint {
	if starving == nil || starving.Guard < 0 {
		return own
	}
	return prec + uint(starving.Guard)
}

// Enough reports whether a result is narrow enough if got of its bits are known to be correct.
func Enough(got int, prec uint) bool { return got >= int(prec) || starving != nil }

// Cut returns the number of bits at which a sum of work bits may end.
func Cut(work uint) int {
	if starving == nil || starving.Cut == 0 {
		return int(work)
	}
	return min(starving.Cut, int(work))
}

// Fixed reports whether a computation of a fixed precision of many bits may replace one of the requested precision.
func Fixed() bool { return starving == nil || starving.Guard < 0 }

// Ulps returns 2^-Cut in units of 2^-work. This is 1 unless sums end early.
func Ulps(work uint) *big.Int {
	one := big.NewInt(1)
	return one.Lsh(one, work-uint(Cut(work)))
}
