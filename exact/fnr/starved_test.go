package fnr

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
)

// Rates that are computed with hardly more bits than asked for, or from sums and integrals that end after a few terms,
// still contain the value that 60 bits give: the rounding errors and the remainders are as large as they are said to
// be.
func TestStarved(t *testing.T) {
	const most = 60
	type number struct {
		name  string
		of    func(prec uint) (*Rates, error)
		truth *Rates
	}
	var all []number
	fresh := bloomproof.Recycling{FreshPositions: true}
	retain := fresh
	retain.Retain = true
	for _, x := range []struct {
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
			if f, err := of(most); err == nil {
				all = append(all, number{fmt.Sprintf("%s of %v, %v, %v", name, x.g, r, x.w), of, f})
			}
		}
	}
	answers, wide := 0, 0
	try := func(s precision.Starving, prec uint) {
		defer precision.Starve(s)()
		for _, x := range all {
			f, err := x.of(prec)
			if err != nil {
				continue // it tells that it cannot
			}
			for i, e := range []*exact.Enclosure{&f.FNR, &f.Lucky, &f.FPR, f.Cycle} {
				truth := []*exact.Enclosure{&x.truth.FNR, &x.truth.Lucky, &x.truth.FPR, x.truth.Cycle}[i]
				if e == nil || truth == nil {
					continue
				}
				if answers++; e.RelBits() < most {
					wide++
				}
				if !e.Overlaps(*truth) {
					t.Errorf("%+v: number %d by %s to %d bits is [%.10g, %.10g], but %.15g", s, i, x.name, prec, e.Lo(), e.Hi(), truth.Lo())
				}
			}
		}
	}
	for _, guard := range []int{0, 1, 4} {
		for _, prec := range []uint{3, 14} {
			try(precision.Starving{Guard: guard}, prec)
		}
	}
	for _, cut := range []int{1, 2, 5} {
		try(precision.Starving{Guard: -1, Cut: cut}, most)
	}
	t.Logf("%d ways, %d answers, %d of them wide", len(all), answers, wide)
	if len(all) < 6 || wide < answers/4 {
		t.Error("hardly an answer was starved: the test shows nothing")
	}
}
