package fnr

import (
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
)

var standardHashing = hashing{is: bloomproof.Standard, avoided: 0, chances: standardChances}

// standardChances returns d!*S(k,d)/m^k for d = 0..k. Here S(k,d) is a Stirling number of the second kind. Let a set of
// d bits be given. Of the m^k outcomes, d!*S(k,d) have exactly this set of positions.
func standardChances(m uint64, k int) []*big.Rat {
	c := make([]*big.Rat, k+1)
	for d := range c {
		c[d] = new(big.Rat)
	}
	onto := []*big.Int{big.NewInt(1)} // onto[d] = d! S(t,d) after t positions
	for range k {
		next := make([]*big.Int, len(onto)+1)
		for d := range next {
			next[d] = new(big.Int)
			if d < len(onto) {
				next[d].Set(onto[d])
			}
			if d > 0 {
				next[d].Add(next[d], onto[d-1])
			}
			next[d].Mul(next[d], big.NewInt(int64(d)))
		}
		onto = next
	}
	all := integer.Power(new(big.Int).SetUint64(m), uint64(k))
	for d, n := range onto {
		if uint64(d) <= m {
			c[d].SetFrac(n, all)
		}
	}
	return c
}
