package fm

import (
	"math"
	"math/bits"
)

// Double represents the number Hi + Lo with |Lo| <= u |Hi| (u = 2^-53). This gives a precision of about 106 bits. The
// algorithms and their bounds are from Joldes, Muller and Popescu, "Tight and rigorous error bounds for basic building
// blocks of double-word arithmetic" (2017). The methods state bounds of relative errors in multiples of v = 2^-106. The
// bounds hold if the absolute values of the arguments are 0 or between 2^-450 and 2^450. So the rounding error of a
// product is 0 or at least 2^-1006, and a float64 can represent it. For smaller products, and for sums of smaller
// numbers, the two words together have an additional error of at most 2^-1072.
type Double struct{ Hi, Lo float64 }

// Whole returns x as a Double, without error.
func Whole(x uint64) Double {
	const low = 1<<11 - 1
	return fastSum(float64(x&^low), float64(x&low))
}

// WholeProduct returns a*b. The result is exact if a*b is below 2^100.
func WholeProduct(a, b uint64) Double {
	hi, lo := bits.Mul64(a, b)
	l := Whole(lo)
	s := sum(float64(hi)*0x1p64, l.Hi)
	return fastSum(s.Hi, s.Lo+l.Lo)
}

// The function "sum" returns a + b exactly. An argument may be a product. The conversions to float64 make sure that
// this product is rounded before it is added.
func sum(a, b float64) Double {
	a, b = float64(a), float64(b)
	s := a + b
	t := s - a
	return Double{s, (a - (s - t)) + (b - t)}
}

// fastSum returns a + b exactly, provided that |a| >= |b| or a = 0.
func fastSum(a, b float64) Double {
	s := a + b
	return Double{s, b - (s - a)}
}

// Add returns a + b with an absolute error of at most 3v (|a| + |b|), v = 2^-106. The relative error is at most 3v in
// two cases. In the first case, a and b have the same sign. In the second case, they differ by at least a factor of 2.
func (a Double) Add(b Double) Double {
	s, t := sum(a.Hi, b.Hi), sum(a.Lo, b.Lo)
	s = fastSum(s.Hi, s.Lo+t.Hi)
	return fastSum(s.Hi, s.Lo+t.Lo)
}

// AddFloat returns a + b with a relative error of at most 2v (v = 2^-106), unless a and b cancel.
func (a Double) AddFloat(b float64) Double {
	s := sum(a.Hi, b)
	return fastSum(s.Hi, s.Lo+a.Lo)
}

// Neg returns -a.
func (a Double) Neg() Double { return Double{-a.Hi, -a.Lo} }

// Sub returns a - b with the error of Add.
func (a Double) Sub(b Double) Double { return a.Add(b.Neg()) }

// Mul returns a*b with a relative error of at most 4v (v = 2^-106).
func (a Double) Mul(b Double) Double {
	p := float64(a.Hi * b.Hi)
	e := math.FMA(a.Hi, b.Hi, -p)
	return fastSum(p, e+math.FMA(a.Lo, b.Hi, math.FMA(a.Hi, b.Lo, float64(a.Lo*b.Lo))))
}

// MulFloat returns a*b with a relative error of at most 2v (v = 2^-106).
func (a Double) MulFloat(b float64) Double {
	p := float64(a.Hi * b)
	return fastSum(p, math.FMA(a.Lo, b, math.FMA(a.Hi, b, -p)))
}

// Quo returns a/b, for b not 0, with a relative error of at most 10v (v = 2^-106).
func (a Double) Quo(b Double) Double {
	q := a.Hi / b.Hi
	r := b.MulFloat(q)
	d := (a.Hi - r.Hi) + (a.Lo - r.Lo) // the first difference is exact
	return fastSum(q, d/b.Hi)
}

// QuoFloat returns a/b, for b not 0, with a relative error of at most 3v (v = 2^-106).
func (a Double) QuoFloat(b float64) Double {
	q := a.Hi / b
	p := float64(q * b)
	d := (a.Hi - p) - math.FMA(q, b, -p)
	return fastSum(q, (d+a.Lo)/b)
}

// mostScaled is a bound. A number of the type Scaled contains a number of the type Double. The absolute value of this
// Double lies between 1/mostScaled and mostScaled. The rounding error of a product of two such numbers can then be
// represented exactly as a float64. Suppose that a step of a recursion multiplies such a number by 2^50. Even then the
// error bounds of Double hold for the result.
const mostScaled = 0x1p400

// Scaled is a Double times 2^Exp: a number that may be too large or too small for a float64. The Double of a result is
// 0 or has an absolute value between 2^-400 and 2^400.
type Scaled struct {
	Double
	Exp int
}

// Scale converts the number a to the type Scaled.
func (a Double) Scale() Scaled { return Scaled{a, 0}.fit() }

func (a Scaled) fit() Scaled {
	if s := math.Abs(a.Hi); s > 1/mostScaled && s < mostScaled || s == 0 {
		return a
	}
	_, e := math.Frexp(a.Hi)
	return Scaled{Double{math.Ldexp(a.Hi, -e), math.Ldexp(a.Lo, -e)}, a.Exp + e}
}

