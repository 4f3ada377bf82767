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

// TestIntegers asserts that cvc5 proves with integers what holds of sums of words, and does not prove what would hold
// only of integers.
func TestIntegers(t *testing.T) {
	solvers(t)
	of := map[string]bool{
		"(= (bvadd a b) (bvadd b a))":                                                             true,
		"(= (bvsub (bvadd a b) b) a)":                                                             true,
		"(= (bvshl a (_ bv3 64)) (bvmul a (_ bv8 64)))":                                           true,
		"(or (bvult a (bvadd a (_ bv1 64))) (= a (_ bv18446744073709551615 64)))":                 true,
		"(= (bvslt a (_ bv0 64)) (bvult (_ bv9223372036854775807 64) a))":                         true,
		"(or (not (= a b)) (= (f a) (f b)))":                                                      true,
		"(bvult a (bvadd a (_ bv1 64)))":                                                          false,
		"(not (bvult a (bvsub a b)))":                                                             false,
		"(= (bvslt a b) (bvult a b))":                                                             false,
		"(or (not (= (bvshl a (_ bv1 64)) (bvshl b (_ bv1 64)))) (= a b))":                        false,
		"(or (not (= (bvmul a (_ bv8 64)) (bvmul b (_ bv8 64)))) (= a b))":                        false,
		"(= a (ite (bvult a b) b a))":                                                             false,
		"(or (not (= (f a) (f b))) (= a b))":                                                      false,
		"(= ((_ zero_extend 1) (bvadd a b)) (bvadd ((_ zero_extend 1) a) ((_ zero_extend 1) b)))": false,
	}
	var texts, scripts []string
	for text := range of {
		s := strings.Replace(claim(text), "QF_BV)\n", "QF_UFBV)\n(declare-fun f ((_ BitVec 64)) (_ BitVec 64))\n", 1)
		if !sums(s) {
			t.Errorf("%s: not only sums", text)
		}
		texts, scripts = append(texts, text), append(scripts, "(set-option :rlimit-per 20000)\n"+integers+s)
	}
	answers, err := ask(Solvers[1], scripts)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if (answers[i] == "unsat") != of[text] {
			t.Errorf("%s: %s", text, answers[i])
		}
	}
}
