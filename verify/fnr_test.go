package verify

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
	"github.com/bloomproof/bloomproof/verify/longtest"
	"github.com/bloomproof/bloomproof/verify/model"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// simulated are means of what a simulation counts; one is not a number if it counts nothing.
type simulated struct {
	fnr, lucky, cycle              float64
	fpr, fprPerNew, fprPerCycleNew float64
}

// isSimulated fails unless the means of a simulation are want, but for a relative error of off.
func isSimulated(t *testing.T, s setting, p sim.Plan, off float64, want simulated) {
	t.Helper()
	runs, err := s.run(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		of   func(*sim.Tally) (uint64, uint64)
		want float64
	}{
		{"false negatives per arrival", (*sim.Tally).FalseNegative, want.fnr},
		{"lucky per arrival", func(n *sim.Tally) (uint64, uint64) { return n.Lucky, n.Arrivals }, want.lucky},
		{"arrivals per cycle", (*sim.Tally).Cycle, want.cycle},
		{"false positives per arrival", (*sim.Tally).PerArrival, want.fpr},
		{"false positives per new message", (*sim.Tally).PerNew, want.fprPerNew},
		{"positives per cycle-new arrival", (*sim.Tally).PerCycleNew, want.fprPerCycleNew},
	} {
		got, err := sim.Ratio(runs, c.of, 0.9999)
		if err != nil {
			t.Fatal(err)
		}
		if got == nil && math.IsNaN(c.want) {
			continue
		}
		if got == nil || !(c.want >= got.Low*(1-off) && c.want <= got.High*(1+off)) {
			t.Errorf("%v: %s are %v, not %v", s, c.what, got, c.want)
		}
	}
}

// forgotten are the figures of a filter under a workload.
var forgotten = []struct {
	name  string
	of    func(*sim.Tally) (hits, trials uint64)
	exact func(*exactfnr.Rates) *exact.Enclosure
	shift float64
}{
	{"false negatives per arrival", (*sim.Tally).FalseNegative, func(x *exactfnr.Rates) *exact.Enclosure { return &x.FNR }, 0.2},
	{"arrivals per cycle", (*sim.Tally).Cycle, func(x *exactfnr.Rates) *exact.Enclosure { return x.Cycle }, 0.1},
	{"false positives per arrival", (*sim.Tally).PerArrival, func(x *exactfnr.Rates) *exact.Enclosure { return &x.FPR }, 0.15},
	{"positives per cycle-new arrival", (*sim.Tally).PerCycleNew, func(x *exactfnr.Rates) *exact.Enclosure { return x.FPRPerCycleNew }, 0.15},
	{"lucky per arrival", func(n *sim.Tally) (uint64, uint64) { return n.Lucky, n.Arrivals }, func(x *exactfnr.Rates) *exact.Enclosure { return &x.Lucky }, 0.2},
	{"false positives per new message", (*sim.Tally).PerNew, func(x *exactfnr.Rates) *exact.Enclosure { return x.FPRPerNew }, 0.15},
}

// said are the claims that exact rates make of these figures, but for those that are zero.
func said(x *exactfnr.Rates) (claims []claimed, of []func(*sim.Tally) (hits, trials uint64)) {
	for _, f := range forgotten {
		if e := f.exact(x); e != nil && e.Sign() > 0 {
			claims = append(claims, claimed{f.name, e.Float64(), f.shift})
			of = append(of, f.of)
		}
	}
	return claims, of
}

// The filter of package kernel and the one with ideal positions forget as the chain of
// exactfnr.System says, by every rule; with slices, for which there is none, both forget
// alike: the hits of one by the trials of the other are as many on average either way.
//
// Claims: none of a paper's: the chain is derived in package exact.
func TestFNRIsSimulated(t *testing.T) {
	all := newGrid(1)
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 2), Repeat: 0.75}
	plan := sim.Plan{Runs: 1 << 13, Cycles: 200}
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		g := bloomproof.Geometry{Hashing: h, M: 6, K: 2}
		sigma := uint64(3)
		if h == bloomproof.Standard { // whose chains are longer
			g.M, sigma = 4, 2
		}
		for i, r := range model.Rules(sigma, 2) {
			if i%longtest.Of(8, 9, 1) != longtest.Of(1+int(h), 2*int(h), 0) {
				continue
			}
			g := g
			x := rates(t, g, r, w)
			if x.Absorbing.Sign() > 0 { // the frozen array may be full, and then knows everything
				g.M++
				x = rates(t, g, r, w)
			}
			if x.Absorbing.Sign() > 0 {
				t.Errorf("%v: it ends with probability %v", r, x.Absorbing)
				continue
			}
			s := setting{Geometry: g, Rule: r, Workload: w}
			claims, of := said(x)
			all.hold(t, recycled(s, plan, claims, of...), 2<<16+uint64(h)<<8+uint64(i))
		}
	}
	g := bloomproof.Geometry{Hashing: bloomproof.Partitioned, M: 6, K: 2}
	for i, r := range model.Rules(3, 2) {
		if i%longtest.Of(8, 9, 1) != longtest.Of(3, 1, 0) {
			continue
		}
		var claims []claimed
		var of []func(*sim.Tally) (hits, trials uint64)
		for _, f := range forgotten {
			claims, of = append(claims, claimed{f.name, 1, 0.25}), append(of, f.of)
		}
		c := recycled(setting{Geometry: g, Rule: r, Workload: w}, plan, claims, of...)
		real, ideal := c.draw["real"], c.draw["ideal"]
		c.draw = map[string]func(p sim.Plan) ([][][2]float64, error){"real by ideal": func(p sim.Plan) ([][][2]float64, error) {
			a, err := real(p)
			if err != nil {
				return nil, err
			}
			b, err := ideal(p)
			if err != nil {
				return nil, err
			}
			for i := range a {
				for n := range a[i] {
					a[i][n] = [2]float64{a[i][n][0] * b[i][n][1], b[i][n][0] * a[i][n][1]}
				}
			}
			return a, nil
		}}
		all.hold(t, c, 3<<16+uint64(i))
	}
	all.end(t, 1200, 1200)
}

// rates returns the exact rates of a tiny filter.
func rates(t *testing.T, g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload) *exactfnr.Rates {
	t.Helper()
	c, err := exactfnr.New(g, r, w)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Rates(53)
	if err != nil {
		t.Fatalf("%v %v: %v", g, r, err)
	}
	return x
}
