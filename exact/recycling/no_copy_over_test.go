package recycling

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestNoCopyOver compares the chain of both arrays in rationals and in intervals, at more digits
// too, and asks for more than it can.
func TestNoCopyOver(t *testing.T) {
	r := bloomproof.Recycling{TwoPhase: true, NoCopyOver: true}
	for _, c := range []struct {
		g        bloomproof.Geometry
		sigma    uint64
		messages uint64
		retain   bool
	}{
		{bloomproof.Geometry{M: longtest.More[uint64](20, 30), K: 3}, longtest.More[uint64](8, 12), 0, false},
		{bloomproof.Geometry{M: longtest.More[uint64](20, 30), K: 3, Hashing: bloomproof.Classic}, longtest.More[uint64](8, 12), 0, true},
		{bloomproof.Geometry{M: 24, K: 2}, 9, 0, true},
		{bloomproof.Geometry{M: 30, K: 2}, 0, 4, false},
		{bloomproof.Geometry{M: 24, K: 2}, 0, 4, true},
	} {
		if c.messages > 0 && testing.Short() {
			continue
		}
		for _, freezeBefore := range []bool{false, true} {
			r := r
			r.Sigma, r.Retain, r.FreezeBefore = c.sigma, c.retain, freezeBefore
			if c.messages > 0 {
				r.Messages = c.messages
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
				if !longtest.Enabled() && freezeBefore && prec > 60 {
					continue
				}
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
	if _, err := cycle.FPR(60); !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Errorf("m = 100000: %v", err)
	}
	var param *bloomproof.ParamError
	if _, err := cycle.State(3, 60); !errors.As(err, &param) {
		t.Errorf("State: %v", err)
	}
	if _, err := cycle.Frozen(3, false, 60); !errors.As(err, &param) {
		t.Errorf("Frozen: %v", err)
	}
}

// TestJointHashes compares the chain of both arrays hash by hash with that message by message.
func TestJointHashes(t *testing.T) {
	for _, g := range []bloomproof.Geometry{{M: 40, K: 1}, {M: 30, K: 3}, {M: 33, K: 4, Hashing: bloomproof.Classic}} {
		for _, freezeBefore := range []bool{false, true} {
			r := bloomproof.Recycling{TwoPhase: true, NoCopyOver: true, FreezeBefore: freezeBefore, Sigma: g.M*2/5 + 1}
			c, err := New(g, r)
			if err != nil {
				t.Fatal(err)
			}
			again, all, err := newJointChain(field.Intervals(300), c).longRun()
			if err != nil || c.Absorbing() || !c.hashedJoint() {
				t.Fatalf("%v %v: %v", g, r, err)
			}
			for _, work := range []uint{128, 256} {
				a, l := c.jointHashRun(work)
				for name, x := range map[string][2]*interval.Interval{"repeats": {again, a}, "arrivals": {all, l}} {
					if !x[0].Overlaps(x[1]) || x[1].RelBits() < int(work)-60 {
						t.Errorf("%v %v: %s are %v, with %d bits, by hashes %v, with %d", g, r, name,
							enclose.Interval(x[0]), x[0].RelBits(), enclose.Interval(x[1]), x[1].RelBits())
					}
				}
			}
		}
	}
}

// TestJointHashesOfOneCycle compares follow, place, visit and sums with the chain message by
// message in rationals: the sums over one cycle, from every number of frozen bits, and what
// freezes at its end.
func TestJointHashesOfOneCycle(t *testing.T) {
	for _, g := range []bloomproof.Geometry{{M: 12, K: 1}, {M: 13, K: 2}, {M: 14, K: 3}, {M: 12, K: 2, Hashing: bloomproof.Classic}} {
		for _, freezeBefore := range []bool{false, true} {
			r := bloomproof.Recycling{TwoPhase: true, NoCopyOver: true, FreezeBefore: freezeBefore, Sigma: 2 * uint64(g.K)}
			c, err := New(g, r)
			if err != nil {
				t.Fatal(err)
			}
			chain := newJointChain(field.Rationals, c)
			for f := range g.M {
				if f+r.Sigma >= g.M {
					continue // it may come to record nothing more
				}
				want, err := chain.follow(jointStart{frozen: f})
				if err != nil || want.stuck {
					t.Fatalf("%v %v, %d bits frozen: %v", g, r, f, err)
				}
				j := newJointHashes(c, f, 128)
				j.follow()
				arrivals, repeats, frozen := j.sums()
				if !arrivals.ContainsRat(want.arrivals) || !repeats.ContainsRat(want.repeats) || arrivals.RelBits() < 60 {
					t.Errorf("%v %v, %d bits frozen: %v arrivals, %v repeats, want %v, %v", g, r, f, arrivals, repeats, want.arrivals, want.repeats)
				}
				met := 0
				for i, p := range frozen {
					bits := r.Sigma + 1 + uint64(i)
					if freezeBefore {
						bits = r.Sigma - uint64(i)
					}
					x := want.ends[jointStart{frozen: bits}]
					if x == nil {
						x = field.Rationals.Int(0)
					} else {
						met++
					}
					if !p.ContainsRat(x) || p.Width().MantExp(nil) > -60 {
						t.Errorf("%v %v, %d bits frozen: %d will freeze with %v, want %v", g, r, f, bits, p, x)
					}
				}
				if met != len(want.ends) {
					t.Errorf("%v %v, %d bits frozen: %d of %d ends were asked for", g, r, f, met, len(want.ends))
				}
			}
		}
	}
}

// The states that are left out change nothing that is seen, and they are most.
func TestJointHashesDropped(t *testing.T) {
	m := longtest.More[uint64](500, 1000)
	for _, r := range []bloomproof.Recycling{{Sigma: m / 2}, {Sigma: m * 7 / 10, FreezeBefore: true}} {
		r.TwoPhase, r.NoCopyOver = true, true
		f, err := New(bloomproof.Geometry{M: m, K: 2}, r)
		if err != nil {
			t.Fatal(err)
		}
		const work = 60
		banded, whole := newJointHashes(f, r.Sigma, work), newJointHashes(f, r.Sigma, 10*work)
		whole.tiny = math.MaxInt
		banded.follow()
		whole.follow()
		if banded.visited > whole.visited/2 {
			t.Errorf("%v: %d states of %d are visited", r, banded.visited, whole.visited)
		}
		all, again, frozen := banded.sums()
		wantAll, wantAgain, wantFrozen := whole.sums()
		for i, x := range append(frozen, all, again) {
			want := append(wantFrozen, wantAll, wantAgain)[i]
			if !x.Overlaps(want) || x.RelBits() < work/2 {
				t.Errorf("%v: sum %d is %v, with all states %v", r, i, x, want)
			}
		}
	}
}

// TestJointHashesLoss compares the bounds of sums with their formulas. It invents numbers for which every term of a
// bound is many units, and computes the ends of the sums without rounding.
func TestJointHashesLoss(t *testing.T) {
	c, err := New(bloomproof.Geometry{M: 60, K: 4}, bloomproof.Recycling{Sigma: 15, FreshPositions: true, TwoPhase: true, NoCopyOver: true})
	if err != nil {
		t.Fatal(err)
	}
	j := newJointHashes(c, 16, 60)
	if j.n != 1 {
		t.Fatalf("%d words", j.n)
	}
	j.field = field.Intervals(400)
	j.least.Rsh(j.unit, 1)
	j.arrivals.Lsh(j.unit, 5)
	j.repeats.Lsh(j.arrivals, 63)
	j.ends[0].Rsh(j.unit, 1)
	j.ends[1].Rsh(j.unit, 2)
	arrivals, repeats, _ := j.sums()
	f := field.Rationals
	// A quarter of the cycles was not followed. Each of them has at most L more arrivals, where L is the least integer
	// above 16/r. Here r is slightly less than 1/2, so L = 33.
	lossy := f.Zero().SetFrac(big.NewInt(jointUlps*4), j.unit)
	missing := f.Ratio(33, 4)
	high := f.Zero().Add(f.Int(32), missing)
	unit := f.Zero().SetFrac(big.NewInt(1), j.unit)
	check := func(name string, end *big.Float, bound *big.Rat, units int64) {
		x, _ := end.Rat(nil)
		x.Sub(x, bound)
		if x.Sign() < 0 || x.Cmp(f.Zero().Mul(unit, f.Int(units))) > 0 {
			t.Errorf("%s: the upper end is %v units above the bound", name, x.Quo(x, unit).FloatString(3))
		}
	}
	check("arrivals", arrivals.Hi(), high, 1)
	// The number of repeats is too small by the missing arrivals, and by lossy for each arrival.
	bound := f.Zero().Add(f.Int(16), missing)
	check("repeats", repeats.Hi(), bound.Add(bound, f.Zero().Mul(high, lossy)), 2)
}
