package verify

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/internal/defaults"
	"github.com/bloomproof/bloomproof/internal/sequential"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/internal/property"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// Model = simulation = real filter, as a grid of cells:
//
//	                     filters                          model                held by
//	fillings             Filter, every hashing            exact.FPR            TestFillAgrees
//	                     CountingFilter, every hashing    FPR, CorrectRate     TestFillAgrees
//	                     and increment
//	                     blocked ones (not of kernel)     exact.FPR            TestSoundFiltersPass
//	recycling, all new   standard, classic: 40 rules      exact/recycling      TestRecyclingAgrees
//	                     partitioned: 40 rules            enumerated           TestRecyclingAgrees
//	                     16 Ki bits                       exact/recycling      TestRecyclingAgrees
//	recycling, repeats   of which none matters            exact/recycling      TestRecyclingAgrees
//	                     standard, classic: 40 rules      exact/fnr            TestFNRIsSimulated
//	                     partitioned: 40 rules            none: real = ideal   TestFNRIsSimulated
//	                     hundreds of bits                 Grouped, RepeatsOnly TestFNRAtSize
//
// The 40 rules are all there are (model.Rules): bound by bits or by messages, retaining or
// not, one phase or two, freeze after and before, copy-over or not, fixed positions or
// fresh. A cell is compared with the filter of package kernel and with one that draws ideal
// positions and shares no code with it. The concurrent filters are the others bit for bit
// (TestConcurrentFilterStateMachine, TestConcurrentRecyclingStateMachine).
//
// Each figure is a sequential test over replications, which ends when it rejects, or when
// the same replications have rejected the figure shifted by a stated share either way: a
// cell that could not fail fails. -verify.seed takes other replications. The shares are 4 to 8 % for rates and capacities, 10 to
// 20 % for the six figures of what is forgotten (15 to 30 % with hundreds of bits), 25 % for
// two filters without a model, and twice as much except in a long run.

// gridAlarms is the probability that any test of the grid accuses a filter that does as its
// model says, as far as sums over hundreds of cycles are normal
// (TestRatioTestCalibration); gridTests is more than there are, and each takes its part.
const (
	gridAlarms = 1e-3
	gridTests  = 2500
)

// gridCell is a setting with what its model says of it.
type gridCell struct {
	name   string
	claims []claimed
	// draw returns the hits and trials of each claim in each run.
	draw map[string]func(p sim.Plan) ([][][2]float64, error)
	plan sim.Plan // Runs are at most
}

// claimed is a ratio of hits to trials, and the share of it that must be seen.
type claimed struct {
	name  string
	want  float64
	shift float64
}

// grid counts the tests that cells are given, of all tests of the grid.
type grid struct {
	tests, runs int
	coarse      float64 // shifts are multiplied by it
}

func newGrid(coarse float64) *grid {
	if !longtest.Enabled() { // a test of half the shift takes four times the runs
		coarse *= 2
	}
	return &grid{coarse: coarse}
}

// hold runs the tests of a cell.
func (g *grid) hold(t *testing.T, c gridCell, seed uint64) {
	t.Helper()
	const chunk = 16
	for name, draw := range c.draw {
		type trio struct {
			claimed
			is, less, more *sequential.RatioTest
		}
		open := func(want float64) *sequential.RatioTest {
			test, err := sequential.NewRatioTest(want, gridAlarms/gridTests, chunk, uint64(c.plan.Runs))
			if err != nil {
				t.Fatal(err)
			}
			return test
		}
		var trios []*trio
		for _, x := range c.claims {
			x.shift *= g.coarse
			trios = append(trios, &trio{x, open(x.want), open(x.want * (1 - x.shift)), open(x.want * (1 + x.shift))})
			g.tests++
		}
		seen := func(x *trio) bool {
			return x.less.Verdict() == sequential.Above && x.more.Verdict() == sequential.Below
		}
		undecided := func() bool {
			for _, x := range trios {
				if x.is.Verdict() == sequential.Open && !seen(x) {
					return true
				}
			}
			return false
		}
		for part := uint64(0); undecided(); part++ {
			p := c.plan
			p.Runs, p.Seed = chunk, seed<<32+part+uint64(property.Seed()-defaults.Seed)*0x9e3779b97f4a7c15
			runs, err := draw(p)
			if err != nil {
				t.Fatal(err)
			}
			g.runs += len(runs)
			for _, run := range runs {
				for i, x := range trios {
					for _, test := range []*sequential.RatioTest{x.is, x.less, x.more} {
						test.Add(run[i][0], run[i][1])
					}
				}
			}
		}
		for _, x := range trios {
			switch {
			case x.is.Verdict() == sequential.Above || x.is.Verdict() == sequential.Below:
				t.Errorf("%s, %s: %s: %v", c.name, name, x.name, x.is)
			case !seen(x):
				t.Errorf("%s, %s: %s: nothing is told of a shift by %.3g: %v; %v", c.name, name, x.name, x.shift, x.less, x.more)
			}
		}
	}
}

