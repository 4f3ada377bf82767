package approx

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// boundFormulas maps each kind of bound to the function that computes this bound. Each of these functions accepts m >=
// 1, any n and 1 <= k <= 4096. It returns ErrUndefined where its bound does not exist.
var boundFormulas = map[bloomproof.Bound]func(m, n uint64, k int) (float64, error){
	bloomproof.BoundBloom:        bloom,
	bloomproof.BoundExponential:  exponential,
	bloomproof.BoundTaylor:       taylor,
	bloomproof.BoundLower:        lower,
	bloomproof.BoundLowerSimple:  lowerSimple,
	bloomproof.BoundLowerClassic: lowerClassic,
	bloomproof.BoundUpper:        upper,
	bloomproof.BoundPartitioned:  partitioned,
	bloomproof.BoundBose:         bose,
}

// Bound returns the value of a closed formula that approximates or bounds the rate FPR(g, n). Let mu = m
// (1-(1-1/m)^(kn)) be the mean number of set bits of a standard filter. Let sigma^2 be the variance of this number
// (Burns, equation (45)). Let mu' = m (1-(1-k/m)^n) be the mean number of set bits of a classic filter. Let f be the
// value of the formula. Let p = mu/m, H = 20 + 8 ln k and u = 2^-53. The following table lists the kinds:
//
//	kind          formula                                  relative error in u
//	bloom         (1 - (1-1/m)^(kn))^k                     2
//	exponential   (1 - e^(-kn/m))^k                        2
//	taylor        p^k (1 + k(k-1)/2 sigma^2/mu^2)          120 + 20 ln k + H |ln p^k|
//	lower         Delta^k[x^(nk)]_m / m^(nk)               60 + 5 ln k + (50 + 12 ln k)|ln f|
//	lower_simple  C(mu,k)/C(m,k)                           8 + (40 + 12 ln k)|ln f| + 12 c
//	lower_classic C(mu',k)/C(m,k)                          8 + (40 + 12 ln k)|ln f| + 12 c
//	upper         (1 - (1-k/m)^n)^k                        2
//	partitioned   as upper; the rate if partitioned        2
//	bose_upper    p^k (1 + x),                             24 + 4 ln k + H |ln p^k|
//	              x = (k/p) sqrt((ln m - k ln p)/m).
//
// For the kind "lower_simple", the number c is mu/(mu-k+1). For the kind "lower_classic", c is mu'/(mu'-k+1), which is
// at most k. The number c is large near the edge of the formula's domain. There a small relative error of mu or mu'
// causes a much larger relative error of the value. Consider FPR(g, n) and the bounds "exponential", "bloom" and
// "upper". Wherever the order of their exact values is known, their computed values have this order. Because of
// rounding errors, the computed values of the other kinds can be in the wrong order. If two values differ by less than
// their errors, use package exact to compare them.
//
// For each hashing, the following kinds are defined:
//
//	standard     bloom exponential taylor lower lower_simple upper partitioned bose_upper
//	classic      lower lower_simple lower_classic upper partitioned
//	partitioned  bloom exponential lower lower_simple lower_classic upper partitioned.
//
// With blocks, Bound averages the bound of one block over the random number of items in the block. This number has the
// distribution Bin(n, block/m). With blocks, only these kinds are defined: bloom, exponential, lower, lower_classic,
// upper and partitioned. For each of these kinds, the table above gives the hashings. With blocks, the error bound is
// 4u larger than in the table, and k replaces c in the table. With blocks, rounding errors can put the computed values
// of any two kinds in the wrong order.
//
// Source: see bloomproof.Bound. The published formula of the bound "bose_upper" contains a term O(.) whose constant is
// unknown. Here the constant is 1.
// Domain: g is valid; 0 <= n < 2^64 items. For k > m, only the kinds "bloom", "exponential", "taylor" and "bose_upper"
// are defined. The kind "partitioned" is undefined where k does not divide m. The kind "lower_simple" is undefined if n
// > 0 and mu < k-1. The kind "bose_upper" is undefined for x >= 1 and for n = 0. If 12 c > 2^53, Bound may decide
// wrongly whether lower_simple is defined. For the kind "bose_upper", the computed x has a relative error of (40 + 8 ln
// k) u. If x differs from 1 by no more than this error, Bound may decide wrongly whether x < 1.
// Error: as in the table; results below 2^-1022 have an additional absolute error of 2^-1072. The values of the kind
// "taylor" can exceed 1 where m is small.
// Cost: up to eight elementary functions. The kinds "bloom", "exponential" and "upper" evaluate these functions in
// two-word arithmetic. The kind "lower" evaluates 10 elementary functions at each of at most 40 nodes. The kinds
// "lower_simple" and "lower_classic" evaluate k+2 elementary functions. With blocks, Bound evaluates the bound of one
// block for many numbers of items. It leaves out the numbers whose contribution to the mean is negligible. The function
// FPR does the same.
// Errors: *bloomproof.ParamError; ErrUndefined; ErrTooCostly. A kind that is not defined for the hashing gives a
// ParamError. ErrTooCostly occurs only with blocks, in the same cases as for FPR.
func Bound(kind bloomproof.Bound, g bloomproof.Geometry, n uint64) (float64, error) {
	if err := g.Validate(); err != nil {
		return 0, err
	}
	if g.Block != 0 {
		return blockedBound(kind, g, n)
	}
	h, err := named(g)
	if err != nil {
		return 0, err
	}
	if err := h.refuse(kind); err != nil {
		return 0, err
	}
	return boundFormulas[kind](g.M, n, g.K)
}

