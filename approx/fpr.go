package approx

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// FPR returns the expected false-positive rate of a filter of shape g that holds n distinct items, with ideal hashing:
//
//	standard     E[(X/m)^k]
//	classic      E[C(X,k)/C(m,k)]
//	partitioned  (1 - (1 - k/m)^n)^k
//	blocks       E[f_N].
//
// Here X is the number of set bits. With standard hashing, k may be larger than m. With blocks, f_j is the rate of a
// block of j items. The random number N of items in a block has the distribution Bin(n, block/m).
//
// Without blocks the rate is never above the bound "upper". For partitioned hashing it is equal to this bound. For
// standard and partitioned hashing the rate is never below the bounds "bloom" and "exponential". Without blocks,
// rounding does not change the order of the rate and of the bounds "upper", "bloom" and "exponential". If a bound of
// another kind differs from the rate by less than the errors of both, use package exact to compare them.
//
// Source: Burns, equations (53) and (59), with (54) and (60); Fan, equation (19). For blocks, the source is Putze,
// Sanders and Singler (2007). FPR uses a binomial distribution where this source uses a Poisson distribution.
// Domain: g is valid; 0 <= n < 2^64 items.
// Error: relative, at most (125 + 70 sqrt k) u for standard hashing, (100 + 7k) u for classic hashing, and 2u for
// partitioned hashing. With blocks the error is at most 2u larger. For k <= 64 all these errors are below 8e-14.
// Comments in the code derive these bounds to first order in u. For standard hashing, they are the comments of
// standardMiss, standardSmall, standardSparse, standardCentral and contourStandard. For classic hashing, they are the
// comments of classicMiss, classicSmall, classicSparse, classicLarge, classicCentral and contourClassic. The program
// verify/proof/floats proves one factor in the last of these derivations. For rates near 1 the error is a few u. The
// largest known error is 23.4u, at m = 355, k = 62 and n = 1 with standard hashing. A result below 2^-1022 has an
// additional absolute error of 2^-1075 (see LogFPR). With blocks, this error is 2^-1074.
// Cost: the times in this comment hold for k <= 64, if no other k is named. Let F be the share of set bits. The
// following table is for m from max(64, 4k) to 2^36, and for F between 2 % and 90 %. Each line gives an upper limit of
// the time. The limit holds for k up to the value in the line. The number m must be at least the value in the column "m
// from":
//
//	hashing   k   m from  microseconds
//	standard   8  4k      0.8
//	standard  16  4k      1.3
//	standard  16  8k      1.1
//	standard  32  4k      1.7
//	standard  32  64k     1.1
//	standard  64  4k      2.7
//	standard  64  256k    1.1
//	classic   16  4k      1.1
//	classic   32  8k      1.1
//	classic   64  8k      3.0
//	classic   64  32k     1.1
//
// Let k > 16 and m < 8k. Then classic hashing takes below 1.2 microseconds if F is below 60 %. For larger F it takes up
// to 20 microseconds. The comment of classicCentral describes its domain. For F below 2 %, the computation takes less
// than 1.4 microseconds. If F is above 90 %, it takes below 1.8 microseconds for k <= 16, and below 3.5 microseconds
// for other k. If the rate rounds to 1, FPR takes below 2 microseconds for any m and k. FPR takes 0.2 to 22
// microseconds for smaller m, and 0.2 to 5 microseconds for larger m. For larger k, standard hashing takes at most
// k^2/2 steps of a recursion. For k = 4096 they take 1 to 100 milliseconds. Classic hashing evaluates products of k
// factors at up to 400 nodes. This takes at most 5 milliseconds. With blocks, the number of items in a block varies.
// For each number that contributes to the result, FPR computes the rate of one block. At least about 20 sqrt(n block/m)
// numbers contribute.
// Errors: *bloomproof.ParamError; ErrTooCostly if g has blocks and the computation would take more than ten seconds.
func FPR(g bloomproof.Geometry, n uint64) (float64, error) {
	r, err := rateOf(g, n)
	return r.float64(), err
}

