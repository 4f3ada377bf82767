package solve

import (
	"slices"
	"strings"
	"testing"
)

// The function "between" returns a script about the words a and b. The given lines are between their declarations and the question.
func between(lines ...string) string {
	return "(set-logic QF_UFBV)\n(declare-const a (_ BitVec 64))\n(declare-const b (_ BitVec 64))\n" +
		strings.Join(lines, "\n") + "\n(check-sat)\n"
}

const (
	possible = "(assert (bvult a b))"
	small    = "(declare-const c (_ BitVec 8))\n(declare-const d (_ BitVec 8))"
)

// The list "malformed" has scripts that do not ask one question. The solvers answer unsat to some of them, and also
// something else.
var malformed = []string{
	"", "\n", "; unsat\n", "unsat\n", "(check-sat)\n", "(exit)\n", "(echo \"unsat\")\n",
	"(set-logic QF_BV)\n(assert false)\n",
	strings.TrimSuffix(between(possible), "\n"), strings.ReplaceAll(between(possible), "\n", "\r\n"),
	strings.TrimPrefix(holds, "(set-logic QF_BV)\n"),
	// answers to something else
	between("(push 1)", "(assert false)", "(check-sat)", "(pop 1)", possible),
	between("(push 1)", "(assert false)", "(check-sat)", "(pop 1)"),
	between("(push 1)", "(assert false)", "(check-sat)", "(exit)", "(pop 1)"),
	between("(assert false)", "(check-sat)", "(reset-assertions)"),
	between("(assert false)", "(check-sat)", "(reset)", "(set-logic QF_BV)"),
	between("(check-sat-assuming (false))"),
	between("(check-sat)", "(assert false)"),
	between("(assert false)") + "(assert nonsense)\n",
	between("(assert false)", "(check-sat)", "(assert nonsense)"),
	between(possible) + "(check-sat-assuming (false))\n",
	"(set-logic QF_BV)\n(declare-const p Bool)\n(assert p)\n(check-sat-assuming ((not p)))\n",
	"(assert false)\n(check-sat)\n(reset)\n" + between(possible),
	between("(exit)", possible), between("(push 1)", "(assert false)", "(pop 1)"), between("(set-logic QF_BV)", possible),
	// texts that are written
	"(echo \"unsat\")\n" + between(possible), between(possible, "(echo \"unsat\")"), between(possible) + "(echo \"unsat\")\n",
	"(echo \"unsat\")\n(reset)\n" + between(possible), between("(echo \"unsat\") (assert true)"),
	between("(assert true) (echo \"unsat\")"),
	holds + "(echo \"" + end + "\")\n" + holds, between(possible, "(echo \""+end+"\")"),
	between(possible) + "(get-info :status)\n",
	between("(declare-const unsat Bool)", "(assert unsat)") + "(get-value (unsat))\n",
	// names of conditions
	between(possible, "(assert (! (= a b) :named later))", "(assert (not condition4))"),
	between(possible, "(assert (not condition4))"),
	between("(assert (! (bvult a b) :named condition4))", "(assert (! (bvult a b) :named condition5))"),
	between("(define-fun condition4 () Bool true)", possible),
	between("(declare-const condition1 Bool)", "(assert condition1)"),
	// texts within which the lines are no commands
	between("(declare-const |x\n(assert false)\n| Bool)", "(assert |x\n(assert false)\n|)"),
	between("(declare-const |x Bool)"),
	between("(declare-const |)| Bool)", "(assert |)|)"),
	between("(declare-const |(check-sat)| Bool)", "(assert |(check-sat)|)"),
	between("(set-info :notes \"\n(check-sat)\n(reset)\n(assert false)\n\")", possible), between(possible, "(echo \"x"),
	between("; (assert false)", possible), between(possible + " ; (assert false)"), between("(assert (bvult a ; )", " b))"),
	between(possible + "(assert (not (= a b)))"), between(possible + " (assert false)"), between(" " + possible),
	between("( assert (= a b))"),
	between("(assert (or (= a b)\r(bvult a b)))"), between("(assert (or (= a b) (bvult a b))"), between("(assert (= a b)))"),
	between(")("),
	// options
	"(set-option :regular-output-channel \"/dev/null\")\n" + between(possible), between("(set-option :print-success true)"),
	"(set-option :produce-unsat-cores true)\n" + between(possible) + "(get-unsat-core)\n", integers + between(possible),
	"(set-option :error-behavior continued-execution)\n" + between("(assert nonsense)", "(assert false)"),
	between("(set-info :status unsat)"),
	between("(define-sort W () (_ BitVec 64))"), between("(define-fun-rec f () Bool f)"), between("(assert-not false)"),
}

