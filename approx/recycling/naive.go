package recycling

import (
	"errors"
	"fmt"
	"sync"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
	"github.com/bloomproof/bloomproof/approx/internal/sizing"
)

// Naive names one of three ways to choose the number of messages of a cycle. None of these ways uses a Markov chain.
// All three ways use equation (1) of Dozier-FP. It gives the false-positive rate of one message in a filter that never
// recycles.
//
//	The estimate "worst" is the value f_w of equation (1) for n messages.
//	It bounds the rate after the last message.
//	The estimate "oracle" is f_o, equation (2).
//	It bounds the mean rate of n messages that are known to be new.
//	The estimate "average" is f_a, equation (3), as the paper estimates it.
//	It bounds the mean rate up to the n-th message that sets a bit.
type Naive string

const (
	naiveWorst   Naive = "worst"
	naiveOracle  Naive = "oracle"
	naiveAverage Naive = "average"
)

// NaiveRate returns the rate of a recycling filter of shape g after n messages, as estimated by v. Let f_i =
// (1-(1-1/m)^(k(i-1)))^k. The rate depends on v.
//
//	For the estimate "worst", the rate is f_w = (1-(1-1/m)^(kn))^k.
//	For the estimate "oracle", the rate is f_o = (sum over i = 1..n of f_i) / n.
//	For the estimate "average", the rate is f_a = 1 - n / (sum over i = 1..n of 1/(1-f_i)).
//
// Source: Dozier-FP, equations (1) to (3). For message i, equation (1) is used with n = i-1, because the first message
// finds an empty filter.
// Domain: g is valid, and its hashing is standard; 1 <= n < 2^64; v is "worst", "oracle" or "average".
// Error: relative, at most (100 + H |ln f|) u, where f is the rate, H = 30 + 8 ln k and u = 2^-53. The absolute error
// can reach 2^-1000, even if this bound is smaller.
// Cost: a few elementary functions for "worst". For the other estimates: n terms of a sum if n <= 40 k + 100 or k/m >
// 1/64, but for "oracle" at most 60 m/k terms, and for "average" at most 600 m/k; otherwise about 200 elementary
// functions.
// Errors: *bloomproof.ParamError.
func NaiveRate(g bloomproof.Geometry, n uint64, v Naive) (float64, error) {
	if err := checkNaive(v, g); err != nil {
		return 0, err
	}
	if n < 1 {
		return 0, &bloomproof.ParamError{Param: "n", Value: n, Want: "at least 1"}
	}
	s := naive{g.M, g.K}
	return s.rate(v, n, s.settled), nil
}

// checkNaive returns an error if v is not one of the three estimates. It also returns an error for some geometries,
// those outside the scope of equations (1) to (3) of Dozier-FP.
func checkNaive(v Naive, g bloomproof.Geometry) error {
	if v != naiveWorst && v != naiveOracle && v != naiveAverage {
		return &bloomproof.ParamError{Param: "naive", Value: v, Want: "worst, oracle or average"}
	}
	if g.Block != 0 {
		return &bloomproof.ParamError{Param: "block", Value: g.Block, Want: "0: the formulas are for filters without blocks"}
	}
	_, err := approx.Bound(bloomproof.BoundTaylor, g, 0) // refuses all geometries except those of (1)-(3)
	var param *bloomproof.ParamError
	if errors.As(err, &param) && param.Param == "bound" {
		return &bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: "that of the formulas, standard"}
	}
	return err
}

