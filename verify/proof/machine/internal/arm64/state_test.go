package arm64

import (
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// TestConditionsOfCompared asserts that what a condition says of what was compared is what it
// says of the flags.
func TestConditionsOfCompared(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 5))
	for _, form := range []string{"subs x0, x1, x2", "cmp x1, x2", "adds x0, x1, #2", "cmn w1, #8", "cmn x1, x2", "tst x1, x2", "tst x1, #0xff"} {
		in := Instruction{Text: form}
		if err := in.Parse(); err != nil {
			t.Fatal(err)
		}
		for range 2000 {
			from := draw(r)
			if r.IntN(2) == 0 {
				from.X[2] = from.X[1] + r.Uint64N(3) - 1
			}
			m := machine(from, nil, 0)
			m.Compared = [2]*term.Term{m.X[3], m.X[4]} // what an instruction leaves there is its own
			if err := m.Step(in); err != nil {
				t.Fatal(err)
			}
			flags := *m
			flags.Compared = [2]*term.Term{}
			for _, cc := range []string{"eq", "ne", "hs", "lo", "hi", "ls", "ge", "lt", "gt", "le"} {
				if m.Condition(cc) != flags.Condition(cc) {
					t.Fatalf("%s, %s: %s, by the flags %s", form, cc, m.Condition(cc), flags.Condition(cc))
				}
			}
		}
	}
}
