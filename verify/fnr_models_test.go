package verify_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/exact"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// sameRates compares a forecast with exact rates.
func sameRates(t *testing.T, what string, f approxfnr.Forecast, x *exactfnr.Rates, tolerance float64) {
	t.Helper()
	for name, v := range map[string]struct {
		got  float64
		want exact.Enclosure
	}{
		"f_n": {f.FNR, x.FNR}, "lucky": {f.Lucky, x.Lucky}, "f_p": {f.FPR, x.FPR},
		"per cycle-new": {f.FPRPerCycleNew, *x.FPRPerCycleNew}, "V": {f.Cycle, *x.Cycle},
	} {
		if want := v.want.Float64(); math.Abs(v.got-want) > tolerance*want {
			t.Errorf("%s: %s = %v, exactly %v", what, name, v.got, want)
		}
	}
}

// equalModels are exact where all messages are equally popular and nothing new arrives, as
// far as they know one array: which messages are recorded does not matter.
var equalModels = []approxfnr.Model{verify.ModelNamed("lower"), verify.ModelNamed("uniform"), verify.ModelNamed("biuniform"), approxfnr.Model("disabling")}

// Law: with equal popularities and p_r = 1 the Markov models whose sets have the right size are
// exact with one phase, by both rules, retaining or not.
//
// Claims: dozier-fn.4.independent, dozier-fn.thm3.
func TestEqualMessages(t *testing.T) {
	compared := 0
	for _, g := range []bloomproof.Geometry{{M: 60, K: 3}, {M: 64, K: 2, Hashing: bloomproof.Classic}} {
		for _, r := range []bloomproof.Recycling{{Sigma: 20}, {Sigma: 12}, {Messages: 6}} {
			for _, retain := range []bool{false, true} {
				r.Retain, r.FreshPositions = retain, true
				w := bloomproof.Workload{Popularity: bloomproof.Uniform(50), Repeat: 1} // v_50 is below rounding
				x, err := exactfnr.New(g, r, w)
				if err != nil {
					t.Fatal(err)
				}
				want, err := x.CycleRates(53, "groups")
				if err != nil {
					t.Fatal(err)
				}
				c, err := approxfnr.New(g, r, w)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range equalModels {
					f, err := c.Predict(m)
					if err != nil {
						t.Fatal(err)
					}
					if !f.Valid || f.Note != "" || f.Kind != "exact" {
						t.Errorf("%v %v %v: %+v", m, g, r, f)
					}
					sameRates(t, string(m)+" "+r.String(), f, want, f.Bound)
					compared++
				}
			}
		}
	}
	t.Logf("%d forecasts", compared)
}

// Law: with two phases, not retaining, what the two arrays hold is independent, and (12) to
// (15) as corrected are exact in the same setting, with freeze after and before.
//
// Claims: dozier-fn.eq12, dozier-fn.eq13, dozier-fn.eq14, dozier-fn.eq15.
func TestEqualMessagesTwoPhases(t *testing.T) {
	g := bloomproof.Geometry{M: 24, K: 4, Hashing: bloomproof.Classic}
	w := bloomproof.Workload{Popularity: bloomproof.Uniform(3), Repeat: 1}
	for _, freezeBefore := range []bool{false, true} {
		r := bloomproof.Recycling{Sigma: 5, TwoPhase: true, FreezeBefore: freezeBefore, FreshPositions: true}
		x, err := exactfnr.New(g, r, w)
		if err != nil {
			t.Fatal(err)
		}
		want, err := x.Lasting(40)
		if err != nil {
			t.Fatal(err)
		}
		c, err := approxfnr.New(g, r, w)
		if err != nil {
			t.Fatal(err)
		}
		stuck, err := c.Absorbing()
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.Predict(verify.ModelNamed("uniform"))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("freeze before %t: v_D = %.2g, f_n = %v, %v", freezeBefore, stuck, f.FNR, want.FNR)
		sameRates(t, r.String(), f, want, 20*stuck)
	}
}

