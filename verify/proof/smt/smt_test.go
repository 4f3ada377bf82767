package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

func loaded(t *testing.T) []obligation {
	t.Helper()
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Errorf("only %d files", len(all))
	}
	return all
}

// TestObligations runs every file with z3; where there is none it only checks their
// form, and `make prove` is what fails.
func TestObligations(t *testing.T) {
	all := loaded(t)
	longtest.Only(t, "make prove does the same")
	z3 := longtest.Program(t, "z3")
	for _, o := range all {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			if err := o.prove(z3); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSources asserts that the files an obligation is about exist, and that both hold
// the constants that they share.
func TestSources(t *testing.T) {
	for _, o := range loaded(t) {
		for _, s := range o.of {
			source, err := os.ReadFile(filepath.Join("../../..", s.path))
			if err != nil {
				t.Errorf("%s: %v", o.name, err)
			}
			for _, c := range s.constants {
				if !strings.Contains(o.text, "#x"+strings.TrimPrefix(c, "0x")) || !strings.Contains(string(source), c) {
					t.Errorf("%s and %s do not both hold %s", o.name, s.path, c)
				}
			}
		}
	}
}

// TestTable asserts that README.md lists every file, as go run ./verify/proof/smt -table does.
func TestTable(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := table(loaded(t)); !strings.Contains(string(readme), want) {
		t.Errorf("README.md lacks this table:\n%s", want)
	}
}

const top = "; proves   a\n; assumes  b\n; of       c 0x1\n(set-logic QF_LIA)\n(declare-const x Int)\n"

// sound is a file in which everything is as it should be.
const sound = top + `(push 1)
(assert (<= 1 x)) ; a comment
(check-sat) ; sat
(push 1)
(assert (not (<= 0
              x)))
(check-sat) ; unsat: x is not negative
(pop 1)
(push 1)
(assert (not (<= 2 x)))
(check-sat) ; sat, broken: x is 1
(pop 1)
(pop 1)
`

// TestFormCatches asserts that what must not stand in a file is refused.
func TestFormCatches(t *testing.T) {
	o, err := parse("sound", sound)
	if err != nil {
		t.Fatal(err)
	}
	if o.proves != "a" || o.assumes != "b" || len(o.of) != 1 || o.of[0].path != "c" || len(o.checks) != 3 || o.checks[1].line != 12 {
		t.Errorf("parsed as %+v", o)
	}
	for _, row := range []struct{ old, new, want string }{
		{"; assumes  b\n", "", "does not begin"},
		{"; of       c 0x1\n", "", "does not begin"},
		{"(check-sat) ; sat\n", "", "no check before shows"},
		{"(assert (<= 1 x)) ; a comment\n(check-sat) ; sat", "(check-sat) ; sat", "a check of nothing"},
		{"(check-sat) ; sat\n", "(check-sat) ; sat\n(assert (<= x 9))\n", "no check before shows"},
		{"(assert (not (<= 0\n              x)))", "(assert (< x 0))", "not asserted as (not"},
		{"(assert (not (<= 2 x)))", "(assert (< x 2))", "not asserted as (not"},
		{": x is not negative", "", "the claim is not told"},
		{": x is 1", "", "what is broken is not told"},
		{"; unsat: x is not negative", "", "the comment beside check-sat"},
		{"; sat, broken: x is 1", "; sat", "none that is broken"},
		{"; unsat: x is not negative", "; sat", "has no claim"},
		{"(pop 1)\n(pop 1)\n", "(pop 1)\n", "push without pop"},
		{"(push 1)\n(assert (<= 1 x))", "(assert (<= 1 x))", "pop without push"},
		{"(<= 1 x))", "(<= 1 x)", "parentheses"},
		{"(<= 1 x))", "(<= 1 x)))", "parentheses"},
		{"(push 1)\n(assert (<= 1 x))", "(push 1)\n(reset)\n(assert (<= 1 x))", "reset is not for these files"},
	} {
		_, err := parse("bad", strings.Replace(sound, row.old, row.new, 1))
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%q instead of %q: got %v, want %q", row.new, row.old, err, row.want)
		}
	}
}

// TestProveCatches asserts that a false claim, a premise that cannot hold, a break that
// breaks nothing and a file that z3 refuses are all found.
func TestProveCatches(t *testing.T) {
	z3 := longtest.Program(t, "z3")
	for _, row := range []struct{ old, new, want string }{
		{"", "", ""},
		{"(<= 1 x)", "(<= (- 1) x)", "bad.smt2:12: z3 says sat, want unsat: x is not negative"},
		{"(<= 1 x)", "(< x x)", "bad.smt2:8: z3 says unsat, want sat"},
		{"(<= 2 x)", "(<= 1 x)", "bad.smt2:16: z3 says unsat, want sat: x is 1"},
		{"(<= 1 x)", "(<= 1 y)", "bad.smt2:8: z3 says (error"},
		{"(pop 1)\n(pop 1)\n", "(pop 1)\n(pop 1)\n(declare-const x)\n", "after the answers"},
	} {
		o, err := parse("bad", strings.Replace(sound, row.old, row.new, 1))
		if err != nil {
			t.Fatal(err)
		}
		err = o.prove(z3)
		if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%q instead of %q: got %v, want %q", row.new, row.old, err, row.want)
		}
	}
}

// TestRunCatches asserts that a run without z3, or of no file, or with a failure fails.
func TestRunCatches(t *testing.T) {
	all := loaded(t)
	t.Run("no z3", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		if err := run(all, nil); err == nil || !strings.Contains(err.Error(), "nothing is proved") {
			t.Errorf("got %v", err)
		}
	})
	longtest.Program(t, "z3")
	if err := run(all, []string{"nonesuch"}); err == nil {
		t.Error("a run of no file passes")
	}
	bad, err := parse("bad", strings.Replace(sound, "(<= 1 x)", "(<= (- 1) x)", 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := run([]obligation{bad}, nil); err == nil {
		t.Error("a run with a failure passes")
	}
}
