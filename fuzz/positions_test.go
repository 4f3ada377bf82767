package fuzz

import (
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/model"
)

// FuzzPositions compares the derivation of positions with the model, which is written from the
// specification, for any geometry, hash and cycle.
func FuzzPositions(f *testing.F) {
	f.Fuzz(func(t *testing.T, h0, h1, cycle, m uint64, k int, hashing uint8) {
		g := bloomproof.Geometry{M: m, K: k, Hashing: bloomproof.Hashing(hashing)}
		if h0&1 == 0 {
			g = nearest(g)
		}
		h := kernel.Hash{H0: h0, H1: h1}
		at := model.Cycle(h, cycle)
		got, err := kernel.AppendPositions([]uint64{1}, g, at)
		if (err == nil) != (possible(g) && g.M <= 1<<48) {
			t.Fatalf("%v: error %v", g, err)
		}
		if err != nil {
			if len(got) != 1 {
				t.Fatalf("%v: %v beside the error %v", g, got, err)
			}
			return
		}
		cases.Add(1)
		if want := model.Positions(g, at); !slices.Equal(got[1:], want) {
			t.Fatalf("%v %#x: %v, want %v", g, at, got[1:], want)
		}
	})
}

// nearest returns a valid geometry. If g is valid, the result is g. Random numbers are rarely a valid geometry. A filter
// with an invalid geometry is refused, and then no position is tested.
func nearest(g bloomproof.Geometry) bloomproof.Geometry {
	if g.M > 1<<48 {
		g.M >>= 16
	}
	if g.K < 1 || g.K > bloomproof.MaxK {
		g.K = int(uint(g.K)%64) + 1
	}
	g.M = max(g.M, uint64(g.K))
	if g.Hashing %= 3; g.Hashing == bloomproof.Partitioned {
		g.M -= g.M % uint64(g.K)
	}
	return g
}
