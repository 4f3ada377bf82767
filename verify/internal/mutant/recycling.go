package mutant

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/model"
)

// Recycler is the interface that a test of the semantics of recycling needs. *kernel.RecyclingFilter implements it.
type Recycler interface {
	ObserveHash(kernel.Hash) kernel.Observation
	State() kernel.CycleState
}

// The type Fault is the name of a fault in a recycling filter.
type Fault string

// These are the faults of recycling filters, one for each clause of their semantics. A Recycling without a fault is the
// simplest filter that obeys all clauses.
const (
	Faultless        Fault = ""
	ReachedRecycles  Fault = "it recycles when sigma bits are set, not when more are"
	RecyclesLate     Fault = "it recycles at the arrival after the one that passed the bound"
	JudgedAfter      Fault = "an arrival is classified after its bits were set"
	RepeatsCount     Fault = "messages that set no bit count for the bound on messages"
	TriggerTwice     Fault = "the trigger is counted in the cycle that it begins, too"
	RetainIgnored    Fault = "a trigger that should be retained is forgotten"
	RetainAlways     Fault = "a trigger that should be forgotten is retained"
	RetainedUnseen   Fault = "the retained message is no bit-setting one"
	RetainedRehashed Fault = "the retained message is hashed anew though positions are fixed"
	RetainedOld      Fault = "the retained message keeps its positions though they are fresh"
	FreezeSwapped    Fault = "freeze before and after are swapped"
	FreezeClearsAll  Fault = "freeze before clears bits that were set before the trigger came"
	FrozenKept       Fault = "the frozen array becomes active without being cleared"
	RolesKept        Fault = "the active array is cleared and the frozen one stays"
	CopyInverted     Fault = "copy-over is done when it should not be, and not done when it should"
	FrozenMoved      Fault = "the frozen array is asked for the fresh positions of the present cycle"
	ArraysMixed      Fault = "positions that are set in one array or the other make a repeat"
)

// Faults returns all faults.
func Faults() []Fault {
	return []Fault{
		ReachedRecycles, RecyclesLate, JudgedAfter, RepeatsCount, TriggerTwice, RetainIgnored, RetainAlways, RetainedUnseen,
		RetainedRehashed, RetainedOld, FreezeSwapped, FreezeClearsAll, FrozenKept, RolesKept, CopyInverted, FrozenMoved, ArraysMixed,
	}
}

// The type Recycling is a recycling filter with at most one fault. It uses one byte for each bit, and has the simplest
// possible code.
type Recycling struct {
	g         bloomproof.Geometry
	r         bloomproof.Recycling
	fault     Fault
	onRecycle func(kernel.CycleState)

	active, frozen            []bool
	cycle, messages, arrivals uint64
	late                      bool // the previous arrival passed the bound
}

// NewRecycling returns an empty filter with the fault. If the argument onRecycle is not nil, the filter calls this
// function. The call occurs where a kernel.RecyclingFilter would call its function OnRecycle.
// Cost: m bytes per phase.
// Errors: *bloomproof.ParamError, also for m above 2^30.
func NewRecycling(g bloomproof.Geometry, r bloomproof.Recycling, fault Fault, onRecycle func(kernel.CycleState)) (*Recycling, error) {
	if err := r.Validate(g); err != nil {
		return nil, err
	}
	if g.M > 1<<30 {
		return nil, &bloomproof.ParamError{Param: "m", Value: g.M, Want: "at most 2^30 in a mutant"}
	}
	return &Recycling{g: g, r: r, fault: fault, onRecycle: onRecycle, active: make([]bool, g.M), frozen: make([]bool, g.M)}, nil
}