// end reports what was done, and fails when it was more than the grid allows for or less
// than it must hold.
func (g *grid) end(t *testing.T, least, most int) {
	t.Helper()
	t.Logf("%d tests of %.1g each, %d runs", g.tests, gridAlarms/gridTests, g.runs)
	if g.tests > most || g.tests < least && longtest.Enabled() {
		t.Errorf("%d tests, want %d to %d", g.tests, least, most)
	}
}

// drawn makes a draw of what a simulation gives.
func drawn(simulate func(p sim.Plan) ([]sim.Tally, error), of ...func(*sim.Tally) (hits, trials uint64)) func(p sim.Plan) ([][][2]float64, error) {
	return func(p sim.Plan) ([][][2]float64, error) {
		tallies, err := simulate(p)
		runs := make([][][2]float64, len(tallies))
		for i := range tallies {
			for _, f := range of {
				hits, trials := f(&tallies[i])
				runs[i] = append(runs[i], [2]float64{float64(hits), float64(trials)})
			}
		}
		return runs, err
	}
}

func must(t *testing.T) func(x exact.Enclosure, err error) float64 {
	return func(x exact.Enclosure, err error) float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x.Float64()
	}
}

// Filters that are filled and probed, of every hashing, give false positives as the exact
// rate says, and counters the right number as often as (25) of Fan says.
//
// Claims: burns.eq56, burns.eq60, burns.eq59, fan.eq25.
func TestFillAgrees(t *testing.T) {
	all := newGrid(1)
	seed := uint64(0)
	for _, g := range []bloomproof.Geometry{
		{M: 60, K: 4}, {M: 60, K: 4, Hashing: bloomproof.Classic}, {M: 60, K: 4, Hashing: bloomproof.Partitioned},
		{M: 9, K: 5}, {M: 7, K: 7, Hashing: bloomproof.Classic}, // positions that coincide, and all bits
		{M: 4095, K: 7, Hashing: bloomproof.Partitioned},
		{M: 192, K: 4, Block: 64}, {M: 1536, K: 8, Block: 512, Hashing: bloomproof.Partitioned},
	} {
		if !longtest.Enabled() && g.M != 60 {
			continue
		}
		items := uint64(1)
		if g.M > 9 {
			items = g.M / 5
		}
		rate, _, err := exact.FPR(g, items, 53, exact.Auto)
		if err != nil {
			t.Fatal(err)
		}
		fpr := claimed{"false positives", rate.Float64(), 0.05}
		fill := func(ideal bool) func(p sim.Plan) ([]sim.Tally, error) {
			return func(p sim.Plan) ([]sim.Tally, error) {
				p.Ideal = ideal
				return sim.Fill(context.Background(), g, items, p)
			}
		}
		plan := sim.Plan{Runs: 1 << 12, Arrivals: 1 << longtest.More(16, 17)} // of each chunk
		cells := []gridCell{{
			name: fmt.Sprintf("%v, %d items", g, items), claims: []claimed{fpr}, plan: plan,
			draw: map[string]func(p sim.Plan) ([][][2]float64, error){
				"real":  drawn(fill(false), (*sim.Tally).PerNew),
				"ideal": drawn(fill(true), (*sim.Tally).PerNew),
			},
		}}
		for inc := bloomproof.Distinct; inc <= bloomproof.Literal; inc++ {
			correct := claimed{"correct counts", must(t)(exact.CorrectRate(g, items, inc, 53)), 0.05}
			counters := func(ideal bool) func(p sim.Plan) ([]sim.Tally, error) {
				return func(p sim.Plan) ([]sim.Tally, error) {
					p.Ideal = ideal
					return sim.FillCounting(context.Background(), g, items, inc, p)
				}
			}
			c := gridCell{
				name: fmt.Sprintf("%v, %d items, counting, %v", g, items, inc), claims: []claimed{fpr, correct}, plan: plan,
				draw: map[string]func(p sim.Plan) ([][][2]float64, error){
					"counters": drawn(counters(false), (*sim.Tally).PerNew, (*sim.Tally).CorrectRate),
					"ideal":    drawn(counters(true), (*sim.Tally).PerNew, (*sim.Tally).CorrectRate),
				},
			}
			// The real filter knows how often a key hits a counter, and with Literal does better.
			if inc == bloomproof.Distinct || g.Hashing != bloomproof.Standard {
				c.draw["real"] = drawn(fillCounting(g, items, inc), (*sim.Tally).PerNew, (*sim.Tally).CorrectRate)
			}
			cells = append(cells, c)
		}
		for _, c := range cells {
			seed++
			all.hold(t, c, seed)
		}
	}
	all.end(t, 106, 106)
}

