package exact

import (
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
)

// These limits apply when a comparison needs the rate as a rational. The constant maxRatBits limits the number of bits
// of the unreduced denominator, and maxRatWork limits the total number of bits of all numbers that are added. These
// limits keep the time to a few seconds.
const (
	maxRatBits = 1 << 19
	maxRatWork = 1 << 28
)

// momentRational returns E[(X/m)^r] by (56) of Burns, where X is the number of urns that the balls occupy.
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

// classicRational returns E[C(X,k)]/C(m,k), the classic rate, by (60) of Burns.
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
