package kernel

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// RecyclingFilter is a Bloom filter that forgets old messages by a rule. A bloomproof.Recycling describes the rule.
// Papers by Dozier et al. describe such filters. Use NewRecycling to make one. Many goroutines may read a filter at the
// same time. Observe needs exclusive use.
//
// When a message arrives, the filter first decides whether it is a repeat. It is a repeat if the bits at all its
// positions are set in the active array. It is also a repeat if these bits are all set in the frozen array. Then the
// filter sets these bits in the active array. Suppose that the rule has NoCopyOver, and that all bits of the message
// are set in the frozen array. Then the message sets no bit in the active array. If the bound of the rule is now
// passed, the filter recycles. The message that passes the bound is called the trigger. At a recycle, a filter with one
// phase clears its one array. A filter with two phases clears the frozen array. This array becomes active, and the
// array that was active becomes frozen. The array that becomes frozen keeps the bits of the trigger. But if the field
// FreezeBefore of the rule is set, it keeps only the bits that were set before the trigger arrived. If the rule retains
// the trigger, the filter sets the bits of the trigger in the cleared array. The trigger then counts as a message that
// sets a bit. It is the first such message of the new cycle.
type RecyclingFilter struct {
	// OnRecycle is called at each recycle if it is not nil. At that time the filter has classified and recorded the
	// trigger, but has not cleared an array yet. The function must not call methods that change the filter.
	OnRecycle func(CycleState)

	layout
	r    bloomproof.Recycling
	hash Hasher
	im   impl

	active, frozen array  // frozen is used with two phases only
	overlap        counts // counts of the bits set in both arrays; used with two phases and fixed positions only

	// The fields "pair" and "side" are used under two conditions: the filter has two phases, and a message has the same
	// positions in each cycle. Then the words of both arrays alternate in the slice "pair". The field "side" is the
	// number of the active array. The words of the fields "active" and "frozen" are then nil.
	pair []uint64
	side int

	cycle    uint64 // number of recycles so far
	messages uint64 // messages of this cycle that set a bit
	arrivals uint64 // observations of this cycle
}

// CycleState describes a cycle. The method State returns the state of the present cycle. OnRecycle gets the state at
// the end of a cycle, including the trigger.
type CycleState struct {
	Cycle      uint64 // the number of recycles before this cycle: 0 in the first cycle
	Bits       uint64 // set bits of the active array
	FrozenBits uint64 // set bits of the frozen array: 0 with one phase and in the first cycle
	Messages   uint64 // messages that set a bit, including the one that was retained at the start, if any
	Arrivals   uint64 // observations
}

// An Observation says how Observe classified an arrival, and what it did.
type Observation struct {
	Active   bool   // the bits at all its positions were set in the active array
	Frozen   bool   // the bits at all its positions were set in the frozen array
	NewBits  uint64 // the number of clear bits that it set in the active array (before a recycle)
	Recycled bool   // it made the filter recycle
}

// Repeat reports whether the arrival was classified as a repeat. Otherwise it was classified as a new message.
func (o Observation) Repeat() bool { return o.Active || o.Frozen }

