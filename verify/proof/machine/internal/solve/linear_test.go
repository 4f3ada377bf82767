package solve

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestIntegral asserts of all operations on words that "integral" keeps the meaning: with all values of small words, and
// with random values of words of 64 bits, each word and each condition has the value of its translation, and each
// integer is within its bounds. Operations that integers do not have become constants.
func TestIntegral(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 11))
	kept, short := 0, 0
	for width := range 5 {
		if width == 0 {
			width = 64
		}
		for range 25 {
			script := operations(r, width)
			tr := translation{}
			if tr.all(script); tr.failed {
				t.Fatalf("not translated: %s", script)
			}
			kept += len(tr.values)
			short += strings.Count(strings.Join(tr.words, ""), "(declare-const "+nameOfShort)
			all := parsed(script, &tr)
			values := func() (out [][2]uint64) {
				for i := range min(256, 1<<(2*width)) {
					out = append(out, [2]uint64{uint64(i) & mask(width), uint64(i) >> width & mask(width)})
				}
				if width == 64 {
					out = nil
					for range 20 {
						out = append(out, [2]uint64{extreme(r), extreme(r)})
					}
				}
				return out
			}()
			for _, v := range values {
				all.compare(t, script, &tr, map[string]uint64{"a": v[0], "b": v[1]})
			}
		}
	}
	if kept < 1000 || short < 100 {
		t.Errorf("%d words are translated, and %d constants have fewer bits", kept, short)
	}
}

func extreme(r *rand.Rand) uint64 {
	return []uint64{0, 1, 7, 8, 1 << 63, 1<<63 - 1, ^uint64(0), r.Uint64N(1000), r.Uint64(), r.Uint64() >> r.IntN(64)}[r.IntN(10)]
}

// The function "operations" returns a script with random operations on words of the given width.
func operations(r *rand.Rand, width int) string {
	text := "(set-logic QF_UFBV)\n"
	sort := func(w int) string { return fmt.Sprintf("(_ BitVec %d)", w) }
	of := map[int][]string{}
	truths := []string{"true"}
	for _, name := range []string{"a", "b"} {
		of[width] = append(of[width], name)
		text += fmt.Sprintf("(declare-const %s %s)\n", name, sort(width))
	}
	text += fmt.Sprintf("(declare-fun f (%s) %s)\n", sort(width), sort(width))
	number := func(w int) string { return fmt.Sprintf("(_ bv%d %d)", extreme(r)&mask(w), w) }
	word := func(w int) string {
		if r.IntN(4) == 0 || len(of[w]) == 0 {
			return number(w)
		}
		return of[w][r.IntN(len(of[w]))]
	}
	truth := func() string { return truths[r.IntN(len(truths))] }
	n := 0
	define := func(w int, is string) {
		name, s := fmt.Sprint("t", n), sort(w)
		if n++; w == 0 {
			truths, s = append(truths, name), "Bool"
		} else {
			of[w] = append(of[w], name)
		}
		text += fmt.Sprintf("(define-fun %s () %s %s)\n", name, s, is)
	}
	for range 30 {
		w := width
		for v := range of { // some width that there is
			if r.IntN(3) == 0 && v > 0 {
				w = v
			}
		}
		a, b := word(w), word(w)
		if strings.HasPrefix(a, "(") {
			a = of[w][r.IntN(len(of[w]))]
		}
		c := number(w)
		high := r.IntN(w)
		low := r.IntN(high + 1)
		switch r.IntN(12) {
		case 0, 1:
			define(w, fmt.Sprintf("(%s %s %s)", []string{"bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor"}[r.IntN(6)], a, b))
		case 2:
			define(w, fmt.Sprintf("(%s %s %s)", []string{"bvmul", "bvshl", "bvlshr", "bvudiv", "bvurem", "bvand"}[r.IntN(6)], a, c))
		case 3:
			define(w, fmt.Sprintf("(%s %s (_ bv%d %d))", []string{"bvshl", "bvlshr"}[r.IntN(2)], a, uint64(r.IntN(w+3))&mask(w), w))
		case 4:
			low := mask(w) >> r.IntN(w)
			define(w, fmt.Sprintf("(bvand %s (_ bv%d %d))", a, []uint64{low, ^low & mask(w)}[r.IntN(2)], w))
		case 5:
			define(w, fmt.Sprintf("(%s %s)", []string{"bvnot", "bvnot", "f"}[r.IntN(3)], a))
			if strings.Contains(text[len(text)-20:], "(f ") && w != width { // f has words of the first width
				return operations(r, width)
			}
		case 6:
			define(high-low+1, fmt.Sprintf("((_ extract %d %d) %s)", high, low, a))
		case 7:
			if more := r.IntN(4); w+more <= 64 {
				define(w+more, fmt.Sprintf("((_ zero_extend %d) %s)", more, a))
			}
		case 8:
			for v, names := range of {
				if v+w <= 64 {
					define(v+w, fmt.Sprintf("(concat %s %s)", a, names[0]))
					break
				}
			}
		case 9:
			define(w, fmt.Sprintf("(ite %s %s %s)", truth(), a, b))
		case 10:
			define(0, fmt.Sprintf("(%s %s %s)", []string{"bvult", "bvslt", "="}[r.IntN(3)], a, b))
		case 11:
			define(0, fmt.Sprintf("(%s %s %s)", []string{"and", "or", "="}[r.IntN(3)], truth(), truth()))
			define(0, fmt.Sprintf("(not %s)", truth()))
		}
	}
	return text + "(assert " + truth() + ")\n(assert (not " + truth() + "))\n(check-sat)\n"
}

