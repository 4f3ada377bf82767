package fnr

import (
	"math"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The method "expansion" computes the result of large.expand a second time. The comments of large.go and of
// Forecast.Bound have the formulas.
func (l ledger) expansion(c *large, x load, m curve, n, y float64) Forecast {
	const u = fm.Unit
	k, fresh := float64(c.g.K), 1-c.w.Repeat
	_, shifts := m.(*shifting)
	if m, ok := m.(loud); ok {
		_, shifts = m.curve.(*shifting)
	}
	inverse := func(n float64) float64 { // n''
		_, rate, slope := m.stale(n)
		return -slope / math.Pow(fresh+rate, 3)
	}
	low, high := 0.0, 0.0
	if c.r.Retain {
		low, high = m.kept(n, n)
	}
	sum, rate, _ := m.stale(n)
	e := fresh + rate
	one := c.integrals(m, n, 0)
	s2 := max(x.spread+y-one.squares, 0)
	s := math.Sqrt(s2) / e
	second := inverse(n) * s2 / 2
	v := n + second

	blur := l.sum("V", term{"third", math.Abs(inverse(n+s)-inverse(max(n-s, 1))) * s2 / 2}, term{"second", 0.01 * second}, term{"few messages", 10 * second / y})
	messages := x.err * y / e
	curve := m.err(n) * sum / e
	unsure := l.sum("n", term{"messages", messages}, term{"curve", curve}, term{"rounding", 4 * u * y / e}, term{"root", 0x1p-50 * n})
	held := (high - low) / e
	offV := blur + held + unsure
	sure := held + messages
	if !shifts {
		sure = held + unsure
	}

	lucky, guests := 0.0, 0.0
	jitter := 4 * (k + 1) / y
	thin := jitter
	if one.all > 0 {
		lucky, guests = x.lucky*one.lucky/one.all, x.lucky*one.times/one.all
	}
	if one.lucky > 0 {
		jitter, thin = 4*(k+1)*one.few/one.lucky, 4*(k+1)*one.thin/one.times
	}
	estimated := 0.0
	if shifts {
		estimated = 1e-9
	}
	integrals := l.sum("integrals", term{"load", x.err}, term{"curve", (k + 2) * m.err(n)}, term{"matches", (k + 2) * 16 * u}, term{"rounding", 64 * u},
		term{"panels", one.off}, term{"shifting", estimated})
	wild := func(before float64) float64 {
		if jitter > 1 && one.all > 0 {
			return x.lucky * c.mostLucky(m, n, before) / one.all
		}
		return 0
	}
	offLucky := l.sum("lucky", term{"jitter", jitter * lucky}, term{"integrals", integrals * lucky}, term{"wild", wild(0)})
	own, noise := offLucky, one.noise
	var f Forecast
	var wrong, derived float64
	if !c.r.TwoPhase {
		f = Forecast{FNR: (sum - (low+high)/2 - fresh*second - lucky) / v, Lucky: lucky / v, FPR: fresh * guests / v, FPRPerNew: guests / v, FPRPerCycleNew: x.lucky / y, Cycle: v}
		most := max(fresh, rate)
		if one.all > 0 {
			noise *= x.lucky / one.all
		}
		wrong = l.sum("false negatives", term{"V", blur * most}, term{"retained", held * most}, term{"n", unsure * rate}, term{"lucky", offLucky},
			term{"curve", m.err(n) * sum}, term{"rounding", 4 * u * sum}, term{"noise", noise})
		derived = held * most
		if !shifts {
			derived += unsure*rate + m.err(n)*sum
		}
	} else {
		both := c.integrals(m, n, v)
		integrals += both.off
		end, endRate, endSlope := m.stale(2 * v)
		start, startRate, startSlope := m.stale(v)
		turn := (endSlope - startSlope/2) * s2 / (e * e)
		stale := max(end-start+turn, 0)
		hits := 0.0
		if one.all > 0 {
			hits = x.lucky * both.lucky / one.all
		}
		own = l.sum("lucky of two", term{"jitter", (1 - x.frozen) * jitter * hits}, term{"integrals", (1 - x.frozen) * integrals * hits}, term{"wild", (1 - x.frozen) * wild(v)})
		missed, lost := (1-x.frozen)*max(stale-hits, 0), 0.0
		if c.r.FreezeBefore && !c.r.Retain {
			lost = min(1, c.w.Repeat*v) / 2
		}
		positive := x.frozen*v + (1-x.frozen)*guests
		f = Forecast{FNR: (missed + lost) / v, Lucky: (stale - missed) / v, FPR: fresh * positive / v, FPRPerNew: positive / v, Cycle: v}
		f.FPRPerCycleNew = (f.Lucky + f.FPR) / (fresh + stale/v)
		offV++
		sure++
		noise = (1 - x.frozen) * both.noise
		if one.all > 0 {
			noise *= x.lucky / one.all
		}
		turned := startRate - endRate
		wrong = l.sum("false negatives of two", term{"V", offV * turned}, term{"turn", 0.1 * math.Abs(turn)}, term{"turn of few", 10 / y * math.Abs(turn)},
			term{"jitter", jitter * lucky}, term{"integrals", integrals * lucky}, term{"wild", wild(0)},
			term{"end", m.err(2*v) * end}, term{"start", m.err(v) * start}, term{"lost", lost}, term{"noise", noise})
		derived = sure*turned + lost
		if !shifts {
			derived += m.err(2*v)*end + m.err(v)*start
		}
	}
	f.Valid = true
	// Lucky has the error "off", relative to the numbers that the comment of Forecast.Bound names.
	relative := func(off float64, numbers ...float64) (most float64) {
		if off/v < 0x1p-900 {
			return 0
		}
		for _, x := range numbers {
			most = max(most, off/v/x)
		}
		return most
	}
	missing, all := f.Lucky+f.FNR*f.FPRPerNew, f.Lucky+f.FPR
	rest := 0.0
	if jitter <= 0.25 {
		rest = l.sum("rest", term{"jitter", jitter}, term{"integrals", integrals}, term{"V", 2 * offV / v}, term{"noise", relative(noise, missing, all)})
	} else {
		numbers := []float64{missing}
		if c.r.TwoPhase {
			numbers = append(numbers, all)
		}
		rest = l.sum("rare", term{"thin", thin}, term{"integrals", integrals}, term{"V", 2 * offV / v}, term{"lucky", relative(own+noise, numbers...)})
		ofTwo := relative(own+noise, all)
		if !c.r.TwoPhase || relative(own+noise, missing) > (1-leastShare)*ofTwo || rest > 0.25 || wrong > 0.25*f.FNR*v {
			ofTwo = 0 // it does not show
		}
		l.sum("rare of two", term{"lucky", ofTwo}, term{"others", thin + integrals + 2*offV/v})
		if ofTwo > 0 {
			l.sum("rare of two where it decides", term{"thin", thin}, term{"integrals", integrals}, term{"V", 2 * offV / v}, term{"lucky", ofTwo})
		}
		f.Note = rareLucky
	}
	what := []string{ofExpansion}
	if shifts {
		what = append(what, ofFractions)
	}
	f.Assumes = strings.Join(what, "; ")
	switch share := wrong / (f.FNR * v); {
	case wrong < 1e-300:
		f.FNR, f.Bound = max(f.FNR, 0), rest
	case f.FNR <= 0 || share > 0.25:
		f.FNR = min((max(f.FNR, 0)+wrong/v)*(1+4*offV/v), c.w.Repeat)
		f.Valid, f.Bound, f.Note = false, 1, join(f.Note, onlyAbove("the expansion", true))
	default:
		f.Bound = max(rest, share+2*offV/v)
	}
	if rest > 0.25 {
		f.Valid, f.Bound, f.Note = false, 1, join(f.Note, tooLarge("the expansion"))
	}
	f.FNR, f.Bound = min(f.FNR, 1), min(f.Bound, 1)
	if f.Estimated = f.Bound; f.Bound < 1 {
		f.Estimated -= 2 * sure / v
		if f.FNR > 0 {
			f.Estimated -= derived / (f.FNR * v)
		}
	}
	f.Estimated = min(max(f.Estimated, 0), f.Bound)
	return f
}

// On a steep curve, many messages are recorded early in a cycle. The others are recorded at a constant rate.
type steep struct {
	early, until float64 // the number of early messages, and the arrivals in which most of them are recorded
	later        float64 // the rate of the others
}

func (x steep) stale(n float64) (sum, rate, slope float64) {
	left := math.Exp(-n / x.until)
	return x.early*-math.Expm1(-n/x.until) + x.later*n, x.early/x.until*left + x.later, -x.early / (x.until * x.until) * left
}
func (x steep) err(float64) float64              { return 0 }
func (x steep) kept(_, _ float64) (_, _ float64) { return 0, 0 }

// TestExaggeratedExpansion compares the results of large.expand with those of the second computation. The load and the
// errors of the curve are drawn.
func TestExaggeratedExpansion(t *testing.T) {
	l, s := ledger{}, newSources(t, 60)
	workloads, kinds := append(exaggeratedWorkloads(), bloomproof.Workload{Popularity: bloomproof.Uniform(3)}), map[string]int{}
	for i := range longtest.More(80, 4*80) {
		w := workloads[min(i%9/2, 4)]
		r := bloomproof.Recycling{FreshPositions: true, TwoPhase: s.IntN(2) == 0, Retain: s.IntN(3) == 0, FreezeBefore: s.IntN(2) == 0}
		y := s.between(300, 1e5)
		k, early := []int{1, 2, 5, 12}[s.IntN(4)], false
		silent, many := false, false
		switch s.IntN(7) {
		case 0:
			y = s.between(1e5, 1e11)
		case 3: // only roundings, and most repeats of unrecorded messages are lucky
			y, k, silent = s.between(1e9, 1e11), 1+s.IntN(2), true
			r.TwoPhase, r.Retain, w = false, false, lastOf(bloomproof.Uniform(1<<40), 0.5)
		case 1: // lucky arrivals are rare
			y, k, r.TwoPhase = s.between(300, 3000), 40, s.IntN(4) > 0
		case 2: // the same, but false positives are not rare
			y, k, early = s.between(300, 3000), 3+s.IntN(6), true
			r.TwoPhase, r.Retain, r.FreezeBefore, w = true, false, false, workloads[2]
		case 4: // more repeats of unrecorded messages than arrivals
			y, k, many = s.between(300, 3000), 1+s.IntN(3), true
			r.TwoPhase, r.Retain, w = false, false, workloads[1]
		}
		n := y * s.between(1, 4)
		g := bloomproof.Geometry{K: k}
		g.M = uint64(min(y*float64(g.K)*s.between(0.5, 20), 0x1p63))
		if early {
			n, g.M = y*s.between(100, 1e4), uint64(2*k) // each array soon matches all messages
		}
		c, err := New(g, bloomproof.Recycling{Sigma: g.M / 2, FreshPositions: true}, w)
		if err != nil {
			t.Fatal(err)
		}
		x := c.asLarge()
		x.r = r
		m := s.curveOf(t, c, n, func(x *traffic) curve { return newShifting(x, 2.2*n, 2) })
		in := load{messages: y, lucky: y * s.between(1e-12, 0.5), spread: y * s.between(1e-3, 10), frozen: s.between(1e-6, 0.9), err: s.off()}
		if i%8 == 5 { // the bound of the false negatives is near the share of repeats
			in.err = 0.1 * float64(1+i%7)
		}
		if early {
			m = s.loud(steep{y, n * s.between(1e-4, 1e-2), y / n * s.between(1e-3, 1)}, n)
			in.lucky = y * s.between(1e-6, 0.5)
		}
		if many {
			m = s.loud(steep{y, n * s.between(1e-4, 1e-2), 0}, n)
			in.lucky, in.err, n = y*1e-9, 0, n/s.between(5, 20)
		}
		if silent {
			quiet := m.(loud)
			quiet.off, quiet.low, quiet.high = 0, 0, 0
			m, in.err, in.lucky, in.spread = quiet, 0, n*s.between(0.6, 0.9), y*s.between(1e-6, 0.5)
		}
		got, err := x.expand(in, m, n, y)
		if err != nil {
			t.Errorf("%v: %v", in, err)
			continue
		}
		agree(t, []any{g, r, w, in, n}, got, l.expansion(&x, in, m, n, y))
		if got.FNR == 0 && got.Valid && got.Bound < 1 {
			kinds["no false negatives"]++
		}
		if got.FNR == 1 && got.Valid {
			kinds["only false negatives"]++
		}
		kinds[got.Note]++
	}
	l.check(t)
	if len(kinds) < 6 || kinds["no false negatives"] == 0 || kinds["only false negatives"] == 0 {
		t.Errorf("the notes were %v", kinds)
	}
}

// TestLoadAgain computes a load a second time, from the numbers of a cycle and from the probabilities that one and two
// given bits stay clear.
func TestLoadAgain(t *testing.T) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, r := range []bloomproof.Recycling{
			fresh(150), fresh(299), {Sigma: 150, FreshPositions: true, TwoPhase: true}, {Sigma: 280, FreshPositions: true, TwoPhase: true, FreezeBefore: true},
			{Messages: 70, FreshPositions: true}, {Messages: 99, FreshPositions: true, TwoPhase: true}, {Messages: 99, FreshPositions: true, TwoPhase: true, FreezeBefore: true},
		} {
			g := bloomproof.Geometry{M: 300, K: 3, Hashing: h}
			c, err := New(g, r, lastOf(bloomproof.Uniform(1<<30), 0.5))
			if err != nil {
				t.Fatal(err)
			}
			x := c.asLarge()
			got, err := x.newLoad()
			if err != nil {
				t.Fatal(err)
			}
			one := r
			one.TwoPhase = false
			n, f, err := oneArray(g, one)
			if err != nil {
				t.Fatal(err)
			}
			hits := n.Positives.Float64()
			want := load{messages: n.Arrivals, lucky: hits, unlucky: n.Arrivals - hits, err: n.Err * max(1, n.Arrivals/(n.Arrivals-hits)), spread: hits}
			m := float64(g.M)
			stay, pair := math.Pow(1-1/m, 3), math.Pow(1-2/m, 3)
			if h == bloomproof.Classic {
				stay, pair = 1-3/m, (1-3/m)*(1-3/(m-1))
			}
			if r.Messages > 0 {
				want.unlucky = float64(r.Messages)
			} else {
				clear, both := math.Pow(stay, n.Arrivals), math.Pow(pair, n.Arrivals)
				want.spread = (m*clear + m*(m-1)*both - m*m*clear*clear) / math.Pow(m*clear*math.Log(stay), 2)
				f = n.Frozen(g, r.Sigma, r.FreezeBefore)
			}
			if r.TwoPhase {
				for i, p := range f.Law {
					want.frozen += p * message.HitAt(g, f.First+uint64(i)).Float64()
				}
			}
			for name, v := range map[string][2]float64{"messages": {got.messages, want.messages}, "lucky": {got.lucky, want.lucky}, "unlucky": {got.unlucky, want.unlucky}, "spread": {got.spread, want.spread}, "frozen": {got.frozen, want.frozen}, "err": {got.err, want.err}} {
				if !(math.Abs(v[0]-v[1]) <= 1e-9*v[1]) {
					t.Errorf("%v, %v: %s is %.15g, computed again %.15g", g, r, name, v[0], v[1])
				}
			}
		}
	}
}
