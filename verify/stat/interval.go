package stat

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
)

// NormalQuantile returns the z at which a standard normal variable exceeds z with
// probability q.
//
// Source: math.Erfinv (Wichura, AS 241), then two Newton steps on math.Erfc, since
// Erfinv(1-2q) alone has lost q when q is small.
// Domain: 1e-300 <= q <= 1/2.
// Error: absolute error of z at most 1e-13 (TestNormalQuantile).
// Cost: O(1).
// Errors: *bloomproof.ParamError.
func NormalQuantile(q float64) (float64, error) {
	if !(q >= 1e-300 && q <= 0.5) {
		return 0, &bloomproof.ParamError{Param: "q", Value: q, Want: "between 1e-300 and 1/2"}
	}
	// Where Erfinv has no digits left, start from the leading term of the tail.
	z := math.Sqrt2 * math.Erfinv(1-2*q)
	if q < 1e-12 {
		t := -2 * math.Log(q)
		z = math.Sqrt(t - math.Log(2*math.Pi*t))
	}
	for range 6 {
		tail := 0.5 * math.Erfc(z/math.Sqrt2)
		density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
		// A Newton step on ln(tail), which is nearly linear in z^2 and so converges from
		// either start.
		z += tail / density * math.Log(tail/q)
	}
	return z, nil
}

// ClopperPearson returns the exact two-sided confidence interval of a probability p
// of which n independent trials showed hits:
//
//	P[Bin(n, lo) >= hits] = P[Bin(n, hi) <= hits] = (1-confidence)/2,
//
// lo = 0 when hits = 0, hi = 1 when hits = n. For every p it contains p with
// probability at least confidence.
//
// Source: Clopper and Pearson, Biometrika 26 (1934), through I_p(a, b).
// Domain: 0 <= hits <= n; 1 <= n < 2^40; 0 < confidence <= 1 - 1e-12.
// Error: rounded outwards: the tails are held below (1-confidence)/2 (1 - 1e-10), ten
// times the error of IncompleteBeta.
// Cost: about 130 evaluations of IncompleteBeta.
// Errors: *bloomproof.ParamError.
func ClopperPearson(hits, n uint64, confidence float64) (lo, hi float64, err error) {
	switch {
	case n < 1 || n >= maxBeta:
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
		lo, _ = crossing(func(p float64) bool {
			lower, _ := betaTails(h, miss+1, p)
			return lower > tail
		})
	}
	if hits < n {
		_, hi = crossing(func(p float64) bool {
			_, upper := betaTails(h+1, miss, p)
			return upper <= tail
		})
	}
	return lo, hi, nil
}

// crossing returns the neighbouring floats lo, hi of [0, 1] between which past turns
// from false to true, by bisection on their bit patterns, which are in order.
func crossing(past func(float64) bool) (lo, hi float64) {
	a, b := uint64(0), math.Float64bits(1)
	for b-a > 1 {
		mid := a + (b-a)/2
		if past(math.Float64frombits(mid)) {
			b = mid
		} else {
			a = mid
		}
	}
	return math.Float64frombits(a), math.Float64frombits(b)
}
