package exact

import (
	"errors"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// TestApart compares the chain of both arrays in rationals and in intervals, at more digits
// too, and asks for more than it can.
func TestApart(t *testing.T) {
	r := bloomproof.Recycling{Phases: bloomproof.TwoPhase, NoCopyOver: true}
	for _, c := range []struct {
		g        bloomproof.Geometry
		sigma    uint64
		messages uint64
		retain   bool
	}{
		{bloomproof.Geometry{M: 30, K: 3}, 12, 0, false},
		{bloomproof.Geometry{M: 30, K: 3, Hashing: bloomproof.Classic}, 12, 0, true},
		{bloomproof.Geometry{M: 24, K: 2}, 9, 0, true},
		{bloomproof.Geometry{M: 30, K: 2}, 0, 4, false},
		{bloomproof.Geometry{M: 24, K: 2}, 0, 4, true},
	} {
		if c.messages > 0 && testing.Short() {
			continue
		}
		for _, freeze := range []bloomproof.Freeze{bloomproof.FreezeAfter, bloomproof.FreezeBefore} {
			r := r
			r.Sigma, r.Retain, r.Freeze = c.sigma, c.retain, freeze
			if c.messages > 0 {
				r.Rule, r.Messages = bloomproof.MessageBounded, c.messages
			}
			cycle, err := NewCycle(c.g, r)
			if err != nil {
				t.Fatal(err)
			}
			by, err := cycle.Via(Recursive)
			if err != nil {
				t.Fatal(err)
			}
			want, err := cycle.FPR(60)
			rate, ok := want.Rat()
			if err != nil || !ok {
				t.Fatalf("%v %v: %v, %v", c.g, r, want, err)
			}
			for _, prec := range []uint{60, 400} {
				if e, err := by.FPR(prec); err != nil || !e.Contains(rate) || e.RelBits() < int(prec) {
					t.Errorf("%v %v: the rate is %v; to %d bits %v, %v", c.g, r, rate, prec, e, err)
				}
			}
		}
	}
	r.Sigma = 5000
	cycle, err := NewCycle(bloomproof.Geometry{M: 10_000, K: 7}, r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cycle.FPR(60); !errors.Is(err, ErrTooCostly) {
		t.Errorf("m = 10000: %v", err)
	}
	var param *bloomproof.ParamError
	if _, err := cycle.State(3, 60); !errors.As(err, &param) {
		t.Errorf("State: %v", err)
	}
	if _, err := cycle.Frozen(3, bloomproof.FreezeAfter, 60); !errors.As(err, &param) {
		t.Errorf("Frozen: %v", err)
	}
}
