package recycling

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fluid"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The type "drawn" draws the Cycles of a search instead of computing them. The rates and the capacities increase with
// sigma. The errors are so large that they decide whether an answer is certain. Some Cycles fail.
type drawn struct {
	*rand.Rand
	m       uint64
	tables  map[int]*drawnTable
	failure error // the last error of a Cycle, apart from ErrUndefined
	failed  int   // the k of this Cycle
	fails   int   // one of "fails" tables has a Cycle that fails; 0 for none
	shared  bool  // several k have the same rates and capacities
}

type drawnTable struct {
	rate, capacity, err []float64
	undefined           uint64 // from this sigma on, the filter stops recycling
	fails               uint64 // the Cycle of this sigma fails
	with                error
}

func (x *drawn) table(k int) *drawnTable {
	if t := x.tables[k]; t != nil {
		return t
	}
	t := &drawnTable{fails: math.MaxUint64, undefined: x.m + x.Uint64N(4)}
	if x.IntN(4) == 0 {
		t.undefined = x.Uint64N(x.m + 1)
	}
	if x.fails > 0 && x.IntN(x.fails) == 0 {
		t.fails = x.Uint64N(x.m)
		t.with = fmt.Errorf("k = %d: %w", k, []error{refuse.ErrTooCostly, refuse.ErrRange}[x.IntN(2)])
	}
	rate, capacity := x.Float64()/float64(x.m), 1+x.Float64()
	for range x.m {
		rate += (1 - rate) * x.Float64() * min(1, 3/float64(x.m))
		capacity *= 1 + x.Float64()*5/float64(x.m)
		t.rate, t.capacity = append(t.rate, rate), append(t.capacity, capacity)
		t.err = append(t.err, []float64{0, 0.2 * math.Exp(-12*x.Float64())}[x.IntN(2)])
	}
	for other := range x.tables {
		if o := x.tables[other]; x.shared && x.IntN(2) == 0 {
			t.rate, t.capacity = o.rate, o.capacity
			break
		}
	}
	x.tables[k] = t
	return t
}

func (x *drawn) cycle(g bloomproof.Geometry, r bloomproof.Recycling) (*Cycle, error) {
	switch t := x.table(g.K); {
	case r.Sigma == t.fails:
		x.failure, x.failed = t.with, g.K
		return nil, t.with
	case r.Sigma >= t.undefined:
		return nil, refuse.ErrUndefined
	default:
		n := cycle.Numbers{Arrivals: t.capacity[r.Sigma], Err: t.err[r.Sigma]}
		n.Positives = fm.Whole(1).Scale().Times(fm.Double{Hi: t.rate[r.Sigma] * n.Arrivals})
		return &Cycle{g, r, n}, nil
	}
}

// The method "largest" returns the result of cycleSearch.largest without a search, if no Cycle fails.
func (x *drawn) largest(k int, retain bool, p float64) (o reached) {
	t := x.table(k)
	low, high := uint64(0), x.m-1
	if retain {
		low = uint64(k)
	}
	if low > high {
		return reached{certain: true}
	}
	above := func(sigma uint64) bool { return sigma >= t.undefined || t.rate[sigma]*(1-2*t.err[sigma]) > p }
	served := func(sigma uint64) bool { return sigma <= high && sigma < t.undefined && t.rate[sigma] <= p }
	if !served(low) {
		return reached{certain: above(low)}
	}
	sigma := low
	for served(sigma + 1) {
		sigma++
	}
	c, e := t.capacity[sigma], t.err[sigma]
	o = reached{k: k, sigma: sigma, rate: t.rate[sigma], capacity: c, low: c * (1 - e)}
	o.certain = t.rate[sigma]*(1+2*e) <= p && (sigma == high || above(sigma+1))
	if o.certain {
		o.high = c * (1 + e)
		return o
	}
	at := min(high, sigma+1+uint64(16*e*float64(sigma)))
	o.high = 0x1p1000
	if at < t.undefined && (at == high || above(at)) {
		o.high = t.capacity[at] * (1 + t.err[at])
	}
	return o
}

func newDrawn(random *rand.Rand, fails int) *drawn {
	return &drawn{Rand: random, m: 1 + random.Uint64N(30), fails: fails, shared: random.IntN(3) == 0, tables: map[int]*drawnTable{}}
}

// near reports whether two results differ only by roundings.
func near(a, b reached) bool {
	for _, x := range [][2]float64{{a.rate, b.rate}, {a.capacity, b.capacity}, {a.low, b.low}, {a.high, b.high}} {
		if x[0] != x[1] && !(math.Abs(x[0]/x[1]-1) < 1e-13) {
			return false
		}
	}
	return a.k == b.k && a.sigma == b.sigma && a.certain == b.certain
}

