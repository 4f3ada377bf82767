// Package ref computes reference values for the tests of approx: powers, exponentials, logarithms and sines. It
// evaluates them directly with big.Float, with the precision of the first argument. The tests choose a precision for
// which rounding errors do not matter. Package ref does not round outwards and is not fast, and only tests import it.
// Package exact computes guaranteed enclosures.
package ref

import (
	"math"
	"math/big"
)

// Float returns x as a big.Float with a precision of prec bits.
func Float(prec uint, x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

// Uint returns x as a big.Float with a precision of prec bits.
func Uint(prec uint, x uint64) *big.Float { return new(big.Float).SetPrec(prec).SetUint64(x) }

func zero(x *big.Float) *big.Float { return new(big.Float).SetPrec(x.Prec()) }

// Add returns x + y.
func Add(x, y *big.Float) *big.Float { return zero(x).Add(x, y) }

// Sub returns x - y.
func Sub(x, y *big.Float) *big.Float { return zero(x).Sub(x, y) }

// Mul returns x*y.
func Mul(x, y *big.Float) *big.Float { return zero(x).Mul(x, y) }

// Quo returns x/y, for y not 0.
func Quo(x, y *big.Float) *big.Float { return zero(x).Quo(x, y) }

// Neg returns -x.
func Neg(x *big.Float) *big.Float { return zero(x).Neg(x) }

// Pow returns x^e by squaring, for e >= 0.
func Pow(x *big.Float, e *big.Int) *big.Float {
	z := Float(x.Prec(), 1)
	for i := e.BitLen() - 1; i >= 0; i-- {
		z.Mul(z, z)
		if e.Bit(i) == 1 {
			z.Mul(z, x)
		}
	}
	return z
}

// PowInt returns x^k, for k >= 0.
func PowInt(x *big.Float, k int) *big.Float { return Pow(x, big.NewInt(int64(k))) }

// Exp returns e^x. It evaluates the series at x/2^s with guard bits, and squares the result s times.
func Exp(x *big.Float) *big.Float {
	s := max(0, x.MantExp(nil)) + 16
	wide := x.Prec() + 2*uint(s) + 32
	y := new(big.Float).SetPrec(wide).SetMantExp(x, -s)
	y.SetPrec(wide)
	sum := seriesOf(y, func(uint64) bool { return true })
	for range s {
		sum.Mul(sum, sum)
	}
	return sum.SetPrec(x.Prec())
}

// seriesOf returns 1 plus the sum of y^j/j! over those j >= 1 for which the function "use" returns true.
func seriesOf(y *big.Float, use func(j uint64) bool) *big.Float {
	sum, term, power, divisor := Float(y.Prec(), 1), Float(y.Prec(), 1), zero(y), zero(y)
	for j := uint64(1); ; j++ {
		power.Mul(term, y)
		term.Quo(power, divisor.SetUint64(j))
		if term.Sign() == 0 || term.MantExp(nil) < -int(y.Prec())-10 {
			return sum
		}
		if use(j) {
			sum.Add(sum, term)
		}
	}
}

// Log returns ln x for x > 0. It uses Newton's method for the equation e^y = x, starting from a float64. Each step
// doubles the number of correct bits after the point. So each step computes with twice the bits that were correct before
// it, and with logSpare bits more.
func Log(x *big.Float) *big.Float {
	if x.Cmp(Float(53, 1)) == 0 {
		return zero(x)
	}
	wide := new(big.Float).SetPrec(2*x.Prec() + 64).Set(x)
	start, _ := wide.Float64()
	e := 0
	if start < 0x1p-1022 || math.IsInf(start, 0) { // math.Log is wrong for subnormals on amd64
		mant := new(big.Float)
		e = wide.MantExp(mant)
		start, _ = mant.Float64()
	}
	y := Add(Float(wide.Prec(), math.Log(start)), Mul(Float(wide.Prec(), float64(e)), Float(53, math.Ln2)))
	bits := uint(40) // |y| is at most 745
	if e != 0 {
		bits = 8
	}
	for ; bits < wide.Prec(); bits *= 2 {
		work := min(2*bits+logSpare, wide.Prec())
		power := Exp(Neg(new(big.Float).SetPrec(work).Set(y)))
		y = Add(y, Sub(Mul(power, wide), Float(work, 1)))
	}
	return y.SetPrec(x.Prec())
}

// logSpare is the number of bits that Log adds to those that it needs: for the part of y before the point, and for
// rounding errors.
const logSpare = 64

// Sin returns sin x for |x| <= 4, by its alternating series.
func Sin(x *big.Float) *big.Float {
	one := Float(x.Prec(), 1)
	plus := Sub(seriesOf(x, func(j uint64) bool { return j%4 == 1 }), one)
	return Sub(plus, Sub(seriesOf(x, func(j uint64) bool { return j%4 == 3 }), one))
}

// Cos returns cos x for |x| <= 4.
func Cos(x *big.Float) *big.Float {
	one := Float(x.Prec(), 1)
	plus := seriesOf(x, func(j uint64) bool { return j%4 == 0 })
	return Sub(plus, Sub(seriesOf(x, func(j uint64) bool { return j%4 == 2 }), one))
}

// ErrorInU returns the relative error |got - want|/|want| in units of 2^-53. If "want" is 0 and "got" is not 0, it
// returns +Inf.
func ErrorInU(got float64, want *big.Float) float64 {
	d := Sub(Float(want.Prec(), got), want)
	if d.Sign() == 0 {
		return 0
	}
	if want.Sign() == 0 {
		return math.Inf(1)
	}
	e, _ := d.Quo(d, want).Float64()
	return math.Abs(e) * 0x1p53
}