// NewRecycling returns an empty recycling filter. The geometry of each of its arrays is g.
// Domain: g is valid and has m <= 2^48, and r is valid for g. If g has blocks, New must allow these blocks. The rule
// must then bound the number of messages, have one phase, and not retain the trigger.
// Memory: m/8 bytes for each phase.
// Errors: *bloomproof.ParamError if g, r or o is invalid, or if the host has too little memory for the bits.
func NewRecycling(g bloomproof.Geometry, r bloomproof.Recycling, o Options) (*RecyclingFilter, error) {
	l, err := recyclingLayoutOf(g, r)
	if err != nil {
		return nil, err
	}
	hash, im, err := o.open()
	if err != nil {
		return nil, err
	}
	f := &RecyclingFilter{layout: l, r: r, hash: hash, im: im}
	if paired(r) {
		f.active.counts, f.frozen.counts, f.overlap = l.newCounts(), l.newCounts(), l.newCounts()
		if f.pair, err = newWords(g.M, 2*wordsFor(g.M)); err != nil {
			return nil, err
		}
		return f, nil
	}
	if f.active, err = l.newArray(); err != nil {
		return nil, err
	}
	if r.TwoPhase {
		if f.frozen, err = l.newArray(); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// If one slice contains the words of both arrays of a filter, the arrays are called a pair. The function "paired"
// reports whether a filter with the rule r has a pair. A filter has a pair if it has two arrays and a message has the
// same positions in both arrays.
func paired(r bloomproof.Recycling) bool {
	return r.TwoPhase && !r.FreshPositions
}

// mustBeMade panics if no constructor made the filter.
func (f *RecyclingFilter) mustBeMade() {
	if f.pair == nil {
		f.active.mustBeMade()
	}
}

// The method "columns" returns the active array and the frozen array. In a filter with one phase the frozen array is
// empty.
func (f *RecyclingFilter) columns() (active, frozen column) {
	if f.pair != nil {
		return half(f.pair, f.side), half(f.pair, f.side^1)
	}
	return whole(f.active.words), whole(f.frozen.words)
}

// Geometry returns the m, k, hashing and block of each array.
func (f *RecyclingFilter) Geometry() bloomproof.Geometry { return f.g }

// Recycling returns the rule by which the filter forgets old messages.
func (f *RecyclingFilter) Recycling() bloomproof.Recycling { return f.r }

// Hasher returns the hasher of the filter's keys.
func (f *RecyclingFilter) Hasher() Hasher {
	f.mustBeMade()
	return f.hash
}

// Observe handles the arrival of key: it finds out whether key is a repeat or new. It records the arrival, and recycles
// the filter if the rule says so.
// Cost: O(k), and O(m/64) more for a recycle.
func (f *RecyclingFilter) Observe(key []byte) Observation {
	return f.ObserveHash(f.hash.hash(key))
}

// ObserveHash does the same as Observe, for a key that is already hashed.
func (f *RecyclingFilter) ObserveHash(h Hash) Observation {
	f.mustBeMade()
	f.arrivals++
	var o Observation
	listed := f.r.FreezeBefore && f.ending()
	if f.r.NoCopyOver || listed {
		o.Active, o.Frozen = f.lookUp(h)
		if o.Active || o.Frozen && f.r.NoCopyOver {
			return o
		}
	}
	switch {
	case listed:
		var buf [scanK]uint64
		return f.recordListed(o, h, f.appendPositions(buf[:0], f.in(h, f.cycle)))
	case f.pair != nil:
		c := f.pairInsert(h)
		o.NewBits, o.Frozen = c.fresh(), c.known()
	case f.size != 0:
		o.NewBits = addOneInBlock(f.im, f.active.words, f.in(h, f.cycle), &f.layout)
		f.active.bits += o.NewBits
	default:
		if f.r.TwoPhase {
			o.Frozen = f.frozen.contains(&f.layout, f.in(h, f.cycle-1))
		}
		o.NewBits = f.active.insert(&f.layout, f.in(h, f.cycle))
	}
	return f.recorded(o, h, nil)
}

// The method lookUp looks up h in the active array and in the frozen array. Each result is for one of the two arrays.
// It is true if the bits at all positions of h are set in this array.
func (f *RecyclingFilter) lookUp(h Hash) (active, frozen bool) {
	if f.pair != nil {
		all := pairHas(f.pair, &f.layout, h)
		return all>>f.side&1 != 0, all>>(f.side^1)&1 != 0
	}
	return f.active.contains(&f.layout, f.in(h, f.cycle)),
		f.r.TwoPhase && f.frozen.contains(&f.layout, f.in(h, f.cycle-1))
}

// The method "recorded" completes the observation of the message h. The message set o.NewBits bits in the active array.
// It counts the message, and recycles if the rule says so. The slice "first" has those positions of h where the bit was
// clear before. This slice is needed if FreezeBefore may have to clear these bits again.
func (f *RecyclingFilter) recorded(o Observation, h Hash, first []uint64) Observation {
	if o.NewBits == 0 {
		o.Active = true
		return o
	}
	f.messages++
	if o.Recycled = f.exceeded(); o.Recycled {
		f.recycle(h, first)
	}
	return o
}

// recordListed sets the bits at the positions pos in the active array, and completes the observation of the message h.
// It overwrites pos.
func (f *RecyclingFilter) recordListed(o Observation, h Hash, pos []uint64) Observation {
	first := f.set(pos)
	o.NewBits = uint64(len(first))
	return f.recorded(o, h, first)
}

// The argument h is the hash of a message. A message may have new positions in each cycle. The positions in the given
// cycle are derived from a hash. The method "in" returns this hash. Before the first recycle, the cycle of the frozen
// array is -1. This number does not matter, because the frozen array is then empty.
func (f *RecyclingFilter) in(h Hash, cycle uint64) Hash {
	if f.r.FreshPositions {
		return h.inCycle(cycle)
	}
	return h
}

// The method "set" sets the bits at the positions pos of one message in the active array. It keeps in pos only the
// positions whose bits were clear before, and returns the slice of these positions.
func (f *RecyclingFilter) set(pos []uint64) []uint64 {
	active, frozen := f.columns()
	first := pos[:0]
	for j, p := range pos {
		w, bit := active.word(p), uint64(1)<<(p&63)
		if *w&bit != 0 {
			continue
		}
		*w |= bit
		f.active.add(j, 1)
		if f.pair != nil && *frozen.word(p)&bit != 0 {
			f.overlap.add(j, 1)
		}
		first = append(first, p)
	}
	return first
}

// The method "ending" reports whether the next message could end the cycle.
func (f *RecyclingFilter) ending() bool {
	if f.r.Messages > 0 {
		return f.messages+1 >= f.r.Messages
	}
	return f.active.bits+uint64(f.g.K) > f.r.Sigma
}

// The method "exceeded" reports whether the bound of the rule has been passed in this cycle. The filter must then
// recycle.
func (f *RecyclingFilter) exceeded() bool {
	if f.r.Messages > 0 {
		return f.messages >= f.r.Messages
	}
	return f.active.bits > f.r.Sigma
}

// The method "room" returns how much can be added in this cycle before the bound of the rule is passed. If the rule
// bounds the number of set bits, the result is a number of bits. Otherwise it is a number of messages.
func (f *RecyclingFilter) room() uint64 {
	switch {
	case f.exceeded(): // possible after a panic in OnRecycle
		return 0
	case f.r.Messages > 0:
		return f.r.Messages - 1 - f.messages
	}
	return f.r.Sigma - f.active.bits
}

// The method "recycle" ends the cycle. By the rule, the message h is the last message of this cycle. The slice "first"
// has those positions of h where the bit was clear before.
func (f *RecyclingFilter) recycle(h Hash, first []uint64) {
	if f.OnRecycle != nil {
		f.OnRecycle(f.State())
	}
	if f.r.TwoPhase {
		if f.r.FreezeBefore {
			f.forget(first)
		}
		f.active, f.frozen = f.frozen, f.active
		f.side ^= 1
		f.overlap.clear()
	}
	f.clearActive()
	f.cycle++
	f.messages, f.arrivals = 0, 0
	if f.r.Retain {
		var buf [scanK]uint64
		f.set(f.appendPositions(buf[:0], f.in(h, f.cycle)))
		f.messages++
	}
}

// clearActive clears the active array.
func (f *RecyclingFilter) clearActive() {
	active, _ := f.columns()
	active.clear()
	f.active.counts.clear()
}

// The method "forget" clears the bits at the positions pos in the active array.
func (f *RecyclingFilter) forget(pos []uint64) {
	active, _ := f.columns()
	for _, p := range pos {
		*active.word(p) &^= 1 << (p & 63)
		f.active.bits--
		if f.active.slices != nil {
			f.active.slices[p/f.step]--
		}
	}
}

// Contains reports whether Observe would find that key is a repeat.
func (f *RecyclingFilter) Contains(key []byte) bool { return f.ContainsHash(f.hash.hash(key)) }

// ContainsHash does the same as Contains, for a key that is already hashed.
func (f *RecyclingFilter) ContainsHash(h Hash) bool {
	f.mustBeMade()
	switch {
	case f.pair != nil:
		return pairHas(f.pair, &f.layout, h) != 0
	case f.size != 0:
		return containsOneInBlock(f.im, f.active.words, f.in(h, f.cycle), &f.layout)
	}
	return f.active.contains(&f.layout, f.in(h, f.cycle)) ||
		f.r.TwoPhase && f.frozen.contains(&f.layout, f.in(h, f.cycle-1))
}

// State returns the state of the present cycle.
// Cost: O(1).
func (f *RecyclingFilter) State() CycleState {
	return CycleState{f.cycle, f.active.bits, f.frozen.bits, f.messages, f.arrivals}
}

// Rate returns the probability that a new message is called a repeat, given the bits that are set now. A new message is
// one that never arrived before. Let r(b) be the rate of a Filter with b set bits. With one phase the result is r(b),
// where b is the number of set bits of the array. With two phases, b bits are set in the active array, and c bits are
// set in the frozen array. There are d bits that are set in both. If a message has the same positions in every cycle,
// the result is r(b) + r(c) - r(d). If it has new positions in each cycle, the result is r(b) + r(c) - r(b) r(c). Both
// formulas follow by inclusion and exclusion. If r(b) and r(c) are replaced by their expected values, the second
// formula is Dozier-FP (26). In a filter with blocks the result is the mean of the rates of all blocks, as for
// Filter.Rate.
// Error: with one phase, the same as for Filter.Rate. With two phases, the relative error is at most (2*k+3)*2^-53
// times (r(b)+r(c))/Rate. This bound requires a rate above 1e-300.
// Cost: as for Filter.Rate.
func (f *RecyclingFilter) Rate() float64 {
	if f.size != 0 {
		return f.blockRate(whole(f.active.words).read)
	}
	b := f.rateOf(&f.active.counts)
	if !f.r.TwoPhase {
		return b
	}
	c := f.rateOf(&f.frozen.counts)
	if f.r.FreshPositions {
		return b + c*(1-b)
	}
	return b + (c - f.rateOf(&f.overlap))
}

// Clear brings the filter back to the state of a new filter, in cycle 0.
func (f *RecyclingFilter) Clear() {
	f.active.clear()
	f.frozen.clear()
	clear(f.pair)
	f.overlap.clear()
	f.cycle, f.messages, f.arrivals = 0, 0, 0
}

// Clone returns a copy that is independent of f, but has the same function OnRecycle.
func (f *RecyclingFilter) Clone() *RecyclingFilter {
	c := *f
	c.active, c.frozen, c.pair = f.active.clone(), f.frozen.clone(), cloneWords(f.pair)
	c.overlap.slices = slices.Clone(f.overlap.slices)
	return &c
}

// Equal reports whether f and g have the same geometry, rule, hash scheme, seed, key and bits. Their numbers of
// recycles, messages and observations must be equal too. Two equal filters give the same results for the same later
// calls.
// Cost: O(m/64).
func (f *RecyclingFilter) Equal(g *RecyclingFilter) bool {
	active, frozen := f.columns()
	gActive, gFrozen := g.columns()
	return f.r == g.r && compatible(f.g, g.g, &f.hash, &g.hash) == nil && f.State() == g.State() &&
		active.equal(gActive) && frozen.equal(gFrozen)
}

// String returns a text with the geometry, the rule, the scheme and the state of the cycle.
func (f *RecyclingFilter) String() string {
	return fmt.Sprintf("%v %v %v cycle=%d bits=%d frozen=%d", f.g, f.r, f.hash.scheme, f.cycle, f.active.bits, f.frozen.bits)
}
