package solve

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// TestSatisfiable asserts of random scripts that certain values of the variables satisfy that no solver says unsat to them:
// z3 and cvc5 with names of conditions, and both about the integers of the function "linear".
func TestSatisfiable(t *testing.T) {
	solvers(t)
	r := rand.New(rand.NewPCG(21, 123))
	var names, ints, linears []string
	for i := range longtest.Of(40, 100, 300) {
		s := satisfiable(r, i%3 > 0)
		names = append(names, named(s))
		if l := linear(s); l != "" {
			ints, linears = append(ints, integers+l), append(linears, simplex+named(integral(l)))
		}
	}
	for i, c := range []struct {
		solver  int
		limit   int
		scripts []string
		least   int // the smallest share of scripts that are answered, as a divisor
	}{{0, 300_000, names, 2}, {1, 10_000, names[:20], 4}, {1, 20_000, ints, 4}, {0, 300_000, linears, 4}} {
		var tries []string
		for _, s := range c.scripts {
			tries = append(tries, fmt.Sprintf(interactive[c.solver].limit, c.limit)+s)
		}
		answers, err := ask(Solvers[c.solver], tries)
		if err != nil {
			t.Fatal(err)
		}
		sat := 0
		for k, a := range answers {
			switch first, _, _ := strings.Cut(strings.ReplaceAll(a, " ", "\n"), "\n"); first {
			case "sat":
				sat++
			case "unsat":
				t.Errorf("%s: %s:\n%s", Solvers[c.solver][0], a, tries[k])
			}
		}
		if t.Logf("form %d: %d of %d are sat", i, sat, len(tries)); sat < len(tries)/c.least {
			t.Errorf("form %d: %d of %d are sat; the last answer is %s", i, sat, len(tries), answers[len(answers)-1])
		}
	}
}

// TestNextScript asserts that scripts are answered after one at which a solver ends: cvc5 has no names of conditions that
// contradict one another if the answer is sat.
func TestNextScript(t *testing.T) {
	solvers(t)
	for _, solver := range Solvers {
		got, err := ask(solver, []string{named(holds), named(claim("(= a b)")), named(claim("(= b a)")), named(holds)})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{"unsat", "sat", "sat", "unsat"} {
			if !strings.HasPrefix(got[i], want) {
				t.Errorf("%s: the answer to script %d is %s", solver[0], i, got[i])
			}
		}
	}
	if got, err := ask([]string{"false"}, []string{holds, holds}); err != nil || len(got) != 2 || got[1] != "nothing (exit status 1)" {
		t.Errorf("%q, %v", got, err)
	}
}

// satisfiable returns a script with several conditions that hold for certain values, and a claim that is false for them.
func satisfiable(r *rand.Rand, sums bool) string {
	p := term.NewPool()
	value := map[string]uint64{}
	var words []*term.Term
	for _, name := range []string{"a", "b", "c", "d"} {
		words = append(words, p.Var(name, 64))
		value[name] = []uint64{0, 1, 1 << 63, ^uint64(0), r.Uint64N(100), r.Uint64(), r.Uint64() >> 32}[r.IntN(7)]
	}
	leaf := func(t *term.Term, args []uint64) uint64 {
		if t.Op == term.Var {
			return value[t.Name]
		}
		return args[0]*args[0] ^ args[0]>>7
	}
	pick := func() *term.Term { return words[r.IntN(len(words))] }
	truth := func() *term.Term {
		a, b := pick(), pick()
		return []*term.Term{p.Eq(a, b), p.Ult(a, b), p.Slt(a, b), p.Ule(a, b)}[r.IntN(4)]
	}
	number := func() *term.Term {
		return p.Value(64, []uint64{1, 8, 63, 1 << 63, ^uint64(0), r.Uint64N(1 << 20), r.Uint64()}[r.IntN(7)])
	}
	for range 8 {
		a, b := pick(), pick()
		some := []*term.Term{p.Add(a, b), p.Sub(a, b), p.Add(a, number()), p.Mul(a, number()),
			p.Shl(a, p.Value(64, r.Uint64N(70))),
			p.Ite(truth(), a, b), p.Apply("f", 64, a), p.Mul(number(), p.Sub(b, a))}
		if !sums {
			some = append(some, p.BvAnd(a, b), p.BvXor(a, number()), p.BvNot(a), p.Shl(a, b),
				p.Lshr(a, p.Value(64, r.Uint64N(70))), p.Zext(p.Extract(a, r.IntN(33), 32), 64))
		}
		words = append(words, some[r.IntN(len(some))])
	}
	holding := func(want uint64) *term.Term {
		c := truth()
		if r.IntN(3) == 0 {
			c = p.Or(p.And(c, truth()), p.Not(truth()))
		}
		if term.Eval(c, leaf) != want {
			c = p.Not(c)
		}
		return c
	}
	var given []*term.Term
	for range 1 + r.IntN(6) {
		given = append(given, holding(1))
	}
	return term.Script(given, holding(0), false)
}
