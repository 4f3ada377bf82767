package approx

import (
	"math/bits"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
)

// This file evaluates alternating sums of the probabilities that given positions stay clear. Such sums give the rates
// of small filters, and of filters that are nearly full.

// A clearWalk goes through the logarithms of g(1), g(2), ... in this order. Suppose that each of c committees consists
// of z different positions, drawn from m positions. Let g(j) be the probability that no committee contains any of j
// given positions. Then
//
//	g(j) = [C(m-j,z)/C(m,z)]^c.
//
// This is the product of (1 - z/(m-i))^c over i < j.
//
// Let s = (z/2)/((m-i-1)(m-z-i) - z/2). The quotient of the factors for i+1 and for i is
//
//	[1 - z/((m-i-1)(m-z-i))]^c = e^(-2c atanh s).
//
// The error bounds hold in the domain of inClearWalk with j <= min(m/4, 64). In this domain z is at most the larger of
// 1 and min(m/4, 64). Then s <= (m/4)/(0.75 m^2 - m/4) <= 1/191. The logarithm ln g(1) has a relative error of 2^-84.
// So the term j ln g(1) has an error of at most |ln g(j)| 2^-84. The number 2c atanh s is at most 2.8/m |ln g(1)|. It
// has a relative error of 2^-81.9. This is also true for m >= 2^53, where the two factors of the denominator are
// rounded. In this case 2.8 u/m is below 2^-104 (u = 2^-53). The sum for ln g(j) has fewer than j^2/2 terms of the form
// 2c atanh s. Since j^2/m <= 16, these numbers contribute at most 23 |ln g(1)| 2^-81.9. The roundings in the method
// "next" contribute less than 2^-95 |ln g(j)|. So the absolute error of ln g(j) is at most
//
//	2^-83.9 |ln g(j)| + 2^-77.3 |ln g(1)|.
type clearWalk struct {
	m, size float64
	count   fm.Double // c
	step    fm.Double // the logarithm of the factor of i, with |Lo| <= 64u |Hi|
	ln      fm.Double // ln g(i+1), with |Lo| <= 64u |Hi|
	i       float64
}

// inClearWalk reports whether a filter of m bits with k positions lies in the domain of clearWalk.
func inClearWalk(m uint64, k int) bool {
	return k <= occupancy.TableK && m >= leastClear && m >= 4*uint64(k)
}

const leastClear = 64

// newClearWalk returns the clearWalk at ln g(1).
func newClearWalk(m, size uint64, count fm.Double) clearWalk {
	first := count.Mul(fm.LogMissShort(size, m))
	return clearWalk{float64(m), float64(size), count, first, first, 0}
}

// The method "next" goes from ln g(j) to ln g(j+1).
func (w *clearWalk) next() {
	w.i++
	d := fm.ExactProduct(w.m-w.i, w.m-w.size-w.i+1).AddFloat(-w.size / 2)
	e := fm.AtanhQuotient(w.size/2, d).Mul(w.count)
	w.step = w.step.AddLoose(e.Neg())
	w.ln = w.ln.AddLoose(w.step)
}

// The method "value" returns g(j), with a relative error of at most 1.01u (u = 2^-53). A result below 2^-1022 has an
// additional absolute error of 2^-1075.
func (w *clearWalk) value() float64 {
	y, e := w.ln.ExpWords()
	return fm.Scaled{Double: y, Exp: e}.Float64()
}

// A value of the type "fixed" is a number with 126 bits after the binary point, modulo 4. Sums, differences and
// products with whole numbers are exact, provided that the final result lies between -2 and 2.
type fixed struct{ hi, lo uint64 }

var fixedOne = fixed{1 << 62, 0}

// fixedOf returns y 2^e. It requires 0.99 <= y <= 2.01, |y.Lo| <= 2^-51 and y 2^e < 1.01. It rounds y to a multiple of
// 2^-113, and then rounds the result down to a multiple of 2^-126.
func fixedOf(y fm.Double, e int) fixed {
	v := uint64(y.Hi * 0x1p53)
	w := int64(y.Lo * 0x1p113)
	lo, carry := bits.Add64(v<<60, uint64(w), 0)
	hi := v>>4 + uint64(w>>63) + carry
	if s := e + 13; s >= 0 {
		return fixed{hi<<s | lo>>(64-s), lo << s}
	} else if s > -64 {
		return fixed{hi >> -s, lo>>-s | hi<<(64+s)}
	} else {
		return fixed{0, hi >> (-s - 64)}
	}
}

func (a fixed) sub(b fixed) fixed {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, borrow)
	return fixed{hi, lo}
}

func (a fixed) add(b fixed) fixed {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, carry)
	return fixed{hi, lo}
}

func (a fixed) times(n uint64) fixed {
	hi, lo := bits.Mul64(a.lo, n)
	return fixed{hi + a.hi*n, lo}
}

// The method "float64" converts a to a float64, with a relative error of at most 2u (u = 2^-53). The number a must lie
// between 0 and 2.
func (a fixed) float64() float64 { return float64(a.hi)*0x1p-62 + float64(a.lo)*0x1p-126 }

// The function "clears" returns g(0), ..., g(k) as values of the type "fixed". If |ln g(1)| <= 5, the error of g(j) is
// at most 2^-74 g(j) + 2^-125.
//
// If |ln g(j)| <= 88, the error of ln g(j) is at most 2^-74.8, by the comment of clearWalk. The function ExpWords adds
// 2^-76, and fixedOf adds 2^-113. Together these errors are below 2^-74. If |ln g(j)| > 88, g(j) is below 2^-126 and is
// replaced by 0.
func clears(g *[occupancy.TableK + 1]fixed, m, size uint64, count fm.Double, k int) {
	w := newClearWalk(m, size, count)
	g[0] = fixedOne
	for j := 1; ; j++ {
		if w.ln.Hi < lastClear {
			clear(g[j : k+1])
			return
		}
		g[j] = fixedOf(w.ln.ExpWords())
		if j == k {
			return
		}
		w.next()
	}
}

const lastClear = -88

// An alternating sum of the results of the function "clears" loses digits by cancellation. Let q = g(1), and let f be
// the sum of (-1)^j C(k,j) g(j). The bounds below also hold if f is a mean of several such sums. In each of these sums,
// a number y <= k then replaces k. Negative association gives g(j) <= q^j. So the absolute values of the terms add up
// to at most (1+q)^k. The absolute error of f is at most
//
//	2^-74 (1+q)^k + 2^(k-125).
//
// The function leastSharp returns this bound times 2^47. If f is at least the returned number, the relative error of f
// is at most 64.1u (u = 2^-53). The argument q may have a relative error of 2^-30.
func leastSharp(q float64, k int) float64 {
	grown, rounded := 0x1.0001p-27, 0x1p-78
	for range k {
		grown = float64(grown * (1 + q))
		rounded *= 2
	}
	return grown + rounded
}

// The element binomials[k][j] is the binomial coefficient C(k,j).
var binomials = func() (t [occupancy.TableK + 1][occupancy.TableK + 1]uint64) {
	for k := range t {
		t[k][0] = 1
		for j := 1; j <= k; j++ {
			t[k][j] = t[k-1][j-1] + t[k-1][j]
		}
	}
	return t
}()
