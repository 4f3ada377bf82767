// Package fluid computes the limit of many bits, from which the searches for a threshold and for k start.
package fluid

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// Fill returns the fill s = sigma/m at which the rate is p in the limit of large m:
//
//	f1 = sum over j > k of s^j/j / -ln(1-s),   f2 = 1 - (1-f1) (1-s^k)
//
// The result is within 2^-20 of s, with f computed to 2^-12, because it only starts a search.
func Fill(twoPhase bool, k int, p float64) float64 {
	const (
		fillBits = 20
		enough   = 0x1p-12
	)
	low, high := 0.0, 1.0
	for range fillBits {
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

// NearFull is the distance of s from 1 below which LogTail subtracts the first k terms from -ln(1-s).
const NearFull = 0x1p-9

// The relative errors of LogTail, for k <= 4096 and 1-s >= 2^-50.
//
// TailError is for the sum of the terms: |(k+1) ln s| <= 679 where the first term is at least 2^-980, and this product
// has a relative error of 3u.
//
// TailErrorNearFull is for subtracting the first k terms from T = -ln(1-s). A power has an error of j u, so the sum has
// k u, and each subtraction has T u. The remainder is at least E_1((k+1)(1-s)), which is 3.6e-5 where k (1-s) is 8 and
// T is 6.2; for larger T it is about T - ln k - 0.6.
const (
	TailError         = 0x1p-42
	TailErrorNearFull = 0x1p-23
)

// LogTail returns the sum over j > k of s^j/j, 0 < s < 1. It sums the terms, with a relative error of TailError plus
// enough and an absolute error of 2^-980. For 1-s < NearFull, where the result is not small compared with -ln(1-s), it
// subtracts the first k terms from -ln(1-s), with an error of TailErrorNearFull.
func LogTail(k int, s, enough float64) float64 {
	const (
		muchLeft = 8         // k (1-s) up to which enough of T is left
		least    = 0x1p-1000 // a smaller term is not followed
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

// BestK returns the k up to most with the longest cycle in that limit.
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
