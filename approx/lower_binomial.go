package approx

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// lowerSimple returns C(mu,k)/C(m,k), the second bound of Burns, Corollary 23, equation (64). Here mu is the mean
// number of set bits of a standard filter.
func lowerSimple(m, n uint64, k int) (float64, error) {
	if uint64(k) > m {
		return 0, refuse.ErrUndefined
	}
	return binomialRatio(m, k, missExponent(m, 1, balls(n, k)))
}

// lowerClassic returns C(mu,k)/C(m,k), the bound of Burns, Theorem 15 with r = k. Here mu is the mean number of set
// bits of a classic filter. For n >= 1 this mean is at least k.
func lowerClassic(m, n uint64, k int) (float64, error) {
	if uint64(k) > m {
		return 0, refuse.ErrUndefined
	}
	return binomialRatio(m, k, missExponent(m, k, float64(n)))
}

// binomialRatio returns f = C(mu,k)/C(m,k) for mu = m (1-e^-t) and k <= m. The argument t has a relative error of at
// most 8u (u = 2^-53). It returns ErrUndefined if mu < k-1 and t > 0.
//
// The logarithm ln f is a sum of k terms of the same sign, with the indices i = 0, ..., k-1. For t <= ln 2 the terms
// are computed as ln((mu-i)/(m-i)). For larger t they are computed as ln(1 - z/(m-i)) with z = m e^-t. So the smaller
// of mu and z is used. Computing a term adds a relative error of 4u. The number mu has a relative error of 12u, and z
// has a relative error of (8t + 6)u. The error of mu causes an error of 12u/y in the term. Here y = (mu-i)/mu. For i =
// k-1 this is 12 c u, and the comment of Bound defines c. The absolute value |ln f| is at least the sum of ln(1 +
// (m-mu)/(mu-i)). So the sum of 1/y over i <= k-2 is at most 0.72 (1 + ln k) |ln f|. This gives an error of (14 + 9 ln
// k)|ln f| u. If z is used, t is at most ln(k ln k/|ln f|). Then the sum of all errors is at most (40 + 12 ln k)|ln f|
// u. The compensated summation (Kahan) adds a relative error of 2u.
func binomialRatio(m uint64, k int, t float64) (float64, error) {
	if t == 0 {
		return 0, nil // n = 0, so mu = 0
	}
	mu, z := -float64(m)*fm.Expm1(-t), float64(m)*fm.Exp(-t)
	byMu := t <= fm.Ln2
	gap := mu - float64(k-1)
	if !byMu {
		gap = float64(m-uint64(k-1)) - z
	}
	switch {
	case gap < 0:
		return 0, refuse.ErrUndefined
	case gap == 0:
		return 0, nil
	}
	var sum, carry float64
	for i := range uint64(k) {
		rest := float64(m - i)
		var term float64
		if byMu {
			term = fm.Log((mu - float64(i)) / rest)
		} else {
			term = fm.Log1p(-z / rest)
		}
		y := term - carry
		s := sum + y
		sum, carry = s, (s-sum)-y
	}
	return fm.Exp(sum), nil
}
