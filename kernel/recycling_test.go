package kernel_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

func TestNewRecyclingRefusesBadRules(t *testing.T) {
	g := bloomproof.Geometry{M: 64, K: 4}
	for _, c := range []struct {
		r     bloomproof.Recycling
		param string
	}{
		{bloomproof.Recycling{Sigma: 64}, "sigma"},
		{bloomproof.Recycling{Sigma: math.MaxUint64}, "sigma"},
		{bloomproof.Recycling{Sigma: 3, Retain: true}, "sigma"},
		{bloomproof.Recycling{Sigma: 9, Messages: 1}, "sigma"},
		{bloomproof.Recycling{Messages: 1, Retain: true}, "messages"},
		{bloomproof.Recycling{Messages: 5, Sigma: 9}, "sigma"},
		{bloomproof.Recycling{NoCopyOver: true}, "copy"},
		{bloomproof.Recycling{FreezeBefore: true}, "freeze"},
	} {
		f, err := kernel.NewRecycling(g, c.r, kernel.Options{})
		paramError(t, fmt.Sprintf("%+v", c.r), err, c.param)
		if f != nil {
			t.Errorf("%+v: a filter beside the error", c.r)
		}
	}
}

// hashAt returns a hash whose two positions of m = 64, k = 2, standard hashing, are a
// and b, made from the specification backwards: the increment is the difference of
// the states before mixing.
func hashAt(t *testing.T, a, b uint64) kernel.Hash {
	t.Helper()
	for low := uint64(0); low < 1<<12; low++ {
		s1, s2 := unmix(a<<58), unmix(b<<58|low)
		if h := (kernel.Hash{H0: s1 - (s2 - s1), H1: s2 - s1}); h.H1&1 == 1 {
			if p := positions(t, bloomproof.Geometry{M: 64, K: 2}, h); p[0] != a || p[1] != b {
				t.Fatalf("the hash for %d, %d has positions %v", a, b, p)
			}
			return h
		}
	}
	t.Fatalf("no hash for %d, %d", a, b)
	return kernel.Hash{}
}

// A history worked out by hand, with chosen positions: sigma = 4, two phases. The
// same four messages under each freeze, retaining or not.
func TestRecyclingByHand(t *testing.T) {
	g := bloomproof.Geometry{M: 64, K: 2}
	m1, m2, m3 := hashAt(t, 1, 2), hashAt(t, 2, 3), hashAt(t, 3, 40)
	mix, over := hashAt(t, 1, 40), hashAt(t, 50, 60)
	for _, c := range []struct {
		retain       bool
		freezeBefore bool
		// After m1, m2 (bits 1, 2, 3), then over (five bits: recycle).
		bits, frozen, messages uint64
		over                   bool    // the trigger is known afterwards
		rate                   float64 // in units of 2^-12: r(b) + r(c) - r(common), each bits^2
	}{
		{false, false, 0, 5, 0, true, 25},
		{false, true, 0, 3, 0, false, 9},
		{true, false, 2, 5, 1, true, 4 + 25 - 4},
		{true, true, 2, 3, 1, true, 4 + 9},
	} {
		f := mustNewRecycling(t, g, bloomproof.Recycling{Sigma: 4, Retain: c.retain, FreezeBefore: c.freezeBefore, TwoPhase: true}, kernel.Options{})
		var ends []kernel.CycleState
		f.OnRecycle = func(e kernel.CycleState) { ends = append(ends, e) }
		want := func(h kernel.Hash, want kernel.Observation) {
			t.Helper()
			if got := f.ObserveHash(h); got != want {
				t.Errorf("%+v: observed %+v, want %+v", c, got, want)
			}
		}
		want(m1, kernel.Observation{NewBits: 2})
		want(m2, kernel.Observation{NewBits: 1})
		want(m1, kernel.Observation{Active: true})
		want(over, kernel.Observation{NewBits: 2, Recycled: true})
		if len(ends) != 1 || ends[0] != (kernel.CycleState{Cycle: 0, Bits: 5, Messages: 3, Arrivals: 4}) {
			t.Errorf("%+v: events %+v", c, ends)
		}
		if f.State().Bits != c.bits || f.State().FrozenBits != c.frozen || f.State().Messages != c.messages || f.State().Cycle != 1 || f.ContainsHash(over) != c.over || f.Rate() != c.rate/4096 {
			t.Errorf("%+v: %v, %d messages, knows the trigger: %t, rate %v/4096", c, f, f.State().Messages, f.ContainsHash(over), f.Rate()*4096)
		}
		// Copy-over: what only the frozen array knows is recorded again.
		want(m1, kernel.Observation{Frozen: true, NewBits: 2, Recycled: false})
		want(m1, kernel.Observation{Active: true, Frozen: true})
		// Positions 1 and 40: 1 is set in both arrays, 40 in none; 3 is in the frozen one.
		if f.ContainsHash(mix) || f.ContainsHash(m3) {
			t.Errorf("%+v: positions of different arrays were mixed", c)
		}
		f.Clear()
		if f.State() != (kernel.CycleState{}) || f.Rate() != 0 || f.ContainsHash(m1) {
			t.Errorf("cleared: %v", f)
		}
	}
}