// The function "closed" computes a rate as a float64. It calls the argument "form" with m, n and k. For n = 0 the rate
// is 0, and "form" is not called.
func closed(form func(m, n uint64, k int) rate, m, n uint64, k int) float64 {
	if n == 0 {
		return 0
	}
	return form(m, n, k).float64()
}

// The function "bloom" returns the formula of Burns, equation (57), and Fan, equation (2). This formula treats the
// positions of an item as if they were set independently.
func bloom(m, n uint64, k int) (float64, error) { return closed(bloomRate, m, n, k), nil }

// The function "exponential" returns the formula of Burns, equation (58). Its value is never above the value that the
// function "bloom" returns.
func exponential(m, n uint64, k int) (float64, error) { return closed(exponentialRate, m, n, k), nil }

// The function "upper" returns the upper bound of Burns, Corollary 23, equation (65).
func upper(m, n uint64, k int) (float64, error) {
	if uint64(k) > m {
		return 0, refuse.ErrUndefined
	}
	return closed(upperRate, m, n, k), nil
}

// The function "partitioned" returns the rate by equation (19) of Fan. A partitioned filter exists only if k
// divides m. The rate is then equal to the bound that the function "upper" returns.
func partitioned(m, n uint64, k int) (float64, error) {
	if m%uint64(k) != 0 {
		return 0, refuse.ErrUndefined
	}
	return upper(m, n, k)
}

// The function "bose" returns the bound p^k (1 + x) of Fan, equation (5). Here p is the mean fraction of set bits, and
// x = (k/p) sqrt((ln m - k ln p)/m). The bound holds if x < 1. Fan states this condition as equation (6).
func bose(m, n uint64, k int) (float64, error) {
	if n == 0 {
		return 0, refuse.ErrUndefined
	}
	// Here u = 2^-53, and all errors are relative. The quotient k/p has an error of 12u. Both terms under the square
	// root, ln m and -k ln p, are positive. The comment of hitLn shows that the error of k ln p is below (8 ln k +
	// 14)u. The square root halves this error. So the error of x is at most (22 + 4 ln k)u. The quotient x/(1+x) is
	// below 1/2. So the relative error of the sum 1 + x is less than half of this error.
	t := missExponent(m, 1, balls(n, k))
	mf, kf, lnp := float64(m), float64(k), fm.Log1mExp(t)
	x := kf / -fm.Expm1(-t) * fm.Sqrt((fm.Log(mf)-kf*lnp)/mf)
	if !(x < 1) {
		return 0, refuse.ErrUndefined
	}
	return fm.Exp(kf*lnp + fm.Log1p(x)), nil
}
