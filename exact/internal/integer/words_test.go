package integer

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWords stores numbers of either sign in words, and reads the words again.
func TestWords(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		w := make([]uint64, r.IntN(5))
		for i := range w {
			w[i] = r.Uint64() >> r.IntN(65)
		}
		want := new(big.Int)
		for i, x := range w {
			want.Add(want, new(big.Int).Lsh(Uint(x), uint(64*i)))
		}
		z := big.NewInt(-77) // its old value does not matter
		if SetWords(z, w).Cmp(want) != 0 {
			t.Fatalf("%x is %v, want %v", w, z, want)
		}
		back := []uint64{1, 2, 3, 4, 5, 6}
		if PutWords(back, z); !slices.Equal(back[:len(w)], w) || slices.Max(back[len(w):]) > 0 {
			t.Fatalf("%v becomes %x, want %x", z, back, w)
		}
		modulus := new(big.Int).Lsh(One, 64*3)
		short := make([]uint64, 3)
		PutWords(short, z.Neg(z))
		if got := SetWords(new(big.Int), short); got.Cmp(new(big.Int).Mod(z, modulus)) != 0 {
			t.Fatalf("%v becomes %x", z, short)
		}
	}
}
