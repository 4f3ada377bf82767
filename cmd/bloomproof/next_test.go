package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/sim"
	"github.com/bloomproof/bloomproof/verify/trace"
)

// sureOf is the probability with which filters are asked to keep a rate here.
const sureOf = 0.95

// half is a filter that the first half of a trace asks for, tried on the second.
type half struct {
	fnr                         float64 // asked for
	itself, next                sim.Interval
	measured                    float64
	bits, sureBits              float64 // without and with sureOf
	sureMeasured                float64
	wasIn, isIn, kept, sureKept bool
}

// halvesOf designs filters for shares of the repeats of the first half.
func halvesOf(t *testing.T, arrivals []uint64, twoPhase bool, k int, shares []float64, seeds uint64) (all []half) {
	t.Helper()
	design, judge := arrivals[:len(arrivals)/2], arrivals[len(arrivals)/2:]
	search := searchOf(t, design, bloomproof.Recycling{TwoPhase: twoPhase}, k)
	for _, share := range shares {
		var x half
		x.fnr = share * search.estimate.Workload.Repeat
		for _, search.confidence = range []float64{0, sureOf} {
			d, _, err := search.fewest(x.fnr)
			if err != nil {
				t.Fatal(err)
			}
			rate := 0.
			for seed := range seeds {
				rate += missed(t, judge, bloomproof.Geometry{M: d.M, K: d.K}, d.Recycling, seed) / float64(seeds)
			}
			if search.confidence > 0 {
				x.sureBits, x.sureMeasured, x.sureKept = float64(d.Total()), rate, rate <= x.fnr
				continue
			}
			itself, next := search.about(d)
			x.itself, x.next, x.measured, x.bits = *itself, *next, rate, float64(d.Total())
			x.wasIn, x.isIn = itself.Low <= rate && rate <= itself.High, next.Low <= rate && rate <= next.High
			x.kept = rate <= x.fnr
		}
		all = append(all, x)
	}
	return all
}

// searchOf is that of a trace by its gaps, among filters that recycle by one rule.
func searchOf(t *testing.T, design []uint64, rule bloomproof.Recycling, k int) gapsSearch {
	t.Helper()
	l, err := trace.NewLadder(rule, 0)
	if err != nil {
		t.Fatal(err)
	}
	traffic := trace.NewEstimator(trace.Options{})
	for _, key := range design {
		l.Observe(key)
		traffic.Observe(key)
	}
	e, err := traffic.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	return gapsSearch{designs: approxfnr.Designs{K: k, Rules: []bloomproof.Recycling{rule}, Rate: gapsRate}, ladder: l, estimate: e}
}

// Where the first half of a trace has seen what comes next, the rates on the second half are in
// the intervals, and the rates that are asked for with a confidence are kept.
func TestNextHolds(t *testing.T) {
	all := unruly(longtest.More(10_000, 100_000))
	delete(all, "moving") // its gaps grow all the time
	delete(all, "loop")   // it forgets nothing or everything
	delete(all, "flash crowd")
	all["words"] = arrivalsOf(t, shipped, longtest.More(25_000, everyArrival))
	for i, name := range slices.Sorted(maps.Keys(all)) {
		arrivals := all[name]
		for _, twoPhase := range []bool{false, true} {
			if name != "words" && twoPhase != (i%2 == 0) && !longtest.Enabled() {
				continue // each trace has filters of one phase or of two, and words of both
			}
			for _, x := range halvesOf(t, arrivals, twoPhase, 6, []float64{0.05, 0.2}, 1) {
				if !x.isIn || !x.sureKept || x.sureBits <= x.bits {
					t.Errorf("%s, two phases %t: %+v", name, twoPhase, x)
				}
			}
		}
	}
}

// nextHead ends the head of the table of what comes next.
const nextHead = "| --- | --- | ---: | ---: | ---: | ---: | :---: | :---: | :---: | ---: | ---: | :---: |\n"

// The table of what comes next in docs/traces.md is what filters do.
func TestNextPage(t *testing.T) {
	if *traces == "" {
		t.Skip("this test reads five traces of 9 MB in all, which are not in the repository; make traces TRACES=DIR runs it on a copy of them; TestNextHolds runs on one of them and on generated ones")
	}
	var rows []string
	var sums [4]int
	yes := func(sum int, ok bool) string {
		if !ok {
			return "no"
		}
		sums[sum]++
		return "yes"
	}
	for _, f := range tracesFilters {
		arrivals := arrivalsOf(t, filepath.Join(*traces, f.trace+".txt.gz"), everyArrival)
		seeds := uint64(4)
		if len(arrivals) > 1_000_000 {
			seeds = 1
		}
		for _, twoPhase := range []bool{false, true} {
			phases := map[bool]string{false: "one", true: "two"}[twoPhase]
			for _, x := range halvesOf(t, arrivals, twoPhase, 0, []float64{0.02, 0.05, 0.1, 0.2, 0.4}, seeds) {
				rows = append(rows, fmt.Sprintf("| %s | %s | %.3g | %.3g to %.3g | %.3g to %.3g | %.3g | %s | %s | %s | %.2f | %.3g | %s |", f.trace, phases, 100*x.fnr,
					100*x.itself.Low, 100*x.itself.High, 100*x.next.Low, 100*x.next.High, 100*x.measured, yes(0, x.wasIn), yes(1, x.isIn), yes(2, x.kept),
					x.sureBits/x.bits, 100*x.sureMeasured, yes(3, x.sureKept)))
			}
		}
	}
	rows = append(rows, fmt.Sprintf("| all %d | | | | | | %d | %d | %d | | | %d |", len(rows), sums[0], sums[1], sums[2], sums[3]))
	page, err := os.ReadFile(tracesPage)
	if err != nil {
		t.Fatal(err)
	}
	pageIs(t, string(page), withTable(t, string(page), nextHead, rows))
}
