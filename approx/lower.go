package approx

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// The function "lower" returns L, a lower bound of the standard rate and of the classic rate. L is the probability that
// kn independent positions cover k given bits:
//
//	L = m^(-kn) sum over j of (-1)^j C(k,j) (m-j)^(kn).
//
// The sum is the k-th backward difference of x^(kn) at x = m. The comment of the type "contour" derives the error.
//
// Source: Burns, Corollary 23, equation (64).
func lower(m, n uint64, k int) (float64, error) {
	if uint64(k) > m {
		return 0, refuse.ErrUndefined
	}
	mf, kf, x := float64(m), float64(k), balls(n, k)
	switch {
	case n == 0:
		return 0, nil
	case k == 1 && n == 1:
		return 1 / mf, nil
	case n == 1: // each ball covers one of the k bits, so L is k!/m^k
		return fm.Exp(kf*fm.Log(kf/mf) - kf + fm.Log(fm.TwoPi*kf)/2 + fm.StirlingError(kf)), nil
	case x > allHit*mf:
		return 1, nil
	}
	return newContour(mf, kf, x).value(), nil
}

// Let m be the number of bits. Suppose that there are more than allHit*m balls. Then the probability L that k given
// bits are all hit rounds to 1. The reason is that at least one of them is missed with probability at most k e^-60 <
// 2^-74.
const allHit = 60

// The contour integrals are evaluated by the trapezoidal rule. Let x be the number of balls. Let p be the required
// probability, which is at least 0.3/sqrt x. The result of the rule is p plus an error. This aliasing error is a sum of
// other probabilities. The number of nodes is large enough to keep the aliasing error below 3 e^-aliased/sqrt x. That
// is less than p u/500 (u = 2^-53). The rule ends at the first node where |e^Phi| is at most e^-noNode < 2^-72. Here
// e^Phi is the integrand divided by its largest value.
const (
	aliased = 46
	noNode  = 50
)

// Let L be the bound that the function "lower" returns. L is a contour integral. A contour is the circle |t| = r of
// this integral. Let [t^x] stand for the coefficient of t^x. For n >= 2,
//
//	L = x!/m^x [t^x] G(t),  G(t) = e^((m-k)t) (e^t-1)^k,  x = kn.
//
// Consider a sum of m independent Poisson variables with parameter r. Let k of the variables be conditioned to be
// positive. This sum has the distribution p_j = [t^j] G(t) r^j/G(r). The radius r is the saddle point of G(t)/t^x on
// the positive axis. For this r the sum has mean x:
//
//	m r + k b = x.
//
// Here b is r/(e^r-1). Then L = G(r) x!/(m r)^x p_x. Let eps = k b/x = 1 - m r/x, which is at most 1/2. Then three
// equations hold.
//
//	G(r) x!/(m r)^x = sqrt(2 pi x) exp(delta(x) - x log1pmx(-eps) + k log(1-e^-r)).
//	The number p_x is 1/(2 pi) integral over [-pi, pi] of Re e^Phi(theta).
//	Phi(theta) = ln G(r e^(i theta)) - ln G(r) - i x theta.
//
// For n = 1 the saddle point would be 0. No large terms cancel. The product sqrt(2 pi x) p_x lies between 0.9 (see
// mostOff) and sqrt 2. The difference delta(x) - x log1pmx(-eps) is at most a quarter of |k log(1-e^-r)|. So |k
// log(1-e^-r)| <= (|ln L| + 0.35)/0.75. The radius r has a relative error of at most 8u (u = 2^-53). So k log(1-e^-r)
// has a relative error of (22 + 8 ln k)u, as in hitLn. The other term of the exponent has a relative error of 56u.
// Together this is ((48 + 11 ln k)|ln L| + 20 + 5 ln k)u. The values e^Phi in the sum for p_x have relative errors of
// about 30u|Phi|. On average |Phi| is 1/2, so these add 20u.
//
// The bound sqrt 2 follows from a representation of p_x as a mean. Let T be a Poisson variable with parameter r that is
// conditioned to be positive. The generating function of T-1 is
//
//	(e^(rz)-1)/(z (e^r-1)) = integral over 0 < s < 1 of (r e^(rs)/(e^r-1)) e^(rs(z-1)) ds.
//
// So T-1 is a Poisson variable whose parameter rs is random. A sum of independent Poisson variables is a Poisson
// variable. So the sum of the m variables above is k + Z. Here Z is a Poisson variable with a random parameter Lambda.
// Let y = x-k = k(n-1), which is at least 1. Then p_x is the mean of e^-Lambda Lambda^y/y!. The expression in this mean
// is largest for Lambda = y, where it is e^-y y^y/y!. By Stirling's formula y! > sqrt(2 pi y) (y/e)^y (Robbins 1955).
// Hence p_x < 1/sqrt(2 pi y). It follows that sqrt(2 pi x) p_x < sqrt(x/y) = sqrt(n/(n-1)) <= sqrt 2.
type contour struct {
	m, k, x float64
	r       float64 // radius
	b       float64 // r/(e^r-1)
	em1     float64 // e^r-1
	lg      float64 // log(1-e^-r)
}

// lowerSteps is the number of steps of Newton's method in newContour.
const lowerSteps = 5

