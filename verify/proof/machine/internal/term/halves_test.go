package term

import (
	"math/rand/v2"
	"testing"
)

// TestHalves asserts that Halves and Canonical keep the value of random terms of the operations that
// they know, and that products of halves with a constant are the product of the word.
func TestHalves(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 8))
	p := NewPool()
	all := []*Term{p.Var("x", 64), p.Var("y", 64), p.Value(64, 0xffffffff), p.Value(64, 0x9e3779b185ebcaa7), p.Value(64, 32)}
	pick := func() *Term { return all[r.IntN(len(all))] }
	half := func() *Term { return p.Extract(pick(), 32*r.IntN(2), 32) }
	for range 600 {
		var n *Term
		switch r.IntN(10) {
		case 0:
			n = p.Add(pick(), pick())
		case 1:
			n = p.Sub(pick(), pick())
		case 2:
			n = p.Mul(pick(), pick())
		case 3:
			n = p.Shl(pick(), p.Value(64, r.Uint64N(64)))
		case 4:
			n = p.Lshr(pick(), p.Value(64, []uint64{3, 32, 35}[r.IntN(3)]))
		case 5:
			n = p.BvXor(pick(), pick())
		case 6:
			n = p.BvAnd(pick(), p.Value(64, 0xffffffff))
		case 7:
			n = p.Zext(half(), 64)
		case 8:
			n = p.Concat(half(), half())
		case 9:
			n = p.BvOr(pick(), pick())
		}
		if n.Op != Const {
			all = append(all, n)
		}
	}
	for _, n := range all {
		for range 5 {
			v := map[string]uint64{"x": r.Uint64(), "y": r.Uint64() >> r.IntN(64)}
			leaf := func(t *Term, _ []uint64) uint64 { return v[t.Name] }
			want := Eval(n, leaf)
			if got := Eval(p.Halves(n), leaf); got != want {
				t.Fatalf("%s: %#x, by halves %#x, of %x", n, want, got, v)
			}
			if got := Eval(p.Canonical(n), leaf); got != want {
				t.Fatalf("%s: %#x, canonical %#x, of %x", n, want, got, v)
			}
		}
	}
	x, k := all[0], uint64(0x9fb21c651e98df25)
	low, high := p.Zext(p.Extract(x, 0, 32), 64), p.Lshr(x, p.Value(64, 32))
	middle := p.Add(p.Mul(high, p.Value(64, k&0xffffffff)), p.Mul(low, p.Value(64, k>>32)))
	product := p.Add(p.Mul(low, p.Value(64, k&0xffffffff)), p.Shl(middle, p.Value(64, 32)))
	if p.Halves(product) != p.Halves(p.Mul(x, p.Value(64, k))) {
		t.Error("the product by halves is not the product")
	}
}
