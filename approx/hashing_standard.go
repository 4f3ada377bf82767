package approx

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
)

var standardHashing = hashing{
	is:        bloomproof.Standard,
	rate:      standardOrdered,
	rateError: func(k int) float64 { return (125 + 70*fm.Sqrt(float64(k))) * fm.Unit },
	draws:     func(m, n uint64, k int) committees { return committees{m, 1, 1, fm.WholeProduct(n, uint64(k))} },
	literal:   literalRate,
	clear:     func(m, n uint64, k int) float64 { return missExponent(m, 1, balls(n, k)) },
	bounds: []bloomproof.Bound{
		bloomproof.BoundBloom, bloomproof.BoundExponential, bloomproof.BoundTaylor, bloomproof.BoundLower,
		bloomproof.BoundLowerSimple, bloomproof.BoundUpper, bloomproof.BoundPartitioned, bloomproof.BoundBose,
	},
	mostK:   everyK,
	leastM:  func(int) uint64 { return 1 },
	startK:  halfFull,
	lowerLn: bloomLn, // a lower bound by Jensen's inequality
}

// The function standardOrdered calls standardRate. If the result lies between the bounds "bloom" and "upper",
// standardOrdered returns this result. Otherwise it returns the nearer bound.
func standardOrdered(m, n uint64, k int) rate {
	if k == 1 {
		return bloomRate(m, n, k)
	}
	if uint64(k) <= m {
		if f, sure, ok := standardLarge(m, fm.WholeProduct(n, uint64(k)), k); ok && sure {
			return below1(f)
		}
	}
	r := standardRate(m, n, k).atLeast(bloomLn(m, n, k), bloomRate, m, n, k)
	if uint64(k) <= m {
		r = r.cut(upperLn(m, n, k), upperRate, m, n, k)
	}
	return r
}

// standardRate returns f_S = E[(X/m)^k] for m >= 2 and n >= 1. X is the number of urns that N = kn balls occupy. The
// rate f_S is the probability that k further balls fall only into these X urns. Let Y be the number of urns that the k
// balls occupy. Let q = (1-1/m)^N. Suppose that Y = y. By negative association, the N balls then occupy all y urns with
// probability at most (1-q)^y. Y has the distribution of a sum of independent indicators (see contourStandard), so f <=
// e^(-E[Y] q).
func standardRate(m, n uint64, k int) rate {
	balls := fm.WholeProduct(n, uint64(k))
	q := fm.Exp(-missExponent(m, 1, balls.Hi))
	hit := -float64(m) * fm.Expm1(float64(k)*fm.Log1p(-1/float64(m))) // E[Y]
	fast := inClearWalk(m, k)
	switch {
	case hit*q <= onlyFirst:
		one := fm.LogMiss(1, m)
		hits := fm.Whole(m).Mul(one.MulFloat(float64(k)).Expm1().Neg())
		return besides(balls.Mul(one).Exp().Times(hits))
	case hit*q <= nearlyFull && fast:
		return near1(standardMissFast(m, balls, k))
	case hit*q <= nearlyFull:
		return near1(standardMiss(m, balls, k))
	}
	if f, ok := standardSparse(m, n, k); ok {
		return below1(f)
	}
	if f, ok := standardCentral(m, balls, k); ok {
		return below1(f)
	}
	if n == 1 {
		return below1(standardOnce(m, k))
	}
	if fast {
		if f, ok := standardSmall(m, balls, k, q); ok {
			return below1(fm.Double{Hi: f}.Scale())
		}
	}
	return below1(newContourStandard(m, balls, k).value())
}

