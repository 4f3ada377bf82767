package numeric

import (
	"math"

	"github.com/bloomproof/bloomproof"
)

// StudentT returns the number t for which |T| > t has probability 1-confidence. Here T has Student's distribution with
// df degrees of freedom. The number t solves the equation:
//
//	P[|T| > t] = I_(df/(df+t^2))(df/2, 1/2) = 1 - confidence.
//
// Source: Student, Biometrika 6 (1908). DLMF 8.17 defines the incomplete beta function. The equation is 26.7.1 of
// Abramowitz and Stegun.
// Domain: 1 <= df <= 2^40; 0 < confidence <= 1 - 1e-12.
// Error: relative error of the probability at most 1e-10. TestStudentT compares it with the finite sums of Abramowitz
// and Stegun 26.7.3 and 26.7.4 up to df = 1000.
// Cost: about 60 evaluations of the incomplete beta function.
// Errors: *bloomproof.ParamError.
func StudentT(confidence float64, df uint64) (float64, error) {
	switch {
	case df < 1 || df > MaxBeta:
		return 0, &bloomproof.ParamError{Param: "df", Value: df, Want: "between 1 and 2^40"}
	case !(confidence > 0 && confidence <= 1-1e-12):
		return 0, &bloomproof.ParamError{Param: "confidence", Value: confidence, Want: "above 0 and at most 1 - 1e-12"}
	}
	tail := 1 - confidence
	_, u := Crossing(func(u float64) bool { return studentTail(u*maxStudent, float64(df)) <= tail })
	return u * maxStudent, nil
}

// maxStudent is above every result of StudentT. The largest result is about 6.4e11, for df = 1.
const maxStudent = 1 << 40

// studentTail returns the probability P[|T| > t], where T has Student's distribution with df degrees of freedom. Let x
// = df/(df+t^2). The probability is computed from the smaller of x and 1-x.
func studentTail(t, df float64) float64 {
	if tt := t * t; tt < df {
		_, tail := BetaTails(0.5, df/2, tt/(df+tt))
		return tail
	}
	tail, _ := BetaTails(df/2, 0.5, df/(df+t*t))
	return tail
}

// Crossing returns two neighbouring floats lo and hi in [0, 1]. The value of past(lo) is false, and that of past(hi) is
// true. It bisects the bit patterns, which have the same order as the numbers.
func Crossing(past func(float64) bool) (lo, hi float64) {
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
