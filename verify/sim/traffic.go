package sim

import (
	"iter"
	"math/bits"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
)

// arrival is one arrival of a message.
type arrival struct {
	Key  uint64 // the message: no two of a source have the same
	Slot uint32 // where what is known of the message is kept, or noSlot
	New  bool   // it never arrived before
}

// noSlot is the slot of a message that arrives once.
const noSlot = 1<<32 - 1

// source is an arrival process at work. What it yields must not depend on what a filter
// makes of it.
//
// Messages that can return are told apart by slots, so that the memory of a simulation
// is that of the messages which can still arrive, however many have. A message keeps its
// slot until it can return no more; the New one that takes the slot then starts afresh.
type source interface {
	// Next sets dst to the arrivals that follow.
	Next(dst []arrival)
	// Slots returns the number of slots, which are 0, 1, ..., below 2^32-1.
	Slots() int
	// Closed returns the messages that arrive when no new one ever does, and nil
	// otherwise. The filter may then know all of them one day, and not recycle again.
	Closed() []arrival
}

// traffic is an arrival process. It starts at its beginning, as a source that draws from rng.
type traffic func(rng *rand.ChaCha8) source

// Keys returns the arrivals of w as rng draws them, each by the key of its message, for traces to
// be made of. They are those of Run, and end when the caller has had enough.
// Domain, Cost, Errors: those of w in Run.
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

// startAllNew is the traffic of which every message arrives once. Cost: 1 ns an arrival.
func startAllNew(*rand.ChaCha8) source { return new(allNew) }

type allNew struct{ next uint64 }

// Next sets dst to messages that never arrived before.
func (s *allNew) Next(dst []arrival) {
	for i := range dst {
		dst[i] = arrival{Key: s.next, Slot: noSlot, New: true}
		s.next++
	}
}

// Slots returns 0: nothing returns.
func (*allNew) Slots() int { return 0 }

// Closed returns nil: there are always new messages.
func (*allNew) Closed() []arrival { return nil }

// threshold returns p in units of 2^-63, which a random number of 63 bits is below with
// probability p up to 2^-64.
func threshold(p float64) uint64 { return uint64(p * (1 << 63)) }

// below returns a uniform number below n, exactly so (Lemire's method with rejection).
func below(rng *rand.ChaCha8, n uint64) uint64 {
	hi, lo := bits.Mul64(rng.Uint64(), n)
	if lo < n {
		for most := -n % n; lo < most; {
			hi, lo = bits.Mul64(rng.Uint64(), n)
		}
	}
	return hi
}
