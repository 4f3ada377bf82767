package fm

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/approx/internal/ref"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// An edged is a function of one number over its whole domain, with the bound of its comment:
// relative where the result is normal, absolute where it is not or where the bound is.
type edged struct {
	name     string
	relative float64 // in u; 0 where the bound is absolute
	absolute float64
	lo, hi   float64
	edges    []float64
	got      func(float64) float64
	want     func(float64) *big.Float
}

// power returns the sum over j >= 0 of c(j) x^(first+j step), for |x| below 2^-20.
func power(x float64, first, step int, c func(j int) *big.Float) *big.Float {
	b := ref.Float(prec, x)
	p, z := ref.PowInt(b, first), ref.PowInt(b, step)
	sum := ref.Float(prec, 0)
	for j := range 30 {
		sum = ref.Add(sum, ref.Mul(p, c(j)))
		p = ref.Mul(p, z)
	}
	return sum
}

// inverse returns sign/n.
func inverse(sign, n int) *big.Float {
	return ref.Quo(ref.Float(prec, float64(sign)), ref.Float(prec, float64(n)))
}

// factorialInverse returns 1/n!.
func factorialInverse(n int) *big.Float {
	f := ref.Float(prec, 1)
	for i := 2; i <= n; i++ {
		f = ref.Mul(f, ref.Float(prec, float64(i)))
	}
	return ref.Quo(ref.Float(prec, 1), f)
}

func alternating(j int) int { return 1 - j%2*2 }

func edgedFunctions() []edged {
	const tiny = 0x1p-20
	one := ref.Float(prec, 1)
	// 1500 bits hold 400 of e^-745 beside 1.
	wide := func(x float64) *big.Float { return ref.Float(1500, x) }
	exp := func(x float64) *big.Float { return ref.Exp(ref.Float(prec, x)) }
	expm1 := func(x float64) *big.Float {
		if math.Abs(x) < tiny {
			return power(x, 1, 1, func(j int) *big.Float { return factorialInverse(j + 1) })
		}
		return ref.Sub(ref.Exp(wide(x)), wide(1))
	}
	log := func(x float64) *big.Float { return ref.Log(ref.Float(prec, x)) }
	log1p := func(x float64) *big.Float {
		if math.Abs(x) < tiny {
			return power(x, 1, 1, func(j int) *big.Float { return inverse(alternating(j), j+1) })
		}
		return ref.Log(ref.Add(one, ref.Float(prec, x)))
	}
	sin := func(x float64) *big.Float {
		if math.Abs(x) < tiny {
			return power(x, 1, 2, func(j int) *big.Float {
				return ref.Mul(ref.Float(prec, float64(alternating(j))), factorialInverse(2*j+1))
			})
		}
		return ref.Sin(ref.Float(prec, x))
	}
	inf := math.MaxFloat64
	return []edged{
		{"Exp", 1.02, 0x1p-1074, -inf, 709, []float64{-745.2, -745.13321910194110842, -708.39641853226410622, -744.4400719213812}, Exp, func(x float64) *big.Float {
			if x < -800 {
				return ref.Float(prec, 0)
			}
			return exp(x)
		}},
		{"Expm1", 1.1, 0x1p-1074, -inf, 709, []float64{0.25, -0.25, Ln2, -Ln2, -37.5, 0x1p-54}, Expm1, func(x float64) *big.Float {
			if x < -800 {
				return ref.Float(prec, -1)
			}
			return expm1(x)
		}},
		{"Log", 1.02, 0, 0x1p-1074, inf, []float64{1, smallestNormal, 0x1p-1023, 0.75, 2}, Log, log},
		{"Log1p", 1.02, 0x1p-1074, math.Nextafter(-1, 0), inf, []float64{-0.5, 0x1p-54, -0x1p-54, 1}, Log1p, log1p},
		{"Log1mExp", 3, 0x1p-1074, 0x1p-1074, inf, []float64{Ln2, 708.4, 744.4, 745.2, smallestNormal}, Log1mExp, func(x float64) *big.Float {
			switch {
			case x > 800:
				return ref.Float(prec, 0)
			case x < tiny:
				return ref.Log(ref.Neg(expm1(-x)))
			}
			return ref.Log(ref.Neg(ref.Sub(ref.Exp(wide(-x)), wide(1))))
		}},
		{"Log1pMX", 4.4, 0x1p-1074, -0.5, 1, []float64{0, 0x1.6a09e667f3bcdp-511, 0x1p-537, 0x1p-512}, Log1pMX, func(x float64) *big.Float {
			if math.Abs(x) < tiny {
				return power(x, 2, 1, func(j int) *big.Float { return inverse(-alternating(j), j+2) })
			}
			return ref.Sub(log1p(x), ref.Float(prec, x))
		}},
		{"Expm1MX", 4.6, 0x1p-1074, -1, 1, []float64{0, 0x1.6a09e667f3bcdp-511, 0x1p-537, 0x1p-512}, Expm1MX, func(x float64) *big.Float {
			if math.Abs(x) < tiny {
				return power(x, 2, 1, func(j int) *big.Float { return factorialInverse(j + 2) })
			}
			return ref.Sub(expm1(x), ref.Float(prec, x))
		}},
		{"XMinusSin", 9.3, 0x1p-1073, 0, math.Pi, []float64{1, math.Nextafter(1, 2), 0x1p-340, 0x1p-358, 0x1.9p-341}, XMinusSin, func(x float64) *big.Float {
			if math.Abs(x) < tiny {
				return power(x, 3, 2, func(j int) *big.Float {
					return ref.Mul(ref.Float(prec, float64(alternating(j))), factorialInverse(2*j+3))
				})
			}
			return ref.Sub(ref.Float(prec, x), sin(x))
		}},
		{"Sincos: sine", 2, 0x1p-1074, 0, math.Pi / 2, []float64{math.Pi / 4}, func(x float64) float64 { s, _ := Sincos(x); return s }, sin},
		{"Sincos: sine to pi", 0, 1.3 * 0x1p-53, 0, math.Pi, []float64{3 * math.Pi / 4}, func(x float64) float64 { s, _ := Sincos(x); return s }, sin},
		{"Sincos: cosine", 0, 1.3 * 0x1p-53, 0, math.Pi, []float64{math.Pi / 2, 3 * math.Pi / 4}, func(x float64) float64 { _, c := Sincos(x); return c }, func(x float64) *big.Float { return ref.Cos(ref.Float(prec, x)) }},
		{"Sqrt", 1, 0, 0, inf, []float64{smallestNormal, 0x1p-1074, 2}, Sqrt, func(x float64) *big.Float { return new(big.Float).SetPrec(prec).Sqrt(ref.Float(prec, x)) }},
	}
}

