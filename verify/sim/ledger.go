package sim

import "github.com/bloomproof/bloomproof/kernel"

// Tally is what was counted in one run: arrivals by what was true and what the filter said.
type Tally struct {
	Arrivals       uint64
	TruePositives  uint64 // arrived before, called a repeat; Lucky is part of it
	FalsePositives uint64 // New, called a repeat
	TrueNegatives  uint64 // New, called new
	FalseNegatives uint64 // Forgotten, called new
	InCycle        uint64 // Recorded, called new: a filter that keeps its promise has none
	Lucky          uint64 // Forgotten, called a repeat
	Recycles       uint64
	// Absorbed says that the run ended in a state that it could never leave: no further
	// message can set a bit, so the filter never recycles again.
	Absorbed bool
	// mistaken are the arrivals of messages whose record began with a positive: a
	// message's first arrival in a cycle that was called a repeat, and all arrivals of the
	// message until it was forgotten. Truth does not tell.
	mistaken uint64
}

// Add counts an arrival of class c about which the filter found o. It panics for a
// value that is no Class.
func (t *Tally) Add(c Class, o kernel.Observation) {
	t.Arrivals++
	if o.Recycled {
		t.Recycles++
	}
	repeat := o.Repeat()
	switch c {
	case New:
		if repeat {
			t.FalsePositives++
		} else {
			t.TrueNegatives++
		}
	case Forgotten:
		if repeat {
			t.TruePositives++
			t.Lucky++
		} else {
			t.FalseNegatives++
		}
	case Recorded:
		if repeat {
			t.TruePositives++
		} else {
			t.InCycle++
		}
	default:
		panic("sim: Tally.Add: use a Class that Truth.Observe returned")
	}
}

// New returns the number of arrivals of messages that never arrived before.
func (t *Tally) New() uint64 { return t.FalsePositives + t.TrueNegatives }

// CycleNew returns the number of arrivals of messages that were recorded in no array.
func (t *Tally) CycleNew() uint64 { return t.New() + t.FalseNegatives + t.Lucky }

// The rates of a tally, as hits and trials. The first three are those of the command
// line's contract, the last three those of Dozier-FP, II-E: there message i is one that
// is recorded in no array when it arrives, F_i tells whether it is called a repeat then,
// and eta(i) counts its arrivals until it is forgotten. Every arrival belongs to one such
// message, so that sum eta(i) is the number of arrivals.

// PerArrival returns the false positives and all arrivals (f_p of Dozier-FN).
func (t *Tally) PerArrival() (hits, trials uint64) { return t.FalsePositives, t.Arrivals }

// PerNew returns the false positives and the messages that never arrived before.
func (t *Tally) PerNew() (hits, trials uint64) { return t.FalsePositives, t.New() }

// PerCycleNew returns the positives among, and the number of, arrivals that were recorded
// in no array: count-instance, sum F_i / sum 1.
func (t *Tally) PerCycleNew() (hits, trials uint64) {
	return t.FalsePositives + t.Lucky, t.CycleNew()
}

// CountFirst returns sum F_i and sum eta(i).
func (t *Tally) CountFirst() (hits, trials uint64) {
	return t.FalsePositives + t.Lucky, t.Arrivals
}

// CountEach returns sum F_i eta(i) and sum eta(i), for a run of Run.
func (t *Tally) CountEach() (hits, trials uint64) { return t.mistaken, t.Arrivals }

// FalseNegative returns the false negatives and all arrivals (f_n of Dozier-FN).
func (t *Tally) FalseNegative() (hits, trials uint64) { return t.FalseNegatives, t.Arrivals }

// Capacity returns the arrivals that were recorded in no array and the cycles: their
// quotient is E[N_0] of Dozier-FP (23), which counts the trigger.
func (t *Tally) Capacity() (cycleNew, cycles uint64) { return t.CycleNew(), t.Recycles }

// Cycle returns the arrivals and the cycles: their quotient is the mean length of a cycle.
func (t *Tally) Cycle() (arrivals, cycles uint64) { return t.Arrivals, t.Recycles }

// ledger is the ground truth of a source: a Truth by slots.
type ledger struct {
	clock
	last     []uint64 // of each slot: cycle of the last record + firstCycle
	mistaken []bool   // of each slot: its record began with a positive
	tally    Tally
}

func newLedger(c clock, slots int) *ledger {
	return &ledger{clock: c, last: make([]uint64, slots), mistaken: make([]bool, slots)}
}

// observe counts arrival a, of which the filter found o.
func (l *ledger) observe(a arrival, o kernel.Observation) {
	class, old := New, uint64(unrecorded)
	if !a.New {
		old = l.last[a.Slot]
		class = l.class(old)
	}
	l.tally.Add(class, o)
	positive := o.Repeat()
	if class == Recorded {
		positive = l.mistaken[a.Slot]
	}
	if positive {
		l.tally.mistaken++
	}
	last := l.step(old, o)
	if a.Slot != noSlot {
		l.last[a.Slot], l.mistaken[a.Slot] = last, positive
	}
}
