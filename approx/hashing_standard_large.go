package approx

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
)

// The series in standardLarge has at most mostMoments terms. The sum of the terms that are left out is at most
// momentsEnd times the rate.
const (
	mostMoments = 24
	momentsEnd  = 0x1p-54
)

// standardLarge computes the rate of a standard filter of m bits, where m is large compared with k^2. This takes less
// than a microsecond. It requires 2 <= k <= m. The result ok is false if the filter lies outside the domain of the
// series. The result "sure" is true if f certainly lies between the values that bloomRate and upperRate compute.
//
// The first part of this comment derives the series. As in the comment of contourStandard, let N be the number of
// balls. Let Y be the number of urns that k balls occupy. Let phi(p) be the mean of p^Y, and let h(t) = phi(1-e^-t).
// Let tau = N/m, q = e^-tau, p = 1-q and H(s) = h(tau+s)/h(tau). Let [t^N] stand for the coefficient of t^N. For a
// function F let
//
//	L[F] = N!/m^N [t^N] e^(m t) F(t-tau).
//
// Then f = h(tau) L[H]. L is linear, and L[e^(l s)] = ((1+l/m) e^(-l/m))^N for any number l. So L[s^i] = i! e_i. Here
// e_i is the coefficient of l^i on the right side. Differentiating the right side with respect to l gives
//
//	e_0 = 1,  e_1 = 0,  e_(i+1) = -(i e_i + tau e_(i-1))/((i+1) m).
//
// Let g_i be the i-th derivative of H at 0. Then f/h(tau) is the sum of e_i g_i over all i. Let x = q/p. Let the
// weights w(y) be proportional to P[Y = y] p^y, and let their sum be 1. Let E_w be the mean under these weights. Then
// the following equations hold.
//
//	H(s) = sum of w(y) (1 + x(1-e^-s))^y.
//	The number g_i is the sum over j <= i of (-1)^(i-j) S(i,j) x^j E_w[Y (Y-1) ... (Y-j+1)].
//	The number h(tau) is p^k F, multiplied by the sum of all c_d.
//	F = m(m-1)...(m-k+1)/m^k.
//	The number c_d is S(k,k-d)/((p (m-k+1)) ... (p (m-k+d))).
//
// The weight w(k-d) is c_d, divided by the sum of all c_d. The number F is the sum of c(k,k-d) (-1/m)^d over d. Here
// S(k,i) are the Stirling numbers of the second kind. The numbers c(k,i) are the absolute values of the Stirling
// numbers of the first kind. Both S(k,k-d) and c(k,k-d) are log-concave in d, and both are at most C(k,2)^d/d!. There
// are two reasons. The number S(k,k-d) counts set partitions, and each partition has a spanning forest of d edges. The
// number c(k,k-d) is an elementary symmetric function of 1, ..., k-1. Now let k^2 <= p m. Then each term of the sum for
// F is at most half of the term before, and F >= 1/2. Moreover, c_d is at most 0.6 times c_(d-1). So both sums can be
// cut off after a small term.
//
// The second part bounds the terms that are left out. Let I be the number of terms that are summed. Write H as a power
// series in s. Let r(s) be the sum of its terms from s^I on. Let rho = ln(1+I/y) with y = kx. H is a product of k
// factors 1 + b(1-e^-s) with 0 <= b <= x. Compare the series of H with the series of the product of the k factors 1 +
// b(e^s-1). For each power of s, compare the two coefficients. The absolute value of the first is at most the second.
// For s >= 0 this product is at most e^(y(e^s-1)). At s = rho, this bound is e^I. The coefficients of the product are
// positive. Consider the circle t = tau e^(i theta), and let sigma = |sin(theta/2)|. On this circle, s = t - tau has
// the absolute value 2 tau sigma. If |s| >= rho on the circle, the terms of H below s^I add up to at most (|s|/rho)^I
// e^I. If |s| <= rho, |r| is at most this number. Moreover |H| <= e^(k tau sigma^2), by the comment of
// contourStandard.mass. So |r| is at most 2 (|s|/rho)^I e^I e^(k tau sigma^2) everywhere. On the circle, |e^(m t)/t^N|
// = e^(N - 2N sigma^2)/tau^N. Let A = 2N - k tau. Let J be the integral of e^(-A sigma^2) (2 tau sigma)^I over theta in
// [-pi, pi]. Then |L[r]| has the following upper bound:
//
//	(e/rho)^I N! e^N/N^N J/pi.
//
// With v = sigma^2, J is 2 (2 tau)^I times another integral. This integral is over v from 0 to 1, and its integrand is
//
//	e^(-A v) v^((I-1)/2) (1-v)^(-1/2).
//
// For v <= 1/2, (1-v)^(-1/2) <= e^(v ln 2). Let A' = A - ln 2. Then the part of the integral with v <= 1/2 is at most
// Gamma((I+1)/2) A'^(-(I+1)/2). The part with v > 1/2 is at most sqrt 2 e^(-A/2). For A >= 8(I+1) this is less than
// 10^-4 of the first bound. Now use four inequalities. The fourth inequality holds for even I.
//
//	First, N! <= sqrt(2 pi N) (N/e)^N e^(1/(12N)).
//	Second, rho >= I/(y+I/2).
//	Third, 2N <= 1.37 A'.
//	Fourth, Gamma((I+1)/2) <= sqrt(2 pi) (I/(2e))^(I/2).
//
// They give
//
//	|L[r]| <= 4 Q^(I/2),  Q = 2e (tau (y+I/2))^2/(I A').
//
// The third part bounds the rounding errors. The power p^k has a relative error of at most k 2^-61.9. The result is p^k
// (1+c), where c is computed in one word. Let a = tau y(y+1)/(2m) and b = k^2/(p m). The sum of the absolute values of
// the terms in e_i g_i is at most A_i. Here A_2 = a, and the other A_i follow from
//
//	A_(i+1) = (y+i)/m A_i + tau (y+i)(y+i-1)/((i+1)m) A_(i-1).
//
// The reason is that the sum of S(i+1,j) y^j is at most y+i times the sum of S(i,j) y^j. For Q^(I/2) <= 2^-56, tau
// (y+I/2)^2/m is at most 0.0145 I. So a <= 0.174. The factor of A_(i-1) depends on i. It is at most 0.174 for i = 1,
// 0.087 for i = 3, and 0.116 for i > 3. The factor of A_i is at most 1/sqrt N + min(tau/4, 0.058/tau) < 0.35. The
// rounding error of e_i g_i is at most (13i + 70)u A_i (u = 2^-53). Together, these errors are at most 210u times a.
// The error of F is below 12 u b. The error of the sum of the c_d is below 16 u b. F times the sum of the c_d is at
// most 1.7. By Jensen's inequality, f >= p^k. So c has an error of at most 2^-44 (a+b) + 8 Q^(I/2). The relative error
// of the result is below (100 + k/400) u. If a and b are small, this relative error is only slightly above u.
func standardLarge(m uint64, balls fm.Double, k int) (f fm.Scaled, sure, ok bool) {
	var l largeStandard
	if !l.init(m, balls, k) {
		return f, false, false
	}
	if l.spread >= 8*(mostMoments+1) && l.leftOut(mostMoments) > momentsEnd {
		return f, false, false // fewer terms would leave out more
	}
	terms, rest := 2, 1.0
	for rest > momentsEnd {
		if terms += 2; terms > mostMoments || l.spread < float64(8*(terms+1)) {
			return f, false, false
		}
		rest = l.leftOut(terms)
	}
	apart, more := l.front()
	g := l.sum(terms, more)
	c := apart + more + float64(apart*more) + float64(float64((1+apart)*(1+more))*g)
	f = l.p.Scale().Pow(k).Times(fm.Double{Hi: c}.AddFloat(1))
	return f, l.ordered(c, rest), true
}

