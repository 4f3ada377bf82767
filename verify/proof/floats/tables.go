package main

import (
	"bytes"
	"fmt"
	"go/format"
	"math"
	"math/big"
)

// A number of type "fixed" has some bits after its binary point. The constant "wide" is the number of these bits.
const wide = 300

// The type "fixed" stands for a real number x. It satisfies |x - v/2^wide| <= off/2^wide.
type fixed struct {
	v   *big.Int
	off int64
}

func (c fixed) times(n int64) fixed {
	return fixed{new(big.Int).Mul(c.v, big.NewInt(n)), c.off * max(n, -n)}
}

func (c fixed) plus(d fixed) fixed {
	return fixed{new(big.Int).Add(c.v, d.v), c.off + d.off}
}

// inverseTangent returns the value of a power series at x = p/q, for |x| <= 1/2. For s = 1 it is the series of the arc
// tangent: x - x^3/3 + x^5/5 and so on. For s = -1 it is the series of the inverse hyperbolic tangent: x + x^3/3 +
// x^5/5 and so on. Each term is rounded down twice, and the omitted terms add up to less than four units.
func inverseTangent(p, q, s int64) fixed {
	c := fixed{new(big.Int), 4}
	num, den := big.NewInt(p), big.NewInt(q)
	for j := int64(1); ; j += 2 {
		t := new(big.Int).Lsh(num, wide)
		t.Quo(t, den)
		if t.BitLen() <= 1 {
			return c
		}
		t.Quo(t, big.NewInt(j))
		if s == 1 && j%4 == 3 {
			t.Neg(t)
		}
		c.v.Add(c.v, t)
		c.off += 2
		num.Mul(num, big.NewInt(p*p))
		den.Mul(den, big.NewInt(q*q))
	}
}

// The function "logarithm" returns ln(p/q) for 2/3 < p/q < 2.
func logarithm(p, q int64) fixed { return inverseTangent(p-q, p+q, -1).times(2) }

// ln2 is computed as 2 atanh(1/3), and quarterPi by Machin's formula 4 atan(1/5) - atan(1/239).
var (
	ln2       = inverseTangent(1, 3, -1).times(2)
	quarterPi = inverseTangent(1, 5, 1).times(4).plus(inverseTangent(1, 239, 1).times(-1))
)

// arcTangent returns atan(p/q) for 0 <= p/q <= 1. Let a = p/q, and let c be 0, 1/2 or 1. The result is atan(c) +
// atan((a-c)/(1+ac)).
func arcTangent(p, q int64) fixed {
	switch {
	case 4*p <= q:
		return inverseTangent(p, q, 1)
	case 4*p <= 3*q: // c = 1/2
		return inverseTangent(1, 2, 1).plus(inverseTangent(2*p-q, 2*q+p, 1))
	default: // c = 1
		return quarterPi.plus(inverseTangent(p-q, q+p, 1))
	}
}

// powersOf2 holds 2^(i/128).
var powersOf2 = func() (t [powers]fixed) {
	for i := range t {
		t[i] = power(uint(i), powers)
	}
	return t
}()

// The function "power" returns 2^(i/n), rounded down, where n is a power of 2.
func power(i, n uint) fixed {
	v := new(big.Int).Lsh(big.NewInt(1), i+n*wide)
	for ; n > 1; n /= 2 {
		v.Sqrt(v)
	}
	return fixed{v, 1}
}

// The number c is known to lie in some interval. The method "rat" returns the middle of this interval.
func (c fixed) rat() *big.Rat {
	return new(big.Rat).SetFrac(c.v, new(big.Int).Lsh(big.NewInt(1), wide))
}

// The method "split" returns two float64 numbers whose sum approximates c. The first is c rounded towards 0 to a
// multiple of 2^-bits.
func (c fixed) split(bits uint) (hi, lo float64) {
	v := new(big.Int).Quo(c.v, new(big.Int).Lsh(big.NewInt(1), wide-bits))
	hi, exact := new(big.Rat).SetFrac(v, new(big.Int).Lsh(big.NewInt(1), bits)).Float64()
	if !exact {
		panic("the first word has too many bits")
	}
	lo, _ = new(big.Rat).Sub(c.rat(), new(big.Rat).SetFloat64(hi)).Float64()
	return hi, lo
}

