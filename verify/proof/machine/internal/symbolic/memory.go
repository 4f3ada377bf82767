package symbolic

import (
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// Let SP be the value of the stack pointer at the entry of the function. The method "slot" returns the distance in
// bytes from SP to the given address. It also reports whether this distance is a constant.
func (x *path) slot(address *term.Term) (uint64, bool) {
	d := term.Linearize(address).Minus(term.Linearize(x.m.Var("gp4", 64)))
	return d.Const, len(d.Of) == 0
}

// The method "inside" adds two claims about the words at an address. The argument "at" is the address of the first
// word. The first claim says that all these words are in a slice. The second claim says that their indices are below
// the twin's variable n. The method returns the address of the first word. It writes this address in the same form as
// the twin.
func (x *path) inside(at *term.Term, words int, stores bool) *term.Term {
	p, e := x.m.Pool, x.e
	for s := range e.twin.Slices {
		from := p.Var(base(s), 64)
		l, ok := term.Linearize(at).Minus(term.Linearize(from)).Over8()
		if _, other := l.Of[p.Var(base(1-s), 64)]; !ok || other {
			continue
		}
		if l.Of[from] != 0 {
			continue
		}
		if stores && (s != 0 || !e.twin.Stores) {
			semantics.Fail("a store into a slice that is only read: %s", at)
		}
		i := p.Linear(l)
		end := p.Add(i, p.Value(64, uint64(words)))
		most := p.Mul(p.Value(64, e.twin.each(s)), p.Var("n", 64))
		x.claim("words are inside", p.And(p.Eq(at, address(p, from, i)), p.Ult(i, end), p.Ule(end, most)))
		return address(p, from, i)
	}
	semantics.Fail("an address outside all slices: %s", at)
	return nil
}

// Load returns the value at an address; the argument "width" is the number of its bits. The value can be an argument,
// words of a slice, or constants of the program.
func (x *path) Load(m *semantics.Machine, at *term.Term, bits int) []*term.Term {
	if d, ok := x.slot(at); ok {
		k := int(d-8) / 24
		word := (d - 8 - 24*uint64(x.e.twin.Slices)) / 8
		switch {
		case d >= 8 && d%8 == 0 && k >= x.e.twin.Slices && word < uint64(len(x.e.twin.words)) && bits == 64:
			return []*term.Term{m.Var(x.e.twin.words[word], 64)}
		case d < 8 || k >= x.e.twin.Slices || bits != 64:
		case d%24 == 8:
			return []*term.Term{m.Var(base(k), 64)}
		case d%24 == 16:
			return []*term.Term{m.Var(length(k), 64)}
		}
		semantics.Fail("a load of %d bits at %d from the return address", bits, d)
	}
	if bits%64 != 0 {
		semantics.Fail("a load of %d bits", bits)
	}
	if at.Op == term.Const {
		return x.constant(at.Value, bits)
	}
	at = x.inside(at, bits/64, false)
	out := make([]*term.Term, bits/64)
	memory := x.kept(at, x.memory)
	for i := range out {
		out[i] = load(m.Pool, memory, address(m.Pool, at, m.Value(64, uint64(i))))
		x.e.loaded[out[i]] = true
	}
	return out
}

// A word is loaded from the term "memory", at the address "at". The method "kept" returns a simpler memory term from
// which the same value can be loaded. Suppose that the slices do not overlap. Suppose also that the function never
// stores to the slice that contains the address. Then the result is the memory at the beginning of the path. Other
// claims say that each store is inside its slice. So the word at the address has not changed since then. In all other
// cases the method returns the argument "memory".
func (x *path) kept(at, memory *term.Term) *term.Term {
	e := x.e
	if e.twin.step != nil && term.Linearize(at).Of[e.pool.Var(base(0), 64)] == 0 {
		return e.memory
	}
	return memory
}

// The method "read" returns the word that the twin loads from an address. The kernel may load this word later than the
// twin. Between the two loads, the twin may store other words. The method claims that these stores change no byte of
// the loaded word.
func (x *path) read(memory, at *term.Term) *term.Term {
	p, e := x.e.pool, x.e
	if e.twin.step != nil {
		return load(p, x.kept(at, memory), at)
	}
	var skipped []*term.Term
	for m := memory; ; m = m.Args[0] {
		if t := load(p, m, at); e.loaded[t] {
			for _, s := range skipped {
				c := disjoint(p, at, s)
				x.lemma("a word is loaded before another is stored", x.about(c), c, false)
			}
			return t
		}
		if m.Name != "store" {
			return load(p, memory, at)
		}
		skipped = append(skipped, m.Args[1])
	}
}

// The function "disjoint" returns a condition. By this condition, the words at two addresses have no byte in common.
func disjoint(p *term.Pool, a, b *term.Term) *term.Term {
	d := p.Linear(term.Linearize(a).Minus(term.Linearize(b)))
	eight := p.Value(64, 8)
	return p.And(p.Ule(eight, d), p.Ule(eight, p.Sub(p.Value(64, 0), d)))
}

// Store stores the result of the function, or words of a slice.
func (x *path) Store(m *semantics.Machine, at *term.Term, lanes []*term.Term) {
	if d, ok := x.slot(at); ok {
		if d != x.e.twin.result() || len(lanes) != 1 || lanes[0].Width != 64 {
			semantics.Fail("a store at %d from the return address", int64(d))
		}
		x.result = lanes[0]
		return
	}
	if lanes[0].Width != 64 {
		semantics.Fail("a store of %d bits", lanes[0].Width)
	}
	at = x.inside(at, len(lanes), true)
	for i, w := range lanes {
		x.memory = store(m.Pool, x.memory, address(m.Pool, at, m.Value(64, uint64(i))), w)
	}
}

// The method "same" adds the claim that the kernel's memory is equal to the twin's memory. The memories are equal if
// the same words are stored to the same places in the same order. In a popcount kernel, a stored word and the twin's
// word must be represented by the same expression. In other kernels, stored words are compared in the form that
// term.Halves returns.
func (x *path) same(what string, twin *term.Term) {
	p := x.e.pool
	is := x.memory
	if x.e.twin.step == nil {
		x.claim(what, p.Eq(is, twin))
		return
	}
	x.byHalves()
	for ; is != twin && is.Name == "store" && twin.Name == "store"; is, twin = is.Args[0], twin.Args[0] {
		x.claim(what+": a place", p.Eq(is.Args[1], twin.Args[1]))
		a, b := p.Halves(is.Args[2]), p.Halves(twin.Args[2])
		x.claim(what+": a word", p.Eq(a, b))
	}
	x.claim(what, p.Eq(is, twin))
}

// The form of term.Halves is valid because of some identities. The method byHalves adds claims that state these
// identities. It adds no claims for identities of sums modulo 2^64.
func (x *path) byHalves() {
	p := x.e.pool
	w, h, l, half := p.Var("word", 64), p.Var("high", 32), p.Var("low", 32), p.Value(64, 32)
	upper := p.Lshr(w, half)
	lower := p.Sub(w, p.Shl(upper, half))
	wide := func(t *term.Term) *term.Term { return p.Zext(t, 64) }
	claim := func(what string, c *term.Term) { x.lemma(what, nil, c, false) }
	claim("a lower half is the word less its upper half", p.Eq(wide(p.Extract(w, 0, 32)), lower))
	claim("a lower half by a mask is that", p.Eq(p.BvAnd(w, p.Value(64, 1<<32-1)), lower))
	claim("an upper half by a part is that by a shift", p.Eq(wide(p.Extract(w, 32, 32)), upper))
	claim("an upper half has none", p.Eq(p.Lshr(upper, half), p.Value(64, 0)))
	claim("the upper half of 2^32 times a word is its lower half", p.Eq(p.Lshr(p.Shl(w, half), half), lower))
	claim("two halves are a word", p.Eq(p.Concat(h, l), p.Add(wide(l), p.Shl(wide(h), half))))
}
