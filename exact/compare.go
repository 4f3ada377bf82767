package exact

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
)

// Two rates, or a rate and a bound, are compared through enclosures of increasing precision. If the enclosures of the
// second precision still overlap, the two numbers are compared as exact rationals. If the rationals are too long for
// this, higher precisions are tried.

// comparePrecs returns the precisions that a comparison tries. If two filters differ by 1 in m or in n, the relative
// difference of their rates is about k^2/m or more. The second precision is enough to distinguish such rates.
func comparePrecs(m uint64) []uint {
	near := floatWork + itemBits(m)
	return []uint{searchPrec, near, 4 * near, 16 * near}
}

// The function "undecided" returns the error for two rates that cannot be compared. Their enclosures overlap at the
// highest precision, prec bits. The rates as rationals have too many digits to be compared.
func undecided(prec uint) error {
	return fmt.Errorf("two rates agree to %d bits and are too large as rationals: %w", prec, ErrPrecision)
}

// rationalServes reports whether the rate can be computed as an exact rational in at most a few seconds.
func rationalServes(l law, g bloomproof.Geometry, n uint64) bool {
	return l.rationalBits(g, n) <= maxRatBits && l.rationalWork(g, n) <= maxRatWork
}

// cmpRate returns -1, 0 or +1 if the rate of the filter is less than, equal to or greater than p.
func cmpRate(l law, g bloomproof.Geometry, n uint64, p *big.Rat) (int, error) {
	precs := comparePrecs(g.M)
	for i, prec := range precs {
		e, err := rateAt(l, g, n, prec)
		if err != nil {
			return 0, err
		}
		if order, decided := e.Cmp(exactly(p, prec)); decided {
			return order, nil
		}
		if i > 0 && rationalServes(l, g, n) {
			return l.rational(g, n).Cmp(p), nil
		}
	}
	return 0, undecided(precs[len(precs)-1])
}

// checkTarget returns a ParamError unless the target rate p is above 0 and below 1.
func checkTarget(p *big.Rat) error {
	if p == nil || p.Sign() <= 0 || p.Cmp(big.NewRat(1, 1)) >= 0 {
		return &bloomproof.ParamError{Param: "fpr", Value: p, Want: "above 0 and below 1"}
	}
	return fault.Part()
}

// lastTrue returns the largest x in lo..hi for which p(x) is true. The predicate p must be true for lo. If p is false
// for a number, it must be false for all larger numbers. The search starts near the argument "guess", and calls p about
// 2 log2 |x - guess| + 2 times.
func lastTrue(lo, hi, guess uint64, p func(x uint64) (bool, error)) (uint64, error) {
	if err := fault.Part(); err != nil {
		return 0, err
	}
	guess = min(max(guess, lo), hi)
	holds := guess == lo
	if !holds {
		var err error
		if holds, err = p(guess); err != nil {
			return 0, err
		}
	}
	below, above := lo, hi // invariant: p(below) is true, and either p(above+1) is false or above = hi
	if holds {
		below = guess
		for step := uint64(1); below < hi; step *= 2 {
			x := below + min(step, hi-below)
			ok, err := p(x)
			if err != nil {
				return 0, err
			}
			if !ok {
				above = x - 1
				break
			}
			below = x
			if step > hi/2 {
				step = hi / 2
			}
		}
	} else {
		above = guess - 1
		for step := uint64(1); above > lo; step *= 2 {
			x := above - min(step-1, above-lo)
			if x == lo {
				break
			}
			ok, err := p(x)
			if err != nil {
				return 0, err
			}
			if ok {
				below = x
				break
			}
			above = x - 1
			if step > hi/2 {
				step = hi / 2
			}
		}
	}
	for below < above {
		x := above - (above-below)/2
		ok, err := p(x)
		if err != nil {
			return 0, err
		}
		if ok {
			below = x
		} else {
			above = x - 1
		}
	}
	return below, nil
}
