package term

import (
	"fmt"
	"strconv"
)

var names = map[Op]string{
	Not: "not", And: "and", Or: "or", Eq: "=", Ult: "bvult", Slt: "bvslt", Ite: "ite", BvNot: "bvnot", BvAnd: "bvand", BvOr: "bvor",
	BvXor: "bvxor", Add: "bvadd", Sub: "bvsub", Mul: "bvmul", Div: "bvudiv", Rem: "bvurem", Shl: "bvshl", Lshr: "bvlshr", Concat: "concat",
}

// Script returns a script in SMT-LIB. The script is unsatisfiable if and only if the claim follows from the given
// conditions. Terms from the method Apply contain functions. The script does not restrict the values of these
// functions. If the argument "bitwise" is false, the script does not restrict the values of the operation Ones either.
func Script(given []*Term, claim *Term, bitwise bool) string {
	w := writer{walk: walks.Add(1), declared: map[string]bool{}, bitwise: bitwise}
	for _, g := range given {
		w.write(g)
		w.put("(assert ").name(g).put(")\n")
	}
	w.write(claim)
	w.put("(assert (not ").name(claim).put("))\n(check-sat)\n")
	head := "(set-logic QF_UFBV)\n"
	if !w.functions { // without functions solvers are faster
		head = "(set-logic QF_BV)\n"
	}
	if w.declared["Memory"] {
		head += "(declare-sort Memory 0)\n"
	}
	return head + string(w.out)
}

type writer struct {
	out       []byte
	walk      uint64 // the terms that were written have this number in the field "seen"
	n         int    // how many these are
	declared  map[string]bool
	bitwise   bool
	functions bool // a function without definition is declared
}

func (w *writer) put(text string) *writer {
	w.out = append(w.out, text...)
	return w
}

func (w *writer) number(n uint64) *writer {
	w.out = strconv.AppendUint(w.out, n, 10)
	return w
}

// The method "sort" writes the sort of the terms with the given width.
func (w *writer) sort(width int) *writer {
	switch width {
	case 0:
		return w.put("Bool")
	case Memory:
		return w.put("Memory")
	}
	return w.put("(_ BitVec ").number(uint64(width)).put(")")
}

// The method "name" writes the name of a term, or a constant.
func (w *writer) name(t *Term) *writer {
	switch {
	case t.Op == Var:
		return w.put(t.Name)
	case t.Op != Const:
		return w.put("t").number(uint64(t.at))
	case t.Width == 0:
		return w.put(map[uint64]string{0: "false", 1: "true"}[t.Value])
	}
	return w.put("(_ bv").number(t.Value).put(" ").number(uint64(t.Width)).put(")")
}

// The method "new" reports whether a name has not been declared yet.
func (w *writer) new(name string) bool {
	old := w.declared[name]
	w.declared[name] = true
	return !old
}

// The method "write" writes definitions of t and of all its subterms. It writes each definition once.
func (w *writer) write(t *Term) {
	if t.seen == w.walk {
		return
	}
	memory := t.Width == Memory
	for _, a := range t.Args {
		if a != nil {
			w.write(a)
			memory = memory || a.Width == Memory
		}
	}
	if memory {
		w.declared["Memory"] = true
	}
	switch t.Op {
	case Var:
		if !w.new(t.Name) {
			panic(t.Name + " is the name of two variables") // the solvers would take them for one
		}
		w.put("(declare-const ").put(t.Name).put(" ").sort(t.Width).put(")\n")
	case Apply:
		if w.new(t.Name) {
			w.functions = true
			w.put("(declare-fun ").put(t.Name).put(" (")
			for i, a := range t.Args {
				if a != nil {
					w.put(" "[:min(i, 1)]).sort(a.Width)
				}
			}
			w.put(") ").sort(t.Width).put(")\n")
		}
	case Ones:
		w.ones(t.Width)
	}
	t.seen, t.at = w.walk, w.n
	w.n++
	if t.Op == Const || t.Op == Var {
		return
	}
	w.put("(define-fun ").name(t).put(" () ").sort(t.Width).put(" ").operation(t).put(")\n")
}

// The method "ones" writes a declaration of the popcount for words of the given width, unless it was written before.
func (w *writer) ones(width int) {
	name := fmt.Sprintf("ones%d", width)
	if !w.new(name) {
		return
	}
	if w.bitwise {
		w.put("(define-fun ").put(name).put(" ((x ").sort(width).put(")) ").sort(width).put(" ").put(onesBody(width)).put(")\n")
		return
	}
	w.functions = true
	w.put("(declare-fun ").put(name).put(" (").sort(width).put(") ").sort(width).put(")\n")
}

// The method "operation" writes the operation of t with the names of its arguments.
func (w *writer) operation(t *Term) *writer {
	a := t.Args
	switch t.Op {
	case Apply:
		w.put("(").put(t.Name)
	case Extract:
		w.put("((_ extract ").number(uint64(t.Lo + t.Width - 1)).put(" ").number(uint64(t.Lo)).put(")")
	case Zext:
		w.put("((_ zero_extend ").number(uint64(t.Width - a[0].Width)).put(")")
	case MulHi:
		const extended = "((_ zero_extend 64) "
		return w.put("((_ extract 127 64) (bvmul ").put(extended).name(a[0]).put(") ").put(extended).name(a[1]).put(")))")
	case Ones:
		w.put("(ones").number(uint64(t.Width))
	default:
		w.put("(").put(names[t.Op])
	}
	for _, a := range t.Args {
		if a != nil {
			w.put(" ").name(a)
		}
	}
	return w.put(")")
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
