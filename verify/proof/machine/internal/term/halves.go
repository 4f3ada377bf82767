package term

import "math"

// Halves returns a normal form of the 64-bit term t. Two terms with equal values often have the same normal form. The
// method Canonical returns another normal form. In that form, two terms with equal values are less often the same. The
// lower half of a word is written as the word minus 2^32 times its upper half. So a sum of halves with constant factors
// becomes a sum of words with constant factors, modulo 2^64.
func (p *Pool) Halves(t *Term) *Term {
	h := halves{p, map[*Term]*Term{}}
	return h.of(t)
}

type halves struct {
	p     *Pool
	known map[*Term]*Term
}

// The comment of the method Halves describes a normal form. The method "of" returns this form of t, for any width. A
// term of 64 bits becomes a sum.
func (h halves) of(t *Term) *Term {
	if r, ok := h.known[t]; ok {
		return r
	}
	r := h.over(t)
	if t.Width == 64 {
		r = h.p.Linear(h.sum(t))
	}
	h.known[t] = r
	return r
}

// The method "over" returns t with its arguments in the form of Halves. The arguments of AND, OR and XOR are
// sorted.
func (h halves) over(t *Term) *Term {
	c := *t
	for i, a := range t.Args {
		if a != nil {
			c.Args[i] = h.of(a)
		}
	}
	if x, y := c.Args[0], c.Args[1]; (t.Op == BvAnd || t.Op == BvOr || t.Op == BvXor) && x.born > y.born {
		c.Args[0], c.Args[1] = y, x
	}
	return h.p.get(c)
}

// The method "upper" returns the value t >> 32, written as a sum of the type Linear. The term t must have 64 bits.
func (h halves) upper(t *Term) Linear {
	u := h.of(t)
	if u.Op == Const {
		return Linear{u.Value >> 32, nil}
	}
	if u.Op == Lshr && u.Args[1].Op == Const && u.Args[1].Value >= 32 {
		return Linear{}
	}
	// Suppose that u is 2^32 times a word, modulo 2^64. Then the upper half of u is the lower half of this word.
	l := Linearize(u)
	word := Linear{l.Const >> 32, map[*Term]uint64{}}
	moved := uint32(l.Const) == 0
	for k, f := range l.Of {
		moved = moved && uint32(f) == 0
		word.Of[k] = f >> 32
	}
	if moved {
		return h.lower(h.p.Linear(word))
	}
	return Linear{0, map[*Term]uint64{h.p.get(Term{Op: Lshr, Width: 64, Args: [3]*Term{u, h.p.Value(64, 32)}}): 1}}
}

// The method "lower" returns a sum with the value t mod 2^32. The term t must have 64 bits.
func (h halves) lower(t *Term) Linear { return h.sum(t).Minus(h.upper(t).times(1 << 32)) }

// The method "sum" writes the 64-bit term t as a sum of the type Linear.
func (h halves) sum(t *Term) Linear {
	a, b := t.Args[0], t.Args[1]
	switch {
	case t.Op == Const:
		return Linear{t.Value, nil}
	case t.Op == Add:
		return h.sum(a).Minus(h.sum(b).times(math.MaxUint64))
	case t.Op == Sub:
		return h.sum(a).Minus(h.sum(b))
	case t.Op == Mul && a.Op == Const:
		return h.sum(b).times(a.Value)
	case t.Op == Mul && b.Op == Const:
		return h.sum(a).times(b.Value)
	case t.Op == Shl && b.Op == Const && b.Value < 64:
		return h.sum(a).times(1 << b.Value)
	case t.Op == Lshr && b.Is(32):
		return h.upper(a)
	case t.Op == Zext && a.Op == Extract && a.Width == 32 && a.Args[0].Width == 64 && a.Lo == 0:
		return h.lower(a.Args[0])
	case t.Op == Zext && a.Op == Extract && a.Width == 32 && a.Args[0].Width == 64 && a.Lo == 32:
		return h.upper(a.Args[0])
	case t.Op == BvAnd && a.Is(math.MaxUint32):
		return h.lower(b)
	case t.Op == BvAnd && b.Is(math.MaxUint32):
		return h.lower(a)
	case t.Op == Concat && a.Width == 32:
		high, low := h.sum(h.p.Zext(a, 64)), h.sum(h.p.Zext(b, 64))
		return low.Minus(high.times(0xffffffff00000000))
	}
	o := h.over(t)
	if o.Op == Mul && (o.Args[0].Op == Const || o.Args[1].Op == Const) {
		return h.sum(o)
	}
	return Linear{0, map[*Term]uint64{o: 1}}
}
