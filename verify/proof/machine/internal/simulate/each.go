package simulate

import (
	"fmt"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// The type "cells" is the memory in which the lines "each" of a loop head read the twin's records. The executor's paths
// began with the memory e.start, and the stores in m came after it.
type cells struct {
	e *executor
	m *term.Term
}

// The method "load" returns the word at an address in the twin's records. A store to the records wrote the word if it has
// the same number. Otherwise it did not change the word. The numbers are compared, which are below the number of words:
// this is claimed for every store, and for the words that are loaded (see eachInside). Stores to slices did not change the
// word, because no slice overlaps the frame.
func (c cells) load(at *term.Term, bits int) *term.Term {
	p := c.e.pool
	number, in := c.number(at)
	if !in || bits != 64 {
		fail("%d bits at %s, which are no word of the records", bits, at)
	}
	var stores []*term.Term
	for m := c.m; m != c.e.start; m = m.Args[0] {
		stores = append(stores, m)
	}
	v := p.Apply("load64", 64, c.e.start, at)
	first := number.Const
	number.Const = 0
	for i := len(stores) - 1; i >= 0; i-- {
		to, w := stores[i].Args[1], stores[i].Args[2]
		if n, in := c.number(to); in && w.Width == 64 {
			n.Const -= first
			v = p.Ite(p.Eq(p.Linear(number), p.Linear(n)), w, v)
		} else if in {
			fail("a store of %d bits at %s", w.Width, to)
		}
	}
	return v
}

// The method "numbers" returns the numbers of the words in the records that were stored. An access is inside the records
// if 8 times its number is so modulo 2^64. The number itself may be larger by 2^61.
func (c cells) numbers() (out []*term.Term) {
	for m := c.m; m != c.e.start; m = m.Args[0] {
		if n, in := c.number(m.Args[1]); in {
			out = append(out, c.e.pool.Linear(n))
		}
	}
	return out
}

// The method "number" returns the number of the word at an address. It also reports whether the address is in the twin's
// records.
func (c cells) number(at *term.Term) (n term.Linear, in bool) {
	l := term.Linearize(at)
	if l.Of[c.e.frame()] != 1 {
		return l, false
	}
	n, whole := l.Minus(term.Linearize(c.e.in.value[c.e.twin.only().name])).Over8()
	if !whole {
		fail("%s, which is not the address of a word", at)
	}
	return n, true
}

func (cells) store(_, _ *term.Term) { fail("a store by an invariant") }

func (cells) clear(_, _ *term.Term) { fail("a store by an invariant") }

// The method "each" returns the conditions of the lines "each" of the loop head h, for the word with the number "cell" of
// the twin's records. The scope s has the values of the other names, and the words are loaded from m.
func (e *executor) each(h headOf, s scope, m memory, cell *term.Term) (out []*term.Term) {
	names := s.names
	s.memory = m
	s.names = func(name string) *term.Term {
		if name == "cell" {
			return cell
		}
		return names(name)
	}
	for _, q := range h.each {
		out = append(out, s.truth(q.is))
	}
	return out
}

// The type "elsewhere" is a memory with arbitrary values. It collects the numbers of the words that are loaded.
type elsewhere struct {
	e      *executor
	number *[]*term.Term
}

func (m elsewhere) load(at *term.Term, _ int) *term.Term {
	p := m.e.pool
	n, _ := cells{m.e, nil}.number(at)
	*m.number = append(*m.number, p.Linear(n))
	return p.Var(fmt.Sprintf("word%d", len(*m.number)), 64)
}

func (elsewhere) store(_, _ *term.Term) { fail("a store by an invariant") }

func (elsewhere) clear(_, _ *term.Term) { fail("a store by an invariant") }

// The method "eachInside" returns a condition for each line "each" of the loop head h. It says that the line is about words
// of the twin's records: it holds for all values of a word that is no such word.
func (e *executor) eachInside(h headOf, s scope, cell *term.Term) (out []*term.Term) {
	for _, q := range h.each {
		var numbers []*term.Term
		is := e.each(headOf{each: []equation{q}}, s, elsewhere{e, &numbers}, cell)[0]
		inside := e.pool.Bool(true)
		for _, n := range numbers {
			inside = e.pool.And(inside, e.pool.Ult(n, e.in.value["len("+e.twin.only().name+")"]))
		}
		out = append(out, e.pool.Or(inside, is))
	}
	return out
}

// The line "each" of a loop head states a condition for all words of the twin's records. The method "anyCell" returns a
// variable for the number of an arbitrary word. A path begins with the condition for this word, and it ends with the claim
// that the condition holds for the same word. So the condition holds for all words, if it held for all words before. It is
// also assumed for the words of the lines "take".
func (e *executor) anyCell() *term.Term { return e.pool.Var("cell", 64) }