// TestMalformed asserts that the solvers do not get a script that has another form. They prove neither it nor the wrong
// claim after it, and no path is possible because of it.
func TestMalformed(t *testing.T) {
	solvers(t)
	forget(t)
	var s Session
	defer s.Close()
	wrong := claim("(= a b)")
	names := []string{"before", "malformed", "wrong"}
	for _, script := range malformed {
		want := formed(script)
		if want == nil {
			t.Errorf("this has the form of a script: %s", script)
			continue
		}
		for _, ask := range []func(names, scripts []string) error{All, s.Refute} {
			err := ask(names, []string{holds, script, wrong})
			if err == nil || err.Error() != "malformed: "+want.Error() {
				t.Errorf("%s: %v, want %v", script, err, want)
			}
		}
		is, err := s.Possible(2, func(i int) string { return []string{holds, script}[i] })
		if is || err == nil || err.Error() != want.Error() {
			t.Errorf("possible: %s: %v, %v", script, is, err)
		}
	}
	if isAnswered(wrong) || slices.ContainsFunc(malformed, isAnswered) {
		t.Error("something counts as proved")
	}
	if err := formed(strings.Replace(holds, "(assert (not", "(assert (not\n", 1)); err != nil {
		t.Errorf("a command of two lines: %v", err)
	}
}

