package main

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/interleave"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/model"
)

// The interface "observer" is implemented by recycling filters that goroutines share.
type observer interface {
	ObserveHash(kernel.Hash) kernel.Observation
	ContainsHash(kernel.Hash) bool
	State() kernel.CycleState
	Recount() uint64 // the set bits of the active array
}

// The type sharedRecycling has a recycling filter of the type that package kernel ships.
type sharedRecycling struct{ *kernel.ConcurrentRecycling }

// The method "words" returns the active and the frozen bit array of a filter with at most 64 bits. It returns an error
// if the filter's counts of set bits do not agree with the bits. The counts that a snapshot contains are checked when
// the snapshot is read. The other counts are checked through the false-positive rate that the filter computes from
// them.
func (f sharedRecycling) words() (active, frozen uint64, err error) {
	copied := f.Filter()
	data, err := copied.MarshalBinary()
	if err != nil {
		return 0, 0, err
	}
	var restored kernel.RecyclingFilter
	if err := restored.UnmarshalBinary(data); err != nil {
		return 0, 0, err
	}
	if restored.Rate() != copied.Rate() || !restored.Equal(copied) {
		return 0, 0, fmt.Errorf("rate %v, and %v of the same bits", copied.Rate(), restored.Rate())
	}
	word := func(at int) (w uint64) {
		for i, b := range data[at:min(at+8, len(data))] {
			w |= uint64(b) << (8 * i)
		}
		return w
	}
	const header = 128 // docs/format.md
	return word(header), word(header + 8), nil
}

// Recount returns the number of set bits of the active array, counted in its words.
func (f sharedRecycling) Recount() uint64 {
	active, _, err := f.words()
	if err != nil {
		panic(err)
	}
	return uint64(bits.OnesCount64(active))
}

// recyclingFaults lists the faults of the faulty recycling filters in the tests of package kernel. The function
// newBrokenRecycling makes a filter with one of these faults. Both variables are set by a file that the command
// interleave writes.
var (
	recyclingFaults    []string
	newBrokenRecycling func(fault string, g bloomproof.Geometry, most uint64, onRecycle func(kernel.CycleState)) observer
)

// A recyclingCase describes a recycling filter, and the programs of the goroutines that share it.
type recyclingCase struct {
	name     string
	long     bool
	g        bloomproof.Geometry // has at most 64 bits
	r        bloomproof.Recycling
	before   string // messages that were observed before the goroutines began
	programs []string
	lanes    int
	places   int
	spurious bool
}

// The method "subject" returns a program for the case c. This program can be explored. The goroutines share the shipped
// filter. But if "broken" is true, they share a filter with the given fault. This filter comes from the tests of
// package kernel.
func (c recyclingCase) subject(fault string, broken bool) subject {
	keys := keysOf(c.g, func(h kernel.Hash) []uint64 {
		if c.r.FreshPositions {
			h = model.Cycle(h, 0)
		}
		return positionsOf(c.g, h)
	})
	var steps [][]step
	for _, p := range c.programs {
		steps = append(steps, parse(p))
	}
	known := verdicts{}
	o := interleave.Options{Lanes: max(1, c.lanes), Places: c.places, Spurious: c.spurious}
	return subject{c.name, c.long, o, func() interleave.Program {
		var ends []kernel.CycleState // written by the callback, which runs alone
		onRecycle := func(e kernel.CycleState) { ends = append(*interleave.RW(&ends), e) }
		var f observer
		if broken {
			f = newBrokenRecycling(fault, c.g, c.r.Messages, onRecycle)
		} else {
			single, err := kernel.NewRecycling(c.g, c.r, kernel.Options{})
			if err != nil {
				panic(err)
			}
			single.OnRecycle = onRecycle
			f = sharedRecycling{single.Concurrent()}
		}
		j := &journal{}
		before := &journal{}
		if c.before != "" {
			before.run(0, parse("observe "+c.before), func(s step) {
				for _, k := range s.keys {
					before.note(0, entry{do: "observe", key: k, saw: f.ObserveHash(keys[k])})
				}
			})
		}
		var p interleave.Program
		for g := range steps {
			p.Goroutines = append(p.Goroutines, func() {
				j.run(g, steps[g], func(s step) { recyclingStep(f, j, g, s, &keys) })
			})
		}
		p.Check = func() error {
			end := f.State()
			if n := f.Recount(); n != end.Bits {
				return fmt.Errorf("%d bits are set at rest, and %d are counted", n, end.Bits)
			}
			var active, frozen uint64
			if real, ok := f.(sharedRecycling); ok {
				var err error
				if active, frozen, err = real.words(); err != nil {
					return err
				}
			}
			rest := fmt.Appendf(nil, "%v %v %v %v", ends, end, active, frozen)
			return known.of(j, string(rest), func(h history) error {
				s := spec{c: &c, keys: &keys, ends: ends, exact: c.g.K == 1}
				for _, e := range before.logs[0] {
					if err := s.apply(&e, h); err != nil {
						return err
					}
				}
				return s.explain(h, end, active, frozen, !broken)
			})
		}
		return p
	}}
}

