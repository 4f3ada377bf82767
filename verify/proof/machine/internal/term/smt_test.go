package term

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestScript asserts that the text of a script has the meaning of the terms that it was written of: for random values,
// its assertions are true if and only if the conditions are true and the claim is false. The test reads the text by the
// standard SMT-LIB, with numbers of any size. All operations occur.
func TestScript(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 77))
	met, ops := map[bool]int{}, map[string]int{} // Eval gives memories the values 0 and 1
	for i := range 800 {
		p := NewPool()
		width := []int{1, 2, 7, 8, 32, 64}[r.IntN(6)]
		vars := []*Term{p.Var("a", width), p.Var("b", width), p.Var("c", 64)}
		m := newMaker(p, r, vars...)
		m.apply, m.memory = i%3 == 0, p.Var("M", Memory)
		m.truths = append(m.truths, p.Var("q", 0))
		for range 40 {
			m.make()
		}
		last := m.last()
		given := []*Term{m.truth(), p.Eq(last, m.word(last.Width)), p.Ule(p.Value(width, 1), vars[r.IntN(2)])}[r.IntN(3):]
		claim := []*Term{m.truth(), p.Bool(r.IntN(2) == 0), p.Eq(last, p.Value(last.Width, 1))}[r.IntN(3)]
		bitwise := r.IntN(2) == 0
		script := Script(given, claim, bitwise)
		for range 12 {
			value := map[string]uint64{"M": r.Uint64N(2), "q": r.Uint64N(2)}
			for _, v := range vars {
				value[v.Name] = []uint64{0, 1, Mask(v.Width), 1 << (v.Width - 1), r.Uint64() & Mask(v.Width), r.Uint64N(65) & Mask(v.Width)}[r.IntN(6)]
			}
			leaf := func(t *Term, args []uint64) uint64 {
				if t.Op == Var {
					return value[t.Name]
				}
				return unknown(t.Name, args)
			}
			want := Eval(claim, leaf) == 0
			for _, g := range given {
				want = want && Eval(g, leaf) == 1
			}
			s := smt{value: value, bitwise: bitwise, ops: ops}
			if got := s.holds(script); got != want {
				t.Fatalf("%v, want %v, with %v of\n%s", got, want, value, script)
			}
			met[want]++
		}
	}
	if met[true] < 500 || met[false] < 1000 {
		t.Errorf("met %v", met)
	}
	for _, op := range names {
		if ops[op] == 0 {
			t.Errorf("no script has %s", op)
		}
	}
}

// TestScriptOfTwoVariables asserts that no script takes two variables for one, because they have the same name.
func TestScriptOfTwoVariables(t *testing.T) {
	p := NewPool()
	defer func() {
		if recover() == nil {
			t.Error("a claim about words follows from a condition on bytes")
		}
	}()
	less := func(width int) *Term { return p.Ult(p.Var("a", width), p.Var("b", width)) }
	Script([]*Term{less(8)}, less(64), false)
}

// unknown is the unknown function with the given name.
func unknown(name string, args []uint64) uint64 {
	h := rand.NewPCG(uint64(len(name)), uint64(name[len(name)-1]))
	for _, a := range args {
		h = rand.NewPCG(h.Uint64(), a)
	}
	return h.Uint64() >> (h.Uint64() & 31)
}

// An smt reads scripts. A word has its width, a truth value the width 0, and a memory the width -1.
type smt struct {
	value   map[string]uint64 // of the declared constants
	bitwise bool              // functions ones are defined
	ops     map[string]int    // how often each was read
	known   map[string]func(args []number) number
	rest    []string
}

type number struct {
	v     *big.Int
	width int
}

// holds reports whether the assertions of a script are true.
func (s *smt) holds(script string) bool {
	s.known, s.rest = map[string]func([]number) number{}, strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(script))
	true, asked := true, 0
	for len(s.rest) > 0 {
		s.next("(")
		switch command := s.word(); command {
		case "set-logic":
			s.word()
		case "declare-sort":
			s.next("Memory")
			s.next("0")
		case "declare-const":
			name := s.word()
			n := number{new(big.Int).SetUint64(s.value[name]), s.sort()}
			s.known[name] = func([]number) number { return n }
		case "declare-fun":
			name := s.word()
			widths := []int{}
			for s.next("("); s.rest[0] != ")"; {
				widths = append(widths, s.sort())
			}
			s.next(")")
			width := s.sort()
			s.known[name] = func(args []number) number {
				var values []uint64
				for i, a := range args {
					if a.width != widths[i] {
						panic("the argument of " + name + " has another sort")
					}
					values = append(values, a.v.Uint64())
				}
				if strings.HasPrefix(name, "ones") {
					return ones1(args[0])
				}
				return cut(new(big.Int).SetUint64(unknown(name, values)), width)
			}
		case "define-fun":
			name := s.word()
			s.next("(")
			var argument string
			if s.rest[0] == "(" {
				s.next("(")
				argument = s.word()
				s.sort()
				s.next(")")
			}
			s.next(")")
			width := s.sort()
			if argument != "" { // its body is read at each use
				body := s.skip()
				s.known[name] = func(args []number) number {
					s.ops[name]++
					was := s.rest
					s.rest, s.known[argument] = body, func([]number) number { return args[0] }
					out := s.term()
					s.rest = was
					return out
				}
				break
			}
			n := s.term()
			if n.width != width {
				panic(fmt.Sprintf("%s has the width %d, not %d", name, n.width, width))
			}
			s.known[name] = func([]number) number { return n }
		case "assert":
			n := s.term()
			true = true && n.width == 0 && n.v.Sign() > 0
		case "check-sat":
			asked++
		default:
			panic(command)
		}
		s.next(")")
	}
	return true && asked == 1
}