// Let the rate be p^k (1+c). The method "ordered" reports whether the rate certainly lies between its bounds bloom and
// upper (see bloomRate). The argument "rest" is the bound of the terms left out.
//
// Let N = kn and x = q/p. The quotient bloom/p^k is at most exp(x k N (-ln(1-1/m) - 1/m)). Let D = n (-ln(1-k/m) -
// k/m), which is at least k tau/(2m). The quotient upper/p^k is at least 1 + k x (D - D^2/2).
func (l *largeStandard) ordered(c, rest float64) bool {
	slack := 0x1p-44*(l.y*(l.y+1)*l.tau/l.m+l.b) + 0x1p-61*l.k + 2*rest
	low := l.y * l.tau / (2 * l.m)
	return c-slack > low*(1+2*low+2/l.m) && c+slack < low*l.k*(1-l.k*l.tau/l.m)
}

// A largeStandard holds the numbers that the comment of standardLarge defines.
type largeStandard struct {
	m, k, tau, x, y, b float64
	spread             float64 // A
	p                  fm.Double
	positions          int                       // k
	w                  [occupancy.TableK]float64 // the c_d
	last               int                       // the number of c_d
}

// The method "init" sets all fields except "w" and "last". It reports whether the filter lies in the domain of the
// series. It does not check the conditions that depend on the number of terms.
func (l *largeStandard) init(m uint64, balls fm.Double, k int) bool {
	t := balls.Quo(fm.Whole(m))
	l.m, l.k, l.tau, l.positions = float64(m), float64(k), t.Hi, k
	if k > occupancy.TableK || !(l.tau >= leastLoad && l.tau <= mostLoad) || l.k*l.k > l.m*l.tau {
		return false
	}
	l.p = t.Hit()
	q := l.p.Neg().AddFloat(1).Hi
	l.x = q / l.p.Hi
	l.y = l.k * l.x
	l.b = l.k * l.k / (l.p.Hi * l.m)
	l.spread = 2*balls.Hi - l.k*l.tau
	// Let Y be the number of urns that k balls occupy. Its mean is at least k - k(k-1)/(2m). The number q is near the
	// probability of a clear bit. So E[Y] times this probability is above nearlyFull. Therefore the rate is not
	// represented by its distance from 1.
	return l.b <= 1 && (l.k-l.k*l.k/(2*l.m))*q >= nearlyFull+0.01
}

