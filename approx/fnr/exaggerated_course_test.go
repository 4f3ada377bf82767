package fnr

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestExaggeratedOver compares the bound of the arrivals that a course leaves out with the formula in the comment of
// newCourse. The distribution of the recorded messages is drawn.
func TestExaggeratedOver(t *testing.T) {
	l, s := ledger{}, newSources(t, 20)
	ended := map[bool]int{}
	for range longtest.More(200, 4*200) {
		levels, d := 2+s.IntN(8), 1+s.IntN(5)
		v := make([]float64, levels) // the probabilities that n messages fit
		tails, left := make([]float64, levels+1), 1.0
		for n := range v {
			v[n] = left
			left *= s.between(1e-4, 1)
		}
		for n := levels - 1; n >= 0; n-- {
			tails[n] = tails[n+1] + v[n]
		}
		law := newCrowd(0, levels-1)
		law.low = s.IntN(levels)
		law.high = law.low + 1 + s.IntN(levels-law.low)
		scale := s.between(1e-18, 1)
		for n := law.low; n < law.high; n++ {
			law.p[n] = scale * s.between(1e-3, 1)
		}
		law.dropped = []float64{0, s.between(1e-20, 1e-3)}[s.IntN(2)]
		x := &traffic{fresh: []float64{0, s.between(1e-3, 0.9)}[s.IntN(2)]}
		c := &course{missing: make([]float64, 1+s.IntN(40))}
		g := make([]float64, d)
		messages, arrivals := 0.0, 0.0 // the number of unrecorded messages, and of arrivals until the last of them
		for i := range g {
			g[i] = s.between(1e-6, 1)
			x.q = append(x.q, s.between(1e-3, 1))
			messages += g[i]
			arrivals += g[i] / x.q[i]
		}
		alive, future := 0.0, 0.0
		for n := law.low; n < law.high; n++ {
			alive += law.p[n] * v[n]
			for j := n; j < levels; j++ {
				future += law.p[n] * v[j] / x.fresh
			}
		}
		each := tails[0] / x.fresh
		if x.fresh == 0 {
			each = l.sum("each", term{"arrivals", arrivals}, term{"stuck", float64(len(c.missing)) * messages})
			future = alive * each
		}
		over := c.over(x, g, law, tails)
		same(t, x, "the rest", c.rest, l.sum("rest", term{"future", future}, term{"dropped", law.dropped * each}))
		if share := future / tails[0]; over != (share <= 0x1p-46) {
			t.Errorf("%+v: the course is over: %v, with the share %g left", x, over, share)
		}
		ended[over]++
	}
	l.check(t)
	if ended[true] < 5 || ended[false] < 5 {
		t.Errorf("the courses are over or not: %v", ended)
	}
}