// TestExaggeratedLargest compares the largest sigma, the bounds of its capacity and its certainty with those of a scan,
// for Cycles that are drawn. If a Cycle of the search fails, the search must return its error.
func TestExaggeratedLargest(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 25))
	counts := map[string]int{}
	for range longtest.More(4000, 40000) {
		x := newDrawn(random, 3)
		k, p := 1+x.IntN(8), x.Float64()
		if x.IntN(6) == 0 { // one of the rates is exactly p
			table := x.table(k)
			for i := range table.capacity {
				table.capacity[i], table.err[i] = math.Ldexp(1, i), 0
			}
			p = table.rate[x.IntN(len(table.rate))]
		}
		r := bloomproof.Recycling{Retain: x.IntN(3) == 0, TwoPhase: x.IntN(2) == 0}
		s := cycleSearch{m: x.m, r: r, p: p, newCycle: x.cycle}
		got, err := s.largest(k)
		if x.failure != nil || err != nil {
			counts["failures"]++
			if x.failure == nil || err != x.failure { // it is not wrapped
				t.Errorf("m = %d, k = %d, %v, p = %v: %v, but a Cycle has the error %v", x.m, k, r, p, err, x.failure)
			}
			continue
		}
		want := x.largest(k, r.Retain, p)
		if !near(got, want) {
			t.Errorf("m = %d, k = %d, %v, p = %v: %+v, by a scan %+v", x.m, k, r, p, got, want)
		}
		counts[fmt.Sprintf("k %t, certain %t, high %t", want.k > 0, want.certain, want.high < 1e300)]++
		o, err := s.answer(k)
		if (err == nil) != (want.k > 0) || err != nil && !errors.Is(err, cycle.ErrNoSigma) {
			t.Errorf("m = %d, k = %d, %v, p = %v: %v, but the result is %+v", x.m, k, r, p, err, want)
		}
		if o.M != x.m || o.K != k || o.Sigma != got.sigma || o.Rate != got.rate || o.Capacity != got.capacity || o.Certain != got.certain || !o.Excluded || o.Rivals != nil {
			t.Errorf("m = %d, k = %d, %v, p = %v: %+v, want %+v", x.m, k, r, p, o, got)
		}
	}
	for _, what := range []string{"failures", "k false, certain true, high true", "k false, certain false, high true", "k true, certain true, high true", "k true, certain false, high true", "k true, certain false, high false"} {
		if counts[what] < 10 {
			t.Errorf("the cases were %v", counts)
			break
		}
	}
}

// TestExaggeratedBest compares the best k with the results of single k, for Cycles that are drawn. In some cases the time
// does not suffice for all k, or a Cycle fails.
func TestExaggeratedBest(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 26))
	counts := map[string]int{}
	for range longtest.More(1500, 20000) {
		x := newDrawn(random, []int{0, 0, 6}[random.IntN(3)])
		r := bloomproof.Recycling{Retain: x.IntN(3) == 0}
		p := 1 - math.Exp(-6*x.Float64())
		s := cycleSearch{h: bloomproof.Classic, m: x.m, r: r, p: p, most: math.Inf(1), newCycle: x.cycle}
		if x.IntN(5) == 0 {
			s.most = 400 * x.Float64()
		}
		got, err := s.answer(0)
		what := fmt.Sprintf("m = %d, %v, p = %v: %+v, %v", x.m, r, p, got, err)
		if err != nil && err == x.failure { // it is not wrapped
			counts["failures"]++
			continue
		}
		if x.failure != nil && (!errors.Is(x.failure, refuse.ErrTooCostly) || x.failed == fluid.BestK(false, p, int(x.m))) {
			t.Errorf("%s, but a Cycle of k = %d has the error %v", what, x.failed, x.failure)
		}
		if len(x.tables) > 1 && s.spent > s.most+60 {
			t.Errorf("%s: %v microseconds of %v", what, s.spent, s.most)
		}
		best, excluded := reached{}, true
		var all []reached
		for k := 1; k <= int(x.m); k++ {
			if x.tables[k] == nil {
				continue
			}
			o := x.largest(k, r.Retain, p)
			if o.k == 0 {
				excluded = excluded && o.certain
				continue
			}
			if all = append(all, o); o.capacity > best.capacity*(1+1e-12) {
				best = o
			}
		}
		open := 0 // a k that was neither asked for nor excluded
		for k := 1; k <= int(x.m); k++ {
			if x.tables[k] == nil && !s.excluded(k, max(1, best.low)) && (!r.Retain || uint64(k) < x.m) {
				open = k
			}
		}
		if x.failure != nil && got.Excluded {
			t.Errorf("%s, but k = %d was left out: %v", what, x.failed, x.failure)
		}
		if !got.Excluded && (x.failure != nil || s.spent > s.most) { // some k may be left out
			counts["left out"]++
			switch {
			case got.K > 0:
				if own := x.largest(got.K, r.Retain, p); err != nil || got.Sigma != own.sigma || got.Capacity != own.capacity || got.Certain != own.certain {
					t.Errorf("%s, want %+v", what, own)
				}
			case open == 0 && x.failure == nil && errors.Is(err, cycle.ErrNoSigma):
			case !errors.Is(err, errLeftOut) || got.M != x.m:
				t.Errorf("%s: some k were left out", what)
			}
			continue
		}
		if got.Excluded != excluded || got.M != x.m {
			t.Errorf("%s, want excluded %t", what, excluded)
		}
		if best.k == 0 {
			if counts["none"]++; !errors.Is(err, cycle.ErrNoSigma) {
				t.Errorf("%s: no k has a sigma", what)
			}
			continue
		}
		if open > 0 {
			t.Errorf("%s: k = %d was neither asked for nor excluded", what, open)
		}
		var rivals []int
		for _, o := range all {
			if o.k != best.k && o.high >= best.low {
				rivals = append(rivals, o.k)
			}
		}
		if counts["best"]++; err != nil || got.K != best.k || got.Sigma != best.sigma || relative(got.Rate, best.rate) > 1e-13 || got.Capacity != best.capacity || got.Certain != best.certain || !slices.Equal(got.Rivals, rivals) {
			t.Errorf("%s, want %+v with the rivals %v", what, best, rivals)
		}
		if len(rivals) > 0 {
			counts["rivals"]++
		}
	}
	for _, what := range []string{"failures", "left out", "none", "best", "rivals"} {
		if counts[what] < 20 {
			t.Errorf("the cases were %v", counts)
			break
		}
	}
}

