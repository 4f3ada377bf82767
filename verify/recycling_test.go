package verify_test

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/bloomproof/bloomproof"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/exact"
	exactrecycling "github.com/bloomproof/bloomproof/exact/recycling"
	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Law: rates and capacities of recycling filters in float64 lie within their bounds of the
// exact ones, in every way to recycle: small filters, all of them, and others of every size
// that exact can follow.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestRecyclings(t *testing.T) {
	steps := longtest.More(8e3, 6e4)
	all := newApproxRows(accuracy.Recyclings(steps)...)
	check := func(p accuracy.Point) {
		for _, a := range all {
			if err := a.check(p); err != nil {
				t.Error(err)
			}
		}
	}
	most, drawn := longtest.More[uint64](3, 5), longtest.More[uint64](1, 12)
	for m := uint64(1); m <= most; m++ {
		for k := 1; k <= 4; k++ {
			for sigma := range m {
				check(accuracy.Point{M: m, N: sigma, K: k})
			}
		}
	}
	points := []accuracy.Point{
		{M: 100, N: 50, K: 7}, {M: 100, N: 99, K: 3}, {M: 400, N: 13, K: 7}, {M: 400, N: 6, K: 7}, {M: 700, N: 350, K: 3},
		{M: 1000, N: 999, K: 2}, {M: 40, N: 30, K: 16}, {M: 1 << 20, N: 20, K: 5}, {M: 3000, N: 1500, K: 1},
		{M: 1 << 50, N: 40, K: 8}, {M: 1<<64 - 1, N: 30, K: 6}, {M: 30, N: 20, K: 40},
	}
	if !longtest.Enabled() { // the same as the first three, but smaller
		points = []accuracy.Point{{M: 30, N: 15, K: 5}, {M: 24, N: 23, K: 3}, {M: 80, N: 13, K: 7}}
	}
	for _, p := range points {
		check(p)
	}
	for _, m := range []uint64{1 << 16, 1 << 23, 1 << 40, 1<<64 - 1} {
		for _, k := range []int{2, 7, 13} {
			if !longtest.Enabled() && (k != 7 || m > 1<<23) {
				continue
			}
			root := uint64(float64(k) * math.Sqrt(float64(m)))
			sigmas := []uint64{root / 3, 2 * root, m / 2, m - 1}
			if !longtest.Enabled() && m == 1<<16 {
				sigmas = sigmas[1:2]
			} else if !longtest.Enabled() { // 2 root takes seconds
				sigmas = slices.Delete(sigmas, 1, 2)
			}
			for _, sigma := range sigmas {
				if k < 13 || sigma > root {
					check(accuracy.Point{M: m, N: min(sigma, m-1), K: k})
				}
			}
		}
	}
	for i := range drawn {
		p := accuracy.Draw(7, i)
		if p.M > 1<<9 && i%2 == 0 {
			p.M %= 1 << 9
			p.M++
		}
		p.K = min(p.K, 20)
		check(p)
	}
	reportApprox(t, all)
}

// Law: the laws behind rate and capacity, of the state that an arrival finds, of what is
// still to come from it and of the array that freezes, are the exact ones within 1e-13, by
// the chain and in closed form.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestRecyclingLaws(t *testing.T) {
	for _, g := range []bloomproof.Geometry{
		{M: 60, K: 3}, {M: 60, K: 3, Hashing: bloomproof.Classic}, {M: 3000, K: 4}, {M: 3000, K: 4, Hashing: bloomproof.Classic},
	} {
		for _, retain := range []bool{false, true} {
			r := bloomproof.Recycling{Sigma: g.M / 2, Retain: retain}
			got, err := approxrecycling.New(g, r)
			if err != nil {
				t.Fatal(err)
			}
			want, err := exactrecycling.New(g, r)
			if err != nil {
				t.Fatal(err)
			}
			same := func(name string, b uint64, x float64, errX error, e exact.Enclosure, errE error) {
				t.Helper()
				if errX != nil || errE != nil {
					t.Fatal(errX, errE)
				}
				if w := e.Float64(); !(math.Abs(x-w) <= 1e-13*w) {
					t.Errorf("%v %v: %s(%d) is %v, want %v", g, r, name, b, x, w)
				}
			}
			for _, b := range []uint64{0, 1, uint64(g.K), g.M / 4, r.Sigma - 1, r.Sigma} {
				x, errX := got.State(b)
				e, errE := want.State(b, 60)
				same("State", b, x, errX, e, errE)
				x, errX = got.MessagesFrom(b)
				e, errE = want.MessagesFrom(b, 60)
				same("MessagesFrom", b, x, errX, e, errE)
			}
			for b := r.Sigma - uint64(g.K); b <= r.Sigma+uint64(g.K)+1; b++ {
				for _, freezeBefore := range []bool{false, true} {
					x, errX := got.Frozen(b, freezeBefore)
					e, errE := want.Frozen(b, freezeBefore, 60)
					same("Frozen before "+strconv.FormatBool(freezeBefore), b, x, errX, e, errE)
				}
			}
		}
	}
}

