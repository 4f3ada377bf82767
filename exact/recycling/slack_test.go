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

// TestSlackCarried checks that the slack of a course is part of the probability that the next cycle begins with a number
// of positions, and of a mean of courses.
func TestSlackCarried(t *testing.T) {
	f := field.Rationals
	c, err := New(bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Messages: 5, Retain: true, TwoPhase: true})
	if err != nil {
		t.Fatal(err)
	}
	ending := func(slack *big.Rat) course[*big.Rat] {
		return course[*big.Rat]{from: 9, edge: []*big.Rat{big.NewRat(1, 2)}, repeats: f.Int(1), arrivals: f.Int(2), slack: slack}
	}
	fifth := big.NewRat(1, 5)
	without, with := nextStart(f, c, ending(nil), 3, f.Int(1)), nextStart(f, c, ending(fifth), 3, f.Int(1))
	if with.Sub(with, without).Cmp(fifth) != 0 || without.Sign() <= 0 {
		t.Errorf("a slack of 1/5 adds %v to %v", with, without)
	}
	weights := []*big.Rat{big.NewRat(1, 4), big.NewRat(3, 4)}
	both := meanCourse(f, []course[*big.Rat]{ending(fifth), ending(big.NewRat(2, 5))}, weights)
	none := meanCourse(f, []course[*big.Rat]{ending(nil), ending(nil)}, weights)
	if want := big.NewRat(7, 20); none.slack != nil || both.slack == nil || both.slack.Cmp(want) != 0 {
		t.Errorf("the mean slack is %v, want %v; without slack %v", both.slack, want, none.slack)
	}
}