// The method "missed" returns a bound of the distance between c and the sum of the given float64 numbers.
func (c fixed) missed(words ...float64) float64 {
	d := c.rat()
	for _, w := range words {
		d.Sub(d, new(big.Rat).SetFloat64(w))
	}
	d.Abs(d).Add(d, new(big.Rat).SetFrac(big.NewInt(c.off), new(big.Int).Lsh(big.NewInt(1), wide)))
	f, _ := d.Float64()
	return math.Nextafter(f, 1)
}

// These constants are the sizes of the tables. The function "tables" writes them into the file
// approx/internal/fm/tables.go.
const (
	powers  = 128            // powers of 2 between 1 and 2
	logs    = 128            // intervals of numbers with about the same logarithm
	start   = 0x3fe6a0 << 40 // the bits of the first of these numbers
	tangent = 32             // arc tangents from 0 to 1
)

// A table value is the sum of two float64 numbers. The first of the two has a limited number of bits after the binary
// point. These constants are the limits.
const (
	powerBits  = 25 // its product with a number of 26 bits is exact
	logBits    = 42 // a whole multiple below 2^11 is exact
	partBits   = 42 // the same for 1/128 of ln 2
	rightBits  = 32 // the same for the right angle, to 2^20
	angleBits  = 52
	inverseBit = 9
)

// The logarithm function multiplies each argument in interval i by a factor p/q. The function "inverse" returns this
// factor. The factor is about 1 divided by the middle of the interval.
func inverse(i int) (p, q int64) {
	lo, hi := edges(i)
	return int64(math.Round((1 << inverseBit) * 2 / (lo + hi))), 1 << inverseBit
}

// The function "edges" returns the ends of interval i of the table of logarithms. All numbers of the interval lie below
// hi.
func edges(i int) (lo, hi float64) {
	at := func(i int) float64 { return math.Float64frombits(start + uint64(i)<<45) }
	return at(i), at(i + 1)
}

// The function "tables" returns the text of the file approx/internal/fm/tables.go.
func tables() []byte {
	var b bytes.Buffer
	p := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	p("// Code generated by go run ./verify/proof/floats -tables; DO NOT EDIT.\n")
	p("package fm\n")
	p("const (")
	for _, w := range []struct {
		name string
		c    fixed
		div  int
		bits uint
	}{
		{"ln2", ln2, 0, logBits},
		{"part", ln2, 7, partBits},
		{"right", quarterPi.times(2), 0, rightBits},
		{"pi", quarterPi.times(4), 0, angleBits - 1},
		{"halfPi", quarterPi.times(2), 0, angleBits},
	} {
		c := w.c
		c.v = new(big.Int).Rsh(c.v, uint(w.div))
		c.off++
		hi, lo := c.split(w.bits)
		p("%sHi, %sLo = %x, %x", w.name, w.name, hi, lo)
	}
	ln, _ := ln2.rat().Float64()
	angle, _ := quarterPi.rat().Float64()
	p("perPart = %x", powers/ln)
	p("perRight = %x", 1/(2*angle))
	p(")\n")
	p("// A value of the type words is the sum of two float64.")
	p("type words struct { hi, lo float64 }\n")
	p("// powers holds 2^(i/%d) for each i, as the sum of two words. The word hi has %d bits.", powers, powerBits+1)
	p("var powers = [%d]words{", powers)
	for i := range powers {
		hi, lo := powersOf2[i].split(powerBits)
		p("{%x, %x},", hi, lo)
	}
	p("}\n")
	p("// logStart has the bits of the least number in the first interval of the table \"logs\".")
	p("const logStart = %#x\n", uint64(start))
	p("// logs holds, for each interval of numbers, a factor that brings these numbers near 1, and the negative of the")
	p("// logarithm of this factor as the sum of two words. The factor has %d bits after the binary point, and the word hi has", inverseBit)
	p("// %d.", logBits)
	p("var logs = [%d]struct { inverse float64; words }{", logs)
	for i := range logs {
		n, d := inverse(i)
		hi, lo := logarithm(d, n).split(logBits)
		p("{%x, words{%x, %x}},", float64(n)/float64(d), hi, lo)
	}
	p("}\n")
	p("// tangents holds the arc tangent of i/%d for each i, as the sum of two words.", tangent)
	p("var tangents = [%d]words{", tangent+1)
	for i := range int64(tangent + 1) {
		hi, lo := arcTangent(i, tangent).split(angleBits)
		p("{%x, %x},", hi, lo)
	}
	p("}")
	text, err := format.Source(b.Bytes())
	if err != nil {
		panic(err)
	}
	return text
}
