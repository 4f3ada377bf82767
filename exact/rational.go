package exact

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// MaxRatBits is the largest unreduced denominator, in bits, that FPRRat accepts.
const MaxRatBits = 1 << 19

// rationalBits returns about log2 of the denominator of rational before reduction.
func rationalBits(g bloomproof.Geometry, n uint64) float64 {
	m, k, items := float64(g.M), float64(g.K), float64(n)
	switch g.Hashing {
	case bloomproof.Standard:
		return (items + 1) * k * math.Log2(m)
	case bloomproof.Classic:
		lg := func(x float64) float64 { v, _ := math.Lgamma(x + 1); return v / math.Ln2 }
		// For large m the difference of log-gammas has no digits; k log2 m bounds it.
		if m > 1e6 {
			return items * k * math.Log2(m)
		}
		return items * (lg(m) - lg(k) - lg(m-k))
	}
	return items * k * math.Log2(m/k)
}

// FPRRat returns the expected false-positive rate as a rational number, from Burns
// (56), (60) and Fan (19).
//
// Domain: as FPR.
// Error: none, the value is exact.
// Cost: k+1 powers of up to MaxRatBits bits and a greatest common divisor, at most a
// few seconds; memory k times the size of the result.
// Errors: *bloomproof.ParamError; ErrTooCostly when the denominator before reduction
// (m^(nk+k), C(m,k)^n, (m/k)^(nk)) has more than MaxRatBits bits, or k+1 times it more
// than 2^28.
func FPRRat(g bloomproof.Geometry, n uint64) (*big.Rat, error) {
	if err := valid(g); err != nil {
		return nil, err
	}
	switch {
	case n == 0:
		return new(big.Rat), nil
	case g.M == 1: // whatever n is: its product with k need not fit an int
		return big.NewRat(1, 1), nil
	}
	size := rationalBits(g, n)
	if size > MaxRatBits {
		return nil, refuse.TooCostly("the rational rate", size, MaxRatBits)
	}
	if work := size * float64(g.K+1); g.Hashing != bloomproof.Partitioned && work > 1<<28 {
		return nil, refuse.TooCostly("the rational rate", work, 1<<28)
	}
	return rational(g, n), nil
}

// rational computes FPRRat for n >= 1 and m >= 2 without checking the size.
func rational(g bloomproof.Geometry, n uint64) *big.Rat {
	switch g.Hashing {
	case bloomproof.Standard:
		return momentRational(g.M, g.K*int(n), g.K)
	case bloomproof.Classic:
		return classicRational(g.M, n, g.K)
	}
	s := new(big.Int).SetUint64(g.M / uint64(g.K))
	all := integer.Power(s, n)
	p := new(big.Int).Sub(all, integer.Power(s.Sub(s, integer.One), n))
	return new(big.Rat).SetFrac(integer.Power(p, uint64(g.K)), integer.Power(all, uint64(g.K)))
}

// momentRational returns E[(X/m)^r] for X occupied of the balls: Burns (56).
func momentRational(m uint64, balls, r int) *big.Rat {
	c, _ := momentWeights(m, r, 0, 0)
	sum, t := new(big.Int), new(big.Int)
	for j, w := range c {
		t.Mul(w, integer.Power(t.SetUint64(m-uint64(j)), uint64(balls)))
		if j&1 == 0 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
	}
	return new(big.Rat).SetFrac(sum, integer.Power(t.SetUint64(m), uint64(balls)+uint64(r)))
}

// classicRational returns E[C(X,k)]/C(m,k): Burns (60).
func classicRational(m, n uint64, k int) *big.Rat {
	all := integer.Binomial(m, k)
	sum, t, f := new(big.Int), new(big.Int), new(big.Int)
	empty := new(big.Int).Set(all) // C(m-j,k)
	for j, w := range integer.BinomialRow(k) {
		if j > 0 { // C(m-j,k) = C(m-j+1,k) (m-j+1-k)/(m-j+1)
			u := m - uint64(j) + 1
			if u <= uint64(k) {
				break
			}
			empty.Quo(empty.Mul(empty, f.SetUint64(u-uint64(k))), f.SetUint64(u))
		}
		t.Mul(w, integer.Power(empty, n))
		if j&1 == 0 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
	}
	return new(big.Rat).SetFrac(sum, integer.Power(all, n))
}
