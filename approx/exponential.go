package approx

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// Exponential returns the usual approximation of the false-positive rate, (1 - e^(-kn/m))^k, in float64. The result
// "gap" is a proven upper bound for the error of this approximation, divided by the approximation. If f is the exact
// rate,
//
//	|f - rate| <= gap * rate.
//
// The approximation treats the bits of a filter as independent. It is never above f, and f is never above the bound
// "upper". Let p = 1 - e^(-kn/m). The quotient f/p^k is at least 1. It has two upper bounds.
//
//	The first upper bound is ((1 - (1-k/m)^n)/p)^k.
//	The second upper bound is exp(k (1-p)/p n (k/m)^2/(2(1-k/m))).
//
// To compute "gap", take the smaller of two numbers: the second upper bound minus 1, and 1/rate - 1. Then add a bound
// of the rounding errors. FPR computes f itself. The function Bound computes the approximation with a relative error of
// at most 2u. Bound takes five times as long as Exponential.
//
// Source: Burns, equation (58) and Corollary 23; Fan, equation (2).
// Domain: g is valid and has no blocks, and its hashing is standard or partitioned; 0 <= n < 2^64. If the rate is below
// 2^-1022, the result "gap" is +Inf.
// Error: the result "rate" differs from (1 - e^(-kn/m))^k by a relative error of at most (6 + (20 + 8 ln k)|ln rate|) u
// (u = 2^-53). The result "gap" includes this error.
// Cost: six elementary functions, about 0.1 microseconds.
// Errors: *bloomproof.ParamError; this includes geometries with blocks or with classic hashing. The rate for classic
// hashing can be above or below the approximation.
func Exponential(g bloomproof.Geometry, n uint64) (rate, gap float64, err error) {
	h, err := hashingOf(g)
	if err != nil {
		return 0, 0, err
	}
	if h.refuse(bloomproof.BoundExponential) != nil {
		return 0, 0, &bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: "standard or partitioned, whose rates are never below this approximation"}
	}
	if n == 0 {
		return 0, 0, nil
	}
	// The computed t = kn/m has a relative error of at most 3u (u = 2^-53). The variable "ln" is the logarithm of the
	// rate, and the comment of hitLn bounds its error. The call of fm.Exp adds 1.02u to the error of the rate.
	mf, kf := float64(g.M), float64(g.K)
	t := balls(n, g.K) / mf
	ln := hitLn(t, g.K)
	rate = fm.Exp(ln)
	if !(rate >= 0x1p-1022) {
		return rate, fm.Inf(), nil
	}
	rounding := (6 - (20+8*fm.Log(kf))*ln) * fm.Unit
	// The rate f is at most 1. It is also at most p^k exp(k x D). Here x = (1-p)/p = 1/(e^t-1) and D = n (-ln(1-k/m) -
	// k/m). The reason is that 1 - (1-k/m)^n = 1 - (1-p) e^-D <= p (1 + x D). The series of the logarithm gives D <= n
	// (k/m)^2/(2(1-k/m)). The product k x D has a relative error of at most (3t + 10)u. The product is below 1 for t >
	// 40. The product is below 709 if exp(k x D) < 1/rate. So the computed gap has a relative error below 2^-36.
	gap = 1/rate - 1
	if uint64(g.K) < g.M {
		x, c := 1/fm.Expm1(t), kf/mf
		gap = min(gap, fm.Expm1(kf*x*(float64(n)*c*c*mf/(2*float64(g.M-uint64(g.K))))))
	}
	// Suppose that |rate/p^k - 1| <= r <= 1/16 and f/p^k <= 1 + d. Then |f - rate| <= (d + 1.1r(1+d)) rate. Since f <=
	// 1, d can be 1/p^k - 1. The code uses d = 1/rate - 1 instead. This number can be too small, but by at most r(1+d).
	return rate, (gap + 3*rounding*(1+gap)) * (1 + 0x1p-35), nil
}
