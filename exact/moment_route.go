package exact

import (
	"math"
	"math/big"
)

// moment returns E[(X/m)^r], X occupied of N balls, m >= 2, N >= 1, r >= 1: Burns (9),
// with its differences expanded with signs, which is (56), or without, whichever is
// estimated to be cheaper.
func moment(m uint64, n *big.Int, r int, prec uint) (Enclosure, error) {
	if smallFillServes(m, n, r, prec) {
		return momentSmallFill(m, n, r, prec)
	}
	return momentKSum(m, n, r, prec)
}

// smallFillServes reports whether momentSmallFill is the cheaper one. A sum that
// reaches i = m has more balls than urns, so the filter is not nearly empty.
func smallFillServes(m uint64, n *big.Int, r int, prec uint) bool {
	return uint64(lastFill(n, r)) < m && smallFillCost(m, n, r, prec) < differenceCost(m, n, r, prec)
}

// The two costs below are nanoseconds of one machine, to a factor of about 2 there for
// r from 40 to 2000. Only their ratio counts, and where it is near 1 the choice does not.

// productCost is about the cost of a product of numbers of so many words: schoolbook up
// to 40, then Karatsuba's.
func productCost(words float64) float64 {
	return 30 + 0.6*words*min(words, 40*math.Pow(max(1, words/40), 0.585))
}

// differenceCost estimates momentKSum: the powers, and the recurrence of the weights.
func differenceCost(m uint64, n *big.Int, r int, prec uint) float64 {
	words := float64(differenceBits(m, n, r, prec)) / 64
	length := min(float64(r)*math.Log2(float64(m))/64, 1.5*words)
	terms := min(float64(r), float64(m))
	power := float64(n.BitLen()) * (productCost(words) + 4*words)
	return terms * (power + float64(r)/2*(80+2*length))
}

// smallFillCost estimates momentSmallFill: the recurrence of the Stirling numbers, the
// series, and the powers. The terms of the series are taken for a Poisson tail whose
// mean is what the urns, being occupied, expect beyond one ball each: a/p - 1 of them
// at a balls an urn and the fill p = 1-e^-a.
func smallFillCost(m uint64, n *big.Int, r int, prec uint) float64 {
	work := float64(smallFillBits(r, prec))
	last := float64(lastFill(n, r))
	balls, _ := new(big.Float).SetInt(n).Float64()
	perUrn := balls / float64(m)
	beyond := perUrn / 2
	if perUrn > 1e-3 {
		beyond = perUrn/-math.Expm1(-perUrn) - 1
	}
	mean := last * beyond
	// The least depth with depth (ln(depth/mean) - 1) + mean >= exponent, by bisection
	// from Bernstein's bound, which is far too large for small means.
	exponent := work * math.Ln2
	low, depth := mean, mean+exponent/3+math.Sqrt(exponent*exponent/9+2*exponent*mean)
	for range 12 {
		if mid := (low + depth) / 2; mid*(math.Log(mid/mean)-1)+mean < exponent {
			low = mid
		} else {
			depth = mid
		}
	}
	depth = min(depth, max(0, balls-1)) // the series of i = 1 ends there
	rest := max(0, float64(r)-depth)    // what S(r,i) takes beyond
	triangle := rest * rest / 2
	if rest > last {
		triangle = last * (rest - last/2)
	}
	words := work / 64
	product := 50 + productCost(words)
	return (last*depth+triangle)*(80+4*words) + last*depth*(100+3*product) + last*float64(n.BitLen())*4*product
}
