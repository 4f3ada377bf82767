// Package term has the bit-vector expressions of the machine-code proofs. The semantics of the instructions create
// these expressions. When the semantics are compared with a processor, the values of the expressions are computed. For
// a proof, the same expressions are printed in the language SMT-LIB.
//
// The width of an expression is its number of bits, 1 to 64. A truth value has the width 0. For an expression whose
// value is a whole memory, the constant [Memory] stands for the width. A function that makes an expression computes the
// result if all operands are constants. It drops operations without effect. There are no other simplifications, because
// the solvers simplify the expressions. TestEvaluation compares the operations with Go's operators on random values.
package term

import (
	"math"
	"math/bits"
)

// Op is the operation of an expression.
type Op uint8

// The operations have the names and meanings of SMT-LIB's theory of fixed-size bit-vectors. There are two further
// operations. The operation Ones is the popcount. The operation Apply applies an uninterpreted function.
const (
	Const   Op = iota
	Var        // Name
	Apply      // the function Name, applied to the arguments
	Not        // Not, And and Or are for truth values
	And        //
	Or         //
	Eq         // of two arguments of the same width; Eq, Ult and Slt are truth values
	Ult        //
	Slt        //
	Ite        // the first argument is a truth value
	BvNot      //
	BvAnd      //
	BvOr       //
	BvXor      //
	Add        //
	Sub        //
	Mul        //
	MulHi      // the upper half of the unsigned product of 64-bit words
	Div        // without sign, as is Rem; by 0 all ones, with the dividend as the remainder
	Rem        //
	Shl        //
	Lshr       //
	Concat     // the first argument is the upper part
	Extract    // Width bits, from bit Lo up
	Zext       //
	Ones       //
)

// A term can stand for the contents of a whole memory. Its field Width is then the constant Memory. Of all operations,
// only Apply can return such a term or take it as an argument.
const Memory = -1

// Term is an expression. If two terms of one pool are equal, their pointers are equal too.
type Term struct {
	Op    Op
	Width int
	Value uint64 // the value of a Const; a truth value is 0 or 1
	Name  string
	Lo    int
	Args  [3]*Term
	born  int    // the number of terms that the pool had made before
	seen  uint64 // the number of the last walk that came here (see walked)
	at    int    // where the term is in the last list or script that was written
}

// Pool makes terms. It returns the same pointer for equal terms.
type Pool struct {
	made      table
	canonical map[*Term]*Term
	memos     []*memo // that no call of Rewrite uses at present
}

// NewPool returns an empty pool.
func NewPool() *Pool { return &Pool{table{slots: make([]*Term, 64)}, map[*Term]*Term{}, nil} }

// The method Born returns the number of terms that the pool had made before t.
func (p *Pool) Born(t *Term) int { return t.born }

func (p *Pool) get(t Term) *Term { return p.made.get(&t) }

func (p *Pool) node(op Op, width int, a ...*Term) *Term {
	t := Term{Op: op, Width: width}
	copy(t.Args[:], a)
	for _, x := range a {
		if x.Op != Const {
			return p.get(t)
		}
	}
	return p.Value(width, constant(&t))
}

// Mask returns 2^width - 1. The lowest bits of this word are 1, and their number is the argument "width". For the width
// 0 of truth values it returns 1.
func Mask(width int) uint64 { return ^uint64(0) >> (64 - max(width, 1)) }

// Value returns a constant of the given width. Its bits are the lowest bits of v.
func (p *Pool) Value(width int, v uint64) *Term {
	return p.get(Term{Op: Const, Width: width, Value: v & Mask(width)})
}

// Bool returns the truth value b as a constant.
func (p *Pool) Bool(b bool) *Term {
	if b {
		return p.Value(0, 1)
	}
	return p.Value(0, 0)
}

// Var returns the variable with the given name and width.
func (p *Pool) Var(name string, width int) *Term {
	return p.get(Term{Op: Var, Width: width, Name: name})
}

// Apply returns a value of the uninterpreted function with the given name. The function gets the given arguments. There
// are at most 3 arguments. The value has the given width.
func (p *Pool) Apply(name string, width int, args ...*Term) *Term {
	t := Term{Op: Apply, Width: width, Name: name}
	copy(t.Args[:], args)
	return p.get(t)
}

// The method Is reports whether t is a constant with the value v.
func (t *Term) Is(v uint64) bool { return t.Op == Const && t.Value == v }

