package simulate

import (
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/solve"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// TestLemmas asserts that both solvers prove every lemma.
func TestLemmas(t *testing.T) {
	longtest.Only(t, "it runs solvers for seconds to minutes")
	longtest.Program(t, "z3")
	longtest.Program(t, "cvc5")
	var scripts []string
	names := slices.Sorted(maps.Keys(lemmas))
	for _, n := range names {
		scripts = append(scripts, lemmas[n])
	}
	if err := solve.All(names, scripts); err != nil {
		t.Error(err)
	}
}

// TestReduce asserts that reduce is the upper half of the product, for random and extreme words.
func TestReduce(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 12))
	p := term.NewPool()
	z, span := p.Var("z", 64), p.Var("span", 64)
	of := reduce(p, z, span)
	for range 2000 {
		a := []uint64{0, ^uint64(0), r.Uint64(), r.Uint64() << 32}[r.IntN(4)]
		b := []uint64{0, 1, 1 << 48, 1<<48 - 1, 1<<32 - 1, r.Uint64() >> (16 + r.IntN(48))}[r.IntN(6)]
		want, _ := bits.Mul64(a&^0xfff, b)
		leaf := func(t *term.Term, _ []uint64) uint64 { return map[*term.Term]uint64{z: a, span: b}[t] }
		if got := term.Eval(of, leaf); got != want {
			t.Fatalf("%#x within %#x: %#x, want %#x", a, b, got, want)
		}
	}
}

// TestUnrolled asserts that lines are repeated with their number, and others stay.
func TestUnrolled(t *testing.T) {
	const text, want = "twin A()\n\trepeat 2\n\tx$ = $\n\ty = 1\n\tend\n\treturn\n", "twin A()\n\tx0 = 0\n\ty = 1\n\tx1 = 1\n\ty = 1\n\treturn\n"
	if got := unrolled(text); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
