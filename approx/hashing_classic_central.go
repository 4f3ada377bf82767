package approx

import (
	"sync"

	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/occupancy"
)

// classicCentral computes the rate f of a classic filter, for k >= 2. It uses sums of positive terms, and one sum with
// signs in which hardly any digits cancel. The result ok is false in three cases: the filter lies outside the domain of
// inCentral, one of the sums is too long, or too many digits cancel. For k = n = 1 the quotient in Q(1) is 0/0, and ok
// is false.
//
// By the sum in the comment of classicRate, (-1)^k f is the k-th difference of g(v) = [C(m-v,k)/C(m,k)]^n. Let A =
// m-(k-1)/2, and let s go through the k numbers -(k-1)/2, ..., (k-1)/2. Let N = kn. Each pair s, -s has a square s^2 >
// 0. Make a list of these squares, with n copies of each square. Let e(l) be the l-th elementary symmetric function of
// the list. Let x = A-v. Let P be the product of (A-s)^n over all s. Then two equations hold:
//
//	P g(v) = product of (x-s)^n over all s,
//	P g(v) = sum over l of (-1)^l e(l) x^(N-2l).
//
// Apply the sum in central.go at v = k/2 and x = X = m-k+1/2. Let a = N-2l-k. The result is the rate f. It contains
// three other numbers.
//
//	The rate f is N!/(N-k)! X^-k e^w sum over l of (-1)^l e(l) X^(-2l) Q(l) F(l).
//	The exponent w is N ln(X/A) - n sum of ln(1-s/A).
//	It also equals N ln(1-k/(2m-k+1)) + (n/2) sum over i > 0 of M(i)/(i A^(2i)).
//	Q(l) = product over i < 2l of (N-k-i)/(N-i).
//	F(l) = sum over j of s(k,j) a(a-1)...(a-2j+1) X^(-2j).
//
// M(i) is the sum of s^(2i) over the k numbers s. Let h(l) be the complete homogeneous symmetric functions of the same
// squares. Then e(l) <= h(l). Let z(i) = n M(i)/(2 X^(2i)). Newton's formulas are then
//
//	l e(l)/X^(2l) = sum over 1 <= i <= l of (-1)^(i-1) z(i) e(l-i)/X^(2l-2i).
//
// Without the signs, the same formulas hold for h.
//
// The numbers h(l) are log-concave, Q(l+1)/Q(l) decreases, and F(l) decreases. The sum over l ends at an l that meets
// two conditions. First, h Q F is at most centralEnd times the sum. Second, h(l) Q(l) is at most half of h(l-1) Q(l-1).
// So the terms left out are at most 1.02 centralEnd times the sum. From the first l for which a would be negative, Q(l)
// is 0. The sum for w ends at a small term too. There each term is at most 1/49 of the term before, because |s|/A <=
// 1/7 for m >= 4k.
//
// Error: relative, at most (94 + 7k)u (u = 2^-53). Let C = mostCancelled + k/64. Add up the terms h(l) Q(l) F(l), and
// the terms (-1)^l e(l) Q(l) F(l). The first sum is at most C times the second sum. Consider the mean of l under the
// weights h Q F. This mean is at most mostDegree. If one of these limits is exceeded, ok is false. Suppose that the
// error of a term, divided by h Q F, is c u on average. Then the second sum has a relative error of at most C c u.
//
// The number z(i) has an error of (3i+2.01)u. Let E(l) be a bound of the error of e(l), in units of u h(l). Let H(l) be
// a bound of the error of h(l), in the same units. Then E(0) = H(0) = 0. A sum of p terms rounds each term at most p-1
// times. The positive terms of e(l) go to one sum, and the negative terms go to another. Each sum has at most (l+1)/2
// terms. All l terms of h(l) are added in one sum. This gives the following bounds. Let i go from 1 to l. E(l) is at
// most the largest value of the first line. H(l) is at most the largest value of the second line.
//
//	The first line is (3i+2.01) + E(l-i) + 1 + (l-1)/2 + 2.
//	The second line is (3i+2.01) + H(l-i) + 1 + (l-1) + 1.
//
// The first four parts come from z(i), from e(l-i) or h(l-i), from their product, and from the additions. The last part
// comes from the quotient. For e(l), it also comes from the difference. By induction
//
//	E(l) <= 8.01l + l(l-1)/4,
//	H(l) <= 7.01l + l(l-1)/2.
//
// The induction replaces E(l-i) and H(l-i) by these bounds. Each maximum is then at i = 1. Its value is the bound for
// l. For l <= mostEven it follows that E(l) <= 12l and H(l) <= 15l. The errors of h affect only the stop rule and the
// checks.
//
// Q(l) has an error of 4lu. So c is the sum of five parts. The errors of e(l) and Q(l) are 12l and 4l. Together they
// contribute 16 mostDegree = 11.2. The sum F contributes 16 + 1.9k (see centralSum). Two products contribute 2. The
// additions go to two sums, and contribute at most mostEven/2 + 2. The terms left out contribute 0.1. Hence c <= 39.3 +
// 1.9k.
//
// The sum for w is at most 0.035k, for these reasons. By inCentral, N <= 3(1+u)X + k, and X = A - k/2. So N/A^2 is at
// most 3/A - k/(2A^2), apart from the factor 1+u. This decreases as A increases, and A > 3.5k. Hence N/A^2 < 0.817/k.
// The first term of the sum is N M(1)/(2kA^2), and M(1) < k^3/12. So the first term is below 0.0341k. The other terms
// are at most 1/48 of the first term in total.
//
// The sum for w has a relative error of at most 14.3u. The first term has an error of 5.01u, and the i-th term at most
// (3i+3.01)u. The i-th term is at most 49^(1-i) w. So the larger errors of the later terms add at most 0.1u. The sum
// has at most 12 terms. The first 9 additions contribute at most u each. The error of a further addition is at most the
// term that it adds. These terms are at most 0.12u w in total. The terms left out are below 0.01u w. So w contributes
// 14.3 times 0.035k units, which is below 0.51k.
//
// All other factors in front of the sum are computed in two words. Together with the last rounding, they contribute
// 2.1u. The total is at most C (39.3 + 1.9k) + 0.51k + 2.1 units. This is convex in k. For k = 2 the total is below 96,
// and 94 + 7k is 108. For k = 64 the total is below 534, and 94 + 7k is 542. So it is at most 94 + 7k for all k between
// them.
func classicCentral(m, n uint64, k int) (f fm.Scaled, ok bool) {
	kf := float64(k)
	balls, x := fm.WholeProduct(n, uint64(k)), float64(m)-kf+0.5
	if !inCentral(m, balls.Hi, k, x) {
		return f, false
	}
	nf, a, inverse := float64(n), balls.Hi, 1/float64(x*x)
	sums, table := &powerSums()[k], centrals()[k][:mostTerms(k)]
	// The next line leaves out most filters for which too many digits would cancel.
	if share := (a - kf) / a; nf/2*sums[1]*inverse*share*share > mostDegree {
		return f, false
	}
	var z, e, h [mostEven + 1]float64
	e[0], h[0] = 1, 1
	even, odd, size, degree := 0.0, 0.0, 0.0, 0.0
	q, scale, before := 1.0, nf/2, 1.0
	for l := 0; ; l++ {
		if l > mostEven {
			return f, false
		}
		lf := float64(l)
		if l > 0 {
			scale *= inverse
			z[l] = float64(scale * sums[l])
			var plus, minus float64 // i odd and i even
			var both float64
			for i := 1; i <= l; i += 2 {
				plus += float64(z[i] * e[l-i])
				both += float64(z[i] * h[l-i])
			}
			for i := 2; i <= l; i += 2 {
				minus += float64(z[i] * e[l-i])
				both += float64(z[i] * h[l-i])
			}
			e[l], h[l] = (plus-minus)/lf, both/lf
			q *= float64((a-kf)*(a-kf-1)) / float64(a*(a-1))
			a -= 2
			if q == 0 {
				break
			}
		}
		g, ok := centralSum(table, a-kf, inverse, centralEnd)
		if !ok {
			return f, false
		}
		g *= q
		if l%2 == 0 {
			even += float64(e[l] * g)
		} else {
			odd += float64(e[l] * g)
		}
		t := float64(h[l] * g)
		size += t
		degree += float64(lf * t)
		weight := float64(h[l] * q)
		if t <= centralEnd*(even-odd) && 2*weight <= before {
			break
		}
		before = weight
	}
	sum := even - odd
	if !(size <= (mostCancelled+kf/64)*sum && degree <= mostDegree*size) { // refuses NaN too
		return f, false
	}
	centre := float64(m) - (kf-1)/2
	square := 1 / float64(centre*centre)
	w := 0.0
	scale = nf / 2
	for i := 1; i <= mostEven; i++ {
		scale *= square
		t := float64(scale*sums[i]) / float64(i)
		w += t
		if t <= centralEnd*w {
			break
		}
	}
	y, exp := balls.Mul(fm.LogMissShort(uint64(k), 2*m-uint64(k)+1)).AddFloat(w).ExpWords()
	f = fm.FallingQuo(balls.Hi, x, k).Times(y).Times(fm.Double{Hi: sum})
	f.Exp += exp
	return f, true
}

const (
	mostEven      = 16  // the largest l
	mostCancelled = 2.1 // limits the cancellation of digits
	mostDegree    = 0.7 // limits the mean of l
)

// The element [k][i] of powerSums is the sum of s^(2i) over the numbers s = -(k-1)/2, ..., (k-1)/2. It has a relative
// error of at most 1.01u (u = 2^-53).
var powerSums = sync.OnceValue(func() *[occupancy.TableK + 1][mostEven + 1]float64 {
	t := new([occupancy.TableK + 1][mostEven + 1]float64)
	for k := range t {
		var sums [mostEven + 1]fm.Double
		for i := range k {
			s := float64(i) - float64(k-1)/2
			power := fm.Whole(1)
			for d := range sums {
				sums[d] = sums[d].Add(power)
				power = power.MulFloat(s * s)
			}
		}
		for d, x := range sums {
			t[k][d] = x.Hi
		}
	}
	return t
})
