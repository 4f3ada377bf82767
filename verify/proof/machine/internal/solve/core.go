package solve

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A script has a condition in each line that begins so.
const condition = "(assert "

// The function "named" returns a script that gives a name to each condition. After the answer unsat, a solver then
// writes further lines: the names of conditions that contradict one another. To answer such a script, z3 takes half as
// long. If a line of the script has no whole commands, the result is the script.
func named(script string) string {
	out := []string{"(set-option :produce-unsat-cores true)\n"}
	for line := range strings.Lines(script) {
		if !whole(line) {
			return script
		}
		if is, ok := strings.CutPrefix(line, condition); ok {
			line = fmt.Sprintf("%s(! %s :named %s))\n", condition, strings.TrimSuffix(is, ")\n"), name(len(out)))
		}
		out = append(out, line)
	}
	return strings.Join(out, "") + "(get-unsat-core)\n"
}

// The function "whole" reports whether a line has whole commands.
func whole(line string) bool {
	return strings.HasPrefix(line, "(") && strings.HasSuffix(line, ")\n") && strings.Count(line, "(") == strings.Count(line, ")")
}

// The names of conditions begin so.
const nameOfCondition = "condition"

// The function "name" returns the name of the condition in the given line, counted from 1.
func name(line int) string { return fmt.Sprintf("%s%d", nameOfCondition, line) }

// The function "only" returns the script without some of its conditions, and without definitions and declarations that
// are not needed. The argument "core" has the names of the conditions that remain. If the result is unsatisfiable, the
// script is too, because it has more conditions. For this, each line must have whole commands. If it has not, the result
// is the script.
func only(script, core string) string {
	if !whole(core + "\n") {
		return script
	}
	names := map[string]bool{}
	for _, n := range words(core) {
		names[n] = true
	}
	lines := slices.Collect(strings.Lines(script))
	if slices.ContainsFunc(lines, func(line string) bool { return !whole(line) }) {
		return script
	}
	needed := map[string]bool{}
	var out []string
	functions := false
	for i, line := range slices.Backward(lines) { // a definition is before its uses
		w := words(line)
		switch w[0] {
		case "assert":
			if !names[name(i+1)] {
				continue
			}
		case "define-fun", "declare-const", "declare-fun", "declare-sort":
			if !needed[w[1]] {
				continue
			}
			functions = functions || w[0] == "declare-fun"
		}
		for _, n := range w[1:] {
			needed[n] = true
		}
		out = append(out, line)
	}
	slices.Reverse(out)
	text := renumbered(strings.Join(out, ""))
	if rest, ok := strings.CutPrefix(text, "(set-logic QF_UFBV)\n"); ok && !functions { // without functions solvers are faster
		return "(set-logic QF_BV)\n" + rest
	}
	return text
}

// The function "words" returns the words of a line, without parentheses.
func words(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("() \n", r) })
}

var numbered = regexp.MustCompile(`\bt[0-9]+\b`)

// The function "renumbered" returns the script with new numbers for its definitions, and for the constants of the
// function "linear", in their order. So claims that need the same conditions have the same script. Only these names
// consist of t and a number. If the script has another such name, it stays as it is: a new name could be the same. A
// variable of "let" and the argument of a function have such names.
func renumbered(script string) string {
	names := map[string]string{}
	for line := range strings.Lines(script) {
		if w := words(line); (w[0] == "define-fun" || w[0] == "declare-const") && numbered.FindString(w[1]) == w[1] {
			names[w[1]] = fmt.Sprintf("t%d", len(names)+1)
		}
		for _, name := range numbered.FindAllString(line, -1) {
			if names[name] == "" {
				return script
			}
		}
	}
	return numbered.ReplaceAllStringFunc(script, func(name string) string { return names[name] })
}

// With this option, cvc5 translates words to integers, sums to remainders of sums, and shifts and parts of words to
// products and quotients. If a script only compares sums, this takes an eighth of the time.
const integers = "(set-option :solve-bv-as-int sum)\n"

// A script that is about integers begins so. For both solvers, it is easiest without names of its conditions. With
// names, z3 sometimes does not end, because a name keeps it from using an equation.
const ofIntegers = "(set-logic QF_LIA)\n"

// The function "sums" reports whether a script only compares sums: it has no operations on single bits. Shifts by
// constants are products and quotients.
func sums(script string) bool {
	for _, op := range []string{"bvand", "bvor", "bvxor", "bvnot", "bvudiv", "bvurem", "concat", "ones", "Int"} {
		if strings.Contains(script, op) {
			return false
		}
	}
	return true
}
