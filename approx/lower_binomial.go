package approx

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// lowerSimple is the second bound of Burns, Corollary 23, equation (64). It is taken at the mean number of set bits of
// a standard filter.
func lowerSimple(m, n uint64, k int) (float64, error) {
	if uint64(k) > m {
		return 0, refuse.ErrUndefined
	}
	return binomialRatio(m, k, missExponent(m, 1, balls(n, k)))
}

// lowerClassic is Burns, Theorem 15 with r = k. It is taken at the mean number of set bits of a classic filter, which
// is at least k for n >= 1.
func lowerClassic(m, n uint64, k int) (float64, error) {
	if uint64(k) > m {
		return 0, refuse.ErrUndefined
	}
	return binomialRatio(m, k, missExponent(m, k, float64(n)))
}

// binomialRatio returns C(mu,k)/C(m,k) for mu = m (1-e^-t), k <= m, t within 8u;
// ErrUndefined if mu < k-1 and t > 0.
//
// Its logarithm is a sum of k terms of one sign: ln((mu-i)/(m-i)) for t <= ln 2, and ln(1 - z/(m-i)) with z = m e^-t
// above, so that the smaller of mu and z is used. Each term has a relative error of 4u, in addition to the error that
// comes from mu (12u) or z ((8t + 6)u). The latter error is divided by y = (mu-i)/mu, which gives 12c for i = k-1. The
// sum of 1/y over i <= k-2 is at most 0.72 (1 + ln k) times |ln f|, the sum of ln(1 + (m-mu)/(mu-i)) or more: (14 + 9
// ln k)|ln f|; likewise for z, where t <= ln(k ln k/|ln f|) bounds 8t and (40 + 12 ln k)|ln f| holds all. Kahan's sum
// adds 2u of itself.
func binomialRatio(m uint64, k int, t float64) (float64, error) {
	if t == 0 {
		return 0, nil // n = 0: mu = 0
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
