package exact

import (
	"math"
	"math/big"
)

// moment returns E[(X/m)^r] by Burns (9), where X is the occupancy of N balls, for m >= 2, N >= 1 and r >= 1. It
// expands the differences into terms with alternating signs, which is (56), or into positive terms, or computes them as
// integrals. It takes the way with the least estimated cost.
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

// momentCost estimates the time of moment if it does not use an integral.
func momentCost(m uint64, n *big.Int, r int, prec uint) float64 {
	return min(smallFillCost(m, n, r, prec), differenceCost(m, n, r, prec))
}

// smallFillServes reports whether momentSmallFill is cheaper than momentKSum. If its sum reached i = m, there would be
// more balls than urns, and the filter would not be nearly empty.
func smallFillServes(m uint64, n *big.Int, r int, prec uint) bool {
	return uint64(lastFill(n, r)) < m && smallFillCost(m, n, r, prec) < differenceCost(m, n, r, prec)
}

// The two functions below estimate costs in nanoseconds on one machine, to a factor of about 2 for r from 40 to 2000.
// Only the ratio of the two costs matters. Where it is near 1, either choice is good.

// Parts of these costs. Each was measured in a case where it takes most of the time.
const (
	callCost       = 30    // an operation of math/big on one word
	pairCost       = 0.6   // the product of two words
	karatsubaWords = 40    // math/big multiplies numbers of up to so many words by the schoolbook method
	karatsubaPower = 0.585 // log2 3 - 1; products of longer numbers cost words^(1+karatsubaPower)
	termCost       = 80    // a step of a recurrence: some operations and a small product
	wordCost       = 4     // a word in the linear operations around a product
)

// productCost estimates the cost of a product of two numbers of the given number of words: by the schoolbook method,
// and by Karatsuba's for longer numbers.
func productCost(words float64) float64 {
	perWord := karatsubaWords * math.Pow(max(1, words/karatsubaWords), karatsubaPower)
	return callCost + pairCost*words*min(words, perWord)
}

// differenceCost estimates the time of momentKSum, for the powers and the recurrence of the weights.
func differenceCost(m uint64, n *big.Int, r int, prec uint) float64 {
	words := float64(differenceBits(m, n, r, prec)) / wordBits
	length := min(float64(r)*math.Log2(float64(m))/wordBits, 1.5*words) // words of a weight
	terms := min(float64(r), float64(m))
	power := float64(n.BitLen()) * (productCost(words) + wordCost*words)
	return terms * (power + float64(r)/2*(termCost+wordCost/2*length))
}

// smallFillCost estimates the time of momentSmallFill, for the recurrence of the Stirling numbers, the series, and the
// powers. The number of terms of the series is estimated from a Poisson tail. The mean of the Poisson distribution is
// the expected number of balls in an occupied urn, minus one. With a balls per urn and the fill p = 1-e^-a this is a/p
// - 1.
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
	// Find the least depth with depth (ln(depth/mean) - 1) + mean >= exponent, by bisection. It begins with Bernstein's
	// bound, which is far too large for small means.
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
	depth = min(depth, max(0, balls-1)) // the series for i = 1 ends there
	rest := max(0, float64(r)-depth)    // the terms that S(r,i) adds beyond depth
	triangle := rest * rest / 2
	if rest > last {
		triangle = last * (rest - last/2)
	}
	words := work / wordBits
	product := callCost + productCost(words)
	const factors, squarings = 3, 4 // numbers of products for a term of the series, and for a bit of a power
	series := last * depth * (termCost + factors*product)
	return (last*depth+triangle)*(termCost+wordCost*words) + series + last*float64(n.BitLen())*squarings*product
}
