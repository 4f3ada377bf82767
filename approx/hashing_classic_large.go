package approx

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
)

// classicLarge computes the rate of a classic filter whose number m of bits is large compared with k^2. It takes less
// than a microsecond. The result ok is false if the filter lies outside the domain of the series.
//
// The first part of this comment derives the series. The probability g(j) in the comment of classicRate is also the
// product over i < k of (1 - j/(m-i))^n. Let S_r be n times the sum over i < k of (m-i)^-r. Let tau = S_1, q = e^-tau,
// p = 1-q and x = q/p. Let E(l) be e^(-tau l) times the product of (1 + l/(m-i))^n over i < k. Let e_i be the
// coefficients of this function. It satisfies
//
//	E(l) = exp(sum over r >= 2 of (-1)^(r-1) S_r l^r/r).
//
// Then g(j) = q^j E(-j). The function E is entire. Let H(s) = (1 + x(1-e^-s))^k = p^-k (1 - q e^-s)^k. Let g_i be the
// i-th derivative of H at 0. It is p^-k times the sum of C(k,j) (-q)^j (-j)^i over j. The first coefficients are e_0 =
// 1 and e_1 = 0. So f, the numbers e_i and the numbers g_i satisfy three equations.
//
//	The quotient f/p^k is the sum over i of e_i g_i.
//	The number (i+1) e_(i+1) is the sum over 1 <= r <= i of (-1)^r S_(r+1) e_(i-r).
//	The number g_i is the sum over j <= i of (-1)^(i-j) S(i,j) x^j k(k-1)...(k-j+1).
//
// Here the numbers S(i,j) are the Stirling numbers of the second kind.
//
// The second part bounds the terms that are left out. Let N = kn, mu = m-k+1, y = kx and t = N/mu^2. Each S_r is at
// most N/mu^r. So |e_i| is at most the coefficient of l^i in the power series of
//
//	exp(N(-ln(1-l/mu) - l/mu)).
//
// For any R = h mu with h < 1, this coefficient is at most
//
//	R^-i exp(N h^2/2 (1 + (2/3) h/(1-h))).
//
// Moreover |g_i| is at most the i-th derivative of e^(y(e^s-1)) at s = 0. For any rho > 0 this derivative is at most i!
// rho^-i e^(y(e^rho-1)). Take h = sqrt(i/N) and rho = ln(1+i/y) >= i/(y+i/2). Let Q_i = e^(1 + (2/3)h/(1-h)) t
// (y+i/2)^2/i. Then
//
//	|e_i g_i| <= sqrt(2 pi i) e^(1/(12i)) Q_i^(i/2).
//
// Let I be the number of terms that are summed. Let I <= i <= J with J <= N/9, so that h <= 1/3. Since (y+i/2)^2/i is a
// convex function of i, it is largest at I or at J. Multiply the value at I by e^(4/3) t. Do the same with the value at
// J. The code makes sure that both products are at most e^-2.85. The derivative of (i/2) ln Q_i with respect to i is at
// most
//
//	(ln Q_i)/2 + 1/2 + h/(6(1-h)^2) <= -0.8.
//
// So each bound is at most 1.12 e^-0.8 < 0.504 times the bound before it. For I >= 4 the terms from I to J-1 add up to
// at most 5.17 sqrt(I) Q_I^(I/2).
//
// From J on, two other bounds are used. The first bound is |g_i| <= G k^i with G = ((1+q)/p)^k. The second bound is
// again the bound of |e_i| above. In that bound, h is now 4k/mu, which is at most 4/31. With these bounds the terms add
// up to at most (4/3) 4^-J G e^(8.8 t k^2). The number J is chosen so that this is below 2^-60.
//
// The third part bounds the rounding errors. Let a = m - (k-1)/2. Let s run over the k numbers -(k-1)/2, ..., (k-1)/2.
// The number S_r is N/a^r times the mean of (1-s/a)^-r. This mean is 1 plus the sum over even d of C(r+d-1,d) times the
// mean of (s/a)^d. Since m >= 32k, |s/a| is at most 1/63. The sum ends at d = 8. For tau, the omitted terms have the
// sum 63^-10/11, which is below 2^-63. The quotient N/a has two words. So the error of tau is below 2^-62 tau. It
// contributes at most 2^-62 tau y <= 2^-62 k to f/p^k. TestClassicLargeErrorsDerivedTwice adds up the rounding errors
// of e_i g_i, for the largest terms that the conditions above permit. The sum is below 16u (u = 2^-53). The absolute
// value of f/p^k - 1 is below 1/3. The number Q_I is so small that the terms left out are below 2^-49. So the relative
// error is at most (16 + 16 + 1) 3/2 u < 50u.
func classicLarge(m, n uint64, k int) (f fm.Scaled, ok bool) {
	var l largeClassic
	if !l.init(m, fm.WholeProduct(n, uint64(k)), k) {
		return f, false
	}
	if l.leftOut(mostMoments) > classicEnd {
		return f, false // fewer terms would leave out more
	}
	for terms := 4; terms <= mostMoments; terms += 2 {
		if l.leftOut(terms) <= classicEnd {
			return l.p.Scale().Pow(k).Times(fm.Double{Hi: l.sum(terms)}.AddFloat(1)), true
		}
	}
	return f, false
}

