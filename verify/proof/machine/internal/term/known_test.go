package term

import (
	"math/rand/v2"
	"testing"
)

// TestKnown asserts that a random term has the value of its rewritten form for each word x whose known bits are as said,
// and that a choice by these bits is gone.
func TestKnown(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 31))
	differs := 0
	for range 400 {
		p := NewPool()
		x := p.Var("x", 64)
		terms := []*Term{x, p.Var("y", 64), p.Value(64, r.Uint64()), p.Value(64, 63), p.Value(64, r.Uint64N(64))}
		pick := func() *Term { return terms[r.IntN(len(terms))] }
		for range 30 {
			a, b := pick(), pick()
			c := p.Ult(a, b)
			switch r.IntN(4) {
			case 0:
				c = p.Slt(a, p.Value(64, 0))
			case 1:
				c = p.Not(p.And(c, p.Or(p.Eq(a, pick()), p.Slt(a, b))))
			}
			n := 1 + r.IntN(63)
			lo := r.IntN(65 - n)
			cut := p.Extract(a, lo, n)
			new := []*Term{
				p.BvAnd(a, b), p.BvOr(a, b), p.BvXor(a, b), p.BvNot(a), p.Add(a, b), p.Sub(a, b), p.Mul(a, b), p.Ite(c, a, b),
				p.Shl(a, p.Value(64, r.Uint64N(70))), p.Lshr(a, p.Value(64, r.Uint64N(70))), p.Shl(a, b), p.Lshr(a, b),
				p.Zext(cut, 64), p.Concat(p.Extract(b, 0, 64-n), cut), p.Concat(cut, p.Extract(b, n, 64-n)), p.BvAnd(a, p.Value(64, Mask(n))),
				p.Shl(a, p.Zext(p.Extract(b, lo, min(n, 5)), 64)), p.Zext(p.Shl(cut, p.Value(n, r.Uint64N(uint64(n)+1))), 64), p.Zext(p.BvNot(p.Extract(a, lo, n)), 64),
			}
			terms = append(terms, new[r.IntN(len(new))])
		}
		whole := terms[len(terms)-1]
		n := 1 + r.IntN(9)
		lo := r.IntN(65 - n)
		v := r.Uint64() & Mask(n)
		rewritten := p.Known(whole, x, lo, n, v)
		if rewritten != whole {
			differs++
		}
		for range 20 {
			values := map[string]uint64{"x": r.Uint64()&^(Mask(n)<<lo) | v<<lo, "y": r.Uint64()}
			leaf := func(t *Term, _ []uint64) uint64 { return values[t.Name] }
			if a, b := Eval(whole, leaf), Eval(rewritten, leaf); a != b {
				t.Fatalf("%s is %#x where %d bits of x from bit %d on are %#x, and %s is %#x", whole, a, n, lo, v, rewritten, b)
			}
		}
	}
	if differs < 100 {
		t.Errorf("%d terms have changed", differs)
	}
	p := NewPool()
	x, y := p.Var("x", 64), p.Var("y", 64)
	chosen := p.Ite(p.Eq(p.Extract(x, 6, 3), p.Value(3, 5)), y, p.Value(64, 7))
	if got := p.Known(chosen, x, 3, 6, 5<<3|1); got != y {
		t.Errorf("%s", got)
	}
	if got := p.Known(chosen, x, 3, 6, 4<<3|1); !got.Is(7) {
		t.Errorf("%s", got)
	}
}

// TestKnownShifts asserts that each part of a word that is shifted by a small number has its value for all values of the
// word and of the number, and that the bits of the word that do not matter are gone.
func TestKnownShifts(t *testing.T) {
	gone := 0
	for width := 2; width <= 6; width++ {
		for bits := 1; bits < min(width, 4); bits++ {
			p := NewPool()
			a, n := p.Var("a", width), p.Var("n", bits)
			shifted := p.Shl(a, p.Zext(n, width))
			for lo := range width {
				for w := 1; w <= width-lo; w++ {
					part := p.Extract(shifted, lo, w)
					got := p.Known(part, p.Var("x", 64), 0, 1, 0)
					if got != part {
						gone++
					}
					values := map[string]uint64{}
					leaf := func(t *Term, _ []uint64) uint64 { return values[t.Name] }
					for v := range uint64(1) << (width + bits) {
						values["a"], values["n"] = v&Mask(width), v>>width
						if x, y := Eval(part, leaf), Eval(got, leaf); x != y {
							t.Fatalf("%s is %#x, and %s is %#x, for %v", part, x, got, y, values)
						}
					}
				}
			}
		}
	}
	if gone < 20 {
		t.Errorf("%d parts have changed", gone)
	}
}
