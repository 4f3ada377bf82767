package cycle

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
)

// leastSet is how many bits, in k, are set where the states below k are few beside the others.
const leastSet = 4

// Poles bounds the sum of |V_r(b)|, r > 0, relative to V_0(b).
func Poles(g bloomproof.Geometry, b uint64) float64 {
	k, m := float64(g.K), float64(g.M)
	switch {
	case g.K == 1:
		return 0
	case !message.FewPositions(g) || b < uint64(g.K):
		return fm.Inf()
	}
	square := (float64(b) - k) * (float64(b) - k) / (2 * m)
	sum := 0.0
	for r := 1.0; r < k; r++ {
		_, cos := fm.SincosAny(fm.TwoPi * r / k)
		sum += fm.Exp(-(1 - cos) * square)
	}
	return message.PoleFactor(g.M, g.K) * sum
}

// Truncation bounds the relative errors of E[N] and of the rate that the poles r > 0
// would mend, together; it is +Inf where this is not known.
//
// The poles, m >= 2k^2. If standard, |l_r| = 2m sin(pi r/k) >= 4mr/k for r <= k/2, the
// others being conjugate. If classic, let a = m-(k-1)/2 and x_i = i-(k-1)/2, 0 <= i < k:
// m-l_r = y+(k-1)/2 with product of (y-x_i) = product of (a-x_i), and as the x_i are
// symmetric about 0, y = a w^r (1+z) with |z| <= k^2/(9 a^2), one root for each r (Rouche's
// theorem on that circle). So in both cases, for t <= k,
//
//	|l_r-t| >= 3mr/k,  |c_r| <= m/k,  |c_r/l_r| <= 1/(3r).
//
// The products. If standard, with x = t/m and h = 1-cos(2 pi r/k), a factor of |P_r|^2 is
//
//	(1-x)^2/|1-x w^-r|^2 = 1/(1 + 2xh/(1-x)^2) <= e^(-2xh),
//
// for ln(1+2xh/(1-x)^2) is concave in h and at h = 2 it is 4 artanh x >= 4x. If classic, x is
// x_t/a; where x < 0 a factor is at most (1-x)/(1+x), and z adds at most a|z|k/(4a) to the
// logarithm of a factor: all together 0.15 + k^3/(36m). From d <= k on and to t = sigma,
//
//	|P_r(sigma+1)| <= 1.2 e^(k^3/(30m)) e^(-h (sigma-k)^2/(2m)).
//
// E[N] is at least (sigma-k)/k, and sum over r of |c_r/l_r P_r| at most
//
//	B = (2/3) 1.2 e^(k^3/(30m)) sum over r <= k/2 of e^(-h_r (sigma-k)^2/(2m))/r.
//
// The rate. For each d the terms of V_0 add up to at least C(sigma+1,d+1)/C(m,d)/k =
// C(sigma,d)/C(m,d) (sigma+1)/(k(d+1)), and those of V_r to
//
//	sum over all b - sum over b > sigma of V_r(b) C(b,d)/C(m,d).
//
// By Vandermonde's theorem the first is, from start s, the sum over i of C(s,d-i)/C(m,d)
// c_r (-1)^(i+1) (m-s)...(m-s-i+1)/(l_r (l_r-1)...(l_r-i)). For s = 0 only i = d is there:
// at most (k/3r)^(d+1)/(k C(m,d)); for s <= k the sum over i is at most (1+3/k)^k <= e^3 times
// that, and e^3 (1+ln k) also covers the sum over r and what the start leaves out of V_0.
//
// The second: the tail sums of V_r are c_r/l_r P_r(b) in size, whose products with C(b,d)
// fall by a factor e^(-h sigma/(2m)) or more where h sigma^2 >= 5 k m, so that by
// Abel's summation it is at most 3 |c_r/l_r P_r(sigma+1)| C(sigma+1,d)/C(m,d), at most
// 4 B k (d+1)/sigma of the sum of V_0.
//
// Where h sigma^2 is less, Abel's summation up to sigma gives 2 B_0 C(sigma,d)/C(m,d), B_0
// being B without its last factor.
func Truncation(g bloomproof.Geometry, sigma uint64, retain bool) float64 {
	k, m, s := float64(g.K), float64(g.M), float64(sigma)
	switch {
	case g.K == 1: // there are no other poles
		return 0
	case !message.FewPositions(g) || s < leastSet*k:
		return fm.Inf()
	}
	worst := 2. / 3 * message.PoleFactor(g.M, g.K)
	bound := 0.0 // B
	none := 0.0  // B_0
	square := (s - k) * (s - k) / (2 * m)
	_, cos := fm.SincosAny(fm.TwoPi / k)
	least := 1 - cos
	for r := 1.0; r <= k/2; r++ {
		_, cos := fm.SincosAny(fm.TwoPi * r / k)
		bound += worst * fm.Exp(-(1-cos)*square) / r
		none += worst / r
	}
	// B or B_0 for E[N], and 4 B or 2 B_0 for the rate.
	if least*s*s < 5*k*m {
		return 3*none*k*(k+1)/s + closedBoundary(g, s, retain)
	}
	return 5*bound*k*(k+1)/s + closedBoundary(g, s, retain)
}

// closedBoundary bounds the first sum above relative to that of V_0 for d = k. Its bound
// for d-1 is that for d times P[D = d-1]/P[D = d] 3 (m-d+1)/(k d), at most 3 (k-1)/(2d), as
// S(k,d-1)/S(k,d) <= S(k,k-1): all d together have at most (3e/2)^k times that of k.
func closedBoundary(g bloomproof.Geometry, sigma float64, retain bool) float64 {
	k := float64(g.K)
	const (
		allOfThem = 4.1 // 3e/2
		startsOf  = 42  // 2 e^3, for a cycle that begins with s <= k bits set
	)
	all := allOfThem
	if message.Avoids(g) { // there is but D = k
		all = 1
	}
	term := 2 * (1 + fm.Log(k)) * k / 3 / (sigma + 1)
	for i := 1.0; i <= k; i++ {
		term *= all * k / 3 * (i + 1) / (sigma + 1 - i)
	}
	if retain {
		term *= startsOf
	}
	return term
}
