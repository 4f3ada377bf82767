package exact

import (
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Efficiency returns the efficiency of a filter of shape g with n items:
//
//	(n/m) log2(1/f)
//
// Source: Burns (69), (70), before Corollary 25.
// Domain: as FPR, n >= 1.
// Error: relative width at most 2^-prec; exactly 0 where the rate is exactly 1.
// Cost: as Log2.
// Errors: *bloomproof.ParamError; ErrUndefined for n = 0; ErrRange where 1-f is below
// e^-1.3e9, which makes the efficiency as small.
func Efficiency(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	if err := checkDerived(Rate, g, prec); err != nil {
		return Enclosure{}, err
	}
	if n == 0 {
		return Enclosure{}, refuse.Undefined("efficiency", "the rate is 0")
	}
	return efficiency(g, n, prec)
}

func efficiency(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	l, err := Log2(Rate, g, n, min(prec+4, MaxPrec))
	if err != nil || l.iv == nil || l.iv.IsPoint() && l.Sign() == 0 {
		return exactlyInt(0, prec), err
	}
	x := interval.New(prec + 16).SetRat(new(big.Rat).SetFrac(new(big.Int).SetUint64(n), new(big.Int).SetUint64(g.M)))
	return around(x.Mul(x.Neg(x), l.interval())), nil
}

// EfficiencyOfBalls returns the efficiency of a standard filter that took a number of
// balls (positions) in all, which makes n = balls/k items, a real number:
//
//	(balls/(km)) log2(1/E[(X/m)^k])
//
// Source: Burns (71)-(73), where n counts balls. It decreases strictly with k for m >= 2
// and balls >= 2 (Theorem 26), because E[(X/m)^k]^(1/k) grows with k.
// Domain: 1 <= m < 2^64, 1 <= balls < 2^64, 1 <= k <= 4096, prec 1 to MaxPrec.
// Error: relative width at most 2^-prec; exactly 0 for m = 1.
// Cost: as MomentStandard.
// Errors: *bloomproof.ParamError; ErrUndefined for no balls; ErrRange as Efficiency.
func EfficiencyOfBalls(m, balls uint64, k int, prec uint) (Enclosure, error) {
	if err := checkShape(m, k, prec); err != nil {
		return Enclosure{}, err
	}
	switch {
	case balls == 0:
		return Enclosure{}, refuse.Undefined("efficiency", "the rate is 0")
	case m == 1:
		return exactlyInt(0, prec), nil
	}
	total := new(big.Int).SetUint64(balls)
	share := new(big.Rat).SetFrac(total, new(big.Int).Mul(new(big.Int).SetUint64(m), big.NewInt(int64(k))))
	d := derivation{g: bloomproof.Geometry{M: m, K: k}, total: total}
	e, err := d.logarithm(Rate, 2, prec+4)
	x := interval.New(prec + 16).SetRat(share)
	return around(x.Mul(x.Neg(x), e.interval())), err
}