// fillCounting is sim.FillCounting of kernel.CountingFilter with the widest counters.
func fillCounting(g bloomproof.Geometry, items uint64, inc bloomproof.Increment) func(p sim.Plan) ([]sim.Tally, error) {
	return func(p sim.Plan) ([]sim.Tally, error) {
		f, err := kernel.NewCounting(g, 32, inc, kernel.Options{Seed: p.Seed})
		if err != nil {
			return nil, err
		}
		fillings := p.Cycles
		if fillings == 0 {
			fillings = 1 + p.Arrivals/uint64(p.Runs)/(2*items+64)
		}
		runs := make([]sim.Tally, p.Runs)
		next := uint64(0)
		key := func(i uint64) []byte { return binary.LittleEndian.AppendUint64(nil, i) }
		for i := range runs {
			n := &runs[i]
			for range fillings {
				f.Clear()
				for j := range items {
					f.Add(key(next + j))
				}
				for j := range items {
					if times, _ := f.Count(key(next + j)); times == 1 {
						n.Correct++
					}
				}
				next += items
				for range items + 64 {
					if f.Contains(key(next)) {
						n.FalsePositives++
					} else {
						n.TrueNegatives++
					}
					next++
				}
				n.Items, n.Arrivals, n.Recycles = n.Items+items, n.Arrivals+items+64, n.Recycles+1
			}
		}
		return runs, nil
	}
}

// setting is a recycling filter with its arrivals.
type setting struct {
	Geometry bloomproof.Geometry
	Rule     bloomproof.Recycling
	Workload bloomproof.Workload
	Ideal    bool
}

func (s setting) run(p sim.Plan) ([]sim.Tally, error) {
	p.Ideal = s.Ideal
	return sim.Run(context.Background(), s.Geometry, s.Rule, s.Workload, p)
}

// allNew are arrivals of which none is a repeat.
var allNew = bloomproof.Workload{Popularity: bloomproof.Uniform(1)}

// recycled returns the cell of a recycling filter.
func recycled(s setting, p sim.Plan, claims []claimed, of ...func(*sim.Tally) (hits, trials uint64)) gridCell {
	run := func(ideal bool) func(p sim.Plan) ([]sim.Tally, error) {
		s := s
		s.Ideal = ideal
		return s.run
	}
	return gridCell{
		name: fmt.Sprintf("%v, %v", s.Geometry, s.Rule), claims: claims, plan: p,
		draw: map[string]func(p sim.Plan) ([][][2]float64, error){"real": drawn(run(false), of...), "ideal": drawn(run(true), of...)},
	}
}

// shape is a geometry with the bounds of the rules on it; without messages, of those by bits.
type shape struct {
	g               bloomproof.Geometry
	sigma, messages uint64
	full            bool // not with -short
}

