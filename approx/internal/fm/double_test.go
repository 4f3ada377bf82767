package fm

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/ref"
)

func (a Double) big() *big.Float {
	return ref.Add(ref.Float(prec, a.Hi), ref.Float(prec, a.Lo))
}

func (a Scaled) big() *big.Float {
	z := a.Double.big()
	return z.SetMantExp(z, a.Exp)
}

// log2Error returns log2 of the error of got relative to want; -Inf if there is none.
func log2Error(got, want *big.Float) float64 {
	d := ref.Sub(got, want)
	if d.Sign() == 0 {
		return math.Inf(-1)
	}
	e, _ := d.Quo(d, want).Float64()
	return math.Log2(math.Abs(e))
}

// Every operation on two words keeps the bound of its comment.
func TestDouble(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	draw := func(lo, hi float64) Double {
		x := spread(r, lo, hi)
		return fastSum(x, x*0x1p-53*(2*r.Float64()-1))
	}
	anySign := func(x Double) Double {
		if r.IntN(2) == 0 {
			return x.Neg()
		}
		return x
	}
	one := ref.Float(prec, 1)
	for _, f := range []struct {
		name  string
		bound float64 // log2 of it
		pair  func() (got, want *big.Float)
	}{
		{"Add", math.Log2(3) - 106, func() (a, b *big.Float) {
			x, y := draw(1e-30, 1e30), draw(1e-30, 1e30)
			return x.Add(y).big(), ref.Add(x.big(), y.big())
		}},
		{"AddFloat", -105, func() (a, b *big.Float) {
			x, y := draw(1e-30, 1e30), spread(r, 1e-30, 1e30)
			return x.AddFloat(y).big(), ref.Add(x.big(), ref.Float(prec, y))
		}},
		{"Mul", -104, func() (a, b *big.Float) {
			x, y := draw(1e-30, 1e30), anySign(draw(1e-30, 1e30))
			return x.Mul(y).big(), ref.Mul(x.big(), y.big())
		}},
		{"MulFloat", -105, func() (a, b *big.Float) {
			x, y := anySign(draw(1e-30, 1e30)), spread(r, 1e-30, 1e30)
			return x.MulFloat(y).big(), ref.Mul(x.big(), ref.Float(prec, y))
		}},
		{"Quo", math.Log2(10) - 106, func() (a, b *big.Float) {
			x, y := draw(1e-30, 1e30), anySign(draw(1e-30, 1e30))
			return x.Quo(y).big(), ref.Quo(x.big(), y.big())
		}},
		{"QuoFloat", math.Log2(3) - 106, func() (a, b *big.Float) {
			x, y := anySign(draw(1e-30, 1e30)), spread(r, 1e-30, 1e30)
			return x.QuoFloat(y).big(), ref.Quo(x.big(), ref.Float(prec, y))
		}},
		{"Pow", math.Log2(4*4095) - 106, func() (a, b *big.Float) {
			x, k := draw(1e-19, 0.9999), 1+r.IntN(4096)
			return x.Scale().Pow(k).big(), ref.PowInt(x.big(), k)
		}},
		{"Scaled.Add", math.Log2(3) - 106, func() (a, b *big.Float) {
			e := r.IntN(9000) - 4500
			x, y := Scaled{draw(1e-110, 1e110), e}, Scaled{draw(1e-110, 1e110), e + r.IntN(3000) - 1500}
			return x.Add(y).big(), ref.Add(new(big.Float).SetPrec(9000).Set(x.big()), y.big())
		}},
		{"Exp", -98, func() (a, b *big.Float) {
			x := anySign(draw(1e-20, 40))
			return x.Exp().big(), ref.Exp(x.big())
		}},
		{"Exp (large)", 17 - 104, func() (a, b *big.Float) {
			x := anySign(draw(1, 1e5))
			return x.Exp().big(), ref.Exp(x.big())
		}},
		{"Expm1", -98, func() (a, b *big.Float) {
			x := anySign(draw(1e-20, 700))
			return x.Expm1().big(), ref.Sub(ref.Exp(new(big.Float).SetPrec(1600).Set(x.big())), one)
		}},
		{"Hit", -62, func() (a, b *big.Float) {
			x := draw(1e-20, 8)
			return x.Hit().big(), ref.Sub(one, ref.Exp(new(big.Float).SetPrec(300).Set(x.Neg().big())))
		}},
		{"Hit of ordinary arguments", -62, func() (a, b *big.Float) {
			x := draw(0.01, 8)
			return x.Hit().big(), ref.Sub(one, ref.Exp(new(big.Float).SetPrec(300).Set(x.Neg().big())))
		}},
		{"Log1p", -97, func() (a, b *big.Float) {
			x := anySign(draw(1e-20, 0.5))
			return x.Log1p().big(), ref.Log(ref.Add(one, x.big()))
		}},
		{"Log1p (positive)", -97, func() (a, b *big.Float) {
			x := draw(0x1p-4, 1e200)
			return x.Log1p().big(), ref.Log(ref.Add(one, x.big()))
		}},
		{"LogMiss", -97, func() (a, b *big.Float) {
			m := 2 + r.Uint64()>>r.IntN(63)
			c := 1 + r.Uint64N(m-1)
			if r.IntN(2) == 0 {
				c = min(c, 1+r.Uint64N(5000))
			}
			return LogMiss(c, m).big(), ref.Log(ref.Quo(ref.Uint(prec, m-c), ref.Uint(prec, m)))
		}},
		{"Log1pMX", -58, func() (a, b *big.Float) {
			x := anySign(draw(1e-20, 0.5))
			return x.Log1pMX().big(), ref.Sub(ref.Log(ref.Add(one, x.big())), x.big())
		}},
	} {
		worst := math.Inf(-1)
		n := cases()
		if f.name[0] != 'E' && f.name[0] != 'L' {
			n *= 100
		}
		for range n {
			worst = max(worst, log2Error(f.pair()))
		}
		t.Logf("%-16s worst 2^%.2f of 2^%.2f", f.name, worst, f.bound)
		if !(worst <= f.bound) {
			t.Errorf("%s: error 2^%.2f, stated bound 2^%.2f", f.name, worst, f.bound)
		}
	}
}

