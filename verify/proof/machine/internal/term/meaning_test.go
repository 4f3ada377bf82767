package term

import (
	"math/rand/v2"
	"testing"
)

// TestRewritten asserts of random terms of all operations that each rewriting keeps their value: Known for a word x that
// may itself be computed, Halves, Canonical, and Linear of the sum that Linearize reads. Variables of few bits take all
// their values. Words of 64 bits often have only zeros or only ones in one of their halves.
func TestRewritten(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 55))
	met := map[string]int{}
	for i := range 600 {
		p := NewPool()
		width := []int{3, 64, 32}[i%3]
		vars := []*Term{p.Var("a", width), p.Var("b", width)}
		m := newMaker(p, r, vars...)
		m.apply, m.memory = true, p.Var("M", Memory)
		for k := range 40 {
			if m.make(); k%4 == 0 && width > 3 {
				m.words = append(m.words, m.half())
			}
		}
		x := m.any() // some of its bits are known
		bits := 1 + r.IntN(x.Width)
		lo := r.IntN(x.Width - bits + 1)
		skip := r.IntN(bits)
		whole := []*Term{m.last(), m.truths[len(m.truths)-1], p.Zext(m.last(), 64), p.Eq(p.Extract(p.BvAnd(x, m.word(x.Width)), lo+skip, bits-skip), m.word(bits-skip))}[r.IntN(4)]
		sum := m.sum()
		l := Linearize(sum)
		type form struct {
			name    string
			was, is *Term
		}
		forms := []form{{"halves", whole, p.Halves(whole)}, {"canonical", whole, p.Canonical(whole)}, {"halves of a sum", sum, p.Halves(sum)},
			{"canonical sum", sum, p.Canonical(sum)}, {"linear", sum, p.Linear(l)}, {"difference", p.Sub(sum, p.Zext(x, 64)), p.Linear(l.Minus(Linearize(p.Zext(x, 64))))}}
		known := map[uint64]*Term{} // the rewritten forms of whole, by the value of the known bits
		for v := range uint64(64) {
			value := map[string]uint64{"a": v & 7, "b": v >> 3, "M": v & 1}
			if width > 3 {
				value["a"], value["b"] = m.split(), m.split()
			}
			leaf := func(t *Term, args []uint64) uint64 {
				if t.Op == Var {
					return value[t.Name]
				}
				return unknown(t.Name, args)
			}
			of := Eval(x, leaf) >> lo & Mask(bits)
			if known[of] == nil {
				known[of] = p.Known(whole, x, lo, bits, of)
			}
			for _, f := range append(forms, form{"known", whole, known[of]}) {
				if f.was.Width != f.is.Width {
					t.Fatalf("%s: %s has %d bits, %s has %d", f.name, f.was, f.was.Width, f.is, f.is.Width)
				}
				if was, is := Eval(f.was, leaf), Eval(f.is, leaf); was != is {
					t.Fatalf("%s: %s is %#x, %s is %#x, of %#x", f.name, f.was, was, f.is, is, value)
				}
				if f.is != f.was {
					met[f.name]++
				}
			}
		}
	}
	for _, name := range []string{"halves", "canonical", "halves of a sum", "canonical sum", "linear", "difference", "known"} {
		if met[name] < 5000 {
			t.Errorf("%s has changed %d values", name, met[name])
		}
	}
}

// half returns a half of a word of 64 bits, or a word that is made of two halves, or multiplied by 2^32.
func (m *maker) half() *Term {
	p, a, b := m.Pool, m.word(64), m.word(64)
	upper := p.Lshr(a, p.Value(64, 32))
	switch m.r.IntN(9) {
	case 0:
		return upper
	case 1:
		return p.Zext(p.Extract(a, 32*m.r.IntN(2), 32), 64)
	case 2:
		return p.BvAnd(p.Value(64, 1<<32-1), a)
	case 3:
		return p.Concat(p.Extract(a, 32, 32), p.BvXor(p.Extract(b, 0, 32), p.Extract(a, 32, 32)))
	case 4:
		return p.Lshr(p.Shl(a, p.Value(64, 32)), p.Value(64, 32))
	case 5:
		return p.Mul(p.Value(64, m.r.Uint64()<<32), b)
	case 6:
		return p.Lshr(p.Add(p.Shl(a, p.Value(64, 32)), p.Value(64, m.split())), p.Value(64, 32))
	case 7:
		return p.Zext(p.Extract(p.Add(m.word(48), m.word(48)), m.r.IntN(17)&m.r.IntN(17), 32), 64)
	}
	return p.Lshr(p.Lshr(a, p.Value(64, 28+m.r.Uint64N(9))), p.Value(64, 32))
}

// sum returns a sum of multiples, shifts and differences of words of 64 bits.
func (m *maker) sum() *Term {
	p := m.Pool
	s := m.word(64)
	for range m.r.IntN(9) {
		a := m.word(64)
		switch m.r.IntN(8) {
		case 0:
			s = p.Add(s, a)
		case 1:
			s = p.Sub(a, s)
		case 2:
			s = p.Sub(s, p.Shl(a, p.Value(64, m.r.Uint64N(67))))
		case 3:
			s = p.Mul(s, p.Value(64, m.r.Uint64()>>m.r.IntN(64)))
		case 4:
			s = p.Mul(p.Value(64, -m.r.Uint64N(9)), s)
		case 5:
			s = p.Shl(s, p.Value(64, m.r.Uint64N(67)))
		case 6:
			s = p.Sub(p.Add(s, a), p.Add(a, p.Value(64, m.r.Uint64N(3))))
		case 7:
			s = p.Add(s, p.Mul(a, m.word(64)))
		}
	}
	return s
}

// split returns a word whose halves are random, small, 0 or all ones.
func (m *maker) split() (v uint64) {
	for range 2 {
		v = v<<32 | []uint64{0, 1<<32 - 1, m.r.Uint64N(4), uint64(m.r.Uint32())}[m.r.IntN(4)]
	}
	return v
}
