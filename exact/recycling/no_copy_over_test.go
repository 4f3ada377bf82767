package recycling

import (
	"errors"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
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
			cycle, err := New(c.g, r)
			if err != nil {
				t.Fatal(err)
			}
			by, err := cycle.Via(exact.Recursive)
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
	r.Sigma = 50_000
	cycle, err := New(bloomproof.Geometry{M: 100_000, K: 7}, r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cycle.FPR(60); !errors.Is(err, exact.ErrTooCostly) {
		t.Errorf("m = 100000: %v", err)
	}
	var param *bloomproof.ParamError
	if _, err := cycle.State(3, 60); !errors.As(err, &param) {
		t.Errorf("State: %v", err)
	}
	if _, err := cycle.Frozen(3, bloomproof.FreezeAfter, 60); !errors.As(err, &param) {
		t.Errorf("Frozen: %v", err)
	}
}

// TestApartHashes compares the chain of both arrays hash by hash with that message by message.
func TestApartHashes(t *testing.T) {
	for _, g := range []bloomproof.Geometry{{M: 40, K: 1}, {M: 30, K: 3}, {M: 33, K: 4, Hashing: bloomproof.Classic}} {
		for _, freeze := range []bloomproof.Freeze{bloomproof.FreezeAfter, bloomproof.FreezeBefore} {
			r := bloomproof.Recycling{Phases: bloomproof.TwoPhase, NoCopyOver: true, Freeze: freeze, Sigma: g.M*2/5 + 1}
			c, err := New(g, r)
			if err != nil {
				t.Fatal(err)
			}
			again, all, err := newApart(field.Intervals(300), c).longRun()
			if err != nil || c.Absorbing() || !c.hashedApart() {
				t.Fatalf("%v %v: %v", g, r, err)
			}
			for _, work := range []uint{128, 256} {
				a, l := c.apartHashes(work)
				for name, x := range map[string][2]*interval.Interval{"repeats": {again, a}, "arrivals": {all, l}} {
					if _, apart := x[0].Cmp(x[1]); apart || x[1].RelBits() < int(work)-60 {
						t.Errorf("%v %v: %s are %v, with %d bits, by hashes %v, with %d", g, r, name,
							enclose.Interval(x[0]), x[0].RelBits(), enclose.Interval(x[1]), x[1].RelBits())
					}
				}
			}
		}
	}
}
