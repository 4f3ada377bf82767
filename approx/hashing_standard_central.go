package approx

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
)

// standardCentral computes the rate f of a standard filter by sums of positive terms. The result ok is false if the
// filter lies outside the domain of inCentral, or if one of the sums is too long.
//
// Let N be the number of balls, and let Y be the number of urns that k balls occupy. Let D(y) be the probability that N
// balls occupy y given urns. As in standardSmall, f is the sum of P[Y = y] D(y) over y. The number (-1)^y D(y) is the
// y-th difference of g(v) = (1-v/m)^N. The derivatives of g are powers of 1-v/m. Let a = N-y and c = m-y/2. The sum in
// central.go gives two equations:
//
//	D(y) = N!/(N-y)! m^-y (1-y/(2m))^(N-y) F(y),
//	F(y) = sum over j of s(y,j) a(a-1)...(a-2j+1) c^(-2j).
//
// Let d = k-y. P[Y = y] is S(k,y) m!/(m-y)! m^-k, where S(k,y) are the Stirling numbers of the second kind. So f is the
// product of two numbers. The first is P[Y = k] D(k)/F(k). The second is the sum of T(d) over d.
//
//	T(d) = S(k,y) F(y) e^w product over 0 < i <= d of m/((m-k+i)(N-k+i)).
//	The exponent w is (N-y) ln(1-y/(2m)) - (N-k) ln(1-k/(2m)).
//	It also equals d ln(1-k/(2m)) + (N-y) ln(1+d/(2m-k)).
//
// The quotients T(d+1)/T(d) decrease, for these reasons. First, the numbers P[Y = y] are the distribution of a sum of
// independent indicators. So they are log-concave. Second, D(y) is the mean of C(X,y)/C(m,y), where X is the number of
// urns that N balls occupy. X also has the distribution of a sum of m independent indicators, with probabilities p_i.
// So the mean of C(X,y) is the y-th elementary symmetric function of the p_i. By Newton's inequalities, the quotient of
// this function and C(m,y) is log-concave in y. The sum ends at a term that is at most centralEnd times the sum. This
// term must also be at most half of the term before. Divide the terms left out by the sum. The quotient is at most 1.46
// times the constant centralEnd, for the following reasons.
//
// Each term T(d) contains a sum F(y). Some terms of F(y) are left out too. Let T be the last computed term, and let B
// be the computed term before it. The unit of T and B is centralEnd times the sum. Then T <= 1 and T <= B/2. The sum
// F(y) in T leaves out some terms. These terms contribute at most e = 1.01 innerEnd/centralEnd to T (see innerEnd). The
// number e is below 0.127. The omitted terms also contribute at most 0.34 T, for two reasons. A sum F(y) ends at a term
// that is at most half of the term before. The omitted terms of F(y) add up to at most 1.01 times the last term. So the
// true last term is at most L = min(T+e, 1.34 T). The true value of the term before the last is at least B. Since the
// quotients decrease, the terms left out are at most L^2/(B-L). First let B >= 1/2. Then the case B = 2, T = 1 and L =
// T+e gives the largest value of this bound. That value is below 1.46. Now let B < 1/2. Then the bound is below 0.7,
// because L <= 0.67 B.
//
// Error: relative, at most (38 + 7.1k)u (u = 2^-53). The number (N-k)/(m-k/2) is at most 3(1+u) (see inCentral). When y
// decreases by 1, N-y increases by 1 and c by 1/2. So (N-y)/c is at most 3(1+u) for all y <= k. Hence F(y) has an error
// of at most (16 + 1.9k)u. The product has d factors, and each contributes 3u. Both terms of w have relative errors of
// 4.1u. The absolute value of the first term is at most 0.14d. That of the second term is at most 1.65d. The reason is
// that m >= 4k and d/(2m-k) <= 1/7. So together, the product and w contribute an error below 10.4du. The mean of d,
// weighted with the terms, is at most 0.4k+1. Otherwise ok is false. The table of S, the exponential and three products
// contribute 6.1u. The additions contribute ku. The terms that the sums F(y) leave out contribute 0.6u (see innerEnd).
// The terms that the sum over d leaves out contribute 0.1u. The factor P[Y = k] D(k)/F(k) is computed in two words.
// This factor and two products together contribute 2.1u.
func standardCentral(m uint64, balls fm.Double, k int) (f fm.Scaled, ok bool) {
	mf, n, kf := float64(m), balls.Hi, float64(k)
	if !inCentral(m, n, k, mf-kf/2) {
		return f, false
	}
	table, last := centrals(), mostTerms(k)
	numbers := &occupancy.Stirling2()[k]
	ln := fm.Log1p(-kf / (2 * mf))
	sum, shift, before := 0.0, 0.0, 0.0
	product, t := 1.0, 1.0
	for d := 0; ; {
		df := float64(d)
		y := kf - df
		c := mf - y/2
		g, ok := centralSum(table[k-d][:last], n-y, 1/float64(c*c), max(centralEnd, innerEnd*sum/t))
		if !ok {
			return f, false
		}
		t = float64(t * g)
		sum += t
		shift += float64(df * t)
		if t <= centralEnd*sum && 2*t <= before {
			break
		}
		if d++; d == k {
			break
		}
		before = t
		df++
		y--
		product *= mf / float64((mf-y)*(n-y))
		t = float64(product*numbers[k-d]) * fm.Exp(float64(df*ln)+float64((n-y)*fm.Log1p(df/(2*mf-kf))))
	}
	if !(shift <= (float64(mostShift*kf)+1)*sum) {
		return f, false
	}
	f = fm.FallingQuo(mf, mf, k).Mul(fm.FallingQuo(n, mf, k))
	z, e := balls.AddFloat(-kf).Mul(fm.LogMissShort(uint64(k), 2*m)).ExpWords()
	f = f.Times(z).Times(fm.Double{Hi: sum})
	f.Exp += e
	return f, true
}

// The mean of d in standardCentral may be at most mostShift k + 1. The code checks this. The largest of these means
// were found for filters with one item. For one item, the mean is k (1-1/k)^k < k/e = 0.368k in the limit of large m.
// For smaller m it is larger. The largest quotient of mean and k that was found is 0.3785, for k = 64 and m = 256.
const mostShift = 0.4

// The computed sums F(y) are incomplete: each leaves out some terms. One of two bounds holds for these terms. By the
// first bound, they change T(d) by at most 1.01 innerEnd times the partial sum over d. By the second bound, the
// relative change of F(y) is at most 1.01 centralEnd. The second bound holds because F(y) >= 1. There are at most 64
// sums F(y). So together they leave out at most 0.6u of the sum over d (u = 2^-53).
const innerEnd = 0x1p-60
