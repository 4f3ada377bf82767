package exact

import (
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// lowerSimple returns C(mu_S,k)/C(m,k). Here mu_S = m (1-(1-1/m)^(nk)) is the mean number of set bits of a standard
// filter. The result is the following number:
//
//	product over i < k of (mu_S - i)/(m - i).
//
// Source: Burns, Corollary 23, right side of (64).
// Domain: k <= m and mu_S > k-1, or n = 0. All other limits are the same as for the function "bloom". For n = 0 the
// value is 0. In this domain the value is at most the value of the function "lower". This follows from Jensen's
// inequality for a convex function of x. For x >= k-1 this function is C(x,k), and for smaller x it is 0. So the value
// is also at most the standard rate and the classic rate. For mu_S < k-1 the product can be positive or negative, and
// formula (64) is wrong. For example, the product exceeds the value of the function "lower" at m = 12, n = 1, k = 12.
// The case mu_S = k-1 does not occur for m >= 2, because m does not divide (m-1)^(nk).
// Error: relative width at most 2^-prec.
// Cost: one logarithm, one exponential, 2k products.
// Errors: ErrUndefined outside the domain.
func lowerSimple(m, n uint64, k int, prec uint) (Enclosure, error) {
	nk := integer.Product(n, k)
	return fallingRatio("lower_simple", m, n, k, prec, func(work uint) *interval.Interval {
		return fill(m, nk, work)
	})
}

// lowerClassic returns C(mu_C,k)/C(m,k). Here mu_C = m (1-(1-k/m)^n) is the mean number of set bits of a classic
// filter. The result is the following number:
//
//	product over i < k of (mu_C - i)/(m - i).
//
// Source: Burns, the middle part of the inequality in Theorem 15, with r = k.
// Domain: 1 <= k <= m. All other limits are the same as for the function "bloom". For n >= 1, mu_C is at least k, so
// the formula is a bound in the whole domain. By Jensen's inequality the value is at most the classic rate. It equals
// the classic rate for n <= 1, for k = 1 and for k = m. For k > 1 the value is not always a lower bound of the standard
// rate. For example, it exceeds the standard rate at m = 5, n = 3, k = 2.
// Error: relative width at most 2^-prec.
// Cost: one logarithm, one exponential, 2k products.
// Errors: ErrUndefined for k > m.
func lowerClassic(m, n uint64, k int, prec uint) (Enclosure, error) {
	if n == 1 && uint64(k) <= m { // here mu_C = k
		return exactly(new(big.Rat).SetFrac(integer.One, integer.Binomial(m, k)), prec), nil
	}
	return fallingRatio("lower_classic", m, n, k, prec, func(work uint) *interval.Interval {
		return committeeFill(m, n, k, work)
	})
}

// fallingRatio returns the product over i < k of (mu - i)/(m - i), which is C(mu,k)/C(m,k). The function p computes
// mu/m with a working precision of work bits.
func fallingRatio(name string, m, n uint64, k int, prec uint, p func(work uint) *interval.Interval) (Enclosure, error) {
	switch {
	case uint64(k) > m:
		return Enclosure{}, refuse.Undefined(name, "k exceeds m")
	case n == 0:
		return exactlyInt(0, prec), nil
	case m == 1:
		return exactlyInt(1, prec), nil
	}
	below := false
	guard := 2*uint(bits.Len64(m)) + 2*uint(bits.Len(uint(k))) + 16
	e, err := ziv(prec, prec+guard, func(work uint) *interval.Interval {
		mu := p(work)
		mu.Mul(mu, interval.New(work).SetUint64(m))
		if d := interval.New(work).Sub(mu, interval.New(work).SetUint64(uint64(k-1))); d.Sign() <= 0 {
			if below = d.Sign() < 0; below {
				return interval.New(work).SetUint64(0) // ziv stops; the value is not used
			}
			return d // the sign is undecided; d contains 0, so ziv tries a higher precision
		}
		r := interval.New(work).SetUint64(1)
		for i := range uint64(k) {
			r.Mul(r, interval.New(work).Sub(mu, interval.New(work).SetUint64(i)))
			r.Quo(r, interval.New(work).SetUint64(m-i))
		}
		return r
	})
	if below {
		return Enclosure{}, refuse.Undefined(name, "the mean number of set bits is below k-1")
	}
	return probability(e, err)
}
