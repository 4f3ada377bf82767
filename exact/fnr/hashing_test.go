package fnr

import (
	"errors"
	"math/big"
	"math/bits"
	"testing"

	"github.com/bloomproof/bloomproof"
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
		r := bloomproof.Recycling{Sigma: 30}
		_, err := newStates(c.g, r)
		_, err2 := New(c.g, r, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 3)})
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
		masks := outcomes.Masks(g)
		sets := map[uint32]int64{}
		for _, mask := range masks {
			sets[mask]++
		}
		chances := s.chances(g.M, g.K)
		for mask, n := range sets {
			if want := big.NewRat(n, int64(len(masks))); chances[bits.OnesCount32(mask)].Cmp(want) != 0 {
				t.Errorf("%v: the chance of %b is %v, the table says %v", g, mask, want, chances[bits.OnesCount32(mask)])
			}
		}
		if avoids := g.Hashing == bloomproof.Classic; s.placed(2) != 0 != avoids {
			t.Errorf("%v: %d positions count against the third", g, s.placed(2))
		}
	}
}
