//go:build gc && !purego && !race && (amd64 || arm64)

package kernel

import "testing"

// TestAddsAhead asserts the choice on both sides of each of its bounds.
func TestAddsAhead(t *testing.T) {
	near := here.l2 / 8
	for _, c := range []struct {
		im             Impl
		keys, words, k int
		want           bool
	}{
		{Portable, 100, near + 1, 7, false},
		{Popcnt, 1000, near, 7, false},
		{Popcnt, ringMin, near + 1, 7, true},
		{Popcnt, ringMin - 1, near + 1, 7, false},
		{NEON, 1000, near, 7, false},
		{NEON, ringMin, near + 1, 7, true},
		{AVX2, deriveMin, near, 7, true},
		{AVX2, deriveMin - 1, near, 7, false},
		{AVX512, deriveMin, 1, ahead, true},
		{AVX512, deriveMin, 1, ahead + 1, false},
		{AVX512, ringMin, near + 1, ahead, true},
		{AVX512, ringMin, near + 1, ahead + 1, false},
	} {
		if got := addsAhead(c.im, c.keys, c.words, c.k); got != c.want {
			t.Errorf("%v, %d keys, %d words, k %d: %v", c.im, c.keys, c.words, c.k, got)
		}
	}
}
