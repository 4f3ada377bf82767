package simulate

import (
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// The type "expression" represents an expression in a twin or in an invariant. It has Go's notation and Go's
// precedence. Each value is a word of 64 bits or a truth value. Where a word is needed, a truth value counts as 0 or 1.
// Comparisons are unsigned. There are also these functions and operands:
//
//	hi(a, b)      the upper half of the product a*b
//	mix(z)        the finaliser of SplitMix64, applied to z; mixed(z) is the same with other terms
//	ones(x)       the number of ones in x
//	less(a, b)    a < b, for signed numbers
//	fits(m, a, b) m*a <= b, where the product may have any size
//	reduce(z, a)  hi(z &^ 0xfff, a) for a < 2^52, computed from products of halves
//	scale(x, a)   x*a >> 52 for x < 2^52 and a < 2^52, computed from products of halves
//	wide(x, a)    x*a >> 52 for x < 2^52 and a < 2^52, as the upper half of 2^12*a * x; wider(x, a) is the same, as that
//	              of 2^12*x * a
//	scale32(x, a) the same as scale for a < 2^32
//	pick(i, a...) the word of the list a that has the index i, or the last word if i is too large
//	fadd(a, b)    the sum of float64 numbers; fsub and fmul are their difference and product
//	fint(a)       the signed number a as a float64
//	if(c, a, b)   a if c is true, and b otherwise
//	is(x)         x is not 0, where x is a truth value as a word
//	count(a...)   the number of the words of the list a that are not 0; they are truth values as words
//	pack(i, c..., a..., b...)
//	              lane i of package semantics' Pack: among the words a those with c, in their order, then words of b
//	spread(i, c..., a..., b...)
//	              lane i of package semantics' Spread: of the lanes with c, the words a in their order; of others, b
//	below(d, t)   bit d of 2^(2t) - 1, which says whether d < 2t, for d < 16 and t < 8
//	bit(x, p)     bit p & 63 of the word x is 1
//	word(s, i)    the 8 bytes of the slice s that begin with its element i
//	from(s, n)    the 8 bytes that begin n bytes after the beginning of the slice s
//	len(s)        the length of the slice s; the name s stands for the address of its first element
//	s[i]          an element of the slice s.
type expression struct {
	op   string // "number", "name", "index", "call" or an operator
	name string
	n    uint64
	of   []expression
}

var token = regexp.MustCompile(`^(?:0x[0-9a-f]+|[0-9]+|[A-Za-z_][A-Za-z_0-9.]*|<<|>>|<=|>=|==|!=|&&|\|\||&\^|[-+*/%&|^~!<>(),\[\]])`)

type parser struct {
	rest string
	text string
}

// The function "parse" parses the text of an expression.
func parse(text string) (expression, error) {
	p := parser{strings.TrimSpace(text), text}
	e, err := p.binary(1)
	if err == nil && p.rest != "" {
		err = fmt.Errorf("%q: %q is left", text, p.rest)
	}
	return e, err
}

// parseList parses a text that consists of expressions separated by commas.
func parseList(text string) (out []expression, err error) {
	p := parser{strings.TrimSpace(text), text}
	for p.rest != "" {
		e, err := p.binary(1)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
		if p.peek() != "," {
			break
		}
		p.next()
	}
	if p.rest != "" {
		return nil, fmt.Errorf("%q: %q is left", text, p.rest)
	}
	return out, nil
}

func (p *parser) peek() string { return token.FindString(p.rest) }

func (p *parser) next() string {
	t := p.peek()
	p.rest = strings.TrimSpace(p.rest[len(t):])
	return t
}

var precedence = map[string]int{
	"||": 1, "&&": 2, "==": 3, "!=": 3, "<": 3, "<=": 3, ">": 3, ">=": 3,
	"+": 4, "-": 4, "|": 4, "^": 4, "*": 5, "/": 5, "%": 5, "<<": 5, ">>": 5, "&": 5, "&^": 5,
}

func (p *parser) binary(least int) (expression, error) {
	e, err := p.unary()
	for err == nil {
		op := p.peek()
		if precedence[op] < least || precedence[op] == 0 {
			return e, nil
		}
		p.next()
		var b expression
		b, err = p.binary(precedence[op] + 1)
		e = expression{op: op, of: []expression{e, b}}
	}
	return e, err
}

func (p *parser) unary() (e expression, err error) {
	switch t := p.peek(); {
	case t == "":
		return e, fmt.Errorf("%q: no operand at %q", p.text, p.rest)
	case t == "~" || t == "!" || t == "-":
		p.next()
		a, err := p.unary()
		return expression{op: t + "x", of: []expression{a}}, err
	case t == "(":
		p.next()
		if e, err = p.binary(1); err == nil && p.next() != ")" {
			err = fmt.Errorf("%q: no ) before %q", p.text, p.rest)
		}
		return e, err
	case t[0] >= '0' && t[0] <= '9':
		p.next()
		n, err := strconv.ParseUint(t, 0, 64)
		return expression{op: "number", n: n}, err
	case precedence[t] > 0 || strings.Contains(",)[]", t):
		return e, fmt.Errorf("%q: no operand at %q", p.text, p.rest)
	default:
		p.next()
		end := map[string]string{"(": ")", "[": "]"}[p.peek()]
		if end == "" {
			return expression{op: "name", name: t}, nil
		}
		e = expression{op: "call", name: t}
		if p.next() == "[" {
			e.op = "index"
		}
		for p.peek() != end {
			a, err := p.binary(1)
			if err != nil {
				return e, err
			}
			if e.of = append(e.of, a); p.peek() == "," {
				p.next()
			} else if p.peek() != end {
				return e, fmt.Errorf("%q: no %s before %q", p.text, end, p.rest)
			}
		}
		p.next()
		return e, nil
	}
}

// An expression can contain names. The type "scope" has the values of these names.
type scope struct {
	*term.Pool
	names  func(string) *term.Term // returns nil for an unknown name
	slices map[string]int          // the size of an element in bytes
	memory memory                  // nil if memory may not be read
}

// The interface "memory" is the memory of a twin. The steps of the twin load values from it and store values to it.
type memory interface {
	load(at *term.Term, bits int) *term.Term
	store(at, v *term.Term)
	clear(at, n *term.Term) // sets n bytes to 0
}

// The type "fault" is a text that says why an expression has no value. The function "fail" panics with such a text.
type fault string

func fail(format string, a ...any) { panic(fault(fmt.Sprintf(format, a...))) }

// The function "caught" must be called by a defer statement. It turns the panic of the function "fail" into an error,
// and stores this error in *err.
func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case fault:
		*err = fmt.Errorf("%s", string(r))
	default:
		panic(r)
	}
}

