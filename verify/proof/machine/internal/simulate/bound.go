package simulate

import "github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"

// The argument is an expression scale(x, span), scale32(x, span), wide(x, span) or wider(x, span). The method "bound" returns a condition,
// which always holds: the value is below span, if x and span are in the domain of the expression and span is not 0. For
// span <= 2^48 the value is x*span >> 52. For scale and scale32 this is the lemma "products of halves". By the lemma
// "products of 52 bits" the value is below span.
func (s scope) bound(e expression) *term.Term {
	most := uint64(1 << 48)
	if e.name == "scale32" {
		most = 1<<32 - 1
	}
	x, span := s.word(e.of[0]), s.word(e.of[1])
	inside := s.And(s.Ule(x, s.Value(64, term.Mask(52))), s.And(s.Not(s.Eq(span, s.Value(64, 0))), s.Ule(span, s.Value(64, most))))
	return s.Or(s.Not(inside), s.Ult(s.value(e), span))
}

// The term g is a result of the method "bound", and c is a claim in normal form. The method "has" reports whether c has the
// value that g is about.
func (e *executor) has(c, g *term.Term) bool {
	v := e.normal(g).Args[1].Args[0]
	parts := term.Linearize(v).Of
	found := 0
	e.pool.Rewrite(c, func(t *term.Term) *term.Term {
		if parts[t] != 0 {
			found++
		}
		return nil
	})
	return found == len(parts)
}

// The function "multiples" rewrites a term with a multiple q*b, where q is the quotient c/b. The rules hold for all b: if b
// is 0, all bits of q are 1, q*b is 0, and the remainder is c.
//
//	the remainder of q*b by b      0
//	fits(q, b, q*b)                true: q*b is at most c
//	q*b                            c minus the remainder of c by b
func multiples(p *term.Pool, t *term.Term) *term.Term {
	multiple := func(t, b *term.Term) bool {
		q := t.Args[0]
		return t.Op == term.Mul && t.Args[1] == b && q.Op == term.Div && q.Args[1] == b
	}
	return p.Rewrite(t, func(t *term.Term) *term.Term {
		a, b := t.Args[0], t.Args[1]
		switch {
		case t.Op == term.Rem && multiple(a, b):
			return p.Value(t.Width, 0)
		case t.Op == term.Apply && t.Name == "fits" && multiple(t.Args[2], b) && t.Args[2].Args[0] == a:
			return p.Bool(true)
		case t.Op == term.Mul && multiple(t, b):
			return p.Sub(a.Args[0], p.Rem(a.Args[0], b))
		}
		return nil
	})
}
