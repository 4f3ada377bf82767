package claims

import (
	"math/big"
)

// If messages repeat, the process counts these arrivals in addition to the counts of recycling.go.
const (
	positiveArrivals = gainFree  // arrivals of messages that were false positives when they were new
	allArrivals      = gainFree2 // all arrivals
)

// inTurn describes a message that arrives several times in a row.
type inTurn struct {
	left                           int  // the number of arrivals still to come
	positive                       bool // the message was a false positive when it was new in the cycle
	recordedActive, recordedFrozen bool
}

func (t inTurn) code() int {
	return t.left<<3 | count(t.positive)<<2 | count(t.recordedActive)<<1 | count(t.recordedFrozen)
}

func decode(c int) inTurn {
	return inTurn{c >> 3, c>>2&1 == 1, c>>1&1 == 1, c&1 == 1}
}

// repeating returns the long run of a bit-bounded filter when each message arrives the given number of times in a row.
// If positions are fresh, a message that is recorded in no array draws its positions again.
func (f recycler) repeating(times int) (longRun[arrays], error) {
	if !f.valid() {
		return longRun[arrays]{}, errOutside
	}
	return inTheLongRun(arrays{}, func(s arrays) []chance[arrays] {
		var out []chance[arrays]
		l := f.positions()
		t := decode(s.settled)
		s.settled = 0
		fresh := f.FreshPositions
		arrive := func(at int, p *big.Rat) {
			t := t
			c := chance[arrays]{p: p}
			c.gains[allArrivals] = 1
			t.left--
			next := s
			if !t.recordedActive {
				known := t.recordedFrozen
				var positive, recycled bool
				next, positive, recycled = f.arrive(s, at, at, at)
				if !known {
					t.positive = positive
					c.gains[arrivals] = 1
					c.gains[falsePositives] = count(positive)
				}
				t.recordedActive = !(f.NoCopyOver && at&^s.frozen == 0)
				if recycled {
					c.gains[recycles] = 1
					t.recordedActive = f.Retain
					t.recordedFrozen = f.TwoPhase && !f.FreezeBefore
				}
			}
			c.gains[positiveArrivals] = count(t.positive)
			next.current = at
			if t.left == 0 || fresh && !t.recordedActive && !t.recordedFrozen {
				next.current = 0
			}
			if t.left == 0 {
				t = inTurn{}
			}
			next.settled = t.code()
			c.to = next.canonical()
			out = append(out, c)
		}
		switch {
		case t.left == 0:
			t.left = times
			l.each(arrive)
		case s.current == 0:
			l.each(arrive)
		default:
			arrive(s.current, whole(1))
		}
		return out
	})
}
