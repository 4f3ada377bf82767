package fnr

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestFaults lets one of the parts fail from which a forecast is computed. Then this forecast must not be returned. Each
// computation begins with a new System, because a System stores results.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves this test out, because it takes seconds under an emulator; make test runs it")
	}
	small, large := bloomproof.Geometry{M: 30, K: 2}, bloomproof.Geometry{M: 1 << 34, K: 4}
	last, moving := lastOf(bloomproof.Zipf(1, 14), 0.8), bloomproof.Workload{Popularity: bloomproof.Zipf(1, 14), Repeat: 0.8, Arrivals: bloomproof.ArrivalPopularity}
	closed := bloomproof.Workload{Popularity: bloomproof.BiUniform(1<<10, 0x1p-11, 1<<40), Repeat: 1}
	two := bloomproof.Recycling{Sigma: 8, TwoPhase: true, FreshPositions: true}
	before := bloomproof.Recycling{Sigma: 8, TwoPhase: true, FreshPositions: true, FreezeBefore: true}
	var all []fault.Case
	for _, x := range []struct {
		g      bloomproof.Geometry
		r      bloomproof.Recycling
		w      bloomproof.Workload
		models []Model
		spared int // the check whether the filter certainly recycles
	}{
		{small, fresh(8), last, Models(), 0},
		{small, fresh(8), moving, []Model{modelPinsArrivals, ModelRenewalRetaining, modelFluid}, 0},
		{small, two, moving, Models(), 0},
		{small, before, moving, []Model{modelReplacement, modelPins, modelDisabling}, 0},
		{small, fresh(8), bloomproof.Workload{Popularity: bloomproof.Zipf(1, 14), Repeat: 1}, []Model{modelLeaveOneOut, modelDisabling}, 1},
		{small, bloomproof.Recycling{Messages: 5, FreshPositions: true}, last, []Model{ModelRenewal, ModelExact, modelFluid}, 0},
		{small, fresh(8), bloomproof.Workload{Popularity: bloomproof.Uniform(14)}, []Model{ModelExact}, 0},
		{large, fresh(1 << 33), lastOf(bloomproof.BiUniform(1<<10, 0x1p-11, 1<<40), 0.8), []Model{ModelRenewal, modelRenewalExtended, modelFluid, ModelExact}, 0},
		{large, bloomproof.Recycling{Sigma: 1 << 33, FreshPositions: true, TwoPhase: true, Retain: true}, moving, []Model{ModelRenewalRetaining, modelFluid}, 0},
		{large, fresh(1 << 33), closed, []Model{ModelRenewal, modelFluid}, 1},
	} {
		for _, m := range x.models {
			predict := func() (any, error) {
				c, err := New(x.g, x.r, x.w)
				if err != nil {
					return nil, err
				}
				f, err := c.Predict(m)
				return f, err
			}
			if _, err := predict(); err != nil {
				continue // the model has no value
			}
			all = append(all, fault.Case{Name: fmt.Sprintf("%v of %v, %v, %v", m, x.g, x.r, x.w), Of: predict, Spared: x.spared})
		}
	}
	all = append(all, fault.Case{Name: "Absorbing", Of: func() (any, error) {
		c, err := New(small, fresh(8), bloomproof.Workload{Popularity: bloomproof.Uniform(5), Repeat: 1})
		if err != nil {
			return nil, err
		}
		p, err := c.Absorbing()
		return p, err
	}})
	all = append(all, fault.Case{Name: "the System of a Design", Spared: 2 /* closed forms replace chains */, Of: func() (any, error) {
		s, err := newDesignSearch(Designs{Rules: []bloomproof.Recycling{{}}, Workload: last, Rate: 0.1})
		if err != nil {
			return nil, err
		}
		d, err := s.with(Design{}, 100, 2)
		if err != nil {
			return nil, err
		}
		c, err := s.system(&d)
		if err != nil {
			return nil, err
		}
		a, e := s.traffic() // the search computes it once for all designs
		b, err := c.traffic()
		return []any{c.limit == designCourse, a == b}, errors.Join(e, err)
	}})
	if n := fault.Each(t, longtest.More(12, 1000), all); n < 200 {
		t.Errorf("only %d faults", n)
	}
}