// The method "word" returns the value of an expression as a word of 64 bits.
func (s scope) word(e expression) *term.Term {
	t := s.value(e)
	switch {
	case t.Width == 0:
		return s.Ite(t, s.Value(64, 1), s.Value(64, 0))
	case t.Width > 0:
		return s.Zext(t, 64)
	}
	fail("a memory is no word")
	return nil
}

// The method "truth" returns the value of an expression that must be a truth value.
func (s scope) truth(e expression) *term.Term {
	t := s.value(e)
	if t.Width != 0 {
		fail("%s is no truth value", t)
	}
	return t
}

// The method "place" returns the address of an element of a slice, and the element's size in bits.
func (s scope) place(name string, index expression) (*term.Term, int) {
	from, size := s.names(name), s.slices[name]
	if from == nil || size == 0 {
		fail("%s is no slice", name)
	}
	return address(s.Pool, from, s.word(index), size), 8 * size
}

// The function "address" returns from + size*i in the canonical form of addresses.
func address(p *term.Pool, from, i *term.Term, size int) *term.Term {
	return canonical(p, p.Add(from, p.Mul(p.Value(64, uint64(size)), i)))
}

// The function "canonical" returns an address as a sum. In this sum it writes each product 2^s*(x>>c & m) as x>>(c-s) &
// m<<s. So two ways to compute an address give the same term. Sometimes the mask m was applied to only some of the bits
// of x>>c. Such a product is also recognised.
func canonical(p *term.Pool, at *term.Term) *term.Term {
	l := term.Linearize(at)
	moved := p.Value(64, 0)
	for t, k := range l.Of {
		s, masked := uint64(bits.TrailingZeros64(k)), t
		if masked.Op == term.Zext {
			masked = masked.Args[0]
		}
		if masked.Op != term.BvAnd || masked.Args[1].Op != term.Const || k != 1<<s {
			continue
		}
		x, m := masked.Args[0], masked.Args[1].Value
		if x.Op == term.Extract && x.Lo == 0 && x.Args[0].Width == 64 {
			x = x.Args[0]
		}
		if x.Width != 64 || x.Op != term.Lshr || x.Args[1].Op != term.Const {
			continue
		}
		if c := x.Args[1].Value; s <= c && c < 64 && m<<s>>s == m {
			delete(l.Of, t)
			moved = p.Add(moved, p.BvAnd(p.Lshr(x.Args[0], p.Value(64, c-s)), p.Value(64, m<<s)))
		}
	}
	return p.Linear(term.Linearize(p.Add(p.Linear(l), moved)))
}

