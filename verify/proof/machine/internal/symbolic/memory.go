package symbolic

import (
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// slot returns how far an address is from the stack pointer at the entry, if that is a
// constant.
func (x *path) slot(address *term.Term) (uint64, bool) {
	d := term.Linearize(address).Minus(term.Linearize(x.m.Var("gp4", 64)))
	return d.Const, len(d.Of) == 0
}

// inside claims that words at an address are those of a slice below n, and returns the
// first address as the twin writes it.
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
		x.claim("words are inside", p.And(p.Eq(at, address(p, from, i)), p.Ult(i, end), p.Ule(end, p.Var("n", 64))))
		return address(p, from, i)
	}
	semantics.Fail("an address outside all slices: %s", at)
	return nil
}

// Load returns an argument, words of a slice or constants of the program.
func (x *path) Load(m *semantics.Machine, at *term.Term, bits int) []*term.Term {
	if d, ok := x.slot(at); ok {
		k := int(d-8) / 24
		switch {
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
	for i := range out {
		out[i] = load(m.Pool, x.memory, address(m.Pool, at, m.Value(64, uint64(i))))
		x.e.loaded[out[i]] = true
	}
	return out
}

// read returns what the twin loads. Where the kernel loaded that before it stored what the
// twin has stored by then, it claims that no such store has a byte of the word.
func (x *path) read(memory, at *term.Term) *term.Term {
	p, e := x.e.pool, x.e
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

// disjoint says that words at two addresses have no byte in common.
func disjoint(p *term.Pool, a, b *term.Term) *term.Term {
	d := p.Linear(term.Linearize(a).Minus(term.Linearize(b)))
	eight := p.Value(64, 8)
	return p.And(p.Ule(eight, d), p.Ule(eight, p.Sub(p.Value(64, 0), d)))
}

// Store keeps the result or changes words of a slice.
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
