package term

import (
	"fmt"
	"strings"
)

// Integers returns a script in SMT-LIB about integers. If the second result is true, the script is unsatisfiable if and
// only if the claim follows from the given conditions. It is true if the claim and all conditions compare sums of
// variables of 64 bits, whose factors are constants. Each variable becomes an integer from 0 to 2^64-1, and each sum
// becomes the remainder of a sum of integers modulo 2^64. For a claim that such sums do not wrap, a solver for linear
// arithmetic takes a few steps, and a solver for words takes long.
func Integers(given []*Term, claim *Term) (script string, ok bool) {
	w := integers{seen: map[string]bool{}, ok: true}
	var asserted strings.Builder
	for _, g := range given {
		fmt.Fprintf(&asserted, "(assert %s)\n", w.truth(g))
	}
	fmt.Fprintf(&asserted, "(assert (not %s))\n", w.truth(claim))
	return "(set-logic QF_LIA)\n" + w.declared.String() + asserted.String() + "(check-sat)\n", w.ok
}

type integers struct {
	declared strings.Builder
	seen     map[string]bool // the variables that are declared
	ok       bool            // everything so far compares sums
}

// The method "truth" returns the text of a truth value.
func (w *integers) truth(t *Term) string {
	a, b := t.Args[0], t.Args[1]
	switch {
	case t.Op == Const && t.Width == 0:
		return map[uint64]string{0: "false", 1: "true"}[t.Value]
	case t.Op == Not:
		return fmt.Sprintf("(not %s)", w.truth(a))
	case t.Op == And || t.Op == Or || t.Op == Eq && a.Width == 0:
		return fmt.Sprintf("(%s %s %s)", names[t.Op], w.truth(a), w.truth(b))
	case t.Op == Eq && a.Width == 64:
		return fmt.Sprintf("(= %s %s)", w.sum(a, 0), w.sum(b, 0))
	case t.Op == Ult && a.Width == 64:
		return fmt.Sprintf("(< %s %s)", w.sum(a, 0), w.sum(b, 0))
	case t.Op == Slt && a.Width == 64: // as unsigned numbers that are larger by 2^63
		return fmt.Sprintf("(< %s %s)", w.sum(a, 1<<63), w.sum(b, 1<<63))
	}
	w.ok = false
	return ""
}

// The method "sum" returns the text of the sum t+more modulo 2^64.
func (w *integers) sum(t *Term, more uint64) string {
	const top = "18446744073709551616"
	l := Linearize(t)
	l.Const += more
	var parts []string
	for _, v := range Leaves(t) {
		k, ok := l.Of[v]
		if !ok { // its factors add up to 0
			continue
		}
		delete(l.Of, v)
		if v.Op != Var {
			w.ok = false
			return ""
		}
		if !w.seen[v.Name] {
			w.seen[v.Name] = true
			fmt.Fprintf(&w.declared, "(declare-const %s Int)\n(assert (and (<= 0 %s) (< %s %s)))\n", v.Name, v.Name, v.Name, top)
		}
		switch {
		case k == 1:
			parts = append(parts, v.Name)
		case int64(k) < 0: // -k, for which the sum is the same modulo 2^64
			parts = append(parts, fmt.Sprintf("(- (* %d %s))", -k, v.Name))
		default:
			parts = append(parts, fmt.Sprintf("(* %d %s)", k, v.Name))
		}
	}
	if len(l.Of) > 0 {
		w.ok = false
		return ""
	}
	if l.Const != 0 || len(parts) == 0 {
		parts = append(parts, fmt.Sprint(l.Const))
	}
	switch {
	case len(parts) > 1:
		return fmt.Sprintf("(mod (+ %s) %s)", strings.Join(parts, " "), top)
	case strings.HasPrefix(parts[0], "("):
		return fmt.Sprintf("(mod %s %s)", parts[0], top)
	}
	return parts[0]
}
