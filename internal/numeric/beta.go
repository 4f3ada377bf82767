package numeric

import (
	"math"

	"github.com/bloomproof/bloomproof"
)

// MaxBeta is the largest parameter a or b of IncompleteBeta. It limits the time, because the continued fraction needs
// about sqrt(a+b) terms.
const MaxBeta = 1 << 40

// IncompleteBeta returns the regularised incomplete beta function and its complement:
//
//	lower = I_x(a, b) = integral_0^x t^(a-1) (1-t)^(b-1) dt / B(a, b),
//	upper = 1 - lower.
//
// Both are computed without cancellation. For whole numbers a and b, the result "lower" is a binomial probability.
// Consider a+b-1 trials with success probability x. Then "lower" is the probability of a or more successes.
//
// Source: continued fraction of DLMF 8.17.22 in the form of Didonato and Morris. Its factor x^a (1-x)^b/B(a,b) is
// computed in a saddle-point form (Loader, Fast and accurate computation of binomial probabilities, 2000). This form
// stays accurate for large a and b, where differences of log-gamma functions lose digits.
// Domain: 1 <= a, b <= 2^40; 0 <= x <= 1.
// Error: relative error of the smaller tail at most 1e-11, while this tail is above 1e-290. This is not proven.
// TestIncompleteBetaExact compares the tails with exact sums up to a+b = 1200, with a tolerance of 1e-12.
// TestIncompleteBetaLarge compares them for a <= 900 and a+b up to 2^40, with a tolerance of 1e-11.
// Cost: O(sqrt(a+b)) divisions at worst, and about a dozen if x is far from a/(a+b).
// Errors: *bloomproof.ParamError.
func IncompleteBeta(a, b, x float64) (lower, upper float64, err error) {
	switch {
	case !(a >= 1 && a <= MaxBeta):
		return 0, 0, &bloomproof.ParamError{Param: "a", Value: a, Want: "between 1 and 2^40"}
	case !(b >= 1 && b <= MaxBeta):
		return 0, 0, &bloomproof.ParamError{Param: "b", Value: b, Want: "between 1 and 2^40"}
	case !(x >= 0 && x <= 1):
		return 0, 0, &bloomproof.ParamError{Param: "x", Value: x, Want: "between 0 and 1"}
	}
	lower, upper = BetaTails(a, b, x)
	return lower, upper, nil
}

// BetaTails does the same as IncompleteBeta. Its arguments must be in the domain of IncompleteBeta.
func BetaTails(a, b, x float64) (lower, upper float64) {
	switch {
	case x == 0:
		return 0, 1
	case x == 1:
		return 1, 0
	case x <= (a+1)/(a+b+2): // where the continued fraction converges fast
		lower = min(1, betaFactor(a, b, x, 1-x)/betaFraction(a, b, x, 1-x))
		return lower, 1 - lower
	}
	upper = min(1, betaFactor(b, a, 1-x, x)/betaFraction(b, a, 1-x, x))
	return 1 - upper, upper
}

// betaFactor returns x^a y^b / B(a,b) for y = 1-x. For whole numbers a and b, this is a*b/(a+b) times a binomial
// probability:
//
//	C(a+b, a) x^a y^b.
//
// Let n = a+b. The result is computed from the deviances Deviance(a, n*x) and Deviance(b, n*y). At x = a/n both
// deviances are 0, and their derivatives are 0 too. So for x near a/n, small errors of x and y have little effect.
func betaFactor(a, b, x, y float64) float64 {
	n := a + b
	log := stirlingError(n) - stirlingError(a) - stirlingError(b) - Deviance(a, n*x) - Deviance(b, n*y)
	return math.Exp(log) * math.Sqrt(a/n*b/(2*math.Pi))
}

// stirlingError returns the error of Stirling's approximation of ln Gamma(n+1), for n >= 1:
//
//	ln Gamma(n+1) - [(n+1/2) ln n - n + ln(2 pi)/2].
func stirlingError(n float64) float64 {
	if n < 16 {
		lg, _ := math.Lgamma(n + 1)
		return lg - (n+0.5)*math.Log(n) + n - 0.91893853320467274178 // ln(2 pi)/2
	}
	// The first omitted term of the series, 691/(360360*n^11), is below 2e-16.
	r := 1 / (n * n)
	return (1.0/12 - (1.0/360-(1.0/1260-(1.0/1680-r/1188)*r)*r)*r) / n
}

// Deviance returns x ln(x/mean) + mean - x. Where this expression would lose digits by cancellation, it uses the series
// in (x-mean)/(x+mean).
func Deviance(x, mean float64) float64 {
	d := x - mean
	if math.Abs(d) >= 0.1*(x+mean) {
		return x*math.Log(x/mean) - d
	}
	v := d / (x + mean)
	sum, term := d*v, 2*x*v
	for j := 3.0; ; j += 2 {
		term *= v * v
		next := sum + term/j
		if next == sum {
			return sum
		}
		sum = next
	}
}

// Let y = 1-x. BetaTails divides x^a y^b / B(a,b) by a continued fraction. The function betaFraction returns the value
// of this fraction. The caller ensures that x <= (a+1)/(a+b+2). It uses the modified Lentz algorithm. The fraction is
// the even part of the fraction in DLMF 8.17.22. Its form is taken from Didonato and Morris (TOMS 18, 1992). This form
// uses both x and y. So no digits are lost if x or y is tiny.
func betaFraction(a, b, x, y float64) float64 {
	f := a * (a*y - b*x + 1) / (a + 1)
	c, d := f, 0.0
	for m := 1.0; ; m++ {
		r := x / (a + 2*m - 1)
		num := (a + m - 1) * (a + b + m - 1) * m * (b - m) * r * r
		den := m + m*(b-m)*r + (a+m)*(a*y-b*x+1+m*(1+y))/(a+2*m+1)
		d = 1 / (den + num*d)
		c = den + num/c
		f *= c * d
		// About sqrt(a+b) terms suffice. The limit for m has only one purpose: it ensures that the loop ends.
		if math.Abs(c*d-1) < 4e-16 || m > 100+8*math.Sqrt(a+b) {
			return f
		}
	}
}
