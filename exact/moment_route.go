package exact

import (
	"math"
	"math/big"
)

// moment returns E[(X/m)^r], X occupied of N balls, m >= 2, N >= 1, r >= 1, by Burns (9). It
// expands the differences with signs, which is (56), or without signs, or computes them as integrals. It takes the way
// with the least estimated cost.
func moment(m uint64, n *big.Int, r int, prec uint) (Enclosure, error) {
	if integralServes(m, n, prec, momentCost(m, n, r, prec)) {
		if e, ok := momentIntegral(m, n, r, prec); ok {
			return e, nil
		}
	}
	if smallFillServes(m, n, r, prec) {
		return momentSmallFill(m, n, r, prec)
	}
	return momentKSum(m, n, r, prec)
}

// momentCost estimates moment without its integral.
func momentCost(m uint64, n *big.Int, r int, prec uint) float64 {
	return min(smallFillCost(m, n, r, prec), differenceCost(m, n, r, prec))
}

// smallFillServes reports whether momentSmallFill is cheaper. A sum that
// reaches i = m has more balls than urns, so the filter is not nearly empty.
func smallFillServes(m uint64, n *big.Int, r int, prec uint) bool {
	return uint64(lastFill(n, r)) < m && smallFillCost(m, n, r, prec) < differenceCost(m, n, r, prec)
}

// The two costs below are nanoseconds of one machine, accurate on it to a factor of about 2 for
// r from 40 to 2000. Only their ratio matters. Where it is near 1, either choice is good.

// Parts of those costs, each measured in a case where it is most of the time.
const (
	callCost       = 30    // of an operation of math/big on one word
	pairCost       = 0.6   // of the product of a word with a word
	karatsubaWords = 40    // math/big's products are schoolbook up to so many words
	karatsubaPower = 0.585 // log2 3 - 1: beyond, they cost words^(1+karatsubaPower)
	termCost       = 80    // of a step of a recurrence: some operations and a small product
	wordCost       = 4     // of a word in the linear operations around a product
)

// productCost is about the cost of a product of numbers of so many words: schoolbook products, and
// Karatsuba's for longer numbers.
func productCost(words float64) float64 {
	perWord := karatsubaWords * math.Pow(max(1, words/karatsubaWords), karatsubaPower)
	return callCost + pairCost*words*min(words, perWord)
}

// differenceCost estimates momentKSum: the powers, and the recurrence of the weights.
func differenceCost(m uint64, n *big.Int, r int, prec uint) float64 {
	words := float64(differenceBits(m, n, r, prec)) / wordBits
	length := min(float64(r)*math.Log2(float64(m))/wordBits, 1.5*words) // of a weight
	terms := min(float64(r), float64(m))
	power := float64(n.BitLen()) * (productCost(words) + wordCost*words)
	return terms * (power + float64(r)/2*(termCost+wordCost/2*length))
}

// smallFillCost estimates momentSmallFill: the recurrence of the Stirling numbers, the
// series, and the powers. The number of terms of the series is estimated from a Poisson tail. Its
// mean is the number of balls beyond one that an occupied urn is expected to have: a/p - 1 of them
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
	const bisections = 12 // a cost is known to a factor of 2 at best
	exponent := work * math.Ln2
	low, depth := mean, mean+exponent/3+math.Sqrt(exponent*exponent/9+2*exponent*mean)
	for range bisections {
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
	words := work / wordBits
	product := callCost + productCost(words)
	const factors, squarings = 3, 4 // products for a term of the series; for a bit of a power
	series := last * depth * (termCost + factors*product)
	return (last*depth+triangle)*(termCost+wordCost*words) + series + last*float64(n.BitLen())*squarings*product
}