// Complement returns 1 - FPR(g, n). It loses no digits if the rate is near 1.
//
// Source: the same as for FPR.
// Domain: the same as for FPR.
// Error: relative, at most 1.6 times the error of FPR, plus u. Without blocks it is below 40u if the rate is above 0.7.
// A result below 2^-1022 has an additional absolute error of 2^-1075, or 2^-1074 with blocks.
// Cost, Errors: the same as for FPR.
func Complement(g bloomproof.Geometry, n uint64) (float64, error) {
	r, err := rateOf(g, n)
	return r.complement.Float64(), err
}

// LogFPR returns the natural logarithm of FPR(g, n), also if the rate is below the smallest float64.
//
// Source: the same as for FPR.
// Domain: g is valid; 1 <= n < 2^64 items.
// Error: relative, at most twice the error of FPR, plus 4u. If the rate is below e^-100, the error is at most 6u. A
// result above -2^-1022 has an additional absolute error of 2^-1075. With blocks this error is 2^-1074. The result is
// 0, and not -0, if the rate is 1 or if the result rounds to 0.
// Cost: the same as for FPR.
// Errors: the same as for FPR; ErrUndefined for n = 0, where the rate is 0.
func LogFPR(g bloomproof.Geometry, n uint64) (float64, error) {
	r, err := rateOf(g, n)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, refuse.ErrUndefined
	}
	return r.ln(), nil
}

// rateOf returns the false-positive rate of a filter of shape g with n items, or an error.
func rateOf(g bloomproof.Geometry, n uint64) (rate, error) {
	if g.Block != 0 {
		if err := g.Validate(); err != nil {
			return rate{}, err
		}
		return blockedRate(g, n)
	}
	h, err := hashingOf(g)
	if err != nil {
		return rate{}, err
	}
	return h.rateOf(g.M, n, g.K), nil
}

// rateOf returns the false-positive rate of a filter without blocks, whose m and k must be valid.
func (h *hashing) rateOf(m, n uint64, k int) rate {
	switch {
	case n == 0:
		return near1(1)
	case m == 1:
		return near1(0)
	}
	return h.rate(m, n, k)
}

// A rate is a false-positive rate. A rate near 1 is represented by its distance from 1.
type rate struct {
	value      fm.Scaled // the rate, unless near1 is set
	complement fm.Scaled // 1 minus the rate, which may be below every positive float64
	near1      bool      // the rate is 1 - complement
}

// The function below1 returns the rate f, where f <= e^(-1/2). Suppose that 1-f is computed from f. Its relative error
// is at most f/(1-f) times the error of f, plus u. The factor f/(1-f) is at most 1.55.
func below1(f fm.Scaled) rate {
	return rate{value: f, complement: fm.Scaled{Double: fm.Double{Hi: 1 - f.Float64()}}}
}

// The function near1 returns the rate 1 - c. Here c = 0, or 2^-400 <= c <= 1/2, or c = 1.
func near1(c float64) rate { return besides(fm.Scaled{Double: fm.Double{Hi: c}}) }

// The function "besides" returns the rate 1 - c, where 0 <= c <= 1/2 or c = 1.
func besides(c fm.Scaled) rate { return rate{complement: c, near1: true} }

func (r rate) float64() float64 {
	if r.near1 {
		return fm.Whole(1).Sub(r.complement.Unscaled()).Hi
	}
	return r.value.Float64()
}

// The method "ln" returns the logarithm of the rate. If the rate is 1, the result is 0 and never -0.
func (r rate) ln() float64 {
	if !r.near1 {
		return r.value.Ln()
	}
	c := r.complement.Float64()
	if c == 0 {
		return 0
	}
	return fm.Log1p(-c)
}

// lnSize returns the absolute value of the logarithm of the rate. This value may be below every positive float64. The
// field "complement" is a number c. If c is at most the constant onlyFirst, lnSize returns c. The relative error is
// then at most c/2.
func (r rate) lnSize() fm.Scaled {
	if r.near1 && !fm.Whole(1).MulFloat(onlyFirst).Scale().Less(r.complement) {
		return r.complement
	}
	return fm.Scaled{Double: fm.Double{Hi: -r.ln()}}
}
