package solve

import (
	"strings"
	"testing"
)

// TestCore asserts that the script for the second solver has only the conditions and definitions that the first needs.
func TestCore(t *testing.T) {
	solvers(t)
	const script = `(set-logic QF_UFBV)
(declare-sort Memory 0)
(declare-const a (_ BitVec 64))
(declare-const M Memory)
(define-fun t1 () Bool (bvult a (_ bv7 64)))
(assert t1)
(declare-fun load (Memory (_ BitVec 64)) (_ BitVec 64))
(define-fun t2 () (_ BitVec 64) (load M a))
(define-fun t3 () Bool (= t2 a))
(assert t3)
(define-fun t4 () Bool (bvult a (_ bv8 64)))
(assert (not t4))
(check-sat)
`
	answers, err := ask(Solvers[0], []string{named(script)})
	if err != nil {
		t.Fatal(err)
	}
	answer, core, _ := strings.Cut(answers[0], "\n")
	got := only(script, core)
	const want = `(set-logic QF_BV)
(declare-const a (_ BitVec 64))
(define-fun t1 () Bool (bvult a (_ bv7 64)))
(assert t1)
(define-fun t4 () Bool (bvult a (_ bv8 64)))
(assert (not t4))
(check-sat)
`
	if answer != "unsat" || got != want {
		t.Errorf("%s: %s gives %s", answer, core, got)
	}
	if got := only(script, ""); got != script {
		t.Errorf("without names: %s", got)
	}
	if got := only(script, "("+name(10)+")"); !strings.Contains(got, "QF_UFBV") || !strings.Contains(got, "Memory 0") || strings.Contains(got, "(assert t1)") {
		t.Errorf("with a function: %s", got)
	}
}

// TestLines asserts that a script is proved as a whole if a command has two lines, and that it is not proved if the
// second solver refutes it.
func TestLines(t *testing.T) {
	solvers(t)
	forget(t)
	two := strings.Replace(holds, "(assert (not", "(assert (not\n", 1)
	if named(two) != two {
		t.Errorf("named as %s", named(two))
	}
	if err := All([]string{"two lines", "one line"}, []string{two, holds}); err != nil {
		t.Error(err)
	}
	both := Solvers
	defer func() { Solvers = both }()
	for _, answers := range []string{"sat", "unknown", ""} {
		clear(answered)
		Solvers = [][]string{both[0], {"sh", "-c", "cat >/dev/null; echo " + answers}}
		if err := All([]string{"sum"}, []string{holds}); err == nil || !strings.HasPrefix(err.Error(), "sum: sh says "+answers) || isAnswered(holds) {
			t.Errorf("the second solver says %q: %v", answers, err)
		}
	}
}
