package simulate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestKeysArePortable asserts that the twins that take many keys at once do what the portable functions do. The numbers of
// keys are around multiples of 8, 64 and 256, and the numbers of positions around the sizes of the rings. So a ring of
// positions begins anew many times, has room for one group of keys, or for none; and a list of keys has several levels,
// and is filled several times.
func TestKeysArePortable(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 14))
	pick := func(of ...int) int { return of[r.IntN(len(of))] }
	for name, adds := range map[string]bool{"AddRing32": true, "AddRing128": true, "ContainsLevels": false, "Contains8": false, "ContainsWide8": false} {
		for round := range longtest.Of(6, 12, 600) {
			n := pick(0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 129)
			k := pick(1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 16, 17)
			switch round % 6 {
			case 0: // many keys
				n, k = pick(255, 256, 257, 258, 511, 512, 513, 520), pick(1, 2, 3)
			case 1: // many positions
				n, k = pick(1, 8, 9, 17, 24, 25), pick(31, 32, 33, 43, 64, 65)
			case 2:
				n, k = pick(1, 7, 8, 9), pick(127, 128, 129)
			}
			size := 64 * (2 + r.IntN(60))
			c := ringed{words: make([]uint64, size/64), h: make([]uint64, 2*n+r.IntN(2)), k: k, span: uint64(size)}
			if r.IntN(2) == 0 {
				c.step = uint64(r.IntN(size / k))
				c.span = uint64(size) - uint64(k-1)*c.step - uint64(r.IntN(2))
			}
			for i := range c.h {
				c.h[i] = r.Uint64()
			}
			for i := range n / 8 { // keys that occur twice
				copy(c.h[2*r.IntN(n):][:2], c.h[2*i:])
			}
			pos := make([]uint64, n*k)
			asm.PositionsPortable(pos, c.h, k, c.span, c.step)
			for i := range n { // most keys have all bits, or lack a late one
				for _, p := range pos[i*k:][:max(k-r.IntN(2)*r.IntN(k), r.IntN(k))] {
					c.words[p>>6] |= 1 << (p & 63)
				}
			}
			if adds && r.IntN(3) > 0 {
				clear(c.words)
			}
			out, want := make([]bool, n+r.IntN(2)), make([]bool, n)
			words := slices.Clone(c.words)
			var result int
			if adds {
				result = asm.AddPortable(want, words, c.h, k, c.span, c.step)
			} else {
				result = asm.ContainsPortable(want, words, c.h, k, c.span, c.step)
			}
			got, _, domain := interpret(t, twins[name], map[string]any{"out": out, "words": c.words, "h": c.h, "k": k, "span": c.span, "step": c.step})
			if !domain || got[0] != uint64(result) || !slices.Equal(out[:n], want) || !slices.Equal(c.words, words) {
				t.Fatalf("%s of %d keys, k %d, span %d, step %d: in the domain %v, %d, of the portable function %d", name, n, k, c.span, c.step, domain, got[0], result)
			}
		}
	}
}
