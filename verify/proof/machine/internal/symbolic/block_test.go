package symbolic

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// TestBlockTwinIsPortable asserts that the twins for one key make of the key's block what the
// portable functions do, and of no other, for random words of any density.
func TestBlockTwinIsPortable(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 10))
	for name, portable := range map[string]func(out []bool, words, h []uint64, ahead int) int{
		"BlockContains8x32OneAVX2": asm.BlockContains8x32Portable, "BlockAdd8x32OneAVX2": asm.BlockAdd8x32Portable,
		"BlockContains8x64OneAVX2": asm.BlockContains8x64Portable, "BlockAdd8x64OneAVX2": asm.BlockAdd8x64Portable,
	} {
		twin := blockTwinOf(name)
		p := term.NewPool()
		var before []*term.Term
		for i := range twin.words() {
			before = append(before, p.Var(fmt.Sprintf("word%d", i), 64))
		}
		after, result := twin.run(p, before, p.Var("h1", 64))
		for range 2000 {
			blocks := 1 + r.IntN(4)
			words := make([]uint64, blocks*twin.words())
			density := r.IntN(6)
			for i := range words {
				for range density {
					words[i] |= r.Uint64()
				}
			}
			h := []uint64{r.Uint64(), []uint64{0, ^uint64(0), r.Uint64(), r.Uint64()}[r.IntN(4)]}
			number, _ := bits.Mul64(h[0], uint64(blocks))
			of := words[int(number)*twin.words():][:twin.words()]
			held := slices.Clone(of)
			leaf := func(t *term.Term, _ []uint64) uint64 {
				if t.Name == "h1" {
					return h[1]
				}
				return held[int(t.Name[len(t.Name)-1]-'0')]
			}
			want := slices.Clone(words)
			n := uint64(portable([]bool{false}, want, h, 0))
			for i := range of {
				of[i] = term.Eval(after[i], leaf)
			}
			if got := term.Eval(result, leaf); got != n || !slices.Equal(words, want) {
				t.Fatalf("%s: %d, of the portable function %d, %x of %x by %x", strings.TrimSuffix(name, "AVX2"), got, n, words, held, h)
			}
		}
	}
}
