package simulate

import (
	"fmt"
	"math/bits"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/symbolic"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// The method "emit" adds an obligation, unless the claim is the constant true.
func (e *executor) emit(what string, given []*term.Term, c *term.Term) {
	if !c.Is(1) {
		e.proof.Obligations = append(e.proof.Obligations, e.obligation(what, given, c))
	}
}

// The method "obligation" returns an obligation. In the scripts for the solvers, some operations of the obligation
// become unknown functions. The solvers know only a few properties of these functions. One property is that the upper
// half of a product is less than each nonzero factor (see highLemma). If the function under proof uses vectors, the
// solvers also know the following properties. They know that the order of the factors does not matter. They know that a
// product with a factor 0 is 0. They also know that the number of ones in a word is at most 64. The lemmas in lemmas.go
// state properties of quotients, remainders and the operation `fits`. The solvers know these properties. If the
// invariants file has the line "opaque", a variable replaces each product. If two products have the same factors, the
// same variable replaces both. The solvers then know no other property of products.
func (e *executor) obligation(what string, given []*term.Term, c *term.Term) symbolic.Obligation {
	p := e.pool
	known := map[*term.Term]*term.Term{}
	var bounds, products, fits []*term.Term
	zero, one := p.Value(64, 0), p.Value(64, 1)
	simple := func(t *term.Term) bool {
		return simple(t) || e.sec.consts && t.Op == term.Const && min(t.Value, -t.Value) <= 128
	}
	var cut func(t *term.Term) *term.Term
	cut = func(t *term.Term) *term.Term {
		return p.Rewrite(t, func(t *term.Term) *term.Term {
			if e.vectors && (t.Op == term.Add || t.Op == term.Mul && (simple(t.Args[0]) || simple(t.Args[1]))) {
				return plain(p, t.Op, cut(t.Args[0]), cut(t.Args[1]))
			}
			if e.vectors && t.Op == term.Ones && t.Width == 64 {
				n := known[t]
				if n == nil {
					n = p.Apply("ones", 64, cut(t.Args[0]))
					bounds = append(bounds, p.Ule(n, p.Value(64, 64)))
					known[t] = n
					e.lemma("ones of a word")
				}
				return n
			}
			product := t.Op == term.Mul && !simple(t.Args[0]) && !simple(t.Args[1])
			divided := e.vectors && (t.Op == term.Div || t.Op == term.Rem)
			if t.Op != term.MulHi && !product && !divided && !(t.Op == term.Apply && t.Name == "fits") {
				return nil
			}
			if n := known[t]; n != nil {
				return n
			}
			if e.sec.opaque && (product || t.Op == term.MulHi) {
				products = append(products, t)
				known[t] = p.Var(fmt.Sprintf("product%d", len(known)), 64)
				return known[t]
			}
			a, b := cut(t.Args[0]), cut(t.Args[1])
			if e.vectors && !divided && t.Op != term.Apply && p.Born(a) > p.Born(b) {
				a, b = b, a
			}
			var n *term.Term
			switch t.Op {
			case term.MulHi:
				n = p.Apply("high", 64, a, b)
				for _, f := range []*term.Term{a, b} {
					bounds = append(bounds, p.Or(p.Eq(f, zero), p.Ult(n, f)))
				}
				if f := narrow(t); e.sec.narrow && f != nil {
					f = cut(f)
					bounds = append(bounds, p.Or(p.Eq(f, zero), p.Ult(n, f)))
					e.lemma("products of 52 bits")
				}
				e.high = true
			case term.Div:
				n = p.Apply("quotient", 64, a, b)
				bounds = append(bounds, p.Or(p.Eq(b, zero), p.Ule(n, a)))
				e.lemma("remainders")
				if e.sec.multiples {
					bounds = append(bounds, p.Or(p.Eq(b, zero), p.Eq(p.Eq(n, zero), p.Ult(a, b))))
					e.lemma("quotients of small numbers")
				}
			case term.Rem:
				n = p.Apply("remainder", 64, a, b)
				bounds = append(bounds, p.Or(p.Eq(b, zero), p.Ult(n, b)))
				e.lemma("remainders")
				if e.sec.multiples {
					less := e.normal(p.Sub(a, b))
					bounds = append(bounds, p.Or(p.Eq(b, zero), p.Ite(p.Ult(a, b), p.Eq(n, a),
						p.And(p.Ule(n, less), p.Eq(n, p.Apply("remainder", 64, less, b))))))
					e.lemma("small remainders")
					e.lemma("remainders of a difference")
				}
			case term.Apply:
				r := cut(t.Args[2])
				n = p.Apply("fits", 0, a, b, r)
				fits = append(fits, t)
				less := p.Apply("fits", 0, e.normal(p.Sub(a, one)), b, e.normal(p.Sub(r, b)))
				bounds = append(bounds, p.Or(p.Not(n), p.Or(p.Eq(a, zero), p.And(p.Ule(b, r), less))))
				bounds = append(bounds, p.Or(n, p.Or(p.Eq(b, zero), p.Ult(p.Apply("quotient", 64, r, b), a))))
				e.lemma("fits a quotient")
				e.lemma("fits one less")
				if e.sec.multiples {
					bounds = append(bounds, p.Or(n, p.Or(p.Eq(a, zero), p.Or(p.Ult(r, b), p.Not(less)))))
					e.lemma("fits one more")
				}
			default:
				n = p.Apply("product", 64, a, b)
				if e.vectors && a.Op != term.Const && b.Op != term.Const {
					bounds = append(bounds, p.Eq(n, p.Apply("product", 64, b, a)))
					for _, f := range []*term.Term{a, b} {
						bounds = append(bounds, p.Or(p.Not(p.Eq(f, zero)), p.Eq(n, zero)))
					}
				}
			}
			known[t] = n
			return n
		})
	}
	out := symbolic.Obligation{What: what, Claim: cut(c), Bitwise: true}
	for _, g := range given {
		if e.vectors {
			g = e.normal(g)
		}
		if g = cut(g); !g.Is(1) {
			out.Given = append(out.Given, g)
		}
	}
	if e.sec.multiples {
		for _, f := range fits { // those that follow now are about smaller factors
			for _, t := range products {
				for i, a := range t.Args[:2] {
					if t.Op != term.Mul || a != f.Args[1] {
						continue
					}
					m, n := t.Args[1-i], known[t]
					less := p.Apply("fits", 0, cut(e.normal(p.Sub(f.Args[0], m))), cut(a), cut(e.normal(p.Sub(f.Args[2], t))))
					both := p.And(p.Ule(n, cut(f.Args[2])), less)
					bounds = append(bounds, p.Or(p.Not(known[f]), p.Or(p.Ult(cut(f.Args[0]), cut(m)), both)))
					e.lemma("fits a smaller factor")
				}
			}
		}
	}
	out.Given = append(out.Given, bounds...)
	if e.sec.whole {
		if script, ok := term.Integers(out.Given, out.Claim); ok {
			out.Text = script
		}
	}
	return out
}

// The function "plain" returns the sum or the product of a and b. The argument op selects the operation. Solvers take
// long for products. So a product of a word and a power of two is written as a shift. A product of a word and the
// negation of a power of two is written as a difference.
func plain(p *term.Pool, op term.Op, a, b *term.Term) *term.Term {
	if op == term.Add {
		negated := func(t *term.Term) bool { return t.Op == term.Sub && t.Args[0].Is(0) }
		switch {
		case negated(b):
			return p.Sub(a, b.Args[1])
		case negated(a):
			return p.Sub(b, a.Args[1])
		}
		return p.Add(a, b)
	}
	if a.Op != term.Const {
		a, b = b, a
	}
	shift := func(v uint64) *term.Term { return p.Shl(b, p.Value(64, uint64(bits.TrailingZeros64(v)))) }
	switch v := a.Value; {
	case b.Width == 64 && bits.OnesCount64(v) == 1:
		return shift(v)
	case b.Width == 64 && bits.OnesCount64(-v) == 1:
		return p.Sub(p.Value(64, 0), shift(-v))
	}
	return p.Mul(a, b)
}

// The function "narrow" is used if the invariants file has the line "narrow". It handles upper halves of products (2^12 *
// x) * y, where x and y are below 2^52 because a mask was applied to them. It returns x, or nil for other terms. The
// upper half is below x if x is not 0.
func narrow(t *term.Term) *term.Term {
	masked := func(t *term.Term) bool {
		return t.Op == term.BvAnd && t.Args[1].Op == term.Const && t.Args[1].Value == term.Mask(52)
	}
	for i, f := range t.Args[:2] {
		l := term.Linearize(f)
		for x, k := range l.Of {
			if len(l.Of) == 1 && l.Const == 0 && k == 1<<12 && masked(x) && masked(t.Args[1-i]) {
				return x
			}
		}
	}
	return nil
}

// highLemma says that the upper half of a product is less than each nonzero factor. In formulas, let a < 2^64, 0 < b <
// 2^64 and low < 2^64. If a*b = high*2^64 + low, then high < b.
const highLemma = `(set-logic QF_NIA)
(declare-const a Int)
(declare-const b Int)
(declare-const high Int)
(declare-const low Int)
(assert (and (<= 0 a) (< a 18446744073709551616) (< 0 b) (< b 18446744073709551616)))
(assert (and (= (* a b) (+ (* 18446744073709551616 high) low)) (<= 0 low) (< low 18446744073709551616)))
(assert (not (< high b)))
(check-sat)
`

// The argument t is a factor of a product. The function "simple" reports whether the scripts for the solvers contain
// this product as a multiplication. For any other product, the scripts use a function about which the solvers know
// nothing. The result is true in two cases. Either at most two bits of the constant t are 1, or t is the negation of
// such a constant.
func simple(t *term.Term) bool {
	return t.Op == term.Const && min(bits.OnesCount64(t.Value), bits.OnesCount64(-t.Value)) <= 2
}
