package fnr

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/starved"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Rates that are computed with hardly more bits than asked for, or from sums and integrals that end after a few terms,
// still contain the value that 40 bits give, or 60 in the long form: the rounding errors and the remainders are as large as they are said to
// be.
func TestStarved(t *testing.T) {
	var all []starved.Computation
	fresh := bloomproof.Recycling{FreshPositions: true}
	retain := fresh
	retain.Retain = true
	for i, x := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
		w bloomproof.Workload
	}{
		{bloomproof.Geometry{M: 60, K: 2}, fresh, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 18), Repeat: 1}},
		{bloomproof.Geometry{M: 60, K: 2}, fresh, bloomproof.Workload{Popularity: bloomproof.Uniform(18), Repeat: 1}},
		{bloomproof.Geometry{M: 80, K: 3, Hashing: bloomproof.Classic}, fresh, bloomproof.Workload{Popularity: bloomproof.Zipf(0.5, 18), Repeat: 1}},
		{bloomproof.Geometry{M: 18, K: 2}, fresh, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 4), Repeat: 0.75, Arrivals: bloomproof.ArrivalLast}},
		{bloomproof.Geometry{M: 5, K: 2}, retain, bloomproof.Workload{Popularity: bloomproof.Weights([]float64{3, 2, 1}), Repeat: 0.75}},
		{bloomproof.Geometry{M: 5, K: 1}, fresh, bloomproof.Workload{Popularity: bloomproof.Zipf(1.5, 3), Repeat: 0.3}},
	} {
		if !longtest.Enabled() && i == 0 {
			continue // the same law with classic hashing, and the same hashing with another law, come below
		}
		r := x.r
		if r.Sigma = x.g.M / 3; x.g.M == 5 {
			r.Sigma = 2
		}
		c, err := New(x.g, r, x.w)
		if err != nil {
			t.Fatal(err)
		}
		ways := map[string]func(uint) (*Rates, error){"groups": c.byGroups, "repeats only": c.ofRepeats, "last": c.ofArrivalsLast}
		if x.g.M == 5 {
			ways = map[string]func(uint) (*Rates, error){"the chain": c.Rates, "lasting": c.Lasting}
		}
		if x.w.Popularity.Alpha > 0 && x.w.Popularity.D > 8 {
			delete(ways, "groups") // every set of messages is one
		}
		for name, of := range ways {
			all = append(all, starved.Computation{Name: fmt.Sprintf("%s of %v, %v, %v", name, x.g, r, x.w), Of: func(prec uint) ([]starved.Enclosure, error) {
				f, err := of(prec)
				if err != nil {
					return nil, err
				}
				if f.Cycle == nil {
					return []starved.Enclosure{f.FNR, f.Lucky, f.FPR, nil}, nil
				}
				return []starved.Enclosure{f.FNR, f.Lucky, f.FPR, *f.Cycle}, nil
			}})
		}
	}
	plan := starved.Plan{Most: 40, Record: "testdata/widths.txt", Long: longtest.Enabled(), Guards: []int{0}, Precs: []uint{3}, Cuts: []int{1}}
	if longtest.Enabled() {
		plan = starved.Plan{Most: 60, Record: "testdata/widths.txt", Long: longtest.Enabled(), Guards: []int{0, 1, 4}, Precs: []uint{3, 14}, Cuts: []int{1, 2, 5}}
	}
	if n := plan.Check(t, all); n < 6 {
		t.Errorf("only %d ways have an answer", n)
	}
}

// The remainder of the sum of ofRepeats is least generous if a cycle ends with the last message that was missing: the
// mean time until that message arrives is then all of the bound. In these filters five or seven messages hardly ever
// have a bit in common, and a cycle ends with the last of them.
func TestStarvedRepeats(t *testing.T) {
	var all []starved.Computation
	for _, n := range longtest.More([]uint64{4}, []uint64{4, 6}) {
		for _, alpha := range []float64{0, 1, 2} {
			c, err := New(bloomproof.Geometry{M: 1 << 40, K: 3}, bloomproof.Recycling{FreshPositions: true, Messages: n}, bloomproof.Workload{Popularity: bloomproof.Zipf(alpha, n+1), Repeat: 1})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, starved.Computation{Name: fmt.Sprintf("ofRepeats, %d messages, alpha %g", n, alpha), Of: func(prec uint) ([]starved.Enclosure, error) {
				of := c.ofRepeats
				if prec > 20 { // the true values are those of another route
					of = c.byGroups
				}
				f, err := of(prec)
				if err != nil {
					return nil, err
				}
				return []starved.Enclosure{f.FNR, f.Lucky, f.FPR}, nil
			}})
		}
	}
	starved.Plan{Most: 60, At: 20, Cuts: longtest.More([]int{1, 3}, []int{1, 2, 3, 5, 8})}.Check(t, all)
}
