package recycling

import (
	"errors"
	"math/big"
	"math/bits"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
)

// known returns the shape of a geometry that there is one for.
func known(t testing.TB, g bloomproof.Geometry) shape {
	t.Helper()
	s, err := shapeOf(g)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRefusals asks for hashings and blocks that this package does not know.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		g     bloomproof.Geometry
		param string
	}{
		{bloomproof.Geometry{M: 64, K: 2, Hashing: bloomproof.Partitioned}, "hashing"},
		{bloomproof.Geometry{M: 64, K: 2, Block: 32}, "block"},
		{bloomproof.Geometry{M: 64, K: 2, Hashing: bloomproof.Classic, Block: 64}, "block"},
		{bloomproof.Geometry{M: 64, K: 2, Hashing: bloomproof.Hashing(77)}, "hashing"},
		{bloomproof.Geometry{K: 2}, "m"},
	} {
		_, err := New(c.g, bloomproof.Recycling{Sigma: 30})
		_, err2 := Transition(c.g, 1, 2, 60, exact.Auto)
		for _, err := range []error{err, err2} {
			var bad *bloomproof.ParamError
			if !errors.As(err, &bad) || bad.Param != c.param {
				t.Errorf("%v: %v, want a ParamError of %s", c.g, err, c.param)
			}
		}
	}
}

// TestHashingTable holds what the table says to the outcomes of drawing the positions.
func TestHashingTable(t *testing.T) {
	for _, g := range []bloomproof.Geometry{{M: 5, K: 3}, {M: 5, K: 3, Hashing: bloomproof.Classic}, {M: 4, K: 4, Hashing: bloomproof.Classic}, {M: 1, K: 2}} {
		s := known(t, g)
		fewest := uint64(g.K)
		for _, mask := range outcomes.Masks(g) {
			fewest = min(fewest, uint64(bits.OnesCount32(mask)))
		}
		if s.least() != fewest {
			t.Errorf("%v: the fewest distinct positions are %d, the table says %d", g, fewest, s.least())
		}
		if count, size := s.batches(g.K); uint64(count)*uint64(size) != uint64(g.K) || size > 1 && uint64(size) != fewest {
			t.Errorf("%v: an item is %d batches of %d", g, count, size)
		}
		for i := range g.M + 1 {
			rest := new(big.Rat).SetInt64(1)
			for j := i; j <= min(g.M, i+uint64(g.K)); j++ {
				if canMove(s, i, j) {
					rest.Sub(rest, s.transitionRat(g.M, g.K, i, j))
				}
			}
			if rest.Sign() != 0 {
				t.Errorf("%v: the transitions from %d bits lack %v of 1", g, i, rest)
			}
		}
	}
}
