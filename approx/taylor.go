package approx

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// The function "taylor" returns the second-order approximation of the rate of a standard filter. Let phi(x) = (x/m)^k.
// Let mu be the mean and sigma^2 the variance of the number of set bits. Let p = mu/m. Then the approximation is
//
//	phi(mu) + sigma^2/2 phi"(mu) = p^k (1 + k(k-1)/2 sigma^2/mu^2).
//
// Source: Burns, the formula after Theorem 22, with the variance of equation (45).
func taylor(m, n uint64, k int) (float64, error) {
	if n == 0 {
		return 0, nil // the filter is empty: mu = sigma = 0
	}
	x := balls(n, k)
	t := missExponent(m, 1, x)
	kf := float64(k)
	c := kf * (kf - 1) / 2 * relativeVariance(m, x, t)
	return fm.Exp(kf*fm.Log1mExp(t) + fm.Log1p(c)), nil
}

// relativeVariance returns sigma^2/mu^2 for x >= 1 balls in m urns. The argument t must be missExponent(m, 1, x). The
// relative error is at most 90u (u = 2^-53) for t <= 1, and at most (44 + 8t)u for larger t. If 8t exceeds 16 ln k + 3,
// then e^-t <= k^-2. The result of the function "taylor" then hardly depends on relativeVariance.
//
// Let q = e^-t and M = m-1. Define d by
//
//	1 - d = (1 - 1/M^2)^x = (1-2/m)^x/q^2.
//
// Then equation (45) of Burns is
//
//	sigma^2 = m q h.
//
// Here h = (1-q) - M q d.
//
// For t > 1 the difference h is at least a quarter of its first term. This term is at least 0.63. For t <= 1, the
// difference h is only about t/2 times its first term. So h is rewritten with e^t - 1 - t and e^(-xc) - 1 + xc. Let c =
// -ln(1-1/M^2) and a = -ln(1-1/m) = ln(1+1/M). Let w = Mc - a, which is positive. Then two equations hold:
//
//	h = q (expm1mx(xa) + M expm1mx(-xc) - x w),
//	w = -log1pmx(1/M) - M log1pmx(-1/M^2).
//
// Here xa = t (see halfCancels). At x = 1, h is 0, because one ball always occupies one urn. For x >= 2 the sum of the
// first two terms in parentheses is about proportional to x^2. It is at least twice the third term. For x = 2 and large
// M, the sum is 2/M^2 and the third term is 1/M^2. So cancellation enlarges the errors by a factor of at most 3.
func relativeVariance(m uint64, x, t float64) float64 {
	if m == 1 || x == 1 || fm.IsInf(t) {
		return 0
	}
	mf := float64(m)
	q, p := fm.Exp(-t), -fm.Expm1(-t)
	if m == 2 { // 1-2/m = 0, so sigma^2 = 2q - 4q^2 = 2q (1-2q), and 2q = e^-(t-ln 2)
		return q * -fm.Expm1(fm.Ln2-t) / (2 * p * p)
	}
	m1 := float64(m - 1)
	inv2 := 1 / (m1 * m1)
	c := -fm.Log1p(-inv2)
	var h float64
	if t > halfCancels {
		h = p + m1*q*fm.Expm1(-x*c)
	} else {
		w := -fm.Log1pMX(1/m1) - m1*fm.Log1pMX(-inv2)
		h = q * (fm.Expm1MX(t) + m1*fm.Expm1MX(-x*c) - x*w)
	}
	return q * h / (mf * p * p)
}