// TestExaggeratedFilling compares the bounds of a filling that leaves out many rows with their formulas, and with the
// rows that it leaves out.
func TestExaggeratedFilling(t *testing.T) {
	l, s := ledger{}, newSources(t, 21)
	for i := range longtest.More(24, 4*24) {
		g := bloomproof.Geometry{M: []uint64{12, 48, 300}[i%3], K: 1 + s.IntN(4), Hashing: []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic}[s.IntN(2)]}
		r := fresh(g.M / uint64(2+s.IntN(3)))
		if s.IntN(2) == 0 {
			r = bloomproof.Recycling{Messages: 1 + uint64(s.IntN(int(g.M)/g.K)), FreshPositions: true}
		}
		cut := s.between(1e-12, 0.3)
		whole, err := newFilling(g, r)
		if err != nil {
			continue // an array can hold all bits
		}
		f, err := newFiller(g, r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := newFiller(g, r)
		if err != nil {
			t.Fatal(err)
		}
		if s.IntN(2) == 0 {
			f.cut = s.between(1e-12, 1e-3)
			again.cut = f.cut
		}
		x, err := f.filling(cut)
		if err != nil {
			t.Fatal(err)
		}
		what := []any{g, r, cut}
		rest := func(row filled) float64 {
			switch {
			case row.fits == 0:
				return 0
			case r.Messages > 0:
				return max(row.fits-row.ends, 0) * float64(r.Messages) / f.miss[(r.Messages-1)*uint64(g.K)]
			case row.ends == 0:
				return math.Inf(1)
			}
			return max(row.fits-row.ends, 0) / (row.ends / row.fits)
		}
		for n, row := range x.rows {
			if row != again.next() {
				t.Errorf("%v: row %d is another one", what, n)
			}
			if off := math.Abs(row.fits - whole.rows[n].fits); !(off <= f.dropped+1e-14) {
				t.Errorf("%v: row %d changes by %g, and %g was cut off", what, n, off, f.dropped)
			}
			if last := n == len(x.rows)-1; last != (rest(row) <= cut) {
				t.Errorf("%v: row %d, rest %g, is the last: %v", what, n, rest(row), last)
			}
		}
		same(t, what, "rest", x.rest, rest(x.rows[len(x.rows)-1]))
		left := 0.0
		for _, row := range whole.rows[len(x.rows):] {
			left += row.fits
		}
		if f.cut == fillCut && !(left <= x.rest*(1+1e-9)) {
			t.Errorf("%v: the rows left out are %g, stated are %g", what, left, x.rest)
		}
		rows, k := float64(len(x.rows)), float64(g.K)
		same(t, what, "err", x.err, l.sum("err", term{"positions", 8 * k * rows * fm.Unit}, term{"rows", 8 * rows * fm.Unit}, term{"last positions", 4 * k * fm.Unit},
			term{"last", 8 * fm.Unit}, term{"dropped", 2 * f.dropped}))
	}
	l.check(t)
	// One message sets three bits. So no message fits, and nothing is left out, although no rest is small enough.
	g := bloomproof.Geometry{M: 9, K: 3, Hashing: bloomproof.Classic}
	f, err := newFiller(g, fresh(2))
	if err != nil {
		t.Fatal(err)
	}
	if x, err := f.filling(-1); err != nil || len(x.rows) != 2 || x.rows[0].fits != 1 || x.rows[1].fits != 0 || x.rest != 0 {
		t.Errorf("no message fits, but the filling is %+v, %v", x, err)
	}
	// So much is cut off that nothing is left of the distribution. The bound of what is cut off includes this.
	nothing := 0
	for sigma := uint64(3); sigma < 12; sigma++ {
		for cut := 0.2; cut < 1; cut += 0.1 {
			if f, err = newFiller(bloomproof.Geometry{M: 30, K: 3}, fresh(sigma)); err != nil {
				t.Fatal(err)
			}
			f.cut = cut
			x, err := f.filling(-1)
			if err != nil || x.rest != 0 || x.rows[len(x.rows)-1].fits != 0 {
				t.Errorf("all is cut off, but the filling is %+v, %v", x, err)
			}
			if before := x.rows[max(len(x.rows)-2, 0)]; before.ends > 0 && before.ends < before.fits {
				nothing++ // something was left before the last row
			}
		}
	}
	if nothing < 3 {
		t.Errorf("something was left in %d cases", nothing)
	}
}