// standardMiss returns 1-f. It requires onlyFirst < E[Y] q <= 0.51. Y is the number of urns that k balls occupy, and f
// is the rate. The sum is
//
//	1-f = sum over j >= 1 of (-1)^(j+1) E[C(Y,j)] (1-j/m)^N.
//
// Here N is the number of balls, and q = (1-1/m)^N. The absolute value of the j-th term is at most (E[Y] q)^j/j!. The
// reason is that E[C(Y,j)] <= E[Y]^j/j! for a sum of independent indicators. So the sum of the absolute values is at
// most 1.7 times the sum. The j-th term has a relative error of at most (3j+10)u (u = 2^-53). For the first term, which
// is at least 3/4 of the sum, this error is 13u. The total relative error is at most 30u.
func standardMiss(m uint64, balls fm.Double, k int) float64 {
	r := occupancy.New(m, k, fm.Whole(1), 0)
	choose := r.W // choose has P[Y = i] C(i, j-1) at index most-i
	sum := 0.0
	for j := 1; j <= k && uint64(j) < m; j++ {
		mean := fm.Double{}
		for at := range choose {
			choose[at] *= float64(max(0, r.Most-at-j+1)) / float64(j)
			mean = mean.AddFloat(choose[at])
		}
		term := mean.Hi * balls.Mul(fm.LogMiss(uint64(j), m)).Exp().Float64()
		if j%2 == 1 {
			sum += term
		} else {
			sum -= term
		}
		if term <= lastTerm*sum {
			break
		}
	}
	return sum
}

// A sum ends with a term that is at most lastTerm times the sum. Each further term is at most half of the term before.
// So the terms left out are at most u/128 of the sum.
const lastTerm = 0x1p-60

// Consider an alternating sum for the complement 1-f of a rate. If its first term x is at most onlyFirst, the further
// terms are left out. Their absolute values add up to at most x^2. This is at most 2^-7 u x (u = 2^-53). The first term
// is computed in two words, with a separate exponent. So the complement has an error of little more than u, even if it
// is below 2^-1022.
const onlyFirst = 0x1p-60

// standardOnce returns the rate f after one item. That item occupies Y of the m urns with its k balls. With probability
// (Y/m)^k the queried item occupies only these urns. So
//
//	f = sum over i of P[Y = i] (i/m)^k.
func standardOnce(m uint64, k int) fm.Scaled {
	most := min(m, uint64(k))
	r := occupancy.New(m, k, fm.Whole(1), k)
	var sum fm.Scaled // sum in units of (most/m)^k
	for j, w := range r.W {
		i := fm.Whole(uint64(r.Most - j))
		sum = sum.Add(i.QuoFloat(float64(most)).Scale().Pow(k).Times(fm.Double{Hi: w}))
	}
	return fm.Whole(most).Quo(fm.Whole(m)).Scale().Pow(k).Mul(sum)
}