// newContour finds the saddle point r by Newton's method for the equation m r + k b(r) - x = 0. Here b(r) = r/(e^r-1).
// The left side is convex and increasing. The first value of r is x/m, which is above the zero, so the following values
// decrease. If a value of r has the error e, the next value has an error of at most k/(6m) e^2. The first value has an
// error of at most k/m. So the relative error is below 2^-70 after five steps. The last step, r = (x - k b(r))/m,
// multiplies rounding errors by at most k/(2m). So the result has a relative error of at most 8u (u = 2^-53).
func newContour(m, k, x float64) contour {
	r := x / m
	for range lowerSteps {
		b := r / fm.Expm1(r)
		r -= (m*r + k*b - x) / (m + k*b*(1-r-b)/r)
	}
	r = (x - k*r/fm.Expm1(r)) / m
	em1 := fm.Expm1(r)
	return contour{m: m, k: k, x: x, r: r, b: r / em1, em1: em1, lg: fm.Log1mExp(r)}
}

// The method "value" returns L.
func (c contour) value() float64 {
	eps := c.k * c.b / c.x
	return min(1, c.mass()*fm.Exp(fm.StirlingError(c.x)-c.x*fm.Log1pMX(-eps)+c.k*c.lg))
}

// The method "mass" returns sqrt(2 pi x) p_x. It computes the integral for p_x by the trapezoidal rule on P equidistant
// nodes.
//
// Aliasing: the rule computes the sum of p_(x+jP) over all integers j. All these terms are positive. The p_j are the
// distribution of a sum of independent variables with ultra-log-concave distributions. So the p_j are ultra-log-concave
// too. The exponential moments of this distribution are then at most those of the Poisson distribution with the same
// mean. Bernstein's inequality gives
//
//	sum over j != 0 of p_(x+jP)  <  3 exp(-P^2/(2x + 2P/3)).
//
// P is chosen so that this bound is e^-46/sqrt(x). Since p_x > 0.3/sqrt(x), this bound is below 2^-63 p_x.
//
// Truncation: the Taylor coefficients of sinh are positive or 0. So on the circle, |sinh(t/2)/(t/2)| <=
// sinh(r/2)/(r/2). So |e^t-1| <= (e^r-1) exp(-r sin^2(theta/2)). Hence |e^Phi| <= exp(-(2m-k) r sin^2(theta/2)).
// Consider the first node at which this exponent is below -50. From this node on, the terms are below 2^-72 and
// decrease faster than a geometric series.
func (c contour) mass() float64 {
	a := aliased + fm.Log(c.x)/2
	half := fm.Floor((a/3 + fm.Sqrt(a*a/9+2*a*c.x)) / 2)
	step := fm.TwoPi / (2*half + 1)
	decay := (2*c.m - c.k) * c.r
	sum := 0.0
	for j := 1.0; j <= half; j++ {
		sin, cos := fm.Sincos(j * step / 2)
		if decay*sin*sin > noNode {
			break
		}
		sum += c.node(j*step, sin, cos)
	}
	return fm.Sqrt(c.x/fm.TwoPi) * step * (1 + 2*sum)
}

// The function "spared" computes z = 1-e^-t at t = r e^(i theta), by the formulas in the comment of contour.node. The
// results zx and zy are the real and the imaginary part of z. The result "ln" is the logarithm of |z/(1-e^-r)|. The
// argument em1 is e^r-1, and the argument lg is log(1-e^-r). The argument s2 is 2 sin^2(theta/2), and the argument
// "sin" is the sine of theta.
func spared(r, em1, lg, s2, sin float64) (ln, zx, zy float64) {
	g := r * s2
	y := r * sin // Im t
	e := fm.Exp(g - r)
	sh, ch := fm.Sincos(y / 2)
	im2 := 4 * e * sh * sh
	re := -fm.Expm1(g - r) // 1 - e^-(Re t)
	if 2*g < r {
		ln = fm.Log1p(-fm.Expm1(g)/em1) + fm.Log1p(im2/(re*re))/2
	} else {
		ln = fm.Log(re*re+im2)/2 - lg
	}
	return ln, re + im2/2, 2 * e * sh * ch
}

// The method "node" returns the real part of exp(Phi(theta)), given the sine and cosine of theta/2. The comment of
// contour defines Phi.
//
// Let t = r e^(i theta) and s2 = 2 sin^2(theta/2). The definition gives Im Phi = m r sin theta - x theta + k
// arg(1-e^-t). Since m r = x - k b, two equations hold.
//
//	Re Phi = -m r s2 + k ln|(1-e^-t)/(1-e^-r)|.
//	Im Phi = -x (theta - sin theta) + k (arg(1-e^-t) - b sin theta).
//
// Here Re t = r - g with g = r s2, and |1-e^-t|^2 = (1-e^-(r-g))^2 + 4 e^-(r-g) sin^2(Im t/2). Near theta = 0 the error
// of the logarithm is small compared with theta^2. The reason is the identity
//
//	(1-e^-(r-g))/(1-e^-r) = 1 - expm1(g)/expm1(r).
//
// Re Phi is about -(x - k b^2 e^r) theta^2/2 with x >= 2k and b^2 e^r <= 1. So at most half of the first term cancels.
// Far from theta = 0, |e^Phi| is at most e^(-k/4). There it suffices that absolute errors are small.
func (c contour) node(theta, sinHalf, cosHalf float64) float64 {
	s2 := 2 * sinHalf * sinHalf
	sin := 2 * sinHalf * cosHalf
	ln, zx, zy := spared(c.r, c.em1, c.lg, s2, sin)
	re := -c.m*c.r*s2 + c.k*ln
	im := c.k*(fm.Atan2(zy, zx)-c.b*sin) - c.x*fm.XMinusSin(theta)
	_, cosIm := fm.SincosAny(im)
	return fm.Exp(re) * cosIm
}
