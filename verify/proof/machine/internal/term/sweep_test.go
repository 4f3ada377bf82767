package term

import (
	"math/rand/v2"
	"testing"
)

// TestSweep asserts that a claim about two ways to pick a word by three bits of another, and a bit of it, is divided into
// parts that hold for random values, the claim among them, and that something is false if one of the ways has a fault.
func TestSweep(t *testing.T) {
	for fault := range 5 {
		p := NewPool()
		x, s, n := p.Var("x", 64), p.Var("s", 64), p.Var("n", 64)
		value := func(v uint64) *Term { return p.Value(64, v) }
		pick := func(low *Term) *Term {
			out := p.Var("w7", 64)
			for i := 6; i >= 0; i-- {
				out = p.Ite(p.Eq(low, p.Value(low.Width, uint64(i))), p.Var("w"+string(rune('0'+i)), 64), out)
			}
			return out
		}
		// The lower halves of words and their upper halves, of which bit 5 chooses one.
		from := p.Add(x, p.BvXor(s, p.Lshr(s, value(9))))
		by := p.BvAnd(from, value([]uint64{63, 31}[fault/4]))
		a := p.BvAnd(p.Lshr(pick(p.BvAnd(p.Lshr(from, value([]uint64{6, 7}[fault&1])), value(7))), by), value(1))
		word := pick(p.Extract(from, 6, 3))
		half := p.Ite(p.Eq(p.Extract(from, 5, 1), p.Value(1, uint64(fault>>1&1^1))), p.Extract(word, 32, 32), p.Extract(word, 0, 32))
		bit := p.Shl(p.Value(32, 1), p.Zext(p.Extract(from, 0, 5), 32))
		none := p.Eq(p.BvAnd(p.Concat(p.BvNot(half), p.Value(32, 0)), p.Concat(bit, p.Value(32, 7))), value(0))
		few := p.Ult(n, value(8))
		claim := p.Eq(p.And(few, p.Not(p.Eq(a, value(0)))), p.And(p.Ult(n, value(9)), none))
		got := p.Sweep([]*Term{few, p.Ult(x, p.Add(n, s))}, claim)
		r := rand.New(rand.NewPCG(21, uint64(fault)))
		wrong := ""
		if len(got.Given) != 1 || got.Given[0] != few {
			t.Fatalf("the parts assume %d conditions", len(got.Given))
		}
		for range 3000 {
			known := map[string]uint64{"n": r.Uint64N(8)}
			leaf := func(t *Term, _ []uint64) uint64 {
				if _, ok := known[t.Name]; !ok {
					known[t.Name] = r.Uint64()
				}
				return known[t.Name] & Mask(t.Width)
			}
			for _, q := range append(got.Parts, got.Claim) {
				if Eval(q, leaf) == 0 {
					wrong = q.String()
				}
			}
		}
		if (wrong != "") != (fault > 0) {
			t.Errorf("fault %d: false is %q", fault, wrong)
		}
		if fault == 0 && (len(got.Parts) < 3 || Size(got.Claim) >= Size(claim)-30) {
			t.Errorf("%d parts, and %d terms of %d are left", len(got.Parts), Size(got.Claim), Size(claim))
		}
		if c := got.Of(few); c != few {
			t.Errorf("the condition is %s", c)
		}
	}
	p := NewPool()
	if p.Sweep(nil, p.Eq(p.Var("x", 64), p.Var("y", 64))) != nil {
		t.Error("a claim that is mostly false has parts")
	}
}

// TestSweepGuesses asserts that the parts of true claims are true where values that decide them are rare: of comparisons
// with neighbouring numbers, of a word with bits that another word hardly ever sets, and of a quotient.
func TestSweepGuesses(t *testing.T) {
	p := NewPool()
	x, y, w := p.Var("x", 64), p.Var("y", 64), p.Var("w", 64)
	value := func(v uint64) *Term { return p.Value(64, v) }
	mask, sum := value(0), value(0)
	for i := range uint64(8) {
		less := p.Ult(p.Add(x, value(i)), y)
		mask = p.BvOr(mask, p.Ite(less, value(1<<i), value(0)))
		sum = p.Add(sum, p.Ite(less, value(1<<i), value(0)))
	}
	rare := p.Ite(p.Eq(p.Lshr(x, value(48)), value(12345)), value(1), value(0))
	third := p.Div(p.Lshr(w, value(12)), y)
	for i, claim := range []*Term{
		p.Eq(mask, sum),
		p.Eq(p.Add(p.BvOr(w, rare), w), p.Add(w, p.BvOr(w, rare))),
		p.Eq(p.BvXor(p.Add(third, w), value(9)), p.BvXor(p.Add(w, third), value(9))),
	} {
		got := p.Sweep(nil, claim)
		if got == nil {
			t.Fatalf("claim %d has no parts", i)
		}
		for _, q := range append(got.Parts, got.Claim) {
			for d := range uint64(9) {
				for _, a := range []uint64{0, 7, 12345 << 48, 1 << 60} {
					known := map[string]uint64{"x": a, "y": a + d, "w": a << 3}
					if Eval(q, func(t *Term, _ []uint64) uint64 { return known[t.Name] & Mask(t.Width) }) == 0 && len(Leaves(q)) == count(q, x, y, w) {
						t.Errorf("claim %d: %s is false where x = %d and y = %d", i, q, a, a+d)
					}
				}
			}
		}
	}
}

// count returns how many of the given variables occur in t.
func count(t *Term, of ...*Term) (n int) {
	for _, l := range Leaves(t) {
		for _, o := range of {
			if l == o {
				n++
			}
		}
	}
	return n
}