// TestSearchSpent lets the time of a search for designs run out at each of its steps. The search must then fail.
func TestSearchSpent(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves this test out, because it takes seconds under an emulator; make test runs it")
	}
	rules := allRulesOf(true)
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 30), Repeat: 0.9}
	early := 0
	for _, d := range []Designs{{Rules: rules[:1], Workload: w, Rate: 0.3}, {Rules: rules, K: 2, Workload: w, Rate: 0.3}} {
		for _, bits := range []bool{false, true} {
			if bits && d.K == 0 && !longtest.Enabled() {
				continue // as for one k, but it takes half a second
			}
			search := func(spent float64) (string, float64, error) {
				s, err := newDesignSearch(d)
				if err != nil {
					t.Fatal(err)
				}
				s.spent = spent
				if bits {
					best, step, err := s.fewest(0.6)
					return fmt.Sprint(best, step), s.spent, err
				}
				best, err := s.least(30)
				return fmt.Sprint(best), s.spent, err
			}
			want, whole, err := search(0)
			if err != nil {
				t.Fatal(err)
			}
			steps := longtest.More(3, 60)
			for i := range steps + 1 {
				part := whole * (1 - 1e-9) * float64(i) / float64(steps)
				got, spent, err := search(mostSearch - part)
				if !errors.Is(err, bloomproof.ErrTooCostly) || spent <= mostSearch {
					t.Errorf("%+v, the fewest bits %t: after %v of %v microseconds the search is not stopped: %v, %v", d, bits, part, whole, got, err)
				}
				early++
			}
			if got, _, err := search(mostSearch - whole*(1+1e-9)); err != nil || got != want {
				t.Errorf("%+v, the fewest bits %t: %v, %v, want %v", d, bits, got, err, want)
			}
		}
	}
	t.Log(early)
}

// TestWalk compares the best k of a walk with a second walk. The rates are drawn. Some k have no rate, or fail.
func TestWalk(t *testing.T) {
	r := newSources(t, 27)
	fault := errors.New("a fault that a test injected")
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 30), Repeat: 0.9}
	faults, sides := 0, map[int]int{}
	for i := range longtest.More(60, 600) {
		m := []uint64{20, 600, 20000}[i%3]
		s, err := newDesignSearch(Designs{Rules: []bloomproof.Recycling{{}}, Workload: w, Rate: 0.2})
		if err != nil {
			t.Fatal(err)
		}
		start, err := s.with(Design{}, m, 1+r.IntN(6))
		if err != nil {
			t.Fatal(err)
		}
		if r.IntN(6) == 0 {
			s.K = start.K
		}
		rates, fails := map[int]float64{}, map[int]error{}
		for k := range 80 {
			rates[k] = 1 - math.Pow(r.Float64(), 3)
			if r.IntN(20) == 0 {
				rates[k] = 0.5 // equal rates
			}
			if r.IntN(25) == 0 {
				fails[k] = []error{fault, refuse.ErrUndefined}[r.IntN(2)]
			}
		}
		var asked []int
		got, err := s.walk(start, func(d *Design) error {
			asked = append(asked, d.K)
			d.Forecast.FNR = rates[d.K]
			return fails[d.K]
		})
		beyond := 1
		if start.Capacity < 16 {
			beyond = 32
		} else if start.Capacity < 1000 {
			beyond = 3
		}
		sides[beyond]++
		best, wantErr, want := start.K, fails[start.K], []int{start.K}
		for _, step := range []int{-1, 1} {
			if wantErr != nil || s.K > 0 {
				break
			}
			for k, worse := start.K+step, 0; k >= 1 && worse < beyond; k += step {
				if _, none := s.with(start, m, k); none != nil {
					break // no sigma
				}
				want = append(want, k)
				if wantErr = fails[k]; errors.Is(wantErr, refuse.ErrUndefined) {
					wantErr = nil
					break
				}
				if wantErr != nil {
					break
				}
				if worse++; rates[k] < rates[best]*(1-0x1p-30) {
					best, worse = k, 0
				}
			}
		}
		what := fmt.Sprintf("m = %d from k = %d, K = %d, errors %v", m, start.K, s.K, fails)
		if !slices.Equal(asked, want) {
			t.Errorf("%s: asked for %v, want %v", what, asked, want)
		}
		if wantErr != nil {
			if faults++; !errors.Is(err, wantErr) {
				t.Errorf("%s: %v, want %v", what, err, wantErr)
			}
			continue
		}
		if err != nil || got.K != best || got.Forecast.FNR != rates[best] || got.M != m {
			t.Errorf("%s: %+v, %v, want k = %d", what, got, err, best)
		}
	}
	if faults < 5 || len(sides) < 3 {
		t.Errorf("%d walks failed; the numbers of further k were %v", faults, sides)
	}
}