// TestExaggeratedTrapezoid compares the bounds of the error of the trapezoidal rule with the first part of the comment
// in exact_small_error.go.
func TestExaggeratedTrapezoid(t *testing.T) {
	s := newSources(t, 22)
	const slack = 1e-9
	for i := range longtest.More(6, 4*6) {
		p := []bloomproof.Popularity{bloomproof.Zipf(1, 14), bloomproof.Uniform(40), bloomproof.Zipf(1.5, 300)}[i%3]
		w := lastOf(p, []float64{1, 0.8}[i/3%2])
		c, fill, _ := s.system(t, bloomproof.Geometry{M: 30, K: 2}, fresh(8), w)
		law, err := newPoisson(w)
		if err != nil {
			t.Fatal(err)
		}
		x := newSmallSum(c, newSmallWave(p, law), fill.rows, fill)
		a, step, end := s.between(0.1, 100), []float64{0.25, 0.125}[s.IntN(2)], s.between(0.3, 20)
		if s.IntN(3) == 0 {
			a = 1e19 // the sum begins earlier
		}
		// In the interval of y that begins at time T and ends at t+iY, the exponent of z is bounded by three numbers.
		exponent := func(z, low, y, high float64) float64 {
			size, half := math.Hypot(high, y), y*y/(2*low)
			least := func(n, weight, come, spread, still float64) float64 {
				return min(weight*z*size, (z-1)*come+z*spread, n*math.Log(still+z*(1+still)))
			}
			sum := min(law.fresh*z*size, law.fresh*((z-1)*high+z*half))
			if law.last > 0 {
				sum += min(z*law.last*size, math.Log(z)+z*law.last*half)
			}
			for _, u := range x.units {
				come, spread := 0.0, u.weight*half*0x1p-58
				for _, class := range u.classes {
					come -= class.n * math.Expm1(-class.q*high)
					spread += class.n * class.q * half * math.Exp(-class.q*low/2)
				}
				sum += least(u.n, u.weight, come, spread, math.Exp(-u.least*low))
			}
			return (1+slack)*sum + slack
		}
		power := func(x float64) float64 { return math.Exp(min(x, 700)) }
		at := -40.0
		if a > math.Exp(39) {
			at -= math.Log(a) - 39
		}
		v, rest := 3*math.Exp(at), 0.0
		g := v * x.most
		for ; ; at += step {
			u, next := math.Exp(at), math.Exp(at+step)
			low, high, y := a/2*math.Log1p(u*u), a/2*math.Log1p(next*next), a*math.Atan(next)
			if low > end && u >= 1 {
				rest = math.Sqrt2 * power(math.Pow(a*math.Pi/2, 2)*law.slopes(low)/2)
				break
			}
			mostV := power(exponent(1, low, y, high))
			mostG := mostV * x.most
			for _, z := range x.perhaps {
				e := exponent(z.z, low, y, high)
				mostV = min(mostV, 1+power(e+z.short))
				mostG = min(mostG, power(e+z.lucky), 3*4+power(e+z.short))
			}
			wide := step * next / math.Hypot(1, next)
			v, g = v+wide*mostV, g+wide*mostG
		}
		factor := (1 + slack) * 2 / math.Expm1(math.Pi*math.Pi/step)
		gotV, gotG, gotRest, ok := x.trapezoid(a, step, end, fm.Inf())
		if close := func(got, want float64) bool { return math.Abs(got/want-1) <= 1e-10 }; !ok || !close(gotV, factor*v) || !close(gotG, factor*g) || !close(gotRest, factor*rest) {
			t.Errorf("%v, a = %v, step %v, end %v: %.12g, %.12g and %.12g, computed again %.12g, %.12g and %.12g", w, a, step, end, gotV, gotG, gotRest, factor*v, factor*g, factor*rest)
		}
		spent := x.terms
		if x.terms = 0; spent == 0 {
			t.Error("nothing was spent")
		} else if _, _, _, ok := x.trapezoid(a, step, end, spent-1); ok {
			t.Error("the limit is not kept")
		}
	}
}

