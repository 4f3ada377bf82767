// Package truth keeps the ground truth of the messages that a recycling filter observed. It counts how the filter's
// verdicts agree with this ground truth:
//
//   - Truth: the ground truth of a stream; it tells the Class of each arrival
//   - Counts: what the filter said of the arrivals of each class
//   - Sample: the same for a sample of the messages, in bounded memory
//   - Clock: the rule that tells, from the cycle in which a message was recorded, whether an array still holds the
//     message
package truth

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// Class says what was true of a message just before it arrived.
type Class uint8

const (
	New       Class = iota // it never arrived before
	Forgotten              // it arrived before and is recorded in no array
	Recorded               // it is recorded in the active or the frozen array
)

// String returns "new", "forgotten" or "recorded".
func (c Class) String() string {
	if int(c) < 3 {
		return [...]string{"new", "forgotten", "recorded"}[c]
	}
	return fmt.Sprintf("Class(%d)", uint8(c))
}

// A Truth decides which answers of a recycling filter are correct. It keeps one number per distinct message: the last
// cycle in which the message was recorded. Each array holds the messages of the cycle in which it was active. So this
// number is enough to decide whether an array holds the message. The call Of(rule) makes a Truth.
type Truth struct {
	clock    Clock
	last     []uint64 // of each message: 1 + the number of the clock, or 0 if it never arrived
	distinct uint64
}

// Clock decides whether one of the filter's arrays still holds a message. It needs only the number of the cycle in
// which the message was last recorded. Use NewClock.
type Clock struct {
	rule bloomproof.Recycling
	now  uint64 // present cycle + firstCycle
}

// A message that was never recorded has the constant "unrecorded" in place of the number of a cycle. The frozen array
// belongs to the previous cycle, and has the number of this cycle. In the first cycle this number must not be equal to
// unrecorded. So the first cycle has the number 2 and not 1.
const (
	unrecorded = 0
	firstCycle = 2
)

// NewClock returns the Clock of an empty filter. The argument "rule" says when the filter recycles. A message that was
// never recorded has 0 as its last cycle.
func NewClock(rule bloomproof.Recycling) Clock { return Clock{rule, firstCycle} }

// Of(rule) is a new Truth for an empty filter with the given rule. No message has arrived yet. Messages have numbers
// from 0 on.
// Memory: 8 bytes for each number from 0 to the largest number of a message that arrived.
func Of(rule bloomproof.Recycling) *Truth { return &Truth{clock: NewClock(rule)} }

// Observe records that a message arrived. The argument "message" is the number of the message, and o is the filter's
// observation of this arrival. It returns the class that the message had before the arrival. Call Observe for every
// arrival, in order. Cost: O(1).
func (t *Truth) Observe(message uint64, o kernel.Observation) Class {
	for message >= uint64(len(t.last)) {
		t.last = append(t.last, 0)
	}
	last := &t.last[message]
	if *last == 0 {
		t.distinct++
		*last = t.clock.Step(unrecorded, o) + 1
		return New
	}
	class := t.clock.Class(*last - 1)
	*last = t.clock.Step(*last-1, o) + 1
	return class
}

// Class returns the class of a message that has arrived at least once before. The argument "last" is the number of the
// cycle in which the message was last recorded.
func (c *Clock) Class(last uint64) Class {
	if last == c.now || c.rule.TwoPhase && last == c.now-1 {
		return Recorded
	}
	return Forgotten
}

// Step records an arrival of a message, with the filter's observation o of this arrival. The argument "old" is the
// number of the cycle in which the message was last recorded. The result is this number after the arrival.
func (c *Clock) Step(old uint64, o kernel.Observation) (last uint64) {
	last = c.now
	switch {
	case o.Recycled:
		if c.rule.FreezeBefore {
			last = old
		}
		c.now++
		if c.rule.Retain {
			last = c.now
		}
	case o.Frozen && !o.Active && c.rule.NoCopyOver:
		last = old
	}
	return last
}

// Distinct returns the number of distinct messages that arrived.
func (t *Truth) Distinct() uint64 { return t.distinct }
