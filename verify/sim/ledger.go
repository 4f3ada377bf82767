package sim

import (
	"github.com/bloomproof/bloomproof/internal/truth"
	"github.com/bloomproof/bloomproof/kernel"
)

// Tally has the counts of one run. Arrivals are counted by the class of the message and by the filter's answer. In a
// run of Fill the arrivals are the look-ups, and all of them are look-ups of new items. Recycles then counts the
// fillings.
type Tally struct {
	Arrivals       uint64
	TruePositives  uint64 // the message arrived before and was called a repeat; includes Lucky
	FalsePositives uint64 // the message was new and was called a repeat
	TrueNegatives  uint64 // the message was new and was called new
	FalseNegatives uint64 // the message was forgotten and was called new
	inCycle        uint64 // the message was recorded and was called new: always 0 with a correct filter
	Lucky          uint64 // the message was forgotten and was called a repeat
	Recycles       uint64
	// Absorbed says that the run ended in a state that it could never leave. In this state no further message can set
	// a bit, so the filter never recycles again.
	Absorbed bool

	Items   uint64 // for Fill: the number of items that were added to the filter
	Correct uint64 // for FillCounting: the number of items whose smallest counter was 1, which is right

	// The field "mistaken" counts arrivals of unrecorded messages that were called repeats. It also counts the later
	// arrivals of each such message. This ends when the message is forgotten.
	mistaken uint64
}

// The rates of a tally are given as hits and trials. The command-line program reports the first three rates.
// PerCycleNew, CountFirst and CountEach are defined in section II-E of Dozier-FP, with the following symbols. Consider
// the arrivals whose message is not recorded in any array at that time. The index i numbers these arrivals. F_i is 1 if
// the filter calls this arrival a repeat, and 0 otherwise. The number eta(i) counts this arrival and all later arrivals
// of the same message, until the message is forgotten. Each arrival is counted in eta(i) for exactly one i. So the sum
// of eta(i) over all i is the number of all arrivals.

// PerArrival returns two numbers: the number of false positives, and the number of all arrivals. Their quotient is the
// rate f_p of Dozier-FN.
func (t *Tally) PerArrival() (hits, trials uint64) { return t.FalsePositives, t.Arrivals }

// PerNew returns the number of false positives and the number of messages that never arrived before.
func (t *Tally) PerNew() (hits, trials uint64) {
	return t.FalsePositives, t.FalsePositives + t.TrueNegatives
}

// PerCycleNew returns two counts. The second is the number of arrivals whose message no array had recorded. The first
// is the number of those arrivals that the filter called repeats. The quotient of these two numbers is the mean of F_i
// over all i. Dozier-FP calls it the count-instance rate.
func (t *Tally) PerCycleNew() (hits, trials uint64) {
	return t.FalsePositives + t.Lucky, t.FalsePositives + t.TrueNegatives + t.FalseNegatives + t.Lucky
}

// CountFirst returns the sum of F_i and the sum of eta(i). The first sum is the number of first arrivals that were
// false positives. The second sum is the number of all arrivals.
func (t *Tally) CountFirst() (hits, trials uint64) {
	return t.FalsePositives + t.Lucky, t.Arrivals
}

// CountEach returns two sums over all messages. The terms of the first sum are F_i*eta(i), and the terms of the second
// are eta(i). For the first sum, consider the messages whose first arrival was a false positive. The sum is the number
// of all their arrivals. The second sum is the number of all arrivals.
func (t *Tally) CountEach() (hits, trials uint64) { return t.mistaken, t.Arrivals }

// FalseNegative returns the numbers of false negatives and of all arrivals. Their quotient is the rate f_n of
// Dozier-FN.
func (t *Tally) FalseNegative() (hits, trials uint64) { return t.FalseNegatives, t.Arrivals }

// Capacity returns two numbers. The first is the number of arrivals of messages that no array had recorded. The second
// is the number of cycles. Their quotient is E[N_0] in equation (23) of Dozier-FP. It includes the message that
// triggers the recycle.
func (t *Tally) Capacity() (cycleNew, cycles uint64) {
	_, cycleNew = t.PerCycleNew()
	return cycleNew, t.Recycles
}

// Cycle returns the numbers of arrivals and of cycles. Their quotient is the mean length of a cycle.
func (t *Tally) Cycle() (arrivals, cycles uint64) { return t.Arrivals, t.Recycles }

// CorrectRate returns two numbers for a run of FillCounting. The first is the number of items whose count was right.
// The second is the number of all items.
func (t *Tally) CorrectRate() (hits, trials uint64) { return t.Correct, t.Items }

// The type "ledger" keeps the true history of each slot of a source. It compares a filter's answers with this history,
// and counts the right and the wrong answers.
type ledger struct {
	clock    truth.Clock
	last     []uint64 // for each slot: the cycle in which it was last recorded, by the clock
	begun    []bool   // for each slot, true if its record began with a false positive
	counts   truth.Counts
	mistaken uint64 // the count in the field "mistaken" of Tally
}

func newLedger(c truth.Clock, slots int) *ledger {
	return &ledger{clock: c, last: make([]uint64, slots), begun: make([]bool, slots)}
}

// The method "clear" sets the counts to 0, but keeps the history of the slots.
func (l *ledger) clear() { l.counts, l.mistaken = truth.Counts{}, 0 }

// The method "tally" returns the counts as a Tally.
func (l *ledger) tally() Tally {
	n := l.counts
	return Tally{
		Arrivals: n.Arrivals, TruePositives: n.TruePositives, FalsePositives: n.FalsePositives, TrueNegatives: n.TrueNegatives,
		FalseNegatives: n.FalseNegatives, inCycle: n.InCycle, Lucky: n.Lucky, Recycles: n.Recycles,
		mistaken: l.mistaken,
	}
}

// The method "observe" counts arrival a, for which the filter returned o.
func (l *ledger) observe(a arrival, o kernel.Observation) {
	class, old := truth.New, uint64(0)
	if !a.New {
		old = l.last[a.Slot]
		class = l.clock.Class(old)
	}
	l.counts.Add(class, o)
	positive := o.Repeat()
	if class == truth.Recorded {
		positive = l.begun[a.Slot]
	}
	if positive {
		l.mistaken++
	}
	last := l.clock.Step(old, o)
	if a.Slot != noSlot {
		l.last[a.Slot], l.begun[a.Slot] = last, positive
	}
}