func (s scope) value(e expression) *term.Term {
	want := func(n int) {
		if len(e.of) != n {
			fail("%s of %d arguments", e.name, len(e.of))
		}
	}
	switch e.op {
	case "number":
		return s.Value(64, e.n)
	case "name":
		t := s.names(e.name)
		if t == nil {
			fail("%s has no value", e.name)
		}
		return t
	case "index":
		want(1)
		at, width := s.place(e.name, e.of[0])
		if s.memory == nil {
			fail("%s is read where no memory is", e.name)
		}
		return s.memory.load(at, width)
	case "call":
		switch e.name {
		case "len":
			want(1)
			t := s.names("len(" + e.of[0].name + ")")
			if t == nil {
				fail("%s has no length", e.of[0].name)
			}
			return t
		case "is":
			want(1)
			return s.is(e.of[0])
		case "count":
			var all []*term.Term
			for _, a := range e.of {
				all = append(all, s.is(a))
			}
			return s.Zext(s.Ones(semantics.Word(s.Pool, 32, all)), 64)
		case "pack", "spread":
			n := len(e.of) / 3
			want(3*n + 1)
			c, a, b := make([]*term.Term, n), make([]*term.Term, n), make([]*term.Term, n)
			for l := range n {
				c[l], a[l], b[l] = s.is(e.of[1+l]), s.word(e.of[1+n+l]), s.word(e.of[1+2*n+l])
			}
			f := semantics.Spread
			if e.name == "pack" {
				f = semantics.Pack
			}
			return f(s.Pool, c, a, b)[s.word(e.of[0]).Value]
		case "below":
			want(2)
			half := s.Extract(s.word(e.of[1]), 0, 32)
			shift := s.BvAnd(s.Zext(s.Extract(s.Add(half, half), 0, 8), 64), s.Value(64, 63))
			mask, d := s.Sub(s.Shl(s.Value(64, 1), shift), s.Value(64, 1)), s.word(e.of[0]).Value
			if d >= 8 {
				mask, d = s.Lshr(mask, s.Value(64, 8)), d-8
			}
			return s.Eq(s.Extract(mask, int(d), 1), s.Value(1, 1))
		case "bit":
			want(2)
			x := s.Lshr(s.word(e.of[0]), s.BvAnd(s.word(e.of[1]), s.Value(64, 63)))
			return s.Eq(s.Extract(x, 0, 1), s.Value(1, 1))
		case "word":
			want(2)
			at, _ := s.place(e.of[0].name, e.of[1])
			if s.memory == nil {
				fail("%s is read where no memory is", e.name)
			}
			return s.memory.load(at, 64)
		case "from":
			want(2)
			from := s.names(e.of[0].name)
			if from == nil || s.slices[e.of[0].name] == 0 || s.memory == nil {
				fail("%s is no slice, or is read where no memory is", e.of[0].name)
			}
			return s.memory.load(canonical(s.Pool, s.Add(from, s.word(e.of[1]))), 64)
		case "hi":
			want(2)
			return s.MulHi(s.word(e.of[0]), s.word(e.of[1]))
		case "fadd":
			want(2)
			return semantics.FAdd(s.Pool, s.word(e.of[0]), s.word(e.of[1]))
		case "fsub":
			want(2)
			return semantics.FSub(s.Pool, s.word(e.of[0]), s.word(e.of[1]))
		case "fmul":
			want(2)
			return semantics.FMul(s.Pool, s.word(e.of[0]), s.word(e.of[1]))
		case "fint":
			want(1)
			return semantics.FInt(s.Pool, s.word(e.of[0]))
		case "ones":
			want(1)
			return s.Ones(s.word(e.of[0]))
		case "less":
			want(2)
			return s.Slt(s.word(e.of[0]), s.word(e.of[1]))
		case "if":
			want(3)
			c := s.truth(e.of[0])
			if _, symbolic := s.memory.(*symbols); !symbolic && s.memory != nil && c.Op == term.Const { // what is not chosen is not read
				return s.word(e.of[2-c.Value])
			}
			return s.Ite(c, s.word(e.of[1]), s.word(e.of[2]))
		case "fits":
			want(3)
			if m, a, b := s.word(e.of[0]), s.word(e.of[1]), s.word(e.of[2]); m.Op == term.Const && a.Op == term.Const && b.Op == term.Const {
				high, low := bits.Mul64(m.Value, a.Value)
				return s.Bool(high == 0 && low <= b.Value)
			}
			return s.Apply("fits", 0, s.word(e.of[0]), s.word(e.of[1]), s.word(e.of[2]))
		case "reduce":
			want(2)
			return reduce(s.Pool, s.word(e.of[0]), s.word(e.of[1]))
		case "scale":
			want(2)
			return scale(s.Pool, s.word(e.of[0]), s.word(e.of[1]))
		case "wide", "wider":
			want(2)
			low := s.Value(64, term.Mask(52))
			x, y := s.BvAnd(s.word(e.of[1]), low), s.BvAnd(s.word(e.of[0]), low)
			if e.name == "wider" {
				x, y = y, x
			}
			return s.MulHi(s.Shl(x, s.Value(64, 12)), y)
		case "scale32":
			want(2)
			return scale32(s.Pool, s.word(e.of[0]), s.word(e.of[1]))
		case "pick":
			out := s.word(e.of[len(e.of)-1])
			for i := len(e.of) - 3; i >= 0; i-- {
				out = s.Ite(s.Eq(s.word(e.of[0]), s.Value(64, uint64(i))), s.word(e.of[i+1]), out)
			}
			return out
		case "mix":
			want(1)
			return mix(s.Pool, s.word(e.of[0]))
		case "mixed":
			want(1)
			z := s.word(e.of[0])
			z = s.Mul(s.BvXor(z, s.Lshr(z, s.Value(64, 30))), s.Value(64, 0xbf58476d1ce4e5b9))
			z = s.Mul(s.BvXor(z, s.Lshr(z, s.Value(64, 27))), s.Value(64, 0x94d049bb133111eb))
			return s.BvXor(z, s.Lshr(z, s.Value(64, 31)))
		}
		fail("no function %s", e.name)
	case "~x":
		return s.BvNot(s.word(e.of[0]))
	case "-x":
		return s.Sub(s.Value(64, 0), s.word(e.of[0]))
	case "!x":
		return s.Not(s.truth(e.of[0]))
	case "&&":
		return s.And(s.truth(e.of[0]), s.truth(e.of[1]))
	case "||":
		return s.Or(s.truth(e.of[0]), s.truth(e.of[1]))
	}
	a, b := s.value(e.of[0]), s.value(e.of[1])
	if truths := a.Width == 0 && b.Width == 0; truths && e.op == "==" {
		return s.Eq(a, b)
	}
	a, b = s.word(e.of[0]), s.word(e.of[1])
	switch e.op {
	case "+":
		return s.Add(a, b)
	case "-":
		return s.Sub(a, b)
	case "*":
		return s.Mul(a, b)
	case "/":
		return s.Div(a, b)
	case "%":
		return s.Rem(a, b)
	case "&":
		return s.BvAnd(a, b)
	case "&^":
		return s.BvAnd(a, s.BvNot(b))
	case "|":
		return s.BvOr(a, b)
	case "^":
		return s.BvXor(a, b)
	case "<<":
		return s.Shl(a, b)
	case ">>":
		return s.Lshr(a, b)
	case "==":
		return s.Eq(a, b)
	case "!=":
		return s.Not(s.Eq(a, b))
	case "<":
		return s.Ult(a, b)
	case "<=":
		return s.Ule(a, b)
	case ">":
		return s.Ult(b, a)
	case ">=":
		return s.Ule(b, a)
	}
	fail("no operator %s", e.op)
	return nil
}

