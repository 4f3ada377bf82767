//go:build gc && !purego && !race && (amd64 || arm64)

package kernel

import "testing"

// TestAddsAhead asserts the choice on both sides of each of its bounds.
func TestAddsAhead(t *testing.T) {
	near := here.l2 / 8
	for _, c := range []struct {
		im             impl
		keys, words, k int
		want           bool
	}{
		{portable, 100, near + 1, 7, false},
		{popcnt, 1000, near, 7, false},
		{popcnt, ringMin, near + 1, 7, true},
		{popcnt, ringMin - 1, near + 1, 7, false},
		{neon, 1000, near, 7, false},
		{neon, ringMin, near + 1, 7, true},
		{avx512, deriveMin, near, 7, true},
		{avx512, deriveMin - 1, near, 7, false},
		{avx512, deriveMin, 1, ahead, true},
		{avx512, deriveMin, 1, ahead + 1, false},
		{avx512, ringMin, near + 1, ahead, true},
		{avx512, ringMin, near + 1, ahead + 1, false},
	} {
		if got := addsAhead(c.im, c.keys, c.words, c.k); got != c.want {
			t.Errorf("%v, %d keys, %d words, k %d: %v", c.im, c.keys, c.words, c.k, got)
		}
	}
}
