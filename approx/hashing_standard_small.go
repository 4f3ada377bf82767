package approx

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
)

// standardSmall computes the rate f of a standard filter by two formulas:
//
//	f = sum over y of P[Y = y] D(y),
//	D(y) = sum over j of (-1)^j C(y,j) (1-j/m)^N.
//
// Here N is the number of balls, and Y is the number of urns that k balls occupy. D(y) is the probability that N balls
// occupy y given urns. It is the y-th difference of the numbers that the function "clears" returns. The argument q is
// (1-1/m)^N, and |ln q| is at most 5. The result ok is false if too many digits cancel (see leastSharp). For a half
// full filter this happens from k = 17 on.
//
// Error: relative, at most (73 + 5k)u (u = 2^-53). The numbers that the function "clears" returns contribute 64.1u. P
// contributes (4k+4)u, the conversion of D(y) contributes 2u, and the sum over y contributes k u. Its terms are
// positive. The products, and the terms left out, contribute 2u. The terms left out are below 2^-80.
func standardSmall(m uint64, balls fm.Double, k int, q float64) (f float64, ok bool) {
	least := leastSharp(q, k)
	if power(1-q, k) < least {
		return 0, false
	}
	var g [occupancy.TableK + 1]fixed
	var w [occupancy.TableK]float64
	clears(&g, m, 1, balls, k)
	last := occupancy.SpreadFast(m, k, &w)
	for y := 1; y <= k; y++ {
		// At this point, g holds differences of order y-1. This loop computes the differences of order y.
		for j := range g[:k+1-y] {
			g[j] = g[j].sub(g[j+1])
		}
		if d := k - y; d < last {
			f += float64(w[d] * g[0].float64())
		}
	}
	return f, f >= least
}

// The function "power" returns x^k for k >= 1, with a relative error of at most ku (u = 2^-53).
func power(x float64, k int) float64 {
	z := x
	for range k - 1 {
		z *= x
	}
	return z
}

// standardMissFast computes the number 1-f that standardMiss computes, by the same sum. It may be called only if
// inClearWalk is true and E[Y] q is above onlyFirst. Here q = (1-1/m)^N.
//
// Consider the sum of P[Y = y] C(y,j) over y. Its terms have a relative error of (2j+8)u (u = 2^-53). These terms are
// positive, and are added from the smallest y on. So the error of this sum is (1 + E)u, where E is a mean of k-y. This
// mean gives more weight to large y than the distribution P does. So E <= E[k-Y] <= k(k-1)/(2m) < 8. The j-th term
// therefore has a relative error of at most (2j+19)u. Let x = E[Y] q. Then the first term is x, and the j-th term is at
// most x^j/j!. The result is at least x - x^2/2. So the relative error of the result is at most (2x e^x + 19(e^x-1) +
// 1)u/(x - x^2/2). For x <= 0.51 this is less than 40u. If f is above 0.7, the relative error is less than 34u.
//
// The walk stays in the domain of the function ExpWords, as in classicMissFast.
func standardMissFast(m uint64, balls fm.Double, k int) float64 {
	c, miss := newClearWalk(m, 1, balls), 0.0
	var w [occupancy.TableK]float64 // w has P[Y = k-d] C(k-d,j-1) at index d
	last := occupancy.Spread(m, k, &w)
	for j := 1; ; j++ {
		mean := 0.0
		inverse := 1 / float64(j)
		for d := last - 1; d >= 0; d-- {
			w[d] = float64(w[d] * float64(float64(max(0, k-d-j+1))*inverse))
			mean += w[d]
		}
		term := float64(mean * c.value())
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
