package term

import (
	"hash/maphash"
	"sync/atomic"
)

// A table has all terms that a pool has made. A term is at its hash, or at the next free slot after it.
type table struct {
	slots []*Term // a power of two, at least half of them nil
	n     int
}

var seed = maphash.MakeSeed()

// The method "get" returns the term of the table that is equal to t. If there is none, it adds a copy of t.
func (b *table) get(t *Term) *Term {
	i := b.hash(t)
	for ; b.slots[i] != nil; i = (i + 1) & (len(b.slots) - 1) {
		if o := b.slots[i]; o.Args == t.Args && o.Op == t.Op && o.Width == t.Width && o.Value == t.Value && o.Lo == t.Lo && o.Name == t.Name {
			return o
		}
	}
	n := *t
	n.born, n.seen = b.n, 0
	b.slots[i] = &n
	if b.n++; 2*b.n > len(b.slots) {
		old := b.slots
		b.slots = make([]*Term, 4*len(old))
		for _, o := range old {
			if o == nil {
				continue
			}
			i := b.hash(o)
			for b.slots[i] != nil {
				i = (i + 1) & (len(b.slots) - 1)
			}
			b.slots[i] = o
		}
	}
	return &n
}

// The method "hash" returns the slot at which the search for t begins. In a pool, the number of an argument stands for
// the argument.
func (b *table) hash(t *Term) int {
	h := t.Value ^ uint64(t.Op)<<56 ^ uint64(uint8(t.Width))<<48 ^ uint64(t.Lo)<<40
	if t.Name != "" {
		h ^= maphash.String(seed, t.Name)
	}
	for _, a := range t.Args {
		h *= 0x9e3779b97f4a7c15
		if a != nil {
			h ^= h>>32 ^ uint64(a.born+1)
		}
	}
	h *= 0x9e3779b97f4a7c15
	return int(h>>32) & (len(b.slots) - 1)
}

// A memo maps terms of a pool to terms. It is emptied by the next number of its calls.
type memo struct {
	of   []*Term // by the field "born" of the key
	call []int   // the call of Rewrite that put it there
	now  int
}

// The method "memo" returns an empty memo.
func (p *Pool) memo() *memo {
	if len(p.memos) == 0 {
		return &memo{now: 1}
	}
	m := p.memos[len(p.memos)-1]
	p.memos = p.memos[:len(p.memos)-1]
	m.now++
	return m
}

// The method "get" returns the term for t, or nil if there is none.
func (m *memo) get(t *Term) *Term {
	if t.born < len(m.of) && m.call[t.born] == m.now {
		return m.of[t.born]
	}
	return nil
}

func (m *memo) put(t, is *Term) {
	if n := t.born + 1 - len(m.of); n > 0 {
		n += len(m.of)
		m.of, m.call = append(m.of, make([]*Term, n)...), append(m.call, make([]int, n)...)
	}
	m.of[t.born], m.call[t.born] = is, m.now
}

var walks atomic.Uint64

// The function "walked" calls f for each of the given terms and for all their subterms, once for each. The arguments of a
// term come before it. The function f must not walk.
func walked(all []*Term, f func(*Term)) {
	number := walks.Add(1)
	var walk func(t *Term)
	walk = func(t *Term) {
		if t == nil || t.seen == number {
			return
		}
		t.seen = number
		for _, a := range t.Args {
			walk(a)
		}
		f(t)
	}
	for _, t := range all {
		walk(t)
	}
}
