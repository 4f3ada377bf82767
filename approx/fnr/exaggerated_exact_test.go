package fnr

import (
	"errors"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The method "exactly" computes the result of exactSmallTo a second time. The comments of exact.go and of
// exact_small_error.go have the formulas. The parts of the bound that depend on the rows alone come from the type
// smallSum, which TestSmallBounds checks.
func (l ledger) exactly(c *System, s *poisson, fill *filling, ends ends) Forecast {
	const u = fm.Unit
	rows := fill.rows
	if d := int(comers(c.w.Popularity)); s.fresh == 0 && d < len(rows) {
		rows = rows[:d]
	}
	n := 2*len(rows) + ends.padding
	unlucky, luck := 0.0, 0.0
	for _, row := range rows {
		unlucky += row.unlucky
		luck += row.lucky
	}
	mean := unlucky + luck
	cos, sin := turns(n)
	transform := func(of func(*filled) float64, j int) complex128 {
		var re, im fm.Double
		for i := range rows {
			x := of(&rows[i])
			re, im = re.AddFloat(x*cos[i*j%n]), im.AddFloat(-x*sin[i*j%n])
		}
		return complex(re.Hi, im.Hi)
	}
	var fits, hits []complex128
	for j := range n/2 + 1 {
		fits, hits = append(fits, transform(rowFits, j)), append(hits, transform(rowLucky, j))
	}
	end, bend := 1.0, 0.0
	for {
		m, _, _, b := s.moments(end)
		if bend = b; m >= mean/2 {
			break
		}
		end *= 1.25
	}
	h := math.Pi * math.Sqrt(2/(42*bend)) / 2
	w := newSmallWave(c.w.Popularity, s)
	w.faint = ends.faint
	sums := newSmallSum(c, w, rows, fill)
	stride := 0.25
	a := h / stride
	ruleV, ruleG, ruleRest, _ := sums.trapezoid(a, stride, end, fm.Inf())
	for stride > 1./64 && (a*ruleV/mean > 1e-13 || a*ruleG/luck > 1e-13 || ruleRest*sums.most > 1e-13) {
		stride /= 2
		a = h / stride
		ruleV, ruleG, ruleRest, _ = sums.trapezoid(a, stride, end, fm.Inf())
	}
	var v, g fm.Double
	offV, offG, last, left := 0.0, 0.0, 0.0, 0.0
	for y := ends.first; ; y += stride {
		t, weight := a*softplus(y), h/(1+fm.Exp(-y))
		w.at(t)
		var still, found fm.Double
		var wave, angles [2]float64 // errors of the sums for v and for h
		for j := range fits {
			r, angle, off := 1.0, 0.0, 0.0
			if j > 0 {
				x := fm.TwoPi * float64(j) / float64(n)
				if w.skips(x) {
					break
				}
				r, angle, off = w.value(x)
			}
			share := 1 / float64(n)
			if j > 0 && j != n-j {
				share *= 2
			}
			s, c := fm.SincosAny(angle)
			still = still.AddFloat(share * r * (c*real(fits[j]) - s*imag(fits[j])))
			found = found.AddFloat(share * r * (c*real(hits[j]) - s*imag(hits[j])))
			wave[0] += share * off * cmplx.Abs(fits[j])
			wave[1] += share * off * cmplx.Abs(hits[j])
			angles[0] += share * 7 * u * r * mean
			angles[1] += share * 7 * u * r * luck
		}
		offStill := l.sum("angles", term{"wave", wave[0]}, term{"transform", angles[0]})
		offFound := l.sum("angles of hits", term{"wave", wave[1]}, term{"transform", angles[1]})
		v, g = v.AddFloat(weight*still.Hi), g.AddFloat(weight*found.Hi)
		offV += weight * offStill
		offG += weight * offFound
		if later := sums.later(t); t > end && min(still.Hi, later) < ends.still {
			last, left = t, min(later, max(still.Hi, 0)+offStill)
			break
		}
	}
	laterV, laterG, never := sums.remaining()
	first := a * math.Exp(ends.first)
	grow := math.Exp(stride) * left
	beyond := (last + h) * sums.beyond(n, last)
	skipped := (last + h) * math.Exp(ends.faint)
	tiny := 32*u + float64(c.w.Popularity.D)*last*faint
	offV = l.sum("V", term{"angles", offV}, term{"rule", a * ruleV}, term{"rest of the rule", ruleRest * (v.Hi + laterV)}, term{"first", first},
		term{"last", grow * laterV}, term{"beyond", beyond}, term{"skipped", skipped * mean}, term{"never", never}, term{"tiny", tiny * v.Hi})
	offG = l.sum("G", term{"angles", offG}, term{"rule", a * ruleG}, term{"rest of the rule", ruleRest * (g.Hi + sums.most*(v.Hi+laterV))}, term{"first", first * sums.most},
		term{"last", grow * laterG}, term{"beyond", beyond * sums.most}, term{"skipped", skipped * luck}, term{"never", never}, term{"tiny", tiny * g.Hi})
	lucky, missed := luck-s.fresh*g.Hi, unlucky-s.fresh*(v.Hi-g.Hi)
	unless0 := func(x float64) float64 { return max(x, leastNumber) }
	if luck == 0 {
		offG = 0
	}
	f := Forecast{FNR: missed / v.Hi, Lucky: lucky / v.Hi, FPR: s.fresh * g.Hi / v.Hi, FPRPerNew: g.Hi / v.Hi, FPRPerCycleNew: luck / mean, Cycle: v.Hi, Valid: true}
	off := l.largest("rates", term{"missed", s.fresh * (offV + offG) / missed}, term{"lucky", s.fresh * offG / unless0(lucky)}, term{"new", offG / unless0(g.Hi)})
	scale := max(1, mean/missed, luck/unless0(lucky))
	f.Bound = l.sum("bound", term{"V", offV / v.Hi}, term{"rates", off}, term{"rows", 4 * fill.err * scale}, term{"rounding", 16 * u * scale})
	f.Bound /= 1 - min(f.Bound, 0.5)
	return f
}

// TestExaggeratedExact compares the results of exactSmallTo with those of the second computation. The errors of the
// filling are drawn, and the sums end early. The test also checks that the rates of such sums are within their bounds.
func TestExaggeratedExact(t *testing.T) {
	l, s := ledger{}, newSources(t, 16)
	answers, widths := 0, 0
	for i := range longtest.More(16, 4*16) {
		p := []bloomproof.Popularity{bloomproof.Zipf(1, 14), bloomproof.Uniform(40), bloomproof.Weights([]float64{9, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})}[i%3]
		w := lastOf(p, []float64{1, 0.8}[s.IntN(2)])
		g, r := bloomproof.Geometry{M: 30, K: 2}, fresh([]uint64{4, 8}[s.IntN(2)])
		wide := i%8 == 7 && i < 16 // the first step of the trapezoidal rule is too wide: seconds in all
		if wide {
			w = lastOf(bloomproof.BiUniform(3, 0.333333333, 60), 0.999)
			if r = fresh(20); s.IntN(2) == 0 {
				w.Repeat, g = 0.999999, bloomproof.Geometry{M: 200, K: 1}
			}
		}
		c, fill, _ := s.system(t, g, r, w)
		poisson, err := newPoisson(w)
		if err != nil {
			t.Fatal(err)
		}
		ends := ends{first: -36, faint: -60, still: 1e-16, padding: 20}
		switch {
		case wide:
		case i%5 == 0:
			ends.first = -s.between(4, 20)
		case i%5 == 1:
			ends.faint = -s.between(3, 20)
		case i%5 == 2:
			ends.still = s.between(1e-10, 1e-2)
		}
		if fill.rest > 0 { // with a larger rest the sum does not end
			fill.rest = s.between(1e-18, 1e-14)
		}
		if c.limit = 1 << 21; wide {
			c.limit, fill.err = mostCourse, 0
		}
		unlucky := i%8 == 6 // no message finds all its positions set
		if unlucky {
			fill.rows = slices.Clone(fill.rows)
			for i := range fill.rows {
				fill.rows[i].lucky, fill.rows[i].unlucky = 0, fill.rows[i].fits
			}
		}
		got, err := c.exactSmallTo(poisson, ends)
		if err != nil {
			continue // the bound is above mostBound
		}
		if answers++; wide {
			widths++
		}
		agree(t, []any{p, w.Repeat, ends}, got, l.exactly(c, poisson, fill, ends))
		if unlucky {
			continue // there is no such filter
		}
		whole, err := New(c.g, c.r, w)
		if err != nil {
			t.Fatal(err)
		}
		want, err := whole.exactSmall(poisson)
		if err != nil {
			t.Fatal(err)
		}
		for name, x := range map[string][2]float64{"FNR": {got.FNR, want.FNR}, "Lucky": {got.Lucky, want.Lucky}, "FPRPerNew": {got.FPRPerNew, want.FPRPerNew}, "Cycle": {got.Cycle, want.Cycle}} {
			if off := math.Abs(x[0]/x[1] - 1); !(off <= got.Bound+want.Bound) {
				t.Errorf("%v %v %v: %s changes by %.3g, the bound is %.3g", p, w.Repeat, ends, name, off, got.Bound)
			}
		}
	}
	l.check(t)
	if answers < 8 || widths < 2 {
		t.Errorf("%d answers, and %d with narrower steps: the test shows nothing", answers, widths)
	}
	// If false negatives are rarer than the errors of the sums, there is no rate.
	refused := 0
	for sigma := uint64(2); sigma < 16; sigma++ {
		for _, repeat := range []float64{1e-15, 1e-16, 1e-17} {
			c, err := New(bloomproof.Geometry{M: 30, K: 2}, fresh(sigma), lastOf(bloomproof.Uniform(1), repeat))
			if err != nil {
				t.Fatal(err)
			}
			switch f, err := c.Predict(ModelExact); {
			case errors.Is(err, bloomproof.ErrUndefined):
				refused++
			case err != nil || !(f.FNR > 0):
				t.Errorf("sigma = %d, repeats %v: %+v, %v", sigma, repeat, f, err)
			}
		}
	}
	if refused < 10 {
		t.Errorf("%d forecasts are refused", refused)
	}
}

// TestExaggeratedExactFrom compares the results of exactFrom with those of a second computation. The load of the array
// and the length of the cycle are drawn.
func TestExaggeratedExactFrom(t *testing.T) {
	l, s := ledger{}, newSources(t, 17)
	notes := map[string]int{}
	for turn := range longtest.More(40, 160) {
		w := exaggeratedWorkloads()[s.IntN(3)]
		y, k := s.between(300, 1e5), []int{1, 2, 5, 12}[s.IntN(4)]
		switch s.IntN(4) {
		case 0:
			y = s.between(1e5, 1e11)
		case 1: // lucky arrivals are rare
			y, k = s.between(300, 3000), 40
		case 2: // they come early
			w, k = lastOf(bloomproof.Uniform(4), 0.9), 1+s.IntN(3)
		}
		g := bloomproof.Geometry{K: k}
		g.M = uint64(y * float64(k) * s.between(0.5, 20))
		c, err := New(g, fresh(g.M/2), w)
		if err != nil {
			t.Fatal(err)
		}
		poisson, err := newPoisson(w)
		if err != nil {
			t.Fatal(err)
		}
		m, err := newSteady(w)
		if err != nil {
			t.Fatal(err)
		}
		x := c.asLarge()
		n := solve(m, 1-w.Repeat, y, 0, fm.Inf())
		in := load{messages: y, lucky: y * s.between(1e-30, 0.5), err: s.off()}
		v := n * (1 + s.between(1e-12, 1e-3))
		// The second computation follows.
		fresh, kf := 1-w.Repeat, float64(k)
		i := x.integrals(m, n, 0)
		lucky, guests := in.lucky*i.lucky/i.all, in.lucky*i.times/i.all
		jitter := 4 * (kf + 1) * i.few / i.lucky
		wild := 0.0
		if jitter > 1 {
			wild = in.lucky * x.mostLucky(m, n, 0) / i.all
		}
		missed := y - fresh*v - lucky
		if jitter < 0.25 && turn%4 == 1 { // with half of the error of the load, the forecast would be valid
			in.err = (0.25 - jitter) * 1.4
		}
		luckyOff := l.sum("lucky", term{"jitter", jitter * lucky}, term{"wild", wild})
		off := l.sum("false negatives", term{"sums", 1e-11 * y}, term{"load", in.err * y}, term{"lucky", luckyOff})
		got, err := c.exactFrom(poisson, x, in, v)
		if small := !(missed > 4*off); small || err != nil {
			if !small || err == nil {
				t.Errorf("%v %v %v: %v false negatives with the error %v: %v", g, w, in, missed, off, err)
			}
			notes["none"]++
			continue
		}
		want := Forecast{FNR: missed / v, Lucky: lucky / v, FPR: fresh * guests / v, FPRPerNew: guests / v, FPRPerCycleNew: in.lucky / y, Cycle: v, Valid: true}
		rest := jitter
		if jitter > 0.25 {
			rest = l.sum("rare", term{"thin", 4 * (kf + 1) * i.thin / i.times}, term{"lucky", luckyOff / v / (want.Lucky + want.FNR*want.FPRPerNew)})
			want.Note = rareLucky
		}
		want.Bound = l.sum("bound", term{"rates", max(rest, off/missed)}, term{"sums", 1e-11}, term{"load", in.err})
		if rest+in.err > 0.25 {
			want.Valid, want.Bound, want.Note = false, 1, join(want.Note, tooLarge("the expansion"))
		}
		want.Estimated = min(max(want.Bound-in.err-in.err*y/missed, 0), want.Bound)
		want.Assumes = strings.Join([]string{ofTransforms, ofExpansion}, "; ")
		agree(t, []any{g, w, in, v}, got, want)
		notes[got.Note]++
	}
	l.check(t)
	if len(notes) < 4 {
		t.Errorf("the notes were %v", notes)
	}
}
