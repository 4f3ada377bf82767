package truth

import "github.com/bloomproof/bloomproof/kernel"

// Counts are numbers of arrivals. The arrivals are classified by the true state of the message and by the filter's
// answer.
type Counts struct {
	Arrivals       uint64
	TruePositives  uint64 // arrived before, called a repeat; Lucky is part of it
	FalsePositives uint64 // New, called a repeat
	TrueNegatives  uint64 // New, called new
	FalseNegatives uint64 // Forgotten, called new
	InCycle        uint64 // Recorded, called new: a filter that keeps its promise has none
	Lucky          uint64 // Forgotten, called a repeat
	Recycles       uint64
}

// Add counts an arrival of class c for which the filter returned o. It panics if c is not a Class.
func (n *Counts) Add(c Class, o kernel.Observation) {
	n.Arrivals++
	if o.Recycled {
		n.Recycles++
	}
	repeat := o.Repeat()
	switch c {
	case New:
		if repeat {
			n.FalsePositives++
		} else {
			n.TrueNegatives++
		}
	case Forgotten:
		if repeat {
			n.TruePositives++
			n.Lucky++
		} else {
			n.FalseNegatives++
		}
	case Recorded:
		if repeat {
			n.TruePositives++
		} else {
			n.InCycle++
		}
	default:
		panic("truth: Counts.Add: use a Class that Truth.Observe returned")
	}
}

// New returns the number of arrivals whose message had not arrived before.
func (n *Counts) New() uint64 { return n.FalsePositives + n.TrueNegatives }

// CycleNew returns the number of arrivals of messages that were recorded in no array.
func (n *Counts) CycleNew() uint64 { return n.New() + n.FalseNegatives + n.Lucky }
