package solve

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A script has these commands, and then check-sat. The first command is set-logic.
var commands = []string{"(set-logic ", "(declare-sort ", "(declare-const ", "(declare-fun ", "(define-fun ", "(assert "}

// A script consists of these characters. So it has no comments, no texts, no quoted symbols and no attributes.
const characters = "\n #()*+-<=>_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// The array "allowed" says which bytes are characters of scripts.
var allowed = func() (is [256]bool) {
	for _, c := range []byte(characters) {
		is[c] = true
	}
	return is
}()

// The function "formed" returns an error if a script has another form than those that package term writes: it asks one
// question, at its end, and has no commands that write something else, drop conditions or end the solver. No other script
// is sent to the solvers. For another one, the answer unsat could be about some of its conditions, or no answer at all.
// The functions "named" and "only" rely on this form too: only "named" makes the names of conditions.
func formed(script string) error {
	depth, rest := 0, script
	for rest != "" {
		line, after, ended := strings.Cut(rest, "\n")
		if depth == 0 {
			if line == "(check-sat)" && ended && after == "" && rest != script {
				return nil
			}
			i := slices.IndexFunc(commands, func(c string) bool { return strings.HasPrefix(line, c) })
			if i < 0 || (i == 0) != (len(rest) == len(script)) {
				return fmt.Errorf("no script has %.80q here", line)
			}
		}
		for i, c := range []byte(line) {
			if !allowed[c] {
				return fmt.Errorf("no script has the character %q", c)
			}
			switch c {
			case '(':
				depth++
			case ')':
				if depth--; depth == 0 && i < len(line)-1 {
					return fmt.Errorf("after a command, no line has %.80q", line[i+1:])
				}
			}
		}
		if strings.Contains(line, nameOfCondition) {
			return fmt.Errorf("%.80q may have the name of a condition", line)
		}
		rest = after
	}
	return fmt.Errorf("the script does not end with (check-sat)")
}

var answerUnsat = regexp.MustCompile(`^unsat(\s+(\((\s*` + nameOfCondition + `\d+)*\s*\)))?$`)

// The function "unsat" reports whether the answer of a solver says unsat, and nothing else than the names of conditions.
// It returns the text with these names.
func unsat(answer string) (core string, is bool) {
	m := answerUnsat.FindStringSubmatch(answer)
	if m == nil {
		return "", false
	}
	return strings.Join(strings.Fields(m[2]), " "), true
}