// recyclingStep executes one step of a goroutine on the filter f. It records the results in the journal j.
func recyclingStep(f observer, j *journal, g int, s step, keys *[len(letters)]kernel.Hash) {
	real, _ := f.(sharedRecycling)
	var h []kernel.Hash
	for _, k := range s.keys {
		h = append(h, keys[k])
	}
	switch s.do {
	case "observe":
		j.note(g, entry{do: "observe", key: s.keys[0], saw: f.ObserveHash(h[0])})
	case "observebatch":
		for i, o := range real.ObserveBatch(nil, kernel.KeysOf(h)) {
			j.note(g, entry{do: "observe", key: s.keys[i], saw: o})
		}
	case "has":
		j.note(g, entry{do: "has", key: s.keys[0], yes: f.ContainsHash(h[0])})
	case "hasbatch":
		for i, yes := range real.ContainsBatch(nil, kernel.KeysOf(h)) {
			j.note(g, entry{do: "has", key: s.keys[i], yes: yes})
		}
	case "state":
		j.note(g, entry{do: "state", state: f.State()})
	case "copy":
		c := real.Filter()
		if data, err := c.MarshalBinary(); err != nil {
			panic(err)
		} else if err := new(kernel.RecyclingFilter).UnmarshalBinary(data); err != nil {
			panic(err)
		}
		j.note(g, entry{do: "state", state: c.State()})
	case "rate":
		if r := real.Rate(); r < 0 || r > 1 {
			panic(fmt.Sprintf("a rate of %v", r))
		}
	default:
		panic("no step " + s.do)
	}
}

// The type "spec" is a state of a recycling filter after some operations. It is the state that the documentation
// requires.
type spec struct {
	c     *recyclingCase
	keys  *[len(letters)]kernel.Hash
	ends  []kernel.CycleState // the states that OnRecycle was given
	exact bool                // true for k = 1: each observation equals that of a RecyclingFilter

	active, frozen            uint64 // bits
	cycle, messages, arrivals uint64
	told                      uint64 // the sum of NewBits in this cycle, and the bits of a retained trigger

	noted  []int    // observations of this cycle after which the message must be known
	lookUp []lookUp // look-ups of this cycle that returned true
}

// The type lookUp represents a look-up that found its key. It has the bits of the key. These bits must be set at the
// end of the cycle.
type lookUp struct{ bits uint64 }

// A key can have different bits in different cycles. The method "of" returns its bits in the given cycle.
func (s *spec) of(key int, cycle uint64) (set uint64) {
	h := s.keys[key]
	if s.c.r.FreshPositions {
		h = model.Cycle(h, cycle)
	}
	for _, p := range positionsOf(s.c.g, h) {
		set |= 1 << p
	}
	return set
}

func (s *spec) state() kernel.CycleState {
	return kernel.CycleState{
		Cycle: s.cycle, Bits: uint64(bits.OnesCount64(s.active)), FrozenBits: uint64(bits.OnesCount64(s.frozen)),
		Messages: s.messages, Arrivals: s.arrivals,
	}
}

// inFrozen reports whether all bits of a key are set in the frozen array.
func (s *spec) inFrozen(key int) bool {
	if !s.c.r.TwoPhase {
		return false
	}
	set := s.of(key, s.cycle-1)
	return s.frozen&set == set
}

var errOrder = errors.New("not in this order")