// NaiveMessages returns the largest number n of messages for which the rate is at most p. This is the rate of a filter
// of shape g, as estimated by v. For g.K = 0 it chooses the k that gives the largest n. If there are several such k, it
// chooses the smallest of them. The field N of the result is this n. If even one message is too many, N is 0. The field
// Rate is the rate that the formula gives for N messages. With two phases g is the shape of one array, and the frozen
// array holds n messages. The condition is then
//
//	1 - (1-f_v(n)) (1-f_w(n)) <= p.
//
// For the estimates "worst" and "oracle" a cycle then has N arrivals. For the estimate "average" a cycle has
// N/(1-f_a(N)) arrivals.
//
// The k that is returned is proven to be the best of all 4096. The proof uses the following inequality, which holds for
// any t < n:
//
//	f_a >= f_o >= (1-t/n) f_w(t).
//
// Consider the real number n for which f_w = p. The proof also uses a property of this n. As k increases, the number n
// first increases and then decreases. To see this, let y = p^(1/k) < 1. Then n is proportional to ln(1-y) ln y. This
// function is symmetric about y = 1/2. The comment of the method "atMost" proves further upper bounds of n, for large
// p. They have the same property.
//
// Source: Dozier-FP, section V-B, equations (1) to (3) and, for two phases, equation (26).
// Domain: g is valid, except that g.K may be 0; the hashing is standard; 0 < p < 1.
// Error: the same as for NaiveRate; Certain reports that this error cannot change N.
// Cost: computing about 6 rates for a given k; about 10 ms for the best k. For p near 1 the rates of many n differ from
// p by less than a rounding error. NaiveMessages then computes up to 60 rates for a given k, in up to 50 ms. For p
// below 1e-100 the best k takes up to half a second.
// Errors: *bloomproof.ParamError; ErrRange if the answer is 2^64-1 or more.
func NaiveMessages(g bloomproof.Geometry, v Naive, twoPhase bool, p float64) (approx.Optimum, error) {
	m, k := g.M, g.K
	if k >= 0 {
		g.K = max(k, 1)
	}
	if err := checkNaive(v, g); err != nil {
		return approx.Optimum{}, err
	}
	if err := sizing.Check(g, p); err != nil {
		return approx.Optimum{}, err
	}
	if k > 0 {
		return naive{m, k}.most(v, twoPhase, p)
	}
	peak := min(max(1, int(-fm.Log(p)/fm.Ln2)), bloomproof.MaxK)
	best, err := naive{m, peak}.most(v, twoPhase, p)
	if err != nil {
		return best, err
	}
	doubt := -1.0 // the largest N of the k whose N is uncertain
	for _, step := range []int{-1, 1} {
		for k := peak + step; k >= 1 && k <= bloomproof.MaxK && (naive{m, k}).atMost(v, twoPhase, p) >= float64(best.N); k += step {
			s, err := naive{m, k}.most(v, twoPhase, p)
			if err != nil {
				return s, err
			}
			if !s.Certain {
				doubt = max(doubt, float64(s.N)*(1+margin)+1)
			}
			if s.N > best.N || s.N == best.N && k < best.Geometry.K {
				best = s
			}
		}
	}
	best.Certain = best.Certain && doubt < float64(best.N)
	return best, nil
}

const (
	// The constant "margin" is larger than the relative error of the number N of messages that NaiveMessages returns.
	// The method atMost computes upper bounds of N. The relative errors of these bounds are also smaller than the
	// margin. The relative error of the rate is about 100 u plus H |ln p| u, with u = 2^-53 (see NaiveRate). The number
	// n depends on a power of the rate.
	margin = 0x1p-30

	// With (1-1/m)^k = e^-t, the n-th message has the false-positive rate (1-e^(-t(n-1)))^k. If t(n-1) is above
	// fullFrom, this rate differs from 1 by at most k e^-600, which a float64 cannot represent.
	fullFrom = 600

	// The same for the estimate "oracle". If t(n-1) is above fullOracle, the rate differs from 1 by at most k e^-60, which
	// is below 2^-74. The sum of these differences is below 2^-70 times the sum of the rates.
	fullOracle = 60

	// The method atMost computes a bound with the function e^x-1 only if p is at least leastGrowth, because for smaller p
	// the bound would have a larger relative error than the margin. It does so only if t is at most fullFrom.
	leastGrowth = 0x1p-4

	// The method "sum" adds the first eulerTerms + eulerTermsOfK*k terms one by one. If t = -k ln(1-1/m) is above
	// eulerSlope, it adds all terms one by one.
	eulerTerms    = 100
	eulerTermsOfK = 40
	eulerSlope    = 0x1p-6

	// An integral is divided into pieces within which the integrand grows by at most the factor e^pieceGrowth. The
	// integration rule with 16 nodes then has a relative error of 2^-60 for each piece.
	pieceGrowth = 8
	// An integral is summed from its upper end downwards. Suppose that the pieces above x are added. The integral from
	// 0 to x is then left. It is at most x times the integrand at x. The remaining integral is left out if this bound
	// is at most pieceEnd times the integral so far.
	pieceEnd = 0x1p-60
)

