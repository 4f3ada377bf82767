package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// An obligation is the parsed content of one .smt2 file of this folder.
type obligation struct {
	name            string // the file name without .smt2
	proves, assumes string
	of              []source
	text            string
	checks          []check
}

// An obligation restates code from a file of the module. The type "source" has the path of this file. It also has the
// constants that occur both in the code and in the obligation.
type source struct {
	path      string
	constants []string // such as 0xbf58476d1ce4e5b9
}

// A role is the purpose of a check.
type role int

const (
	claim   role = iota // unsat
	premise             // sat
	broken              // sat
)

// The type "check" describes one command (check-sat) in a file. The role of a check defines the expected answer.
type check struct {
	line int
	role role
	note string // the claim, or what is broken
}

func (c check) want() string {
	if c.role == claim {
		return "unsat"
	}
	return "sat"
}

// The regular expression "head" matches the lines at the top of a file, in this order. The top of a file may have
// several lines that begin with "; of".
var head = regexp.MustCompile(`\A; proves   (.+)\n; assumes  (.+)\n((?:; of       .+\n)+)\(set-logic `)

// The regular expression "answer" matches the comment after a command (check-sat), which states the expected answer.
var answer = regexp.MustCompile(`^; (unsat|sat|sat, broken)(?:: (.+))?$`)

// The function "parse" parses the text of a file. It returns an error if the text does not have the form that doc.go
// describes.
func parse(name, text string) (o obligation, err error) {
	m := head.FindStringSubmatch(text)
	if m == nil {
		return o, fmt.Errorf("%s: does not begin with lines of proves, assumes, of, and set-logic", name)
	}
	o = obligation{name: name, proves: m[1], assumes: m[2], text: text}
	for _, line := range strings.Split(strings.TrimSpace(m[3]), "\n") {
		f := strings.Fields(line)[2:]
		o.of = append(o.of, source{f[0], f[1:]})
	}
	commands, err := split(text)
	if err != nil {
		return o, fmt.Errorf("%s: %w", name, err)
	}
	if o.checks, err = roles(commands); err != nil {
		return o, fmt.Errorf("%s:%w", name, err)
	}
	for _, r := range []role{claim, broken} {
		if !slices.ContainsFunc(o.checks, func(c check) bool { return c.role == r }) {
			return o, fmt.Errorf("%s: has no claim, or none that is broken on purpose", name)
		}
	}
	return o, nil
}

// A command is a top-level expression of a file. In its text, single spaces separate the words. It also has the number
// of the expression's last line, and the comment at the end of this line.
type command struct {
	text    string
	line    int
	comment string
}

// The function "split" returns the commands of an SMT-LIB text. The text must not contain strings or quoted
// symbols.
func split(text string) ([]command, error) {
	var out []command
	var words []string
	depth := 0
	for i, line := range strings.Split(text, "\n") {
		code, comment, commented := strings.Cut(line, ";")
		code = strings.NewReplacer("(", " ( ", ")", " ) ").Replace(code)
		for _, w := range strings.Fields(code) {
			if w == "(" {
				depth++
			} else if w == ")" {
				depth--
			}
			words = append(words, w)
			if depth < 0 || depth == 0 && w != ")" {
				return nil, fmt.Errorf("line %d: parentheses do not match", i+1)
			}
			if depth == 0 {
				s := strings.NewReplacer("( ", "(", " )", ")").Replace(strings.Join(words, " "))
				out = append(out, command{text: s, line: i + 1})
				words = nil
			}
		}
		if n := len(out); commented && depth == 0 && n > 0 && out[n-1].line == i+1 {
			out[n-1].comment = ";" + comment
		}
	}
	if depth != 0 {
		return nil, fmt.Errorf("parentheses do not match at the end")
	}
	return out, nil
}

// The function "roles" goes through the commands in order, as a solver does. It returns the commands (check-sat), each
// with its role.
func roles(commands []command) (checks []check, err error) {
	var asserted []string // the present assertions
	var marks []int       // the lengths of asserted at each push
	var possible []string // sets of premises that were found to be satisfiable
	for _, c := range commands {
		verb, _, _ := strings.Cut(strings.Trim(c.text, "()"), " ")
		fail := func(format string, a ...any) ([]check, error) {
			return nil, fmt.Errorf("%d: "+format, append([]any{c.line}, a...)...)
		}
		switch verb {
		case "set-logic", "declare-const", "define-fun", "define-sort":
		case "push":
			marks = append(marks, len(asserted))
		case "pop":
			if len(marks) == 0 {
				return fail("pop without push")
			}
			asserted = asserted[:marks[len(marks)-1]]
			marks = marks[:len(marks)-1]
		case "assert":
			asserted = append(slices.Clone(asserted), c.text)
		case "check-sat":
			m := answer.FindStringSubmatch(c.comment)
			if m == nil {
				return fail("the comment beside check-sat is %q", c.comment)
			}
			if len(asserted) == 0 {
				return fail("a check of nothing")
			}
			last := asserted[len(asserted)-1]
			negated := strings.HasPrefix(last, "(assert (not ")
			k := check{line: c.line, note: m[2]}
			switch m[1] {
			case "sat":
				k.role = premise
				possible = append(possible, strings.Join(asserted, "\n"))
			case "sat, broken":
				k.role = broken
				if !negated || k.note == "" {
					return fail("what is broken is not told, or not asserted as (not ...)")
				}
			case "unsat":
				k.role = claim
				if !negated || k.note == "" {
					return fail("the claim is not told, or not asserted as (not ...)")
				}
				premises := asserted[:len(asserted)-1]
				if len(premises) > 0 && !slices.Contains(possible, strings.Join(premises, "\n")) {
					return fail("no check before shows that these premises can hold")
				}
			}
			checks = append(checks, k)
		default:
			return fail("%s is not for these files", verb)
		}
	}
	if len(marks) != 0 {
		return nil, fmt.Errorf("the end: push without pop")
	}
	return checks, nil
}

// The method "prove" runs the solver z3 on the file. If an answer of z3 differs from the answer in the file, it returns
// an error. It gives z3 at most a minute.
func (o obligation) prove(z3 string) error {
	cmd := exec.Command(z3, "-T:60", "-smt2", "-in")
	cmd.Stdin = strings.NewReader(o.text)
	out, err := cmd.CombinedOutput()
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, c := range o.checks {
		if i >= len(got) {
			return fmt.Errorf("%s.smt2:%d: no answer", o.name, c.line)
		}
		if got[i] != c.want() {
			return fmt.Errorf("%s.smt2:%d: z3 says %s, want %s: %s", o.name, c.line, got[i], c.want(), c.note)
		}
	}
	if err != nil || len(got) != len(o.checks) {
		return fmt.Errorf("%s.smt2: %v after the answers: %s", o.name, err, strings.Join(got[len(o.checks):], "; "))
	}
	return nil
}