// Law: a Markov model's numbers lie within its Bound of its formula in exact arithmetic: (5) and
// (6) over certified v_i, u_i and v_i gamma(i).
//
// Claims: dozier-fn.eq5, dozier-fn.eq6.
func TestMarkovBound(t *testing.T) {
	g := bloomproof.Geometry{M: 100, K: 2}
	const d, rows = 20, 45
	q := make([]*big.Rat, d)
	sum := new(big.Rat)
	for j := range q {
		q[j] = big.NewRat(1, int64(j+1))
		sum.Add(sum, q[j])
	}
	for _, x := range q {
		x.Quo(x, sum)
	}
	one := big.NewRat(1, 1)
	fhat := map[approxfnr.Model]func(i int) *big.Rat{
		verify.ModelNamed("lower"): func(i int) *big.Rat {
			tail := new(big.Rat)
			for j := i; j < d; j++ {
				tail.Add(tail, q[j])
			}
			return tail
		},
		verify.ModelNamed("replacement"): func(i int) *big.Rat {
			all := new(big.Rat)
			for _, x := range q {
				term, miss := new(big.Rat).Set(x), new(big.Rat).Sub(one, x)
				for range i {
					term.Mul(term, miss)
				}
				all.Add(all, term)
			}
			return all
		},
	}
	for _, r := range []bloomproof.Recycling{{Sigma: 20}, {Sigma: 20, Retain: true}} {
		r.FreshPositions = true
		c, err := approxfnr.New(g, r, bloomproof.Workload{Popularity: bloomproof.Zipf(1, d), Repeat: 0.75})
		if err != nil {
			t.Fatal(err)
		}
		const prec = 120
		num := func(x *big.Rat) *big.Float { return new(big.Float).SetPrec(prec).SetRat(x) }
		all := map[approxfnr.Model]*[3]*big.Float{}
		for m := range fhat {
			all[m] = &[3]*big.Float{num(new(big.Rat)), num(new(big.Rat)), num(new(big.Rat))}
		}
		for i := range rows {
			if r.Retain && i == 0 {
				continue
			}
			fits, unlucky := fitting(t, g, r.Sigma, uint64(i), prec)
			for m, f := range fhat {
				missing := f(i)
				e := new(big.Rat).Mul(missing, big.NewRat(3, 4))
				repeat := num(e)
				e.Add(e, big.NewRat(1, 4))
				for n, y := range []*big.Float{fits, new(big.Float).Mul(unlucky, repeat), new(big.Float).Sub(fits, unlucky)} {
					all[m][n].Add(all[m][n], new(big.Float).SetPrec(prec).Quo(y, num(e)))
				}
			}
		}
		for m, x := range all {
			f, err := c.Predict(m)
			if err != nil {
				t.Fatal(err)
			}
			for n, got := range []float64{f.Cycle, f.FNR * f.Cycle, f.FPRPerNew * f.Cycle} {
				off := new(big.Float).SetPrec(prec).SetFloat64(got)
				off.Quo(off, x[n]).Sub(off, big.NewFloat(1))
				if o, _ := off.Float64(); math.Abs(o) > f.Bound {
					t.Errorf("%v %v: sum %d is off by %.2g, the bound is %.2g", m, r, n, o, f.Bound)
				}
			}
		}
	}
}

// fitting returns v_i and u_i of a standard filter: that i messages leave at most sigma bits set, and
// besides that one more sets a bit.
func fitting(t *testing.T, g bloomproof.Geometry, sigma, i uint64, prec uint) (fits, unlucky *big.Float) {
	t.Helper()
	law, err := exact.Union(g.M, []exact.Committees{{Size: 1, Count: i * uint64(g.K)}})
	if err != nil {
		t.Fatal(err)
	}
	fits, unlucky = new(big.Float).SetPrec(prec), new(big.Float).SetPrec(prec)
	for l := range sigma + 1 {
		p, err := law.PMF(l, prec, exact.Auto)
		if err != nil {
			t.Fatal(err)
		}
		misses := big.NewRat(1, 1) // some of the k positions
		for range g.K {
			misses.Mul(misses, new(big.Rat).SetFrac64(int64(l), int64(g.M)))
		}
		misses.Sub(big.NewRat(1, 1), misses)
		fits.Add(fits, p.Lo())
		unlucky.Add(unlucky, new(big.Float).Mul(p.Lo(), new(big.Float).SetPrec(prec).SetRat(misses)))
	}
	return fits, unlucky
}

// Where its probabilities are some, disabling is the closest of the models to rates that are
// exact at these sizes, within half a per cent: it knows the law of the bits by the messages that
// are recorded, where (19) spreads it.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestDisablingIsClosest(t *testing.T) {
	worst := map[approxfnr.Model]float64{}
	for _, x := range []struct {
		g bloomproof.Geometry
		s uint64
		d uint64
	}{{bloomproof.Geometry{M: 500, K: 4}, 150, 100}, {bloomproof.Geometry{M: 1000, K: 4}, 500, 300}} {
		for _, alpha := range []float64{0, 0.5, 1, 1.5, 2} {
			for _, repeat := range []float64{0.5, 0.9, 1} {
				if !longtest.Enabled() && (x.d == 300 || repeat == 0.9 || alpha == 0.5 || alpha == 1.5) {
					continue
				}
				w := bloomproof.Workload{
					Popularity: bloomproof.Zipf(alpha, x.d), Repeat: repeat,
					Arrivals: bloomproof.ArrivalLast,
				}
				c, err := approxfnr.New(x.g, bloomproof.Recycling{Sigma: x.s, FreshPositions: true}, w)
				if err != nil {
					t.Fatal(err)
				}
				truth, err := c.Predict(approxfnr.ModelExact)
				if err != nil || !truth.Valid {
					continue
				}
				f, err := c.Predict(approxfnr.Model("disabling"))
				if err != nil || !f.Valid {
					continue
				}
				for _, m := range []approxfnr.Model{approxfnr.Model("disabling"), approxfnr.ModelRenewal, verify.ModelNamed("renewal-extended"), approxfnr.Model("fluid"), verify.ModelNamed("pins-arrivals")} {
					if f, err := c.Predict(m); err == nil && f.Valid {
						worst[m] = max(worst[m], math.Abs(f.FNR/truth.FNR-1))
					}
				}
			}
		}
	}
	t.Logf("off by at most %v", worst)
	for m, off := range worst {
		if m != approxfnr.Model("disabling") && off < worst[approxfnr.Model("disabling")] {
			t.Errorf("%v is off by %.2g, disabling by %.2g", m, off, worst[approxfnr.Model("disabling")])
		}
	}
	if off := worst[approxfnr.Model("disabling")]; off == 0 || off > 5e-3 {
		t.Errorf("disabling is off by %.2g", off)
	}
}
