package exact

import (
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Efficiency returns the efficiency of a filter of shape g with n items:
//
//	(n/m) log2(1/f).
//
// Source: Burns (69), (70), before Corollary 25.
// Domain: as for FPR; n >= 1.
// Error: relative width at most 2^-prec; the result is exactly 0 where the rate is exactly 1.
// Cost: as for LogFPR.
// Errors: *bloomproof.ParamError; ErrUndefined; ErrRange. ErrUndefined is returned for n = 0. ErrRange is returned
// where 1-f is below e^-1.3e9. The efficiency is then about as small as 1-f.
func Efficiency(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	l, err := checkedLaw(g, prec)
	if err != nil {
		return Enclosure{}, err
	}
	if n == 0 {
		return Enclosure{}, refuse.Undefined("efficiency", "the rate is 0")
	}
	return efficiencyOf(l, g, n, prec)
}

// efficiencyOf returns the efficiency of a filter with n >= 1 items.
func efficiencyOf(l law, g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	const guard = 4 // bits for the rounding errors of two products and a quotient
	if l.full(g) {
		return exactlyInt(0, prec), nil
	}
	e, err := l.logRate(g, n, prec+guard)
	if err != nil {
		return Enclosure{}, err
	}
	work := prec + 2*resultGuard
	x := interval.New(work).SetRat(new(big.Rat).SetFrac(new(big.Int).SetUint64(n), new(big.Int).SetUint64(g.M)))
	x.Mul(x, e.interval())
	x.Neg(x)
	return around(x.Quo(x, ln2Interval(work))), nil
}