// The list "refutable" has scripts that are satisfiable, or in which a command is wrong.
var refutable = []string{
	// names
	between("(assert (let ((a b) (b a)) (bvult b a)))", possible),
	between("(define-fun t1 () Bool false)", "(assert (let ((t1 true)) t1))"),
	between("(define-fun less ((b (_ BitVec 64)) (a (_ BitVec 64))) Bool (bvult b a))", "(assert (less a b))"),
	between("(define-fun t1 ((p Bool)) Bool (not p))", "(assert (t1 false))", "(assert (t1 (t1 true)))"),
	between("(define-fun t9 () Bool true)", "(assert (let ((t1 false)) (and t9 (not t1))))"),
	between("(define-fun t9 () Bool (bvult a b))", "(define-fun f ((t1 Bool)) Bool (and t9 (not t1)))", "(assert (f false))"),
	between("(define-fun t10 () Bool (bvult a b))", "(define-fun t1 () Bool (not t10))", "(assert (or t10 t1))"),
	between("(declare-fun f ((_ BitVec 64)) Bool)", "(declare-sort M 0)", "(declare-fun g (M) M)", possible),
	between("(declare-fun f (Bool) Bool)", "(declare-fun f ((_ BitVec 64)) Bool)", "(assert (f a))",
		"(assert (not (f false)))"),
	between("(declare-const unsat Bool)", "(assert unsat)"), between("(declare-const a Bool)", possible, "(assert false)"),
	between("(assert t1)", "(define-fun t1 () Bool false)", possible),
	between("(assert (bvult a nonsense))", "(assert false)"),
	between("(assert a)", "(assert false)"), between("(declare-const true Bool)", "(assert (not true))"),
	strings.Replace(between(possible), "QF_UFBV", "QF_NONE", 1),
	// claims that need several conditions
	between("(assert (or (bvult a b) (= a b)))", "(assert (not (bvult a b)))"),
	between("(define-fun t1 () Bool (bvult a b))", "(define-fun t2 () Bool (bvult b a))", "(assert (not t1))",
		"(assert (not t2))"),
	// quotients and remainders
	between(small, "(assert (not (= (bvudiv c (_ bv0 8)) (_ bv0 8))))"),
	between(small, "(assert (= d (_ bv0 8)))", "(assert (not (= (bvudiv c d) c)))"),
	between(small, "(assert (not (bvult (bvurem c d) d)))"),
	between(small, "(assert (not (bvule (bvudiv c d) c)))"),
	between(small, "(assert (not (= (bvurem c (_ bv0 8)) (_ bv0 8))))"),
	between(small, "(assert (= d (_ bv2 8)))", "(assert (not (= (bvsdiv c d) (bvudiv c d))))"),
	// sums that wrap
	between("(assert (not (bvule a (bvadd a b))))"), between("(assert (not (bvule (bvsub a b) a)))"),
	between("(assert (not (= (bvneg a) (_ bv0 64))))"),
	between("(assert (not (bvule a (bvneg a))))"), between("(assert (not (bvslt a (bvadd a (_ bv1 64)))))"),
	between("(assert (not (= (bvslt a b) (bvult a b))))"),
	between("(assert (bvult a (_ bv9223372036854775808 64)))", "(assert (not (bvule a (bvadd a a a a))))"),
	between("(assert (bvule a b))", "(assert (not (bvule (bvsub a (_ bv1 64)) (bvsub b (_ bv1 64)))))"),
	between("(assert (bvult (bvadd a (_ bv1 64)) (bvadd b (_ bv1 64))))", "(assert (not (bvult a b)))"),
	between("(declare-fun f ((_ BitVec 64)) (_ BitVec 64))", "(assert (= (f a) (f b)))", "(assert (not (= a b)))"),
	between(small, "(assert (not (= (bvadd c (_ bv255 8)) (bvadd c (_ bv1 8)))))"),
	between("(declare-const c (_ BitVec 32))", "(assert (not (bvult c (bvadd c (_ bv1 32)))))"),
	between("(assert (not (= ((_ zero_extend 64) (bvadd a b)) (bvadd ((_ zero_extend 64) a) ((_ zero_extend 64) b)))))"),
	// products and shifts
	between("(assert (not (= (bvlshr (bvshl a (_ bv1 64)) (_ bv1 64)) a)))"),
	between("(assert (not (= (bvshl a (_ bv64 64)) a)))"),
	between("(assert (not (= (bvshl a (_ bv4294967296 64)) a)))"),
	between("(assert (not (= (bvshl a (_ bv65 64)) (bvshl a (_ bv1 64)))))"),
	between("(assert (not (= (bvashr a (_ bv1 64)) (bvlshr a (_ bv1 64)))))"),
	between("(assert (not (= (bvshl a b) (bvmul a b))))"),
	between("(assert (bvule a b))", "(assert (not (bvule (bvshl a (_ bv3 64)) (bvshl b (_ bv3 64)))))"),
	between("(assert (bvule a b))", "(assert (not (bvule (bvmul a (_ bv8 64)) (bvmul b (_ bv8 64)))))"),
	between("(assert (not (bvult (_ bv4294967296 64) (bvmul (_ bv4294967296 64) (_ bv4294967296 64)))))"),
	between("(assert (not (= a (bvmul a (_ bv18446744073709551615 64) (_ bv2 64)))))"),
	between("(assert (= b (_ bv3 64)))", "(assert (not (bvule a (bvmul a b))))"),
	// single bits, other sorts
	between("(assert (not (bvult a (bvnot a))))"), between("(assert (not (= ((_ zero_extend 32) ((_ extract 31 0) a)) a)))"),
	between("(assert (not (= (concat ((_ extract 31 0) a) ((_ extract 63 32) a)) a)))"),
	between(small, "(assert (not (= ((_ sign_extend 8) c) ((_ zero_extend 8) c))))"),
	between(small, "(assert (not (= ((_ rotate_left 1) c) c)))",
		"(assert (not (= ((_ repeat 2) c) ((_ zero_extend 8) c))))"),
	strings.Replace(between("(declare-const m (Array (_ BitVec 64) (_ BitVec 64)))",
		"(assert (not (= (select (store m a b) b) b)))"), "QF_UFBV", "QF_AUFBV", 1),
	"(set-logic QF_LIA)\n(declare-const x Int)\n(assert (not (<= 0 x)))\n(check-sat)\n",
	"(set-logic QF_LIA)\n(declare-const x Int)\n(assert (and (<= 0 x) (< x 256)))\n(assert (not (< x (mod (+ x 1) 256))))\n(check-sat)\n",
}

// TestRefutable asserts that neither All nor Refute proves a script that is satisfiable or that has a wrong command. The
// same holds for cvc5 alone, which gets some scripts with names of conditions, and some with integers.
func TestRefutable(t *testing.T) {
	solvers(t)
	forget(t)
	var s Session
	defer s.Close()
	var forms []string
	for _, script := range refutable {
		for _, ask := range []func(names, scripts []string) error{All, s.Refute} {
			err := ask([]string{"before", "this", "after"},
				[]string{holds, script, claim("(= (bvand a b) (bvand b a))")})
			if err == nil || !strings.HasPrefix(err.Error(), "this: ") || isAnswered(script) {
				t.Errorf("%s: %v", script, err)
			}
		}
		forms = append(forms, "(set-option :rlimit-per 20000)\n"+named(script),
			"(set-option :rlimit-per 20000)\n"+integers+script)
	}
	for i, f := range forms { // alone, because cvc5 ends after an error
		answers, err := ask(Solvers[1], []string{f})
		if err != nil {
			t.Fatal(err)
		}
		if core, is := unsat(answers[0]); is {
			t.Errorf("cvc5 proves %s in the form %d, by %s", refutable[i/2], i%2, core)
		}
	}
}