// A contourStandard is the circle |t| = r of the contour integral that gives the rate f, for n >= 2. Suppose that the
// number N of balls were a Poisson variable with parameter m t. Then each urn would be occupied independently with
// probability p = 1-e^-t. Let Y be the number of urns that the k balls of the queried item occupy. Then f would be
// phi(p) = sum over i of P[Y = i] p^i. Let [t^N] stand for the coefficient of t^N. Hence
//
//	f = N!/m^N [t^N] e^(m t) phi(1-e^-t).
//
// The generating function of Y has only real zeros (Harper; Vatutin and Mikhailov). So phi(p) is a product of K =
// min(k,m) factors 1-a+ap with 0 <= a <= 1. Let A be the product of the K numbers e^t - a. Then
//
//	e^(m t) phi(1-e^-t) = e^((m-K)t) A.
//
// The coefficients of the right side are positive. Multiply the coefficient of t^j on the right side by r^j, and divide
// it by the value of the right side at t = r. Let p_j be this quotient. Then p_j is the distribution of a sum of
// independent variables. Each of these variables has an ultra-log-concave distribution. So the sum has an
// ultra-log-concave distribution too. The mean of the sum is m r + i b. Here b = r/(e^r-1), and i is the mean of Y
// under the weights w. These weights are the numbers P[Y = y] p^y with p = 1-e^-r, divided by their sum. This sum is
// p^k times the number "total". The radius r is any float64 near the radius for which the mean m r + i b is N. Let eps
// = 1 - m r/N. Let t = r e^(i theta) and z = (1-e^-t)/p. Then three equations give the rate f.
//
//	The rate f is sqrt(2 pi N) exp(delta(N) - N log1pmx(-eps)) p^k total p_N.
//	The number p_N is 1/(2 pi) integral over [-pi, pi] of Re e^Phi(theta).
//	The factor e^Phi is e^(m r (e^(i theta) - 1) - i N theta) (sum of w[j] z^(most-j)).
//
// The product of the factors before p_N has a relative error of less than 30u (u = 2^-53), for three reasons. First,
// the exponent is at most 0.4 k, because eps <= 1/2. It has a relative error of 2^-58. Second, N is represented
// exactly, or it is so large that its rounding does not matter. Third, w and total are computed from positive terms
// only.
//
// Three facts bound the error of p_N. First, |e^Phi| is at most exp(-m r sin^2(theta/2)). Second, m r is about N/2 or
// more. Third, sqrt(2 pi N) p_N >= 0.9 (see mostOff). The integral of this exponential over theta is at most 2/sqrt(2
// pi N) times 1 + 0.7/N. Suppose that each e^Phi has a relative error of c u. Then p_N has a relative error of at most
// 2.23 (1 + 0.7/N) c u. On average over the nodes, m r theta^2/2 is 1. So c is the sum of three numbers. The first is
// 30. It comes from the size of e^Phi, which the method "node" computes within 20u. The second is 35 i b theta, which
// is at most 28 sqrt(k/n). It comes from i (arg z - b sin theta), which is computed within 35u of i b theta. The third
// is 26 |j-centre|, which is below 11 sqrt k. It comes from z and from the products of the sum. The number z is
// computed within 22u.
//
// For n >= 2, and N = kn >= 4, the total is at most (125 + 70 sqrt k) u (TestRateErrorsDerivedTwice).
type contourStandard struct {
	m, n   float64
	r      float64 // radius
	b      float64 // r/(e^r-1)
	em1    float64 // e^r-1
	p      fm.Double
	miss   float64   // the logarithm of p
	front  fm.Scaled // sum of the weights times p^i
	gap    fm.Double // N - m r
	most   int       // largest i
	w      []float64 // w[j] is the weight of i = most-j; the weights sum to 1
	centre int       // index of w near the mean
	drift  float64   // N - m r - b (most-centre)
	off    float64   // N - m r - b (mean of most-j)
}

// mostOff is an upper bound of |off|/sqrt N, where off is N minus the mean of p_j. Then sqrt(2 pi N) p_N >= 0.92. The
// reasons are as follows.
//
// First suppose that the number "off" is 0. Let q_j be the Poisson distribution with mean N. The quotient p_j/q_j is
// log-concave, because p_j is ultra-log-concave. So by Jensen's inequality ln(p_N/q_N) is at least the sum of p_j
// ln(p_j/q_j). This sum is a relative entropy and not negative. Hence p_N >= q_N. Moreover, sqrt(2 pi N) q_N >
// e^(-1/(12N)) >= e^(-1/48).
//
// For other r let s = ln r. Let s0 be the value of s at which the number "off" is 0. The comment of contourStandard has
// an equation for e^(m t) phi(1-e^-t). Let H be the logarithm of the right side of this equation at t = r, minus N s.
// The probability p_N depends on s. Its value at s is e^(H(s0)-H(s)) times its value at s0. The derivative of H is
// -off, and its second derivative is the variance V of p_j. So H is convex, and H(s) - H(s0) <= |off| |s-s0|. A factor
// e^t - a has the mean c = r e^r/(e^r-a). The variance of this factor is c (1 - ra/(e^r-a)), which is at least c (1-b).
// For r >= 1/4 this is at least 0.119 c. For r < 1/4 two inequalities hold. The mean is at most m r + K, and K <= N/2.
// So V >= (m-K) r is more than 0.3 times the mean. Between s and s0 the mean is at least N - |off| >= 0.96 N. So V >=
// 0.11 N there. It follows that |off| |s-s0| <= off^2/(0.11 N) < 0.059.
const mostOff = 0.08

