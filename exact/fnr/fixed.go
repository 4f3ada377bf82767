package fnr

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// A fixed is a number in [0,1), in ulps of 2^-128. Products of it take 1/50 of the time of those
// of intervals; whoever uses it counts the ulps that are lost.
type fixed struct{ hi, lo uint64 }

const fixedBits = 128

// almostOne is 1 less an ulp, which stands for 1.
var almostOne = fixed{math.MaxUint64, math.MaxUint64}

// mul returns x y, less than 3 ulps too small: one for each part that is left out.
func (x fixed) mul(y fixed) fixed {
	hi, lo := bits.Mul64(x.hi, y.hi)
	a, _ := bits.Mul64(x.hi, y.lo)
	b, _ := bits.Mul64(x.lo, y.hi)
	lo, c := bits.Add64(lo, a, 0)
	hi += c
	lo, c = bits.Add64(lo, b, 0)
	return fixed{hi + c, lo}
}

// plus returns x + y, which must be below 1.
func (x fixed) plus(y fixed) fixed {
	lo, c := bits.Add64(x.lo, y.lo, 0)
	return fixed{x.hi + y.hi + c, lo}
}

// minus returns x - y, which must not be below 0.
func (x fixed) minus(y fixed) fixed {
	lo, c := bits.Sub64(x.lo, y.lo, 0)
	return fixed{x.hi - y.hi - c, lo}
}

// atMost reports whether x <= y.
func (x fixed) atMost(y fixed) bool { return x.hi < y.hi || x.hi == y.hi && x.lo <= y.lo }

// shift returns x 2^n, which must be below 1.
func (x fixed) shift(n int) fixed {
	if n >= 64 {
		return fixed{x.lo << (n - 64), 0}
	}
	return fixed{x.hi<<n | x.lo>>(64-n), x.lo << n}
}

// float64 returns x, about.
func (x fixed) float64() float64 {
	return math.Ldexp(float64(x.hi), -64) + math.Ldexp(float64(x.lo), -fixedBits)
}

// int returns x in ulps.
func (x fixed) int() *big.Int {
	z := integer.Uint(x.hi)
	return z.Lsh(z, 64).Add(z, integer.Uint(x.lo))
}

// ofInt returns the number of x ulps, within [0,1).
func ofInt(x *big.Int) fixed {
	switch {
	case x.Sign() <= 0:
		return fixed{}
	case x.BitLen() > fixedBits:
		return almostOne
	}
	return fixed{new(big.Int).Rsh(x, 64).Uint64(), new(big.Int).And(x, integer.Uint(math.MaxUint64)).Uint64()}
}

// ofInterval returns the lower end of x rounded down, within [0,1).
func ofInterval(x *interval.Interval) fixed {
	ulps, _ := new(big.Float).SetMantExp(x.Lo(), fixedBits).Int(nil)
	return ofInt(ulps)
}

// The exponential function: e^-n for n < decayed, and 1/k!, k < decayTerms. e^-decayed is below
// an ulp, and so is 2^(-halvings decayTerms)/decayTerms!.
const (
	decayed    = 89
	decayTerms = 23
	halvings   = 4
)

type decay struct {
	whole [decayed]fixed
	terms [decayTerms]fixed
}

func newDecay() *decay {
	d := new(decay)
	for n := range d.whole {
		x := interval.New(2 * fixedBits).SetUint64(uint64(n))
		d.whole[n] = ofInterval(x.Exp(x.Neg(x)))
	}
	for k := range d.terms {
		z := new(big.Int).Lsh(integer.One, fixedBits)
		d.terms[k] = ofInt(z.Quo(z, new(big.Int).MulRange(1, int64(k))))
	}
	return d
}

// at returns e^(-2^s y), off by decayUlps at most besides what y's error makes of it: with
// r the 16th part of what 2^s y has behind the point, the sum of Taylor is off by 5 ulps, e^-r by 7,
// its 16th power, squared four times, by 16*7 + 15*3, and its product with e^-n by 4 more.
func (d *decay) at(y fixed, s int) fixed {
	n := y.hi >> (64 - s)
	if n >= decayed {
		return fixed{}
	}
	r := fixed{y.hi << s >> s, y.lo}.shift(s)
	r = fixed{r.hi >> halvings, r.hi<<(64-halvings) | r.lo>>halvings}
	u := d.terms[decayTerms-1]
	for k := decayTerms - 2; k >= 2; k-- {
		u = d.terms[k].minus(r.mul(u))
	}
	x := almostOne.minus(r.minus(r.mul(r.mul(u))))
	for range halvings {
		x = x.mul(x)
	}
	return x.mul(d.whole[n])
}

const decayUlps = 170
