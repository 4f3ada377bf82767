package sim

import (
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// The interface "filter" has the methods of the filters that a run simulates.
type filter interface {
	// The method "observe" processes the arrivals a[0], a[1] and so on. For the arrival a[i], it sets dst[i] to the
	// filter's answer, which is called an observation.
	observe(dst []kernel.Observation, a []arrival)
	// The method "full" reports whether no message can ever set a bit again.
	full() bool
	// The method "knows" checks a list of arrivals. It reports whether none of them would set a bit.
	knows(a []arrival) bool
}

// The type "ideal" represents a recycling filter whose positions are drawn, not hashed. The positions are uniform and
// independent. Each message in a slot has positions of its own. Fixed positions never change. Fresh positions are drawn
// anew for each cycle. The filter was written from the specification alone, and uses no code of package kernel except
// the type Observation.
type ideal struct {
	g   bloomproof.Geometry
	r   bloomproof.Recycling
	rng *rand.ChaCha8

	positionsOf drawPositions // draws positions by the hashing of g

	active, frozen   []uint64 // bit i is bit i&63 of word i>>6
	bits, frozenBits uint64
	cycle, messages  uint64

	// The field "slots" has the positions of all messages that have a slot. With fresh positions, a slot has 2k
	// positions. The first k positions are for cycles with even numbers, and the other k are for cycles with odd
	// numbers. The element drawn[i] is 0 if no such k positions were drawn. Otherwise it is 1 plus the number of the
	// cycle for which they were drawn.
	slots []uint64
	drawn []uint64
	own   [2][]uint64 // the positions of a message without a slot
	first []uint64    // the positions that an arrival was the first to set
}

// maxIdeal is the largest number of bits that an ideal filter may have. An array of this size takes 2 GiB. It is also
// the largest number of positions that the filter stores.
const maxIdeal = 1 << 34

func newIdeal(g bloomproof.Geometry, r bloomproof.Recycling, slots int, rng *rand.ChaCha8) (*ideal, error) {
	if g.M > maxIdeal {
		return nil, &bloomproof.ParamError{Param: "m", Value: g.M, Want: "at most 2^34 with ideal positions"}
	}
	draw, err := drawOf(g)
	if err != nil {
		return nil, err
	}
	sets := slots
	if r.FreshPositions {
		sets *= 2
	}
	if uint64(sets)*uint64(g.K) > maxIdeal/64 {
		return nil, &bloomproof.ParamError{Param: "D", Value: slots, Want: "few enough to keep 2^28 ideal positions"}
	}
	f := &ideal{g: g, r: r, rng: rng, positionsOf: draw, active: make([]uint64, (g.M+63)/64), slots: make([]uint64, sets*g.K), drawn: make([]uint64, sets)}
	if r.TwoPhase {
		f.frozen = make([]uint64, len(f.active))
	}
	return f, nil
}

func (f *ideal) observe(dst []kernel.Observation, a []arrival) {
	for i := range a {
		dst[i] = f.one(a[i])
	}
}

// The method "one" processes one arrival, and returns the filter's observation of this arrival. The type
// RecyclingFilter in package kernel has a specification. The method follows each of its clauses in turn.
func (f *ideal) one(a arrival) kernel.Observation {
	if a.New && a.Slot != noSlot {
		f.forgetSlot(a.Slot)
	}
	pos := f.positions(a, f.cycle)
	o := kernel.Observation{Active: all(f.active, pos)}
	if f.r.TwoPhase {
		old := pos
		if f.r.FreshPositions && f.cycle > 0 {
			old = f.positions(a, f.cycle-1)
		}
		o.Frozen = all(f.frozen, old)
	}
	if o.Active || o.Frozen && f.r.NoCopyOver {
		return o
	}
	f.set(pos)
	o.NewBits = uint64(len(f.first))
	f.messages++
	if f.r.Messages > 0 {
		o.Recycled = f.messages == f.r.Messages
	} else {
		o.Recycled = f.bits > f.r.Sigma
	}
	if o.Recycled {
		f.recycle(a)
	}
	return o
}

// The method "recycle" ends the cycle. It is called when the rule demands this after the arrival a. At this time,
// f.first holds some positions. Arrival a has set the bits at these positions, which were clear before.
func (f *ideal) recycle(a arrival) {
	if f.r.TwoPhase {
		if f.r.FreezeBefore {
			for _, p := range f.first {
				f.active[p>>6] &^= 1 << (p & 63)
			}
			f.bits -= uint64(len(f.first))
		}
		f.active, f.frozen = f.frozen, f.active
		f.frozenBits = f.bits
	}
	clear(f.active)
	f.bits, f.messages = 0, 0
	f.cycle++
	if f.r.Retain {
		// If the message has no slot and its positions are fixed, f.own[0] still has these positions.
		pos := f.own[0]
		if f.r.FreshPositions || a.Slot != noSlot {
			pos = f.positions(a, f.cycle)
		}
		f.set(pos)
		f.messages = 1
	}
}

// The method "set" sets the bits of the active array at the positions in pos. Afterwards f.first has the positions
// in pos whose bits were clear before.
func (f *ideal) set(pos []uint64) {
	f.first = f.first[:0]
	for _, p := range pos {
		if w, bit := &f.active[p>>6], uint64(1)<<(p&63); *w&bit == 0 {
			*w |= bit
			f.bits++
			f.first = append(f.first, p)
		}
	}
}

// The method "positions" returns the positions of one message in one cycle. This is the message of arrival a. If the
// message has no slot, its positions are drawn at each call.
func (f *ideal) positions(a arrival, cycle uint64) []uint64 {
	k := f.g.K
	if a.Slot == noSlot {
		own := &f.own[cycle&1]
		if !f.r.FreshPositions {
			own = &f.own[0]
		}
		*own = f.draw((*own)[:0])
		return *own
	}
	set := int(a.Slot)
	if f.r.FreshPositions {
		set = 2*set + int(cycle&1)
	} else {
		cycle = 0
	}
	pos := f.slots[set*k : (set+1)*k]
	if f.drawn[set] != cycle+1 {
		f.drawn[set] = cycle + 1
		f.draw(pos[:0])
	}
	return pos
}

// forgetSlot marks the positions of a slot as not drawn, because a new message gets the slot.
func (f *ideal) forgetSlot(slot uint32) {
	if f.r.FreshPositions {
		f.drawn[2*slot], f.drawn[2*slot+1] = 0, 0
		return
	}
	f.drawn[slot] = 0
}

// The method "draw" draws the k positions of one message, and appends them to dst, which is empty.
func (f *ideal) draw(dst []uint64) []uint64 { return f.positionsOf(dst, f.rng, f.g.M, uint64(f.g.K)) }

func (f *ideal) full() bool {
	return f.bits == f.g.M || f.r.NoCopyOver && f.frozenBits == f.g.M
}

func (f *ideal) knows(a []arrival) bool {
	for _, a := range a {
		if all(f.active, f.positions(a, f.cycle)) {
			continue
		}
		if !f.r.NoCopyOver {
			return false
		}
		if f.cycle == 0 || !all(f.frozen, f.positions(a, f.cycle-1)) {
			return false
		}
	}
	return true
}

// The function "all" reports whether the bits of an array at the positions in pos are all set.
func all(words, pos []uint64) bool {
	for _, p := range pos {
		if words[p>>6]>>(p&63)&1 == 0 {
			return false
		}
	}
	return true
}
