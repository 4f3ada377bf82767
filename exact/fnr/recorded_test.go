package fnr

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/fraction"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/starved"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestRecordedBounds compares the error bounds from which CycleBounds, ofRepeatsLarge and FixedRates compute their
// enclosures with recorded bounds. Most of these bounds are for rounding errors of float64. They are small compared with
// the width of an enclosure, so the enclosure does not show whether they are right. Other tests check that the bounds
// hold. This test shows a bound that changes by mistake. With large margins for rounding errors, each of their terms shows.
func TestRecordedBounds(t *testing.T) {
	record := starved.OpenWidths(t, "testdata/bounds.txt", longtest.Enabled())
	for _, margin := range starved.Margins {
		func() {
			defer precision.Starve(precision.Starving{Guard: -1, Margin: margin})()
			recordCycleBounds(t, record, margin)
			recordRepeats(t, record, margin)
			recordFixed(t, record, fmt.Sprintf("margin %g", margin))
		}()
	}
	for _, margin := range starved.Margins[:2] {
		func() { // the levels that are left out have an effect
			defer precision.Starve(precision.Starving{Guard: -1, Cut: 3, Margin: margin})()
			recordFixed(t, record, fmt.Sprintf("cut 3, margin %g", margin))
			recordFirsts(t, record, margin)
		}()
	}
	record.End()
}

func recordCycleBounds(t *testing.T, record *starved.Widths, margin float64) {
	for i, x := range []struct {
		r bloomproof.Recycling
		w bloomproof.Workload
	}{
		{bloomproof.Recycling{Sigma: 20}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 4), Repeat: 0.75}},
		{bloomproof.Recycling{Messages: 4, Retain: true}, bloomproof.Workload{Popularity: bloomproof.Uniform(9), Repeat: 0.5, Arrivals: bloomproof.ArrivalFirst}},
	} {
		x.r.FreshPositions = true
		c, err := New(bloomproof.Geometry{M: 60, K: 3}, x.r, x.w)
		if err != nil {
			t.Fatal(err)
		}
		l, err := c.levels(1 - x.w.Repeat)
		if err != nil {
			t.Fatal(err)
		}
		r := c.traffic()
		p, err := r.horizon(l)
		if err != nil {
			t.Fatal(err)
		}
		s := &stopping{retain: x.r.Retain, traffic: r, levels: l, path: p, tails: r.tails(l, p), moments: r.moments(len(p.mean))}
		add := func(step string, bound float64) {
			record.Bound(fmt.Sprintf("filter %d, margin %g", i, margin), step, bound)
		}
		width := func(step string, e ends) { add(step, e.high-e.low) }
		add("levels.off", l.off)
		add("levels.rest", l.rest)
		width("loud", l.loud)
		width("quiet", l.quiet)
		add("arrivals", float64(len(p.mean)))
		v, g := s.sums()
		width("v", v)
		width("g", g)
		for _, u := range []int{0, 1, 5, 11} {
			m := s.moments[u]
			for what, off := range map[string]float64{"Mean": m.offMean, "Hit": m.offHit, "VarD": m.offVarD, "VarH": m.offVarH, "Cov": m.offCov} {
				add(fmt.Sprintf("off%s(%d)", what, u), off)
			}
			add(fmt.Sprintf("spread(%d)", u), m.spread(1.5, -0.25))
			for _, j := range []int{1, 4, 9} {
				for _, up := range []bool{false, true} {
					at := fmt.Sprintf("(%d,%d,%v)", u, j, up)
					p, square := s.tails.at(u, j, up, m)
					add("p"+at, p)
					add("square"+at, square)
					if j == 4 {
						p, part := s.part(j, u, up, 1.5, -0.25)
						add("partP"+at, p)
						width("part"+at, part)
						add("partLow"+at, part.low)
					}
				}
			}
		}
		for _, x := range []float64{0.5, -0.25} {
			add(fmt.Sprintf("exponent(%g)", x), r.exponent(x, p).logs[3])
		}
		for j := 1; j <= 6; j += 2 {
			at := s.path.reaches(float64(j))
			_, off := s.before(j, at, 1.5, -0.25)
			add(fmt.Sprintf("before(%d)", j), off)
			width(fmt.Sprintf("with(%d)", j), s.with(j, at, 1.5, -0.25))
			width(fmt.Sprintf("hitting(%d)", j), s.hitting(j))
		}
		rates, err := c.CycleBounds()
		if err != nil {
			t.Fatal(err)
		}
		for what, e := range map[string]exact.Enclosure{"FNR": rates.FNR, "Lucky": rates.Lucky, "FPR": rates.FPR, "Cycle": *rates.Cycle, "FPRPerCycleNew": *rates.FPRPerCycleNew} {
			record.Width(fmt.Sprintf("filter %d, margin %g", i, margin), what, e)
		}
	}
}