// NaiveMessages uses the inequality f_o >= (1-t/n) f_w(t) for several t. The list naiveShares has the values of t/n.
// The inequality holds for any t. With these values NaiveMessages has to try only a few k.
var naiveShares = []float64{0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 0.995}

// A value of type naive evaluates equations (1) to (3) of Dozier-FP for its m and k.
type naive struct {
	m uint64
	k int
}

// The method "each" returns the t for which (1-1/m)^k = e^-t.
func (s naive) each() float64 {
	if s.m == 1 {
		return fm.Inf()
	}
	return -float64(s.k) * fm.Log1p(-1/float64(s.m))
}

// The method "rate" returns the result of NaiveRate for valid arguments. The argument "settled" is the method of this
// name. A search for n passes a function that computes its results only once.
func (s naive) rate(v Naive, n uint64, settled func() (uint64, fm.Double)) float64 {
	switch v {
	case naiveWorst:
		return mustBloom(s.m, n, s.k)
	case naiveOracle:
		if !s.full(n, fullOracle) {
			return min(1, s.sum(v, n).Hi/float64(n))
		}
		last, sum := settled()
		return min(1, fm.Whole(n-last).Add(sum).Hi/float64(n))
	}
	if s.full(n, fullFrom) { // 1/(1-f_n) is about e^745
		return 1
	}
	excess := s.sum(v, n).Hi
	return excess / (float64(n) + excess)
}

// The method "settled" considers the estimate "oracle". Each term i >= last of its sum is 1, because full(i+1,
// fullOracle) is true. The second result is the sum of the terms before.
func (s naive) settled() (last uint64, sum fm.Double) {
	last = uint64(fullOracle/s.each()) + 1 // at least 1
	return last, s.sum(naiveOracle, last)
}

// mustBloom returns the rate of equation (1) of Dozier-FP for arguments that are known to be valid.
func mustBloom(m, n uint64, k int) float64 {
	f, err := approx.Bound(bloomproof.BoundBloom, bloomproof.Geometry{M: m, K: k}, n)
	if err != nil {
		panic(err)
	}
	return f
}

// The method "error" returns a bound of the relative error of the method "rate", if the rate is near p. NaiveRate
// defines f_i, f_o and f_a.
//
// Let u = 2^-53. The rate f_i has a relative error of (8 + (20 + 8 ln k)|ln f_i|)u. Take the mean of the values |ln
// f_i|, weighted with f_i. By Jensen's inequality this mean is at most |ln f_o|. For the estimate "average" a term is
// f_i/(1-f_i). Such a term also has the error of ln f_i. This additional error is at most (17 + 8t)u, where t is given
// by f_i = (1-e^-t)^k for the last i. The relative error of sum/(n + sum) is x times the relative error of the sum,
// with x = 1-f_a. Here x is at most about t k e^-t. So for t <= ln k + 3, 8 t x is at most (30 + 8 ln k) x. For larger
// t it is below 10. Moreover x <= |ln f_a|. The sums are computed in two words. The errors of the numerical integration
// and of the quotient are below 30u.
func (s naive) error(p float64) float64 {
	return (100 - (30+8*fm.Log(float64(s.k)))*fm.Log(p)) * fm.Unit
}

// The method "term" returns g = (1-e^(-tx))^k, or g/(1-g) for the estimate "average". Here e^-t = (1-1/m)^k.
func (s naive) term(v Naive, x float64) float64 {
	l := float64(s.k) * fm.Log1mExp(s.each()*x)
	if v == naiveOracle {
		return fm.Exp(l)
	}
	return fm.Exp(l) / -fm.Expm1(l)
}

// The method "full" considers the rate after n-1 messages, by equation (1) of Dozier-FP. It reports whether n > 1 and
// this rate differs from 1 by at most k e^-from.
func (s naive) full(n uint64, from float64) bool { return n > 1 && !(float64(n-1) < from/s.each()) } // each may be +Inf

