package fnr

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// eachRate calls f with every rate that two results have.
func eachRate(t *testing.T, name string, x, y *Rates, f func(what string, x, y exact.Enclosure)) {
	t.Helper()
	f("fnr", x.FNR, y.FNR)
	f("lucky", x.Lucky, y.Lucky)
	f("fpr", x.FPR, y.FPR)
	for what, pair := range map[string][2]*exact.Enclosure{
		"per new": {x.FPRPerNew, y.FPRPerNew}, "per cycle-new": {x.FPRPerCycleNew, y.FPRPerCycleNew}, "cycle": {x.Cycle, y.Cycle},
	} {
		if (pair[0] == nil) != (pair[1] == nil) {
			t.Errorf("%s: %s: only one of %v, %v", name, what, pair[0], pair[1])
		} else if pair[0] != nil {
			f(what, *pair[0], *pair[1])
		}
	}
}

// By groups, tiny filters are what the whole chain says.
func TestGroupedAgainstChain(t *testing.T) {
	checked := 0
	for _, g := range []bloomproof.Geometry{{M: 9, K: 2}, {Hashing: bloomproof.Classic, M: 9, K: 2}} {
		for n, r := range allRules(4, 3) {
			if r.TwoPhase || !r.FreshPositions {
				continue
			}
			for i, w := range []bloomproof.Workload{
				{Popularity: bloomproof.Zipf(1, 4), Repeat: 0.75},
				{Popularity: bloomproof.Uniform(4), Repeat: 0.5},
				{Popularity: bloomproof.BiUniform(2, 0.375, 5), Repeat: 0.75},
				{Popularity: bloomproof.Weights([]float64{3, 1, 1, 0}), Repeat: 0.5},
				{Popularity: bloomproof.Uniform(1), Repeat: 0.5},
				{Popularity: bloomproof.Zipf(0.5, 3), Repeat: 0},
			} {
				if (n+i+int(g.Hashing))%longtest.More(3, 1) != 0 {
					continue
				}
				w.Arrivals = bloomproof.ArrivalLast
				f, err := New(g, r, w)
				if err != nil {
					t.Fatal(err)
				}
				x, err := f.byGroups(100)
				if err != nil {
					t.Fatal(g, r, w, err)
				}
				y, err := f.Rates(100)
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("%v %v %v", g, r, w)
				eachRate(t, name, x, y, func(what string, a, b exact.Enclosure) {
					if !a.Overlaps(b) || a.RelBits() < 100 {
						t.Errorf("%s: %s by groups %v, by the chain %v", name, what, a, b)
					}
				})
				checked++
			}
		}
	}
	t.Logf("%d filters", checked)
}

// Without new messages the rates by groups are those that last, up to the probability
// that all messages fit.
func TestGroupedLasting(t *testing.T) {
	g := bloomproof.Geometry{M: 1 << 12, K: 3}
	for i, w := range []bloomproof.Workload{
		{Popularity: bloomproof.Zipf(1, 5), Repeat: 1},
		{Popularity: bloomproof.Uniform(5), Repeat: 1},
		{Popularity: bloomproof.BiUniform(2, 0.375, 5), Repeat: 1},
	} {
		for _, retain := range []bool{false, true} {
			if !longtest.Enabled() && (i == 1 || retain != (i == 0)) {
				continue
			}
			r := bloomproof.Recycling{Messages: 3, Retain: retain, FreshPositions: true}
			f, err := New(g, r, w)
			if err != nil {
				t.Fatal(err)
			}
			x, err := f.byGroups(40)
			if err != nil {
				t.Fatal(err)
			}
			y, err := f.Lasting(40)
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%v %v", r, w)
			eachRate(t, name, x, y, func(what string, a, b exact.Enclosure) {
				if math.Abs(a.Float64()-b.Float64()) > 1e-11*b.Float64() {
					t.Errorf("%s: %s by groups %v, lasting %v", name, what, a, b)
				}
			})
		}
	}
}