// The operations are applied one after the other. The method "apply" applies the operation of e. It returns an error if
// the documentation does not permit the results of e at that point.
func (s *spec) apply(e *entry, h history) error {
	if e.do == "raise" || e.do == "await" {
		return nil
	}
	if e.do == "state" {
		if e.state != s.state() || s.told != e.state.Bits {
			return errOrder
		}
		return nil
	}
	set := s.of(e.key, s.cycle)
	must := false // whether the message must be known in the active array
	var known uint64
	for _, a := range s.noted {
		x := &h.entries[a]
		if before := happens(h, x, e); before {
			known |= s.of(x.key, s.cycle)
			must = must || x.key == e.key
		}
	}
	frozen := s.inFrozen(e.key)
	if e.do == "has" {
		switch {
		case !e.yes && (must || frozen):
			return errOrder
		case e.yes && !frozen:
			if s.exact && s.active&set != set {
				return errOrder
			}
			s.lookUp = append(s.lookUp, lookUp{set})
		case !e.yes && s.exact && s.active&set == set:
			return errOrder
		}
		return nil
	}
	o := e.saw
	s.arrivals++
	copied := !(frozen && s.c.r.NoCopyOver) // whether the message is recorded, unless it is known
	switch fresh := uint64(bits.OnesCount64(set &^ s.active)); {
	case o.Frozen != frozen, o.Active && o.NewBits > 0, o.Active && s.active&set != set, must && !o.Active,
		!o.Active && copied && (o.NewBits == 0 || o.NewBits > uint64(bits.OnesCount64(set&^known))),
		!o.Active && !copied && o.NewBits > 0,
		s.exact && (o.Active != (s.active&set == set) || copied && o.NewBits != fresh):
		return errOrder
	case o.Recycled && o.NewBits != fresh: // no other observation set bits meanwhile
		return errOrder
	}
	before := s.active
	if o.NewBits > 0 {
		s.active |= set
		s.told += o.NewBits
		s.messages++
	}
	over := s.c.r.Messages > 0 && s.messages >= s.c.r.Messages ||
		s.c.r.Messages == 0 && uint64(bits.OnesCount64(s.active)) > s.c.r.Sigma
	if over = over && o.NewBits > 0; over != o.Recycled {
		return errOrder
	}
	if over {
		return s.recycle(e.key, set&^before)
	}
	if o.Active || copied {
		for i := range h.entries {
			if &h.entries[i] == e {
				s.noted = append(s.noted, i)
			}
		}
	}
	return nil
}

// The function "happens" reports whether the entry x happens before the entry e in the history h. An entry that is
// not in h was made before the goroutines began. For such an entry the result is false.
func happens(h history, x, e *entry) bool {
	a, b := -1, -1
	for i := range h.entries {
		if &h.entries[i] == x {
			a = i
		}
		if &h.entries[i] == e {
			b = i
		}
	}
	return a >= 0 && b >= 0 && h.before[a][b]
}

// The method "over" is called at the end of a cycle, and at the end of the whole sequence of operations. It returns an
// error if this end is not possible here.
func (s *spec) over() error {
	if s.told != uint64(bits.OnesCount64(s.active)) {
		return errOrder
	}
	for _, l := range s.lookUp {
		if s.active&l.bits != l.bits {
			return errOrder
		}
	}
	return nil
}

// The method "recycle" ends the cycle. The argument "key" is the message that ended the cycle. The argument "first" has
// the bits of the active array that this message changed from 0 to 1.
func (s *spec) recycle(key int, first uint64) error {
	if err := s.over(); err != nil {
		return err
	}
	if uint64(len(s.ends)) <= s.cycle || s.ends[s.cycle] != s.state() {
		return errOrder
	}
	if s.c.r.TwoPhase {
		if s.frozen = s.active; s.c.r.FreezeBefore {
			s.frozen &^= first
		}
	}
	s.cycle++
	s.active, s.messages, s.arrivals, s.told, s.noted, s.lookUp = 0, 0, 0, 0, nil, nil
	if s.c.r.Retain {
		s.active = s.of(key, s.cycle)
		s.messages, s.told = 1, uint64(bits.OnesCount64(s.active))
	}
	return nil
}

