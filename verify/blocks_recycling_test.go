package verify

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// blockCycles calls check for recycling filters with blocks, whose cycles have N messages.
func blockCycles(t *testing.T, check func(g bloomproof.Geometry, r bloomproof.Recycling)) {
	t.Helper()
	for i, shape := range []bloomproof.Geometry{
		{K: 7, Block: 512}, {K: 4, Block: 64}, {K: 6, Block: 4096},
		{K: 8, Block: 512, Hashing: bloomproof.Partitioned},
		{K: 8, Block: 256, Hashing: bloomproof.Partitioned},
	} {
		for j, blocks := range []uint64{1, 3, longtest.More[uint64](10, 100)} {
			g := shape
			g.M = blocks * g.Block
			messages := uint64(1.3 * math.Ln2 * float64(g.M) / float64(g.K)) // of those that fill half of the bits
			check(g, bloomproof.Recycling{Messages: messages, FreshPositions: (i+j)%2 == 0})
		}
	}
}

// The measured rate of the first N arrivals of a cycle of N messages is exact.MeanFPR's, by single
// calls, in batches and in a filter that goroutines share.
//
// Claims: none of a paper's: it is what packages kernel and exact state of themselves.
func TestBlocksRecyclingMeasuredRate(t *testing.T) {
	longtest.Only(t, "TestBlocksMeasuredRate measures filters with blocks, and package kernel compares the cycles with a model")
	worst := 0.0
	blockCycles(t, func(g bloomproof.Geometry, r bloomproof.Recycling) {
		want, err := exact.MeanFPR(g, r.Messages, 60)
		if err != nil {
			t.Fatal(err)
		}
		cycles := 2 + 1_000_000/r.Messages
		for seed, way := range []string{"single", "batch", "concurrent"} {
			f, err := kernel.NewRecycling(g, r, kernel.Options{Seed: uint64(seed)})
			if err != nil {
				t.Fatal(err)
			}
			z, mean := firstArrivalsZ(f, way, cycles, want.Float64())
			worst = max(worst, math.Abs(z))
			if math.Abs(z) > maxBlocksZ {
				t.Errorf("%v %v %s: rate %.6g, want %.6g (z = %.1f)", g, r, way, mean, want.Float64(), z)
			}
		}
	})
	t.Logf("largest |z| %.2f", worst)
}

// The rate that docs/recycling.md states.
//
// Claims: none of a paper's: it is what packages kernel and exact state of themselves.
func TestRecyclingPageMeanRate(t *testing.T) {
	e, err := exact.MeanFPR(bloomproof.Geometry{M: 6400, K: 4, Block: 64}, 1441, 60)
	if got := fmt.Sprintf("%.4f", e.Float64()); err != nil || got != "0.0409" {
		t.Errorf("%s, %v, and the page says 0.0409", got, err)
	}
}

// firstArrivalsZ returns by how many standard deviations the mean rate of the first N arrivals of
// some cycles of f is above want.
func firstArrivalsZ(f *kernel.RecyclingFilter, way string, cycles uint64, want float64) (z, mean float64) {
	n, hash := f.Recycling().Messages, f.Hasher()
	single, batch, state := f.ObserveHash, f.ObserveBatch, f.State
	if way == "concurrent" {
		c := f.Concurrent()
		single, batch, state = c.ObserveHash, c.ObserveBatch, c.State
	}
	keys := make([]uint64, n)
	next := uint64(0)
	var sum, squares float64
	for cycle := range cycles {
		for i := range keys {
			keys[i] = next
			next++
		}
		var seen []kernel.Observation
		switch way {
		case "single":
			for _, key := range keys {
				seen = append(seen, single(hash.Uint64(key)))
			}
		case "batch":
			seen = batch(nil, kernel.KeysOf(keys))
		default:
			processors := runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))) // one for each goroutine
			half := make(chan []kernel.Observation)
			for _, part := range [][]uint64{keys[:n/2], keys[n/2:]} {
				go func() { half <- batch(nil, kernel.KeysOf(part)) }()
			}
			seen = append(<-half, <-half...)
			runtime.GOMAXPROCS(processors)
		}
		found := 0.0
		for _, o := range seen {
			if o.Repeat() {
				found++
			}
		}
		sum, squares = sum+found/float64(n), squares+found/float64(n)*found/float64(n)
		for ; state().Cycle == cycle; next++ {
			single(hash.Uint64(next))
		}
	}
	mean = sum / float64(cycles)
	// The variance between cycles, and at least that of the arrivals.
	variance := max(squares/float64(cycles)-mean*mean, want/float64(n))
	return (mean - want) / math.Sqrt(variance/float64(cycles)), mean
}

// In the long run the filter and the ideal one have the same rate, which is above that of the first
// N arrivals: the bits after N messages that set some are those of N arrivals and more.
//
// Claims: none of a paper's.
func TestBlocksRecyclingLongRun(t *testing.T) {
	blockCycles(t, func(g bloomproof.Geometry, r bloomproof.Recycling) {
		first, err := exact.MeanFPR(g, r.Messages, 60)
		if err != nil {
			t.Fatal(err)
		}
		var rate, deviation [2]float64
		for i := range rate {
			plan := sim.Plan{Runs: 8, Arrivals: longtest.More[uint64](30_000, 2_000_000), Seed: 5, Ideal: i == 1}
			w := bloomproof.Workload{Popularity: bloomproof.Uniform(1)}
			tallies, err := sim.Run(context.Background(), g, r, w, plan)
			if err != nil {
				t.Fatal(err)
			}
			rate[i], deviation[i] = shareOf(tallies)
			if z := (first.Float64() - rate[i]) / deviation[i]; z > maxBlocksZ {
				t.Errorf("%v %v: rate %.6g, of the first arrivals %.6g", g, r, rate[i], first.Float64())
			}
		}
		if z := (rate[0] - rate[1]) / math.Hypot(deviation[0], deviation[1]); math.Abs(z) > maxBlocksZ {
			t.Errorf("%v %v: rate %.6g, ideal %.6g (z = %.1f)", g, r, rate[0], rate[1], z)
		}
		t.Logf("%v %v: first %.4g, %.4g, ideal %.4g, deviation %.2g", g, r, first.Float64(), rate[0], rate[1], deviation[0])
	})
}

// shareOf returns the share of false positives among the arrivals of some runs, and its standard
// deviation by the spread of the runs.
func shareOf(runs []sim.Tally) (rate, deviation float64) {
	var found, all, squares float64
	for _, r := range runs {
		found, all = found+float64(r.FalsePositives), all+float64(r.Arrivals)
	}
	rate = found / all
	for _, r := range runs {
		d := float64(r.FalsePositives) - rate*float64(r.Arrivals)
		squares += d * d
	}
	return rate, math.Sqrt(max(squares, found)) / all
}