// share returns the error at x as a share of the bound.
func (f edged) share(x float64) float64 {
	want := f.want(x)
	size, _ := new(big.Float).Abs(want).Float64()
	allowed := f.absolute
	if f.relative > 0 && size >= smallestNormal {
		allowed = 0
	}
	d := ref.Sub(ref.Float(want.Prec(), f.got(x)), want)
	if d.Sign() == 0 {
		return 0
	}
	bound := ref.Float(prec, allowed)
	if f.relative > 0 && size >= smallestNormal {
		bound = ref.Mul(ref.Float(prec, f.relative*0x1p-53), new(big.Float).Abs(want))
	}
	if bound.Sign() == 0 {
		return math.Inf(1)
	}
	s, _ := d.Quo(d.Abs(d), bound).Float64()
	return s
}

// draw returns a number of the domain, of every order of magnitude, or next to an edge.
func (f edged) draw(r *rand.Rand) float64 {
	var x float64
	switch r.IntN(4) {
	case 0:
		x = append(f.edges, f.lo, f.hi)[r.IntN(len(f.edges)+2)]
		x = math.Float64frombits(math.Float64bits(x) + r.Uint64N(9) - 4)
	case 1: // where float64 is dense
		x = math.Ldexp(1+r.Float64(), r.IntN(80)-70)
	case 2: // about the edges
		x = append(f.edges, f.lo, f.hi)[r.IntN(len(f.edges)+2)] * (1 + math.Ldexp(r.Float64()-0.5, -r.IntN(20)))
	default:
		x = math.Ldexp(1+r.Float64(), r.IntN(2098)-1074)
	}
	if r.IntN(2) == 0 && f.lo < 0 {
		x = -x
	}
	if !(x >= f.lo && x <= f.hi) {
		return f.lo/2 + f.hi/2
	}
	return x
}

// Every function keeps the bound of its comment to the ends of its domain, where numbers are
// subnormal and where they overflow, also where a search climbs to the largest error.
func TestEdges(t *testing.T) {
	for i, f := range edgedFunctions() {
		r := rand.New(rand.NewPCG(16, uint64(i)))
		worst, at := 0.0, 0.0
		try := func(x float64) bool {
			s := f.share(x)
			if !(s <= worst) {
				worst, at = s, x
				return true
			}
			return false
		}
		for _, x := range append(f.edges, f.lo, f.hi) {
			try(x)
		}
		for range longtest.More(2, 4) * cases() {
			try(f.draw(r))
		}
		for step := uint64(1) << 50; step > 0; step >>= 1 { // climb
			for _, bits := range []uint64{math.Float64bits(at) + step, math.Float64bits(at) - step} {
				if x := math.Float64frombits(bits); x >= f.lo && x <= f.hi {
					try(x)
				}
			}
		}
		t.Logf("%-18s worst %5.1f%% of the bound, at %v", f.name, 100*worst, at)
		if !(worst <= 1) {
			t.Errorf("%s(%v): %g of the bound", f.name, at, worst)
		}
	}
}

func sincosBound(x float64) float64 {
	if math.Abs(x) <= 0x1p20 {
		return 1.3 * 0x1p-53
	}
	return 0x1p-60 * math.Abs(x)
}

