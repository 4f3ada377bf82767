package simulate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// ringed are operands of a look-up. first[s] holds, for each key, how many of its first positions are set in array s.
type ringed struct {
	words      []uint64 // of one array, or of a pair
	h          []uint64
	k          int
	span, step uint64
}

// fill draws keys and sets their first positions, so many as first says for each array and key. It draws again until
// the next position of each key is clear.
func fill(r *rand.Rand, k, words int, partitioned bool, first ...[]int) ringed {
	arrays := len(first)
	for {
		c := ringed{words: make([]uint64, arrays*words), h: make([]uint64, 2*len(first[0])+r.IntN(2)), k: k, span: uint64(64 * words)}
		if partitioned {
			c.span = uint64(64 * words / k)
			c.step = c.span
		}
		for i := range c.h {
			c.h[i] = r.Uint64()
		}
		pos := make([]uint64, len(first[0])*k)
		asm.PositionsPortable(pos, c.h, k, c.span, c.step)
		for s := range first {
			for i, some := range first[s] {
				for _, p := range pos[i*k:][:some] {
					c.words[uint64(arrays)*(p>>6)+uint64(s)] |= 1 << (p & 63)
				}
			}
		}
		clear := true
		for s := range first {
			for i, some := range first[s] {
				if some < k {
					p := pos[i*k+some]
					clear = clear && c.words[uint64(arrays)*(p>>6)+uint64(s)]>>(p&63)&1 == 0
				}
			}
		}
		if clear {
			return c
		}
	}
}

// ring compares the twin of a ring with the portable function: ContainsRing for one array, ContainsPairRing for two.
func ring(t *testing.T, r *rand.Rand, k, words int, first ...[]int) {
	t.Helper()
	c := fill(r, k, words, r.IntN(2) == 0, first...)
	n := len(first[0])
	args := map[string]any{"h": c.h, "k": c.k, "span": c.span, "step": c.step}
	out, want := make([]uint8, n+r.IntN(2)), make([]bool, n)
	for i := range out {
		out[i] = uint8(r.IntN(2))
	}
	name, found := "ContainsRing", 0
	var all []uint8
	if len(first) == 1 {
		found = asm.ContainsPortable(want, c.words, c.h, k, c.span, c.step)
		for i, b := range want {
			if all = append(all, 0); b {
				all[i] = 1
			}
		}
		args["words"] = c.words
	} else {
		name, all = "ContainsPairRing", make([]uint8, n)
		asm.ContainsPairPortable(all, c.words, c.h, k, c.span, c.step)
		args["pair"] = c.words
	}
	for i := range n {
		for s := range first {
			if is := all[i]>>s&1 == 1; is != (first[s][i] == k) {
				t.Fatalf("key %d with the first positions %v of %d: %d", i, first, k, all[i])
			}
		}
	}
	args["out"] = out
	got, _, domain := interpret(t, twins[name], args)
	if !domain || !slices.Equal(out[:n], all) || len(first) == 1 && got[0] != uint64(found) {
		t.Fatalf("%s of keys with the first positions %v of %d set: %v %v %v, of the portable function %v %d", name, first, k, domain, got, out, all, found)
	}
}

// TestRingsArePortable asserts that the twins of rings end with what the portable functions store, for up to 3 keys with
// every number of first positions that are set, in every array; and for random such numbers of keys around the size of
// the ring and its multiples.
func TestRingsArePortable(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 7))
	for arrays := 1; arrays <= 2; arrays++ {
		for n := range 4 {
			for k := 1; k <= 3; k++ {
				first := make([][]int, arrays)
				for s := range first {
					first[s] = make([]int, n)
				}
				total := 1
				for range n * arrays {
					total *= k + 1
				}
				step := max(1, total/longtest.Of(20, 300, 5000)) // the others are skipped, from a random one on
				for at := r.IntN(step); at < total; at += step {
					rest := at
					for s := range first {
						for i := range first[s] {
							first[s][i], rest = rest%(k+1), rest/(k+1)
						}
					}
					ring(t, r, k, 16, first...)
				}
			}
		}
		for _, n := range []int{62, 63, 64, 65, 66, 127, 128, 129, 150} {
			for range longtest.Of(1, 4, 100) {
				k := 1 + r.IntN(6)
				first := make([][]int, arrays)
				for s := range first {
					first[s] = make([]int, n)
					for i := range first[s] {
						if first[s][i] = k; r.IntN(2) == 0 {
							first[s][i] = r.IntN(k + 1)
						}
					}
				}
				ring(t, r, k, 4096, first...)
			}
		}
	}
}