// Counts and their products are exact.
func TestWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for i := range 2000 {
		a, b := r.Uint64()>>r.IntN(64), r.Uint64N(4097)
		if i < 4 {
			a, b = math.MaxUint64-uint64(i), 4096
		}
		if got := Whole(a).big(); got.Cmp(ref.Uint(prec, a)) != 0 {
			t.Errorf("Whole(%d) = %.0f", a, got)
		}
		want := ref.Mul(ref.Uint(prec, a), ref.Uint(prec, b))
		if got := WholeProduct(a, b).big(); got.Cmp(want) != 0 {
			t.Errorf("WholeProduct(%d, %d) = %.0f", a, b, got)
		}
	}
}

// The logarithm of a Scaled is that of its value, near 1 too.
func TestScaledLn(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for range cases() {
		x := Scaled{Double{spread(r, 1e-100, 1e100), 0}, r.IntN(4000) - 2000}
		if r.IntN(2) == 0 {
			x = Double{spread(r, 0.3, 3), 0}.Scale()
		}
		want := ref.Log(x.big())
		got := x.Ln()
		ln, _ := want.Float64()
		if d, _ := ref.Sub(ref.Float(prec, got), want).Float64(); math.Abs(d) > 0x1p-51*math.Abs(ln)+0x1p-106 {
			t.Errorf("Ln(%v) = %v, want %v", x, got, ln)
		}
	}
}

