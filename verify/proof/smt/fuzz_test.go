package main

import "testing"

// FuzzObligation reads any text as a proof obligation: an accepted obligation has a claim and a
// negative control, and each of its checks is on a line of its own and has an expected answer.
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
