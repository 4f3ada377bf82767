package exact

import (
	"math"
	"math/big"
)

// The function "moment" returns E[(X/m)^r] by equation (9) of Burns, for m >= 2, N >= 1 and r >= 1. Here X is the
// number of urns that N balls occupy. It can compute the differences in equation (9) by three methods: alternating sums
// (equation (56) of Burns), sums of positive terms, or integrals. It chooses the method with the lowest estimated cost.
func moment(m uint64, n *big.Int, r int, prec uint) (Enclosure, error) {
	sums, within := momentCost(m, n, r, prec), withinCost(m, n, prec)
	if integralCost(m, n, prec) < min(sums, within) {
		if e, ok := momentIntegral(m, n, r, prec); ok {
			return e, nil
		}
	}
	if within < sums {
		if e, ok := momentWithin(m, n, r, prec); ok {
			return e, nil
		}
	}
	if smallFillServes(m, n, r, prec) {
		return momentSmallFill(m, n, r, prec)
	}
	return momentKSum(m, n, r, prec)
}

// momentCost estimates the time of the function "moment" in nanoseconds. The estimate is for a computation without
// integrals.
func momentCost(m uint64, n *big.Int, r int, prec uint) float64 {
	return min(smallFillCost(m, n, r, prec), differenceCost(m, n, r, prec))
}

// smallFillServes reports whether momentSmallFill is cheaper than momentKSum. If min(r, N) >= m, the result is false.
// In this case there are at least as many balls as urns, so the filter is not nearly empty.
func smallFillServes(m uint64, n *big.Int, r int, prec uint) bool {
	return uint64(lastFill(n, r)) < m && smallFillCost(m, n, r, prec) < differenceCost(m, n, r, prec)
}

// The functions differenceCost and smallFillCost estimate times in nanoseconds on one machine. The estimates are
// correct to within a factor of about 2 for r from 40 to 2000. Only the ratio of the two times matters. If this ratio
// is near 1, either of the two methods is a good choice.

// These are the constants of the estimates. Most of them are times in nanoseconds. Each constant was measured in a
// computation in which it determines most of the time.
const (
	callCost       = 30    // an operation of math/big on one word
	pairCost       = 0.6   // the product of two words
	karatsubaWords = 40    // math/big multiplies numbers of up to this many words by the schoolbook method
	karatsubaPower = 0.585 // log2 3 - 1; products of longer numbers cost words^(1+karatsubaPower)
	termCost       = 80    // a step of a recurrence: some operations and a small product
	wordCost       = 4     // a word in the additions and shifts around a product
)

// productCost estimates the time, in nanoseconds, of a product of two numbers. Both numbers have the given number of
// words. Short numbers are multiplied by the schoolbook method, and longer numbers are multiplied by Karatsuba's
// method.
func productCost(words float64) float64 {
	perWord := karatsubaWords * math.Pow(max(1, words/karatsubaWords), karatsubaPower)
	return callCost + pairCost*words*min(words, perWord)
}

// differenceCost estimates the time, in nanoseconds, of momentKSum. This function computes powers by squaring and
// weights by a recurrence.
func differenceCost(m uint64, n *big.Int, r int, prec uint) float64 {
	words := float64(differenceBits(m, n, r, prec)) / wordBits
	length := min(float64(r)*math.Log2(float64(m))/wordBits, 1.5*words) // the number of words of a weight
	terms := min(float64(r), float64(m))
	power := float64(n.BitLen()) * (productCost(words) + wordCost*words)
	return terms * (power + float64(r)/2*(termCost+wordCost/2*length))
}

// smallFillCost estimates the time, in nanoseconds, of momentSmallFill. This function computes Stirling numbers by a
// recurrence. It also computes powers, and the sum of a series for each i. The number of terms of a series is estimated
// from the tail of a Poisson distribution. For the longest series, the mean of this distribution is i*b, where i is the
// index of the series. The number b is the expected number of balls in an occupied urn, minus one. Let a be the number
// of balls per urn, and let p = 1-e^-a be the fill. Then b = a/p - 1.
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
	// By bisection, find the smallest depth with depth*(ln(depth/mean) - 1) + mean >= exponent. The first upper end is
	// Bernstein's bound. This bound is far too large if the mean is small.
	const bisections = 12 // enough, because the estimate is right only to a factor of 2
	exponent := work * math.Ln2
	low, depth := mean, mean+exponent/3+math.Sqrt(exponent*exponent/9+2*exponent*mean)
	for range bisections {
		if mid := (low + depth) / 2; mid*(math.Log(mid/mean)-1)+mean < exponent {
			low = mid
		} else {
			depth = mid
		}
	}
	depth = min(depth, max(0, balls-1)) // the series for i = 1 ends at this depth
	rest := max(0, float64(r)-depth)    // the number of terms beyond depth that S(r,i) needs
	triangle := rest * rest / 2
	if rest > last {
		triangle = last * (rest - last/2)
	}
	words := work / wordBits
	product := callCost + productCost(words)
	const factors, squarings = 3, 4 // the numbers of products for a term of the series, and for a bit of a power
	series := last * depth * (termCost + factors*product)
	return (last*depth+triangle)*(termCost+wordCost*words) + series + last*float64(n.BitLen())*squarings*product
}
