package precision

import "math/big"

// Starving replaces the precision that computations give themselves by a smaller one. With the usual precision the
// rounding errors and the remainders of series are far below the width that is asked for, so that a remainder that is
// too small by a factor would not show. With little precision they are the width of the result, and a result that does
// not contain the true value is an error of theirs. Results are then wide, and never refused for it.
type Starving struct {
	// Guard replaces the bits that a computation adds to the precision that is asked for. Below 0 it adds its own.
	Guard int
	// Cut ends series, sums and distributions where terms are below 2^-Cut. At 0 they end where the precision says.
	Cut int
}

// starving is set by Starve.
var starving *Starving

// Starve begins to starve all computations of package exact and the packages below it, until end is called. It is for
// tests, which must not compute anything else at the same time.
func Starve(s Starving) (end func()) {
	starving = &s
	return func() { starving = nil }
}

// First returns the working precision with which a computation begins: own, its own choice, unless it is starved.
func First(prec, own uint) uint {
	if starving == nil || starving.Guard < 0 {
		return own
	}
	return prec + uint(starving.Guard)
}

// Enough reports whether a result that is known to got bits is narrow enough.
func Enough(got int, prec uint) bool { return got >= int(prec) || starving != nil }

// Cut returns the number of bits at which a sum may end, where its precision is given.
func Cut(work uint) int {
	if starving == nil || starving.Cut == 0 {
		return int(work)
	}
	return min(starving.Cut, int(work))
}

// Fixed reports whether computations of a fixed precision of many bits may replace those of the precision that is asked
// for.
func Fixed() bool { return starving == nil || starving.Guard < 0 }

// Ulps returns 2^-Cut in units of 2^-work: 1, unless sums end early.
func Ulps(work uint) *big.Int {
	one := big.NewInt(1)
	return one.Lsh(one, work-uint(Cut(work)))
}
