package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/truth"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/model"
)

// union is an ideal filter by brute force: the positions of the messages that each array
// records, looked up in the filter under test.
type union struct {
	f              *ideal
	active, frozen []map[uint64]bool
	cycle          uint64
}

func setOf(pos []uint64) map[uint64]bool {
	set := map[uint64]bool{}
	for _, p := range pos {
		set[p] = true
	}
	return set
}

func merged(sets []map[uint64]bool) map[uint64]bool {
	all := map[uint64]bool{}
	for _, set := range sets {
		for p := range set {
			all[p] = true
		}
	}
	return all
}

func covers(sets []map[uint64]bool, pos map[uint64]bool) bool {
	for p := range pos {
		if !slices.ContainsFunc(sets, func(set map[uint64]bool) bool { return set[p] }) {
			return false
		}
	}
	return true
}

// look returns the positions of a in the two arrays, before it is observed.
func (u *union) look(a arrival) (pos, old map[uint64]bool) {
	pos = setOf(u.f.positions(a, u.cycle))
	old = pos
	if u.f.r.FreshPositions && u.cycle > 0 {
		old = setOf(u.f.positions(a, u.cycle-1))
	}
	return pos, old
}

// expect returns what must be found of a, by the definitions, given where look found it.
func (u *union) expect(a arrival, pos, old map[uint64]bool) kernel.Observation {
	r := u.f.r
	o := kernel.Observation{Active: covers(u.active, pos)}
	o.Frozen = r.TwoPhase && covers(u.frozen, old)
	if o.Active || o.Frozen && r.NoCopyOver {
		return o
	}
	before := len(merged(u.active))
	u.active = append(u.active, pos)
	after := len(merged(u.active))
	o.NewBits = uint64(after - before)
	if r.Messages > 0 {
		o.Recycled = uint64(len(u.active)) == r.Messages
	} else {
		o.Recycled = uint64(after) > r.Sigma
	}
	if o.Recycled {
		u.frozen = slices.Clone(u.active)
		if r.FreezeBefore {
			u.frozen = u.frozen[:len(u.frozen)-1]
		}
		u.active = nil
		u.cycle++
		if r.Retain {
			u.active = append(u.active, setOf(u.f.positions(a, u.cycle)))
		}
	}
	return o
}

// The ideal filter follows the semantics, for every rule and hashing, and its positions
// are those that the hashing allows and last as long as the rule says.
func TestIdeal(t *testing.T) {
	traffic := pool(t, bloomproof.Workload{Popularity: bloomproof.Zipf(0.5, 30), Repeat: 0.8})
	for _, g := range []bloomproof.Geometry{
		{M: 48, K: 3}, {M: 48, K: 3, Hashing: bloomproof.Classic}, {M: 48, K: 3, Hashing: bloomproof.Partitioned},
		{M: 6, K: 6, Hashing: bloomproof.Classic}, {M: 130, K: 20},
	} {
		for i, rule := range model.Rules(g.M/2, 10) {
			if g.M == 6 && (rule.Retain || rule.Messages > 0) {
				continue // one message fills it
			}
			f, err := newIdeal(g, rule, 30, stream(uint64(i), 0, "positions"))
			if err != nil {
				t.Fatal(err)
			}
			u := &union{f: f}
			arrivals, _ := take(traffic, uint64(i), 250)
			lasting := map[uint64][]uint64{}
			for at, a := range arrivals {
				// Drawn before, so that filter and oracle look the same ones up.
				if a.New {
					f.forgetSlot(a.Slot)
				}
				pos := slices.Clone(f.positions(a, f.cycle))
				checkPositions(t, g, pos)
				if was, known := lasting[a.Key]; known && !rule.FreshPositions && !slices.Equal(was, pos) {
					t.Fatalf("%v %v: arrival %d has positions %v, before %v", g, rule, at, pos, was)
				}
				lasting[a.Key] = pos
				a.New = false
				in, was := u.look(a)
				var got [1]kernel.Observation
				f.observe(got[:], []arrival{a})
				if want := u.expect(a, in, was); got[0] != want {
					t.Fatalf("%v %v: arrival %d: %+v, want %+v", g, rule, at, got[0], want)
				}
				if f.bits != uint64(len(merged(u.active))) || rule.TwoPhase && f.frozenBits != uint64(len(merged(u.frozen))) {
					t.Fatalf("%v %v: arrival %d: %d and %d bits", g, rule, at, f.bits, f.frozenBits)
				}
			}
			if f.cycle < 3 && !f.full() {
				t.Errorf("%v %v: %d recycles", g, rule, f.cycle)
			}
		}
	}
}

