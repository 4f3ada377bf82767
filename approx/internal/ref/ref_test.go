package ref

import (
	"math"
	"testing"
)

// The references agree with each other and, to float64 accuracy, with package math.
func TestReferences(t *testing.T) {
	const prec = 400
	for _, x := range []float64{-30, -1, -1e-9, 0, 1e-20, 0.5, 1, 3, 40} {
		b := Float(prec, x)
		e := Exp(b)
		if u := ErrorInU(math.Exp(x), e); u > 4 {
			t.Errorf("Exp(%g): %g u from math.Exp", x, u)
		}
		back := Sub(Log(e), b)
		if back.Sign() != 0 && back.MantExp(nil) > 60-prec {
			t.Errorf("Log(Exp(%g)) off by %g", x, back)
		}
		if math.Abs(x) > 4 {
			continue
		}
		s, c := Sin(b), Cos(b)
		one := Sub(Add(Mul(s, s), Mul(c, c)), Float(prec, 1))
		if one.Sign() != 0 && one.MantExp(nil) > 20-prec {
			t.Errorf("sin^2 + cos^2 at %g is off by %g", x, one)
		}
		if u := ErrorInU(math.Sin(x), s); u > 4 {
			t.Errorf("Sin(%g): %g u from math.Sin", x, u)
		}
	}
	for _, x := range []float64{-700, -730, -744, -5000, 5000} { // beyond what float64 holds
		if back := Sub(Log(Exp(Float(prec, x))), Float(prec, x)); back.Sign() != 0 && back.MantExp(nil) > 80-prec {
			t.Errorf("Log(Exp(%g)) off by %g", x, back)
		}
	}
	if got := PowInt(Float(prec, 3), 5); got.Cmp(Float(prec, 243)) != 0 {
		t.Errorf("3^5 = %g", got)
	}
}
