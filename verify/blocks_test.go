package verify

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// maxBlocksZ is how many standard deviations a measured rate may be from the exact one. The
// keys are fixed, so what passes once passes always; of the hundred and fifty rates here one is
// beyond 5 with a probability of 1e-4.
const maxBlocksZ = 5

// The measured rate of filters with blocks is package exact's, by single calls, in batches and
// in a filter that goroutines share.
//
// Claims: none of a paper's: it is what packages kernel and exact state of themselves.
func TestBlocksMeasuredRate(t *testing.T) {
	filters := uint64(longtest.More(40, 400))
	worst := 0.0
	for i, shape := range []bloomproof.Geometry{
		{K: 7, Block: 512}, {K: 11, Block: 512}, {K: 4, Block: 64}, {K: 6, Block: 4096},
		{K: 8, Block: 512, Hashing: bloomproof.Partitioned},
		{K: 8, Block: 256, Hashing: bloomproof.Partitioned},
		{K: 4, Block: 128, Hashing: bloomproof.Partitioned},
	} {
		if i%longtest.More(3, 1) != 0 {
			continue
		}
		for _, blocks := range []uint64{1, 2, 3, longtest.More[uint64](100, 1000)} {
			for _, load := range []float64{0.4, 1} { // of the keys that fill half of the bits
				g := shape
				g.M = blocks * g.Block
				n := uint64(math.Ceil(load * math.Ln2 * float64(g.M) / float64(g.K)))
				want, _, err := exact.FPR(g, n, 60, exact.Auto)
				if err != nil {
					t.Fatal(err)
				}
				runs := filters
				if blocks > 3 {
					runs = filters/10 + 4
				}
				for _, way := range []string{"single", "batch", "concurrent"} {
					z, mean := blocksZ(t, g, n, runs, way, want.Float64())
					worst = max(worst, math.Abs(z))
					if math.Abs(z) > maxBlocksZ {
						t.Errorf("%v n=%d %s: rate %.6g, want %.6g (z = %.1f)", g, n, way, mean, want.Float64(), z)
					}
				}
			}
		}
	}
	t.Logf("largest |z| %.2f", worst)
}

// blocksZ returns by how many standard deviations the mean rate of some filters of n keys is
// above want. The way also chooses the keys.
func blocksZ(t *testing.T, g bloomproof.Geometry, n, filters uint64, way string, want float64) (z, mean float64) {
	t.Helper()
	const queries = 1 << 11
	keys := make([]uint64, n+queries)
	for i := range keys {
		keys[i] = uint64(i)
	}
	var sum, squares float64
	for run := range filters {
		found, err := blocksFound(g, keys[:n], keys[n:], kernel.Options{Seed: run<<8 + uint64(len(way))}, way)
		if err != nil {
			t.Fatal(err)
		}
		x := float64(found) / queries
		sum, squares = sum+x, squares+x*x
	}
	mean = sum / float64(filters)
	// The variance between filters, and at least that of the queries.
	variance := max(squares/float64(filters)-mean*mean, want/queries)
	return (mean - want) / math.Sqrt(variance/float64(filters)), mean
}

// blocksFound adds keys to a filter in one of three ways, and returns how many of others it
// contains.
func blocksFound(g bloomproof.Geometry, keys, others []uint64, o kernel.Options, way string) (found int, err error) {
	count := func(answers []bool) {
		for _, in := range answers {
			if in {
				found++
			}
		}
	}
	switch way {
	case "single":
		f, err := kernel.New(g, o)
		if err != nil {
			return 0, err
		}
		h := f.Hasher()
		for _, key := range keys {
			f.AddHash(h.Uint64(key))
		}
		for _, key := range others {
			count([]bool{f.ContainsHash(h.Uint64(key))})
		}
	case "batch":
		f, err := kernel.New(g, o)
		if err != nil {
			return 0, err
		}
		f.AddBatch(nil, kernel.KeysOf(keys))
		count(f.ContainsBatch(nil, kernel.KeysOf(others)))
	case "concurrent":
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))) // one for each goroutine
		empty, err := kernel.New(g, o)
		if err != nil {
			return 0, err
		}
		f := empty.Concurrent()
		done := make(chan bool)
		for _, half := range [][]uint64{keys[:len(keys)/2], keys[len(keys)/2:]} {
			go func() {
				f.AddBatch(nil, kernel.KeysOf(half))
				done <- true
			}()
		}
		<-done
		<-done
		count(f.ContainsBatch(nil, kernel.KeysOf(others)))
	default:
		return 0, fmt.Errorf("no way %q", way)
	}
	return found, nil
}
