package interval

import (
	"math"
	"math/big"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

// randComplex returns a random point of moderate size and its float64 value.
func randComplex(rng *rand.Rand, prec uint) (*Complex, complex128) {
	v := complex(rng.NormFloat64()*math.Exp(6*rng.NormFloat64()), rng.NormFloat64()*math.Exp(6*rng.NormFloat64()))
	z := NewComplex(prec)
	re, im := big.NewFloat(real(v)), big.NewFloat(imag(v))
	z.Re.SetEnds(re, re)
	z.Im.SetEnds(im, im)
	return z, v
}

func near(z *Interval, want, scale float64) bool {
	return z.Valid() && math.Abs(mid(z)-want) <= 1e-13*scale
}

// TestComplex compares with package cmplx, which is no proof but sees any blunder, and
// asks for tight results.
func TestComplex(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range rounds(1500) {
		prec := uint(60 + rng.IntN(300))
		x, a := randComplex(rng, prec)
		y, b := randComplex(rng, prec)
		for _, c := range []struct {
			name string
			got  *Complex
			want complex128
		}{
			{"Add", NewComplex(prec).Add(x, y), a + b},
			{"Sub", NewComplex(prec).Sub(x, y), a - b},
			{"Mul", NewComplex(prec).Mul(x, y), a * b},
			{"Inv", NewComplex(prec).Inv(x), 1 / a},
			{"Log", NewComplex(prec).Log(x), cmplx.Log(a)},
		} {
			scale := cmplx.Abs(c.want) + cmplx.Abs(a) + cmplx.Abs(b)
			if c.name == "Mul" || c.name == "Inv" {
				scale = cmplx.Abs(c.want)
			}
			if !near(&c.got.Re, real(c.want), scale) || !near(&c.got.Im, imag(c.want), scale) {
				t.Fatalf("%s of %v, %v: %v + %v i, want %v", c.name, a, b, mid(&c.got.Re), mid(&c.got.Im), c.want)
			}
			for _, part := range []*Interval{&c.got.Re, &c.got.Im} {
				if w, _ := part.Width().Float64(); w > math.Ldexp(scale+1, 6-int(prec)) {
					t.Fatalf("%s of %v, %v at %d bits is %v wide", c.name, a, b, prec, w)
				}
			}
		}
		// exp log x = x, and the arguments may be aliased and dirty.
		l := NewComplex(prec).Log(x)
		back := NewComplex(prec).Exp(l)
		if !overlap(&back.Re, &x.Re) || !overlap(&back.Im, &x.Im) {
			t.Fatalf("exp log %v = %v + %v i", a, mid(&back.Re), mid(&back.Im))
		}
		alias := NewComplex(prec).Set(x)
		if alias.Mul(alias, alias); !same(&alias.Re, &NewComplex(prec).Mul(x, x).Re) || !same(&alias.Im, &NewComplex(prec).Mul(x, x).Im) {
			t.Fatal("Mul of aliases differs")
		}
		if alias.Set(x).Inv(alias); !same(&alias.Re, &NewComplex(prec).Inv(x).Re) || !same(&alias.Im, &NewComplex(prec).Inv(x).Im) {
			t.Fatal("Inv of aliases differs")
		}
		if alias.Set(x).Log(alias); !same(&alias.Re, &l.Re) || !same(&alias.Im, &l.Im) {
			t.Fatal("Log of aliases differs")
		}
		if alias.Exp(alias); !same(&alias.Re, &back.Re) || !same(&alias.Im, &back.Im) {
			t.Fatal("Exp of aliases differs")
		}
	}
}

// TestSinCos checks reduction by many quarter turns, widths, and the circle.
func TestSinCos(t *testing.T) {
	c, s := New(200), New(200)
	x, _ := new(big.Float).SetString("1e22")
	// The sine of 1e22 is the classic test of argument reduction.
	if sinCos(c, s, New(200).SetEnds(x, x)); !near(s, -0.8522008497671888018, 1) || !near(c, 0.52321478539513894550, 1) {
		t.Errorf("1e22: cos %v, sin %v", mid(c), mid(s))
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for range rounds(2000) {
		prec := uint(40 + rng.IntN(400))
		p := spread(rng, -100, 250, true)
		x := New(prec+300).SetEnds(p, p)
		sinCos(c.SetPrec(prec), s.SetPrec(prec), x)
		circle := NewComplex(prec)
		circle.Re.Set(c)
		circle.Im.Set(s)
		if one := circle.norm(prec); !one.ContainsRat(big.NewRat(1, 1)) || math.Abs(mid(one)-1) > 1e-9 {
			t.Fatalf("cos^2 + sin^2 = %v at %v", mid(one), p)
		}
		if w, _ := c.Width().Float64(); w > math.Ldexp(1, 2-int(prec)) {
			t.Fatalf("cos at %d bits is %v wide", prec, w)
		}
		// Twice the angle, at another precision.
		c2, s2 := New(prec+33), New(prec+33)
		sinCos(c2, s2, New(prec+300).MulPow2(x, 1))
		double := NewComplex(prec).Mul(circle, circle)
		if !overlap(&double.Re, c2) || !overlap(&double.Im, s2) {
			t.Fatalf("the double angle of %v does not agree", p)
		}
	}
	// An interval contains the values at its ends.
	a, b := big.NewFloat(1.25), big.NewFloat(1.5)
	sinCos(c.SetPrec(80), s.SetPrec(80), New(80).SetEnds(a, b))
	for _, end := range []float64{1.25, 1.5} {
		if lo, _ := s.lo.Float64(); lo > math.Sin(end) {
			t.Errorf("sin [1.25, 1.5] begins at %v", lo)
		}
		if hi, _ := c.hi.Float64(); hi < math.Cos(end) {
			t.Errorf("cos [1.25, 1.5] ends at %v", hi)
		}
	}
	huge := New(80).SetUint64(1)
	if sinCos(c, s, huge.MulPow2(huge, 300)); c.Valid() || s.Valid() {
		t.Error("2^300 has a sine")
	}
}

// TestArg goes around the circle and to the places where the argument jumps.
func TestArg(t *testing.T) {
	for i := -180; i < 180; i++ {
		a := float64(i) * math.Pi / 180
		z := NewComplex(150)
		re, im := big.NewFloat(math.Cos(a)), big.NewFloat(math.Sin(a))
		z.Re.SetEnds(re, re)
		z.Im.SetEnds(im, im)
		arg := z.arg(100)
		if want := math.Atan2(math.Sin(a), math.Cos(a)); !near(arg, want, 1) {
			t.Errorf("the argument of %d degrees is %v", i, mid(arg))
		}
		if w, _ := arg.Width().Float64(); w > 1e-28 {
			t.Errorf("the argument of %d degrees is %v wide", i, w)
		}
	}
	for _, c := range []struct{ re0, re1, im0, im1 float64 }{{-1, 1, -1, 1}, {-2, -1, -1, 1}, {-1, -1, 0, 0}, {0, 0, 0, 0}} {
		z := NewComplex(80)
		z.Re.SetEnds(big.NewFloat(c.re0), big.NewFloat(c.re1))
		z.Im.SetEnds(big.NewFloat(c.im0), big.NewFloat(c.im1))
		if z.arg(80).Valid() || NewComplex(80).Log(z).Valid() {
			t.Errorf("%v has an argument", c)
		}
	}
	// pi, to 50 digits, as the argument of -1 + 0i from above.
	z := NewComplex(400)
	tiny := New(400).SetUint64(1)
	z.Re.SetEnds(big.NewFloat(-1), big.NewFloat(-1))
	z.Im.Set(tiny.MulPow2(tiny, -300))
	_, digits, _, err := z.arg(250).Decimal(51)
	if err != nil || digits != "3.14159265358979323846264338327950288419716939937511" {
		t.Errorf("pi is %s, %v", digits, err)
	}
}
