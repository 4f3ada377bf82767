package approx

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// Bloom returns the rate of a standard filter as Bloom's argument gives it, as if
// the positions of an item were set independently:
//
//	(1 - (1-1/m)^(kn))^k
//
// Source: Burns, equation (57); Fan, equation (2).
// Domain: 1 <= m < 2^64 bits; 0 <= n < 2^64 items; 1 <= k <= 4096 positions.
// Error: relative, at most (8 + H |ln f|) u, H = 20 + 8 ln k.
// Cost: three elementary functions.
// Errors: *bloomproof.ParamError.
func Bloom(m, n uint64, k int) (float64, error) {
	if err := check(m, k); err != nil {
		return 0, err
	}
	return hitPower(missExponent(m, 1, balls(n, k)), k), nil
}

// Exponential returns the textbook approximation of the rate of a standard filter,
// never above Bloom:
//
//	(1 - e^(-kn/m))^k
//
// Source: Burns, equation (58).
// Domain: 1 <= m < 2^64 bits; 0 <= n < 2^64 items; 1 <= k <= 4096 positions.
// Error: relative, at most (8 + H |ln f|) u, H = 20 + 8 ln k.
// Cost: two elementary functions.
// Errors: *bloomproof.ParamError.
func Exponential(m, n uint64, k int) (float64, error) {
	if err := check(m, k); err != nil {
		return 0, err
	}
	return hitPower(balls(n, k)/float64(m), k), nil
}

// Upper returns the upper bound of the standard and the classic rate
//
//	U = (1 - (1-k/m)^n)^k
//
// Source: Burns, Corollary 23, equation (65).
// Domain: 1 <= m < 2^64 bits; 0 <= n < 2^64 items; 1 <= k <= 4096 positions, k <= m.
// Error: relative, at most (8 + H |ln f|) u, H = 20 + 8 ln k.
// Cost: three elementary functions.
// Errors: *bloomproof.ParamError; ErrUndefined for k > m.
func Upper(m, n uint64, k int) (float64, error) {
	if err := checkBits(m, k); err != nil {
		return 0, err
	}
	return hitPower(missExponent(m, k, float64(n)), k), nil
}

// Partitioned returns the rate of a partitioned filter, k slices of m/k bits with
// one position in each:
//
//	(1 - (1-k/m)^n)^k
//
// It is Upper where a partitioned filter exists.
//
// Source: Fan, equation (19).
// Domain: 1 <= m < 2^64 bits; 0 <= n < 2^64 items; 1 <= k <= 4096 positions, k
// divides m.
// Error: relative, at most (8 + H |ln f|) u, H = 20 + 8 ln k.
// Cost: three elementary functions.
// Errors: *bloomproof.ParamError; ErrUndefined when k does not divide m.
func Partitioned(m, n uint64, k int) (float64, error) {
	if err := check(m, k); err != nil {
		return 0, err
	}
	if m%uint64(k) != 0 {
		return 0, ErrUndefined
	}
	return Upper(m, n, k)
}

// BoseUpper returns the upper bound of Bose et al. with the constant 1 in place of
// their O(.),
//
//	M (1 + x),  x = (k/p) sqrt((ln m - k ln p)/m),
//
// M = Bloom(m, n, k) and p = 1 - (1-1/m)^(kn), where their condition x < 1 holds.
//
// Source: Fan, equations (5) and (6).
// Domain: 1 <= m < 2^64 bits; 0 <= n < 2^64 items; 1 <= k <= 4096 positions.
// Error: relative, at most (24 + 4 ln k + H |ln M|) u, H = 20 + 8 ln k; whether
// x < 1 is decided for an x within (40 + 8 ln k) u of its own.
// Cost: six elementary functions.
// Errors: *bloomproof.ParamError; ErrUndefined when x >= 1, always so for n = 0.
func BoseUpper(m, n uint64, k int) (float64, error) {
	if err := check(m, k); err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, ErrUndefined
	}
	// k/p errs by 12u. Under the root both terms are positive, and the error of
	// k ln p, below (8 ln k + 14)u of itself (hitPower), is halved: x within
	// (22 + 4 ln k)u, and x/(1+x) < 1/2.
	t := missExponent(m, 1, balls(n, k))
	mf, kf, lnp := float64(m), float64(k), fm.Log1mExp(t)
	x := kf / -fm.Expm1(-t) * fm.Sqrt((fm.Log(mf)-kf*lnp)/mf)
	if !(x < 1) {
		return 0, ErrUndefined
	}
	return fm.Exp(kf*lnp + fm.Log1p(x)), nil
}

// EntropyPerBit returns the entropy of one bit of a standard filter, in bits,
//
//	-(q log2 q + (1-q) log2 (1-q)),  q = (1-1/m)^(kn) the probability of a zero.
//
// Source: Fan, equation (11).
// Domain: 1 <= m < 2^64 bits; 0 <= n < 2^64 items; 1 <= k <= 4096 positions.
// Error: relative, at most (60 + 10 |ln e|) u of the entropy e.
// Cost: four elementary functions.
// Errors: *bloomproof.ParamError.
func EntropyPerBit(m, n uint64, k int) (float64, error) {
	if err := check(m, k); err != nil {
		return 0, err
	}
	t := missExponent(m, 1, balls(n, k))
	if t == 0 || fm.IsInf(t) {
		return 0, nil
	}
	// q ln q = -t e^-t and (1-q) ln (1-q), of one sign. t errs by 8u, so e^-t by
	// 8t+4, ln(1-q) by at most 8t+12 and the sum by 8t+16; t < 2.5 + 1.1 |ln e|.
	if t > 40 {
		// -(1-q) ln(1-q) = q within q^2. Halved, e^-t stays normal until the last product.
		half := fm.Exp(-t / 2)
		return half * (half * (t + 1) / fm.Ln2), nil
	}
	e := t*fm.Exp(-t) + fm.Expm1(-t)*fm.Log1mExp(t)
	return min(e/fm.Ln2, 1), nil
}
