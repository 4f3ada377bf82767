package term

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestIntegers asserts that a script about integers has the truth value of the words that it stands for, and that there
// is none for other operations than sums.
func TestIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 31))
	p := NewPool()
	value, vars := map[string]uint64{}, []*Term{p.Var("a", 64), p.Var("b", 64), p.Var("c", 64)}
	word := func() uint64 {
		return []uint64{0, 1, 8, 1<<63 - 1, 1 << 63, ^uint64(0), r.Uint64(), r.Uint64() >> r.IntN(64)}[r.IntN(8)]
	}
	sum := func() *Term {
		s := p.Value(64, word())
		for range r.IntN(4) {
			v := vars[r.IntN(3)]
			switch r.IntN(8) {
			case 0:
				s = p.Sub(s, v)
			case 1:
				s = p.Add(s, p.Shl(v, p.Value(64, uint64(r.IntN(64)))))
			case 2:
				s = p.Add(p.Mul(p.Value(64, word()), v), s)
			case 3:
				s = v
			case 4:
				s = p.Sub(v, s)
			case 5:
				s = p.Mul(s, p.Value(64, word()))
			case 6:
				s = p.Shl(s, p.Value(64, uint64(r.IntN(64))))
			case 7:
				s = p.Add(s, s)
			}
		}
		return s
	}
	var truth func(depth int) *Term
	truth = func(depth int) *Term {
		a, b := sum(), sum()
		if r.IntN(3) == 0 { // a number near a
			b = p.Add(a, p.Value(64, r.Uint64N(3)-1))
		}
		switch r.IntN(4 + depth) {
		case 0:
			return p.Eq(a, b)
		case 1:
			return p.Ult(a, b)
		case 2:
			return p.Slt(a, b)
		case 3:
			return p.Bool(r.IntN(2) == 0)
		case 4:
			return p.Not(truth(depth - 1))
		case 5:
			return p.And(truth(depth-1), truth(depth-1))
		case 6:
			return p.Or(truth(depth-1), truth(depth-1))
		default:
			return p.Eq(truth(depth-1), truth(depth-1))
		}
	}
	leaf := func(t *Term, _ []uint64) uint64 { return value[t.Name] }
	met := map[bool]int{}
	for range 3000 {
		for _, v := range vars {
			value[v.Name] = word()
		}
		given, claim := truth(3), truth(3)
		script, ok := Integers([]*Term{given}, claim)
		if !ok {
			t.Fatalf("no script of %s", claim)
		}
		want := Eval(given, leaf) == 1 && Eval(claim, leaf) == 0
		if got := satisfied(script, value); got != want {
			t.Fatalf("%v, want %v, with %v of\n%s", got, want, value, script)
		}
		met[want]++
	}
	if met[true] < 100 || met[false] < 100 {
		t.Errorf("met %v", met)
	}
	a, b := vars[0], vars[1]
	for _, c := range []*Term{p.Ult(p.Mul(a, b), a), p.Eq(p.BvAnd(a, p.Value(64, 7)), b), p.Var("truth", 0), p.Eq(a, p.Shl(b, p.Value(64, 64))),
		p.Ult(a, p.Add(b, p.Apply("f", 64, b))), p.Ite(p.Eq(a, b), p.Ult(a, b), p.Eq(a, b)), p.Slt(p.Lshr(a, p.Value(64, 1)), b), p.Eq(p.Var("x", 8), p.Value(8, 1))} {
		if _, ok := Integers(nil, c); ok {
			t.Errorf("a script of %s", c)
		}
		if _, ok := Integers([]*Term{c}, p.Bool(false)); ok {
			t.Errorf("a script from %s", c)
		}
	}
}

// The function "satisfied" reports whether the given values make all assertions of a script true.
func satisfied(script string, value map[string]uint64) bool {
	rest := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(script))
	var eval func() any // reads an expression from rest
	eval = func() any {
		t := rest[0]
		rest = rest[1:]
		if t != "(" {
			if v, ok := value[t]; ok {
				return new(big.Int).SetUint64(v)
			}
			if n, ok := new(big.Int).SetString(t, 10); ok {
				return n
			}
			return map[string]bool{"true": true, "false": false}[t]
		}
		op := rest[0]
		rest = rest[1:]
		var args []any
		for rest[0] != ")" {
			args = append(args, eval())
		}
		rest = rest[1:]
		number := func(i int) *big.Int { return args[i].(*big.Int) }
		switch op {
		case "not":
			return !args[0].(bool)
		case "and":
			return args[0].(bool) && args[1].(bool)
		case "or":
			return args[0].(bool) || args[1].(bool)
		case "=":
			if b, ok := args[0].(bool); ok {
				return b == args[1].(bool)
			}
			return number(0).Cmp(number(1)) == 0
		case "<":
			return number(0).Cmp(number(1)) < 0
		case "<=":
			return number(0).Cmp(number(1)) <= 0
		case "+":
			out := new(big.Int)
			for i := range args {
				out.Add(out, number(i))
			}
			return out
		case "-":
			return new(big.Int).Neg(number(0))
		case "*":
			return new(big.Int).Mul(number(0), number(1))
		case "mod": // Euclid's, as in SMT-LIB
			return new(big.Int).Mod(number(0), number(1))
		case "assert":
			return args[0]
		}
		return fmt.Sprintf("%s is no operation of the test", op)
	}
	for len(rest) > 0 {
		switch rest[1] {
		case "assert":
			if !eval().(bool) {
				return false
			}
		default:
			rest = rest[2:]
			for rest[0] != ")" {
				rest = rest[1:]
			}
			rest = rest[1:]
		}
	}
	return true
}