// The method "sum" returns the sum of term(v, i) over 0 <= i < n. It leaves out the first terms if they add up to at
// most pieceEnd times the sum. For the estimate "average", full(n, fullFrom) must be false. The method "settled" computes
// the sum for the estimate "oracle" if n is larger.
//
// Let a = eulerTermsOfK*k + eulerTerms. From i = a on, the method uses the Euler-Maclaurin formula. The formula
// includes derivatives up to the fifth order. Let e^-t = (1-1/m)^k. The distance from i to the singularities of the
// function "term" is at least i or pi/(2t). So the remainder divided by the sum is below the larger of (k/(2 pi a))^7
// and (t/pi^2)^7. For t <= eulerSlope this is 2^-55.
func (s naive) sum(v Naive, n uint64) fm.Double {
	first := n
	if a := eulerTermsOfK*uint64(s.k) + eulerTerms; s.each() <= eulerSlope {
		first = min(n, a)
	}
	total := fm.Double{}
	if first < n {
		a, b := float64(first), float64(n)
		total = total.AddFloat(s.integral(v, a, b) + s.correction(v, b) - s.correction(v, a))
	}
	for i := first; i > 1; i-- { // term 0 is 0
		x := s.term(v, float64(i-1))
		total = total.AddFloat(x)
		if float64(i)*x <= pieceEnd*total.Hi { // the other terms are smaller than x
			break
		}
	}
	return total
}

// The variable gauss16 lists the positive nodes of Gauss-Legendre integration with 16 nodes on [-1, 1], and their
// weights.
var gauss16 = [8][2]float64{
	{0.09501250983763744, 0.1894506104550685}, {0.2816035507792589, 0.1826034150449236},
	{0.4580167776572274, 0.1691565193950025}, {0.6178762444026438, 0.1495959888165767},
	{0.7554044083550030, 0.1246289712555339}, {0.8656312023878318, 0.0951585116824928},
	{0.9445750230732326, 0.0622535239386479}, {0.9894009349916499, 0.0271524594117541},
}

// The method "integral" returns the integral of term(v, x) over x from a to b. It divides the range into pieces,
// beginning at b. Within a piece the integrand grows by a factor of at most e^pieceGrowth. The distance to the next
// singularity is at least the length of the piece.
func (s naive) integral(v Naive, a, b float64) float64 {
	t, total := s.each(), 0.0
	for x := b; x > a; {
		length := min(x-a, x/2, pieceGrowth*x/float64(s.k), 1/t)
		mid, half := x-length/2, length/2
		piece := 0.0
		for _, g := range gauss16 {
			piece += g[1] * (s.term(v, mid-half*g[0]) + s.term(v, mid+half*g[0]))
		}
		total += piece * half
		if x -= length; x*s.term(v, x) <= pieceEnd*total { // both are 0 if the terms are too small for a float64
			break
		}
	}
	return total
}

// The method "correction" returns the terms of the Euler-Maclaurin formula at x. Let h(x) be the integrand, computed by
// the method "term". Then these terms are
//
//	-h/2 + h'/12 - h^(3)/720 + h^(5)/30240.
func (s naive) correction(v Naive, x float64) float64 {
	const order = 6
	var base, power [order]float64 // Taylor coefficients of 1-e^(-tx) and of its k-th power
	t, k := s.each(), float64(s.k)
	base[0] = -fm.Expm1(-t * x)
	c := -fm.Exp(-t * x)
	for j := 1; j < order; j++ {
		c *= -t / float64(j)
		base[j] = c
	}
	l := k * fm.Log1mExp(t*x)
	power[0] = fm.Exp(l)
	for j := 1; j < order; j++ {
		for i := 1; i <= j; i++ {
			power[j] += ((k+1)*float64(i) - float64(j)) * base[i] * power[j-i]
		}
		power[j] /= float64(j) * base[0]
	}
	h := power
	if v == naiveAverage { // h (1-power) = power
		for j := range order {
			for i := 1; i <= j; i++ {
				h[j] += power[i] * h[j-i]
			}
			h[j] /= -fm.Expm1(l)
		}
	}
	return -h[0]/2 + h[1]/12 - h[3]*6/720 + h[5]*120/30240
}

