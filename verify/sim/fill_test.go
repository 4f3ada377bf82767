package sim

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// The plain counters are those of the real filter.
func TestFillCountsAsTheFilter(t *testing.T) {
	g := bloomproof.Geometry{M: 40, K: 3}
	s := filling{Geometry: g, Items: 30, Counting: true}
	rng := stream(1, 0, "positions")
	seed := stream(1, 0, "positions").Uint64()
	v, err := s.vessel(rng)
	if err != nil {
		t.Fatal(err)
	}
	f, err := kernel.NewCounting(g, 32, bloomproof.Distinct, kernel.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	var got, want Tally
	if err := v.fill(30, 50, &got, func(uint64) error { return nil }); err != nil {
		t.Fatal(err)
	}
	key := func(i uint64) []byte { return binary.LittleEndian.AppendUint64(nil, i) }
	for i := range uint64(30) {
		f.Add(key(i))
	}
	for i := range uint64(30) {
		if n, _ := f.Count(key(i)); n == 1 {
			want.Correct++
		}
	}
	for i := range uint64(50) {
		want.FalsePositives += btoi(f.Contains(key(30 + i)))
	}
	want.Items, want.Arrivals = 30, 50
	if got != want {
		t.Errorf("counted %+v, the filter %+v", got, want)
	}
}

func TestFillPlans(t *testing.T) {
	s := filling{Geometry: bloomproof.Geometry{M: 64, K: 2}, Items: 5}
	fill := func(ctx context.Context, s filling, p Plan) ([]Tally, error) {
		if p.Ideal = s.Ideal; s.Counting {
			return FillCounting(ctx, s.Geometry, s.Items, s.Increment, p)
		}
		return Fill(ctx, s.Geometry, s.Items, p)
	}
	var last uint64
	a, err := fill(context.Background(), s, Plan{Runs: 3, Arrivals: 20000, Workers: 3, Progress: func(n uint64) { last = n }})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range a {
		if n.Recycles != 91 || n.Items != 91*5 || n.Arrivals != 91*69 || n.FalsePositives+n.TrueNegatives != n.Arrivals { // 6667 by fillings of 5 and 69
			t.Errorf("%+v", n)
		}
	}
	if last != 3*91*74 {
		t.Errorf("progress ended at %d", last)
	}
	if b, err := fill(context.Background(), s, Plan{Runs: 3, Arrivals: 20000, Workers: 1}); err != nil || !slices.Equal(a, b) {
		t.Errorf("the workers matter (%v)", err)
	}
	if a[0] == a[1] && a[1] == a[2] {
		t.Error("runs are the same")
	}
	for _, row := range []struct {
		param  string
		change func(*filling)
	}{
		{"m", func(s *filling) { s.Geometry.M = 0 }}, {"m", func(s *filling) { s.Geometry.M = 1<<64 - 1 }},
		{"m", func(s *filling) { s.Geometry.M, s.Ideal = 1<<40, true }}, {"m", func(s *filling) { s.Geometry.M, s.Counting = 1<<40, true }},
		{"n", func(s *filling) { s.Items = 1 << 41 }}, {"increment", func(s *filling) { s.Counting, s.Increment = true, 9 }},
	} {
		bad := s
		row.change(&bad)
		var p *bloomproof.ParamError
		if _, err := fill(context.Background(), bad, Plan{Runs: 2, Cycles: 1}); !errors.As(err, &p) || p.Param != row.param {
			t.Errorf("%+v: error %v, want one about %s", bad, err, row.param)
		}
	}
	for _, change := range []func(*filling){func(*filling) {}, func(s *filling) { s.Ideal = true }, func(s *filling) { s.Counting = true }} {
		long := filling{Geometry: s.Geometry, Items: 1 << 40}
		change(&long)
		ctx, cancel := context.WithCancel(context.Background())
		if _, err := fill(ctx, long, Plan{Runs: 2, Cycles: 1, Progress: func(uint64) { cancel() }}); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: error %v of a run that was stopped", long, err)
		}
	}
}