// The comment of classicLarge defines the numbers in a largeClassic.
type largeClassic struct {
	k, balls, x, y float64
	inverse        float64 // 1/a
	t              float64 // N/mu^2
	growth         float64 // Q_I is at most growth (y+I/2)^2/I
	p              fm.Double
	means          *[5]float64 // the means of s^0, s^2, ...
}

// init sets all fields. It also reports whether the filter lies in the domain of the series. It does not check the
// conditions that depend on the number of terms.
func (l *largeClassic) init(m uint64, balls fm.Double, k int) bool {
	if k > occupancy.TableK || m < 32*uint64(k) {
		return false
	}
	l.k, l.balls, l.means = float64(k), balls.Hi, &evenMeans[k]
	a := fm.Whole(m).AddFloat((1 - l.k) / 2)
	l.inverse = 1 / a.Hi
	z := l.inverse * l.inverse
	tau := balls.Quo(a)
	rest := l.means[1] + float64(z*(l.means[2]+float64(z*(l.means[3]+float64(z*l.means[4])))))
	tau = tau.Add(tau.MulFloat(z * rest))
	if !(tau.Hi >= leastLoad && tau.Hi <= mostLoad) {
		return false
	}
	l.p = tau.Hit()
	q := l.p.Neg().AddFloat(1).Hi
	l.x = q / l.p.Hi
	l.y = l.k * l.x
	mu := float64(m) - l.k + 1
	l.t = l.balls / mu / mu
	lost := float64(l.k * (fm.Log((1+q)/l.p.Hi) / fm.Ln2))      // log2 G
	far := fm.Floor((lost+float64(12.71*l.t*l.k*l.k)+61)/2 + 1) // J
	if far*9 > l.balls || !l.falls(far) {
		return false
	}
	h := fm.Sqrt(mostMoments / l.balls)
	l.growth = l.t * fm.Exp(1.0001+2*h/(3*(1-h)))
	return true
}

// The method "falls" reports whether e^(4/3) t (y+i/2)^2/i is at most e^-2.85.
func (l *largeClassic) falls(i float64) bool {
	z := l.y + i/2
	return 3.8*l.t*z*z <= leastFall*i
}

// The method leftOut returns 5.17 sqrt(I) Q_I^(I/2), the bound of the terms left out (see classicLarge). If this number
// is not a valid bound, the method returns 1. The argument "terms" is the number I of terms summed, which is even.
func (l *largeClassic) leftOut(terms int) float64 {
	i := float64(terms)
	if !l.falls(i) {
		return 1
	}
	z := l.y + i/2
	q := l.growth * z * z / i
	bound := 5.17 * fm.Sqrt(i)
	for ; terms > 0; terms -= 2 {
		bound *= q
	}
	return bound
}

// The method "sum" returns the sum of e_i g_i over 1 <= i < terms (see classicLarge).
func (l *largeClassic) sum(terms int) float64 {
	var moments [mostMoments]float64 // (-x)^j k(k-1)...(k-j+1)
	moments[0] = 1
	for j := 1; j < terms; j++ {
		moments[j] = moments[j-1] * -l.x * (l.k - float64(j-1))
	}
	var sums, e [mostMoments]float64 // (-1)^(r-1) S_r, and e_i
	power, z := l.balls*l.inverse, l.inverse*l.inverse
	for r := 2; r < terms; r++ {
		power *= -l.inverse
		rf := float64(r)
		c2 := rf * (rf + 1) / 2
		c4 := c2 * (rf + 2) * (rf + 3) / 12
		c6 := c4 * (rf + 4) * (rf + 5) / 30
		c8 := c6 * (rf + 6) * (rf + 7) / 56
		rest := float64(c2*l.means[1]) + float64(z*(float64(c4*l.means[2])+float64(z*(float64(c6*l.means[3])+float64(z*float64(c8*l.means[4]))))))
		sums[r] = power * (1 + float64(z*rest))
	}
	e[0] = 1
	second := occupancy.Stirling2()
	c := 0.0
	for i := 2; i < terms; i++ {
		sum := 0.0
		for r := 2; r <= i; r++ {
			sum += float64(sums[r] * e[i-r])
		}
		e[i] = sum / float64(i)
		s := second[i][:i+1]
		even, odd := 0.0, 0.0
		for j := 2; j <= i; j += 2 {
			even += float64(s[j] * moments[j])
			odd += float64(s[j-1] * moments[j-1])
		}
		if i%2 == 1 {
			odd += float64(s[i] * moments[i])
			even, odd = -even, -odd
		}
		c += float64(e[i] * (even + odd))
	}
	return c
}

const (
	classicEnd = 0x1p-49 // the bound of the terms that classicLarge leaves out
	leastFall  = 0.0578  // e^-2.85, rounded down
)

// evenMeans[k][d] is the mean of s^(2d) over the numbers s = -(k-1)/2, ..., (k-1)/2.
var evenMeans = func() (t [occupancy.TableK + 1][5]float64) {
	for k := 1; k < len(t); k++ {
		for i := range k {
			s := float64(i) - float64(k-1)/2
			power := 1.0
			for d := range t[k] {
				t[k][d] += power / float64(k)
				power *= s * s
			}
		}
	}
	return t
}()