func checkPositions(t *testing.T, g bloomproof.Geometry, pos []uint64) {
	t.Helper()
	if len(pos) != g.K {
		t.Fatalf("%v: %d positions", g, len(pos))
	}
	for j, p := range pos {
		slice := g.M / uint64(g.K)
		if p >= g.M || g.Hashing == bloomproof.Partitioned && p/slice != uint64(j) {
			t.Fatalf("%v: positions %v", g, pos)
		}
	}
	if g.Hashing == bloomproof.Classic && len(setOf(pos)) != g.K {
		t.Fatalf("%v: positions %v", g, pos)
	}
}

// The tally is that of the definitions, from the whole history: classes by Truth, and
// F_i and eta(i) of every message that is recorded in no array when it arrives.
func TestTally(t *testing.T) {
	for name, w := range map[string]bloomproof.Workload{
		"new":       allNewMessages,
		"immediate": {Popularity: bloomproof.Uniform(1), Repeat: 0.6},
		"zipf":      {Popularity: bloomproof.Zipf(1, 60), Repeat: 0.7},
	} {
		g := bloomproof.Geometry{M: 48, K: 3}
		for _, rule := range model.Rules(g.M/2, 10) {
			arrivals, src := take(pool(t, w), 5, 3000)
			f, err := kernel.NewRecycling(g, rule, kernel.Options{})
			if err != nil {
				t.Fatal(err)
			}
			found := make([]kernel.Observation, len(arrivals))
			(&hashed{RecyclingFilter: f}).observe(found, arrivals)
			l := newLedger(truth.NewClock(rule), src.Slots())

			clock, record := truth.NewClock(rule), map[uint64]uint64{}
			if name != "new" { // the pool arrived before
				for key := range w.Popularity.D {
					record[key] = 0
				}
			}
			type message struct{ positive, eta uint64 }
			var messages []message
			last := map[uint64]int{} // key to its latest message
			var want truth.Counts
			for i, a := range arrivals {
				l.observe(a, found[i])
				class := truth.New
				if old, known := record[a.Key]; known {
					class = clock.Class(old)
				}
				record[a.Key] = clock.Step(record[a.Key], found[i])
				want.Add(class, found[i])
				if class != truth.Recorded {
					last[a.Key] = len(messages)
					messages = append(messages, message{positive: btoi(found[i].Repeat())})
				}
				messages[last[a.Key]].eta++
			}
			var f1, f2, eta uint64
			for _, m := range messages {
				f1 += m.positive
				f2 += m.positive * m.eta
				eta += m.eta
			}
			if l.counts != want || l.mistaken != f2 {
				t.Errorf("%s %v: tally %+v, want %+v and %d", name, rule, l.tally(), want, f2)
			}
			tally := l.tally()
			for _, row := range []struct {
				what         string
				rate         func(*Tally) (hits, trials uint64)
				hits, trials uint64
			}{
				{"count-first", (*Tally).CountFirst, f1, eta},
				{"count-each", (*Tally).CountEach, f2, eta},
				{"count-instance", (*Tally).PerCycleNew, f1, uint64(len(messages))},
				{"per arrival", (*Tally).PerArrival, want.FalsePositives, 3000},
				{"per new", (*Tally).PerNew, want.FalsePositives, want.New()},
				{"false negative", (*Tally).FalseNegative, want.FalseNegatives, 3000},
				{"capacity", (*Tally).Capacity, uint64(len(messages)), f.State().Cycle},
				{"cycle", (*Tally).Cycle, 3000, f.State().Cycle},
			} {
				if hits, trials := row.rate(&tally); hits != row.hits || trials != row.trials {
					t.Errorf("%s %v: %s is %d of %d, want %d of %d", name, rule, row.what, hits, trials, row.hits, row.trials)
				}
			}
		}
	}
}

