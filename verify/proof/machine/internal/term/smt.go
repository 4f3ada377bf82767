package term

import (
	"fmt"
	"slices"
	"strings"
)

var names = map[Op]string{
	Not: "not", And: "and", Or: "or", Eq: "=", Ult: "bvult", Slt: "bvslt", Ite: "ite", BvNot: "bvnot", BvAnd: "bvand", BvOr: "bvor",
	BvXor: "bvxor", Add: "bvadd", Sub: "bvsub", Mul: "bvmul", Div: "bvudiv", Rem: "bvurem", Shl: "bvshl", Lshr: "bvlshr", Concat: "concat",
}

func sort(width int) string {
	switch width {
	case 0:
		return "Bool"
	case Memory:
		return "Memory"
	}
	return fmt.Sprintf("(_ BitVec %d)", width)
}

// Script returns a script in SMT-LIB. The script is unsatisfiable if and only if the claim follows from the given
// conditions. Terms from the method Apply contain functions. The script does not restrict the values of these
// functions. If the argument "bitwise" is false, the script does not restrict the values of the operation Ones either.
func Script(given []*Term, claim *Term, bitwise bool) string {
	w := writer{name: map[*Term]string{}, declared: map[string]bool{}, bitwise: bitwise}
	for _, g := range given {
		g := w.write(g)
		fmt.Fprintf(&w.out, "(assert %s)\n", g)
	}
	c := w.write(claim)
	fmt.Fprintf(&w.out, "(assert (not %s))\n(check-sat)\n", c)
	head := "(set-logic QF_UFBV)\n"
	if !strings.Contains(w.out.String(), "(declare-fun ") { // without functions solvers are faster
		head = "(set-logic QF_BV)\n"
	}
	if w.declared["Memory"] {
		head += "(declare-sort Memory 0)\n"
	}
	return head + w.out.String()
}

type writer struct {
	out      strings.Builder
	name     map[*Term]string
	declared map[string]bool
	bitwise  bool
}

// The method "declare" writes the declaration of a name, unless it was written before.
func (w *writer) declare(name, format string, a ...any) {
	if !w.declared[name] {
		w.declared[name] = true
		fmt.Fprintf(&w.out, format, a...)
	}
}

// The method "write" writes definitions of t and of all its subterms, and returns the name of t. It writes each
// definition once.
func (w *writer) write(t *Term) string {
	if n, ok := w.name[t]; ok {
		return n
	}
	n := w.text(t)
	if t.Op != Const && t.Op != Var {
		name := fmt.Sprintf("t%d", len(w.name))
		fmt.Fprintf(&w.out, "(define-fun %s () %s %s)\n", name, sort(t.Width), n)
		n = name
	}
	w.name[t] = n
	return n
}

func (w *writer) text(t *Term) string {
	var args, sorts []string
	for _, a := range t.Args {
		if a != nil {
			args = append(args, w.write(a))
			sorts = append(sorts, sort(a.Width))
		}
	}
	if t.Width == Memory || slices.ContainsFunc(t.Args[:], func(a *Term) bool { return a != nil && a.Width == Memory }) {
		w.declared["Memory"] = true
	}
	list := strings.Join(args, " ")
	switch t.Op {
	case Const:
		switch {
		case t.Width == 0:
			return map[uint64]string{0: "false", 1: "true"}[t.Value]
		default:
			return fmt.Sprintf("(_ bv%d %d)", t.Value, t.Width)
		}
	case Var:
		w.declare(t.Name, "(declare-const %s %s)\n", t.Name, sort(t.Width))
		return t.Name
	case Apply:
		w.declare(t.Name, "(declare-fun %s (%s) %s)\n", t.Name, strings.Join(sorts, " "), sort(t.Width))
		return fmt.Sprintf("(%s %s)", t.Name, list)
	case Extract:
		return fmt.Sprintf("((_ extract %d %d) %s)", t.Lo+t.Width-1, t.Lo, list)
	case Zext:
		return fmt.Sprintf("((_ zero_extend %d) %s)", t.Width-t.Args[0].Width, list)
	case MulHi:
		return fmt.Sprintf("((_ extract 127 64) (bvmul ((_ zero_extend 64) %s) ((_ zero_extend 64) %s)))", args[0], args[1])
	case Ones:
		name := fmt.Sprintf("ones%d", t.Width)
		if w.bitwise {
			w.declare(name, "(define-fun %s ((x %s)) %s %s)\n", name, sort(t.Width), sort(t.Width), onesBody(t.Width))
		} else {
			w.declare(name, "(declare-fun %s (%s) %s)\n", name, sort(t.Width), sort(t.Width))
		}
		return fmt.Sprintf("(%s %s)", name, list)
	}
	return fmt.Sprintf("(%s %s)", names[t.Op], list)
}

// onesBody returns the SMT-LIB text for the sum of the bits of x. The word x has the given width.
func onesBody(width int) string {
	s := "(bvadd"
	for i := range width {
		s += fmt.Sprintf(" ((_ zero_extend %d) ((_ extract %d %d) x))", width-1, i, i)
	}
	return s + ")"
}

// String returns the text of the expression t, for messages.
func (t *Term) String() string {
	switch t.Op {
	case Const:
		return fmt.Sprint(int64(t.Value))
	case Var:
		return t.Name
	}
	name := names[t.Op]
	switch t.Op {
	case Apply:
		name = t.Name
	case Extract:
		name = fmt.Sprintf("bits%d+%d", t.Lo, t.Width)
	case Zext:
		name = "zext"
	case MulHi:
		name = "mulhi"
	case Ones:
		name = "ones"
	}
	s := "(" + name
	for _, a := range t.Args {
		if a != nil {
			s += " " + a.String()
		}
		if len(s) > 2000 {
			return s[:2000] + "...)"
		}
	}
	return s + ")"
}
