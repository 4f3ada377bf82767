package solve

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// forget drops the answers of earlier tests, and restores them when the test ends.
func forget(t *testing.T) {
	t.Helper()
	was := maps.Clone(answered)
	clear(answered)
	t.Cleanup(func() {
		answered, versions = was, ""
		if kept != nil {
			kept.Close()
			kept = nil
		}
	})
}

func solvers(t *testing.T) {
	t.Helper()
	for _, s := range Solvers {
		longtest.Program(t, s[0])
	}
}

func claim(text string) string {
	return "(set-logic QF_BV)\n(declare-const a (_ BitVec 64))\n(declare-const b (_ BitVec 64))\n(assert (not " + text + "))\n(check-sat)\n"
}

var holds = claim("(= (bvadd a b) (bvadd b a))")

// TestSession asserts that what holds is proved, that the error names the first claim that
// does not hold, and that a session answers on after one, after an error of a solver and
// after the end of a solver.
func TestSession(t *testing.T) {
	solvers(t)
	forget(t)
	var s Session
	defer s.Close()
	for range 2 {
		if err := s.Refute([]string{"sum", "sum again"}, []string{holds, holds}); err != nil {
			t.Fatal(err)
		}
		for script, want := range map[string]string{claim("(= a b)"): "second: z3 says sat", "(set-logic QF_BV)\n(assert nonsense)\n(check-sat)\n": "second: z3 says"} {
			if err := s.Refute([]string{"first", "second"}, []string{holds, script}); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: got %v, want %q", script, err, want)
			}
			if isAnswered(script) {
				t.Errorf("%s counts as proved", script)
			}
		}
		for _, p := range s.solvers {
			if p != nil {
				p.cmd.Process.Kill()
			}
		}
		clear(answered)
	}
	s.Close()
	known := Session{Known: true}
	if err := known.Refute([]string{"sum"}, []string{holds}); !errors.Is(err, ErrOpen) {
		t.Errorf("without the solvers: %v", err)
	}
	if err := s.Refute([]string{"sum"}, []string{holds}); err != nil {
		t.Errorf("after Close: %v", err)
	}
	if err := known.Refute([]string{"sum"}, []string{holds}); err != nil {
		t.Errorf("what is proved, without the solvers: %v", err)
	}
}

// TestBothDecide asserts that a script counts as proved only if both solvers prove it, that a session asks nothing twice,
// and that a solver gets the conditions that the other one needs.
func TestBothDecide(t *testing.T) {
	solvers(t)
	was := interactive
	defer func() { interactive = was }()
	square := claim("(=> (bvult a (_ bv4096 64)) (bvult (bvmul a a) (_ bv16777216 64)))")
	extra := strings.Replace(square, "(assert", "(assert (= (bvmul b b b) (_ bv27 64)))\n(assert", 1)
	for _, c := range []struct {
		steps [2][2]int // of z3 and of cvc5
		want  string
	}{
		{[2][2]int{was[0].steps, was[1].steps}, ""},
		{[2][2]int{{1, 1}, was[1].steps}, "claim: z3 says "},
		{[2][2]int{was[0].steps, {1, 1}}, "claim: cvc5 says "},
	} {
		forget(t)
		clear(shortened)
		interactive = was
		for k := range interactive {
			interactive[k].steps = c.steps[k]
		}
		s := Session{}
		defer s.Close()
		for range 2 {
			err := s.Refute([]string{"claim"}, []string{extra})
			if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("with the limits %v: %v, want %q", c.steps, err, c.want)
			}
			if isAnswered(extra) != (c.want == "") {
				t.Errorf("with the limits %v: proved: %v", c.steps, isAnswered(extra))
			}
			for k := range interactive { // the second time nothing can be asked
				interactive[k].command = []string{"none"}
			}
			s.Close()
		}
		for _, core := range s.cores {
			if strings.Contains(core, "bv27") {
				t.Errorf("cvc5 gets a condition that z3 does not need: %s", core)
			}
		}
	}
}

