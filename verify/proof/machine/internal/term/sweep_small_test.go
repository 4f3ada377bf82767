package term

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestSweepImplies asserts of random claims about words of a few bits that Sweep loses nothing: wherever the conditions, the
// parts and the new claim are true, the claim is true. A new variable has the value of the term that it stands for. All
// values of the variables are tried. Some of the claims are false, so some of the parts or new claims are false too.
func TestSweepImplies(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 99))
	met := map[string]int{}
	for range 400 {
		p := NewPool()
		large := min(1, r.IntN(4))
		vars := []*Term{p.Var("x", 2+6*large), p.Var("y", 3+5*large), p.Var("z", 2)}
		m := newMaker(p, r, vars...)
		for range 60 {
			m.make()
		}
		a := m.last()
		for Size(a) < 25 {
			a = p.Add(p.BvXor(m.word(a.Width), a), p.Mul(a, m.word(a.Width)))
		}
		b := varied(m, a)
		claim := p.Eq(a, b)
		switch r.IntN(6) {
		case 0:
			claim = p.Or(m.truth(), claim)
		case 1:
			claim = p.And(claim, p.Eq(m.truths[len(m.truths)-1], varied(m, m.truths[len(m.truths)-1])))
		case 2:
			claim = p.Not(p.And(m.truth(), p.Not(claim)))
		case 3: // zeros of words that are joined by OR, AND and Concat
			zero := func(w *Term) *Term { return p.Eq(w, p.Value(w.Width, 0)) }
			joined := p.BvAnd(p.Concat(p.BvNot(m.word(2)), p.BvOr(m.word(2), p.Zext(m.word(1), 2))), p.Concat(m.word(1), m.word(3)))
			claim = p.Eq(p.And(claim, zero(joined)), p.And(p.Eq(b, a), zero(varied(m, joined))))
		}
		if claim.Op == Const {
			continue
		}
		var given []*Term
		for range max(r.IntN(4)-1, 0) {
			given = append(given, m.truths[r.IntN(len(m.truths))])
		}
		for range r.IntN(2) {
			v := vars[r.IntN(3)]
			given = append(given, p.And(p.Ult(v, p.Value(v.Width, 1+uint64(r.IntN(3)))), m.truth()))
		}
		s := p.Sweep(given, claim)
		if s == nil {
			met["not divided"]++
			continue
		}
		met["parts"] += len(s.Parts)
		met["named"] += len(s.named)
		stands := map[string]*Term{} // the terms that new variables stand for
		for _, o := range p.made.slots {
			if o != nil && o.Op != Var {
				stands[fmt.Sprintf("any%d", o.born)], stands[fmt.Sprintf("part%d", o.born)] = o, o
			}
		}
		for v := range uint64(256) { // all values, or all of x
			value := map[string]uint64{"x": v & 3, "y": v >> 2 & 7, "z": v >> 5 & 3}
			if large > 0 {
				value = map[string]uint64{"x": v, "y": r.Uint64N(256) * (v & 1), "z": r.Uint64N(4)}
			} else if v >= 128 {
				break
			}
			var leaf func(t *Term, _ []uint64) uint64
			leaf = func(t *Term, _ []uint64) uint64 {
				if is, ok := value[t.Name]; ok {
					return is
				}
				if o, ok := stands[t.Name]; ok {
					value[t.Name] = Eval(o, leaf)
					return value[t.Name]
				}
				for _, o := range vars { // of the terms "any", some are variables
					if t.Name == fmt.Sprintf("any%d", o.born) {
						return value[o.Name]
					}
				}
				t0 := t
				panic(t0.Name)
			}
			all := func(terms []*Term) bool {
				for _, g := range terms {
					if Eval(g, leaf) == 0 {
						return false
					}
				}
				return true
			}
			if !all(given) {
				continue
			}
			if !all(s.Given) {
				t.Fatalf("%v is no condition", s.Given)
			}
			is, parts := Eval(claim, leaf) == 1, all(s.Parts)
			if !is {
				met["false"]++
			}
			if parts {
				for _, g := range given {
					if Eval(s.Of(g), leaf) == 0 {
						t.Fatalf("the condition %s becomes %s, which is false for %v", g, s.Of(g), value)
					}
				}
				if Eval(s.Claim, leaf) == 1 && !is {
					t.Fatalf("all %d parts and %s are true, and %s is false, for %v", len(s.Parts), s.Claim, claim, value)
				}
				if is {
					met["true"]++
				}
			} else {
				met["wrong parts"]++
			}
		}
	}
	for what, least := range map[string]int{"parts": 1000, "named": 50, "false": 200, "true": 10000} {
		if met[what] < least {
			t.Errorf("%s: %d", what, met[what])
		}
	}
}