// The method Not returns the negation of a truth value.
func (p *Pool) Not(a *Term) *Term {
	if a.Op == Not {
		return a.Args[0]
	}
	return p.node(Not, 0, a)
}

// The method And returns the conjunction of truth values. If there are no arguments, it returns true.
func (p *Pool) And(all ...*Term) *Term {
	out := p.Bool(true)
	for _, a := range all {
		switch {
		case out.Is(1):
			out = a
		case out.Is(0) || a.Is(0):
			out = p.Bool(false)
		case a.Is(1):
		default:
			out = p.node(And, 0, out, a)
		}
	}
	return out
}

// The method Or returns the disjunction of two truth values.
func (p *Pool) Or(a, b *Term) *Term {
	switch {
	case a.Is(1) || b.Is(0):
		return a
	case b.Is(1) || a.Is(0):
		return b
	}
	return p.node(Or, 0, a, b)
}

// Eq returns the truth value of a = b.
func (p *Pool) Eq(a, b *Term) *Term {
	if a == b {
		return p.Bool(true)
	}
	return p.node(Eq, 0, a, b)
}

// Ult returns the truth value of a < b for unsigned numbers.
func (p *Pool) Ult(a, b *Term) *Term {
	if b.Is(0) {
		return p.Bool(false)
	}
	return p.node(Ult, 0, a, b)
}

// Ule returns the truth value of a <= b for unsigned numbers.
func (p *Pool) Ule(a, b *Term) *Term { return p.Not(p.Ult(b, a)) }

// Slt returns the truth value of a < b for signed numbers.
func (p *Pool) Slt(a, b *Term) *Term { return p.node(Slt, 0, a, b) }

// Negative returns the highest bit of a as a truth value.
func (p *Pool) Negative(a *Term) *Term { return p.Slt(a, p.Value(a.Width, 0)) }

// Ite returns a if c is true, and b otherwise.
func (p *Pool) Ite(c, a, b *Term) *Term {
	switch {
	case c.Is(1) || a == b:
		return a
	case c.Is(0):
		return b
	}
	return p.node(Ite, a.Width, c, a, b)
}

// The method BvNot returns a with all bits inverted.
func (p *Pool) BvNot(a *Term) *Term { return p.node(BvNot, a.Width, a) }

// BvAnd returns a & b.
func (p *Pool) BvAnd(a, b *Term) *Term {
	switch m := Mask(a.Width); {
	case a == b || a.Is(0) || b.Is(m):
		return a
	case b.Is(0) || a.Is(m):
		return b
	}
	return p.node(BvAnd, a.Width, a, b)
}

// BvOr returns a | b.
func (p *Pool) BvOr(a, b *Term) *Term {
	switch {
	case a == b || b.Is(0):
		return a
	case a.Is(0):
		return b
	}
	return p.node(BvOr, a.Width, a, b)
}

// BvXor returns a ^ b.
func (p *Pool) BvXor(a, b *Term) *Term {
	switch {
	case a == b:
		return p.Value(a.Width, 0)
	case b.Is(0):
		return a
	case a.Is(0):
		return b
	}
	return p.node(BvXor, a.Width, a, b)
}

// Add returns a + b.
func (p *Pool) Add(a, b *Term) *Term {
	switch {
	case a.Is(0):
		return b
	case b.Is(0):
		return a
	}
	return p.node(Add, a.Width, a, b)
}

// Sum returns the sum of the given terms, which all have the given width.
func (p *Pool) Sum(width int, all ...*Term) *Term {
	out := p.Value(width, 0)
	for _, a := range all {
		out = p.Add(out, a)
	}
	return out
}

// Sub returns a - b.
func (p *Pool) Sub(a, b *Term) *Term {
	switch {
	case a == b:
		return p.Value(a.Width, 0)
	case b.Is(0):
		return a
	}
	return p.node(Sub, a.Width, a, b)
}

// Mul returns a * b.
func (p *Pool) Mul(a, b *Term) *Term {
	switch {
	case a.Is(1):
		return b
	case b.Is(1):
		return a
	}
	return p.node(Mul, a.Width, a, b)
}

// MulHi returns the upper half of the product of a and b, both of 64 bits.
func (p *Pool) MulHi(a, b *Term) *Term { return p.node(MulHi, 64, a, b) }

// Div returns the quotient a / b of unsigned numbers, rounded down. If b is 0, all bits of the result are 1.
func (p *Pool) Div(a, b *Term) *Term { return p.node(Div, a.Width, a, b) }

