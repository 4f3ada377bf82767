package verify

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The fluid model errs by the order of 1/m where m, sigma and D grow together: twice the
// filter halves the error, until it is exact.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestFluidOrder(t *testing.T) {
	type settings struct {
		name string
		at   func(m uint64) (bloomproof.Recycling, bloomproof.Workload)
		rate func(f *exactfnr.System) (*exactfnr.Rates, error) // nil: ModelUniform is exact, see TestEqualMessagesTwoPhases
	}
	one := func(m uint64) bloomproof.Recycling {
		return bloomproof.Recycling{Sigma: m / 2, FreshPositions: true}
	}
	grouped := func(f *exactfnr.System) (*exactfnr.Rates, error) { return f.CycleRates(30, "groups") }
	from, to := longtest.More[uint64](80, 100), longtest.More[uint64](160, 400)
	for _, s := range []settings{
		{"equal messages, repeats only", func(m uint64) (bloomproof.Recycling, bloomproof.Workload) {
			return one(m), bloomproof.Workload{Popularity: bloomproof.Uniform(m / 2), Repeat: 1}
		}, grouped},
		{"equal messages, new ones last", func(m uint64) (bloomproof.Recycling, bloomproof.Workload) {
			return one(m), bloomproof.Workload{Popularity: bloomproof.Uniform(m / 4), Repeat: 0.75, Arrivals: bloomproof.ArrivalLast}
		}, grouped},
		{"zipf, repeats only", func(m uint64) (bloomproof.Recycling, bloomproof.Workload) {
			return one(m), bloomproof.Workload{Popularity: bloomproof.Zipf(1, m/2), Repeat: 1}
		}, func(f *exactfnr.System) (*exactfnr.Rates, error) { return f.CycleRates(20, "times") }},
		{"two phases, equal messages, repeats only", func(m uint64) (bloomproof.Recycling, bloomproof.Workload) {
			r := one(m)
			r.TwoPhase = true
			return r, bloomproof.Workload{Popularity: bloomproof.Uniform(m / 2), Repeat: 1}
		}, nil},
	} {
		if s.name[0] == 'z' && !longtest.Enabled() {
			continue
		}
		last := 0.0
		for m := from; m <= to; m *= 2 {
			if s.name[0] == 'z' && m > 200 {
				break // seconds
			}
			g := bloomproof.Geometry{M: m, K: 3}
			r, w := s.at(m)
			c, err := approxfnr.New(g, r, w)
			if err != nil {
				t.Fatal(err)
			}
			var want float64
			if s.rate == nil {
				f, err := c.Predict(ModelNamed("uniform"))
				if err != nil {
					t.Fatal(err)
				}
				want = f.FNR
			} else {
				f, err := exactfnr.New(g, r, w)
				if err != nil {
					t.Fatal(err)
				}
				x, err := s.rate(f)
				if err != nil {
					t.Fatal(s.name, m, err)
				}
				want = x.FNR.Float64()
			}
			got, err := c.Predict(approxfnr.Model("fluid"))
			if err != nil {
				t.Fatal(s.name, m, err)
			}
			off := got.FNR/want - 1
			t.Logf("%s: m = %d: f_n %v, exact %v, off by %.3g = %.3g/m", s.name, m, got.FNR, want, off, off*float64(m))
			if ratio := last / off; last != 0 && !(ratio > 1.7 && ratio < 2.3) {
				t.Errorf("%s: from m = %d to %d the error falls to 1/%.3g, of the order 1/m it halves", s.name, m/2, m, ratio)
			}
			last = off
		}
	}
}