// varied returns a term that is like t, with some of its subterms written in another way. In some of the results one
// subterm has another value.
func varied(m *maker, t *Term) *Term {
	p, wrong := m.Pool, m.r.IntN(30)
	n := 0
	return p.Rewrite(t, func(o *Term) *Term {
		if n++; n == wrong && o.Width > 0 {
			rare := p.Zext(p.Extract(m.word(o.Width), 0, 1), o.Width)
			if x := m.Var("x", 8); m.words[0] == x && m.r.IntN(2) == 0 {
				zero := func(w *Term) *Term { return p.Eq(w, p.Value(8, 0)) }
				rare = p.resized(p.And(zero(x), zero(m.words[1])), o.Width)
			}
			return p.BvXor(o, rare)
		}
		if o.Op <= Apply || m.r.IntN(3) > 0 {
			return nil
		}
		a, b := o.Args[0], o.Args[1]
		switch o.Op {
		case Add, Mul, BvAnd, BvOr, BvXor, And, Or, Eq:
			return p.get(Term{Op: o.Op, Width: o.Width, Args: [3]*Term{b, a}})
		case Sub:
			return p.Add(a, p.Add(p.BvNot(b), p.Value(o.Width, 1)))
		case Not:
			return p.Eq(a, p.Bool(false))
		case Ite:
			return p.Ite(p.Not(a), o.Args[2], b)
		case Ult:
			return p.Not(p.Not(p.And(o, p.Not(p.Ult(b, a)))))
		case Zext:
			return p.Concat(p.Value(o.Width-a.Width, 0), a)
		case BvNot:
			return p.Sub(p.Value(o.Width, Mask(o.Width)), a)
		}
		return nil
	})
}

// TestSweepCovers asserts of a false claim about a large term that something is false, though no random value refutes the
// claim: the variable that stands for the large term has fewer bits than one of its values.
func TestSweepCovers(t *testing.T) {
	p := NewPool()
	x, y := p.Var("x", 64), p.Var("y", 64)
	low := y
	for i := range uint64(8) {
		low = p.Mul(p.Add(low, p.Value(64, 2*i+1)), y)
	}
	low = p.Mul(p.BvAnd(low, p.Value(64, 7)), p.Value(64, 3))
	const rare = 0x123456789
	more := p.Ite(p.Eq(x, p.Value(64, rare)), p.Value(64, 128), p.Value(64, 1))
	claim := p.And(p.Eq(p.Add(low, more), p.Add(more, low)), p.Ult(p.Add(more, low), p.Value(64, 64)))
	s := p.Sweep(nil, claim)
	if s == nil || len(s.named) == 0 {
		t.Fatalf("the claim is not divided: %v", s)
	}
	var leaf func(t *Term, _ []uint64) uint64
	leaf = func(t *Term, _ []uint64) uint64 {
		for of := range s.named {
			if t.Name == fmt.Sprintf("part%d", of.born) {
				return Eval(of, leaf)
			}
		}
		return map[string]uint64{"x": rare, "y": 5}[t.Name]
	}
	for _, q := range append(s.Parts, s.Claim) {
		if Eval(q, leaf) == 0 {
			return
		}
	}
	t.Errorf("all %d parts and %s are true", len(s.Parts), s.Claim)
}

// TestSweepOfNewNames asserts that a claim is not divided if one of its variables has the name that Sweep would give.
func TestSweepOfNewNames(t *testing.T) {
	p := NewPool()
	x := p.Var("x", 64)
	for name, divided := range map[string]bool{"part": true, "company": true, "part7": false, "any30": false} {
		y := p.Var(name, 64)
		claim := p.Eq(p.Add(p.Mul(x, y), x), p.Add(x, p.Mul(y, x)))
		if got := p.Sweep(nil, claim) != nil; got != divided {
			t.Errorf("%s: divided: %v", name, got)
		}
		if got := p.Sweep([]*Term{p.Ult(y, x)}, p.Eq(p.Add(x, p.Mul(x, x)), p.Add(p.Mul(x, x), x))) != nil; got != divided {
			t.Errorf("%s in a condition: divided: %v", name, got)
		}
	}
}
