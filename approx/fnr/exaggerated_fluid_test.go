package fnr

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The method "fluid" computes the result of System.flow a second time, from the comment in that method.
func (l ledger) fluid(c *System, x large, m curve, n, y, full float64) Forecast {
	const u = fm.Unit
	k, fresh := float64(c.g.K), 1-c.w.Repeat
	before, frozen := 0.0, 0.0
	if c.r.TwoPhase {
		before, frozen = n, x.match(y)
	}
	open := 1 - frozen
	i := x.integrals(m, n, before)
	start, startRate, _ := m.stale(before)
	end, endRate, _ := m.stale(before + n)
	sum, rate, _ := m.stale(n)
	stale := max(end-start, 0)
	hits := min(i.lucky, stale)
	missed := open * (stale - hits)
	positive := (frozen*n + open*i.times) / n
	f := Forecast{FNR: missed / n, Lucky: (frozen*stale + open*hits) / n, FPR: fresh * positive, FPRPerNew: positive, Cycle: n}
	if all := fresh + stale/n; all > 0 {
		f.FPRPerCycleNew = (f.FPR + f.Lucky) / all
	}
	f.Valid, f.Note = c.made(0)

	list, isList := m.(*listed)
	if isList { // the rate changes at integers: the worst one within one arrival
		_, rate, _ = m.stale(n + 1)
		_, startRate, _ = m.stale(before - 1)
		_, endRate, _ = m.stale(before + n - 1)
	}
	curve := m.err(before + n)
	sums := l.sum("sums", term{"panels", i.off}, term{"curve", (k + 2) * curve}, term{"full", (k + 2) * full}, term{"matches", (k + 2) * 16 * u}, term{"rounding", 64 * u}) / open
	cycle := l.sum("cycle", term{"curve", curve * y}, term{"full", full * y}, term{"rounding", 8 * u * y}, term{"root", math.Abs(fresh*n + sum - y)}) / (fresh + rate)
	turned := endRate
	if before > 0 {
		turned = max(turned, startRate*min(1, before))
	}
	noise := open * i.noise
	wrong := l.sum("false negatives", term{"cycle", 2 * turned * cycle}, term{"end", curve * end}, term{"start", curve * start}, term{"lucky", sums * hits}, term{"noise", noise})
	if list != nil && cycle >= 1 {
		wrong = math.Inf(1)
	}
	_, shifts := m.(*shifting)
	estimated := 0.0
	if shifts {
		estimated = fluidError
		f.Assumes = join(ofIntegrals, ofFractions)
	}
	rest := l.sum("rest", term{"cycle", cycle / n}, term{"sums", 2 * sums}, term{"estimate", estimated})
	lucky := 0.0
	if noise/n >= 0x1p-900 {
		lucky = noise / n / min(f.Lucky+f.FNR*f.FPRPerNew, f.Lucky+f.FPR)
	}
	switch {
	case wrong < 1e-300:
		f.Bound = rest + lucky
	case wrong > missed/4:
		f.FNR = min((f.FNR+wrong/n)*(1+rest), c.w.Repeat)
		f.Valid, f.Bound, f.Note = false, 1, join(f.Note, onlyAbove("these sums", shifts))
	default:
		f.Bound = l.sum("bound", term{"false negatives", wrong / missed}, term{"rest", rest}, term{"lucky", lucky})
	}
	if rest+lucky > 0.25 {
		f.Valid, f.Bound, f.Note = false, 1, join(f.Note, tooLarge("these sums"))
	}
	f.Bound = min(f.Bound, 1)
	if shifts {
		f.Estimated = f.Bound
	}
	return f
}

// TestExaggeratedFluid compares the results of System.flow with those of the second computation. The errors of the
// curve and of the number of messages are drawn.
func TestExaggeratedFluid(t *testing.T) {
	l, s := ledger{}, newSources(t, 12)
	workloads, kinds := append(exaggeratedWorkloads(), bloomproof.Workload{Popularity: bloomproof.Uniform(3)}), map[string]int{}
	for i := range longtest.More(56, 4*56) {
		w := workloads[min(i%8/2, 3)]
		if i%16 == 2 {
			w = workloads[4] // no repeats
		}
		y := s.between(3, 1e5)
		lists := i%8 == 7
		if lists {
			y = s.between(2, 40)
		}
		n := y * s.between(1, 4)
		if i%7 == 3 && !lists { // a cycle with one or two arrivals
			y = s.between(1, 1.3)
			n = y * s.between(1, 1.4)
		}
		g := bloomproof.Geometry{K: []int{1, 2, 5, 12}[s.IntN(4)]}
		g.M = uint64(y*float64(g.K)*s.between(0.5, 20)) + 2
		if s.IntN(4) == 0 { // nearly no arrival is lucky
			g.M *= 1 << 20
		}
		r := bloomproof.Recycling{Sigma: g.M / 2, FreshPositions: true, TwoPhase: s.IntN(2) == 0}
		r.NoCopyOver = r.TwoPhase && i%5 == 0 // there is a note in any case
		c, err := New(g, r, w)
		if err != nil {
			t.Fatal(err)
		}
		x := c.asLarge()
		m := s.curveOf(t, c, n, func(x *traffic) curve {
			if lists {
				return newListed(x, 2*y, 8)
			}
			return newShifting(x, 2.2*n, 2)
		})
		if sum, rate, _ := m.stale(n); s.IntN(2) == 0 { // n solves the equation, up to rounding
			y = (1-w.Repeat)*n + sum
			if s.IntN(2) == 0 {
				y += s.between(1e-16, 1e-3) * rate
			}
		}
		full := s.off()
		got, err := c.flow(x, m, n, y, full)
		if err != nil {
			t.Errorf("%v %v: %v", g, w, err)
			continue
		}
		agree(t, []any{g, c.r, w, n, y, full}, got, l.fluid(c, x, m, n, y, full))
		if got.FNR == 0 && got.Valid && got.Bound > 0 && got.Bound < 1 {
			kinds["no false negatives"]++
		}
		kinds[got.Note]++
	}
	l.check(t)
	if len(kinds) < 5 || kinds["no false negatives"] == 0 {
		t.Errorf("the notes were %v", kinds)
	}
}
