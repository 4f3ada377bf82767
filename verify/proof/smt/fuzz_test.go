package main

import "testing"

// FuzzObligation reads any text as a proof obligation: one that is accepted has a claim and
// a negative control, and each check has a line of its own and an answer to expect.
func FuzzObligation(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		o, err := parse("any", text)
		if err != nil {
			return
		}
		seen := map[role]bool{}
		for i, c := range o.checks {
			seen[c.role] = true
			if i > 0 && c.line <= o.checks[i-1].line || c.want() != "sat" && c.want() != "unsat" {
				t.Fatalf("%q: %+v", text, o.checks)
			}
		}
		if !seen[claim] || !seen[broken] || len(o.of) == 0 || o.text != text {
			t.Fatalf("%q: %+v", text, o)
		}
	})
}
