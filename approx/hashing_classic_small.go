package approx

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
)

// classicSmall computes the rate f of a classic filter by the alternating sum in the comment of classicRate. It
// requires inClearWalk. The argument q is g(1), and |ln q| is at most 5. The result ok is false if too many digits
// cancel (see leastSharp). For a half full filter this happens from k = 17 on.
//
// Error: relative, at most 67u (u = 2^-53). The sum is exact. The function "clears" contributes 64.1u to the error. The
// conversion of the sum to a float64 contributes 2u.
func classicSmall(m, n uint64, k int, q float64) (f float64, ok bool) {
	least := leastSharp(q, k)
	if power(1-q, k) < least { // f is at most (1-q)^k
		return 0, false
	}
	var g [occupancy.TableK + 1]fixed
	clears(&g, m, uint64(k), fm.Whole(n), k)
	sum := fixedOne
	for j := 1; j <= k; j++ {
		term := g[j].times(binomials[k][j])
		if j%2 == 1 {
			sum = sum.sub(term)
		} else {
			sum = sum.add(term)
		}
	}
	if sum.hi >= fixedOne.hi {
		return 0, false // the sum is negative
	}
	f = sum.float64()
	return f, f >= least
}

// classicMissFast computes 1-f by the alternating sum in the comment of classicRate. It requires inClearWalk and
// onlyFirst < k g(1) <= 0.51.
//
// Let x = k g(1). The j-th term is at most x^j/j!, and has a relative error of at most 5u (u = 2^-53). The result is at
// least x - x^2/2. So the relative error of the result is at most (5(e^x-1) + 2)u/(x - x^2/2). This is less than 10u.
//
// The walk stays in the domain of the function ExpWords: every ln g(j) is above -200. Suppose that the j-th term does
// not end the sum. Then it is above lastTerm 0.7 x > 2^-121, and C(k,j) < 2^64, so ln g(j) > -129. The difference
// between ln g(j) and ln g(j+1) is at most 1.42 |ln g(1)|, because 4k <= m. Since g(1) > 2^-66, it is below 66.
func classicMissFast(m, n uint64, k int) float64 {
	c, miss := newClearWalk(m, uint64(k), fm.Whole(n)), 0.0
	for j := 1; ; j++ {
		term := float64(float64(binomials[k][j]) * c.value())
		if j%2 == 1 {
			miss += term
		} else {
			miss -= term
		}
		if term <= lastTerm*miss || j == k {
			return miss
		}
		c.next()
	}
}
