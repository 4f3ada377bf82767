package solve

import (
	"fmt"
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
	text := strings.Join(out, "")
	if rest, ok := strings.CutPrefix(text, "(set-logic QF_UFBV)\n"); ok && !functions { // without functions solvers are faster
		return "(set-logic QF_BV)\n" + rest
	}
	return text
}

// The function "words" returns the words of a line, without parentheses.
func words(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("() \n", r) })
}

// With this option, cvc5 translates words to integers, and sums to remainders of sums. If a script only compares sums,
// this takes an eighth of the time.
const integers = "(set-option :solve-bv-as-int sum)\n"

// The function "sums" reports whether a script only compares sums: it has no operations on single bits.
func sums(script string) bool {
	for _, op := range []string{"bvand", "bvor", "bvxor", "bvnot", "bvlshr", "bvudiv", "bvurem", "concat", "extract", "ones", "Int"} {
		if strings.Contains(script, op) {
			return false
		}
	}
	return true
}