// SincosAny and Atan2 keep their bounds for arguments of every size, and Atan2 also where the
// quotient of its arguments is subnormal, or none.
func TestEdgesOfAngles(t *testing.T) {
	pi := ref.Float(1200, math.Pi)
	for range 5 {
		pi = ref.Add(pi, ref.Sin(pi))
	}
	turn := ref.Mul(pi, ref.Float(1200, 2))
	r := rand.New(rand.NewPCG(16, 100))
	any := func(lo, hi int) float64 {
		return signed(r, math.Ldexp(1+float64(r.Uint64N(1<<52))*0x1p-52, lo+r.IntN(hi-lo)))
	}
	for range longtest.More(2, 4) * cases() {
		x := any(-60, 53)
		b := ref.Float(1200, x)
		turns, _ := ref.Quo(b, turn).Int(nil)
		b = ref.Sub(b, ref.Mul(turn, new(big.Float).SetPrec(1200).SetInt(turns)))
		b.SetPrec(prec)
		s, c := SincosAny(x)
		for i, d := range []*big.Float{ref.Sub(ref.Float(prec, s), sinWide(b)), ref.Sub(ref.Float(prec, c), cosWide(b))} {
			if off, _ := d.Float64(); !(math.Abs(off) <= sincosBound(x)) {
				t.Errorf("SincosAny(%v): number %d is off by %g", x, i, off)
			}
		}
	}
	for i := range 4 * cases() {
		y, x := any(-1074, 1023), any(-1074, 1023)
		if i%2 == 0 {
			x = y * any(-40, 40)
		}
		if math.IsInf(x, 0) || x == 0 {
			continue
		}
		a := Atan2(y, x)
		if a == 0 || math.Abs(a) < smallestNormal { // the quotient itself
			d, _ := ref.Sub(ref.Float(prec, a), ref.Quo(ref.Float(prec, y), ref.Float(prec, x))).Float64()
			if !(math.Abs(d) <= 0x1p-1074) {
				t.Errorf("Atan2(%v, %v) = %v", y, x, a)
			}
			continue
		}
		// y cos a - x sin a = hypot(x,y) sin(angle - a)
		s, c := sinWide(ref.Float(prec, a)), cosWide(ref.Float(prec, a))
		bx, by := ref.Float(prec, x), ref.Float(prec, y)
		d := ref.Sub(ref.Mul(c, by), ref.Mul(s, bx))
		d.Quo(d, new(big.Float).SetPrec(prec).Sqrt(ref.Add(ref.Mul(bx, bx), ref.Mul(by, by))))
		if off, _ := d.Quo(d, ref.Float(prec, a)).Float64(); !(math.Abs(off) <= 2.5*0x1p-53) {
			t.Errorf("Atan2(%v, %v) = %v: error %g u", y, x, a, off*0x1p53)
		}
	}
}

// sinWide and cosWide are the references for |x| <= 2 pi, where x is small to all their digits.
func sinWide(x *big.Float) *big.Float {
	if x.Sign() != 0 && x.MantExp(nil) < -prec/4 {
		return ref.Sub(x, ref.Quo(ref.Mul(x, ref.Mul(x, x)), ref.Float(prec, 6)))
	}
	half := ref.Quo(x, ref.Float(prec, 2))
	return ref.Mul(ref.Float(prec, 2), ref.Mul(ref.Sin(half), ref.Cos(half)))
}

func cosWide(x *big.Float) *big.Float {
	half := ref.Cos(ref.Quo(x, ref.Float(prec, 2)))
	return ref.Sub(ref.Mul(ref.Float(prec, 2), ref.Mul(half, half)), ref.Float(prec, 1))
}

// Where numbers are 0, negative zero among them, the functions are what they are in the limit.
func TestZeros(t *testing.T) {
	for _, zero := range []float64{0, math.Copysign(0, -1)} {
		sin, cos := SincosAny(zero)
		for i, x := range []float64{Exp(zero) - 1, Expm1(zero), Log1p(zero), Sqrt(zero), sin, cos - 1, Log1pMX(zero), Expm1MX(zero), XMinusSin(zero), Product(0, 7), Whole(0).Exp().Float64() - 1} {
			if x != 0 {
				t.Errorf("number %d at %v is %v", i, zero, x)
			}
		}
		if x := Log(zero); !math.IsInf(x, -1) {
			t.Errorf("Log(%v) = %v", zero, x)
		}
		if x := Log1mExp(zero); !math.IsInf(x, -1) {
			t.Errorf("Log1mExp(%v) = %v", zero, x)
		}
	}
	if x := Log1mExp(math.Inf(1)); x != 0 {
		t.Errorf("Log1mExp(+Inf) = %v", x)
	}
	if x := Exp(math.Inf(-1)); x != 0 {
		t.Errorf("Exp(-Inf) = %v", x)
	}
}
