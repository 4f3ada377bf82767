package follow

import (
	"fmt"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/term"
)

// Slots says that a local array consists of slots, and what is known of each of them. Size is the number of words of a
// slot. The function Holds returns a condition on the slot with the given index, which has the given words. This
// condition holds for every index, whenever the twin is at the location r.At. It may depend on the twin's variables.
//
// The proof is by induction. At a load of a slot, the condition holds for the location where the path begins. At the end
// of a path, the condition is claimed for an arbitrary index. If the path stored this slot, the slot has the stored
// words. If not, it has the words for which the condition held where the path began. Nothing but these stores changes
// the array: no slice overlaps the frame.
type Slots struct {
	Array string
	Size  uint64
	Holds func(r *Run, index *term.Term, words []*term.Term) *term.Term
}

type slot struct {
	index *term.Term
	words []*term.Term
}

// Slot loads the words of a slot.
func (r *Run) Slot(index *term.Term) []*term.Term {
	s := r.twin.Slots
	if len(r.slots) > 0 {
		panic("a slot is loaded after a store to a slot")
	}
	out := make([]*term.Term, s.Size)
	for i := range out {
		out[i] = r.Load(s.Array, r.word(index, i))
	}
	if r.first != nil {
		r.Assume(s.Holds(r.first, index, out))
	}
	return out
}

// PutSlot stores the words of a slot.
func (r *Run) PutSlot(index *term.Term, words ...*term.Term) {
	for i, w := range words {
		r.Store(r.twin.Slots.Array, r.word(index, i), w)
	}
	r.slots = append(r.slots, slot{index, words})
}

// The method "word" returns the index of word i of a slot in the array.
func (r *Run) word(slot *term.Term, i int) *term.Term {
	return r.Add(r.Mul(r.N(r.twin.Slots.Size), slot), r.N(uint64(i)))
}

// The method "slots" claims that the condition on slots holds at head h.
func (x *path) slots(r *Run, h int, given []*term.Term, to string) {
	s, p := x.e.twin.Slots, x.e.pool
	if s == nil {
		return
	}
	index := p.Var("slot", 64)
	now := make([]*term.Term, s.Size)
	for i := range now {
		now[i] = p.Var(fmt.Sprintf("slot_%d", i), 64)
	}
	if r.first != nil {
		given = append(given[:len(given):len(given)], s.Holds(r.first, index, now))
	}
	for _, w := range r.slots {
		for i := range now {
			now[i] = p.Ite(p.Eq(index, w.index), w.words[i], now[i])
		}
	}
	last := &Run{Pool: p, twin: r.twin, vars: r.vars, At: x.e.heads[h].location}
	x.claim(to+": what is known of every slot", given, s.Holds(last, index, now), false)
}
