// Package fluid computes the false-positive rate of a recycling filter in the limit of large m. The searches for a
// threshold sigma and for k start from this limit.
package fluid

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// Fill returns the fraction s = sigma/m of set bits at which the false-positive rate is p, in the limit of large m. The
// rate is f1 with one phase, and f2 with two phases:
//
//	f1 = (sum over j > k of s^j/j) / (-ln(1-s)),
//	f2 = 1 - (1-f1) (1-s^k).
//
// The result has a relative error of about 2^-20. The rate is computed with a relative error of 2^-12. This accuracy
// suffices, because the result only starts a search. The error must be relative. If p is small, s is small for small k.
// But BestK compares the values of s for different k.
func Fill(twoPhase bool, k int, p float64) float64 {
	const (
		relative = 0x1p-20
		enough   = 0x1p-12
	)
	low, high := 0.0, 1.0
	for high-low > high*relative {
		mid := (low + high) / 2
		f := LogTail(k, mid, enough) / -fm.Log1p(-mid)
		if twoPhase {
			frozen := fm.Exp(float64(k) * fm.Log(mid))
			f += frozen - f*frozen
		}
		if f <= p {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// NearFull is an upper limit for 1-s. Only if 1-s is below NearFull, LogTail may subtract the first k terms from
// -ln(1-s).
const NearFull = 0x1p-9

// These constants bound the relative errors of LogTail, for k <= 4096 and 1-s >= 2^-50.
//
// TailError is a bound for the case in which LogTail sums the terms of the series. Suppose that the first term is at
// least 2^-980. Then |(k+1) ln s| is at most 679. The computed product (k+1) ln s has a relative error of 3u (u =
// 2^-53).
//
// TailErrorNearFull bounds the error of subtracting the first k terms from T = -ln(1-s). The power s^j has a relative
// error of j*u. So the sum of the first k terms s^j/j has an absolute error of k*u. Each subtraction has an absolute
// error of T*u. The remainder is at least E_1((k+1)(1-s)), where E_1 is the exponential integral. For k (1-s) = 8 and T
// = 6.2, this value of E_1 is 3.6e-5. For larger T it is about T - ln k - 0.6.
const (
	TailError         = 0x1p-42
	TailErrorNearFull = 0x1p-23
)

// LogTail returns the sum over j > k of s^j/j, for 0 < s < 1. It sums the terms. The relative error is then at most the
// sum of the constant TailError and the argument "enough". In addition there is an absolute error of 2^-980. In one
// case LogTail instead subtracts the first k terms from -ln(1-s). It does so if 1-s < NearFull and the result is not
// small compared with -ln(1-s). In this case the relative error is the constant TailErrorNearFull.
func LogTail(k int, s, enough float64) float64 {
	const (
		muchLeft = 8         // up to this k (1-s), the subtraction leaves enough of T
		least    = 0x1p-1000 // the sum stops at a smaller term
	)
	if 1-s < NearFull && float64(k)*(1-s) < muchLeft {
		t := -fm.Log1p(-s)
		for j, power := 1, s; j <= k; j, power = j+1, power*s {
			t -= power / float64(j)
		}
		return t
	}
	total := 0.0
	term := fm.Exp(float64(k+1) * fm.Log(s))
	for j := float64(k + 1); ; j++ {
		total += term / j
		if term *= s; term <= max(enough*total*j*(1-s), least) {
			return total
		}
	}
}

// BestK returns the k with the longest cycles for the false-positive rate p, in the limit of large m. It considers k
// from 1 to the argument "most".
func BestK(twoPhase bool, p float64, most int) int {
	best, capacity := 1, 0.0
	for k := 1; k <= most; k++ {
		c := -fm.Log1p(-Fill(twoPhase, k, p)) / float64(k)
		if c < capacity {
			break
		}
		best, capacity = k, c
	}
	return best
}
