package model_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/model"
)

// A message that triggers a recycle stays in the frozen array, or not.
func Example() {
	g := bloomproof.Geometry{M: 64, K: 2, Hashing: bloomproof.Classic}
	r := bloomproof.Recycling{Messages: 2, TwoPhase: true}
	first, second := kernel.Hash{H0: 1}, kernel.Hash{H0: 2}
	for _, r.FreezeBefore = range []bool{false, true} {
		m := model.NewRecycling(g, r)
		m.Observe(first)
		m.Observe(second)
		fmt.Printf("freeze before %t: first known %t, second known %t\n", r.FreezeBefore, m.Contains(first), m.Contains(second))
	}
	// Output:
	// freeze before false: first known true, second known true
	// freeze before true: first known true, second known false
}

func TestRules(t *testing.T) {
	seen := map[bloomproof.Recycling]bool{}
	for _, r := range model.Rules(9, 3) {
		if err := r.Validate(bloomproof.Geometry{M: 16, K: 2}); err != nil {
			t.Errorf("%v: %v", r, err)
		}
		seen[r] = true
	}
	if len(seen) != 40 {
		t.Errorf("%d rules, want 40", len(seen))
	}
}

// The model's rates are formulas too; here every outcome of a new message is counted.
func TestRateCountsOutcomes(t *testing.T) {
	for _, g := range []bloomproof.Geometry{
		{M: 6, K: 2, Hashing: bloomproof.Standard}, {M: 6, K: 3, Hashing: bloomproof.Classic},
		{M: 6, K: 3, Hashing: bloomproof.Partitioned}, {M: 5, K: 3, Hashing: bloomproof.Standard},
	} {
		for _, r := range model.Rules(4, 3) {
			m := model.NewRecycling(g, r)
			for i := range uint64(12) {
				m.Observe(kernel.Hash{H0: i * 0x9e3779b97f4a7c15, H1: i})
				a, b := m.Active(), m.Frozen()
				var hit, all int64
				outcomes(g, nil, func(x []uint64) {
					// Fixed positions ask both arrays for x; fresh ones ask the frozen array
					// for an independent y.
					if !r.FreshPositions {
						all++
						if inside(a, x) || inside(b, x) {
							hit++
						}
						return
					}
					outcomes(g, nil, func(y []uint64) {
						all++
						if inside(a, x) || inside(b, y) {
							hit++
						}
					})
				})
				if got, want := m.Rate(), big.NewRat(hit, all); got.Cmp(want) != 0 {
					t.Fatalf("%v %v: rate %v, counted %v", g, r, got, want)
				}
			}
		}
	}
}

func inside(set map[uint64]bool, pos []uint64) bool {
	for _, p := range pos {
		if !set[p] {
			return false
		}
	}
	return true
}

// outcomes calls f with all equally likely position lists that begin with head.
func outcomes(g bloomproof.Geometry, head []uint64, f func([]uint64)) {
	if len(head) == g.K {
		f(head)
		return
	}
	slice := g.M / uint64(g.K)
	for p := range g.M {
		if g.Hashing == bloomproof.Partitioned && p/slice != uint64(len(head)) {
			continue
		}
		if g.Hashing == bloomproof.Classic && slices.Contains(head, p) {
			continue
		}
		outcomes(g, append(head[:len(head):len(head)], p), f)
	}
}

// The decoder of the fuzz targets can spell every action.
func TestDecodeReachesEveryAction(t *testing.T) {
	seen := map[model.Action]int{}
	for b := range 256 {
		seen[model.ActionOf(uint8(b))]++
	}
	for a := model.Insert; a <= model.Map; a++ {
		if seen[a] == 0 && a != model.Remove && a != model.RemoveH {
			t.Errorf("no byte decodes to %v", model.Op{Action: a})
		}
	}
	if more := seen[model.Insert] + seen[model.InsertH]; more < 192 {
		t.Errorf("%d of 256 bytes insert, want at least 192", more)
	}
	clear(seen)
	for b := range 256 {
		seen[model.CountingActionOf(uint8(b))]++
	}
	for _, a := range []model.Action{
		model.Insert, model.InsertH, model.Probe, model.Clear, model.Copy, model.Snapshot, model.Reload,
		model.Swap, model.Unite, model.Remove, model.RemoveH, model.InsertBatch, model.ProbeBatch,
	} {
		if seen[a] == 0 {
			t.Errorf("no byte decodes to %v in a counting run", model.Op{Action: a})
		}
	}
	if got := len(model.DecodeCounting(make([]byte, 5))); got != 2 {
		t.Errorf("5 bytes give %d operations, want 2", got)
	}
	if got := len(model.Decode(make([]byte, 7))); got != 3 {
		t.Errorf("7 bytes give %d operations, want 3", got)
	}
}
