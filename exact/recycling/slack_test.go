package recycling

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
)

// What a course leaves out counts for the frozen array at least as much as where it can lie: moved from the largest
// number of bits into the slack, the probability of an end gives moments that are not smaller.
func TestSlackCoversMoments(t *testing.T) {
	f := field.Rationals
	for _, before := range []bool{false, true} {
		g := bloomproof.Geometry{M: 60, K: 3, Hashing: bloomproof.Classic}
		c, err := New(g, bloomproof.Recycling{Messages: 5, Retain: true, TwoPhase: true, FreezeBefore: before})
		if err != nil {
			t.Fatal(err)
		}
		const s = 3
		distinct := transitions(f, c.g, 0, g.K)
		b := c.mostBits(4)
		all := f.Int(0)
		for _, p := range triggers(f, c, b, s, distinct[s]) {
			all.Add(all, p)
		}
		one := course[*big.Rat]{from: b, edge: []*big.Rat{f.Zero().Quo(f.Int(1), all)}}
		left := course[*big.Rat]{from: b, edge: []*big.Rat{f.Int(0)}, slack: f.Int(1)}
		want, got := frozenMoments(f, c, one, distinct, s), frozenMoments(f, c, left, distinct, s)
		for j := range want {
			for e := range want[j] {
				if got[j][e].Cmp(want[j][e]) < 0 {
					t.Errorf("before %t: the slack has a moment (%d, %d) of %v, the end one of %v", before, j, e, got[j][e], want[j][e])
				}
			}
		}
	}
}