// The method "explain" searches for an order of the operations that the documentation permits. After the operations
// in this order, the filter must be in the given state. The order must also agree with the happens-before relation. If
// no such order exists, the result is an error.
func (s *spec) explain(h history, end kernel.CycleState, active, frozen uint64, words bool) error {
	n := len(h.entries)
	used := make([]bool, n)
	var search func(s spec, order []int) bool
	search = func(s spec, order []int) bool {
		if len(order) == n {
			return s.over() == nil && s.state() == end && uint64(len(s.ends)) == s.cycle &&
				(!words || s.active == active && s.frozen == frozen)
		}
	next:
		for i := range n {
			if used[i] {
				continue
			}
			for b := range n {
				if !used[b] && h.before[b][i] {
					continue next
				}
			}
			after := s
			after.noted, after.lookUp = append([]int(nil), s.noted...), append([]lookUp(nil), s.lookUp...)
			if after.apply(&h.entries[i], h) != nil {
				continue
			}
			used[i] = true
			if search(after, append(order, i)) {
				return true
			}
			used[i] = false
		}
		return false
	}
	if !search(*s, nil) {
		text := ""
		for _, e := range h.entries {
			text += fmt.Sprintf("\n    %c: %s %c %t %+v %+v", 'A'+e.goroutine, e.do, letters[e.key], e.yes, e.saw, e.state)
		}
		return fmt.Errorf("no order of the operations explains what they returned, events %+v, end %+v:%s", s.ends, end, text)
	}
	return nil
}

func byMessages(n uint64) bloomproof.Recycling { return bloomproof.Recycling{Messages: n} }

func bySigma(sigma uint64) bloomproof.Recycling { return bloomproof.Recycling{Sigma: sigma} }

// withTwo returns the rule r with two phases instead of one.
func withTwo(r bloomproof.Recycling) bloomproof.Recycling {
	r.TwoPhase = true
	return r
}

func with(r bloomproof.Recycling, change func(*bloomproof.Recycling)) bloomproof.Recycling {
	change(&r)
	return r
}