// A pair has a line of a script, and the commands of its translation.
type pair struct {
	line     expression
	constant string // the constant that stands for what the line defines, or ""
	integers []expression
}

type pairs []pair

// The function "parsed" returns the lines of a script and of its translation. The lines about words must be the same, or
// declare a constant.
func parsed(script string, tr *translation) (out pairs) {
	for line := range strings.Lines(script) {
		i := len(out)
		constant, is := strings.CutPrefix(tr.words[i], "(declare-const ")
		if constant, _, _ = strings.Cut(constant, " "); !is {
			constant = ""
		}
		if !is && tr.words[i] != line {
			panic(tr.words[i])
		}
		out = append(out, pair{read(line), constant, read("(" + tr.integers[i] + ")").list})
	}
	return out
}

// The method "compare" evaluates a script for the given values of its variables, and compares it with its translation.
func (all pairs) compare(t *testing.T, script string, tr *translation, values map[string]uint64) {
	t.Helper()
	words, wholes := map[string]any{}, map[string]any{}
	for _, p := range all {
		var want, is any
		name, line := "", p.line.list
		switch line[0].atom {
		case "declare-const":
			name = line[1].atom
			width, _ := strconv.Atoi(line[2].list[2].atom)
			want = bv{values[name], width}
		case "define-fun":
			name = line[1].atom
			want = evaluated(line[4], words)
		case "assert":
			want = evaluated(line[1], words)
		default:
			continue
		}
		words[name] = want
		v, word := want.(bv)
		if whole := any(new(big.Int).SetUint64(v.value)); p.constant != "" && word {
			wholes[p.constant] = whole
		} else if p.constant != "" {
			wholes[p.constant] = want
		}
		for _, e := range p.integers {
			switch e.list[0].atom {
			case "define-fun":
				wholes[e.list[1].atom] = evaluated(e.list[4], wholes)
			case "assert":
				if is = evaluated(e.list[1], wholes); line[0].atom != "assert" && is != true {
					t.Fatalf("%s is not within its bounds for %v:\n%s", name, values, script)
				}
			}
		}
		switch {
		case word:
			want, is = fmt.Sprint(v.value), total(tr.values[name], wholes).String()
		case name != "":
			is = wholes[name]
		}
		if want != is {
			t.Fatalf("%s is %v, and as an integer %v, for %v:\n%s%s", name, want, is, values, script, strings.Join(tr.integers, ""))
		}
	}
	for name, largest := range tr.largest {
		if v, ok := wholes[name]; ok && v.(*big.Int).Cmp(new(big.Int).SetUint64(largest)) > 0 {
			t.Fatalf("%s is %v, and at most %d:\n%s", name, v, largest, script)
		}
	}
}

// The function "total" returns the value of a number.
func total(n number, values map[string]any) *big.Int {
	sum := new(big.Int).SetUint64(n.constant)
	for _, s := range n.of {
		sum.Add(sum, new(big.Int).Mul(new(big.Int).SetUint64(s.factor), values[s.name].(*big.Int)))
	}
	return sum.Mod(sum, new(big.Int).Lsh(big.NewInt(1), uint(n.width)))
}

// A bv is a word, and the number of its bits.
type bv struct {
	value uint64
	width int
}

// An expression of SMT-LIB is an atom or a list.
type expression struct {
	atom string
	list []expression
}

