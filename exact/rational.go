package exact

import (
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
)

// These limits apply when a comparison needs the rate as a rational. The constant maxRatBits limits the number of bits
// of the unreduced denominator. The computation adds numbers. The constant maxRatWork limits the total length of these
// numbers, in bits. With these limits, the computation takes at most a few seconds.
const (
	maxRatBits = 1 << 19
	maxRatWork = 1 << 28
)

// momentRational returns E[(X/m)^r] by equation (56) of Burns, where X is the number of urns that the balls occupy.
func momentRational(m uint64, balls, r int) *big.Rat {
	c, powers := differenceWeights(m, r)
	sum, t, spare := new(big.Int), new(big.Int), new(big.Int)
	rest := new(big.Int)
	for j, w := range c {
		// The variable t becomes (m-j)^balls, which is computed from powers[j] = (m-j)^r.
		t, spare = powerOf(t, spare, powers[j], uint(balls/r))
		if balls%r > 0 {
			spare.Mul(t, rest.Exp(rest.SetUint64(m-uint64(j)), big.NewInt(int64(balls%r)), nil))
			t, spare = spare, t
		}
		if spare.Mul(w, t); j&1 == 0 {
			sum.Add(sum, spare)
		} else {
			sum.Sub(sum, spare)
		}
	}
	return overPower(sum, m, uint64(balls)+uint64(r))
}

// powerOf computes x^n for n >= 0. It overwrites the arguments z and "spare". One of these two arguments then holds
// x^n, and is the result "power". The result "other" is the argument that does not hold x^n. Unlike powerOf, the method
// Exp of math/big allocates memory for each product.
func powerOf(z, spare, x *big.Int, n uint) (power, other *big.Int) {
	z.SetUint64(1)
	for i := bits.Len(n) - 1; i >= 0; i-- {
		if spare.Mul(z, z); n>>i&1 == 1 {
			z.Mul(spare, x)
		} else {
			z, spare = spare, z
		}
	}
	return z, spare
}

// overPower returns x/m^n in lowest terms, for x > 0. It may change x. If m is a power of 2, no greatest
// common divisor has to be computed.
func overPower(x *big.Int, m, n uint64) *big.Rat {
	den := integer.Power(integer.Uint(m), n)
	if m&(m-1) != 0 {
		return new(big.Rat).SetFrac(x, den)
	}
	common := min(x.TrailingZeroBits(), den.TrailingZeroBits())
	q := big.NewRat(1, 2) // for this value, Num and Denom return references to the parts of q
	q.Num().Rsh(x, common)
	q.Denom().Rsh(den, common)
	return q
}

// classicRational returns E[C(X,k)]/C(m,k), the classic rate, by equation (60) of Burns.
func classicRational(m, n uint64, k int) *big.Rat {
	all := integer.Binomial(m, k)
	sum, t, f := new(big.Int), new(big.Int), new(big.Int)
	empty := new(big.Int).Set(all) // becomes C(m-j,k)
	for j, w := range integer.BinomialRow(k) {
		if j > 0 { // uses C(m-j,k) = C(m-j+1,k) (m-j+1-k)/(m-j+1)
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