// Without copy-over, what the frozen array knows leaves no trace but the arrival.
func TestNoCopyOverByHand(t *testing.T) {
	f := mustNewRecycling(t, bloomproof.Geometry{M: 64, K: 2},
		bloomproof.Recycling{Messages: 1, TwoPhase: true, NoCopyOver: true}, kernel.Options{})
	a, b := hashAt(t, 1, 2), hashAt(t, 3, 4)
	var last kernel.CycleState
	f.OnRecycle = func(e kernel.CycleState) { last = e }
	f.ObserveHash(a)
	for range 3 {
		if o := f.ObserveHash(a); o != (kernel.Observation{Frozen: true}) || f.State().Bits != 0 || f.State().Messages != 0 {
			t.Errorf("a repeat of the frozen array: %+v, %v", o, f)
		}
	}
	if o := f.ObserveHash(b); !o.Recycled || last != (kernel.CycleState{Cycle: 1, Bits: 2, FrozenBits: 2, Messages: 1, Arrivals: 4}) {
		t.Errorf("%+v, %+v", o, last)
	}
	if f.ContainsHash(a) || !f.ContainsHash(b) {
		t.Error("the frozen array did not change")
	}
}

func TestRecyclingEqual(t *testing.T) {
	g := bloomproof.Geometry{M: 64, K: 2}
	r := bloomproof.Recycling{Sigma: 20, TwoPhase: true}
	base := mustNewRecycling(t, g, r, kernel.Options{})
	base.ObserveHash(kernel.Hash{H0: 1})
	if c := base.Clone(); !c.Equal(base) || !base.Equal(c) {
		t.Error("a clone is not equal")
	}
	again := base.Clone()
	again.ObserveHash(kernel.Hash{H0: 1}) // a repeat: one more arrival, no bit
	r2 := r
	r2.Retain = true
	other := []*kernel.RecyclingFilter{
		again,
		mustNewRecycling(t, g, r2, kernel.Options{}),
		mustNewRecycling(t, bloomproof.Geometry{M: 65, K: 2}, r, kernel.Options{}),
		mustNewRecycling(t, g, r, kernel.Options{Seed: 1}),
		mustNewRecycling(t, g, r, kernel.Keyed(sipKey[:])),
		mustNewRecycling(t, g, r, kernel.Keyed([]byte{9, 15: 0})),
	}
	for i, o := range other {
		if i > 0 {
			o.ObserveHash(kernel.Hash{H0: 1})
		}
		for j, p := range append(other, base) {
			if o.Equal(p) != (i == j) {
				t.Errorf("Equal(%d, %d) = %t", i, j, o.Equal(p))
			}
		}
	}
}