// TestLiars asserts that nothing false is proved if one solver says unsat to everything, whatever conditions it names,
// and however it ends.
func TestLiars(t *testing.T) {
	solvers(t)
	forget(t)
	both := Solvers
	defer func() { Solvers = both }()
	scripts := []string{claim("(= a b)"),
		between("(declare-fun f ((_ BitVec 64)) (_ BitVec 64))", "(define-fun t1 () Bool (bvult a b))", "(assert t1)",
			"(assert (= (f a) b))")}
	const all = `while read -r line; do case "$line" in *check-sat*) echo "$0";; *echo*) echo ` + end + `;; esac; done`
	lies := [][]string{
		{`cat >/dev/null; echo "$0"; echo ` + end + `; echo "$0"; echo ` + end, "unsat"},
		{`cat >/dev/null; for i in 1 2 3 4 5 6; do echo "$0"; done`, "unsat"},
		{`while read -r line; do case "$line" in *check-sat*) echo "$0"; exit 1;; esac; done`, "unsat"},
		{`echo "$0"; kill -9 $$`, "unsat"},
	}
	for _, core := range []string{"", "()", "(condition4)", "(condition999)", "(condition0)", "(condition-1)",
		"(condition5 condition6 condition7)", "(condition7) (assert false)",
		"(condition4)\n(assert false)", "condition4", "(false)", "(a b)", "((", "unsat", "sat", "(error \"x\")",
		"(condition18446744073709551620)"} {
		lies = append(lies, []string{all, "unsat\n" + core})
	}
	for _, lie := range lies {
		for at := range both {
			Solvers = slices.Clone(both)
			Solvers[at] = append([]string{"sh", "-c"}, lie...)
			for _, script := range scripts {
				if err := All([]string{"wrong"}, []string{script}); err == nil || isAnswered(script) {
					t.Errorf("solver %d lies by %q about %s", at, lie, script)
				}
			}
		}
	}
	Solvers = [][]string{{"sh", "-c", all, "unsat"}, {"sh", "-c", all, "unsat"}}
	if err := All([]string{"wrong"}, scripts[:1]); err != nil {
		t.Errorf("two liars: %v", err)
	}
	if Solvers = both; isAnswered(scripts[0]) {
		t.Error("an answer of other solvers counts")
	}
}

// TestAnswers asserts that an answer is unsat only if there is nothing else than the names of conditions after it.
func TestAnswers(t *testing.T) {
	for answer, want := range map[string]string{"unsat": "", "unsat\n()": "()",
		"unsat\n(condition3 condition12)":      "(condition3 condition12)",
		"unsat\n(\ncondition3\ncondition12\n)": "( condition3 condition12 )"} {
		if core, is := unsat(answer); !is || core != want {
			t.Errorf("%q: %q, %v", answer, core, is)
		}
	}
	for _, answer := range []string{"", "sat", "unknown", "unsat\nsat", "unsat\nunsat", "unsat nothing (exit status 1)",
		"unsat\n(error \"line 3\")", "unsat\n(t1)", "unsatisfied",
		"unsat\n(condition3)\nsat", "unsat\n(condition3", "(error \"line 3\")\nunsat", "unsat\n(conditionx)"} {
		if core, is := unsat(answer); is {
			t.Errorf("%q says unsat, by %q", answer, core)
		}
	}
}

// TestHashes asserts that other sets of scripts have other hashes, also if their texts are the same in a row.
func TestHashes(t *testing.T) {
	of := map[string][]string{}
	for _, s := range [][]string{{}, {""}, {"a"}, {"ab"}, {"a", "b"}, {"a\nb"}, {"a\n", "b"}, {"a", "\nb"}, {"a\x00b"},
		{"a", "b", ""}, {"a\n\nb"}, {"\n"}, {"1\na"}, {"a1\nb"}} {
		h := Hash(s)
		if was, ok := of[h]; ok {
			t.Errorf("%q and %q have the same hash", was, s)
		}
		of[h] = s
	}
}
