// Package fluid is the limit of many bits in which the searches for a threshold and for k
// begin.
package fluid

import (
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// Fill returns the fill s = sigma/m at which the rate is p in the limit of large m:
//
//	f1 = sum over j > k of s^j/j / -ln(1-s),   f2 = 1 - (1-f1) (1-s^k)
//
// It is within 2^-20 of it, and f is taken to 2^-12: searches begin there.
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

// NearFull is the distance of s from 1 below which LogTail takes what the first k terms leave.
const NearFull = 0x1p-9

// What LogTail errs by, relative, for k <= 4096 and 1-s >= 2^-50.
//
// By its terms: (k+1) ln s <= 679 where the first is 2^-980 or more, and errs by 3u of itself.
//
// By what the first k leave of T = -ln(1-s): powers err by j u, so their sum by k u, and each
// difference by T u; what is left is E_1((k+1)(1-s)) or more, 3.6e-5 where k (1-s) is 8 and T is
// 6.2, and T - ln k - 0.6 or so where T is larger.
const (
	TailError         = 0x1p-42
	TailErrorNearFull = 0x1p-23
)

// LogTail returns the sum over j > k of s^j/j, 0 < s < 1, within TailError, enough, and 2^-980:
// its terms, or, within TailErrorNearFull, what the first k leave of -ln(1-s), for 1-s < NearFull
// where that is no longer small beside it.
func LogTail(k int, s, enough float64) float64 {
	const (
		muchLeft = 8         // k (1-s) up to which a part of T is left that tells
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