// Mul returns a*b with a relative error of at most 4v (v = 2^-106).
func (a Scaled) Mul(b Scaled) Scaled {
	return Scaled{a.Double.Mul(b.Double), a.Exp + b.Exp}.fit()
}

// Add returns a + b with the error of Double.Add. If the quotient of two arguments is below 2^-200, the smaller
// argument may be lost.
func (a Scaled) Add(b Scaled) Scaled {
	if a.Hi == 0 || b.Hi != 0 && b.Exp > a.Exp {
		a, b = b, a
	}
	small := Scaled{b.Double, b.Exp - a.Exp}.Unscaled()
	return Scaled{a.Double.Add(small), a.Exp}.fit()
}

// Times returns a*b with a relative error of at most 4v (v = 2^-106). The absolute value of b must be 0, or between
// 1/mostScaled and mostScaled.
func (a Scaled) Times(b Double) Scaled { return Scaled{a.Double.Mul(b), a.Exp}.fit() }

// Quo returns a/b, for b not 0, with a relative error of at most u(1+2^-49), u = 2^-53. A result below 2^-1022 has an
// additional absolute error of 2^-1075.
func (a Scaled) Quo(b Scaled) float64 {
	return math.Ldexp(a.Double.Quo(b.Double).Hi, a.Exp-b.Exp)
}

// Pow returns a^k, for k >= 1, with a relative error of at most 4(k-1)v (v = 2^-106).
func (a Scaled) Pow(k int) Scaled {
	z := a
	for i := bits.Len(uint(k)) - 2; i >= 0; i-- {
		z = z.Mul(z)
		if k>>i&1 == 1 {
			z = z.Mul(a)
		}
	}
	return z
}

// FallingQuo returns x(x-1)...(x-k+1)/c^k. It requires an integer x < 2^53, 1 <= k <= 64, k <= x and c > 0. The
// relative error is at most 2^-95.
//
// It multiplies two products of at most 32 factors. Each factor is exact, because it is scaled by a power of 2. A
// product has two words. Each step multiplies their sum by a factor. The first word is rounded, and its rounding error
// goes to the second word. The inner FMA computes this error exactly, so only the outer FMA rounds the second word. The
// first step is exact, because it multiplies 1 by a factor. So after i steps the second word is at most (i-1)u times
// the first word (u = 2^-53). The i-th step adds a relative error of at most (i-1)v (v = u^2 = 2^-106). The 32 steps
// add at most 496v. The two products, which are at least 2^-160, are then normalised. The number c is scaled too, so
// that its power is at least 2^-64 and at most 1. The relative error of the power is at most 252v. The last product and
// the quotient add 14v. The total is at most 2*496v + 252v + 14v = 1258v < 2^-95.6.
func FallingQuo(x, c float64, k int) Scaled {
	_, e := math.Frexp(x)
	s := math.Ldexp(1, -e)
	p, q := Double{1, 0}, Double{1, 0}
	for i := range k {
		a := float64((x - float64(i)) * s)
		h := float64(p.Hi * a)
		p, q = q, Double{h, math.FMA(p.Lo, a, math.FMA(p.Hi, a, -h))}
	}
	f, below := math.Frexp(c)
	power := Double{f, 0}
	for i := bits.Len(uint(k)) - 2; i >= 0; i-- {
		power = power.Mul(power)
		if k>>i&1 == 1 {
			power = power.MulFloat(f)
		}
	}
	return Scaled{fastSum(p.Hi, p.Lo).Mul(fastSum(q.Hi, q.Lo)).Quo(power), k * (e - below)}
}

// Less reports whether a < b, for a and b that are not negative.
func (a Scaled) Less(b Scaled) bool {
	if a.Hi == 0 {
		return b.Hi > 0
	}
	x := Scaled{b.Double, b.Exp - a.Exp}.Unscaled() // exact, unless b is far above a or far below
	return a.Hi < x.Hi || a.Hi == x.Hi && a.Lo < x.Lo
}

// Unscaled converts its receiver to a Double. The receiver must be below 2^1024. The absolute error is at most 2^-1074.
func (a Scaled) Unscaled() Double {
	return Double{math.Ldexp(a.Hi, a.Exp), math.Ldexp(a.Lo, a.Exp)}
}

// Float64 returns a as a float64, with a relative error of at most u = 2^-53. A result below 2^-1022 has an additional
// absolute error of 2^-1075.
func (a Scaled) Float64() float64 { return math.Ldexp(a.Hi, a.Exp) }

// Ln returns ln a, for a > 0, with an absolute error of at most 4u |ln a| + u (u = 2^-53).
func (a Scaled) Ln() float64 {
	m, e := math.Frexp(a.Hi)
	e += a.Exp
	switch { // give both terms the same sign
	case e == 1:
		m, e = 2*m, 0
	case e > 1:
		m, e = 2*m, e-1
	}
	return float64(float64(e)*math.Ln2) + Log(m)
}
