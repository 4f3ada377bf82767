package term

import (
	"fmt"
	"math/rand/v2"
)

// A maker makes random terms of all operations from terms that it made before.
type maker struct {
	*Pool
	r      *rand.Rand
	words  []*Term
	truths []*Term
	apply  bool // also values of unknown functions
	memory *Term
}

// newMaker returns a maker that knows the given words, some constants of their widths, and a truth value.
func newMaker(p *Pool, r *rand.Rand, words ...*Term) *maker {
	m := &maker{Pool: p, r: r, words: words}
	for _, w := range words {
		m.words = append(m.words, p.Value(w.Width, r.Uint64()), p.Value(w.Width, uint64(r.IntN(2*w.Width))))
	}
	m.truths = []*Term{p.Ult(words[0], m.word(words[0].Width))}
	return m
}

// any returns a word that the maker has made, often one of the last.
func (m *maker) any() *Term {
	n := len(m.words)
	if m.r.IntN(2) == 0 {
		return m.words[n-1-m.r.IntN(min(n, 8))]
	}
	return m.words[m.r.IntN(n)]
}

// word returns a word that the maker has made, in the given width.
func (m *maker) word(width int) *Term {
	return m.resized(m.any(), width)
}

func (m *maker) truth() *Term { return m.truths[m.r.IntN(len(m.truths))] }

// make makes a term.
func (m *maker) make() {
	p := m.Pool
	a := m.any()
	b, c := m.word(a.Width), m.truth()
	n := 1 + m.r.IntN(a.Width)
	lo := m.r.IntN(a.Width - n + 1)
	by := p.Value(a.Width, uint64(m.r.IntN(a.Width+2)))
	words := []func() *Term{
		func() *Term { return p.BvNot(a) },
		func() *Term { return p.BvAnd(a, b) },
		func() *Term { return p.BvOr(a, b) },
		func() *Term { return p.BvXor(a, b) },
		func() *Term { return p.Add(a, b) },
		func() *Term { return p.Sub(a, b) },
		func() *Term { return p.Mul(a, b) },
		func() *Term { return p.Div(a, b) },
		func() *Term { return p.Rem(a, b) },
		func() *Term { return p.Shl(a, b) },
		func() *Term { return p.Lshr(a, b) },
		func() *Term { return p.Shl(a, by) },
		func() *Term { return p.Lshr(a, by) },
		func() *Term { return p.Mul(a, p.Value(a.Width, m.r.Uint64())) },
		func() *Term { return p.BvAnd(p.Value(a.Width, Mask(n)), a) },
		func() *Term { return p.Ite(c, a, b) },
		func() *Term { return p.Ones(a) },
		func() *Term { return p.Extract(a, lo, n) },
		func() *Term { return p.Zext(p.Extract(a, lo, n), a.Width) },
		func() *Term {
			return p.Concat(p.Extract(a, 0, min(a.Width, 64-min(n, 63))), p.Extract(b, lo, min(n, 63)))
		},
		func() *Term { return p.Zext(a, min(64, a.Width+n)) },
		func() *Term { return p.resized(p.MulHi(p.Zext(a, 64), p.Zext(b, 64)), a.Width) },
		func() *Term { return p.resized(c, a.Width) },
	}
	if m.apply {
		words = append(words, func() *Term { return p.Apply(fmt.Sprintf("f%d", a.Width), a.Width, a, b) },
			func() *Term { return p.Apply("load", 64, m.memory, p.Zext(a, 64)) },
			func() *Term {
				m.memory = p.Apply("store", Memory, m.memory, p.Zext(b, 64), p.Zext(a, 64))
				return a
			})
	}
	truths := []func() *Term{
		func() *Term { return p.Not(c) },
		func() *Term { return p.And(c, m.truth(), m.truth()) },
		func() *Term { return p.Or(c, m.truth()) },
		func() *Term { return p.Eq(c, m.truth()) },
		func() *Term { return p.Ite(c, m.truth(), m.truth()) },
		func() *Term { return p.Eq(a, b) },
		func() *Term { return p.Ult(a, b) },
		func() *Term { return p.Slt(a, b) },
		func() *Term { return p.Negative(a) },
		func() *Term { return p.Ule(a, b) },
	}
	if i := m.r.IntN(len(words) + len(truths)); i < len(words) {
		m.words = append(m.words, words[i]())
	} else {
		m.truths = append(m.truths, truths[i-len(words)]())
	}
}

// last returns one of the words that were made last.
func (m *maker) last() *Term { return m.words[len(m.words)-1-m.r.IntN(min(3, len(m.words)))] }
