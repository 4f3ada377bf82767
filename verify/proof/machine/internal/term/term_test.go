package term

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestEvaluation asserts that expressions have the values of Go's operators, whatever the
// functions that make them fold.
func TestEvaluation(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	p := NewPool()
	for range 2000 {
		width := 1 + r.IntN(64)
		mask := Mask(width)
		value := map[string]uint64{}
		type known struct {
			term  *Term
			value uint64
		}
		var all []known
		for _, name := range []string{"a", "b", "c"} {
			value[name] = r.Uint64() & mask
			all = append(all, known{p.Var(name, width), value[name]})
		}
		for _, v := range []uint64{0, 1, mask, r.Uint64() & mask} {
			v &= mask
			all = append(all, known{p.Value(width, v), v})
		}
		leaf := func(t *Term, _ []uint64) uint64 { return value[t.Name] }
		for range 30 {
			x, y := all[r.IntN(len(all))], all[r.IntN(len(all))]
			var k known
			switch r.IntN(14) {
			case 0:
				k = known{p.BvNot(x.term), ^x.value}
			case 1:
				k = known{p.BvAnd(x.term, y.term), x.value & y.value}
			case 2:
				k = known{p.BvOr(x.term, y.term), x.value | y.value}
			case 3:
				k = known{p.BvXor(x.term, y.term), x.value ^ y.value}
			case 4:
				k = known{p.Add(x.term, y.term), x.value + y.value}
			case 5:
				k = known{p.Sub(x.term, y.term), x.value - y.value}
			case 6:
				k = known{p.Mul(x.term, y.term), x.value * y.value}
			case 7:
				k = known{p.Ones(x.term), uint64(bits.OnesCount64(x.value))}
			case 8:
				k = known{p.Ite(p.Ult(x.term, y.term), x.term, y.term), min(x.value, y.value)}
			case 9:
				k = known{p.Ite(p.Eq(x.term, y.term), x.term, p.BvNot(y.term)), ^y.value}
				if x.value == y.value {
					k.value = x.value
				}
			case 10:
				lo := r.IntN(width)
				k = known{p.Zext(p.Extract(x.term, lo, width-lo), width), x.value >> lo}
			case 11:
				at := uint64(r.IntN(width))
				k = known{p.Lshr(p.Shl(x.term, p.Value(width, at&mask)), p.Value(width, at&mask)), 0}
				if at&mask < uint64(width) {
					k.value = x.value << (at & mask) & mask >> (at & mask)
				}
			case 12:
				if width < 64 {
					continue
				}
				hi, _ := bits.Mul64(x.value, y.value)
				k = known{p.MulHi(x.term, y.term), hi}
			case 13:
				k = known{p.Div(x.term, y.term), mask}
				if y.value != 0 {
					k.value = x.value / y.value
				}
				all = append(all, known{p.Rem(x.term, y.term), x.value - k.value*y.value&mask})
				if y.value == 0 {
					all[len(all)-1].value = x.value
				}
			}
			k.value &= mask
			if got := Eval(k.term, leaf); got != k.value {
				t.Fatalf("width %d, %v: %v is %#x, want %#x", width, value, k.term, got, k.value)
			}
			all = append(all, k)
		}
	}
}

// TestLinear asserts that a sum of multiples and the term made of it have the value of the
// term that it was read from.
func TestLinear(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 2))
	p := NewPool()
	for range 1000 {
		value := map[string]uint64{"a": r.Uint64(), "b": r.Uint64()}
		leaf := func(t *Term, _ []uint64) uint64 { return value[t.Name] }
		x := p.Value(64, r.Uint64())
		for range r.IntN(8) {
			v := p.Mul(p.Value(64, r.Uint64N(100)), p.Var([]string{"a", "b"}[r.IntN(2)], 64))
			if r.IntN(2) == 0 {
				x = p.Add(x, v)
			} else {
				x = p.Sub(x, v)
			}
		}
		if got, want := Eval(p.Linear(Linearize(x)), leaf), Eval(x, leaf); got != want {
			t.Fatalf("%v: %#x, want %#x", x, got, want)
		}
		eight := Linearize(p.Mul(p.Value(64, 8), x))
		over, ok := eight.Over8()
		if !ok {
			t.Fatalf("8 times %v is no multiple of 8", x)
		}
		if got, want := Eval(p.Mul(p.Value(64, 8), p.Linear(over)), leaf), 8*Eval(x, leaf); got != want {
			t.Fatalf("8 times %v: %#x, want %#x", x, got, want)
		}
	}
}

// TestPool makes more terms than the first table of a pool holds, and makes them again.
func TestPool(t *testing.T) {
	p := NewPool()
	x := p.Var("x", 64)
	all := []*Term{x}
	for i := range 1000 {
		all = append(all, p.Add(all[i], p.Value(64, uint64(i+1))))
	}
	n := p.Born(p.Var("last", 1))
	for i := range 1000 {
		if got := p.Add(all[i], p.Value(64, uint64(i+1))); got != all[i+1] {
			t.Fatalf("term %d is made twice", i)
		}
	}
	if got := p.Born(p.Var("next", 1)); got != n+1 {
		t.Fatalf("term %d, want %d", got, n+1)
	}
	for i, a := range all[1:20] {
		for _, b := range []*Term{p.Var("y", 64), p.Var("x", 32), p.Not(p.Eq(a, x)), p.BvAnd(x, a), p.Extract(a, 0, 63), p.Extract(a, 1, 63)} {
			if a == b {
				t.Fatalf("%s is term %d", b, i+1)
			}
		}
	}
	y := p.Var("y", 64)
	got := p.Rewrite(all[1000], func(t *Term) *Term {
		if t == x { // a rewriting within the rewriting
			return p.Rewrite(p.Add(x, y), func(t *Term) *Term { return map[*Term]*Term{x: y}[t] })
		}
		return nil
	})
	l := Linearize(got)
	if l.Of[y] != 2 || len(l.Of) != 1 || l.Const != 1000*1001/2 {
		t.Fatalf("%v, want 2y + %d", l, 1000*1001/2)
	}
}
