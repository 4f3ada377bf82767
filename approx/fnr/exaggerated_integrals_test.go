package fnr

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestExaggeratedIntegrals compares the integrals over the arrivals of a cycle, and the bounds of their errors, with a
// second computation. The cycles are so short, or the positions so few, that the beginning of the cycle shows.
func TestExaggeratedIntegrals(t *testing.T) {
	l, s := ledger{}, newSources(t, 19)
	// The fourth has a shifting curve.
	workloads := append(exaggeratedWorkloads(), bloomproof.Workload{Popularity: bloomproof.Uniform(3)}, lastOf(bloomproof.Uniform(1), 0.5), lastOf(bloomproof.Uniform(2), 1e-3))
	for i := range longtest.More(28, 4*28) {
		w := workloads[i%len(workloads)]
		k, n := []int{1, 2, 7, 30}[s.IntN(4)], s.between(0.3, 1e4)
		if s.IntN(4) == 0 {
			n = s.between(1e4, 1e12)
		}
		g := bloomproof.Geometry{K: k, M: uint64(max(n, 30)*float64(k)*s.between(0.2, 30)) + 64}
		if s.IntN(8) == 0 { // the integrals are below the range of float64
			g.M = 1 << 62
		}
		var m curve
		kind := "steady"
		if at, err := newSteady(w); err != nil {
			t.Fatal(err)
		} else if at != nil {
			m = at
			if s.IntN(3) == 0 {
				n = max(n, 2)
				m, kind = s.loud(at, n), "another" // integrals do not know that it is steady
			}
		} else {
			traffic, err := newTraffic(w)
			if err != nil {
				t.Fatal(err)
			}
			if n = s.between(1.5, 60); i%2 == 0 { // the first arrival does not count
				n, g.K = 60, 30
			}
			m, kind = newShifting(traffic, 2.2*n, 2), "shifting"
		}
		before := []float64{0, n}[s.IntN(2)]
		x := large{g: g, w: w}
		l.integrals(t, []any{g, w, n, before, kind}, &x, m, kind, n, before)
	}
	l.check(t)
}

// The method "integrals" computes the integrals over arrivals from high*ratio to high, for falling values of "high". The
// nodes and weights of Gauss's rule are checked by TestPanelError.
func (l ledger) integrals(t *testing.T, what any, c *large, m curve, kind string, n, before float64) {
	fresh := 1 - c.w.Repeat
	clear := message.Clear(c.g, 1)
	match := func(y float64) float64 { return math.Pow(-math.Expm1(y*clear), float64(c.g.K)) }
	recorded := func(at float64) float64 {
		sum, _, _ := m.stale(at)
		return fresh*at + sum
	}
	rate := func(at float64) float64 {
		_, rate, _ := m.stale(at)
		return rate
	}
	panel := func(low, high float64, f func(at float64) float64) (sum float64) {
		for i, at := range gaussNodes {
			sum += gaussWeights[i] * (high - low) * f(low+at*(high-low))
		}
		return sum
	}
	var want integrals
	squares := func(at float64) float64 { e := fresh + rate(at); return e * e }
	for high := n; high > 1; high /= 2 {
		low := high / 2
		if low < 1 {
			low = 0
		}
		want.squares += panel(low, high, squares)
	}
	ratio := math.Exp(-min(0.34, 3/float64(c.g.K)))
	least := 1.0
	if kind == "steady" {
		least = min(1, n*0x1p-56)
	}
	first := rate(0)
	left, rest := 1.0, 0.0
	for high := n; high > least && left > 0x1p-50; high *= ratio {
		low, end := high*ratio, high*ratio
		if low < least {
			low, end = 0, high
		}
		later := func(at float64) float64 { return match(recorded(at)) * rate(at+before) }
		want.all += panel(low, high, func(at float64) float64 { return match(recorded(at)) * (fresh + rate(at)) })
		want.times += panel(low, high, func(at float64) float64 { return match(recorded(at)) })
		want.lucky += panel(low, high, later)
		want.few += panel(low, high, func(at float64) float64 { return later(at) / recorded(at) })
		want.thin += panel(low, high, func(at float64) float64 { return match(recorded(at)) / recorded(at) })
		if shift, ok := m.(*shifting); ok {
			want.noise += panel(low, high, func(at float64) float64 { return match(recorded(at)) * shift.rateError(at+before) })
		}
		if rest = end * match(recorded(end)); rest == 0 {
			break
		}
		if left = 1; want.times > 0 && want.all > 0 && (want.lucky > 0 || first == 0) {
			left = max(rest/want.times, rest*(fresh+first)/want.all)
			if first > 0 {
				left = max(left, rest*first/want.lucky)
			}
		}
	}
	switch shifts := kind == "shifting"; {
	case kind == "steady" && want.times > 0 && want.lucky == 0:
		want.off = 0x1p-37 + 2*0x1p-56
	case rest == 0 && left >= 1:
		want.off = 0x1p-37 + 0x1p-50
	case shifts && rest > 0 && want.times > 0 && want.all > 0:
		want.noise = l.sum("noise", term{"rates", want.noise}, term{"rest", rest * first})
		want.off = l.sum("off of shifting", term{"panels", 0x1p-37}, term{"rest", max(rest/want.times, rest*(fresh+first)/want.all)})
	default:
		want.off = l.sum("off", term{"panels", 0x1p-37}, term{"rest", left})
	}
	digits := sameDigits
	if kind == "shifting" { // its rates are differences
		digits = 1e-3
	}
	compare := func(name string, got, want float64) {
		t.Helper()
		if got != want && !(math.Abs(got/want-1) <= digits) {
			t.Errorf("%v: %s is %.15g, computed again %.15g", what, name, got, want)
		}
	}
	got := c.integrals(m, n, before)
	for name, x := range map[string][2]float64{"squares": {got.squares, want.squares}, "all": {got.all, want.all}, "times": {got.times, want.times}, "lucky": {got.lucky, want.lucky},
		"few": {got.few, want.few}, "thin": {got.thin, want.thin}, "off": {got.off, want.off}, "noise": {got.noise, want.noise}} {
		if math.Abs(x[0]) < 0x1p-900 && math.Abs(x[1]) < 0x1p-900 {
			continue
		}
		compare(name, x[0], x[1])
	}
	// The bound of lucky arrivals for random numbers of messages, down to the arrivals that no longer count.
	k := float64(c.g.K)
	sum, last, more := 0.0, 0.0, 0.0
	for high := n; high > n*0x1p-56; high *= ratio {
		sum += panel(high*ratio, high, func(at float64) float64 {
			if y := recorded(at); y > 0 {
				last = match(k / math.Log1p(k/y))
			}
			return 2 * last * rate(at+before)
		})
		if more = 2 * high * ratio * last * c.w.Repeat; more <= 1e-3*sum {
			break
		}
	}
	if want := l.sum("most lucky", term{"panels", sum}, term{"rest", more}); want > 0x1p-900 && want < fm.Inf() {
		compare("most lucky", c.mostLucky(m, n, before), want)
	}
}