// The method "is" returns the truth value of an expression that is 0 or 1.
func (s scope) is(e expression) *term.Term {
	t := s.word(e)
	if t.Op == term.Ite && t.Args[1].Is(1) && t.Args[2].Is(0) {
		return t.Args[0]
	}
	return s.Not(s.Eq(t, s.Value(64, 0)))
}

// The function "mix" returns the result of applying the finaliser of the generator SplitMix64 to z. The operations of
// the term are in the order in which the kernels execute them.
func mix(p *term.Pool, z *term.Term) *term.Term {
	z = p.Mul(p.BvXor(p.Lshr(z, p.Value(64, 30)), z), p.Value(64, 0xbf58476d1ce4e5b9))
	z = p.Mul(p.BvXor(z, p.Lshr(z, p.Value(64, 27))), p.Value(64, 0x94d049bb133111eb))
	return p.BvXor(z, p.Lshr(z, p.Value(64, 31)))
}

// The function "reduce" returns the upper half of a product, for span < 2^52. The factors are z &^ 0xfff and span.
func reduce(p *term.Pool, z, span *term.Term) *term.Term {
	return scale(p, p.Lshr(z, p.Value(64, 12)), span)
}

// The function "scale" returns x*span >> 52, for x < 2^52 and span < 2^52. The result is computed from products of 32-bit
// halves, in the form of the lemma "products of halves".
func scale(p *term.Pool, x, span *term.Term) *term.Term {
	value := func(v uint64) *term.Term { return p.Value(64, v) }
	half := func(t *term.Term) (high, low *term.Term) {
		return p.Lshr(t, value(32)), p.BvAnd(t, value(1<<32-1))
	}
	xh, xl := half(x)
	sh, sl := half(span)
	sum := p.Sum(64, p.Lshr(p.Mul(xl, sl), value(32)), p.Mul(xh, sl), p.Mul(xl, sh))
	return p.Add(p.Lshr(sum, value(20)), p.Shl(p.Mul(xh, sh), value(12)))
}

// The function "scale32" returns the same for span < 2^32. It leaves out the products with the upper half of span, which
// are 0.
func scale32(p *term.Pool, x, span *term.Term) *term.Term {
	value := func(v uint64) *term.Term { return p.Value(64, v) }
	low := p.BvAnd(span, value(1<<32-1))
	sum := p.Add(p.Lshr(p.Mul(p.BvAnd(x, value(1<<32-1)), low), value(32)), p.Mul(p.Lshr(x, value(32)), low))
	return p.Lshr(sum, value(20))
}
