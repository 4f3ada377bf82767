// Package fluid is the limit of many bits in which the searches for a threshold and for k
// begin.
package fluid

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// Fill returns the fill s = sigma/m at which the rate is p in the limit of large m:
//
//	f1 = sum over j > k of s^j/j / -ln(1-s),   f2 = 1 - (1-f1) (1-s^k)
func Fill(phases bloomproof.Phases, k int, p float64) float64 {
	low, high := 0.0, 1.0
	for range 20 {
		mid := (low + high) / 2
		f := LogTail(k, mid, 0x1p-12) / -fm.Log1p(-mid)
		if phases == bloomproof.TwoPhase {
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

// LogTail returns the sum over j > k of s^j/j, 0 < s < 1, within 2^-42, so much, and 2^-980:
// its terms, or, within 2^-30, what the first k leave of -ln(1-s), for 1-s < 2^-9 where that
// is no longer small beside it.
func LogTail(k int, s, enough float64) float64 {
	if 1-s < 0x1p-9 && float64(k)*(1-s) < 8 {
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
		if term *= s; term <= max(enough*total*j*(1-s), 0x1p-1000) {
			return total
		}
	}
}

// BestK returns the k up to most with the longest cycle in that limit.
func BestK(phases bloomproof.Phases, p float64, most int) int {
	best, capacity := 1, 0.0
	for k := 1; k <= most; k++ {
		c := -fm.Log1p(-Fill(phases, k, p)) / float64(k)
		if c < capacity {
			break
		}
		best, capacity = k, c
	}
	return best
}