// TestExaggeratedCourse follows the arrivals of a course a second time, one by one and with all numbers of recorded
// messages. The sum of the popularities is not 1: it is off by much more than roundings.
func TestExaggeratedCourse(t *testing.T) {
	s := newSources(t, 25)
	entered := [2]int{}
	for i := range longtest.More(30, 4*30) {
		levels, wideLevels := 3+s.IntN(6), 0
		row := func(left float64) filled { return filled{fits: left, ends: left * s.between(1e-3, 1)} }
		var rows, wide []filled
		for left := 1.0; len(rows) < levels; left *= s.between(1e-2, 0.9) {
			rows = append(rows, row(left))
		}
		wide = rows
		if wideLevels = s.IntN(3); wideLevels > 0 {
			wide = nil
			for left := 1.0; len(wide) < levels+wideLevels; left *= s.between(0.1, 0.9) {
				wide = append(wide, row(left))
			}
		}
		w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, uint64(2+s.IntN(9))), Repeat: []float64{1, 0.8, 0.3}[i%3], Arrivals: []bloomproof.Arrivals{bloomproof.ArrivalPopularity, bloomproof.ArrivalLast, bloomproof.ArrivalUniform}[s.IntN(3)]}
		x, err := newTraffic(w)
		if err != nil {
			t.Fatal(err)
		}
		d, factor := len(x.q), s.between(0.7, 1.4)
		for j := range x.q {
			x.q[j] *= factor
		}
		x.beyond = []float64{0, 0.2}[s.IntN(2)]
		first := s.IntN(2)
		start := x.nothing()
		if first == 1 {
			for j := range start {
				start[j] = s.Float64()
			}
		}
		want := []endings{nothing, trigger, triggerAndOthers}[s.IntN(3)]
		c, err := newCourse(x, append([]float64(nil), start...), first, rows, wide, want, mostCourse)
		if err != nil {
			t.Fatal(err)
		}
		what := []any{w, factor, first, want, rows, wide}
		p := make([]float64, len(wide)+1)
		p[first] = 1
		times, missed := make([]float64, len(wide)), make([]float64, len(wide))
		ends, others, squares := make([]float64, d), make([]float64, d), make([]float64, d)
		ended, entering, least := 0.0, 0.0, 1.0
		g := append([]float64(nil), start...)
		// A second list of unrecorded messages follows the same course.
		second, mostOfSecond := make([]float64, d), 0.0
		for j := range second {
			second[j] = 2 * s.Float64()
		}
		missedAgain, most := c.again(x, append([]float64(nil), second...))
		missedOfSecond := make([]float64, len(wide))
		for j, r := range c.missing {
			again := 0.0
			for i, q := range x.q {
				again += q * g[i]
			}
			if again = min(again, 1); j == 0 && first == 0 {
				again = 1
			}
			same(t, what, "R", r, again)
			share := 0.0
			for i, q := range x.q {
				share += q * second[i]
			}
			share = min(share, again)
			mostOfSecond = max(mostOfSecond, share)
			eta, end := x.fresh+x.repeat*again, 0.0
			least = min(least, eta)
			for n := range wide {
				times[n] += p[n]
				missed[n] += again * p[n]
				missedOfSecond[n] += share * p[n]
				if n < len(rows) {
					end += rows[n].ends * p[n]
				}
			}
			ended += end * eta
			entering += end
			for i := range g {
				ends[i] += end * g[i]
				others[i] += end * again * g[i]
				squares[i] += end * g[i] * g[i]
			}
			for n := len(wide); n > 0; n-- {
				p[n] = (1-eta)*p[n] + eta*p[n-1]
			}
			p[0] *= 1 - eta
			for i := d - 1; i >= 0; i-- {
				for _, g := range [][]float64{g, second} {
					g[i] *= x.stay[i]
					if i > 0 {
						g[i] += x.move[i] * g[i-1]
					}
				}
			}
		}
		never := 0.0
		if x.fresh == 0 {
			for n := range wide {
				times[n] -= p[n] * float64(len(c.missing))
				if n < len(rows) {
					never += p[n] * rows[n].fits
				}
			}
		}
		close := func(name string, got, want float64) {
			if !(math.Abs(got-want) <= sameDigits*math.Abs(want)+1e-14) {
				t.Errorf("%+v: %s is %.15g, computed again %.15g", what, name, got, want)
			}
		}
		close("never", c.never, never)
		close("the least eta", c.least, least)
		for n := range wide {
			close("W", c.times[n], times[n])
			close("X", c.missed[n], missed[n])
			close("X of other messages", missedAgain[n], missedOfSecond[n])
		}
		close("the largest R of other messages", most, mostOfSecond)
		if (c.trigger != nil) != (want != nothing) || (c.others != nil) != (want == triggerAndOthers) || c.first != first {
			t.Errorf("%+v: the course has another ending", what)
		}
		if want == nothing {
			continue
		}
		for i := range d {
			before := 0.0
			if i > 0 {
				before = ends[i-1]
			}
			close("nu", c.trigger[i], (x.repeat*x.q[i]*ends[i]+x.fresh*x.zeta[i]*entering)/ended)
			if want == triggerAndOthers {
				close("1-h", c.others[i], (x.repeat*max(0, others[i]-x.q[i]*squares[i])+x.keep[i]*ends[i]+x.move[i]*before)/ended)
			}
		}
		close("the rest of nu", c.trigger[d], x.fresh*x.beyond*entering/ended)
		entered[first]++
	}
	if entered[0] < 3 || entered[1] < 3 {
		t.Errorf("the courses began so often with 0 and 1 messages: %v", entered)
	}
}