// Rate and capacity of every recycling filter under all-new traffic are those of its model,
// and under repeats where these change nothing: in one phase with fresh positions whatever
// returns and when, messages that are recorded in no array find the bits that new ones
// find.
//
// Claims: dozier-fp.eq23, dozier-fp.eq24, dozier-fp.eq25, dozier-fp.4f.cycle.
func TestRecyclingAgrees(t *testing.T) {
	all := newGrid(1)
	of := []func(*sim.Tally) (hits, trials uint64){(*sim.Tally).PerCycleNew, (*sim.Tally).Capacity}
	seed := uint64(1 << 16)
	hold := func(s setting, rate, capacity float64) {
		t.Helper()
		seed++
		cycles := uint64(400)
		if s.Geometry.M > 1000 {
			cycles = 4
		}
		all.hold(t, recycled(s, sim.Plan{Runs: 1 << 12, Cycles: cycles}, []claimed{{"rate", rate, 0.08}, {"capacity", capacity, 0.04}}, of...), seed)
	}
	for _, shape := range []shape{
		{bloomproof.Geometry{M: 16, K: 3}, 8, 3, false},
		{bloomproof.Geometry{M: 16, K: 3, Hashing: bloomproof.Classic}, 8, 3, false},
		{bloomproof.Geometry{M: 6, K: 2, Hashing: bloomproof.Partitioned}, 3, 2, false},
		{bloomproof.Geometry{M: 40, K: 3}, 20, 8, true},
		{bloomproof.Geometry{M: 40, K: 3, Hashing: bloomproof.Classic}, 20, 8, true},
		{bloomproof.Geometry{M: 12, K: 4}, 6, 0, true}, // sigma < 2k
	} {
		every := longtest.Of(4, 5, 1)
		if shape.full {
			every = longtest.Of(4, 7, 1)
		}
		for i, r := range model.Rules(shape.sigma, shape.messages) {
			if !longtest.Enabled() && shape.full || i%every != int(shape.g.Hashing)%every {
				continue
			}
			rate, capacity, ok := 0.0, 0.0, true
			if shape.g.Hashing == bloomproof.Partitioned {
				rate, capacity, ok = enumerated(shape.g, r)
			} else {
				rate, capacity, ok = numbers(t, shape.g, r)
			}
			if !ok {
				t.Errorf("%v %v: no numbers", shape.g, r)
				continue
			}
			hold(setting{Geometry: shape.g, Rule: r, Workload: allNew}, rate, capacity)
		}
	}
	// Where m is far beyond k^2.
	for _, r := range []bloomproof.Recycling{{Sigma: 9000}, {Sigma: 9000, TwoPhase: true}} {
		if !longtest.Enabled() && r.TwoPhase {
			continue
		}
		g := bloomproof.Geometry{M: 1 << 14, K: 5}
		rate, capacity, ok := numbers(t, g, r)
		if !ok {
			t.Fatalf("%v is not served", r)
		}
		hold(setting{Geometry: g, Rule: r, Workload: allNew}, rate, capacity)
	}
	for i, load := range []bloomproof.Workload{
		{Popularity: bloomproof.Uniform(1), Repeat: 0.6}, // at once
		{Popularity: bloomproof.Zipf(1, 30), Repeat: 1},
		{Popularity: bloomproof.Uniform(20), Repeat: 0.7},
		{Popularity: bloomproof.Zipf(0.8, 40), Repeat: 0.8, Arrivals: bloomproof.ArrivalFirst},
	} {
		for j, r := range []bloomproof.Recycling{bitsBound(20, fresh), bitsBound(20, fresh, retain)} {
			if !longtest.Enabled() && i%2 != j {
				continue
			}
			g := bloomproof.Geometry{M: 40, K: 3}
			rate, capacity, ok := numbers(t, g, r)
			if !ok {
				t.Fatalf("%v is not served", r)
			}
			hold(setting{Geometry: g, Rule: r, Workload: load}, rate, capacity)
		}
	}
	all.end(t, 920, 920)
}

