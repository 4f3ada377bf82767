package term

import (
	"cmp"
	"maps"
	"slices"
)

// Linear is a sum modulo 2^64. The summands are a constant and several products. Each product is a term times a factor.
type Linear struct {
	Const uint64
	Of    map[*Term]uint64 // the factors; no factor is 0
}

// Linearize returns the term t, which has 64 bits, as a sum. It expands sums, differences and products with a
// constant. Each other subterm becomes one term of the sum.
func Linearize(t *Term) Linear {
	l := Linear{Of: map[*Term]uint64{}}
	l.add(t, 1)
	return l
}

func (l *Linear) add(t *Term, k uint64) {
	a, b := t.Args[0], t.Args[1]
	switch {
	case t.Op == Const:
		l.Const += k * t.Value
	case t.Op == Add:
		l.add(a, k)
		l.add(b, k)
	case t.Op == Sub:
		l.add(a, k)
		l.add(b, -k)
	case t.Op == Mul && a.Op == Const:
		l.add(b, k*a.Value)
	case t.Op == Mul && b.Op == Const:
		l.add(a, k*b.Value)
	case t.Op == Shl && b.Op == Const && b.Value < 64:
		l.add(a, k<<b.Value)
	default:
		if l.Of[t] += k; l.Of[t] == 0 {
			delete(l.Of, t)
		}
	}
}

// Minus returns l - m.
func (l Linear) Minus(m Linear) Linear {
	out := Linear{l.Const - m.Const, map[*Term]uint64{}}
	for t, k := range l.Of {
		out.Of[t] = k
	}
	for t, k := range m.Of {
		if out.Of[t] -= k; out.Of[t] == 0 {
			delete(out.Of, t)
		}
	}
	return out
}

// Over8 divides the constant and all factors of the sum by 8, as signed numbers. The second result says whether all of
// them are multiples of 8.
func (l Linear) Over8() (Linear, bool) {
	out := Linear{uint64(int64(l.Const) / 8), map[*Term]uint64{}}
	ok := l.Const%8 == 0
	for t, k := range l.Of {
		ok = ok && k%8 == 0
		out.Of[t] = uint64(int64(k) / 8)
	}
	return out, ok
}

// Canonical returns t with all its 64-bit sums in the form of Linear.
func (p *Pool) Canonical(t *Term) *Term {
	if c, ok := p.canonical[t]; ok {
		return c
	}
	c := t
	switch {
	case t.Op == Const || t.Op == Var:
	case t.Width == 64 && (t.Op == Add || t.Op == Sub || t.Op == Mul || t.Op == Shl):
		l := Linearize(t)
		if l.Of[t] == 1 && len(l.Of) == 1 { // a product or shift of two unknowns
			c = p.over(t)
			break
		}
		sum := Linear{l.Const, map[*Term]uint64{}}
		for _, k := range p.keys(l) {
			sum = sum.Minus(Linearize(p.Canonical(k)).times(-l.Of[k]))
		}
		c = p.Linear(sum)
	default:
		c = p.over(t)
	}
	p.canonical[t] = c
	return c
}

// The method "over" returns t with its arguments in the form of Canonical.
func (p *Pool) over(t *Term) *Term {
	c := *t
	constants := t.Op > Apply
	for i, a := range t.Args {
		if a != nil {
			c.Args[i] = p.Canonical(a)
			constants = constants && c.Args[i].Op == Const
		}
	}
	if constants {
		return p.Value(t.Width, constant(&c))
	}
	if t.Op == Eq && c.Args[0] == c.Args[1] {
		return p.Bool(true)
	}
	return p.get(c)
}

func (l Linear) times(k uint64) Linear {
	out := Linear{l.Const * k, map[*Term]uint64{}}
	for t, f := range l.Of {
		if f*k != 0 {
			out.Of[t] = f * k
		}
	}
	return out
}

// The sum l contains terms. The method "keys" returns these terms in the order in which the pool made them.
func (p *Pool) keys(l Linear) []*Term {
	return slices.SortedFunc(maps.Keys(l.Of), func(a, b *Term) int { return cmp.Compare(a.born, b.born) })
}

// Linear returns the sum l as a term. Equal sums become the same term, because the parts are always in the same order.
func (p *Pool) Linear(l Linear) *Term {
	out := p.Value(64, 0)
	for _, t := range p.keys(l) {
		out = p.Add(out, p.Mul(p.Value(64, l.Of[t]), t))
	}
	return p.Add(out, p.Value(64, l.Const))
}
