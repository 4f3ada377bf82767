package approx

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
)

// The sums in standardSparse have at most mostSparse terms. Each sum ends if two conditions hold. The last term is
// below sparseEnd times the sum. It is also below 0.9 times the term before it. The quotients of successive terms
// decrease, so the terms left out are at most 2^-56 of the sum.
const (
	mostSparse = 48
	sparseEnd  = 0x1p-60
)

// standardSparse computes the rate of a standard filter with few balls. Their number N = kn is at most
// occupancy.MostBalls and at most m/4. The result ok is false if N is larger, or if more than mostSparse terms are
// needed.
//
// Let X be the number of set bits. Let S(N,i) be the Stirling numbers of the second kind. P[X = N-d] is proportional to
// c_d = S(N,N-d)/((m-N+1)...(m-N+d)). So
//
//	f = E[(X/m)^k] = (N/m)^k (sum of c_d (1-d/N)^k)/(sum of c_d).
//
// Error: relative, at most (170 + 2k)u (u = 2^-53). The number c_d has an error of (2d+3)u. S contributes 2u to this
// error, and each factor of the denominator contributes 2u. So the terms of the second sum contribute an error of
// (2E[N-X] + 3)u. Here E[N-X] <= N(N-1)/(2m) < 16. In the first sum the mean of d is smaller than in the second sum,
// because (1-d/N)^k decreases with d. The powers have an error of 2ku. The additions contribute 48u to each sum.
// Dividing the two sums and multiplying by (N/m)^k adds 3u.
func standardSparse(m, n uint64, k int) (f fm.Scaled, ok bool) {
	if n > occupancy.MostBalls || n*uint64(k) > occupancy.MostBalls || m < 4*n*uint64(k) {
		return f, false
	}
	balls := int(n) * k
	s := occupancy.Stirling2Balls()[balls]
	bf, rest := float64(balls), float64(m-uint64(balls))
	top, bottom, power, before := 1.0, 1.0, 1.0, 1.0
	for d := 1; d < balls; d++ {
		if d == mostSparse {
			return f, false
		}
		power /= rest + float64(d)
		c := float64(power * s[balls-d])
		bottom += c
		top += float64(c * powerFast((bf-float64(d))/bf, k))
		if c < sparseEnd*bottom && c < 0.9*before {
			break
		}
		before = c
	}
	f = fm.Whole(uint64(balls)).Quo(fm.Whole(m)).Scale().Pow(k)
	return f.Times(fm.Double{Hi: top / bottom}), true
}

// powerFast returns x^k for k >= 1, with a relative error of at most ku (u = 2^-53).
func powerFast(x float64, k int) float64 {
	z := 1.0
	for ; k > 1; k >>= 1 {
		if k&1 == 1 {
			z *= x
		}
		x *= x
	}
	return z * x
}
