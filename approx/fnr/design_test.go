package fnr

import (
	"errors"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

func allRulesOf(fresh bool) []bloomproof.Recycling {
	var rules []bloomproof.Recycling
	for _, p := range []bool{false, true} {
		for _, retain := range []bool{false, true} {
			rules = append(rules, bloomproof.Recycling{TwoPhase: p, Retain: retain, FreshPositions: fresh})
		}
	}
	return rules
}

// leastOfAll tries every rule, k and sigma of m bits.
func leastOfAll(t *testing.T, d Designs, m uint64, mostK int) (best Design) {
	t.Helper()
	for _, r := range d.Rules {
		bits := m / arraysOf(r)
		for k := 1; k <= mostK; k++ {
			g := bloomproof.Geometry{M: bits, K: k, Hashing: d.Hashing}
			for sigma := range bits {
				r.Sigma = sigma
				c, err := recycling.New(g, r)
				if err != nil || c.FPR() > d.Rate {
					continue
				}
				f, err := New(g, r, d.Workload)
				if err != nil {
					t.Fatal(err)
				}
				_, x, err := f.rated()
				if err != nil {
					t.Fatal(g, r, err)
				}
				if best.K == 0 || x.FNR < best.Forecast.FNR {
					best = Design{recycling.Optimum{M: bits, K: k, Sigma: sigma, Rate: c.FPR()}, r, "", x}
				}
			}
		}
	}
	return best
}

func TestLeast(t *testing.T) {
	for i, w := range []bloomproof.Workload{
		{Popularity: bloomproof.Zipf(1, 30), Repeat: 0.9},
		{Popularity: bloomproof.Uniform(20), Repeat: 0.5, Arrivals: bloomproof.ArrivalLast},
		{Popularity: bloomproof.Uniform(60), Repeat: 1},
	} {
		for _, m := range []uint64{1, 2, 7, 30} {
			for _, p := range []float64{0.02, 0.3} {
				d := Designs{Rules: allRulesOf(true), Workload: w, Rate: p}
				if !longtest.Enabled() && (i == 1 || m > 7) {
					continue
				}
				want := leastOfAll(t, d, m, 8)
				got, err := Least(d, m)
				if want.K == 0 {
					if !errors.Is(err, bloomproof.ErrUndefined) {
						t.Errorf("%v, m = %d, rate %v: %v, %v", w, m, p, got, err)
					}
					continue
				}
				if err != nil {
					t.Errorf("%v, m = %d, rate %v: %v", w, m, p, err)
					continue
				}
				if got.Forecast.FNR > want.Forecast.FNR*(1+1e-9) || got.Rate > p || got.Total() > m {
					t.Errorf("%v, m = %d, rate %v: %v with k = %d: %v, of all %v with k = %d: %v", w, m, p,
						got.Recycling, got.K, got.Forecast.FNR, want.Recycling, want.K, want.Forecast.FNR)
				}
			}
		}
	}
}

// A rule that the fluid model places far behind can be the best one: with few old messages, the fluid model misses the
// message that two phases forget in each cycle. With several rules, Least is not worse than with any single one.
func TestLeastOfFewMessages(t *testing.T) {
	one, two := bloomproof.Recycling{FreshPositions: true}, bloomproof.Recycling{TwoPhase: true, FreezeBefore: true, FreshPositions: true}
	after := bloomproof.Recycling{TwoPhase: true, FreshPositions: true}
	workloads := []bloomproof.Workload{
		{Popularity: bloomproof.Zipf(1.5694182063830644, 2), Repeat: 0.9},
		{Popularity: bloomproof.Zipf(1.5, 10), Repeat: 0.9},
		{Popularity: bloomproof.Zipf(1, 10), Repeat: 0.99},
		{Popularity: bloomproof.Zipf(1, 50), Repeat: 0.9},
	}
	phases := map[bool]int{}
	for _, w := range workloads[:longtest.More(1, len(workloads))] {
		for _, rules := range [][]bloomproof.Recycling{{two, one}, {one, after}} {
			d := Designs{Rules: rules, Workload: w, Rate: 0.028}
			got, err := Least(d, 16360)
			if err != nil {
				t.Fatal(err)
			}
			phases[got.Recycling.TwoPhase]++
			for _, r := range rules {
				d.Rules = []bloomproof.Recycling{r}
				if x, err := Least(d, 16360); err != nil || got.Forecast.FNR > x.Forecast.FNR {
					t.Errorf("%v: %v with k = %d: %v, but %v with k = %d: %v, %v", w, got.Recycling, got.K, got.Forecast.FNR, r, x.K, x.Forecast.FNR, err)
				}
			}
		}
	}
	if len(phases) < 2 {
		t.Errorf("%v: the cases do not tell the rules apart", phases)
	}
}

// The fewest bits are those with which every rule, k and sigma is tried.
func TestLeastBits(t *testing.T) {
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 30), Repeat: 0.9}
	for _, c := range []struct{ rate, fnr float64 }{{0.3, 0.5}, {0.3, 0.2}, {0.05, 0.6}, {0.001, 0.8}} {
		if !longtest.Enabled() && c.fnr != 0.8 {
			continue
		}
		d := Designs{Rules: allRulesOf(true), Workload: w, Rate: c.rate}
		got, step, err := LeastBits(d, c.fnr)
		if err != nil || step != 1 {
			t.Errorf("%v: %v, step %d", c, err, step)
			continue
		}
		want := uint64(1)
		for {
			best := leastOfAll(t, d, want, 6)
			if best.K > 0 && best.Forecast.FNR <= c.fnr {
				break
			}
			want++
		}
		if got.Total() != want || got.Forecast.FNR > c.fnr || got.Rate > c.rate {
			t.Errorf("%v: %d bits, k = %d, %v with %v and %v; all filters: %d bits", c, got.Total(), got.K, got.Recycling, got.Rate, got.Forecast.FNR, want)
		}
	}
}