// leftOut returns 4 Q^(I/2), the bound of the terms left out (see standardLarge). The argument "terms" is I, the
// number of terms that are summed. It is even.
func (l *largeStandard) leftOut(terms int) float64 {
	i := float64(terms)
	z := l.tau * (l.y + i/2)
	q := twiceE * z * z / (i * (l.spread - 1))
	bound := 4.0
	for ; terms > 0; terms -= 2 {
		bound *= q
	}
	return bound
}

// The method "front" computes the numbers c_d that the comment of standardLarge defines. It returns F - 1, and the sum
// of all c_d except c_0 = 1.
func (l *largeStandard) front() (apart, more float64) {
	first, second := &occupancy.Stirling1()[l.positions], &occupancy.Stirling2()[l.positions]
	power := 1.0
	for d := 1; d < l.positions; d++ {
		power /= -l.m
		term := power * first[l.positions-d]
		apart += term
		if fm.Abs(term) < frontEnd {
			break
		}
	}
	l.w[0], l.last = 1, 1
	power = 1.0
	for ; l.last < l.positions; l.last++ {
		power /= l.p.Hi * (l.m - (l.k - float64(l.last)))
		c := power * second[l.positions-l.last]
		if c < frontEnd {
			break
		}
		l.w[l.last] = c
		more += c
	}
	return apart, more
}

// The method "sum" returns the sum of e_i g_i over 1 <= i < terms (see standardLarge). The argument "more" is the sum
// of all c_d except c_0 = 1.
func (l *largeStandard) sum(terms int, more float64) float64 {
	w := l.w                         // the c_d times (k-d)(k-d-1)...(k-d-j+1)
	var moments [mostMoments]float64 // x^j E_w[Y (Y-1) ... (Y-j+1)]
	power := 1 / (1 + more)
	for j := 1; j < min(terms, l.positions+1); j++ {
		power *= l.x
		sum := 0.0
		for d := l.last - 1; d >= 0; d-- {
			w[d] *= l.k - float64(d+j-1)
			sum += w[d]
		}
		moments[j] = power * sum
	}
	second := occupancy.Stirling2()
	g, before, e := 0.0, 1.0, 0.0 // before and e are e_(i-1) and e_i
	for i := 1; i < terms-1; i++ {
		before, e = e, -(float64(float64(i)*e)+float64(l.tau*before))/(float64(i+1)*l.m)
		s := second[i+1][:]
		derivative := 0.0
		for j := 1; j <= i+1; j++ {
			derivative = float64(s[j]*moments[j]) - derivative
		}
		g += float64(e * derivative)
	}
	return g
}

const (
	leastLoad = 0x1p-30 // the least tau
	mostLoad  = 5       // the largest tau
	twiceE    = 5.437   // 2e, rounded up
	frontEnd  = 0x1p-64 // the sums for F and of the c_d end at a smaller term
)