// Results repeat whatever the number of workers, runs differ, and a run's are the same
// whether or not others follow.
func TestRunRepeats(t *testing.T) {
	for _, ideal := range []bool{false, true} {
		g, r := bloomproof.Geometry{M: 64, K: 3}, bloomproof.Recycling{Sigma: 30, TwoPhase: true}
		w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 100), Repeat: 0.5}
		results := map[string][]Tally{}
		for _, workers := range []int{1, 3} {
			for _, runs := range []int{4, 9} {
				got, err := Run(context.Background(), g, r, w, Plan{Runs: runs, Cycles: 50, Seed: 3, Workers: workers, Ideal: ideal})
				if err != nil {
					t.Fatal(err)
				}
				results[fmt.Sprint(workers, runs)] = got
			}
		}
		first := results["1 9"]
		if !slices.Equal(first, results["3 9"]) || !slices.Equal(first[:4], results["1 4"]) || !slices.Equal(first[:4], results["3 4"]) {
			t.Errorf("ideal=%t: results depend on the workers", ideal)
		}
		if first[0] == first[1] {
			t.Errorf("ideal=%t: two runs are the same", ideal)
		}
		for i, n := range first {
			if n.Recycles != 50 || n.Absorbed || n.inCycle != 0 {
				t.Errorf("ideal=%t, run %d: %+v", ideal, i, n)
			}
		}
		other, err := Run(context.Background(), g, r, w, Plan{Runs: 9, Cycles: 50, Seed: 4, Ideal: ideal})
		if err != nil || slices.Equal(first, other) {
			t.Errorf("ideal=%t: the seed does not matter (%v)", ideal, err)
		}
	}
}

