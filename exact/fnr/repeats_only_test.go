package fnr

import (
	"errors"
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

func repeatsOnly(t *testing.T, g bloomproof.Geometry, r bloomproof.Recycling, q bloomproof.Popularity) *System {
	t.Helper()
	r.FreshPositions = true
	f, err := New(g, r, bloomproof.Workload{Popularity: q, Repeat: 1})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// agreesWithGroups compares rates of p bits with those of the chain by groups.
func agreesWithGroups(t *testing.T, f *System, x *Rates, name string, p uint) {
	t.Helper()
	y, err := f.byGroups(p)
	if err != nil {
		t.Fatal(name, err)
	}
	eachRate(t, name, x, y, func(what string, a, b exact.Enclosure) {
		if !a.Overlaps(b) || a.RelBits() < int(p) {
			t.Errorf("%s: %s by the integral %v, by groups %v", name, what, a, b)
		}
	})
}

// The integral is what the chain by groups says, for both bounds.
func TestRepeatsOnlyAgainstGroups(t *testing.T) {
	cases := []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
		q bloomproof.Popularity
		p uint
	}{
		{bloomproof.Geometry{M: 500, K: 4}, bloomproof.Recycling{Sigma: 48}, bloomproof.Uniform(40), longtest.More[uint](20, 30)},
		{bloomproof.Geometry{Hashing: bloomproof.Classic, M: 500, K: 4}, bloomproof.Recycling{Sigma: 48}, bloomproof.BiUniform(5, 0.0625, 40), longtest.More[uint](20, 30)},
		{bloomproof.Geometry{M: 1 << 20, K: 3}, bloomproof.Recycling{Messages: 8}, bloomproof.Zipf(1, 11), 30},
		{bloomproof.Geometry{M: 1000, K: 1}, bloomproof.Recycling{Sigma: 24}, bloomproof.Uniform(60), 80}, // seconds
	}
	for _, c := range cases[:longtest.More(2, len(cases))] {
		f := repeatsOnly(t, c.g, c.r, c.q)
		x, err := f.ofRepeats(c.p)
		if err != nil {
			t.Fatal(c, err)
		}
		agreesWithGroups(t, f, x, fmt.Sprintf("%v %v %v", c.g, c.r, c.q), c.p)
	}
}

func TestRepeatsOnlyDomain(t *testing.T) {
	g := bloomproof.Geometry{M: 10000, K: 5}
	q := bloomproof.Zipf(1, 1000)
	for name, c := range map[string]struct {
		r    bloomproof.Recycling
		q    bloomproof.Popularity
		prec uint
		want error
	}{
		"retaining": {bloomproof.Recycling{Sigma: 1000, Retain: true}, q, 60, bloomproof.ErrUndefined},
		"all fit":   {bloomproof.Recycling{Sigma: 1000}, bloomproof.Zipf(1, 20), 60, bloomproof.ErrUndefined},
		"some fit":  {bloomproof.Recycling{Sigma: 20}, bloomproof.Zipf(1, 5), 60, bloomproof.ErrUndefined},
		"none fits": {bloomproof.Recycling{Sigma: 4}, q, 60, bloomproof.ErrUndefined},
		"few fit":   {bloomproof.Recycling{Sigma: 12}, q, 60, bloomproof.ErrTooCostly},
		"digits":    {bloomproof.Recycling{Sigma: 1000}, q, 1 << 18, bloomproof.ErrTooCostly},
	} {
		if _, err := repeatsOnly(t, g, c.r, c.q).ofRepeats(c.prec); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
