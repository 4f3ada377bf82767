// Package fluid computes the false-positive rate of a recycling filter in the limit of large m. The searches for a
// threshold sigma and for k start from this limit.
package fluid

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// Fill returns the fraction s = sigma/m of set bits at which the false-positive rate is p, in the limit of large m. It
// is 1-e^(-T), where T is the result of Load.
func Fill(twoPhase bool, k int, p float64) float64 { return -fm.Expm1(-Load(twoPhase, k, p)) }

// MostLoad is an upper limit of the result of Load. In a filter of m bits, the mean number of balls that set the last
// clear bit is m H_m, where H_m is a harmonic number. H_m is below MostLoad for m < 2^64.
const MostLoad = 45

// Load returns T = -ln(1-s), where s is the fraction of set bits at which the false-positive rate is p, in the limit of
// large m. A cycle then has m T/k arrivals. If T would be above MostLoad, the result is MostLoad. The rate is f1 with
// one phase, and f2 with two phases:
//
//	f1 = (sum over j > k of s^j/j) / T,
//	f2 = 1 - (1-f1) (1-s^k).
//
// The result has a relative error of about 2^-20. The rate is computed with a relative error of 2^-12. This accuracy
// suffices, because the result only starts a search. The error must be relative. If p is small, s is small for small k.
// But BestK compares the values of T for different k. If p is near 1, 1-s can be far below 2^-20. So this function
// bisects T, and it computes 1-f instead of f for p > 1/2.
func Load(twoPhase bool, k int, p float64) float64 {
	const relative = 0x1p-20
	low, high := 0.0, 1.0
	for reaches(twoPhase, k, high, p) {
		if high == MostLoad {
			return MostLoad
		}
		low, high = high, min(2*high, MostLoad)
	}
	for high-low > high*relative {
		mid := (low + high) / 2
		if reaches(twoPhase, k, mid, p) {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// The function "reaches" reports whether the false-positive rate is at most p at the argument "load" (see Load).
func reaches(twoPhase bool, k int, load, p float64) bool {
	const (
		enough = 0x1p-12
		far    = 32 // f1 is above 1/2 for k <= 4096 and a load above this number: 1-f1 is at most H_k/load
	)
	s, kf := -fm.Expm1(-load), float64(k)
	if p <= 0.5 {
		if load > far {
			return false
		}
		f := LogTail(k, s, enough) / load
		if twoPhase {
			frozen := fm.Exp(kf * fm.Log(s))
			f += frozen - f*frozen
		}
		return f <= p
	}
	first := 0.0 // the sum over j <= k of s^j/j
	for j, power := 1.0, s; j <= kf && power > enough*first*j*(1-s); j, power = j+1, power*s {
		first += power / j
	}
	if first /= load; twoPhase {
		first *= -fm.Expm1(kf * fm.Log1mExp(load))
	}
	return first >= 1-p
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
		c := Load(twoPhase, k, p) / float64(k)
		if c < capacity {
			break
		}
		best, capacity = k, c
	}
	return best
}
