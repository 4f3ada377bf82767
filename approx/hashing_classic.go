package approx

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

var classicHashing = hashing{
	is:        bloomproof.Classic,
	rate:      classicOrdered,
	rateError: func(k int) float64 { return (100 + 7*float64(k)) * fm.Unit },
	draws:     func(m, n uint64, k int) committees { return committees{m, uint64(k), 1, fm.Whole(n)} },
	bounds: []bloomproof.Bound{
		bloomproof.BoundLower, bloomproof.BoundLowerSimple, bloomproof.BoundLowerClassic,
		bloomproof.BoundUpper, bloomproof.BoundPartitioned,
	},
	mostK:  upToM,
	leastM: func(k int) uint64 { return uint64(k) },
	startK: func(m, n uint64) float64 {
		if n == 1 { // the rate is 1/C(m,k)
			return float64(m) / 2
		}
		return halfFull(m, n)
	},
	lowerLn: func(m, n uint64, k int) float64 {
		if n == 1 {
			return classicOnce(m, k).Ln()
		}
		return upperLn(m, n-1, k) // at most C(mu,k)/C(m,k), by Burns, Theorem 15
	},
}

// classicOrdered returns the smaller of the results of classicRate and upperRate. For k = 1 the exact values of both
// are equal.
func classicOrdered(m, n uint64, k int) rate {
	if k == 1 {
		return upperRate(m, n, k)
	}
	return classicRate(m, n, k).cut(upperLn(m, n, k), upperRate, m, n, k)
}

// classicRate returns f = E[C(X,k)]/C(m,k) for m >= 2, n >= 1 and k <= m. X is the number of set bits. Draw n random
// sets of k of the m positions. Let g(j) be the probability that j given positions stay clear. It is
// [C(m-j,k)/C(m,k)]^n. The rate f is the probability that the n sets together cover k given positions:
//
//	f = sum over j of (-1)^j C(k,j) g(j).
//
// Let q = g(1). By negative association, g(j) <= q^j and f <= (1-q)^k.
func classicRate(m, n uint64, k int) rate {
	if uint64(k) == m {
		return near1(0)
	}
	if n == 1 && m > 2*uint64(k) {
		return below1(classicOnce(m, k))
	}
	q := fm.Exp(-missExponent(m, k, float64(n)))
	kf := float64(k)
	fast := inClearWalk(m, k)
	switch {
	case kf*q <= onlyFirst:
		return besides(fm.Whole(n).Mul(fm.LogMiss(uint64(k), m)).Exp().Times(fm.Whole(uint64(k))))
	case kf*q <= nearlyFull && fast:
		return near1(classicMissFast(m, n, k))
	case kf*q <= nearlyFull:
		return near1(classicMiss(m, n, k).Hi)
	case n == 1:
		return below1(classicOnce(m, k))
	}
	large := m >= seriesFaster*uint64(k)
	if large {
		if f, ok := classicLarge(m, n, k); ok {
			return below1(f)
		}
	}
	if f, ok := classicCentral(m, n, k); ok {
		return below1(f)
	}
	if !large {
		if f, ok := classicLarge(m, n, k); ok {
			return below1(f)
		}
	}
	if fast {
		if f, ok := classicSmall(m, n, k, q); ok {
			return below1(fm.Double{Hi: f}.Scale())
		}
	}
	if f, ok := classicSparse(m, n, k); ok {
		return below1(f)
	}
	if kf*fm.Log((1+q)/(1-q)) <= mostGrowth {
		return below1(classicMiss(m, n, k).Neg().AddFloat(1).Scale())
	}
	return below1(newContourClassic(m, n, k).value())
}

// For m >= seriesFaster k, classicLarge is faster than classicCentral, because its series has few terms. The rate does
// not depend on this constant.
const seriesFaster = 256

// The constant mostGrowth limits the cancellation of terms in classicMiss. Let A be the sum of the absolute values of
// these terms. The sum of the terms is at least A e^-mostGrowth. Since e^24 < 2^35, a computation in two words has a
// relative error of at most 2^-60.
const mostGrowth = 24

// The sum in classicMiss ends at a small term. This term is below missEnd, and also below missEnd times the first term.
// All further terms are below the error of the sum.
const missEnd = 0x1p-97