// newContourStandard finds the radius r by Newton's method. This radius is the value of t at the saddle point of the
// function
//
//	(1 - e^s + e^(s+t))^m / (t^N s^k).
//
// The reason is that the coefficient of t^N s^k in the numerator is the rate f, up to known factors. At the saddle
// point, two equations hold. The first is
//
//	i = k (1-e^-s)/s.
//
// The second is
//
//	s/(p + (1-p) e^-s) = k/(m p).
//
// The comment of contourStandard defines i and p. The accuracy of the result does not depend on how close r is to the
// saddle point.
func newContourStandard(m uint64, balls fm.Double, k int) contourStandard {
	mf, n, kf := float64(m), balls.Hi, float64(k)
	r, s, i := n/mf, 0.0, min(kf, mf)
	for range contourSteps {
		b := r / fm.Expm1(r)
		r -= (mf*r + i*b - n) / (mf + i*b*(1-r-b)/r)
		p := -fm.Expm1(-r)
		goal := kf / (mf * p)
		if s == 0 {
			s = goal
		}
		e := (1 - p) * fm.Exp(-s)
		d := p + e
		s = max(s-(s/d-goal)*d*d/(d+s*e), goal*leastSpread)
		i = kf * -fm.Expm1(-s) / s
	}
	for {
		c := contourAt(m, balls, r)
		row := occupancy.New(m, k, c.p, 0)
		c.front = c.p.Scale().Pow(k).Mul(row.Total)
		c.most, c.w = row.Most, row.W
		c = c.centred()
		if fm.Abs(c.off) <= mostOff*fm.Sqrt(n) {
			return c
		}
		// No case is known in which this correction of r is needed. The largest |off|/sqrt N found is 0.0674, for m =
		// 21, n = 2 and k = 2.
		r = nearer(r, n, c.off)
	}
}

// The function "nearer" changes the radius r such that the mean comes nearer to N. The mean for r is N - off. Its
// derivative with respect to ln r is at most the mean. So this step does not go too far.
func nearer(r, n, off float64) float64 { return r * fm.Exp(off/max(n, n-off)) }

// The function newContourStandard takes contourSteps steps of Newton's method. In fact, the radius no longer changes
// after three to five steps. The number s is not allowed to fall below leastSpread*goal. The reason is that i = k
// (1-e^-s)/s would be 0/0 for s = 0. Here goal = k/(m p) is the value that s/(p + (1-p) e^-s) must reach. The rate does
// not depend on either constant.
const (
	contourSteps = 10
	leastSpread  = 1e-9
)

// contourAt returns a contourStandard for the circle of radius r. The weights w are not computed.
func contourAt(m uint64, balls fm.Double, r float64) contourStandard {
	em1 := fm.Expm1(r)
	return contourStandard{
		m: float64(m), n: balls.Hi, r: r, b: r / em1, em1: em1,
		p: fm.Double{Hi: -r}.Expm1().Neg(), miss: fm.Log1mExp(r), gap: balls.Sub(fm.Whole(m).MulFloat(r)),
	}
}

// The method "centred" returns a copy of c in which three fields are set: "centre", "drift" and "off". These fields
// follow from the mean of the weights.
func (c contourStandard) centred() contourStandard {
	mean := 0.0
	for j, w := range c.w {
		mean += float64(j) * w
	}
	c.centre = int(mean + 0.5)
	at := c.gap.AddFloat(-c.b * float64(c.most)).Hi
	c.drift = at + c.b*float64(c.centre)
	c.off = at + c.b*mean
	return c
}

