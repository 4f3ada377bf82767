// Package witness computes exp, log, log1p and pow with a stated error, by the package github.com/ALTree/bigfloat. The
// results are independent of package exact, which shares no code with bigfloat.
//
// The package bigfloat computes the logarithm by the arithmetic-geometric mean. It computes the exponential by Newton's
// method, as the inverse of the logarithm. By contrast, package exact adds up series in fixed point. The package
// bigfloat states no error, and has several faults. Its exponentials near the end of the range of float64 have few
// correct bits. The relative error of its logarithm is unbounded near 1. Huge arguments lead to endless loops. At
// precisions above 1024 bits, goroutines must not share its cache of pi. So each function here restricts its domain,
// adds guard bits and takes a lock. The following error bounds were derived from the code of bigfloat v0.2.0:
//
//   - Log(z) at p bits works with P = p + 64 bits, u = 2^-P. It squares z or 1/z k times, until X >= 2^(P/2), and
//     returns 2^-k pi/(2 agm(1, 4/X)). The quotient 1/z and each squaring have a relative error of u, and a squaring
//     doubles the earlier relative error. So the error of ln X is at most 2^(k+1) u 1.01, and the error of ln z is at
//     most 2^-(p+62). The other errors are relative errors of ln X. The function agm stops when its two means differ by
//     2^-(P+1), which is at most 2^-(P+1) ln(4X) of its value. The AGM formula itself has an error below 2^8 u. The
//     constant pi, the product, the quotients and the rounding add 4u. With P <= 2^12 and ln(4X) < P these add up to at
//     most 2^12 u. The result is rounded to p bits:
//
//     |error| <= 2^-(p+62) + |ln z| (2^-p + 2^-(p+52))
//
//   - Exp(z) at p >= 64 bits, |z| <= 700: the first approximation is computed in float64, with a relative error of at
//     most 2^-42. After a step, an error e becomes e^2/2 plus the absolute error of Log, which is at most 2^10 2^-q at
//     q bits of precision. The precision grows from 53 + 64 bits to 2^j 53 + 64. The last step has p + 64 bits or more,
//     and begins with an error below 2^-(p/2 + 54):
//
//     relative error <= 2^-p + 2^-(p+53)
//
//   - Pow(z, w) at p bits is Exp(w Log(z)) at p + 64 bits. Let |w ln z| <= 700 and |w| <= 2^64. Then the error of the
//     exponent is at most 2^11 2^-(p+64) + |w| 2^-(p+126):
//
//     relative error <= 2^-p + 2^-(p+51)
package witness

import (
	"errors"
	"math/big"
	"sync"

	"github.com/ALTree/bigfloat"
)

const (
	// MaxPrec is the largest precision. At this precision, the working precision P in the package comment is below
	// 2^12.
	MaxPrec = 2048
	// maxExponent is the largest permitted absolute value of the argument of Exp, and of y ln x in Pow. The package
	// bigfloat uses float64 for its first approximation. The numbers e^700 and e^-700 are well inside the range of
	// normal float64 numbers.
	maxExponent = 700
	// maxScale limits the binary exponent of the argument of Log or Log1p. It is the largest permitted absolute value
	// of this exponent.
	maxScale = 1024
	// The working precision exceeds the requested precision. The constant "slack" is the difference in bits. With this
	// number, the terms of each error in the package comment add up to less than 2^-prec.
	slack = 2
)

// ErrDomain is returned outside the domain of a function. Only for this domain is the error of the function proven.
var ErrDomain = errors.New("outside the domain of the witness")

// The variable "mu" guards bigfloat's cache of pi.
var mu sync.Mutex

func valid(x *big.Float, prec uint) bool {
	return prec >= 1 && prec <= MaxPrec && !x.IsInf() && x.MinPrec() <= 2*MaxPrec
}

// The function "at" returns a copy of x with exactly the same value and a precision of at least prec bits.
func at(x *big.Float, prec uint) *big.Float {
	return new(big.Float).SetPrec(max(prec, x.MinPrec())).Set(x)
}

// Exp returns e^x.
//
// Domain: |x| <= 700; 1 <= prec <= MaxPrec.
// Error: relative, at most 2^-prec.
// Errors: ErrDomain.
func Exp(x *big.Float, prec uint) (*big.Float, error) {
	if !valid(x, prec) || new(big.Float).Abs(x).Cmp(big.NewFloat(maxExponent)) > 0 {
		return nil, ErrDomain
	}
	mu.Lock()
	defer mu.Unlock()
	return bigfloat.Exp(at(x, max(prec, 64)+slack)), nil
}

// Log returns the natural logarithm of x.
//
// Domain: 2^-1024 < x < 2^1024, x != 1; 1 <= prec <= MaxPrec.
// Error: relative, at most 2^-prec.
// Errors: ErrDomain.
func Log(x *big.Float, prec uint) (*big.Float, error) {
	if !valid(x, prec) || x.Sign() <= 0 || x.MantExp(nil) > maxScale || x.MantExp(nil) <= -maxScale {
		return nil, ErrDomain
	}
	off := new(big.Float).SetPrec(x.MinPrec()+maxScale).Sub(x, big.NewFloat(1)) // exactly
	if off.Sign() == 0 {
		return nil, ErrDomain
	}
	lost := max(0, -off.MantExp(nil)) + 2 // |ln x| >= 2^-lost
	mu.Lock()
	defer mu.Unlock()
	return bigfloat.Log(at(x, prec+uint(lost)+slack)), nil
}

// Log1p returns ln(1+t).
//
// Domain: 1+t in the domain of Log, |t| >= 2^-1024; 1 <= prec <= MaxPrec.
// Error: relative, at most 2^-prec.
// Errors: ErrDomain.
func Log1p(t *big.Float, prec uint) (*big.Float, error) {
	if !valid(t, prec) || t.Sign() == 0 || t.MantExp(nil) <= -maxScale || t.MantExp(nil) > maxScale {
		return nil, ErrDomain
	}
	return Log(new(big.Float).SetPrec(t.MinPrec()+2*maxScale).Add(t, big.NewFloat(1)), prec) // exactly 1+t
}

// Pow returns x^y.
//
// Domain: x in the domain of Log, |y| <= 2^64, |y ln x| <= 700; 1 <= prec <= MaxPrec.
// Error: relative, at most 2^-prec.
// Errors: ErrDomain.
func Pow(x, y *big.Float, prec uint) (*big.Float, error) {
	ln, err := Log(x, 64)
	if err != nil || !valid(y, prec) || y.MantExp(nil) > 65 {
		return nil, ErrDomain
	}
	if ln.Mul(ln, y).Abs(ln).Cmp(big.NewFloat(maxExponent)) > 0 {
		return nil, ErrDomain
	}
	mu.Lock()
	defer mu.Unlock()
	return bigfloat.Pow(at(x, prec+slack), y), nil
}