// TestLiarInSession asserts that a session proves nothing false if one solver says unsat to everything, whatever
// conditions it names, and however it ends.
func TestLiarInSession(t *testing.T) {
	solvers(t)
	forget(t)
	was := interactive
	defer func() { interactive = was }()
	scripts := []string{
		between("(define-fun t1 () Bool (bvult a b))", "(assert t1)", "(assert (= b (_ bv1 64)))", "(assert (not (= a b)))"),
		// A command has several lines. One of these lines is the name of a command, or has no word.
		between("(declare-const assert Bool)", "(declare-const p Bool)", "(assert (and p (or (not p)", "assert", "false)))"),
		between("(declare-const p Bool)", "(assert (not", "p", "))"),
	}
	const all = `while read -r line; do case "$line" in *check-sat*) echo "$0";; *echo*) echo ` + end + `;; esac; done`
	lies := [][]string{
		{all, "unsat"},
		{`while read -r line; do case "$line" in *check-sat*) echo "$0"; exit 1;; esac; done`, "unsat"},
		{`cat >/dev/null & echo "$0"; echo ` + end + `; echo "$0"; echo ` + end + `; wait`, "unsat"},
		{`echo "$0"; kill -9 $$`, "unsat"},
	}
	for _, core := range []string{"()", "(condition4)", "(condition999)", "(condition-1)", "(condition5)", "(condition6)",
		"(condition5 condition6)", "(condition4) (assert false)", "(condition4)\n(assert false)", "condition4", "(false)", "((", "unsat", "sat", "(error \"x\")"} {
		lies = append(lies, []string{all, "unsat\n" + core})
	}
	for _, script := range scripts {
		for _, lie := range lies {
			for at := range was {
				clear(shortened)
				interactive = was
				interactive[at].command = append([]string{"sh", "-c"}, lie...)
				s := Session{}
				if err := s.Refute([]string{"wrong"}, []string{script}); err == nil || isAnswered(script) {
					t.Errorf("solver %d lies by %q: %s", at, lie, script)
				}
				s.Close()
			}
		}
	}
	interactive = was
	for k := range interactive {
		interactive[k].command = []string{"sh", "-c", all, "unsat"}
	}
	s := Session{}
	defer s.Close()
	if err := s.Refute([]string{"wrong"}, scripts[:1]); err != nil {
		t.Errorf("two liars: %v", err)
	}
}

// TestKeep asserts that a file keeps what was proved, also after half a line, and that what
// another version of a solver proved is not used.
func TestKeep(t *testing.T) {
	solvers(t)
	forget(t)
	path := filepath.Join(t.TempDir(), "new", "scripts")
	open := func() {
		t.Helper()
		clear(answered)
		versions, kept = "", nil
		if err := Keep(path); err != nil {
			t.Fatal(err)
		}
	}
	open()
	if err := All([]string{"sum"}, []string{holds}); err != nil {
		t.Fatal(err)
	}
	kept.Close()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, "0123"...), 0o644); err != nil {
		t.Fatal(err)
	}
	open()
	if !isAnswered(holds) || len(answered) != 1 {
		t.Errorf("%d scripts are kept", len(answered))
	}
	versions += "newer"
	if isAnswered(holds) {
		t.Error("another version has the answer")
	}
}

// TestAnswersOfOneSolver asserts that a script that one solver has proved is not proved where two are asked.
func TestAnswersOfOneSolver(t *testing.T) {
	solvers(t)
	forget(t)
	both := Solvers
	defer func() { Solvers = both }()
	Solvers = both[:1]
	if err := All([]string{"sum"}, []string{holds}); err != nil || !isAnswered(holds) {
		t.Fatal(err)
	}
	if Solvers = both; isAnswered(holds) {
		t.Error("it counts as proved by both")
	}
}

// TestNarrow asserts that values of a narrower question refute a claim, also if z3 does not decide the whole question within
// the first limit, and that a narrower question proves nothing.
func TestNarrow(t *testing.T) {
	solvers(t)
	forget(t)
	hard := claim("(not (= (bvmul a a b (bvnot b)) (bvadd (bvmul a b) (_ bv18446744073709551331 64))))") // refuted by a = 3, b = 5
	for _, c := range []struct {
		script string
		narrow []map[string]uint64
		want   string
	}{
		{claim("(= a b)"), []map[string]uint64{{"a": 1, "b": 1}}, "claim: z3 says sat"},
		{holds, []map[string]uint64{{"a": 1}}, ""},
		{hard, []map[string]uint64{{"a": 1, "b": 1}, {"c": 1}, {"a": 3, "b": 5}}, "claim: z3 says sat, also with (assert (= a (_ bv3 64)))"},
	} {
		s := Session{Narrow: c.narrow}
		defer s.Close()
		err := s.Refute([]string{"claim"}, []string{c.script})
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.script, err, c.want)
		}
	}
	s := Session{Proved: map[string]bool{claim("(= a b)"): true}}
	defer s.Close()
	if err := s.Refute([]string{"claim"}, []string{claim("(= a b)")}); err != nil {
		t.Errorf("a claim that is proved: %v", err)
	}
}