// Rem returns the remainder a % b of unsigned numbers. If b is 0, the result is a.
func (p *Pool) Rem(a, b *Term) *Term { return p.node(Rem, a.Width, a, b) }

// Shl returns a << b. If b is at least the width of a, the result is 0.
func (p *Pool) Shl(a, b *Term) *Term {
	if b.Is(0) {
		return a
	}
	return p.node(Shl, a.Width, a, b)
}

// Lshr returns a >> b for an unsigned number a. If b is at least the width of a, the result is 0.
func (p *Pool) Lshr(a, b *Term) *Term {
	if b.Is(0) {
		return a
	}
	return p.node(Lshr, a.Width, a, b)
}

// Ashr returns a >> b for a signed number a, with the sign of a. If b is at least the width of a, each bit is the sign.
func (p *Pool) Ashr(a, b *Term) *Term {
	return p.Ite(p.Negative(a), p.BvNot(p.Lshr(p.BvNot(a), b)), p.Lshr(a, b))
}

// Concat returns the concatenation of two words. The argument "low" gives the lower bits, and the argument "high" gives
// the upper bits.
func (p *Pool) Concat(high, low *Term) *Term {
	if high.Op == Extract && low.Op == Extract && high.Args[0] == low.Args[0] && high.Lo == low.Lo+low.Width {
		return p.Extract(high.Args[0], low.Lo, high.Width+low.Width)
	}
	return p.node(Concat, high.Width+low.Width, high, low)
}

// Join returns the word that consists of the given parts. The first part has the lowest bits.
func (p *Pool) Join(parts ...*Term) *Term {
	out := parts[0]
	for _, a := range parts[1:] {
		out = p.Concat(a, out)
	}
	return out
}

// Extract returns consecutive bits of the term a, beginning with bit lo. The argument "width" is their number.
func (p *Pool) Extract(a *Term, lo, width int) *Term {
	switch {
	case lo == 0 && width == a.Width:
		return a
	case a.Op == Const:
		return p.Value(width, a.Value>>lo)
	case a.Op == Extract:
		return p.Extract(a.Args[0], a.Lo+lo, width)
	case a.Op == Concat && lo >= a.Args[1].Width:
		return p.Extract(a.Args[0], lo-a.Args[1].Width, width)
	case a.Op == Concat && lo+width <= a.Args[1].Width:
		return p.Extract(a.Args[1], lo, width)
	case a.Op == Zext && lo+width <= a.Args[0].Width:
		return p.Extract(a.Args[0], lo, width)
	case a.Op == Zext && lo >= a.Args[0].Width:
		return p.Value(width, 0)
	}
	return p.get(Term{Op: Extract, Width: width, Lo: lo, Args: [3]*Term{a}})
}

// Split divides a into parts of the given width and returns them. The first part has the lowest bits.
func (p *Pool) Split(a *Term, width int) []*Term {
	out := make([]*Term, a.Width/width)
	for i := range out {
		out[i] = p.Extract(a, i*width, width)
	}
	return out
}

// Zext returns a, extended by zeros to the given width.
func (p *Pool) Zext(a *Term, width int) *Term {
	if a.Width == width {
		return a
	}
	return p.node(Zext, width, a)
}

// Ones returns the number of ones in a, as a term of the same width.
func (p *Pool) Ones(a *Term) *Term { return p.node(Ones, a.Width, a) }

// The arguments of t are constants. The function "constant" returns the value of t.
func constant(t *Term) uint64 {
	var v [3]uint64
	for i, a := range t.Args {
		if a != nil {
			v[i] = a.Value
		}
	}
	return apply(t, &v)
}