// classicOnce returns the rate after one item, 1/C(m,k).
func classicOnce(m uint64, k int) fm.Scaled {
	f := fm.Whole(1).Scale()
	for i := range uint64(k) {
		f = f.Times(fm.Whole(i + 1).Quo(fm.Whole(m - i)))
	}
	return f
}

// classicMiss returns 1-f in two words, where f is the rate. The comment of classicRate gives f as an alternating sum.
// The result is the sum of the terms with j >= 1, with the opposite sign.
//
// Let y(i) be the quotient g(i+1)/g(i), which equals (1 - k/(m-i))^n. The code uses it to compute each term from the
// term before. These quotients satisfy
//
//	y(i)/y(i-1) = (1-c)^n,  c = k/((m-i)(m-k-i+1)).
//
// An error of q = g(1) affects all terms in the same way. Multiply the relative error of q by k q/(1-q). The product is
// the resulting relative error of f. The j-th term has an additional relative error below j 2^-95. The absolute values
// of the terms may increase at first. This happens only if k ln((1+q)/(1-q)) <= mostGrowth. Then the sum of the
// absolute values is at most e^24 f. The sum of their errors is at most 2^-60 f. From the first small term on, the
// absolute values decrease.
func classicMiss(m, n uint64, k int) fm.Double {
	nd, kd := fm.Whole(n), fm.Whole(uint64(k))
	y := nd.Mul(fm.LogMiss(uint64(k), m)).Exp().Unscaled()
	term := y.MulFloat(float64(k))
	sum := term
	small := missEnd * min(1, term.Hi)
	for j := 1; j < k && uint64(j) < m-uint64(k)+1; j++ {
		i := uint64(j)
		if i == m-uint64(k) {
			break // because g(j+1) = 0
		}
		c := kd.Quo(fm.Whole(m - i).Mul(fm.Whole(m - uint64(k) - i + 1)))
		y = y.Mul(nd.Mul(c.Neg().Log1p()).Expm1().AddFloat(1))
		term = term.Mul(y).MulFloat(float64(k - j)).QuoFloat(float64(-j - 1))
		sum = sum.Add(term)
		if fm.Abs(term.Hi) < small {
			break
		}
	}
	return sum
}

// The rate f is a contour integral, for n >= 2. A contourClassic is the circle of this integral. By the sum in the
// comment of classicRate, f is the k-th difference of the polynomial g. So f is a contour integral around 0, ..., k.
//
//	The rate f is k!/(2 pi i) integral of G(v)/(v (v-1) ... (v-k)) dv.
//	G(v) = product over i < k of ((v+m-k-i)/(m-i))^n.
//
// The circle is v = shift + R e^(i theta) with R > top = k-shift. Here shift = 0 for m >= 2k. For smaller m, shift =
// 2k-1-m. Some factors of G then have zeros to the left of the centre. These zeros cancel the poles there. The
// integrand is then a product of factors of two kinds. The factors of the first kind are R e^(i theta) + e with e =
// base + i >= 0. The factors of the second kind are 1/(R e^(i theta) - l) with l >= 1. The Laurent coefficients of
// the integrand are positive. The coefficients of the integrand, divided by its value at theta = 0, form a distribution
// p_j. It is the distribution of a sum of Bernoulli variables minus a sum of geometric variables. Then f = F(R) p_0,
// where F(R) is the integrand at theta = 0. R is any float64 near the radius for which the distribution p_j has mean 0.
//
// F(R) is computed in two words. Let e^Phi be the integrand divided by F(R). Then p_0 is computed as the mean of e^Phi
// over nodes theta. Let delta = R (e^(i theta) - 1), and u = 2^-53. There are k poles l. Each pole adds two numbers to
// the error of e^Phi. The first number is 4u. It bounds the rounding errors of the pole and of a product. The other is
// 5u |delta|/(R-l). The error of ln G is 8u times the absolute value of ln G. The mean of |delta| over the nodes is
// about R/sqrt V. Here V is the variance of the distribution p_j. So the last two contributions are below 8u sqrt(2k).
// The sum of |e^Phi| is at most 1.3 times the sum of Re e^Phi. This holds for 2 <= k <= 4096, and for all m and n for
// which a circle is used. The program verify/proof/floats proves this bound with ranges of numbers. The total relative
// error is below (100 + 7k) u.
type contourClassic struct {
	m, n      uint64
	k, top    int
	r         float64   // R
	mid       float64   // R + e for the middle e, which is base + (k-1)/2
	turn      float64   // R e/mid^2 for the middle e
	pair      []float64 // s^2/(mid^2-s^2) for the e at distance s from the middle one
	pairs     bool      // reports whether pair is not negligible
	pole      []float64 // 1/(R-l) for l = -shift..top except 0
	variance  float64
	mean      float64
	geometric float64 // largest mean of a geometric variable
}