// TestSearchFaults lets each Cycle of a search fail in turn. The search must then fail too, with the same error.
func TestSearchFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves this test out, because it takes seconds under an emulator; make test runs it")
	}
	fault := errors.New("a fault that a test injected")
	one, retain, two := bloomproof.Recycling{}, bloomproof.Recycling{Retain: true}, bloomproof.Recycling{TwoPhase: true}
	whole := map[bool]int{}
	for _, x := range []struct {
		r      bloomproof.Recycling
		k      int
		n      float64
		faults int
		sizes  float64 // the time for trying every m
	}{
		{one, 0, 3, 12, mostSizes}, {one, 0, 1e9, 12, mostSizes}, {one, 3, 3, 12, mostSizes}, {one, 3, 2e4, 12, mostSizes}, {retain, 0, 3, 12, mostSizes},
		{retain, 3, 40, 12, mostSizes}, {two, 3, 3, 12, mostSizes}, {two, 3, 40, 12, mostSizes}, {two, 3, 2e4, 40, 0}, {two, 3, 400, 40, 0},
	} {
		run := func(fails int) (o Optimum, calls int, err error) {
			s := bitsSearch{cycleSearch{m: top, r: x.r, p: 0.05, most: mostSpentOfM}, x.k, x.n, x.sizes}
			s.newCycle = func(g bloomproof.Geometry, r bloomproof.Recycling) (*Cycle, error) {
				if calls++; calls == fails {
					return nil, fault
				}
				return New(g, r)
			}
			o, err = s.least()
			return o, calls, err
		}
		want, calls, err := run(0)
		if err != nil || want.Capacity < x.n {
			t.Fatalf("%+v: %+v, %v", x, want, err)
		}
		if whole[want.Excluded]++; want.Excluded != (x.sizes > 0) {
			t.Errorf("%+v: %+v", x, want)
		}
		// From the first m with such a capacity on, m was tried: the m before it does not suffice.
		if o, err := MostMessages(bloomproof.Geometry{M: want.M - 1, K: x.k}, x.r, 0.05); err == nil && o.Capacity >= x.n {
			t.Errorf("%+v: %+v, but %+v has one bit less", x, want, o)
		}
		for i := 1; i <= calls; i += 1 + calls/longtest.More(x.faults, 40*x.faults) {
			if o, _, err := run(i); !errors.Is(err, fault) {
				t.Errorf("%+v: Cycle %d of %d fails, but the result is %+v, %v", x, i, calls, o, err)
			}
		}
		if o, _, err := run(calls); !errors.Is(err, fault) {
			t.Errorf("%+v: the last of %d Cycles fails, but the result is %+v, %v", x, calls, o, err)
		}
	}
	if len(whole) < 2 {
		t.Errorf("the searches tried each m or not: %v", whole)
	}
}