// For p < 1, the method "reach" returns a real number n of messages. At this n, the rate f_w equals p (see NaiveRate).
func (s naive) reach(p float64) float64 {
	return -fm.Log(-fm.Expm1(fm.Log(p)/float64(s.k))) / s.each()
}

// atMost returns an upper bound of the number n of messages in the result of the method "most". It is the least of
// several upper bounds. As k increases, each of them increases up to some k, and then decreases. So if one of them is
// below the n of another k, it also excludes all k on the far side.
//
// For the estimate "worst", and with two phases, f_w(n) is at most p. Now consider the other estimates. Let e^-t =
// (1-1/m)^k. From f_o <= p follows n (1-p) <= sum over i of (1-f_i). All terms up to infinity have a sum of at most 1 +
// H_k/t, where H_k is a harmonic number. This bound decreases as k increases.
//
// For the estimate "average", 1-f_i is at most k e^(-t(i-1)). So the sum over i = 1..n of 1/(1-f_i) is at least
// (e^(tn)-1)/(k (e^t-1)). It is at most n/(1-p). With x = tn this is
//
//	(e^x-1)/x <= k (e^t-1)/(t (1-p)).
//
// Let y(z) = z/(1-e^-z). Take the quotient of (e^(tn)-1)/(k (e^t-1)) and n for a fixed n >= 1. The derivative of its
// logarithm with respect to ln k is y(tn) - 1 - y(t). It increases with k, because y is convex. So the quotient first
// decreases and then increases, and the k for which a given n is possible are an interval.
func (s naive) atMost(v Naive, twoPhase bool, p float64) float64 {
	n := 0x1p64 // above every possible n
	if v == naiveWorst || twoPhase {
		n = s.reach(p)
	}
	if v != naiveWorst {
		for _, share := range naiveShares {
			if p < 1-share {
				n = min(n, s.reach(p/(1-share))/share)
			}
		}
		t, k := s.each(), float64(s.k)
		n = min(n, (1+fm.Harmonic(1, uint64(s.k)).Hi/t)/(1-p))
		if v == naiveAverage && p >= leastGrowth && t <= fullFrom {
			n = min(n, growth(k*(fm.Expm1(t)/t)/(1-p))/t)
		}
	}
	return n*(1+margin) + 1
}

// The function "growth" returns the x > 0 for which (e^x-1)/x is r, for r > 1. The relative error is at most 2^-40 if r
// is at least 1+leastGrowth.
func growth(r float64) float64 {
	low, high := 0.0, 2*fm.Log1p(r)+2 // e^high > (1+r)^2 e^2
	for range 50 {
		if mid := (low + high) / 2; fm.Expm1(mid) <= r*mid {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// The method "most" computes the result of NaiveMessages for a single k. The receiver s contains this k. The arguments
// must be valid.
func (s naive) most(v Naive, twoPhase bool, p float64) (approx.Optimum, error) {
	if err := fault.Part(); err != nil {
		return approx.Optimum{}, err
	}
	const top = 1<<64 - 1
	settled := sync.OnceValues(s.settled)
	at := func(n uint64) float64 {
		if n == 0 {
			return 0
		}
		f := s.rate(v, n, settled)
		if twoPhase {
			w := mustBloom(s.m, n, s.k)
			f += w - f*w
		}
		return f
	}
	n := sizing.LastTrue(0, top, sizing.Meet(s.reach(p), p, func(x float64) float64 { return at(uint64(x)) }), func(n uint64) bool { return at(n) <= p })
	if n == top {
		return approx.Optimum{}, fmt.Errorf("n is 2^64-1 or more: %w", refuse.ErrRange)
	}
	o := approx.Optimum{Geometry: bloomproof.Geometry{M: s.m, K: s.k}, N: n, Rate: at(n)}
	e := 3 * s.error(p)
	o.Certain = (n == 0 || o.Rate < p*(1-e)) && at(n+1) > p*(1+e)
	return o, nil
}