func (s *smt) word() string {
	w := s.rest[0]
	s.rest = s.rest[1:]
	return w
}

func (s *smt) next(want string) {
	if got := s.word(); got != want {
		panic(got + " instead of " + want)
	}
}

// skip returns the words of the next term.
func (s *smt) skip() (words []string) {
	for depth := 0; ; {
		w := s.word()
		words = append(words, w)
		switch w {
		case "(":
			depth++
		case ")":
			depth--
		}
		if depth == 0 {
			return words
		}
	}
}

func (s *smt) number() int {
	n, err := strconv.Atoi(s.word())
	if err != nil {
		panic(err)
	}
	return n
}

func (s *smt) sort() int {
	switch w := s.word(); w {
	case "Bool":
		return 0
	case "Memory":
		return Memory
	}
	s.next("_")
	s.next("BitVec")
	n := s.number()
	s.next(")")
	return n
}

// cut returns v modulo 2^width. Truth values and, as in Eval, memories are 0 or 1.
func cut(v *big.Int, width int) number {
	return number{new(big.Int).Mod(v, new(big.Int).Lsh(big.NewInt(1), uint(max(width, 1)))), width}
}

func truth(b bool) number {
	if b {
		return number{big.NewInt(1), 0}
	}
	return number{new(big.Int), 0}
}

func ones1(a number) number {
	n := int64(0)
	for i := range a.width {
		n += int64(a.v.Bit(i))
	}
	return cut(big.NewInt(n), a.width)
}

// term reads a term, and returns its value.
func (s *smt) term() number {
	w := s.word()
	if w != "(" {
		switch w {
		case "true", "false":
			return truth(w == "true")
		}
		return s.known[w](nil)
	}
	op := s.word()
	if op == "_" { // (_ bvN width)
		v, ok := new(big.Int).SetString(strings.TrimPrefix(s.word(), "bv"), 10)
		if !ok {
			panic("no constant")
		}
		width := s.number()
		s.next(")")
		return number{v, width}
	}
	var indices []int
	if op == "(" { // ((_ extract hi lo) a)
		s.next("_")
		op = s.word()
		for s.rest[0] != ")" {
			indices = append(indices, s.number())
		}
		s.next(")")
	}
	var args []number
	for s.rest[0] != ")" {
		args = append(args, s.term())
	}
	s.next(")")
	s.ops[op]++
	return s.apply(op, indices, args)
}

func (s *smt) apply(op string, indices []int, args []number) number {
	if f := s.known[op]; f != nil {
		return f(args)
	}
	a := args[0]
	var b number
	if len(args) > 1 {
		b = args[len(args)-1]
	}
	same := func() { // binary operations have operands of one sort
		if len(args) != 2 || a.width != b.width {
			panic(fmt.Sprintf("%s of widths %d and %d", op, a.width, b.width))
		}
	}
	signed := func(n number) *big.Int {
		if n.v.Bit(n.width-1) == 1 {
			return new(big.Int).Sub(n.v, new(big.Int).Lsh(big.NewInt(1), uint(n.width)))
		}
		return n.v
	}
	out := new(big.Int)
	switch op {
	case "not":
		return truth(a.v.Sign() == 0)
	case "and":
		same()
		return truth(a.v.Sign() > 0 && b.v.Sign() > 0)
	case "or":
		same()
		return truth(a.v.Sign() > 0 || b.v.Sign() > 0)
	case "ite":
		if args[1].width != b.width || a.width != 0 {
			panic("ite of other sorts")
		}
		if a.v.Sign() > 0 {
			return args[1]
		}
		return b
	case "bvnot":
		return cut(out.Not(a.v), a.width)
	case "extract":
		return cut(out.Rsh(a.v, uint(indices[1])), indices[0]-indices[1]+1)
	case "zero_extend":
		return number{a.v, a.width + indices[0]}
	case "concat":
		return number{out.Or(out.Lsh(a.v, uint(b.width)), b.v), a.width + b.width}
	case "bvadd":
		for _, n := range args {
			out = new(big.Int).Add(out, n.v)
		}
		return cut(out, a.width)
	}
	same()
	switch op {
	case "=":
		return truth(a.v.Cmp(b.v) == 0)
	case "bvult":
		return truth(a.v.Cmp(b.v) < 0)
	case "bvslt":
		return truth(signed(a).Cmp(signed(b)) < 0)
	case "bvand":
		out.And(a.v, b.v)
	case "bvor":
		out.Or(a.v, b.v)
	case "bvxor":
		out.Xor(a.v, b.v)
	case "bvsub":
		out.Sub(a.v, b.v)
	case "bvmul":
		out.Mul(a.v, b.v)
	case "bvudiv":
		if out.Not(out); b.v.Sign() > 0 {
			out.Quo(a.v, b.v)
		}
	case "bvurem":
		if out.Set(a.v); b.v.Sign() > 0 {
			out.Rem(a.v, b.v)
		}
	case "bvshl":
		if b.v.Cmp(big.NewInt(int64(a.width))) < 0 {
			out.Lsh(a.v, uint(b.v.Uint64()))
		}
	case "bvlshr":
		if b.v.Cmp(big.NewInt(int64(a.width))) < 0 {
			out.Rsh(a.v, uint(b.v.Uint64()))
		}
	default:
		panic("no operation " + op)
	}
	return cut(out, a.width)
}
