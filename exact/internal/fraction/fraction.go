// Package fraction implements numbers in [0,1) that are stored in two words. They are for computations with many
// products. Products are rounded down, and the caller must add up the rounding errors.
package fraction

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// A Number is a number in [0,1), stored as a multiple of 2^-Bits. The number 2^-Bits is called an ulp. A product of
// intervals takes 50 times as long as a product of Numbers.
type Number struct{ hi, lo uint64 }

// Bits is the number of bits of a Number.
const Bits = 128

// AlmostOne is 1 minus an ulp. It is used in place of 1.
var AlmostOne = Number{math.MaxUint64, math.MaxUint64}

// Mul returns x*y. The result is too small by less than 3 ulps: one for each partial product that is omitted.
func (x Number) Mul(y Number) Number {
	hi, lo := bits.Mul64(x.hi, y.hi)
	a, _ := bits.Mul64(x.hi, y.lo)
	b, _ := bits.Mul64(x.lo, y.hi)
	lo, c := bits.Add64(lo, a, 0)
	hi += c
	lo, c = bits.Add64(lo, b, 0)
	return Number{hi + c, lo}
}

// Plus returns x + y, which must be below 1.
func (x Number) Plus(y Number) Number {
	lo, c := bits.Add64(x.lo, y.lo, 0)
	return Number{x.hi + y.hi + c, lo}
}

// Minus returns x - y, which must not be below 0.
func (x Number) Minus(y Number) Number {
	lo, c := bits.Sub64(x.lo, y.lo, 0)
	return Number{x.hi - y.hi - c, lo}
}

// AtMost reports whether x <= y.
func (x Number) AtMost(y Number) bool { return x.hi < y.hi || x.hi == y.hi && x.lo <= y.lo }

// Shift returns x*2^n, which must be below 1.
func (x Number) Shift(n int) Number {
	if n >= 64 {
		return Number{x.lo << (n - 64), 0}
	}
	return Number{x.hi<<n | x.lo>>(64-n), x.lo << n}
}

// Float64 returns an approximation of x.
func (x Number) Float64() float64 {
	return math.Ldexp(float64(x.hi), -64) + math.Ldexp(float64(x.lo), -Bits)
}

// Int returns x in ulps.
func (x Number) Int() *big.Int {
	z := integer.Uint(x.hi)
	return z.Lsh(z, 64).Add(z, integer.Uint(x.lo))
}

// OfInt returns the Number whose value is x ulps. This value must be in [0,1).
func OfInt(x *big.Int) Number {
	switch {
	case x.Sign() <= 0:
		return Number{}
	case x.BitLen() > Bits:
		return AlmostOne
	}
	return Number{new(big.Int).Rsh(x, 64).Uint64(), new(big.Int).And(x, integer.Uint(math.MaxUint64)).Uint64()}
}

// LeadingZeros returns how many times x can be doubled before it would reach 1.
func (x Number) LeadingZeros() int {
	if x.hi == 0 {
		return 64 + bits.LeadingZeros64(x.lo)
	}
	return bits.LeadingZeros64(x.hi)
}

// OfFloat64 returns x rounded down. The number x must be in [0,1).
func OfFloat64(x float64) Number { return Number{uint64(math.Ldexp(x, 53)) << 11, 0} }

// OfInterval returns the lower end of x rounded down. This end must be in [0,1).
func OfInterval(x *interval.Interval) Number {
	ulps, _ := new(big.Float).SetMantExp(x.Lo(), Bits).Int(nil)
	return OfInt(ulps)
}

// The tables of a Decay have the numbers e^-n for n < decayed and the numbers 1/k! for k < decayTerms. The argument of
// the Taylor series is below 2^-halvings. The following two numbers are below an ulp:
//
//	e^-decayed,
//	2^(-halvings*decayTerms) / decayTerms!.
const (
	decayed    = 89
	decayTerms = 23
	halvings   = 4
)

// Decay computes the exponential function for negative arguments.
type Decay struct {
	whole [decayed]Number
	terms [decayTerms]Number
}

// NewDecay returns a Decay with its tables.
func NewDecay() *Decay {
	d := new(Decay)
	for n := range d.whole {
		x := interval.New(2 * Bits).SetUint64(uint64(n))
		d.whole[n] = OfInterval(x.Exp(x.Neg(x)))
	}
	for k := range d.terms {
		z := new(big.Int).Lsh(integer.One, Bits)
		d.terms[k] = OfInt(z.Quo(z, new(big.Int).MulRange(1, int64(k))))
	}
	return d
}

// At returns e^(-2^s y). The error is at most DecayUlps ulps, not counting the effect of an error of y. The error has
// these parts. Let n be the integer part of 2^s y. Let r be a 16th of the fractional part of 2^s y. The Taylor sum has
// an error of 5 ulps, and e^-r has an error of 7 ulps. The 16th power of e^-r, computed by four squarings, has an error
// of 16*7 + 15*3 ulps. The product with e^-n adds 4 ulps.
func (d *Decay) At(y Number, s int) Number {
	n := y.hi >> (64 - s)
	if n >= decayed {
		return Number{}
	}
	r := Number{y.hi << s >> s, y.lo}.Shift(s)
	r = Number{r.hi >> halvings, r.hi<<(64-halvings) | r.lo>>halvings}
	u := d.terms[decayTerms-1]
	for k := decayTerms - 2; k >= 2; k-- {
		u = d.terms[k].Minus(r.Mul(u))
	}
	x := AlmostOne.Minus(r.Minus(r.Mul(r.Mul(u))))
	for range halvings {
		x = x.Mul(x)
	}
	return x.Mul(d.whole[n])
}

// DecayUlps is the bound of the error of At, in ulps.
const DecayUlps = 170
