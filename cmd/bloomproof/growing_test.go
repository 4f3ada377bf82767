package main

import (
	"math/big"
	"strconv"
	"testing"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/like"
)

// Where the rates of a growing filter are enclosed, simulations agree with them. Eight intervals of 99 % for fixed
// seeds: at most one may miss.
func TestGrowthIsSimulated(t *testing.T) {
	layers, err := exact.Growing{Items: 100, Rate: big.NewRat(1, 20), Growth: 2, Tighten: big.NewRat(4, 5)}.Layers()
	if err != nil {
		t.Fatal(err)
	}
	ns := []uint64{50, 90, 100, 150, 250, 300, 350, 400}
	all := make([]growingRate, len(ns))
	for i, n := range ns {
		all[i].N = count(n)
	}
	if err := simulateGrowth(layers, all, 12); err != nil {
		t.Fatal(err)
	}
	want, err := exact.GrowingFPRs(layers, ns)
	if err != nil {
		t.Fatal(err)
	}
	missed := 0
	for i, a := range all {
		if a.FPR == nil || a.Law != like.Simulated {
			t.Fatalf("%d keys: %+v", ns[i], a)
		}
		low, err1 := strconv.ParseFloat(a.FPR.Lo, 64)
		high, err2 := strconv.ParseFloat(a.FPR.Hi, 64)
		if x := want[i].Float64(); err1 != nil || err2 != nil || x < low || x > high {
			missed++
			t.Logf("%d keys: %s to %s, the rate is %v", ns[i], a.FPR.Lo, a.FPR.Hi, want[i])
		}
		if high > 1.1*low {
			t.Errorf("%d keys: %s to %s is wide", ns[i], a.FPR.Lo, a.FPR.Hi)
		}
	}
	if missed > 1 {
		t.Errorf("%d of %d intervals miss the rate", missed, len(ns))
	}
}
