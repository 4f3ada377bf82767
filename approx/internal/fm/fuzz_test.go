package fm

import (
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/ref"
)

// of returns a number of the given exponent whose significand's bits are low.
func of(exp int, low uint64, negative bool) float64 {
	x := math.Ldexp(1+float64(low>>11)*0x1p-53, exp)
	if negative {
		return -x
	}
	return x
}

// FuzzFloat: every function of one float64 has an error within the bound in its comment, for every
// argument in its domain.
func FuzzFloat(f *testing.F) {
	all := elementaries()
	f.Fuzz(func(t *testing.T, which uint8, exp uint16, low uint64, negative bool) {
		f := all[int(which)%len(all)]
		_, least := math.Frexp(f.lo)
		_, most := math.Frexp(f.hi)
		x := min(max(of(least-1+int(exp)%(most-least+1), low, false), f.lo), f.hi)
		if negative && f.signed {
			x = -x
		}
		if e := ref.ErrorInU(f.got(x), f.want(x)); !(e <= f.bound) {
			t.Errorf("%s(%v): error %g u, stated bound %g u", f.name, x, e, f.bound)
		}
	})
}

// FuzzDouble: every operation on numbers of two words has an error within the bound in its comment,
// however close together or far apart its operands are.
func FuzzDouble(f *testing.F) {
	one := ref.Float(1600, 1)
	f.Fuzz(func(t *testing.T, which uint8, expA, expB int8, a, lowA, b, lowB uint64, signs uint8) {
		make := func(exp int8, hi, lo uint64, bits uint8) Double {
			h := of(int(exp)*7/2, hi, bits&1 != 0) // 2^-448 to 2^445
			return fastSum(h, h*math.Ldexp(float64(lo>>11)*0x1p-53, -53)*float64(1-int(bits&2)))
		}
		x, y := make(expA, a, lowA, signs), make(expB, b, lowB, signs>>2)
		size := func(x Double) float64 { return math.Abs(x.Hi) }
		check := func(name string, got, want *big.Float, bound float64) { // bound: absolute
			d := ref.Sub(got, want)
			if off, _ := d.Abs(d).Float64(); !(off <= bound) {
				t.Errorf("%s of %v, %v: off by %g, stated %g", name, x, y, off, bound)
			}
		}
		relative := func(name string, got, want *big.Float, bound float64) {
			w, _ := want.Float64()
			check(name, got, want, bound*math.Abs(w))
		}
		const v = 0x1p-106
		switch which % 9 {
		case 0:
			check("Add", x.Add(y).big(), ref.Add(x.big(), y.big()), 3*v*(size(x)+size(y)))
		case 1:
			check("Sub", x.Sub(y).big(), ref.Sub(x.big(), y.big()), 3*v*(size(x)+size(y)))
		case 2:
			relative("Mul", x.Mul(y).big(), ref.Mul(x.big(), y.big()), 4*v)
		case 3:
			relative("Quo", x.Quo(y).big(), ref.Quo(x.big(), y.big()), 10*v)
		case 4:
			relative("MulFloat", x.MulFloat(y.Hi).big(), ref.Mul(x.big(), ref.Float(prec, y.Hi)), 2*v)
		case 5:
			relative("QuoFloat", x.QuoFloat(y.Hi).big(), ref.Quo(x.big(), ref.Float(prec, y.Hi)), 3*v)
		case 6:
			if size(x) < 600 {
				relative("Exp", x.Exp().big(), ref.Exp(x.big()), 0x1p-98+size(x)*0x1p-104)
			}
		case 7:
			if x.Hi >= -0.49 {
				relative("Log1p", x.Log1p().big(), ref.Log(ref.Add(one, x.big())), 0x1p-97)
			}
		case 8:
			if size(x) < 600 {
				e := ref.Sub(ref.Exp(new(big.Float).SetPrec(1600).Set(x.big())), one)
				relative("Expm1", x.Expm1().big(), e, 0x1p-98+size(x)*0x1p-104)
			}
		}
	})
}
