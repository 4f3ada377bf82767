package exact

import (
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Limits of FPRRat: of the unreduced denominator, in bits, and of the bits of all numbers
// that are added, which keep it to a few seconds.
const (
	maxRatBits = 1 << 19
	maxRatWork = 1 << 28
)

// FPRRat returns the expected false-positive rate as a rational number, from Burns
// (56), (60) and Fan (19), and for blocks from the sum of FPR.
//
// Domain: as FPR.
// Error: none, the value is exact.
// Cost: k+1 powers of up to 2^19 bits and a greatest common divisor, at most a
// few seconds; memory k times the size of the result.
// Errors: *bloomproof.ParamError; ErrTooCostly when the denominator before reduction
// (m^(nk+k), C(m,k)^n, (m/k)^(nk)) has more than 2^19 bits, or k+1 times it more than 2^28.
func FPRRat(g bloomproof.Geometry, n uint64) (*big.Rat, error) {
	l, err := lawOf(g)
	if err != nil {
		return nil, err
	}
	switch {
	case n == 0:
		return new(big.Rat), nil
	case l.full(g): // whatever n is: its product with k need not fit an int
		return big.NewRat(1, 1), nil
	}
	if size := l.rationalBits(g, n); size > maxRatBits {
		return nil, refuse.TooCostly("the rational rate", size, maxRatBits)
	}
	if work := l.rationalWork(g, n); work > maxRatWork {
		return nil, refuse.TooCostly("the rational rate", work, maxRatWork)
	}
	return l.rational(g, n), nil
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
			empty.Mul(empty, f.SetUint64(u-uint64(k)))
			empty.Quo(empty, f.SetUint64(u))
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
