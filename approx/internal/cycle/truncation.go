package cycle

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
)

// The function Truncation gives no bound if sigma is below leastSet*k. If sigma is larger, the states with fewer than k
// set bits are few compared with the other states.
const leastSet = 4

// The function Poles returns an upper bound of the quotient S/V_0(b). Here S is the sum of |V_r(b)| over r = 1, ...,
// k-1. V_r(b) is the contribution of the r-th pole to the mean number of arrivals that find b bits set (see closed.go).
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

// Truncation bounds the truncation error of the closed form. The closed form leaves out all poles except the pole with
// index r = 0. This error is the sum of two relative errors. The first error is that of E[N], the mean number of
// arrivals. The second error is that of the false-positive rate. The result is +Inf if no bound is known. The comment
// at the top of closed.go explains l_r, c_r, V_r, P_r and w.
//
// First we bound the l_r and c_r, for m >= 2k^2. With standard hashing |l_r| = 2m sin(pi r/k) >= 4mr/k for r <= k/2.
// The other l_r are the complex conjugates of these. With classic hashing, let a = m-(k-1)/2. Let x_i = i-(k-1)/2 for 0
// <= i < k. Then m-l_r = y+(k-1)/2. Here y is a root of an equation: the product of all (y-x_i) equals the product of
// all (a-x_i). The x_i are symmetric about 0. So by Rouche's theorem there is one root y for each r: y = a w^r (1+z)
// with |z| <= k^2/(9 a^2). So in both cases the following bounds hold for t <= k:
//
//	|l_r-t| >= 3mr/k,  |c_r| <= m/k,  |c_r/l_r| <= 1/(3r).
//
// Second, we bound the products P_r. With standard hashing, let x = t/m and h = 1-cos(2 pi r/k). A factor of |P_r|^2 is
//
//	(1-x)^2/|1-x w^-r|^2 = 1/(1 + 2xh/(1-x)^2) <= e^(-2xh).
//
// The inequality holds because ln(1+2xh/(1-x)^2) is concave in h. At h = 2 this logarithm is 4 artanh x >= 4x. With
// classic hashing x is x_t/a. If x < 0, a factor is at most (1-x)/(1+x). The number z adds at most |z|k/4 to the
// logarithm of a factor. Together these two effects add at most 0.15 + k^3/(36m) to the logarithm of the product.
// Suppose that d <= k. Then the product from t = d to t = sigma satisfies
//
//	|P_r(sigma+1)| <= 1.2 e^(k^3/(30m)) e^(-h (sigma-k)^2/(2m)).
//
// Let h_r be the number h for the index r. E[N] is at least (sigma-k)/k. Add up |c_r/l_r P_r(sigma+1)| over all r > 0.
// The sum is at most
//
//	B = (2/3) 1.2 e^(k^3/(30m)) sum over r <= k/2 of e^(-h_r (sigma-k)^2/(2m))/r.
//
// Third we bound the error of the rate. For each number d of distinct positions, this is the error of the sum over b <=
// sigma of V(b) C(b,d)/C(m,d). The sum for V_0 is at least the following number.
//
//	The number is C(sigma+1,d+1)/(k C(m,d)).
//	It equals (sigma+1) C(sigma,d)/(k (d+1) C(m,d)).
//
// The sum for V_r is the difference of two sums of V_r(b) C(b,d)/C(m,d). The first is the sum over all b. The second is
// the sum over b > sigma.
//
// Consider a cycle that starts with s bits. By Vandermonde's theorem, the first sum is a sum over i. The term for i is
//
//	(-1)^(i+1) c_r [C(s,d-i)/C(m,d)] [(m-s)...(m-s-i+1)] / [l_r (l_r-1)...(l_r-i)].
//
// For s = 0 only the term with i = d remains. This term is at most (k/3r)^(d+1)/(k C(m,d)). For s <= k the sum over i
// is at most (1+3/k)^k <= e^3 times this bound. The final bound has the factor e^3 (1+ln k) instead of e^3. This larger
// factor also covers the sum over r. Moreover it covers the part of V_0 that is missing because the cycle starts with s
// bits.
//
// For the second sum, consider the sum of V_r over all states from b on. Its absolute value is |c_r/l_r P_r(b)|. Let
// A(b) be the product of this absolute value and C(b,d). If h sigma^2 >= 5 k m, A(b+1) is at most e^(-h sigma/(2m))
// A(b). Summation by parts gives an upper bound of the second sum:
//
//	(3/C(m,d)) |(c_r/l_r) P_r(sigma+1)| C(sigma+1,d).
//
// The total over r is at most 4 B k (d+1)/sigma times the sum for V_0.
//
// If h sigma^2 is smaller, summation by parts up to sigma gives the bound 2 B_0 C(sigma,d)/C(m,d). Here B_0 is the
// number B with all powers e^(-h_r (sigma-k)^2/(2m)) replaced by 1.
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
	// Truncation returns the sum of two bounds. The first is for E[N], the mean number of arrivals. The second is for
	// the error of the rate. The comment of Truncation derives these bounds. If the following condition holds, the
	// bounds are B_0 and 2 B_0, each multiplied by further factors. Otherwise B replaces B_0, and 4 B replaces 2 B_0.
	if least*s*s < 5*k*m {
		return 3*none*k*(k+1)/s + closedBoundary(g, s, retain)
	}
	return 5*bound*k*(k+1)/s + closedBoundary(g, s, retain)
}

// The comment of Truncation defines two sums. closedBoundary returns a bound of the quotient of these sums. The
// numerator is the sum for V_r over all b. The denominator is the same sum for V_0. Each number d of distinct positions
// has the weight P[D = d], the probability that a message has d distinct positions. The quotient of the bounds for d-1
// and d is (P[D = d-1]/P[D = d]) (3 (m-d+1)/(k d)). This factor is at most 3 (k-1)/(2d), because S(k,d-1)/S(k,d) <=
// S(k,k-1) for the Stirling numbers S. So the sum of the bounds over all d is at most (3e/2)^k times the bound for d =
// k.
func closedBoundary(g bloomproof.Geometry, sigma float64, retain bool) float64 {
	k := float64(g.K)
	const (
		allOfThem = 4.1 // 3e/2
		startsOf  = 42  // 2 e^3, for a cycle that begins with s <= k bits set
	)
	all := allOfThem
	if message.Avoids(g) { // D is always k
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
