package fnr

import (
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
)

var classicHashing = hashing{is: bloomproof.Classic, avoided: 1, chances: classicChances}

// classicChances returns a list. Its entry for d = k bits is 1/C(m,k), and its entries for d < k are 0.
func classicChances(m uint64, k int) []*big.Rat {
	c := make([]*big.Rat, k+1)
	for d := range c {
		c[d] = new(big.Rat)
	}
	c[k].SetFrac(big.NewInt(1), integer.Binomial(m, k))
	return c
}
