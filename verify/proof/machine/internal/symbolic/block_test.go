package symbolic

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
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

// TestBlockBounds asserts that only whole words inside the block are read and written, neither before it nor after it.
func TestBlockBounds(t *testing.T) {
	for _, name := range []string{"BlockAdd8x32OneAVX2", "BlockAdd8x64OneAVX2"} {
		p := term.NewPool()
		b := &block{twin: blockTwinOf(name), p: p}
		for i := range b.twin.words() {
			b.words = append(b.words, p.Var(fmt.Sprintf("word%d", i), 64))
		}
		size := 8 * len(b.words)
		start := p.Add(p.Var("words", 64), p.Mul(p.MulHi(p.Var("h0", 64), p.Var("blocks", 64)), p.Value(64, uint64(size))))
		for n := 1; n <= 9; n++ {
			var lanes []*term.Term
			for range n {
				lanes = append(lanes, p.Var("h1", 64))
			}
			for from := -80; from <= size+8; from += 4 {
				at := p.Add(start, p.Value(64, uint64(from)))
				for what, access := range map[string]func(){"load": func() { b.Load(nil, at, 64*n) }, "store": func() { b.Store(nil, at, lanes) }} {
					err := func() (err error) {
						defer semantics.Recover(&err)
						access()
						return nil
					}()
					if inside := from >= 0 && from%8 == 0 && from+8*n <= size; (err == nil) != inside {
						t.Errorf("%s: a %s of %d words at byte %d: %v", name, what, n, from, err)
					}
				}
			}
		}
	}
}
