package solve

import "testing"

// TestPossible asserts that one satisfiable script is enough, and that scripts without an answer do not count.
func TestPossible(t *testing.T) {
	solvers(t)
	var s Session
	defer s.Close()
	sat, unsat, wrong := claim("(= a b)"), holds, "(set-logic QF_BV)\n(assert nonsense)\n(check-sat)\n"
	for _, c := range []struct {
		scripts []string
		want    bool
	}{
		{nil, false}, {[]string{unsat}, false}, {[]string{wrong, unsat}, false}, {[]string{unsat, wrong, sat}, true}, {[]string{sat}, true},
	} {
		got, err := s.Possible(len(c.scripts), func(i int) string { return c.scripts[i] })
		if got != c.want || err != nil {
			t.Errorf("%q: %v, %v", c.scripts, got, err)
		}
	}
}