func TestLeastErrors(t *testing.T) {
	good := Designs{Rules: allRulesOf(false), Workload: bloomproof.Workload{Popularity: bloomproof.Zipf(1, 30), Repeat: 0.9}, Rate: 0.1}
	for _, c := range []struct {
		what   string
		change func(*Designs)
	}{
		{"rules", func(d *Designs) { d.Rules = nil }},
		{"rules", func(d *Designs) { d.Rules = []bloomproof.Recycling{{Sigma: 5}} }},
		{"rate", func(d *Designs) { d.Rate = 1 }},
		{"k", func(d *Designs) { d.K = 4097 }},
		{"repeat", func(d *Designs) { d.Workload.Repeat = 2 }},
		{"hashing", func(d *Designs) { d.Hashing = bloomproof.Partitioned }},
		{"copy", func(d *Designs) {
			d.Rules = []bloomproof.Recycling{{TwoPhase: true, NoCopyOver: true}}
		}},
	} {
		d := good
		c.change(&d)
		_, err := Least(d, 100)
		_, none := Least(d, 0) // an error of a parameter comes before that of a filter without bits
		_, _, errBits := LeastBits(d, 0.1)
		for _, err := range []error{err, none, errBits} {
			var param *bloomproof.ParamError
			if !errors.As(err, &param) || param.Param != c.what {
				t.Errorf("%s: %v", c.what, err)
			}
		}
	}
	if _, _, err := LeastBits(good, 0); err == nil {
		t.Error("a rate of 0 was looked for")
	}
	if _, err := Least(good, 0); !errors.Is(err, bloomproof.ErrUndefined) {
		t.Errorf("no bits: %v", err)
	}
	d, err := Least(good, 200)
	if err != nil || !d.Forecast.Valid || d.Forecast.Note == "" || d.Forecast.Apart != fixedApart || d.Forecast.Kind != approximation {
		t.Errorf("fixed positions: %v, %v", d, err)
	}
}

// TestRated checks by which model designs are compared: the exact one, a renewal model, and the fluid model where these
// take too long. The forecast of a design is that of the chosen model.
func TestRated(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves this test out, because it takes seconds under an emulator; make test runs it")
	}
	g := bloomproof.Geometry{M: 30, K: 2}
	last, moving := lastOf(bloomproof.Zipf(1, 14), 0.8), bloomproof.Workload{Popularity: bloomproof.Zipf(1, 14), Repeat: 0.8, Arrivals: bloomproof.ArrivalPopularity}
	retaining := fresh(8)
	retaining.Retain = true
	for _, x := range []struct {
		r     bloomproof.Recycling
		w     bloomproof.Workload
		limit float64
		want  Model
	}{
		{fresh(8), last, 0, ModelExact}, {fresh(8), moving, 0, ModelRenewal}, {retaining, last, 0, ModelRenewalRetaining},
		{fresh(8), last, 1, modelFluid}, {fresh(8), moving, 1, modelFluid}, {retaining, last, 1, modelFluid},
	} {
		c, err := New(g, x.r, x.w)
		if err != nil {
			t.Fatal(err)
		}
		if x.limit > 0 {
			c.limit = x.limit
		}
		m, f, err := c.rated()
		want, e := c.Predict(x.want)
		if err != nil || e != nil || m != x.want || f != want {
			t.Errorf("%v, %v, limit %v: %s, %+v, %v, want %s, %+v, %v", x.r, x.w, x.limit, m, f, err, x.want, want, e)
		}
	}
	// The search keeps the fluid model only where a cycle has enough arrivals and the limit exists.
	models := map[Model]int{}
	for _, m := range []uint64{20, 60, 200, 2000} {
		for _, w := range []bloomproof.Workload{last, {Popularity: bloomproof.Uniform(30), Repeat: 1}} {
			s, err := newDesignSearch(Designs{Rules: []bloomproof.Recycling{{FreshPositions: true}}, Workload: w, Rate: 0.2})
			if err != nil {
				t.Fatal(err)
			}
			d, err := s.with(Design{Recycling: s.Rules[0]}, m, 2)
			if err != nil {
				t.Fatal(err)
			}
			c, err := s.system(&d)
			if err != nil {
				t.Fatal(err)
			}
			want := modelFluid
			forecast, err := c.Predict(want)
			if err != nil || d.Capacity < 16 {
				if want, forecast, err = c.rated(); err != nil {
					if s.fluid(&d) == nil {
						t.Errorf("m = %d, %v: there is no forecast, but %+v", m, w, d)
					}
					continue
				}
			}
			if err := s.fluid(&d); err != nil || d.Model != want || d.Forecast != forecast {
				t.Errorf("m = %d, %v: %s, %+v, %v, want %s, %+v", m, w, d.Model, d.Forecast, err, want, forecast)
			}
			models[d.Model]++
		}
	}
	if models[modelFluid] < 2 || models[ModelExact] < 2 {
		t.Errorf("the models are %v", models)
	}
}