// The function "read" returns the expression with the given text.
func read(text string) expression {
	text = strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text)
	stack := []expression{{}}
	for _, w := range strings.Fields(text) {
		top := &stack[len(stack)-1]
		switch w {
		case "(":
			stack = append(stack, expression{})
		case ")":
			done := *top
			stack = stack[:len(stack)-1]
			stack[len(stack)-1].list = append(stack[len(stack)-1].list, done)
		default:
			top.list = append(top.list, expression{atom: w})
		}
	}
	return stack[0].list[0]
}

// The function "evaluated" returns the value of an expression: a truth value, a word or an integer. For words and
// integers, it has the meaning that the standard of SMT-LIB gives to each operation.
func evaluated(e expression, values map[string]any) any {
	if e.list == nil {
		if v, ok := values[e.atom]; ok {
			return v
		}
		if n, ok := new(big.Int).SetString(e.atom, 10); ok {
			return n
		}
		return e.atom == "true"
	}
	op, numbers := e.list[0].atom, []int{}
	if head := e.list[0].list; head != nil {
		op = head[1].atom
		for _, h := range head[2:] {
			n, _ := strconv.Atoi(h.atom)
			numbers = append(numbers, n)
		}
	}
	if op == "_" { // a constant
		v, _ := strconv.ParseUint(strings.TrimPrefix(e.list[1].atom, "bv"), 10, 64)
		w, _ := strconv.Atoi(e.list[2].atom)
		return bv{v, w}
	}
	var args []any
	for _, a := range e.list[1:] {
		args = append(args, evaluated(a, values))
	}
	switch op {
	case "not":
		return !args[0].(bool)
	case "and":
		out := true
		for _, a := range args {
			out = out && a.(bool)
		}
		return out
	case "or":
		return args[0].(bool) || args[1].(bool)
	case "ite":
		if args[0].(bool) {
			return args[1]
		}
		return args[2]
	}
	switch a := args[0].(type) {
	case bool: // the operation "="
		return a == args[1].(bool)
	case *big.Int:
		return ofIntegersOnly(op, args)
	case bv:
		b := a
		if len(args) > 1 {
			b = args[1].(bv)
		}
		return ofWords(op, a, b, numbers)
	}
	panic(op)
}

func ofIntegersOnly(op string, args []any) any {
	a := args[0].(*big.Int)
	if len(args) == 1 {
		if op == "-" {
			return new(big.Int).Neg(a)
		}
		panic(op)
	}
	out := new(big.Int).Set(a)
	for _, arg := range args[1:] {
		b := arg.(*big.Int)
		switch op {
		case "+":
			out.Add(out, b)
		case "-":
			out.Sub(out, b)
		case "*":
			out.Mul(out, b)
		case "div":
			out.Div(out, b) // Euclidean division, as in the standard
		case "mod":
			out.Mod(out, b)
		case "=":
			return a.Cmp(b) == 0
		case "<":
			return a.Cmp(b) < 0
		case "<=":
			return a.Cmp(b) <= 0
		default:
			panic(op)
		}
	}
	return out
}

func ofWords(op string, a, b bv, numbers []int) any {
	w := a.width
	signed := func(x bv) int64 { return int64(x.value<<(64-x.width)) >> (64 - x.width) }
	shift := func(f func(n uint64) uint64) uint64 {
		if b.value >= uint64(w) {
			return 0
		}
		return f(b.value)
	}
	var v uint64
	switch op {
	case "=":
		return a == b
	case "bvult":
		return a.value < b.value
	case "bvslt":
		return signed(a) < signed(b)
	case "bvadd":
		v = a.value + b.value
	case "bvsub":
		v = a.value - b.value
	case "bvmul":
		v = a.value * b.value
	case "bvand":
		v = a.value & b.value
	case "bvor":
		v = a.value | b.value
	case "bvxor":
		v = a.value ^ b.value
	case "bvnot":
		v = ^a.value
	case "f": // some function
		v = a.value*a.value ^ a.value>>1
	case "bvshl":
		v = shift(func(n uint64) uint64 { return a.value << n })
	case "bvlshr":
		v = shift(func(n uint64) uint64 { return a.value >> n })
	case "bvudiv":
		if v = ^uint64(0); b.value > 0 {
			v = a.value / b.value
		}
	case "bvurem":
		if v = a.value; b.value > 0 {
			v = a.value % b.value
		}
	case "extract":
		v, w = a.value>>numbers[1], numbers[0]-numbers[1]+1
	case "zero_extend":
		v, w = a.value, w+numbers[0]
	case "concat":
		v, w = a.value<<b.width|b.value, w+b.width
	default:
		panic(op)
	}
	return bv{v & mask(w), w}
}
