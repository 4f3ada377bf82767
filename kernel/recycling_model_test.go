package kernel_test

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
)

// Every combination of rule, retaining, phases, freeze, copy-over and positions, in a long run with
// every hashing, otherwise with one: tiny arrays, so that a sequence sees many recycles.
func TestRecyclingStateMachine(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	tests := longtest.More(2, 8)
	for i, g := range []bloomproof.Geometry{
		{M: 17, K: 2, Hashing: bloomproof.Standard},
		{M: 70, K: 3, Hashing: bloomproof.Classic},
		{M: 24, K: 3, Hashing: bloomproof.Partitioned},
	} {
		for j, r := range model.Rules(9, 4) {
			if !longtest.Enabled() && j%3 != i {
				continue
			}
			t.Run(fmt.Sprintf("%v %v", g, r), func(t *testing.T) {
				var runs []*model.RecyclingRun
				o := optionSets[(i+j)%len(optionSets)]
				machine(t, tests, 40, func() run {
					run, err := model.NewRecyclingRun(g, r, o)
					if err != nil {
						t.Fatal(err)
					}
					runs = append(runs, run)
					return run
				})
				most := uint64(0)
				for _, r := range runs {
					most = max(most, r.Cycle())
				}
				if most < 2 {
					t.Errorf("at most %d recycles in a run: the test does not test the rule", most)
				}
			})
		}
	}
}

// The smallest and largest bounds, and k = m.
func TestRecyclingStateMachineCorners(t *testing.T) {
	bits := func(sigma uint64, retain bool) bloomproof.Recycling {
		return bloomproof.Recycling{Sigma: sigma, Retain: retain, TwoPhase: true}
	}
	messages := func(n uint64, retain bool) bloomproof.Recycling {
		return bloomproof.Recycling{Messages: n, Retain: retain, TwoPhase: true, FreshPositions: true}
	}
	for _, c := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
	}{
		{bloomproof.Geometry{M: 1, K: 1}, bits(0, false)},
		{bloomproof.Geometry{M: 1, K: 4}, messages(1, false)},
		{bloomproof.Geometry{M: 2, K: 1}, bits(1, true)},
		{bloomproof.Geometry{M: 9, K: 3}, bits(0, false)}, // every message recycles
		{bloomproof.Geometry{M: 9, K: 3}, bits(8, true)},  // sigma = m-1
		{bloomproof.Geometry{M: 9, K: 3}, bits(3, true)},  // sigma = k
		{bloomproof.Geometry{M: 9, K: 3}, bits(5, true)},  // k < sigma < 2k
		{bloomproof.Geometry{M: 9, K: 3}, messages(1, false)},
		{bloomproof.Geometry{M: 9, K: 3}, messages(2, true)},
		{bloomproof.Geometry{M: 9, K: 3}, messages(1<<64-1, true)},                     // fills up, for ever
		{bloomproof.Geometry{M: 6, K: 6, Hashing: bloomproof.Classic}, bits(5, false)}, // k = m
		{bloomproof.Geometry{M: 6, K: 6, Hashing: bloomproof.Partitioned}, messages(1, false)},
		{bloomproof.Geometry{M: 64, K: 4, Hashing: bloomproof.Partitioned}, bits(63, true)},
		{bloomproof.Geometry{M: 500, K: 70, Hashing: bloomproof.Classic}, bits(200, true)},
	} {
		t.Run(fmt.Sprintf("%v %v", c.g, c.r), func(t *testing.T) {
			machine(t, longtest.More(2, 4), 40, func() run {
				run, err := model.NewRecyclingRun(c.g, c.r, kernel.Options{})
				if err != nil {
					t.Fatal(err)
				}
				return run
			})
		})
	}
}
