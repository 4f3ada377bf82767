package claims

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Two bits, one position, sigma = 1: a cycle is a first message, repeats of its bit with
// probability 1/2 each, and the one that sets the other bit. The other rows are worked out
// by hand in the same way.
func TestRecyclers(t *testing.T) {
	two := func(f recycler, freezeBefore, fresh bool) recycler {
		f.TwoPhase, f.FreezeBefore, f.FreshPositions = true, freezeBefore, fresh
		return f
	}
	for _, c := range []struct {
		f              recycler
		rate, capacity *big.Rat
	}{
		{bitBounded(2, 1, 1, false, false), rat(1, 3), whole(3)},
		{bitBounded(2, 1, 1, false, true), rat(1, 2), whole(2)},
		{bitBounded(2, 2, 1, false, false), rat(1, 10), rat(5, 3)},
		{bitBounded(2, 2, 1, true, false), new(big.Rat), whole(1)},
		{bitBounded(3, 2, 0, true, false), new(big.Rat), whole(1)},
		{messageBounded(2, 1, 2, false, false), rat(1, 3), whole(3)},
		// Both bits are frozen: everything matches.
		{two(bitBounded(2, 1, 1, false, false), false, false), whole(1), whole(3)},
		// One bit is frozen, 1/2 at an empty array; half of the messages at one bit that find
		// it set, and half of the others when the frozen bit is not the active one.
		{two(bitBounded(2, 1, 1, false, false), true, true), rat(2, 3), whole(3)},
	} {
		a, err := c.f.average()
		if err != nil {
			t.Errorf("%+v: %v", c.f, err)
			continue
		}
		if err := first(same(a.rate(), c.rate), same(a.capacity(), c.capacity)); err != nil {
			t.Errorf("%+v: %v", c.f, err)
		}
	}
	// (N-1)k >= m: the filter can fill before its third bit-setting message.
	a, err := messageBounded(2, 1, 3, false, false).average()
	if err != nil || a.rate().Cmp(whole(1)) != 0 || a.gains[recycles].Sign() != 0 {
		t.Errorf("a filter that fills: %v, %v", a.gains, err)
	}
	// A process with two ends.
	if _, err := inTheLongRun(0, func(s int) []chance[int] {
		if s == 0 {
			return []chance[int]{{to: 1, p: rat(1, 2)}, {to: 2, p: rat(1, 2)}}
		}
		return []chance[int]{{to: s, p: whole(1)}}
	}); err == nil {
		t.Error("two ends, one long run")
	}
	s := arrays{active: 0b10110, frozen: 0b01100, settled: 7}.canonical()
	if got := fmt.Sprintf("%b %b %d", s.active, s.frozen, s.settled); got != "111 1001 7" {
		t.Error(got)
	}
}

// Package exact gives the rate and the capacity of every tiny filter that it takes, in
// every combination of rules, as following its bits does.
func TestCyclesAgree(t *testing.T) {
	last, compared := 4, 0
	if testing.Short() {
		last = 3
	}
	for m := 1; m <= last; m++ {
		for k := 1; k <= 3; k++ {
			for bound := 0; bound <= 3; bound++ {
				for set := range 1 << 7 {
					f := bitBounded(m, k, bound, set&1 != 0, set&2 != 0)
					if set&4 != 0 {
						f = messageBounded(m, k, bound, f.distinct, f.Retain)
					}
					f.TwoPhase, f.FreezeBefore = set>>3&1 != 0, set>>4&1 != 0
					f.NoCopyOver, f.FreshPositions = set>>5&1 != 0, set>>6&1 != 0
					if !longtest.Enabled() && m == last && set%3 != (k+bound)%3 {
						continue
					}
					if !f.valid() || f.TwoPhase && f.FreshPositions && m > 3 {
						continue
					}
					if err := agrees(f, &compared); err != nil {
						t.Errorf("m=%d k=%d distinct=%v %v: %v", m, k, f.distinct, f.Recycling, err)
					}
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d filters compared", compared)
	}
}

func agrees(f recycler, compared *int) error {
	c, err := exactrecycling.New(f.geometry(), f.Recycling)
	if err != nil {
		return nil // a combination that exact leaves to simulation
	}
	a, err := f.average()
	if err != nil {
		return nil // two filters for ever, which one is left to chance
	}
	*compared++
	rate, err := c.FPR(96)
	if err != nil {
		return err
	}
	if !rate.Contains(a.rate()) {
		return fmt.Errorf("rate %v, followed %v", rate, a.rate())
	}
	capacity, err := c.Capacity(96)
	if a.gains[recycles].Sign() == 0 {
		return holds(errors.Is(err, bloomproof.ErrUndefined), "the filter fills, capacity %v, %v", capacity, err)
	}
	if err != nil {
		return err
	}
	return holds(capacity.Contains(a.capacity()), "capacity %v, followed %v", capacity, a.capacity())
}
