package solve

import (
	"cmp"
	"math/rand/v2"
	"regexp"
	"slices"
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
(define-fun t2 () Bool (bvult a (_ bv8 64)))
(assert (not t2))
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

// TestRenumbered asserts that scripts that differ only in the numbers of their definitions become the same, and that
// declared names do not become those of definitions.
func TestRenumbered(t *testing.T) {
	const one = "(declare-const t_i Bool)\n(define-fun t9 () Bool t_i)\n(define-fun t12 () Bool (and t9 t_i))\n(assert t12)\n(check-sat)\n"
	const other = "(declare-const t_i Bool)\n(define-fun t2 () Bool t_i)\n(define-fun t1 () Bool (and t2 t_i))\n(assert t1)\n(check-sat)\n"
	if a, b := renumbered(one), renumbered(other); a != b || !strings.Contains(a, "(define-fun t2 () Bool (and t1 t_i))\n(assert t2)") {
		t.Errorf("%s and %s", a, b)
	}
	if s := "(declare-const a+t1 Bool)\n" + one; renumbered(s) != s {
		t.Errorf("a+t1 is declared: %s", renumbered(s))
	}
	const declared = "(declare-const t2 Bool)\n(define-fun t1 () Bool t2)\n(assert (and t1 t2))\n(check-sat)\n"
	if s, want := renumbered(declared), strings.NewReplacer("t1", "t2", "t2", "t1").Replace(declared); s != want {
		t.Errorf("t2 is declared: %s", s)
	}
	for _, bound := range []string{"(assert (let ((t1 false)) (and t9 (not t1))))\n", "(define-fun f ((t1 Bool)) Bool (and t9 t1))\n"} {
		if s := strings.Replace(one, "(assert", bound+"(assert", 1); renumbered(s) != s {
			t.Errorf("t1 is bound: %s", renumbered(s))
		}
	}
}

// TestShortened asserts that a solver proves a script with fewer conditions once, also if other claims need it, that
// the other solver is asked nevertheless, and that a claim with other conditions is not proved by it.
func TestShortened(t *testing.T) {
	solvers(t)
	forget(t)
	both := Solvers
	defer func() { Solvers = both }()
	const more = "(assert (= (bvand a b) b))\n(assert (not "
	again := strings.Replace(holds, "(assert (not ", more, 1)
	if err := All([]string{"sum", "again"}, []string{holds, again}); err != nil {
		t.Fatal(err)
	}
	clear(answered)
	Solvers = [][]string{both[0], {"sh", "-c", "cat >/dev/null; echo unknown"}}
	if err := All([]string{"sum"}, []string{strings.Replace(again, "= (bvand a b) b", "= (bvand a b) a", 1)}); err == nil {
		t.Error("the second solver was not asked")
	}
	Solvers = both
	if err := All([]string{"wrong"}, []string{strings.Replace(again, "(= (bvadd a b) (bvadd b a))", "(= a (bvadd b a))", 1)}); err == nil {
		t.Error("a wrong claim with the same conditions is proved")
	}
}

// TestOnly asserts of random scripts and cores that the second solver gets the named conditions and no others. What they
// say, with all definitions put in, is what they say in the script.
func TestOnly(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 7))
	fewer, whole := 0, 0
	for i := range 300 {
		script := satisfiable(r, i%2 == 0)
		var core, want []string
		conditions := expanded(script)
		for k, line := range slices.Collect(strings.Lines(script)) {
			if !strings.HasPrefix(line, condition) {
				continue
			}
			if r.IntN(3) > 0 {
				core, want = append(core, name(k+1)), append(want, conditions[0])
			}
			conditions = conditions[1:]
		}
		got := only(script, "("+strings.Join(core, " ")+")")
		if is := expanded(got); !slices.Equal(is, want) || formed(got) != nil {
			t.Fatalf("%q are asserted, want %q: %v\n%s\n%s", is, want, formed(got), script, got)
		}
		if len(got) < len(script)-200 {
			fewer++
		}
		if l := linear(script); l != "" && !strings.Contains(l, "(declare-const t") { // it has other operations
			if whole++; !slices.Equal(expanded(l), expanded(script)) {
				t.Fatalf("these are not the conditions of the script\n%s\n%s", script, l)
			}
		}
	}
	if fewer < 50 || whole < 50 {
		t.Errorf("%d scripts are much shorter, and %d are linear as a whole", fewer, whole)
	}
}

// expanded returns the conditions of a script without definitions, but with the sorts of the declarations.
func expanded(script string) (out []string) {
	is := map[string]string{}
	for line := range strings.Lines(script) {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(line, "("), ")\n"), " ")
		name, rest2, _ := strings.Cut(rest, " ")
		text := regexp.MustCompile(`[^() ]+`).ReplaceAllStringFunc(rest, func(w string) string { return cmp.Or(is[w], w) })
		switch kind {
		case "declare-const", "declare-fun":
			is[name] = name + ":" + rest2
		case "define-fun":
			_, text, _ = strings.Cut(text, " ")
			is[name] = "[" + text + "]"
		case "assert":
			out = append(out, text)
		}
	}
	return out
}

// TestOnlyAskedCounts asserts that a solver has not proved the conditions that it says it needs unless it was asked about
// them: the answer could have too few.
func TestOnlyAskedCounts(t *testing.T) {
	forget(t)
	both := Solvers
	defer func() { Solvers = both }()
	const says = `cat >/dev/null; echo 'unsat'; echo '(condition5)'; echo ` + end
	wrong := claim("(= a b)")
	more := strings.Replace(wrong, "(assert (not ", "(assert (bvult b a))\n(assert (not ", 1)
	Solvers = [][]string{{"sh", "-c", says}}
	if err := All([]string{"more"}, []string{more}); err != nil {
		t.Fatal(err)
	}
	if shortened[shortTo(0, wrong)] {
		t.Error("the claim without the condition counts as proved")
	}
}
