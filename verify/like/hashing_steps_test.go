package like

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// A start and a step that are remainders of all words of h bits, and sums of words of which m divides the range.
func TestStepsAreEnumerated(t *testing.T) {
	h := uint(longtest.More(6, 8))
	words := allWords(h, 2)
	positions := func(m uint64, k int, at func(key []uint64, i uint64) uint64) (keys [][]uint64) {
		for _, key := range words {
			var pos []uint64
			for i := range uint64(k) {
				pos = append(pos, at(key, i)%m)
			}
			keys = append(keys, pos)
		}
		return keys
	}
	signs := func(x uint64, m uint64) uint64 { // the remainder of a number with a sign, plus m if negative
		if x < 1<<(h-1) {
			return x % m
		}
		return (m - (1<<h-x)%m) % m
	}
	narrow := 0
	for m := uint64(1); m <= 8; m++ {
		for k := 1; k <= 4; k++ {
			for _, c := range []struct {
				name string
				rate rate
				keys [][]uint64
			}{
				{"double", reducedSteps(bloomproof.DoubleZero, h, 1), positions(m, k, func(key []uint64, i uint64) uint64 { return key[0] + i*key[1] })},
				{"enhanced double", reducedSteps(bloomproof.EnhancedDouble, h, 2), positions(m, k, func(key []uint64, i uint64) uint64 {
					return signs(key[0], m) + i*signs(key[1], m) + (i*i*i-i)/6
				})},
				{"wrapped", wrappedSteps(word{bits: h}), positions(m, k, func(key []uint64, i uint64) uint64 { return (key[0] + i*key[1]) % (1 << h) })},
			} {
				for i, want := range rates(int(m), 3, c.keys) {
					n := uint64(i + 1)
					e, err := c.rate(bloomproof.Geometry{M: m, K: k}, n, 60)
					if err != nil || !contains(e, want) {
						t.Fatalf("%s of %d bits, m=%d k=%d n=%d: %v, %v; enumeration gives %v", c.name, h, m, k, n, e, err, want.FloatString(9))
					}
					if e.RelBits() >= 3 {
						narrow++
					}
					if m&(m-1) == 0 && e.RelBits() < 60 {
						t.Errorf("%s of %d bits, m=%d k=%d n=%d: %v, which should be exact", c.name, h, m, k, n, e)
					}
				}
			}
		}
	}
	t.Logf("%d narrow enclosures", narrow)
	if narrow < 150 {
		t.Errorf("%d enclosures are narrow", narrow)
	}
}