// enumerated returns rate and capacity of a tiny filter of any hashing in the long run of
// all-new traffic: the chain over the bits of both arrays, with every outcome of the
// positions, followed until it stays as it is. It serves partitioned filters, for which
// package exact has no numbers; false when the filter can come to recycle no more.
func enumerated(g bloomproof.Geometry, r bloomproof.Recycling) (rate, capacity float64, ok bool) {
	type state struct {
		active, frozen uint8
		messages       uint64
	}
	type move struct {
		to int
		p  float64
	}
	outcomes := masks(g, 0, 0)
	index := map[state]int{{}: 0}
	states := []state{{}}
	var moves [][]move
	var hit, end []float64 // of each state: the probabilities of a positive and of a recycle
	for i := 0; i < len(states); i++ {
		at := states[i]
		to := map[state]float64{}
		hit, end = append(hit, 0), append(end, 0)
		arrive := func(a, f uint8, p float64) { // positions in the active and in the frozen array
			known, old := at.active&a == a, r.TwoPhase && at.frozen&f == f
			if known || old {
				hit[i] += p
			}
			if known || old && r.NoCopyOver {
				to[at] += p
				return
			}
			next := state{at.active | a, at.frozen, 0}
			if r.Messages > 0 {
				next.messages = at.messages + 1
			}
			if r.Messages > 0 && next.messages < r.Messages ||
				r.Messages == 0 && uint64(bits.OnesCount8(next.active)) <= r.Sigma {
				to[next] += p
				return
			}
			end[i] += p
			after := state{}
			if r.TwoPhase {
				if after.frozen = next.active; r.FreezeBefore {
					after.frozen = at.active
				}
			}
			if !r.Retain {
				to[after] += p
				return
			}
			if r.Messages > 0 {
				after.messages = 1
			}
			if after.active = a; !r.FreshPositions {
				to[after] += p
				return
			}
			for _, anew := range outcomes {
				after.active = anew
				to[after] += p / float64(len(outcomes))
			}
		}
		share := 1 / float64(len(outcomes))
		for _, a := range outcomes {
			if !r.FreshPositions || at.frozen == 0 {
				arrive(a, a, share)
				continue
			}
			for _, f := range outcomes {
				arrive(a, f, share*share)
			}
		}
		var out []move
		for next, p := range to {
			j, met := index[next]
			if !met {
				j = len(states)
				index[next] = j
				states = append(states, next)
			}
			out = append(out, move{j, p})
		}
		if _, stays := to[at]; stays && len(to) == 1 {
			return 0, 0, false // arrays only gain bits until they recycle, so that every end is a single state
		}
		moves = append(moves, out)
	}
	law := make([]float64, len(states))
	law[0] = 1
	for off := 1.0; off > 1e-13; {
		next := make([]float64, len(law))
		for i, p := range law {
			next[i] += p / 2 // which leaves the long run as it is, and has no period
			for _, m := range moves[i] {
				next[m.to] += p / 2 * m.p
			}
		}
		off = 0
		for i := range law {
			off += math.Abs(next[i] - law[i])
		}
		law = next
	}
	ends := 0.0
	for i, p := range law {
		rate += p * hit[i]
		ends += p * end[i]
	}
	return rate, 1 / ends, true
}

// masks returns the equally likely sets of positions of an item, of which positions from j
// on are still to be drawn.
func masks(g bloomproof.Geometry, have uint8, j int) (all []uint8) {
	if j == g.K {
		return []uint8{have}
	}
	for p := range g.M {
		bit := uint8(1) << p
		if g.Hashing == bloomproof.Classic && have&bit != 0 || g.Hashing == bloomproof.Partitioned && p/(g.M/uint64(g.K)) != uint64(j) {
			continue
		}
		all = append(all, masks(g, have|bit, j+1)...)
	}
	return all
}

// What is enumerated is what package exact says where it has the numbers.
//
// Claims: dozier-fp.eq23, dozier-fp.eq25, dozier-fp.4f.cycle.
func TestEnumeratedIsExact(t *testing.T) {
	compared := 0
	for _, g := range []bloomproof.Geometry{{M: 5, K: 2}, {M: 5, K: 2, Hashing: bloomproof.Classic}} {
		for i, r := range model.Rules(2, 2) {
			if !longtest.Enabled() && i%9 != 0 {
				continue
			}
			wantRate, wantCapacity, served := numbers(t, g, r)
			rate, capacity, ok := enumerated(g, r)
			if ok != served || ok && (math.Abs(rate/wantRate-1) > 1e-9 || math.Abs(capacity/wantCapacity-1) > 1e-9) {
				t.Errorf("%v %v: %v, %v, %t, want %v, %v, %t", g, r, rate, capacity, ok, wantRate, wantCapacity, served)
			}
			if ok {
				compared++
			}
		}
	}
	t.Logf("%d rules compared", compared)
}