// Less compares the values of two numbers, whatever their exponents, and also if they differ in the second word only.
func TestScaledLess(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 3))
	draw := func() Scaled {
		if r.IntN(8) == 0 {
			return Scaled{Double{}, r.IntN(4000) - 2000}
		}
		x := spread(r, 1e-100, 1e100)
		return Scaled{Double{x, x * 0x1p-54 * (2*r.Float64() - 1)}, r.IntN(4000) - 2000}
	}
	seen := [3]int{}
	for range 20 * cases() {
		a, b := draw(), draw()
		switch r.IntN(4) {
		case 0:
			b = a
			if a.Hi != 0 {
				b.Lo = a.Hi * 0x1p-54 * (2*r.Float64() - 1)
			}
		case 1: // the same value, or one that is near, with another exponent
			s := r.IntN(400) - 200
			b = Scaled{Double{math.Ldexp(a.Hi, s), math.Ldexp(a.Lo, s)}, a.Exp - s}
			if a.Hi != 0 && r.IntN(2) == 0 {
				b.Hi *= 1 + 0x1p-52
			}
		case 2:
			b.Exp = a.Exp
		}
		order := a.big().Cmp(b.big())
		seen[order+1]++
		if got := a.Less(b); got != (order < 0) {
			t.Errorf("%v < %v: %v", a, b, got)
		}
		if got := b.Less(a); got != (order > 0) {
			t.Errorf("%v < %v: %v", b, a, got)
		}
	}
	if min(seen[0], seen[1], seen[2]) < cases() {
		t.Errorf("compared %d pairs", seen)
	}
}

// Quotients of falling factorials and powers have the stated error, from the smallest x to the largest.
func TestFallingQuo(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 4))
	worst := math.Inf(-1)
	for range 4 * cases() {
		k := 1 + r.IntN(64)
		x := uint64(k) + r.Uint64()>>(12+r.IntN(52))
		if r.IntN(4) == 0 {
			x = uint64(k)
		}
		x = min(x, 1<<53-1)
		c := spread(r, 1, 0x1p53)
		if r.IntN(2) == 0 {
			c = float64(x) + 0.5
		}
		want := ref.Uint(prec, 1)
		for i := range k {
			want = ref.Quo(ref.Mul(want, ref.Uint(prec, x-uint64(i))), ref.Float(prec, c))
		}
		got := FallingQuo(float64(x), c, k)
		if s := math.Abs(got.Hi); s < 1/mostScaled || s > mostScaled {
			t.Errorf("%d, %v, %d: %v", x, c, k, got)
		}
		worst = max(worst, log2Error(got.big(), want))
	}
	t.Logf("worst 2^%.2f", worst)
	if !(worst <= -95) {
		t.Errorf("error 2^%.2f, stated bound 2^-95", worst)
	}
}