// A plan by arrivals ends each run at the first recycle from its share on.
func TestRunArrivals(t *testing.T) {
	rule := bloomproof.Recycling{Messages: 10}
	var total, last uint64
	tallies, err := Run(context.Background(), bloomproof.Geometry{M: 64, K: 2}, rule, allNewMessages, Plan{Runs: 3, Arrivals: 1000000, Progress: func(n uint64) { last = max(last, n) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range tallies {
		if n.Arrivals < 333334 || n.Arrivals > 333334+200 || n.Recycles < 20000 {
			t.Errorf("%+v", n)
		}
		total += n.Arrivals
	}
	if last < total/2 || last > total+uint64(len(tallies))*batch {
		t.Errorf("%d arrivals, progress ended at %d", total, last)
	}
}

// Filters that fill up for ever are recognised, and nothing else is.
func TestAbsorbed(t *testing.T) {
	two := bloomproof.Recycling{TwoPhase: true}
	nocopy := two
	nocopy.NoCopyOver = true
	with := func(r bloomproof.Recycling, sigma uint64, fresh bool) bloomproof.Recycling {
		r.Sigma, r.FreshPositions = sigma, fresh
		return r
	}
	for _, row := range []struct {
		name     string
		m        uint64
		rule     bloomproof.Recycling
		w        bloomproof.Workload
		absorbed bool
	}{
		{"fills before its last message", 16, bloomproof.Recycling{Messages: 17}, allNewMessages, true},
		{"sigma = m-1", 16, with(two, 15, false), allNewMessages, false},
		{"sigma = m-1, the frozen array is full", 16, with(nocopy, 15, false), allNewMessages, true},
		{"all known", 4096, with(two, 500, false), bloomproof.Workload{Popularity: bloomproof.Uniform(50), Repeat: 1}, true},
		{"all known with fresh positions", 4096, with(two, 500, true), bloomproof.Workload{Popularity: bloomproof.Uniform(50), Repeat: 1}, true},
		{"all known by one array or the other", 512, with(nocopy, 70, false), bloomproof.Workload{Popularity: bloomproof.Uniform(50), Repeat: 1}, true},
		{"more than one array holds", 512, with(two, 70, false), bloomproof.Workload{Popularity: bloomproof.Uniform(50), Repeat: 1}, false},
		{"new ones come", 4096, with(two, 500, false), bloomproof.Workload{Popularity: bloomproof.Uniform(50), Repeat: 0.99}, false},
	} {
		for _, ideal := range []bool{false, true} {
			for _, p := range []Plan{{Runs: 2, Cycles: 20, Ideal: ideal}, {Runs: 2, Arrivals: 40000, Ideal: ideal}} {
				tallies, err := Run(context.Background(), bloomproof.Geometry{M: row.m, K: 2}, row.rule, row.w, p)
				if err != nil {
					t.Fatal(err)
				}
				for _, n := range tallies {
					if n.Absorbed != row.absorbed {
						t.Errorf("%s, ideal=%t, %+v: %+v", row.name, ideal, p, n)
					}
					if p.Arrivals > 0 && (n.Arrivals < 20000 || row.absorbed && n.Arrivals != 20000) {
						t.Errorf("%s, ideal=%t, %+v: %d arrivals", row.name, ideal, p, n.Arrivals)
					}
					if row.absorbed && p.Arrivals > 0 && n.FalseNegatives > 0 {
						t.Errorf("%s, ideal=%t: %d false negatives of a filter that knows everything", row.name, ideal, n.FalseNegatives)
					}
				}
			}
		}
	}
}

func TestRunErrors(t *testing.T) {
	type setting struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
		w bloomproof.Workload
	}
	good := setting{bloomproof.Geometry{M: 64, K: 2}, bloomproof.Recycling{Sigma: 9}, allNewMessages}
	change := func(f func(*setting)) setting { s := good; f(&s); return s }
	plan, ideal := Plan{Runs: 2, Cycles: 1}, Plan{Runs: 2, Cycles: 1, Ideal: true}
	for _, row := range []struct {
		param string
		s     setting
		p     Plan
	}{
		{"runs", good, Plan{Cycles: 1}}, {"runs", good, Plan{Runs: -1, Cycles: 1}}, {"runs", good, Plan{Runs: 1<<20 + 1, Cycles: 1}},
		{"cycles", good, Plan{Runs: 1}}, {"arrivals", good, Plan{Runs: 1, Cycles: 1, Arrivals: 1}},
		{"sigma", change(func(s *setting) { s.r.Sigma = 64 }), plan},
		{"k", change(func(s *setting) { s.g.K = 0 }), plan},
		{"m", change(func(s *setting) { s.g.M = 1<<64 - 1 }), plan},
		{"m", change(func(s *setting) { s.g.M = 1<<64 - 1 }), ideal},
		{"D", change(func(s *setting) { s.w = bloomproof.Workload{} }), plan},
		{"D", change(func(s *setting) {
			s.g = bloomproof.Geometry{M: 1 << 13, K: 4096}
			s.w = bloomproof.Workload{Popularity: bloomproof.Uniform(1 << 17), Repeat: 0.5}
		}), ideal},
	} {
		_, err := Run(context.Background(), row.s.g, row.s.r, row.s.w, row.p)
		var p *bloomproof.ParamError
		if !errors.As(err, &p) || p.Param != row.param {
			t.Errorf("%v %+v: error %v, want one about %s", row.s, row.p, err, row.param)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Run(ctx, good.g, good.r, good.w, Plan{Runs: 2, Cycles: 1 << 60, Progress: func(uint64) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a run that was stopped", err)
	}
}

func TestEstimates(t *testing.T) {
	runs := []Tally{
		{Arrivals: 10, FalsePositives: 1, TrueNegatives: 9, Recycles: 1},
		{Arrivals: 30, FalsePositives: 5, TrueNegatives: 25, Recycles: 3},
	}
	r, err := Ratio(runs, (*Tally).PerArrival, 0.99)
	if err != nil || r.Mean != 0.15 || math.Abs(r.Mean-r.Low-(r.High-r.Mean)) > 1e-12 {
		t.Errorf("%+v, %v", r, err)
	}
	// The pooled interval of 6 in 40, 4 % to 34 %, is the narrower one here.
	p, err := Rate(runs, (*Tally).PerArrival, 0.99)
	if err != nil || p.Low != max(0, r.Low) || p.High != min(1, r.High) {
		t.Errorf("%+v, %v; want the part of %+v in [0, 1]", p, err, r)
	}
	// Runs that agree wholly: no hit at all.
	n, err := Rate(runs, (*Tally).FalseNegative, 0.99)
	if err != nil || n.Mean != 0 || n.Low != 0 || math.Abs(n.High-(1-math.Pow(0.005, 1.0/40))) > 1e-9 {
		t.Errorf("%+v, %v", n, err)
	}
	for _, of := range []func(*Tally) (uint64, uint64){(*Tally).PerNew} {
		if r, err := Rate([]Tally{{}, {}}, of, 0.99); r != nil || err != nil {
			t.Errorf("%+v, %v without trials", r, err)
		}
	}
	var e *bloomproof.ParamError
	if _, err := Rate(runs[:1], (*Tally).PerArrival, 0.99); !errors.As(err, &e) || e.Param != "n" {
		t.Errorf("%v for one run", err)
	}
	if _, err := Rate(runs, (*Tally).PerArrival, 1); !errors.As(err, &e) || e.Param != "confidence" {
		t.Errorf("%v for certainty", err)
	}
}
