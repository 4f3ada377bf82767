package numeric

import (
	"math"

	"github.com/bloomproof/bloomproof"
)

// maxFreedom is the largest number of degrees of freedom of ChiSquareTail.
const maxFreedom = 1 << 20

// ChiSquareTail returns the probability that a chi-square variable of df degrees of freedom exceeds x. Let y = x/2. For
// even df the probability is:
//
//	sum over 0 <= i < df/2 of e^-y y^i/i!.
//
// For odd df the probability is:
//
//	erfc(sqrt(y)) + sum over 0 <= i < (df-1)/2 of e^-y y^(i+1/2)/Gamma(i+3/2).
//
// Source: Abramowitz and Stegun 26.4.4 and 26.4.5.
// Domain: x >= 0; 1 <= df <= 2^20.
// Error: the relative error is at most 1e-11*(10 + x + df) if the result is above 1e-300. All terms are positive. The
// largest term is computed from its logarithm.
// Cost: O(df). Errors: *bloomproof.ParamError.
func ChiSquareTail(x float64, df uint64) (float64, error) {
	switch {
	case !(x >= 0) || math.IsInf(x, 1):
		return 0, &bloomproof.ParamError{Param: "x", Value: x, Want: "finite and at least 0"}
	case df < 1 || df > maxFreedom:
		return 0, &bloomproof.ParamError{Param: "df", Value: df, Want: "between 1 and 2^20"}
	}
	y := x / 2
	if y == 0 {
		return 1, nil
	}
	tail, shift := 0.0, 0.0
	if df%2 == 1 {
		tail, shift = math.Erfc(math.Sqrt(y)), 0.5
	}
	terms := float64(df / 2)
	if terms == 0 {
		return tail, nil
	}
	peak := min(max(math.Floor(y-shift), 0), terms-1)
	log, _ := math.Lgamma(peak + shift + 1)
	largest := math.Exp((peak+shift)*math.Log(y) - y - log)
	sum := 1.0 // the sum of the terms, divided by the largest term
	for i, t := peak, 1.0; i > 0 && t > 1e-18; i-- {
		t *= (i + shift) / y
		sum += t
	}
	for i, t := peak+1, 1.0; i < terms && t > 1e-18; i++ {
		t *= y / (i + shift)
		sum += t
	}
	return min(tail+largest*sum, 1), nil
}
