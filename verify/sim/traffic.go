package sim

import (
	"iter"
	"math/bits"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
)

// The type "arrival" describes the arrival of a message at a filter.
type arrival struct {
	Key  uint64 // the message; no two messages of a source have the same key
	Slot uint32 // the number of the message's entry in the ledger and the filter, or noSlot
	New  bool   // true if the message never arrived before
}

// A message that arrives only once needs no slot. Such a message has the constant noSlot instead of the number of a
// slot.
const noSlot = 1<<32 - 1

// The type "source" represents a running arrival process. Its arrivals must not depend on the answers of a filter.
//
// Messages that can return are identified by slots. So the memory of a simulation depends on how many messages can
// still arrive. It does not depend on the number of past messages. A message keeps its slot until it cannot return any
// more. Then a new message gets the slot, and its history begins anew.
type source interface {
	// Next fills dst with the next arrivals of the source.
	Next(dst []arrival)
	// Slots returns the number of slots. It is below 2^32-1, and the slots are numbered from 0.
	Slots() int
	// If no new message can ever arrive, Closed returns all messages that can arrive. Otherwise it returns nil. If the
	// filter has recorded all of these messages, it never recycles again.
	Closed() []arrival
}

// The type "traffic" represents an arrival process. It is a function that returns a new source, and the source draws
// its random numbers from rng.
type traffic func(rng *rand.ChaCha8) source

// Keys returns random arrivals of the workload w. For each arrival it returns the key of the message. These keys can be
// used to make traces. The arrivals have the same distribution as in Run, and go on until the caller stops.
// Domain, Cost, Errors: these are the same as for the argument w of Run.
func Keys(w bloomproof.Workload, rng *rand.ChaCha8) (iter.Seq[uint64], error) {
	t, err := trafficOf(w)
	if err != nil {
		return nil, err
	}
	return func(yield func(uint64) bool) {
		s := t(rng)
		var next [batch]arrival
		for {
			s.Next(next[:])
			for _, a := range next {
				if !yield(a.Key) {
					return
				}
			}
		}
	}, nil
}

// startAllNew is the traffic in which every message arrives once.
// Cost: 1 ns an arrival.
func startAllNew(*rand.ChaCha8) source { return new(allNew) }

type allNew struct{ next uint64 }

// Next fills dst with arrivals. Every arrival is the first arrival of its message.
func (s *allNew) Next(dst []arrival) {
	for i := range dst {
		dst[i] = arrival{Key: s.next, Slot: noSlot, New: true}
		s.next++
	}
}

// Slots returns 0, because no message arrives twice.
func (*allNew) Slots() int { return 0 }

// Closed returns nil: there are always new messages.
func (*allNew) Closed() []arrival { return nil }

// The function "threshold" returns p as a multiple of 2^-63. A random number of 63 bits is below this threshold with
// probability p. The error of this probability is at most 2^-64.
func threshold(p float64) uint64 { return uint64(p * (1 << 63)) }

// The function "below" returns a random number that is exactly uniform from 0 to n-1 (Lemire's method with
// rejection).
func below(rng *rand.ChaCha8, n uint64) uint64 {
	hi, lo := bits.Mul64(rng.Uint64(), n)
	if lo < n {
		for most := -n % n; lo < most; {
			hi, lo = bits.Mul64(rng.Uint64(), n)
		}
	}
	return hi
}
