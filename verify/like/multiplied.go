package like

import (
	"math/big"
)

// The function "multiplied" returns bounds for filters whose positions are derived as follows. The type "pairs"
// explains these bounds. The words are h, ch, c^2 h, ... modulo 2^w, where h is a uniform odd number. Word i selects
// one of m/8 bytes by multiply-shift. Bits 3 to 5 of word i+1 select the bit in that byte.
//
// Bits 3 to 5 of the words depend only on r = h mod 64, which is one of 32 odd numbers. Let v be word i, and let d =
// j-i. Then word j is c^d*v. A value of r gives a pair of bits. One of them is in the byte that word i selects. The
// other is in the byte that word j selects. Several values of r may give the same pair of bits. Let most(d) be the
// largest number of values of r that give the same pair. Fix r. Let W = ceil(2^w/(m/8)). Fix two intervals. Each of
// them contains W numbers. Consider the pairs (v, c^d v) with v in the first interval and c^d v in the second. These
// pairs are points of a shifted lattice, and lie in a square of side W. The lattice has the basis (64, 64 c^d), (0,
// 2^w).
func multiplied(w uint, c, m uint64) pairs {
	all, bytes := new(big.Int).Lsh(big.NewInt(1), w), integer(m/8)
	odd := new(big.Int).Rsh(all, 1)
	sixtyFour := big.NewInt(64)
	fewest := new(big.Int).Div(new(big.Int).Div(all, bytes), sixtyFour) // the number of words in an interval for one r
	side := ceil(all, bytes)
	times := func(x *big.Int, y int64) *big.Rat {
		return new(big.Rat).SetFrac(new(big.Int).Mul(x, big.NewInt(y)), odd)
	}
	return pairs{
		lo: times(fewest, 4), hi: times(ceil(side, sixtyFour), 4), // 4 of the 32 numbers r select a given bit
		level: func(i, j int) uint64 { return apart(i, j) },
		joint: func(d uint64) *big.Rat {
			factor := uint64(1)
			for range d {
				factor *= c
			}
			most, counts := int64(0), map[[2]uint64]int64{}
			for r := uint64(1); r < 64; r += 2 {
				both := [2]uint64{r >> 3 & 7, factor * r >> 3 & 7}
				counts[both]++
				most = max(most, counts[both])
			}
			_, points := lattice{sixtyFour, integer(factor), all}.points(side, side)
			return points.Mul(points, times(big.NewInt(1), most))
		},
	}
}
