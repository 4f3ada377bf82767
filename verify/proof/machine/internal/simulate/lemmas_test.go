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

// TestBound asserts that the condition of the step "bound" holds for random and extreme words, and that scale, scale32 and
// wide are the product shifted to the right.
func TestBound(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 13))
	p := term.NewPool()
	x, span := p.Var("x", 64), p.Var("span", 64)
	s := scope{Pool: p, names: func(name string) *term.Term { return map[string]*term.Term{"x": x, "span": span}[name] }}
	for text, most := range map[string]uint64{"scale(x, span)": 1 << 48, "scale32(x, span)": 1<<32 - 1, "wide(x, span)": 1 << 48, "wider(x, span)": 1 << 48} {
		e, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		of, bound := s.word(e), s.bound(e)
		for range 2000 {
			a := []uint64{0, 1<<52 - 1, 1 << 52, r.Uint64() >> 12, r.Uint64()}[r.IntN(5)]
			b := []uint64{0, 1, most, most + 1, most - 1, r.Uint64() >> (16 + r.IntN(48))}[r.IntN(6)]
			leaf := func(t *term.Term, _ []uint64) uint64 { return map[*term.Term]uint64{x: a, span: b}[t] }
			if term.Eval(bound, leaf) != 1 {
				t.Fatalf("%s of %#x and %#x: no bound", text, a, b)
			}
			if a>>52 > 0 || b > most {
				continue
			}
			high, low := bits.Mul64(a, b)
			if got, want := term.Eval(of, leaf), high<<12|low>>52; got != want {
				t.Fatalf("%s of %#x and %#x: %#x, want %#x", text, a, b, got, want)
			}
		}
	}
}

// TestMultiples asserts that terms with multiples keep their values, for all words of 8 bits, and that each rule is applied.
func TestMultiples(t *testing.T) {
	p := term.NewPool()
	c, b := p.Var("c", 8), p.Var("b", 8)
	q := p.Div(c, b)
	product := p.Mul(q, b)
	for _, old := range []*term.Term{p.Rem(product, b), product, p.Sub(c, product), p.Apply("fits", 0, q, b, product)} {
		rewritten := multiples(p, old)
		if rewritten == old {
			t.Errorf("%s stays", old)
		}
		for v := range uint64(1 << 16) {
			leaf := func(t *term.Term, args []uint64) uint64 {
				switch {
				case t == c:
					return v >> 8
				case t == b:
					return v & 255
				case args[0]*args[1] <= args[2]: // fits
					return 1
				}
				return 0
			}
			if got, want := term.Eval(rewritten, leaf), term.Eval(old, leaf); got != want {
				t.Fatalf("%s for %#x: %d, by the rules %d", old, v, want, got)
			}
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