// The constant "bisections" is the number of steps of a bisection. At each step newContourClassic halves an interval
// that contains the logarithm of R-top. The first interval has a length of at most 45. After the bisection R has a
// relative error of 2^-30. To compute the mean, the bisection replaces each sum over integers by an integral. The
// integral begins and ends halfway between two integers. This is the reason of the constants 0.5 and 0.49. The accuracy
// of the rate does not depend on how accurate R is.
const bisections = 36

// The comment of the method "node" has a formula for ln G(v)/G(R). The second term of this formula is n times the sum
// over pairs of ln(1 + W s^2/(mid^2-s^2)). Consider n times the sum of s^2/(mid^2-s^2) over the pairs. If it is at most
// noPairs, the method leaves out the second term. Since |W| <= 4, that term is then at most 4 noPairs. Such a small
// term does not change e^Phi.
const noPairs = 0x1p-62

// A node is left out if |e^Phi| is below noNodeClassic there. This limit is about e^-50. Here e^Phi is the integrand
// divided by its value at theta = 0.
const noNodeClassic = 0x1p-72

// When a product of at most 4096 factors reaches largeProduct, a new product begins. The logarithm of the old product
// is added to a sum. Overflow cannot occur, because each factor is below 2^66.
const largeProduct = 0x1p300

// newContourClassic finds by bisection the radius R for which the distribution p_j has mean 0. This mean contains sums
// over e and l. They are approximated by logarithms.
func newContourClassic(m, n uint64, k int) *contourClassic {
	kk := uint64(k)
	c := &contourClassic{m: m, n: n, k: k, top: k}
	base := 0.0
	if m >= 2*kk {
		base = float64(m - 2*kk + 1)
	} else {
		c.top = int(m - kk + 1)
	}
	nf, kf, top := float64(n), float64(k), float64(c.top)
	low, high := fm.Log(0.5), fm.Log(4*(float64(m)+kf))
	for range bisections {
		middle := (low + high) / 2
		d := fm.Exp(middle)
		r := top + d
		if nf*fm.Log1p(kf/(r+base-0.5))+1/r < fm.Log1p((kf+1)/(d-0.49)) {
			low = middle
		} else {
			high = middle
		}
	}
	c.r = top + fm.Exp(high)
	e := base + (kf-1)/2
	c.mid = c.r + e
	c.turn = c.r / c.mid * (e / c.mid)
	weight := 0.0
	for i := range k {
		s := (kf-1)/2 - float64(i)
		if s > 0 {
			p := s * s / ((c.mid - s) * (c.mid + s))
			c.pair = append(c.pair, p)
			weight += p
		}
		p := c.r / (c.r + base + float64(i))
		c.mean += nf * p
		c.variance += nf * p * (1 - p)
	}
	c.pairs = nf*weight > noPairs
	for l := c.top - k; l <= c.top; l++ {
		if l != 0 {
			h := 1 / (c.r - float64(l))
			c.pole = append(c.pole, h)
			c.mean -= c.r * h
		}
		if l > 0 {
			g := float64(l) / (c.r - float64(l))
			c.variance += g * (1 + g)
			c.geometric = g
		}
	}
	return c
}

// The method "value" returns the rate f.
func (c *contourClassic) value() fm.Scaled {
	p0, _ := c.mass()
	return c.front().Times(fm.Double{Hi: p0})
}