// The method "value" returns the rate f.
func (c contourStandard) value() fm.Scaled {
	n := fm.Double{Hi: c.n}
	e := c.gap.Quo(n).Neg().Log1pMX().Mul(n).Neg().AddFloat(fm.StirlingError(c.n))
	return e.Exp().Mul(c.front).Times(fm.Double{Hi: c.mass()})
}

// The method "mass" returns sqrt(2 pi N) p_N (see contourStandard). It uses the trapezoidal rule on P equidistant
// nodes.
//
// Aliasing: the rule computes the sum of all p_(N+jP) instead of p_N. The distribution p_j is ultra-log-concave with
// the mean N - off. So its exponential moments are at most those of the Poisson distribution with this mean. As in
// contour.value, the other p_(N+jP) are less than e^-46/sqrt(N) in total (see aliased).
//
// Truncation: on the circle, |e^t-a| <= (e^r-a) exp(-r sin^2(theta/2)) for 0 <= a <= 1. This holds for a = 0 and a = 1.
// It also holds for a between 0 and 1. The reason is that the left side is convex in a, and the right side is linear in
// a. So |e^Phi| <= exp(-(2m-K) r sin^2(theta/2)).
func (c contourStandard) mass() float64 {
	half := c.half()
	step := fm.TwoPi / (2*half + 1)
	decay := (2*c.m - float64(c.most)) * c.r
	sum := 0.0
	for j := 1.0; j <= half; j++ {
		sin, cos := fm.Sincos(j * step / 2)
		if decay*sin*sin > noNode {
			break
		}
		sum += c.node(j*step, sin, cos)
	}
	return fm.Sqrt(c.n/fm.TwoPi) * step * (1 + 2*sum)
}

// The method "half" returns (P-1)/2 for the number P of nodes (see the method "mass").
func (c contourStandard) half() float64 {
	a := aliased + fm.Log(c.n)/2
	return fm.Floor((a/3+fm.Sqrt(a*a/9+2*a*c.n))/2 + fm.Abs(c.off) + 1)
}

// The method "node" returns Re e^Phi(theta), given the sine and cosine of theta/2. The comment of contourStandard
// defines Phi, z and b.
//
// Let i = most-centre, s2 = 2 sin^2(theta/2) and N - m r = i b + drift. Then
//
//	|e^Phi| = e^(-m r s2 + i ln|z|),
//	Im Phi  = -N (theta - sin theta) + i (arg z - b sin theta) - drift sin theta.
//
// Both formulas omit one factor of e^Phi, the sum of w[j] z^(centre-j). The function "spared" computes ln|z| and the
// numerator 1-e^-t of z. The angle of this numerator is arg z.
func (c contourStandard) node(theta, sinHalf, cosHalf float64) float64 {
	s2 := 2 * sinHalf * sinHalf
	sin := 2 * sinHalf * cosHalf
	ln, zx, zy := spared(c.r, c.em1, c.miss, s2, sin)
	i := float64(c.most - c.centre)
	abs := fm.Exp(-c.m*c.r*s2 + i*ln)
	sinIm, cosIm := fm.SincosAny(i*(fm.Atan2(zy, zx)-c.b*sin) - c.drift*sin - c.n*fm.XMinusSin(theta))
	z := complex(zx/c.p.Hi, zy/c.p.Hi)
	w := c.w
	above := complex(0, 0) // sum over j < centre of w[j] z^(centre-j)
	for _, x := range w[:c.centre] {
		above = (above + complex(x, 0)) * z
	}
	below := complex(0, 0)
	if c.centre+1 < len(w) {
		inverse := 1 / z
		for j := len(w) - 1; j > c.centre; j-- {
			below = (below + complex(w[j], 0)) * inverse
		}
	}
	sum := above + below + complex(w[c.centre], 0)
	return abs * (real(sum)*cosIm - imag(sum)*sinIm)
}
