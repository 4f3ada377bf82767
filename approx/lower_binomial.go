package approx

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// LowerSimple returns the lower bound of L and so of the standard and the classic
// rate
//
//	C(mu,k)/C(m,k) = product over i < k of (mu-i)/(m-i)
//
// at the mean number mu = m (1 - (1-1/m)^(kn)) of set bits of a standard filter.
//
// Source: Burns, Corollary 23, equation (64).
// Domain: 1 <= m < 2^64 bits; 0 <= n < 2^64 items; 1 <= k <= 4096 positions, k <= m,
// and mu >= k-1 or n = 0.
// Error: relative, at most (8 + (40 + 12 ln k)|ln f| + 12 c) u of the value f, where
// c = mu/(mu-k+1) is the sensitivity to mu of the factor that reaches 0 at the edge
// of the domain. Where 12 c > 2^53, on which side of the edge the arguments lie is
// not decided reliably.
// Cost: k+2 elementary functions.
// Errors: *bloomproof.ParamError; ErrUndefined for k > m, or mu < k-1 and n > 0.
func LowerSimple(m, n uint64, k int) (float64, error) {
	if err := checkBits(m, k); err != nil {
		return 0, err
	}
	return binomialRatio(m, k, missExponent(m, 1, balls(n, k)))
}

// LowerClassic returns the lower bound of the classic rate
//
//	C(mu,k)/C(m,k) = product over i < k of (mu-i)/(m-i)
//
// at the mean number mu = m (1 - (1-k/m)^n) of set bits of a classic filter.
//
// Source: Burns, Theorem 15 with r = k.
// Domain: 1 <= m < 2^64 bits; 0 <= n < 2^64 items; 1 <= k <= 4096 positions, k <= m.
// Error: relative, at most (8 + (40 + 12 ln k)|ln f| + 12 c) u of the value f, with
// c = mu/(mu-k+1) <= k, since mu >= k for n >= 1.
// Cost: k+2 elementary functions.
// Errors: *bloomproof.ParamError; ErrUndefined for k > m.
func LowerClassic(m, n uint64, k int) (float64, error) {
	if err := checkBits(m, k); err != nil {
		return 0, err
	}
	return binomialRatio(m, k, missExponent(m, k, float64(n)))
}

// binomialRatio returns C(mu,k)/C(m,k) for mu = m (1-e^-t), k <= m, t within 8u;
// ErrUndefined if mu < k-1 and t > 0.
//
// Its logarithm is a sum of k terms of one sign: ln((mu-i)/(m-i)) for t <= ln 2,
// ln(1 - z/(m-i)) with z = m e^-t above, whichever of mu and z is the smaller. Each
// is within 4u of itself but for the error of mu (12u) or z (8t + 6). That is
// divided by y = (mu-i)/mu, which for i = k-1 gives 12c. The sum of 1/y over i <= k-2
// is at most 0.72 (1 + ln k) times |ln f|, the sum of ln(1 + (m-mu)/(mu-i)) or more:
// (14 + 9 ln k)|ln f|; likewise for z, where t <= ln(k ln k/|ln f|) bounds 8t and
// (40 + 12 ln k)|ln f| holds all. Kahan's sum adds 2u of itself.
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
		return 0, ErrUndefined
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