// The method "mass" returns p_0 and the mean of |e^Phi|. By the trapezoidal rule, p_0 is the mean of Re e^Phi over P
// equidistant nodes.
//
// First consider aliasing. With P nodes, the trapezoidal rule computes the sum of p_(jP) over all integers j. Let V be
// the variance of the distribution p_j. A variable X with this distribution is a sum of Bernoulli variables minus a sum
// of geometric variables. Let g be 1 plus the largest mean of the geometric variables. The logarithm of
// E[e^(s(X-E[X]))] is at most V s^2/(2(1-gs)). So the terms other than p_0 add up to less than 3 exp(-P^2/(2(V+gP))).
// In this formula, P is the number of nodes minus |E[X]|.
//
// Truncation: |e^Phi| decreases along the upper half circle, because each of its factors decreases. The sum ends at the
// first node where |e^Phi| is below 2^-72. This is below e^-49. The terms from this node on are less than P e^-49 in
// total.
func (c *contourClassic) mass() (p0, size float64) {
	a := aliased + fm.Log(c.variance)/2
	g := 1 + c.geometric
	half := fm.Floor((a*g+fm.Sqrt(a*a*g*g+2*a*c.variance)+fm.Abs(c.mean))/2 + 1)
	p := 2*half + 1
	for j := 1.0; j <= half; j++ {
		x, abs := c.node(fm.Sincos(j * fm.TwoPi / p / 2))
		if abs < noNodeClassic {
			break
		}
		p0 += x
		size += abs
	}
	return (1 + 2*p0) / p, (1 + 2*size) / p
}

// The method "front" returns F(R), the integrand at theta = 0, in two words. It is G(R) times the product of j/(R-l)
// over l != 0.
func (c *contourClassic) front() fm.Scaled {
	r := fm.Double{Hi: c.r}
	f := fm.Whole(1).Scale()
	j := 1.0
	for l := c.top - c.k; l <= c.top; l++ {
		if l != 0 {
			f = f.Times(fm.Double{Hi: j}.Quo(r.AddFloat(-float64(l))))
			j++
		}
	}
	beyond := r.AddFloat(-float64(c.top))
	log, product := fm.Double{}, fm.Double{} // the product of 1 + beyond/(m-i), minus 1
	for i := range uint64(c.k) {
		x := beyond.Quo(fm.Whole(c.m - i))
		product = product.Add(x).Add(product.Mul(x))
		if product.Hi > largeProduct {
			log, product = log.Add(product.Log1p()), fm.Double{}
		}
	}
	log = log.Add(product.Log1p())
	return f.Mul(fm.Whole(c.n).Mul(log).Exp())
}

// The method "node" returns Re e^Phi and |e^Phi| at the angle theta, given the sine and cosine of theta/2.
//
// The comment of contourClassic explains R, G and v. The fields of contourClassic have comments on the field "mid" and
// on the pairs. Let delta = R (e^(i theta) - 1), Y = delta/mid and W = Y(2+Y)/(1+Y)^2. Then two equations hold.
//
//	The logarithm of G(v)/G(R) is nk ln(1+Y) + n sum over pairs of ln(1 + W s^2/(mid^2-s^2)).
//	The number |1+Y|^2 is 1 - 4 (R e/mid^2) sin^2(theta/2).
//
// Each pole l contributes the factor 1/(1 + delta/(R-l)).
func (c *contourClassic) node(sinHalf, cosHalf float64) (re, size float64) {
	dx, dy := -2*c.r*sinHalf*sinHalf, 2*c.r*sinHalf*cosHalf
	y := complex(dx/c.mid, dy/c.mid)
	ln := fm.Log1p(-4*c.turn*sinHalf*sinHalf) / 2
	arg := fm.Atan2(imag(y), 1+real(y))
	nf, kf := float64(c.n), float64(c.k)
	ln, arg = kf*ln, kf*arg
	if c.pairs {
		w := y * (2 + y) / ((1 + y) * (1 + y))
		q := complex(0, 0)
		for _, s := range c.pair {
			ws := complex(real(w)*s, imag(w)*s)
			q += ws + q*ws
		}
		ln += fm.Log1p(real(q)*(2+real(q))+imag(q)*imag(q)) / 2
		arg += fm.Atan2(imag(q), 1+real(q))
	}
	d, d2 := complex(1, 0), complex(1, 0)
	for i, h := range c.pole {
		z := complex(1+dx*h, dy*h)
		if i&1 == 0 {
			d *= z
		} else {
			d2 *= z
		}
	}
	d *= d2
	sin, cos := fm.SincosAny(nf * arg)
	abs := fm.Exp(nf * ln)
	z := complex(abs*cos, abs*sin) / d
	return real(z), fm.Sqrt(real(z)*real(z) + imag(z)*imag(z))
}
