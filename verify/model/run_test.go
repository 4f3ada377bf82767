package model

import (
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// A run that could not fail would prove nothing: a model that follows any other rule
// than the filter must be caught.
func TestRunCatchesEveryWrongRule(t *testing.T) {
	g := bloomproof.Geometry{M: 24, K: 2, Hashing: bloomproof.Standard}
	rules := Rules(9, 4)
	rules = append(rules,
		bloomproof.Recycling{Sigma: 10}, bloomproof.Recycling{Sigma: 8},
		bloomproof.Recycling{Messages: 3},
		bloomproof.Recycling{Messages: 5})
	for i, real := range rules {
		for j, wrong := range rules {
			if i == j {
				continue
			}
			run, err := NewRecyclingRun(g, real, kernel.Options{})
			if err != nil {
				t.Fatal(err)
			}
			run.model = NewRecycling(g, wrong)
			run.r = wrong
			rng := rand.New(rand.NewPCG(uint64(i), uint64(j)))
			caught := false
			for range 400 {
				op := Op{ActionOf(uint8(rng.Uint32())), uint8(rng.Uint32())}
				if op.Action == Insert || op.Action == InsertH || op.Action == Probe {
					if err := run.apply(op); err != nil {
						caught = true
						break
					}
					run.ends = nil
				}
			}
			if !caught {
				t.Errorf("filter %v was not told from %v", real, wrong)
			}
		}
	}
}

// Likewise a bit too many, which only the comparison after an operation can see.
func TestRunCatchesAStrayBit(t *testing.T) {
	g := bloomproof.Geometry{M: 500, K: 3, Hashing: bloomproof.Classic}
	run, err := NewFilterRun(g, kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range []Op{{Insert, 1}, {Swap, 0}, {Insert, 2}, {Estimate, 0}} {
		if err := run.Apply(op); err != nil {
			t.Fatal(err)
		}
	}
	run.otherReal.AddHash(kernel.Hash{H0: 99})
	if err := run.Apply(Op{Probe, 3}); err == nil {
		t.Error("a bit that the model does not have went unseen")
	}
}

// A model that increments by the other rule, or counts with another width, is caught by
// the results of operations alone.
func TestRunCatchesTheWrongCounting(t *testing.T) {
	g := bloomproof.Geometry{M: 5, K: 4}
	all := []Counters{{Width: 4}, {Width: 4, Increment: bloomproof.Literal}, {Width: 8}, {Width: 8, Increment: bloomproof.Literal}}
	for i, real := range all {
		for j, wrong := range all {
			if i == j {
				continue
			}
			run, err := NewCountingRun(g, real, kernel.Options{})
			if err != nil {
				t.Fatal(err)
			}
			run.model = NewCounting(g, wrong)
			rng := rand.New(rand.NewPCG(uint64(i), uint64(j)))
			caught := false
			for range 400 {
				action := []Action{Insert, Insert, Remove, Probe}[rng.IntN(4)]
				if err := run.apply(Op{action, uint8(rng.IntN(3))}); err != nil {
					caught = true
					break
				}
			}
			if !caught {
				t.Errorf("filter %v was not told from %v", real, wrong)
			}
		}
	}
}