// The bounds hold to the ends of the sizes that are stated, and below with the error besides.
func TestDoubleEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 200))
	const wide = 1400 // more than 1200+58 bits, which ln(1+x)-x needs for x = 2^-600
	exactly := func(a Double) *big.Float { return ref.Add(ref.Float(wide, a.Hi), ref.Float(wide, a.Lo)) }
	draw := func(lo, hi int) Double {
		x := signed(r, math.Ldexp(1+float64(r.Uint64N(1<<52))*0x1p-52, lo+r.IntN(hi-lo)))
		return fastSum(x, x*0x1p-53*(2*r.Float64()-1))
	}
	one := ref.Float(wide, 1)
	for name, f := range map[string]struct {
		relative, absolute float64 // log2 of it
		pair               func(lo, hi int) (got Double, want *big.Float)
	}{
		"Mul": {-104, -1072, func(lo, hi int) (Double, *big.Float) {
			x, y := draw(lo, hi), draw(lo, hi)
			return x.Mul(y), ref.Mul(exactly(x), exactly(y))
		}},
		"MulFloat": {-105, -1072, func(lo, hi int) (Double, *big.Float) {
			x, y := draw(lo, hi), draw(lo, hi).Hi
			return x.MulFloat(y), ref.Mul(exactly(x), ref.Float(wide, y))
		}},
		"Quo": {math.Log2(10) - 106, 0, func(lo, hi int) (Double, *big.Float) {
			x, y := draw(max(lo, -450), hi), draw(max(lo, -450), hi)
			return x.Quo(y), ref.Quo(exactly(x), exactly(y))
		}},
		"QuoFloat": {math.Log2(3) - 106, 0, func(lo, hi int) (Double, *big.Float) {
			x, y := draw(max(lo, -450), hi), draw(max(lo, -450), hi).Hi
			return x.QuoFloat(y), ref.Quo(exactly(x), ref.Float(wide, y))
		}},
		"Expm1": {-98, 0, func(lo, _ int) (Double, *big.Float) {
			x := draw(max(lo, -450), -2)
			return x.Expm1(), ref.Sub(ref.Exp(exactly(x)), one)
		}},
		"Log1p": {-97, 0, func(lo, _ int) (Double, *big.Float) {
			x := draw(max(lo, -450), -2)
			return x.Log1p(), ref.Log(ref.Add(one, exactly(x)))
		}},
		"Log1pMX": {-58, -1070, func(lo, _ int) (Double, *big.Float) {
			x := draw(max(lo, -600), -2)
			return x.Log1pMX(), ref.Sub(ref.Log(ref.Add(one, exactly(x))), exactly(x))
		}},
		"Log": {-97, 0, func(lo, hi int) (Double, *big.Float) {
			x := draw(max(lo, -450), hi)
			if x.Hi < 0 {
				x = x.Neg()
			}
			if x.Hi > 0.9 && x.Hi < 1.2 {
				x = Whole(2)
			}
			return x.Log(), ref.Log(exactly(x))
		}},
	} {
		slow := 1
		if name[0] != 'E' && name[0] != 'L' {
			slow = 50
		}
		for i := range cases() * slow {
			lo, hi := -450, 450
			if i%2 == 0 {
				lo = -1000
				hi = 20
			}
			got, want := f.pair(lo, hi)
			d := ref.Sub(exactly(got), want)
			allowed := new(big.Float).SetPrec(wide).Abs(want)
			allowed.Mul(allowed, ref.Float(wide, math.Exp2(f.relative)))
			if size, _ := want.Float64(); f.absolute < 0 && math.Abs(size) < 0x1p-900 {
				allowed.Add(allowed, ref.Float(wide, math.Exp2(f.absolute)))
			}
			if d.Abs(d).Cmp(allowed) > 0 {
				t.Errorf("%s: got %v, want %g: off by %g, allowed %g", name, got, want, d, allowed)
				break
			}
		}
	}
	// Numbers that a float64 does not hold with all bits.
	within := func(what string, got, want *big.Float, relative float64, absolute int) {
		allowed := ref.Mul(ref.Float(wide, relative), new(big.Float).SetPrec(wide).Abs(want))
		if tiny := ref.Float(wide, smallestNormal); new(big.Float).Abs(want).Cmp(tiny) < 0 {
			allowed.Add(allowed, new(big.Float).SetMantExp(ref.Float(wide, 1), absolute))
		}
		d := ref.Sub(got, want)
		if d.Abs(d).Cmp(allowed) > 0 {
			t.Errorf("%s is off by %g, allowed %g", what, d, allowed)
		}
	}
	for range cases() * 20 {
		a, b := Scaled{draw(-300, 300), r.IntN(400) - 1300}, Scaled{draw(-300, 300), r.IntN(200) - 100}
		want := new(big.Float).SetMantExp(exactly(a.Double), a.Exp)
		within(fmt.Sprintf("Float64 of %v", a), ref.Float(wide, a.Float64()), want, 0x1p-53, -1075)
		if off, _ := ref.Sub(exactly(a.Unscaled()), want).Float64(); !(math.Abs(off) <= 0x1p-1074) {
			t.Errorf("Unscaled of %v is off by %g", a, off)
		}
		quotient := ref.Quo(want, new(big.Float).SetMantExp(exactly(b.Double), b.Exp))
		within(fmt.Sprintf("%v by %v", a, b), ref.Float(wide, a.Quo(b)), quotient, 0x1p-53*(1+0x1p-49), -1075)
	}
}