// At full size f_n = (sum of u)/V - (1-p_r) + f_p holds between independent numbers, and a
// uniform popularity without new messages has V = sum of v_i/(1 - i/D).
func TestGroupedIdentity(t *testing.T) {
	g := bloomproof.Geometry{M: 800, K: 4}
	for _, retain := range []bool{false, true} {
		for i, w := range []bloomproof.Workload{
			{Popularity: bloomproof.Uniform(300), Repeat: 0.75, Arrivals: bloomproof.ArrivalLast},
			{Popularity: bloomproof.BiUniform(20, 0.03125, 300), Repeat: 0.75, Arrivals: bloomproof.ArrivalLast},
			{Popularity: bloomproof.Uniform(300), Repeat: 1},
		} {
			if !longtest.Enabled() && (i == 0 && retain || i == 1 && !retain) {
				continue
			}
			r := bloomproof.Recycling{Sigma: 60, Retain: retain, FreshPositions: true}
			f, err := New(g, r, w)
			if err != nil {
				t.Fatal(err)
			}
			x, err := f.byGroups(80)
			if err != nil {
				t.Fatal(err)
			}
			c, err := newStates(g, r)
			if err != nil {
				t.Fatal(err)
			}
			u, err := c.sumOfUnlucky(80)
			if err != nil {
				t.Fatal(err)
			}
			want := u.Float64()/x.Cycle.Float64() - (1 - w.Repeat) + x.FPR.Float64()
			if math.Abs(x.FNR.Float64()-want) > 1e-14 {
				t.Errorf("%v %v: f_n = %v, the identity gives %v", r, w, x.FNR, want)
			}
			if w.Repeat < 1 {
				continue
			}
			v := 0.0
			fill := newFiller(field.Intervals(64), known(t, g), r)
			for i := range 80 {
				if i > 0 || !retain {
					fits := interval.New(64)
					for _, p := range fill.rows[0] {
						fits.Add(fits, p)
					}
					v += enclose.Interval(fits.Quo(fits, fill.scale)).Float64() / (1 - float64(i)/300)
				}
				fill.next()
			}
			if math.Abs(x.Cycle.Float64()-v) > 1e-12 {
				t.Errorf("%v %v: V = %v, the sum gives %v", r, w, x.Cycle, v)
			}
		}
	}
}

func TestGroupedDomain(t *testing.T) {
	g := bloomproof.Geometry{M: 100, K: 3}
	fresh := bloomproof.Recycling{Sigma: 50, FreshPositions: true}
	last := bloomproof.ArrivalLast
	for name, c := range map[string]struct {
		r    bloomproof.Recycling
		w    bloomproof.Workload
		want error
	}{
		"fixed":       {bloomproof.Recycling{Sigma: 50}, bloomproof.Workload{Popularity: bloomproof.Uniform(9), Repeat: 0.5, Arrivals: last}, bloomproof.ErrUndefined},
		"ranks move":  {fresh, bloomproof.Workload{Popularity: bloomproof.Uniform(9), Repeat: 0.5}, bloomproof.ErrUndefined},
		"all fit":     {fresh, bloomproof.Workload{Popularity: bloomproof.Uniform(9), Repeat: 1}, bloomproof.ErrUndefined},
		"some fit":    {fresh, bloomproof.Workload{Popularity: bloomproof.Uniform(20), Repeat: 1}, bloomproof.ErrUndefined},
		"many groups": {fresh, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Repeat: 1}, bloomproof.ErrTooCostly},
		"many ranks":  {fresh, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1<<40), Repeat: 1}, bloomproof.ErrTooCostly},
	} {
		f, err := New(g, c.r, c.w)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.byGroups(60); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// TestWidened widens sums by wide enclosures of what they leave out. Each end of these enclosures shows.
func TestWidened(t *testing.T) {
	f := field.Intervals(60)
	ends := func(lo, hi float64) *interval.Interval { return f.Zero().SetEnds(big.NewFloat(lo), big.NewFloat(hi)) }
	const never, rest = 0.5, 0.125 // the upper ends
	q := &grouped{f: f, last: -1, fits: make([]*interval.Interval, 3), ending: ends(0.25, never), rest: ends(0.0625, rest)}
	q.all = []peers{{n: 1, p: ends(0.75, 1)}, {n: 1, p: ends(0.25, 0.5)}}
	q.arrives = ends(0.5, 1)
	for _, last := range []int{-1, 0} {
		s := &groupSums{v: ends(1, 1), next: []*interval.Interval{ends(3, 4), ends(0, 0)}}
		for i := range s.tally {
			s.tally[i] = ends(1, 2)
		}
		slowest := 0.25 // the lower end of the last group
		if q.last = last; last >= 0 {
			slowest = 0.5
		}
		q.bound(s)
		for _, x := range []struct{ got, want *interval.Interval }{
			{s.v, ends(1, 1+rest/slowest)}, {s.tally[lucky], ends(1-3*never, 2+rest)},
			{s.next[0], ends(3-3*never, 4+rest)}, {s.next[1], ends(0, 0)},
		} {
			if x.got.Lo().Cmp(x.want.Lo()) != 0 || x.got.Hi().Cmp(x.want.Hi()) != 0 {
				t.Errorf("last group %d: got %v to %v, want %v to %v", last, x.got.Lo(), x.got.Hi(), x.want.Lo(), x.want.Hi())
			}
		}
	}
}
