package sim

import (
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
)

// maxSlots is the largest number of messages that a simulated workload may have.
const maxSlots = 1 << 26

// trafficOf returns the arrival process of a workload. The comment of Run describes this process.
// Cost: O(D) for the tables, and then O(log D) for each arrival. Each new message takes about D/2^14 more steps, as the
// comment of the type "ranks" explains. An arrival takes 30 ns at D = 1000, and 1 ns without repeats. Memory: 12 bytes
// for each of the D messages, and 24 more for each run in progress. Without repeats, no memory is needed.
// Errors: *bloomproof.ParamError.
func trafficOf(w bloomproof.Workload) (traffic, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	d := w.Popularity.D
	if d > maxSlots {
		return nil, &bloomproof.ParamError{Param: "D", Value: d, Want: "at most 2^26 messages in a simulation"}
	}
	if w.Repeat == 0 {
		return startAllNew, nil // no message returns, so ranks do not matter
	}
	q := uniform(d)
	if p := w.Popularity; p.Weights != nil || p.S > 0 || p.Alpha > 0 {
		q = newLaw(d, p.Weight)
	}
	zeta := q
	switch {
	case w.Arrivals == bloomproof.ArrivalUniform:
		zeta = uniform(d)
	case w.Arrivals == bloomproof.ArrivalLast, w.Arrivals == bloomproof.ArrivalFirst:
		zeta = nil
	case w.ArrivalWeights != nil:
		zeta = newLaw(d, func(j uint64) float64 { return w.ArrivalWeights[j] })
	}
	return func(rng *rand.ChaCha8) source {
		s := &workload{rng: rng, w: w, repeat: threshold(w.Repeat), q: q, zeta: zeta, order: newRanks(int(d)), keys: make([]uint64, d), next: d}
		for j := range s.keys {
			s.keys[j] = uint64(j)
		}
		return s
	}, nil
}

type workload struct {
	rng     *rand.ChaCha8
	w       bloomproof.Workload
	repeat  uint64
	q, zeta *law // zeta is nil if all new messages enter at one rank
	order   *ranks
	keys    []uint64 // the key of the message in each slot
	next    uint64   // the next key
}

// Next fills dst with repeats and new messages. The repeats are drawn by popularity.
func (s *workload) Next(dst []arrival) {
	for i := range dst {
		if s.rng.Uint64()>>1 < s.repeat {
			slot := s.order.at(uint32(s.q.draw(s.rng)))
			dst[i] = arrival{Key: s.keys[slot], Slot: slot}
			continue
		}
		slot := s.order.push(uint32(s.rank()))
		s.keys[slot] = s.next
		s.next++
		dst[i] = arrival{Key: s.keys[slot], Slot: slot, New: true}
	}
}

// A new message enters at some rank. The method "rank" draws this rank.
func (s *workload) rank() uint64 {
	switch {
	case s.zeta != nil:
		return s.zeta.draw(s.rng)
	case s.w.Arrivals == bloomproof.ArrivalLast:
		return s.w.Popularity.D - 1
	}
	return 0
}

// Slots returns the number of slots. Each message that may arrive again has a slot.
func (s *workload) Slots() int { return len(s.keys) }

// If all arrivals are repeats, Closed returns the messages of positive popularity. Otherwise it returns nil.
func (s *workload) Closed() []arrival {
	if s.w.Repeat < 1 {
		return nil
	}
	var all []arrival
	for slot, key := range s.keys { // at the beginning, slots are in the order of their ranks
		if s.w.Popularity.Weight(uint64(slot)) > 0 {
			all = append(all, arrival{Key: key, Slot: uint32(slot)})
		}
	}
	return all
}
