package stat

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/numeric"
)

// ClopperPearson returns the exact two-sided confidence interval of a probability p. It is computed from the number of
// hits in n independent trials. If hits > 0, its lower end satisfies
//
//	P[Bin(n, lo) >= hits] = (1-confidence)/2.
//
// If hits < n, its upper end satisfies
//
//	P[Bin(n, hi) <= hits] = (1-confidence)/2.
//
// If hits = 0, the lower end is 0. If hits = n, the upper end is 1. For every p, the probability that the interval
// contains p is at least the given confidence.
//
// Source: Clopper and Pearson, Biometrika 26 (1934), computed through the incomplete beta function I_p(a, b).
// Domain: 0 <= hits <= n; 1 <= n < 2^40; 0 < confidence <= 1 - 1e-12.
// Error: the interval is rounded outwards, so each tail is below (1-confidence)/2 * (1 - 1e-10). The factor 1 - 1e-10
// leaves a margin of ten times the error of the incomplete beta function.
// Cost: about 130 evaluations of the incomplete beta function.
// Errors: *bloomproof.ParamError.
func ClopperPearson(hits, n uint64, confidence float64) (lo, hi float64, err error) {
	switch {
	case n < 1 || n >= numeric.MaxBeta:
		return 0, 0, &bloomproof.ParamError{Param: "n", Value: n, Want: "between 1 and 2^40-1"}
	case hits > n:
		return 0, 0, &bloomproof.ParamError{Param: "hits", Value: hits, Want: fmt.Sprintf("at most n = %d", n)}
	case !(confidence > 0 && confidence <= 1-1e-12):
		return 0, 0, &bloomproof.ParamError{Param: "confidence", Value: confidence, Want: "above 0 and at most 1 - 1e-12"}
	}
	tail := (1 - confidence) / 2 * (1 - 1e-10)
	h, miss := float64(hits), float64(n-hits)
	lo, hi = 0, 1
	if hits > 0 {
		lo, _ = numeric.Crossing(func(p float64) bool {
			lower, _ := numeric.BetaTails(h, miss+1, p)
			return lower > tail
		})
	}
	if hits < n {
		_, hi = numeric.Crossing(func(p float64) bool {
			_, upper := numeric.BetaTails(h+1, miss, p)
			return upper <= tail
		})
	}
	return lo, hi, nil
}

// RatioInterval returns r = sum x / sum y for n pairs (x, y), and Student's t interval for E[x]/E[y]. The ends of the
// interval are
//
//	r +- t s/(mean y sqrt(n)).
//
// Here s^2 is the sample variance of x - r y. The number t is a quantile of Student's t with n-1 degrees of freedom. If
// every y is 1, this interval is the confidence interval of the mean E[x]. Suppose that the pairs are independent and
// identically distributed, with any distribution. Then the coverage of the interval tends to the given confidence as
// the number n of pairs grows. The reason is that x - r y has the sample mean 0, by the definition of r. If x - r y is
// normal, the coverage differs from the given confidence by a term of order 1/n.
//
// Source: Fieller, JRSS B 16 (1954). The interval here agrees with Fieller's interval to first order. The regenerative
// method is by Crane and Iglehart, JACM 21 (1974). In this method, each cycle of a simulation gives one pair (x, y).
// Domain: at least two pairs of finite numbers; the sum of all y is above 0; 0 < confidence <= 1 - 1e-12.
// Error: the rounding error is of the order of n*2^-53 times the size of the deviations x - r y.
// Cost: O(n), and about 60 evaluations of the incomplete beta function.
// Errors: *bloomproof.ParamError.
func RatioInterval(pairs [][2]float64, confidence float64) (mean, low, high float64, err error) {
	var s numeric.Sums
	for _, p := range pairs {
		for _, x := range p {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return 0, 0, 0, &bloomproof.ParamError{Param: "pairs", Value: p, Want: "finite numbers"}
			}
		}
		s.Add(p[0], p[1])
	}
	return s.Ratio(confidence)
}
