package stat

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
)

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
