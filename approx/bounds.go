package approx

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// boundFormulas are the formulas of the bounds, for m >= 1, any n and 1 <= k <= 4096. They
// return ErrUndefined where a bound does not exist.
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

// Bound returns a closed formula that approximates or bounds the rate FPR(g, n). With
// mu = m (1-(1-1/m)^(kn)) and mu' = m (1-(1-k/m)^n), the mean numbers of set bits of a standard
// and of a classic filter, sigma^2 the variance of the former (45), p = mu/m, H = 20 + 8 ln k
// and f the value:
//
//	kind          formula                                  relative error in u
//	bloom         (1 - (1-1/m)^(kn))^k                     2
//	exponential   (1 - e^(-kn/m))^k                        2
//	taylor        p^k (1 + k(k-1)/2 sigma^2/mu^2)          120 + 20 ln k + H |ln p^k|
//	lower         Delta^k[x^(nk)]_m / m^(nk)               60 + 5 ln k + (50 + 12 ln k)|ln f|
//	lower_simple  C(mu,k)/C(m,k)                           8 + (40 + 12 ln k)|ln f| + 12 c
//	lower_classic C(mu',k)/C(m,k)                          8 + (40 + 12 ln k)|ln f| + 12 c
//	upper         (1 - (1-k/m)^n)^k                        2
//	partitioned   upper, the rate of a partitioned filter  2
//	bose_upper    p^k (1 + x),                             24 + 4 ln k + H |ln p^k|
//	              x = (k/p) sqrt((ln m - k ln p)/m)
//
// Here c = mu/(mu-k+1), or mu'/(mu'-k+1) <= k, is the sensitivity of the factor that reaches 0
// at the edge of the domain. The order of exponential, bloom, FPR(g, n) and upper is that of
// the numbers themselves, wherever one holds of them. The errors of the others are independent:
// compare them by package exact where they differ by less.
//
// Which formula says something of which hashing:
//
//	standard     bloom exponential taylor lower lower_simple upper partitioned bose_upper
//	classic      lower lower_simple lower_classic upper partitioned
//	partitioned  bloom exponential lower lower_simple lower_classic upper partitioned
//
// With blocks it is the mean of that of a block over the items of the block, Bin(n, block/m). The
// kinds are bloom, exponential, lower, lower_classic, upper and partitioned, for the same hashings.
// Their errors are 4u more, with k for c, and do not keep the order of the numbers.
//
// Source: see bloomproof.Bound. bose_upper has the constant 1 in place of its O(.).
// Domain: g valid; 0 <= n < 2^64 items. All but bloom, exponential, taylor and bose_upper are
// undefined for k > m, partitioned where k does not divide m, lower_simple for mu < k-1 and
// n > 0, bose_upper for x >= 1 and n = 0. Where 12 c > 2^53, on which side of the edge of
// lower_simple the arguments lie is not decided reliably; whether x < 1 is decided for an x
// within (40 + 8 ln k) u of its own.
// Error: the table; besides 2^-1072 below 2^-1022. taylor can exceed 1 where m is small.
// Cost: up to eight elementary functions, of two words for bloom, exponential and upper; lower 10 for each of at most 40 nodes; lower_simple
// and lower_classic k+2.
// With blocks one bound of a block for each number of items that matters, as FPR.
// Errors: *bloomproof.ParamError, also where the kind says nothing of the hashing;
// ErrUndefined; with blocks ErrTooCostly as FPR.
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

// closed returns the value of a closed form for n = 0 and beyond.
func closed(form func(m, n uint64, k int) rate, m, n uint64, k int) float64 {
	if n == 0 {
		return 0
	}
	return form(m, n, k).float64()
}

// bloom is Burns, equation (57); Fan, equation (2): as if the positions of an item were set
// independently.
func bloom(m, n uint64, k int) (float64, error) { return closed(bloomRate, m, n, k), nil }

// exponential is Burns, equation (58), never above bloom.
func exponential(m, n uint64, k int) (float64, error) { return closed(exponentialRate, m, n, k), nil }

// upper is Burns, Corollary 23, equation (65).
func upper(m, n uint64, k int) (float64, error) {
	if uint64(k) > m {
		return 0, refuse.ErrUndefined
	}
	return closed(upperRate, m, n, k), nil
}

// partitioned is Fan, equation (19): upper where a partitioned filter exists.
func partitioned(m, n uint64, k int) (float64, error) {
	if m%uint64(k) != 0 {
		return 0, refuse.ErrUndefined
	}
	return upper(m, n, k)
}

// bose is Fan, equation (5), where the condition x < 1 (6) holds.
func bose(m, n uint64, k int) (float64, error) {
	if n == 0 {
		return 0, refuse.ErrUndefined
	}
	// k/p errs by 12u. Under the root both terms are positive, and the error of
	// k ln p, below (8 ln k + 14)u of itself (hitLn), is halved: x within
	// (22 + 4 ln k)u, and x/(1+x) < 1/2.
	t := missExponent(m, 1, balls(n, k))
	mf, kf, lnp := float64(m), float64(k), fm.Log1mExp(t)
	x := kf / -fm.Expm1(-t) * fm.Sqrt((fm.Log(mf)-kf*lnp)/mf)
	if !(x < 1) {
		return 0, refuse.ErrUndefined
	}
	return fm.Exp(kf*lnp + fm.Log1p(x)), nil
}