func recordRepeats(t *testing.T, record *starved.Widths, margin float64) {
	for i, x := range []struct {
		m uint64
		r bloomproof.Recycling
	}{
		{1 << 20, bloomproof.Recycling{Messages: 3, Retain: true}}, {1 << 20, bloomproof.Recycling{Messages: 3, TwoPhase: true, FreezeBefore: true}},
		{30, bloomproof.Recycling{Sigma: 9, Retain: true}}, // the levels that are left out have an effect
	} {
		if x.m == 30 && margin != starved.Margins[1] {
			continue // a fifth of a second
		}
		r := x.r
		c := repeatsOnly(t, bloomproof.Geometry{M: x.m, K: 3}, r, bloomproof.Weights([]float64{8, 4, 2, 1, 1}))
		x := cyclesOfOneGroup(t, c, 5, 8, 8)
		g := x.g
		answer := fmt.Sprintf("repeats %d, margin %g", i, margin)
		record.Bound(answer, "off", g.off)
		record.Bound(answer, "late", g.late)
		record.Bound(answer, "lasts", g.lasts)
		record.Bound(answer, "slack", x.slack(g.lasts))
		record.Bound(answer, "lateness", g.lateness(x.grouped)(make([]fraction.Number, len(g.q))))
		s := x.onePhase()
		if r.Retain {
			for _, prec := range []uint{100, 8} { // with 100 bits, the iteration ends at the error of its integrals
				var err error
				if s, err = x.retained(prec); err != nil {
					t.Fatal(err)
				}
				record.Width(answer, fmt.Sprintf("v/%d", prec), s.v)
			}
		}
		if r.TwoPhase {
			x.twoPhases(s)
		}
		record.Width(answer, "v", s.v)
		for k, y := range s.tally {
			record.Width(answer, fmt.Sprintf("tally%d", k), y)
		}
	}
	for _, n := range []int{16, 32} {
		record.Bound(fmt.Sprintf("%d nodes, margin %g", n, margin), "3", panelError(n, 3))
	}
}

// recordFirsts compares the widths of sums over the levels at which messages arrive for the first time.
func recordFirsts(t *testing.T, record *starved.Widths, margin float64) {
	c := repeatsOnly(t, bloomproof.Geometry{M: 30, K: 3}, bloomproof.Recycling{Sigma: 9, TwoPhase: true}, bloomproof.Uniform(12))
	x := cyclesOfOneGroup(t, c, 12, 8, 8)
	for i, list := range x.firsts([]byLevel{x.before(x.ends, false), x.before(x.matched, true)}) {
		record.Width(fmt.Sprintf("firsts, margin %g", margin), fmt.Sprint(i), list[0])
	}
	record.Bound("firsts", "rest", top(x.rest))
}

func recordFixed(t *testing.T, record *starved.Widths, step string) {
	s, err := New(bloomproof.Geometry{M: 100, K: 2}, bloomproof.Recycling{Sigma: 7}, bloomproof.Workload{Popularity: bloomproof.Weights([]float64{8, 7, 6, 5, 4, 3, 2, 1}), Repeat: 1})
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.orders()
	if err != nil {
		t.Fatal(err)
	}
	fixed := "fixed, " + step
	record.Bound(fixed, "beyond", o.beyond)
	record.Bound(fixed, "least", o.least)
	record.Bound(fixed, "stays", o.stays)
	record.Bound(fixed, "quiet", o.quiet)
	point := func(n int64) exact.Enclosure {
		e, err := exact.NewRational(big.NewRat(n, 10), 53)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	cycle := point(50)
	x, err := s.whenFixed(&Rates{FNR: point(6), Lucky: point(1), Cycle: &cycle})
	if err != nil {
		t.Fatal(err)
	}
	record.Bound(fixed, "Spread", x.Spread)
	for what, e := range map[string]*exact.Enclosure{"FNR": &x.FNR, "Lucky": &x.Lucky, "FPR": &x.FPR, "Cycle": x.Cycle, "FPRPerCycleNew": x.FPRPerCycleNew} {
		record.Width(fixed, what, *e)
	}
}