var recyclingCases = []recyclingCase{
	{name: "recycling: a bound of two messages", g: onePosition, r: byMessages(2), programs: []string{"observe x", "observe y", "observe z"}},
	{name: "recycling: one message by three", g: oneWord, r: byMessages(3), programs: []string{"observe x", "observe x", "observe x"}},
	{name: "recycling: one message by three, many lanes", g: oneWord, r: byMessages(40), lanes: 2, programs: []string{"observe x", "observe x", "observe x"}},
	{name: "recycling: a bound of bits", g: oneWord, r: bySigma(3), lanes: 2, programs: []string{"observe x", "observe y", "observe z"}},
	{name: "recycling: room for a few", g: onePosition, r: byMessages(3), lanes: 2, programs: []string{"observe x, observe x", "observe y", "observe z"}},
	{name: "recycling: room that is left in a lane", g: onePosition, r: byMessages(3), lanes: 2, programs: []string{"observe x", "observe x, observe z", "observe y"}},
	{name: "recycling: a look-up and a recycle", g: onePosition, r: byMessages(2), programs: []string{"observe x", "observe y", "has x"}},
	{name: "recycling: known within its cycle", g: oneWord, r: byMessages(4), lanes: 2, programs: []string{"observe x, raise", "await, has x, observe x", "observe y"}},
	{name: "recycling: states and copies", g: onePosition, r: byMessages(2), lanes: 2, programs: []string{"observe x, observe y", "state, copy"}},
	{name: "recycling: two phases", g: oneWord, r: withTwo(byMessages(2)), programs: []string{"observe x, observe x", "observe y, has x"}},
	{name: "recycling: two phases, bits in both arrays", g: oneWord, r: withTwo(byMessages(4)), before: "xyz", programs: []string{"observe x", "observe y", "observe z"}},
	{name: "recycling: two phases, fresh positions, retained", g: oneWord, r: with(withTwo(byMessages(2)), func(r *bloomproof.Recycling) { r.FreshPositions, r.Retain = true, true }), programs: []string{"observe x", "observe y, has x"}},
	{name: "recycling: fresh positions", g: onePosition, r: with(byMessages(2), func(r *bloomproof.Recycling) { r.FreshPositions = true }), programs: []string{"observe x, has x", "observe y", "observe z"}},
	{name: "recycling: frozen before the trigger, not copied", g: onePosition, r: with(withTwo(bySigma(1)), func(r *bloomproof.Recycling) { r.FreezeBefore, r.NoCopyOver = true, true }), programs: []string{"observe x, observe x", "observe y, observe y"}},
	{name: "recycling: batches", g: onePosition, r: byMessages(2), programs: []string{"observebatch xy", "observe z, hasbatch xy"}},

	{name: "recycling: any place and spurious failures of TryLock", long: true, g: onePosition, r: byMessages(2), lanes: 2, places: 2, spurious: true, programs: []string{"observe x", "observe y"}},
	{name: "recycling: any place and lane by three", long: true, g: onePosition, r: byMessages(2), lanes: 2, places: 2, programs: []string{"observe x", "observe y", "observe z"}},
	{name: "recycling: three lanes", long: true, g: onePosition, r: byMessages(3), lanes: 4, programs: []string{"observe x", "observe y", "observe z"}},
	{name: "recycling: states and copies by three", long: true, g: onePosition, r: byMessages(2), lanes: 2, programs: []string{"observe x", "observe y", "state, copy"}},
	{name: "recycling: two each by two", long: true, g: onePosition, r: byMessages(2), lanes: 2, programs: []string{"observe x, observe y", "observe y, observe x"}},
	{name: "recycling: a bound of three messages, two lanes", long: true, g: oneWord, r: byMessages(3), lanes: 2, programs: []string{"observe x, observe y", "observe y", "has x"}},
	{name: "recycling: a bound of bits, two each", long: true, g: oneWord, r: bySigma(3), programs: []string{"observe x, observe z", "observe y, observe x"}},
	{name: "recycling: two phases by three", long: true, g: onePosition, r: withTwo(byMessages(2)), lanes: 2, programs: []string{"observe x, has x", "observe y", "observe z"}},
	{name: "recycling: two phases, retained, by three", long: true, g: oneWord, r: with(withTwo(byMessages(2)), func(r *bloomproof.Recycling) { r.Retain = true }), programs: []string{"observe x", "observe y, has x", "observe z"}},
	{name: "recycling: two phases, fresh positions, by three", long: true, g: onePosition, r: with(withTwo(byMessages(2)), func(r *bloomproof.Recycling) { r.FreshPositions = true }), programs: []string{"observe x", "observe y, has x", "observe z"}},
	{name: "recycling: frozen before the trigger, by three", long: true, g: oneWord, r: with(withTwo(bySigma(3)), func(r *bloomproof.Recycling) { r.FreezeBefore = true }), programs: []string{"observe x", "observe y, has x", "observe z"}},
	{name: "recycling: not copied, by three", long: true, g: onePosition, r: with(withTwo(byMessages(2)), func(r *bloomproof.Recycling) { r.NoCopyOver = true }), programs: []string{"observe x, observe x", "observe y", "observe x"}},
	{name: "recycling: classic", long: true, g: classic, r: byMessages(2), lanes: 2, programs: []string{"observe x, raise", "await, has x, observe x", "observe y"}},
	{name: "recycling: partitioned", long: true, g: partitioned, r: bySigma(3), lanes: 2, programs: []string{"observe x", "observe y", "observe z, rate"}},
	{name: "recycling: blocks", long: true, g: oneBlock, r: byMessages(2), lanes: 2, programs: []string{"observe x", "observe y", "observe z"}},
	{name: "recycling: batches by three", long: true, g: onePosition, r: byMessages(2), programs: []string{"observebatch xyx", "observe z", "hasbatch xy"}},
}

func recyclingSubjects() (all []subject) {
	for _, c := range recyclingCases {
		all = append(all, c.subject("", false))
	}
	return all
}

// brokenRecyclingSubjects returns the programs to explore for the filter with the given fault. This filter has one
// phase, and its cycles end after a fixed number of messages.
func brokenRecyclingSubjects(fault string) (all []subject) {
	for _, c := range []recyclingCase{
		{name: "recycling: a bound of two messages", g: onePosition, r: byMessages(2), programs: []string{"observe x", "observe y, observe z"}},
		{name: "recycling: known within its cycle", g: onePosition, r: byMessages(2), programs: []string{"observe x, raise", "await, has x", "observe y"}},
		{name: "recycling: a bound of one message", g: onePosition, r: byMessages(1), programs: []string{"observe x", "observe y", "observe z"}},
	} {
		all = append(all, c.subject(fault, true))
	}
	return all
}