// TestHoldsMost checks the exact forecast of filters that hold all messages with a probability above 1/1000, although
// some positions might not permit it. Such a filter recycles no more, and has no false negatives.
func TestHoldsMost(t *testing.T) {
	holds := 0
	for d := uint64(4); d < 12; d++ {
		c, err := New(bloomproof.Geometry{M: 30, K: 2}, fresh(8), bloomproof.Workload{Popularity: bloomproof.Uniform(d), Repeat: 1})
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Absorbing()
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.Predict(ModelExact)
		if p > 1e-3 {
			if holds++; err != nil || f != (Forecast{Valid: true, Note: noMore, Kind: exactRate}) {
				t.Errorf("D = %d, all fit with probability %v: %+v, %v", d, p, f, err)
			}
		} else if err == nil && f.FNR == 0 {
			t.Errorf("D = %d, all fit with probability %v: %+v, %v", d, p, f, err)
		}
	}
	if holds < 3 || holds == 8 {
		t.Errorf("%d filters hold all messages", holds)
	}
	// A message-bounded filter holds all messages if they are fewer than its bound, however many bits they set.
	c, err := New(bloomproof.Geometry{M: 1000, K: 3}, bloomproof.Recycling{Messages: 90, FreshPositions: true}, bloomproof.Workload{Popularity: bloomproof.Uniform(89), Repeat: 1})
	if err != nil {
		t.Fatal(err)
	}
	if f, err := c.Predict(ModelExact); err != nil || f != (Forecast{Valid: true, Note: noMore, Kind: exactRate}) {
		t.Errorf("89 of at most 90 messages: %+v, %v", f, err)
	}
}

// TestExactOfEqual checks that the exact rates of equally popular messages are those of the model "uniform", for the
// filters that exact.go names.
func TestExactOfEqual(t *testing.T) {
	for _, two := range []bool{false, true} {
		for _, retain := range []bool{false, true} {
			r := fresh(8)
			r.TwoPhase, r.Retain = two, retain
			c, err := New(bloomproof.Geometry{M: 30, K: 2}, r, bloomproof.Workload{Popularity: bloomproof.Uniform(60), Repeat: 1})
			if err != nil {
				t.Fatal(err)
			}
			want, err := c.predict(modelUniform)
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.predict(ModelExact)
			if two && retain {
				if !errors.Is(err, bloomproof.ErrUndefined) {
					t.Errorf("two phases, retaining: %+v, %v", got, err)
				}
			} else if err != nil || got != want {
				t.Errorf("two phases %t, retaining %t: %+v, %v, want %+v", two, retain, got, err, want)
			}
		}
	}
}

// TestTooCostlyRenewal checks that the expansion replaces sums that take too long only if an array holds at least 512
// messages.
func TestTooCostlyRenewal(t *testing.T) {
	for sigma, enough := range map[uint64]bool{900: false, 1200: false, 2000: true} {
		c, err := New(bloomproof.Geometry{M: 1 << 14, K: 3}, fresh(sigma), lastOf(bloomproof.Zipf(1, 1000), 0.8))
		if err != nil {
			t.Fatal(err)
		}
		if c.isLarge() || c.isLong() {
			t.Fatal("the filter is large")
		}
		messages := roughMessages(c.g, c.r)
		if enough != (messages >= 512) || messages < 256 {
			t.Fatal(messages)
		}
		expansion, err := c.large(ModelRenewal)
		if err != nil {
			t.Fatal(err)
		}
		c.plain = func() (*plain, error) { return nil, fmt.Errorf("%w: the sums", refuse.ErrTooCostly) }
		f, _, err := c.renewalBy(ModelRenewal, c.r)
		if enough && (err != nil || f != expansion) || !enough && !errors.Is(err, bloomproof.ErrTooCostly) {
			t.Errorf("about %.0f messages: %+v, %v", messages, f, err)
		}
	}
}