// Law: the shares of the states that few cycles see, above all those that a retaining filter is in
// only where a message had fewer different positions than nearly all have, are the exact ones too.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestRecyclingRareStates(t *testing.T) {
	const smallest = 0x1p-900 // below, a share may be 0
	cases := []struct {
		m     uint64
		k     int
		sigma uint64
	}{
		{2, 1, 1}, {1024, 1, 512}, {1 << 20, 1, 1 << 19}, // closed forms from the first state on
		{23, 19, 19}, {70, 14, 49}, {12, 11, 11}, {40, 20, 22}, // chains
		{1 << 16, 7, 1 << 15}, // a closed form
		{374, 18, 126}, {2876, 19, 704}, {1177, 19, 1157}, {1 << 20, 7, 1 << 19},
	}
	for i, x := range cases[:longtest.More(7, len(cases))] {
		g := bloomproof.Geometry{M: x.m, K: x.k}
		for _, fresh := range []bool{false, true} {
			if !longtest.Enabled() && (fresh != (i%2 > 0) || i == 4) {
				continue // the fifth case is a chain as the seventh
			}
			r := bloomproof.Recycling{Sigma: x.sigma, Retain: true, FreshPositions: fresh}
			got, err := approxrecycling.New(g, r)
			if err != nil {
				t.Fatal(err)
			}
			want, err := exactrecycling.New(g, r)
			if err != nil {
				t.Fatal(err)
			}
			for b := range min(x.sigma, uint64(longtest.More(x.k+1, 2*x.k+2))) + 1 {
				share, err := got.State(b)
				if err != nil {
					t.Fatal(err)
				}
				e, err := want.State(b, 60)
				if err != nil {
					t.Fatal(err)
				}
				if w := e.Float64(); !(math.Abs(share-w) <= 1e-13*w) && w > smallest {
					t.Errorf("%v %v: state %d has %v, want %v", g, r, b, share, w)
				}
			}
		}
	}
}

// Law: each single probability of how an array freezes, and each share of a state, is the exact one within the stated
// error, where nearly all cycles miss the state: a cycle begins with a rare number of distinct positions, or several
// such cycles follow one another. Where the closed formulas are wrong for single states, Frozen uses the chain. Where
// the chain takes too long, Frozen refuses.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestRecyclingRareEnds(t *testing.T) {
	const smallest = 0x1p-900 // below, a probability may be 0
	cases := []struct {
		m      uint64
		k      int
		sigma  uint64
		fresh  bool
		costly bool // only Frozen, and it refuses
		band   bool // only Frozen, where New takes the closed form, but its error is above 2^-48 for single states
	}{
		{10000, 10, 1839, false, false, true},
		{10000, 10, 1850, true, false, true}, // retains
		{1 << 20, 7, 13000, false, false, true},
		{1 << 24, 5, 5, false, false, false},
		{1 << 24, 5, 5, true, false, false},
		{1 << 40, 5, 7, false, false, false}, // a tenth of the visits to state 7 follow two rare beginnings
		{1 << 40, 5, 7, true, false, false},
		{1011182477395511424, 2, 561499533, false, true, false},
		{1011182477395511424, 2, 583726785, false, true, false},
		{10000, 10, 1909, false, false, true},
		{100000, 7, 4026, false, false, true},
		{100000, 7, 4257, false, false, true},
		{1 << 24, 7, 50000, false, false, true},
		{1 << 40, 5, 12, false, false, false},
		{1 << 30, 7, 10, false, false, false},
		{100, 20, 20, false, false, false},
	}
	for i, x := range cases[:longtest.More(8, len(cases))] {
		if !longtest.Enabled() && i == 2 {
			continue // the first case has the same fields
		}
		g := bloomproof.Geometry{M: x.m, K: x.k}
		r := bloomproof.Recycling{Sigma: x.sigma, Retain: !x.costly && !x.band || x.fresh, FreshPositions: x.fresh}
		got, err := approxrecycling.New(g, r)
		if err != nil {
			t.Fatal(err)
		}
		want, err := exactrecycling.New(g, r)
		if err != nil {
			t.Fatal(err)
		}
		k := uint64(x.k)
		bound := accuracy.StateBound(g, r)
		same := func(name string, b uint64, p float64, err error, e exact.Enclosure, errE error) {
			t.Helper()
			if err != nil || errE != nil {
				t.Fatalf("%v %v: %s(%d): %v, %v", g, r, name, b, err, errE)
			}
			if w := e.Float64(); !(math.Abs(p-w) <= bound*w) && w > smallest {
				t.Errorf("%v %v: %s(%d) is %v, want %v; off by %.3g, stated are %.3g", g, r, name, b, p, w, math.Abs(p/w-1), bound)
			}
		}
		for b := uint64(0); b <= x.sigma && !x.costly && !x.band; b++ {
			p, err := got.State(b)
			e, errE := want.State(b, 60)
			same("State", b, p, err, e, errE)
		}
		for _, freezeBefore := range []bool{true, false} {
			first := x.sigma + 1
			if freezeBefore {
				first -= k
			}
			step := uint64(1)
			if x.band { // exact computes each of these states anew
				step = longtest.More[uint64](4, 1)
			}
			for i := first; i < first+k; i += step {
				p, err := got.Frozen(i, freezeBefore)
				if x.costly {
					if !errors.Is(err, bloomproof.ErrTooCostly) {
						t.Errorf("%v %v: Frozen(%d, %t) is %v, %v, want ErrTooCostly", g, r, i, freezeBefore, p, err)
					}
					continue
				}
				e, errE := want.Frozen(i, freezeBefore, 60)
				same("Frozen before "+strconv.FormatBool(freezeBefore), i, p, err, e, errE)
			}
		}
	}
}
