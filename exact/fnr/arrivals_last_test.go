package fnr

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// With arrivals at the last rank, tiny filters are what the whole chain says.
func TestArrivalsLast(t *testing.T) {
	checked := 0
	compare := func(f *System, name string, rates func(uint) (*Rates, error)) {
		x, err := f.ofArrivalsLast(24)
		if err != nil {
			t.Fatal(name, err)
		}
		y, err := rates(24)
		if err != nil {
			t.Fatal(name, err)
		}
		eachRate(t, name, x, y, func(what string, a, b exact.Enclosure) {
			if !a.Overlaps(b) || a.RelBits() < 24 {
				t.Errorf("%s: %s is %v, by the other route %v", name, what, a, b)
			}
			checked++
		})
	}
	for i, w := range []bloomproof.Workload{
		{Popularity: bloomproof.Zipf(1, 4), Repeat: 0.75},
		{Popularity: bloomproof.Weights([]float64{3, 1, 1, 0}), Repeat: 0.5},
	} {
		w.Arrivals = bloomproof.ArrivalLast
		for _, g := range []bloomproof.Geometry{{M: 9, K: 2}, {Hashing: bloomproof.Classic, M: 9, K: 2}} {
			for _, r := range []bloomproof.Recycling{{Sigma: 4}, {Messages: 3}} {
				if (i+int(g.Hashing)+int(r.Messages))%2 > 0 || !longtest.Enabled() && i != 1 {
					continue
				}
				r.FreshPositions = true
				f, err := New(g, r, w)
				if err != nil {
					t.Fatal(err)
				}
				compare(f, fmt.Sprintf("%v %v %v", g, r, w), f.Rates)
			}
		}
	}
	t.Logf("%d rates", checked)
}

// Gauss's rule integrates polynomials of degree 2n-1.
func TestGaussLegendre(t *testing.T) {
	const n = 16
	at, weights, err := gaussLegendre(n, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, degree := range []int{0, 2, 2*n - 2, 2*n - 1} {
		got := 0.0
		for i, x := range at {
			mid, _ := x.Lo().Float64()
			w, _ := weights[i].Lo().Float64()
			got += w * math.Pow(mid, float64(degree))
		}
		want := 0.0
		if degree%2 == 0 {
			want = 2 / float64(degree+1)
		}
		if math.Abs(got-want) > 1e-14 {
			t.Errorf("x^%d: %v, want %v", degree, got, want)
		}
	}
	for i, w := range weights {
		if w.RelBits() < 90 || at[i].RelBits() < 90 {
			t.Errorf("node %d: %v %v", i, at[i], w)
		}
	}
}

func TestArrivalsLastRefuses(t *testing.T) {
	g := bloomproof.Geometry{M: 60, K: 3}
	last := bloomproof.ArrivalLast
	for name, x := range map[string]struct {
		r    bloomproof.Recycling
		w    bloomproof.Workload
		want error
	}{
		"retaining":       {bloomproof.Recycling{Sigma: 20, Retain: true, FreshPositions: true}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 9), Repeat: 0.5, Arrivals: last}, bloomproof.ErrUndefined},
		"fixed positions": {bloomproof.Recycling{Sigma: 20}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 9), Repeat: 0.5, Arrivals: last}, bloomproof.ErrUndefined},
		"repeats only":    {bloomproof.Recycling{Sigma: 20, FreshPositions: true}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 9), Repeat: 1, Arrivals: last}, bloomproof.ErrUndefined},
		"arrivals as Q":   {bloomproof.Recycling{Sigma: 20, FreshPositions: true}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 9), Repeat: 0.5}, bloomproof.ErrUndefined},
		"many ranks":      {bloomproof.Recycling{Sigma: 20, FreshPositions: true}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1<<40), Repeat: 0.5, Arrivals: last}, bloomproof.ErrTooCostly},
		"long cycles":     {bloomproof.Recycling{Sigma: 20, FreshPositions: true}, bloomproof.Workload{Popularity: bloomproof.Zipf(3, 1<<16), Repeat: 0.999, Arrivals: last}, bloomproof.ErrTooCostly},
	} {
		f, err := New(g, x.r, x.w)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.ofArrivalsLast(53); !errors.Is(err, x.want) {
			t.Errorf("%s: got %v, want %v", name, err, x.want)
		}
	}
}