// The function "apply" returns the value of t, in the lowest bits of a word. The argument v has the values of the
// arguments of t.
func apply(t *Term, v *[3]uint64) uint64 {
	truth := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	signed := func(i int) int64 { // shifted to the top bits, which keeps the order
		return int64(v[i] << (64 - t.Args[i].Width))
	}
	switch t.Op {
	case Const:
		return t.Value
	case Not:
		return 1 - v[0]
	case And:
		return v[0] & v[1]
	case Or:
		return v[0] | v[1]
	case Eq:
		return truth(v[0] == v[1])
	case Ult:
		return truth(v[0] < v[1])
	case Slt:
		return truth(signed(0) < signed(1))
	case Ite:
		if v[0] == 1 {
			return v[1]
		}
		return v[2]
	case BvNot:
		return ^v[0]
	case BvAnd:
		return v[0] & v[1]
	case BvOr:
		return v[0] | v[1]
	case BvXor:
		return v[0] ^ v[1]
	case Add:
		return v[0] + v[1]
	case Sub:
		return v[0] - v[1]
	case Mul:
		return v[0] * v[1]
	case MulHi:
		hi, _ := bits.Mul64(v[0], v[1])
		return hi
	case Div:
		if v[1] == 0 {
			return math.MaxUint64
		}
		return v[0] / v[1]
	case Rem:
		if v[1] == 0 {
			return v[0]
		}
		return v[0] % v[1]
	case Shl:
		return v[0] << v[1] // in Go this is 0 for shifts of 64 or more; the caller keeps width bits
	case Lshr:
		return v[0] >> v[1]
	case Concat:
		return v[0]<<t.Args[1].Width | v[1]
	case Extract:
		return v[0] >> t.Lo
	case Zext:
		return v[0]
	case Ones:
		return uint64(bits.OnesCount64(v[0]))
	}
	panic("no value: " + t.Name)
}

// Eval returns the value of t. The function "leaf" gives the values of the variables and of the uninterpreted functions
// in t.
func Eval(t *Term, leaf func(t *Term, args []uint64) uint64) uint64 { return ListOf(t).Eval(leaf) }

// List is a term that is prepared for the computation of many values. It has the term and all its subterms, each once,
// and where the arguments of each are in the list.
type List struct {
	all  []*Term
	args [][3]int
}

// ListOf returns the list of t.
func ListOf(t *Term) List {
	l := List{all: ordered(t)}
	l.args = make([][3]int, len(l.all))
	for i, t := range l.all {
		t.at = i
		for k, a := range t.Args {
			if a != nil {
				l.args[i][k] = a.at // the arguments come before t
			}
		}
	}
	return l
}

// Eval returns the value of the term. The function "leaf" gives the values of the variables and of the uninterpreted
// functions in it.
func (l List) Eval(leaf func(t *Term, args []uint64) uint64) uint64 {
	values := make([]uint64, len(l.all))
	for i, t := range l.all {
		if t.Op != Var && t.Op != Apply {
			values[i] = l.value(i, values)
			continue
		}
		var args []uint64
		for k, a := range t.Args {
			if a != nil {
				args = append(args, values[l.args[i][k]])
			}
		}
		values[i] = leaf(t, args) & Mask(t.Width)
	}
	return values[len(values)-1]
}

// The method "value" returns the value of term i of the list, which is no variable and no uninterpreted function. The
// argument "values" has the values of the terms before it.
func (l List) value(i int, values []uint64) uint64 {
	var v [3]uint64
	t := l.all[i]
	for k, a := range t.Args {
		if a != nil {
			v[k] = values[l.args[i][k]]
		}
	}
	return apply(t, &v) & Mask(t.Width)
}

// Rewrite returns t with some subterms replaced. If f returns a term for a subterm, this term replaces the subterm. If
// f returns nil for a subterm, the subterm keeps its operation, and its arguments are rewritten.
func (p *Pool) Rewrite(t *Term, f func(*Term) *Term) *Term {
	known := p.memo()
	var of func(t *Term) *Term
	of = func(t *Term) *Term {
		if r := known.get(t); r != nil {
			return r
		}
		r := f(t)
		if r == nil {
			r = p.With(t, of)
		}
		known.put(t, r)
		return r
	}
	t = of(t)
	p.memos = append(p.memos, known)
	return t
}

// The method With returns the term t with other arguments. The argument "of" is a function that returns the new argument
// for each argument of t.
func (p *Pool) With(t *Term, of func(*Term) *Term) *Term {
	c := *t
	constants, same := t.Op > Apply, true
	for i, a := range t.Args {
		if a != nil {
			c.Args[i] = of(a)
			constants, same = constants && c.Args[i].Op == Const, same && c.Args[i] == a
		}
	}
	switch {
	case constants:
		return p.Value(t.Width, constant(&c))
	case same:
		return t
	}
	return p.get(c)
}

// Leaves returns the variables of the given terms, and the values of uninterpreted functions in these terms. Each is
// returned once.
func Leaves(all ...*Term) (out []*Term) {
	walked(all, func(t *Term) {
		if t.Op == Var || t.Op == Apply {
			out = append(out, t)
		}
	})
	return out
}