// ObserveHash handles one arrival.
func (f *Recycling) ObserveHash(h kernel.Hash) (o kernel.Observation) {
	pos, old := f.positions(h, f.cycle), f.positions(h, f.cycle)
	if f.cycle > 0 && f.fault != FrozenMoved {
		old = f.positions(h, f.cycle-1)
	}
	f.arrivals++
	if f.late {
		f.late, o.Recycled = false, true
		f.recycle(h, nil)
	}
	if f.fault == JudgedAfter {
		defer func() { o.Active = o.Active || o.NewBits > 0 }()
	}
	o.Active = all(pos, func(p uint64) bool { return f.active[p] })
	if f.r.TwoPhase {
		o.Frozen = all(old, func(p uint64) bool { return f.frozen[p] })
		if f.fault == ArraysMixed && !o.Active {
			o.Frozen = all(old, func(p uint64) bool { return f.frozen[p] || f.active[p] })
		}
	}
	if o.Frozen && !o.Active && f.r.NoCopyOver != (f.fault == CopyInverted) {
		return o
	}
	first := f.set(pos)
	o.NewBits = uint64(len(first))
	if o.NewBits > 0 || f.fault == RepeatsCount {
		f.messages++
	}
	switch {
	case !f.passed(o):
	case f.fault == RecyclesLate:
		f.late = true
	default:
		o.Recycled = true
		f.recycle(h, first)
	}
	return o
}

// The argument o describes an arrival. If this arrival exceeded the bound of the rule, it must end the cycle. The
// method "passed" reports whether the arrival exceeded the bound.
func (f *Recycling) passed(o kernel.Observation) bool {
	switch {
	case f.r.Messages > 0:
		return f.messages >= f.r.Messages
	case f.fault == ReachedRecycles:
		return o.NewBits > 0 && count(f.active) >= f.r.Sigma
	}
	return count(f.active) > f.r.Sigma
}

// The method "recycle" ends the cycle. The message h caused the end of the cycle. Some bits were clear before the
// message h set them. The slice "first" has the positions of these bits.
func (f *Recycling) recycle(h kernel.Hash, first []uint64) {
	if f.onRecycle != nil {
		f.onRecycle(f.State())
	}
	before := f.r.FreezeBefore
	if f.fault == FreezeSwapped {
		before = !before
	}
	if f.r.TwoPhase && before {
		if f.fault == FreezeClearsAll {
			first = f.positions(h, f.cycle)
		}
		for _, p := range first {
			f.active[p] = false
		}
	}
	if f.r.TwoPhase && f.fault != RolesKept {
		f.active, f.frozen = f.frozen, f.active
	}
	if !f.r.TwoPhase || f.fault != FrozenKept {
		clear(f.active)
	}
	f.cycle++
	f.messages, f.arrivals = 0, 0
	if f.fault == TriggerTwice {
		f.arrivals = 1
	}
	if f.r.Retain && f.fault == RetainIgnored || !f.r.Retain && f.fault != RetainAlways {
		return
	}
	pos := f.positions(h, f.cycle)
	switch f.fault {
	case RetainedRehashed:
		pos = f.at(model.Cycle(h, f.cycle))
	case RetainedOld:
		pos = f.positions(h, f.cycle-1)
	}
	f.set(pos)
	if f.fault != RetainedUnseen {
		f.messages = 1
	}
}

// The method "set" sets the bits at pos in the active array, and returns the positions whose bits were clear.
func (f *Recycling) set(pos []uint64) (first []uint64) {
	for _, p := range pos {
		if !f.active[p] {
			f.active[p] = true
			first = append(first, p)
		}
	}
	return first
}

func (f *Recycling) positions(h kernel.Hash, cycle uint64) []uint64 {
	if f.r.FreshPositions {
		h = model.Cycle(h, cycle)
	}
	return f.at(h)
}

func (f *Recycling) at(h kernel.Hash) []uint64 { return ideal(nil, f.g, h) }

func all(pos []uint64, set func(uint64) bool) bool {
	for _, p := range pos {
		if !set(p) {
			return false
		}
	}
	return true
}

func count(bits []bool) (n uint64) {
	for _, set := range bits {
		if set {
			n++
		}
	}
	return n
}

// State returns the state of the cycle.
func (f *Recycling) State() kernel.CycleState {
	return kernel.CycleState{
		Cycle: f.cycle, Bits: count(f.active), FrozenBits: count(f.frozen), Messages: f.messages, Arrivals: f.arrivals,
	}
}
