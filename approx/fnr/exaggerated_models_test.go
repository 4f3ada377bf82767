package fnr

import (
	"errors"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The method "system" returns a System with errors that are drawn: those of the rows of its filling, of the rows that
// the filling leaves out, and of the popularities.
func (s sources) system(t *testing.T, g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload) (*System, *filling, *traffic) {
	t.Helper()
	c, err := New(g, r, w)
	if err != nil {
		t.Fatal(err)
	}
	fill, err := c.filling()
	if err != nil {
		t.Fatal(err)
	}
	at, err := c.traffic()
	if err != nil {
		t.Fatal(err)
	}
	loudFill, loudAt := *fill, *at
	loudFill.err = s.off()
	if s.IntN(2) == 0 {
		loudFill.rest = s.between(1e-20, 1e-4)
	}
	if s.IntN(2) == 0 {
		loudAt.off = s.between(1, 1e11)
	}
	c.filling = func() (*filling, error) { return &loudFill, nil }
	c.traffic = func() (*traffic, error) { return &loudAt, nil }
	return c, &loudFill, &loudAt
}

// The type "recordedAgain" computes the errors of the Markov models a second time.
type recordedAgain struct {
	ledger
	c *System
	t *traffic
	n int // the number of states
}

// The method "last" returns the number of states of the second array, or of the only one.
func (x recordedAgain) last() int {
	if x.c.r.TwoPhase {
		return x.n + 1
	}
	return x.n
}

func (x recordedAgain) phases() int {
	if x.c.r.TwoPhase {
		return 2
	}
	return 1
}

// The method "drawn" returns the error of the probability that a message is not among n draws, in units of u. The
// comment of drawnError derives it.
func (x recordedAgain) drawn(n int) float64 {
	d := len(x.t.q)
	others, nodes := 0.0, 0.0
	for _, q := range x.t.q[1:] {
		others += q
	}
	steep := 0.0
	if x.t.q[0] > 0.5 && others > 0 {
		steep = -4 * math.Log(others)
	}
	if d > 24 {
		nodes = 65536
	}
	return x.sum("drawn", term{"draws", 7 * float64(n)}, term{"popularity", 2 * x.t.off * x.t.q[0] * float64(n)}, term{"sum", float64(d)},
		term{"last", x.t.off}, term{"steep", steep}, term{"nodes", nodes})
}

// The method "missing" returns the probability that a repeat after l arrivals, or after l draws, is unrecorded.
func (x recordedAgain) missing(arrivals bool) func() float64 {
	t := x.t
	g := t.nothing()
	return func() (sum float64) {
		before := 0.0
		for i, p := range g {
			sum += t.q[i] * p
			if !arrivals {
				g[i] *= 1 - t.q[i]
				continue
			}
			g[i] = (t.keep[i]+t.repeat*(1-t.q[i]))*p + t.move[i]*before
			before = p
		}
		return sum
	}
}

// The method "slack" returns the error of a model, in units of u.
func (x recordedAgain) slack(m Model) float64 {
	d, off, n := float64(len(x.t.q)), x.t.off, float64(x.n)
	switch m {
	case modelUniform:
		return 4
	case modelLower:
		return x.sum("lower", term{"sum", d + 1}, term{"popularity", off}, term{"rounding", 4})
	case modelBiUniform:
		steps := float64(x.last())
		return x.sum("biuniform", term{"roundings", 8 * steps}, term{"popularities", 2 * off * steps}, term{"end", 3 * off}, term{"rounding", 40})
	case modelReplacement:
		if x.c.r.TwoPhase {
			return x.drawn(x.n + x.last())
		}
		return x.drawn(x.n)
	case modelPins:
		next, distinct, l := x.missing(false), 0.0, 0
		last := float64(min(x.last(), len(x.t.q)) - 1)
		for {
			later := distinct + next()
			if math.Abs(later-last) >= math.Abs(distinct-last) {
				return x.drawn(x.phases()*l + 1)
			}
			distinct = later
			l++
		}
	case modelPinsArrivals:
		states := x.last()
		if x.t.fresh == 0 {
			states = min(states, len(x.t.q))
		}
		next := x.missing(true)
		rate, distinct, arrivals, condition := next(), 0.0, 0, 0.0
		later := next()
		for i := 1; i < states; i++ {
			for distinct+x.t.fresh+x.t.repeat*rate < float64(i) {
				distinct += x.t.fresh + x.t.repeat*rate
				rate, later = later, next()
				arrivals++
			}
			condition = max(condition, (rate-later)/later*float64(i)/(x.t.fresh+x.t.repeat*rate))
		}
		j := float64(x.phases()*(arrivals+1) + 2)
		missed := x.sum("missing", term{"arrivals", 6 * j}, term{"popularity of arrivals", off * j}, term{"popularity", off}, term{"product", 9}, term{"sum", d})
		return missed * x.sum("condition", term{"rate", 1}, term{"arrivals", condition})
	case modelDisabling:
		model, least := &disablingModel{t: x.t}, 1.0
		g := x.t.nothing()
		for s := range x.n {
			missing, err := model.next(g, s)
			if err != nil {
				return math.NaN()
			}
			least = min(least, x.t.fresh+x.t.repeat*missing)
		}
		return x.sum("disabling", term{"arrivals", 6 * n / least}, term{"popularity", off * n / least}, term{"differences", 6 * n / least}, term{"sum", d})
	}
	return math.NaN()
}

// TestExaggeratedMarkov compares the bound of each Markov model with its formula. The errors of the rows and of the
// popularities are drawn.
func TestExaggeratedMarkov(t *testing.T) {
	l, s := ledger{}, newSources(t, 13)
	g := bloomproof.Geometry{M: 48, K: 2}
	seen := map[Model]int{}
	for i := range longtest.More(24, 4*24) {
		p := []bloomproof.Popularity{bloomproof.Zipf(1, 17), bloomproof.Zipf(0.3, 40), bloomproof.Weights([]float64{[]float64{9, 90}[s.IntN(2)], 2, 2, 1, 1, 1, 1, 1, 1})}[i%3]
		w := bloomproof.Workload{Popularity: p, Repeat: []float64{1, 0.8}[i/3%2], Arrivals: []bloomproof.Arrivals{bloomproof.ArrivalPopularity, bloomproof.ArrivalLast}[s.IntN(2)]}
		r := bloomproof.Recycling{Sigma: []uint64{10, 16}[s.IntN(2)], FreshPositions: true, TwoPhase: s.IntN(2) == 0, Retain: s.IntN(4) == 0}
		c, fill, at := s.system(t, g, r, w)
		d := len(at.q)
		n, rest, least := len(fill.rows), fill.rest, 1-w.Repeat
		if w.Repeat == 1 {
			if least = at.q[d-1] / 4; d <= n {
				n, rest = d, 0
			}
		}
		for n > 1 && rest+fill.rows[n-1].fits <= 0x1p-60*least {
			n--
			rest += fill.rows[n].fits
		}
		again := recordedAgain{l, c, at, n}
		flat, err := c.predict(modelUniform)
		if err != nil {
			continue // all messages fit
		}
		for _, m := range []Model{modelUniform, modelLower, modelBiUniform, modelReplacement, modelPins, modelPinsArrivals, modelDisabling} {
			f, err := c.predict(m)
			if err != nil {
				if !errors.Is(err, bloomproof.ErrUndefined) {
					t.Errorf("%v %v %v: %v", m, r, w, err)
				}
				continue
			}
			slack := again.slack(m)
			if m == modelBiUniform && f.FNR == flat.FNR {
				slack = 4
			}
			want := l.sum("markov", term{"rows", 3 * fill.err}, term{"model", 3 * slack * fm.Unit}, term{"sums", 3 * float64(n+8) * fm.Unit}, term{"states", 2 * rest / least / f.Cycle})
			if !(math.Abs(f.Bound/want-1) <= sameDigits) {
				t.Errorf("%v %v %v: the bound is %.12g, computed again %.12g", m, r, w, f.Bound, want)
			}
			seen[m]++
		}
	}
	l.check(t)
	if len(seen) != 7 || seen[modelDisabling] < 2 {
		t.Errorf("the models had forecasts this often: %v", seen)
	}
}

// TestExaggeratedRenewal compares the result of renewal.bound with the formula in its comment. The course of the cycle
// and the filling are drawn.
func TestExaggeratedRenewal(t *testing.T) {
	l, s := ledger{}, newSources(t, 14)
	const u = fm.Unit
	draw := func(n int) (rows []filled, err float64) {
		left := 1.0
		for range n {
			x := filled{fits: left}
			x.lucky = left * s.between(1e-6, 1)
			x.unlucky = left - x.lucky
			rows = append(rows, x)
			left *= s.between(1e-3, 1)
		}
		return rows, s.off()
	}
	for range longtest.More(300, 4*300) {
		rows, err := draw(1 + s.IntN(9))
		own := &filling{rows: rows, err: err}
		wide := own
		if s.IntN(2) == 0 {
			rows, err = draw(len(rows) + s.IntN(3))
			wide = &filling{rows: rows, err: err}
		}
		c := &course{first: s.IntN(2), times: make([]float64, len(wide.rows)), least: s.between(1e-9, 1), rest: s.off(), never: []float64{0, s.between(1e-3, 1)}[s.IntN(2)]}
		for range 4 * (1 + s.IntN(9)) {
			c.missing = append(c.missing, 1-s.between(1e-12, 1))
		}
		if s.IntN(2) == 0 {
			for i := range c.missing {
				c.missing[i] *= 0.1
			}
		}
		if s.IntN(4) == 0 {
			c.missing[len(c.missing)-1] = 1 // after rounding
		}
		x := &renewal{t: &traffic{off: s.between(1, 1e12), repeat: []float64{0, 0.5}[min(s.IntN(9), 1)], q: make([]float64, 1+s.IntN(60))}, c: c, fill: own, wide: wide,
			most: s.between(1e-3, 1), least: s.between(1e-9, 1), frozen: []float64{0, 0.1}[s.IntN(2)], triggers: s.off()}
		if s.IntN(2) == 0 {
			x.t.off = s.between(1, 30)
		}
		if s.IntN(4) == 0 { // only roundings
			own.err, wide.err, c.rest, x.triggers, x.t.off = 0, 0, 0, 0, 1
		}
		arrivals, hits, lucky, loud := s.between(1, 1e6), s.between(1e-9, 1), s.between(1e-9, 1), s.between(1e-6, 1e6)
		if s.IntN(5) == 0 {
			lucky = 0
		}
		if c.missing[len(c.missing)-1] == 1 { // the error of the sums is large
			arrivals, hits, c.rest = 1e6, 1e-9, 1e-2
		}
		j := float64(len(c.missing))
		missing := func(j float64) float64 { // the error of R after j arrivals
			return u * l.sum("R", term{"arrivals", 6 * j}, term{"popularity of arrivals", x.t.off * j}, term{"popularity", x.t.off}, term{"product", 9}, term{"sum", float64(len(x.t.q))})
		}
		arrays := 1.0
		if x.frozen > 0 {
			arrays = 2
		}
		change := l.sum("change", term{"R", arrays * missing(j) * float64(len(c.times))}, term{"triggers", x.triggers})
		// For one of the sums, "of" has the terms f_n. The sum has the value "value" and the factor "factor".
		loss := func(value, factor float64, rows []filled, of []float64) float64 {
			if value == 0 {
				return 0
			}
			apart, largest, share := of[len(of)-1], 0.0, 0.0
			for n, y := range of {
				if n > 0 {
					apart += math.Abs(y - of[n-1])
				}
				largest = max(largest, y)
				if y > 0 {
					share = max(share, y/rows[n].fits)
				}
			}
			return factor / value * l.sum("loss", term{"change", change * min(apart/c.least, j*largest)}, term{"rest", c.rest * share})
		}
		list := func(rows []filled, f func(*filled) float64) (of []float64) {
			for n := range rows {
				of = append(of, f(&rows[n]))
			}
			return of
		}
		first := loss(hits, 1, own.rows, list(own.rows, rowLucky))
		if x.t.repeat > 0 {
			first = max(first, loss(lucky, x.most, own.rows, list(own.rows, rowLucky)), loss(loud, x.most, wide.rows, list(wide.rows, rowUnlucky)))
		}
		first = l.sum("first", term{"numerator", first}, term{"denominator", loss(arrivals, 1, own.rows, list(own.rows, rowFits))})
		all := 0.0
		for i, r := range c.missing {
			if i > 0 || c.first > 0 {
				off := missing(float64(i))
				if x.triggers > 0 {
					off = l.sum("R of an arrival", term{"R", off}, term{"triggers", x.triggers / x.least})
				}
				all += off * max(1, min(r/(1-r), 0x1p53))
			}
		}
		second := l.sum("second", term{"R", arrays * missing(j)}, term{"rest", c.rest / arrivals}, term{"distribution", all})
		want := l.sum("renewal", term{"sums", 2 * min(first, second)}, term{"rows", 4 * max(own.err, wide.err)},
			term{"arrivals", 8 * j * u}, term{"never", 8 * j * c.never * j / arrivals * u}, term{"rows of sums", 2 * float64(len(c.times)) * u}, term{"rounding", 100 * u})
		if got := x.bound(arrivals, hits, lucky, loud); !(math.Abs(got/want-1) <= sameDigits) {
			t.Errorf("the bound is %.12g, computed again %.12g: %+v, %+v", got, want, x, c)
		}
		// The forecast from drawn numbers of arrivals. The messages of triggers are those that are in neither array.
		x.t.fresh, x.open = 1-x.t.repeat, 1-x.frozen
		for n := range c.times {
			c.times[n] = s.between(1e-3, 10)
			x.missed = append(x.missed, s.between(1e-3, 10))
			if x.frozen > 0 {
				x.trigger = append(x.trigger, s.between(1e-3, 10))
			}
		}
		arrivals, hits, lucky, loud = 0, 0, 0, 0
		absent := 0.0
		for n, row := range wide.rows {
			trigger := 0.0
			if x.trigger != nil {
				trigger = x.trigger[n]
			}
			loud += (x.open*x.missed[n] + trigger) * row.unlucky
			if n >= len(own.rows) {
				continue
			}
			row = own.rows[n]
			arrivals += c.times[n] * row.fits
			hits += c.times[n] * (row.lucky + x.frozen*row.unlucky)
			lucky += x.missed[n]*(row.lucky+x.frozen*row.unlucky) + trigger*row.lucky
			absent += (x.missed[n] + trigger) * row.fits
		}
		forecast := Forecast{FNR: x.t.repeat * loud / arrivals, Lucky: x.t.repeat * lucky / arrivals, FPR: x.t.fresh * hits / arrivals, FPRPerNew: hits / arrivals, Cycle: arrivals, Valid: true}
		forecast.FPRPerCycleNew = (forecast.FPR + forecast.Lucky) / (x.t.fresh + x.t.repeat*absent/arrivals)
		forecast.Bound = x.bound(arrivals, hits, lucky, loud)
		got, e := x.forecast()
		if e != nil {
			t.Fatal(e)
		}
		agree(t, []any{x, c}, got, forecast)
	}
	l.check(t)
}

// TestExaggeratedLeaveOneOut compares the bound of the leave-one-out model with its formula, for sums that end early. It
// also checks that the numbers of such a forecast differ from those of the whole sums by at most the two bounds.
func TestExaggeratedLeaveOneOut(t *testing.T) {
	l, s := ledger{}, newSources(t, 15)
	const u = fm.Unit
	for i := range longtest.More(12, 4*12) {
		p := []bloomproof.Popularity{bloomproof.Zipf(1, 14), bloomproof.BiUniform(2, 0.2, 30), bloomproof.Weights([]float64{9, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})}[i%3]
		c, fill, at := s.system(t, bloomproof.Geometry{M: 48, K: 2}, fresh(8), bloomproof.Workload{Popularity: p, Repeat: 1})
		cut := s.between(1e-12, 1e-2)
		got, err := c.leaveOneOutTo(cut)
		if err != nil {
			t.Fatal(err)
		}
		own, err := c.renewal(ModelRenewal)
		if err != nil {
			t.Fatal(err)
		}
		rows, d := len(fill.rows), len(at.q)
		var counts, q []float64 // of the classes
		for j, x := range at.q {
			if j == 0 || x != at.q[j-1] {
				counts, q = append(counts, 0), append(q, x)
			}
			counts[len(counts)-1]++
		}
		longest, rest, worst, loud, lucky, luckiest := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
		for class, x := range q {
			law := make([]float64, rows) // of the number of other messages that are recorded
			law[0] = 1
			left := counts[class]
			for arrival := 1.0; ; arrival++ {
				fits := 0.0
				for n, p := range law {
					fits += p * fill.rows[n].fits
				}
				if left*fits <= cut*counts[class] {
					rest += left * fits
					break
				}
				missing := 0.0
				classes := 0.0
				for j, y := range q {
					n := counts[j]
					if j == class {
						n--
					}
					if n > 0 {
						classes++
						y /= 1 - x
						missing += n * y * math.Pow(1-y, arrival-1)
					}
				}
				for n := rows - 1; n >= 0; n-- {
					loud += left * x * law[n] * fill.rows[n].unlucky
					lucky += left * x * law[n] * fill.rows[n].lucky
					luckiest = max(luckiest, fill.rows[n].lucky)
					law[n] *= 1 - missing
					if n > 0 {
						law[n] += missing * law[n-1]
					}
				}
				off := l.sum("others", term{"popularity", 2 * at.off}, term{"rounding", 2})
				longest = max(longest, arrival)
				worst = max(worst, l.sum("R", term{"arrivals", 6 * arrival}, term{"popularity of arrivals", off * arrival}, term{"popularity", off}, term{"product", 9}, term{"sum", classes}))
				left *= 1 - x
			}
		}
		change := float64(d) * worst * u * float64(rows)
		want := l.sum("bound", term{"renewal", own.Bound}, term{"loud", l.sum("loud", term{"change", change}, term{"rest", rest}) / loud},
			term{"arrivals", 4 * longest * u}, term{"rows", float64(rows) * u}, term{"filling", fill.err},
			term{"lucky", l.sum("lucky", term{"change", change * luckiest}, term{"rest", rest}) / lucky})
		if !(math.Abs(got.Bound/want-1) <= sameDigits) {
			t.Errorf("%v, %v: the bound is %.12g, computed again %.12g", p, cut, got.Bound, want)
		}
		for name, x := range map[string][2]float64{"FNR": {got.FNR * own.Cycle, loud}, "Lucky": {got.Lucky * own.Cycle, lucky}, "FPRPerCycleNew": {got.FPRPerCycleNew, lucky / (loud + lucky)}} {
			if !(math.Abs(x[0]/x[1]-1) <= sameDigits) {
				t.Errorf("%v, %v: %s is %.12g, computed again %.12g", p, cut, name, x[0], x[1])
			}
		}
		whole, err := c.leaveOneOut()
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(got.FNR/whole.FNR - 1); !(off <= got.Bound+whole.Bound) || off == 0 {
			t.Errorf("%v, %v: sums that end early change FNR by %.3g, the bound is %.3g", p, cut, off, got.Bound)
		}
	}
	l.check(t)
}
