package fnr

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// fresh returns a recycling rule with fresh positions.
func fresh(sigma uint64) bloomproof.Recycling {
	return bloomproof.Recycling{Sigma: sigma, FreshPositions: true}
}

// predicted returns the forecast, and fails if there is none.
func predicted(t *testing.T, g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload, m Model) Forecast {
	t.Helper()
	c, err := New(g, r, w)
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.Predict(m)
	if err != nil {
		t.Fatalf("%v %v %v %v: %v", m, g, r, w, err)
	}
	return f
}

// TestRareFalseNegatives is about large filters that have few false negatives in a cycle. A long cycle records each old
// message that keeps its rank, and each of them causes one false negative. If new messages enter at the last rank, the
// old message there comes before the first new one with probability p/(p+1-p_r), where p = p_r q_(D-1). If p_r is so
// small that hardly any repeat comes, every repeat is unrecorded, except one of the last rank. It is then a false negative
// unless it finds its positions set, like a new message.
func TestRareFalseNegatives(t *testing.T) {
	big := bloomproof.Geometry{M: 1 << 60, K: 7}
	keep := bloomproof.Recycling{Sigma: 1 << 19, FreshPositions: true, Retain: true}
	old := func(p bloomproof.Popularity, repeat float64) float64 { // false negatives of a long cycle
		d, all := p.D, 0.0
		for i := range d {
			all += p.Weight(i)
		}
		last := repeat * p.Weight(d-1) / all
		return float64(d-1) + last/(last+1-repeat)
	}
	for _, x := range []struct {
		g      bloomproof.Geometry
		r      bloomproof.Recycling
		d      uint64
		a      bloomproof.Arrivals
		repeat float64
		want   float64 // false negatives per cycle; -1 if only an upper bound can be told, -2 if hardly any repeat comes
	}{
		{bloomproof.Geometry{M: 6253114, K: 8}, fresh(3126557), 4, bloomproof.ArrivalLast, 0, 0},
		{bloomproof.Geometry{M: 1 << 20, K: 5}, fresh(1 << 19), 4, bloomproof.ArrivalLast, 0, 0},
		{bloomproof.Geometry{M: 1 << 20, K: 5}, fresh(1 << 19), 4, bloomproof.ArrivalPopularity, 0, 0},
		{bloomproof.Geometry{M: 1 << 20, K: 5}, keep, 4, bloomproof.ArrivalPopularity, 0, 0},
		{big, fresh(1 << 59), 100, bloomproof.ArrivalLast, 0.5, old(bloomproof.Zipf(1, 100), 0.5)},
		{big, fresh(1 << 59), 1000, bloomproof.ArrivalLast, 0.9, old(bloomproof.Zipf(1, 1000), 0.9)},
		{big, fresh(1 << 59), 100, bloomproof.ArrivalLast, 1e-30, -2},
		{bloomproof.Geometry{M: 1 << 20, K: 5}, keep, 2, bloomproof.ArrivalFirst, 0.5, -1},
	} {
		w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, x.d), Arrivals: x.a, Repeat: x.repeat}
		for _, m := range []Model{ModelRenewal, modelRenewalExtended, ModelRenewalRetaining, modelFluid} {
			if m == modelFluid && x.r.Retain {
				continue
			}
			f := predicted(t, x.g, x.r, w, m)
			got, want := f.FNR*f.Cycle, x.want
			if want == -2 {
				all := 0.0
				for i := range x.d {
					all += w.Popularity.Weight(i)
				}
				want = x.repeat * f.Cycle * (1 - w.Popularity.Weight(x.d-1)/all) * (1 - f.FPRPerNew)
			}
			if f.FNR > x.repeat && !strings.Contains(f.Note, "above p_r") {
				t.Errorf("%v %v %v: the rate is %g, p_r is %g, and the note is %q", m, x.g, w, f.FNR, x.repeat, f.Note)
			}
			switch {
			case want < 0 && m != ModelRenewalRetaining:
				g := x.g
				x, err := newTraffic(w)
				if err != nil {
					t.Fatal(err)
				}
				want = 0
				for g, n := x.nothing(), 0; n < 1000; n++ { // the popularities of old messages then are below 1e-100
					want += x.repeat * x.arrival(g)
				}
				if off := math.Abs(got/want - 1); !f.Valid && !strings.Contains(f.Note, "Bound does not hold") && !strings.Contains(f.Note, "made for filters") || !(off <= f.Bound) || !(off < 1e-4) {
					t.Errorf("%v %v %v: %v false negatives in a cycle, want %v; %+v", m, g, w, got, want, f)
				}
			case want < 0 && m == ModelRenewalRetaining:
				if f.Valid || f.Bound != 1 || !strings.Contains(f.Note, "only an") {
					t.Errorf("%v %v %v: %+v, want an upper bound that says so", m, x.g, w, f)
				}
			case want >= 0:
				if m == ModelRenewalRetaining != x.r.Retain && f.Valid {
					t.Errorf("%v %v %v is valid", m, x.g, x.r)
				}
				if strings.Contains(f.Note, "only an") || !(math.Abs(got-want) <= (2*f.Bound+1e-8)*want) && m != ModelRenewalRetaining {
					t.Errorf("%v %v %v: %v false negatives in a cycle, want %v: off by %.3g, stated are %.3g; %s", m, x.g, w, got, want, got/want-1, f.Bound, f.Note)
				}
				if f.Bound > 0.05 && m != ModelRenewalRetaining {
					t.Errorf("%v %v %v: the bound is %v", m, x.g, w, f.Bound)
				}
			}
		}
	}
}

// TestFluidOfFewMessages compares the model with its law for an array that y messages fill, where y is between 1 and 2
// and two messages are equally popular. The first arrival is recorded. A repeat at the second is unrecorded with
// probability 1/2. So for p_r < 1 the cycle has 1 + (y-1)/(1-p_r/2) arrivals. For p_r = 1, 2-2^(1-T) messages are
// recorded in T arrivals.
func TestFluidOfFewMessages(t *testing.T) {
	g := bloomproof.Geometry{M: 3, K: 2}
	y := math.Log(1./3) / math.Log(2./3) / 2
	match := func(messages float64) float64 { return math.Pow(1-math.Pow(2./3, 2*messages), 2) }
	for _, repeat := range []float64{0.5, 0.999, 1 - 1e-6, 1 - 1e-8, 1 - 1e-9, 1 - 0x1p-53, 1} {
		w := bloomproof.Workload{Popularity: bloomproof.Uniform(2), Arrivals: bloomproof.ArrivalFirst, Repeat: repeat}
		f := predicted(t, g, fresh(2), w, modelFluid)
		cycle := 1 + (y-1)/(1-repeat/2)
		if repeat == 1 {
			cycle = 1 - math.Log2(2-y)
		}
		missed, hits := 0.0, 0.0
		const steps = 1 << 16
		for i := range steps {
			at := (float64(i) + 0.5) / steps * cycle
			stale, recorded := repeat, at
			switch {
			case repeat == 1:
				stale, recorded = 2*math.Ln2*math.Exp2(-at), 2-math.Exp2(1-at)
			case at > 1:
				stale, recorded = repeat/2, 1+(at-1)*(1-repeat/2)
			}
			missed += stale * (1 - match(recorded)) / steps
			hits += match(recorded) / steps
		}
		for name, x := range map[string][2]float64{"Cycle": {f.Cycle, cycle}, "FNR": {f.FNR, missed}, "FPRPerNew": {f.FPRPerNew, hits}} {
			slack := 1e-5 // of the midpoint rule, also at the step of R
			if name == "Cycle" {
				slack = 1e-15
			}
			if off := math.Abs(x[0]/x[1] - 1); !(off <= f.Bound+slack) || !f.Valid || !(f.Bound < 1e-9) || f.Note != "" {
				t.Errorf("p_r = %v: %s = %v, want %v; %+v", repeat, name, x[0], x[1], f)
			}
		}
	}
	// If two messages do not fill the array, and new ones hardly ever come, the sums have no digits.
	w := bloomproof.Workload{Popularity: bloomproof.Uniform(2), Arrivals: bloomproof.ArrivalFirst, Repeat: 1 - 1e-9}
	if f := predicted(t, bloomproof.Geometry{M: 10, K: 2}, fresh(5), w, modelFluid); f.Valid || f.Bound != 1 || !strings.Contains(f.Note, "too large") {
		t.Errorf("%+v, want a note that nothing is certain", f)
	}
	// A few messages of many million: the curve is that of arrival after arrival.
	if !longtest.Enabled() {
		return // two seconds
	}
	w = bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1<<22), Repeat: 0.9}
	f := predicted(t, bloomproof.Geometry{M: 10, K: 2}, fresh(5), w, modelFluid)
	x, err := newTraffic(w)
	if err != nil {
		t.Fatal(err)
	}
	recorded, at := x.nothing(), 0.0
	for left := math.Log(0.5) / math.Log(0.9) / 2; left > 0; {
		eta := 1 - w.Repeat + w.Repeat*x.arrival(recorded)
		at += min(1, left/eta)
		left -= eta
	}
	if off := math.Abs(f.Cycle/at - 1); !(off <= f.Bound) || !f.Valid || f.Bound > 1e-8 {
		t.Errorf("Cycle = %v, want %v: off by %.3g, stated are %.3g", f.Cycle, at, off, f.Bound)
	}
}

// A rate above p_r is not valid, and its note says so.
func TestAboveRepeats(t *testing.T) {
	for _, x := range []struct {
		g     bloomproof.Geometry
		sigma uint64
		w     bloomproof.Workload
	}{
		{bloomproof.Geometry{M: 44, K: 8}, 7, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 8), Arrivals: bloomproof.ArrivalLast, Repeat: 0.5}},
		{bloomproof.Geometry{M: 3, K: 2}, 0, bloomproof.Workload{Popularity: bloomproof.Uniform(5), Repeat: 0.9}},
	} {
		f := predicted(t, x.g, fresh(x.sigma), x.w, modelRenewalExtended)
		if f.FNR <= x.w.Repeat || f.Valid || !strings.Contains(f.Note, "above p_r") {
			t.Errorf("%v %v: %+v", x.g, x.w, f)
		}
	}
}

// No rate is -0, also if p_r is.
func TestNoNegativeZero(t *testing.T) {
	w := bloomproof.Workload{Popularity: bloomproof.Uniform(3), Arrivals: bloomproof.ArrivalFirst, Repeat: math.Copysign(0, -1)}
	r := bloomproof.Recycling{Sigma: 2, FreshPositions: true, Retain: true}
	some := 0
	for _, g := range []bloomproof.Geometry{{M: 3, K: 1, Hashing: bloomproof.Classic}, {M: 1 << 50, K: 3}} {
		for _, m := range Models() {
			if g.M > 3 {
				r.Sigma = g.M / 2
			}
			c, err := New(g, r, w)
			if err != nil {
				t.Fatal(err)
			}
			f, err := c.Predict(m)
			if err != nil {
				continue
			}
			some++
			for name, v := range map[string]float64{"FNR": f.FNR, "Lucky": f.Lucky, "FPR": f.FPR, "FPRPerNew": f.FPRPerNew, "FPRPerCycleNew": f.FPRPerCycleNew, "Cycle": f.Cycle, "Bound": f.Bound, "Estimated": f.Estimated} {
				if math.Signbit(v) || math.IsNaN(v) {
					t.Errorf("%v %v: %s = %v", g, m, name, v)
				}
			}
		}
	}
	if some < 10 {
		t.Errorf("only %d models have a value", some)
	}
}

// For small p_r the false-negative rate is proportional to p_r, down to the 2^-900 below which Forecast.Bound exempts
// it. It is at most p_r, or it is not valid.
func TestTinyRepeats(t *testing.T) {
	g := bloomproof.Geometry{M: 100, K: 3}
	some := 0
	for _, m := range Models() {
		at := func(repeat float64) (Forecast, error) {
			c, err := New(g, fresh(50), bloomproof.Workload{Popularity: bloomproof.Zipf(1, 100), Arrivals: bloomproof.ArrivalLast, Repeat: repeat})
			if err != nil {
				t.Fatal(err)
			}
			return c.Predict(m)
		}
		want, err := at(0x1p-80)
		if err != nil {
			continue
		}
		some++
		for _, repeat := range []float64{0x1p-600, 0x1p-880, 0x1p-1022, 5e-324} {
			f, err := at(repeat)
			if err != nil {
				t.Errorf("%v p_r = %g: %v", m, repeat, err)
				continue
			}
			whole := want.FNR * 0x1p80
			if off := math.Abs(f.FNR/repeat/whole - 1); f.FNR > 0x1p-900 && !(off <= f.Bound+want.Bound+1e-15) {
				t.Errorf("%v p_r = %g: FNR/p_r = %v, want %v", m, repeat, f.FNR/repeat, whole)
			}
			if !(f.FNR >= 0 && f.FNR <= repeat || !f.Valid) || repeat > 0x1p-890 && !(f.FNR > 0x1p-900) {
				t.Errorf("%v p_r = %g: FNR = %g", m, repeat, f.FNR)
			}
		}
	}
	if some < 8 {
		t.Errorf("only %d models have a value", some)
	}
}

// What cannot be listed is refused before the work, and lists are as short as the cycle.
func TestRefusedBeforeTheWork(t *testing.T) {
	w := bloomproof.Workload{Popularity: bloomproof.Uniform(2), Arrivals: bloomproof.ArrivalFirst, Repeat: 1 - 1e-6}
	c, err := New(bloomproof.Geometry{M: 10, K: 2}, fresh(5), w)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := c.Predict(modelPinsArrivals); !errors.Is(err, bloomproof.ErrTooCostly) || len(c.history.rate) > 0 {
		t.Errorf("%+v, %v after %d arrivals", f, err, len(c.history.rate))
	}
	x, err := c.traffic()
	if err != nil {
		t.Fatal(err)
	}
	if longtest.Enabled() {
		if s := newListed(x, 2.5, 1.1); s == nil || len(s.rates) > 1<<20 { // 500,000 arrivals and a tenth more
			t.Errorf("no list, or a long one")
		}
		if s := newListed(x, 9.5, 1.1); s != nil { // more than the 5.6 million arrivals that a list may hold
			t.Errorf("a list of %d arrivals", len(s.rates))
		}
	}
	w.Repeat = 1 - 1e-5
	if x, err = newTraffic(w); err != nil {
		t.Fatal(err)
	}
	if s := newListed(x, 2.5, 1.1); s == nil || len(s.rates) > 100_000 { // 50,000 arrivals and a tenth more
		t.Errorf("no list, or a long one")
	}
	w.Popularity = bloomproof.Uniform(1000)
	if x, err = newTraffic(w); err != nil {
		t.Fatal(err)
	}
	if s := newListed(x, 1000.5, 1.1); s != nil { // 50,000 arrivals, more than the 17,000 that a list may hold
		t.Errorf("a list of %d arrivals", len(s.rates))
	}
}

// The bound sigma+k is not above m-1, also if the sum is above the range of uint64.
func TestWideSigma(t *testing.T) {
	const most = math.MaxUint64
	for _, x := range []struct {
		m     uint64
		k     int
		sigma uint64
		want  uint64
	}{{most, 4096, most - 1, most - 1}, {most, 4096, most - 5000, most - 904}, {100, 3, 50, 53}, {100, 60, 50, 99}, {3, 2, 2, 2}} {
		if got := wideSigma(bloomproof.Geometry{M: x.m, K: x.k}, x.sigma); got != x.want {
			t.Errorf("%+v: %d", x, got)
		}
	}
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Arrivals: bloomproof.ArrivalLast, Repeat: 0.5}
	g := bloomproof.Geometry{M: most, K: 4096}
	own, wide := predicted(t, g, fresh(most-1), w, ModelRenewal), predicted(t, g, fresh(most-1), w, modelRenewalExtended)
	if !wide.Valid || math.Abs(wide.FNR/own.FNR-1) > wide.Bound || wide.Bound > 1e-9 {
		t.Errorf("%+v, want %+v", wide, own)
	}
	if rough := roughMessages(g, fresh(most-1)); math.IsInf(rough, 0) {
		t.Errorf("%v messages", rough)
	}
}

// The integral of lucky repeats over a shifting curve differs from that over a list by at most its stated errors.
func TestLuckyOfShiftingRanks(t *testing.T) {
	worst := 0.0
	ds, repeats := []uint64{2, 70}, []float64{0.1, 0.99}
	if longtest.Enabled() {
		ds, repeats = append(ds, 3, 5, 10, 15, 30, 50, 60, 80, 100, 200, 1000), append(repeats, 0.01, 0.05, 0.2, 0.5, 0.8)
	}
	for _, d := range ds {
		for _, a := range []bloomproof.Arrivals{bloomproof.ArrivalFirst, bloomproof.ArrivalPopularity} {
			for _, repeat := range repeats {
				w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, d), Arrivals: a, Repeat: repeat}
				x, err := newTraffic(w)
				if err != nil {
					t.Fatal(err)
				}
				const n = 1 << 14
				list := &listed{t: x, sums: []float64{0}}
				for g := x.nothing(); len(list.rates) < 2*n+3; {
					list.rates = append(list.rates, x.repeat*x.arrival(g))
					list.sums = append(list.sums, list.sums[len(list.sums)-1]+list.rates[len(list.rates)-1])
				}
				curve := newShifting(x, 2.2*n, 2)
				for _, k := range longtest.More([]int{1, 7}, []int{1, 2, 3, 7}) {
					c, err := New(bloomproof.Geometry{M: 1 << 24, K: k}, fresh(1<<23), w)
					if err != nil {
						t.Fatal(err)
					}
					l := c.asLarge()
					for _, before := range []float64{0, n} {
						got, want := l.integrals(curve, n, before), l.integrals(list, n, before)
						stated := got.noise + got.off*want.lucky
						worst = max(worst, math.Abs(got.lucky-want.lucky)/stated)
						if off := math.Abs(got.lucky - want.lucky); !(off <= stated) {
							t.Errorf("D = %d, %v, p_r = %v, k = %d, after %v: %v, want %v: off by %.3g, stated are %.3g", d, a, repeat, k, before, got.lucky, want.lucky, off, stated)
						}
						// The stated error is useful: relative to the repeats of unrecorded messages times the rate.
						if share := got.noise / (want.times * list.sums[n] / n); k == 7 && !(share < 1e-4) {
							t.Errorf("D = %d, %v, p_r = %v, k = %d, after %v: the stated error is %.3g of the false positives", d, a, repeat, k, before, share)
						}
					}
				}
			}
		}
	}
	t.Logf("worst: %.2g of the stated errors", worst)
}

// Lucky is covered by the bound, proven or not, in large filters with few ranks.
func TestLuckyOfFewRanks(t *testing.T) {
	longtest.Only(t, "its lists have millions of arrivals, which takes seconds")
	few := func(d uint64) bloomproof.Workload {
		return bloomproof.Workload{Popularity: bloomproof.Zipf(1, d), Arrivals: bloomproof.ArrivalFirst, Repeat: 0.5}
	}

	// Few ranks: the list of the arrivals is long, and its bound is proven.
	g := bloomproof.Geometry{M: 1 << 20, K: 2}
	big := bloomproof.Geometry{M: 1 << 21, K: 2}
	if f := predicted(t, big, fresh(1<<20), few(3), modelFluid); !f.Valid || f.Estimated != 0 || !(f.Bound < 1e-7) {
		t.Errorf("D = 3: %+v, want a proven bound", f)
	}
	w := few(10)
	list := predicted(t, g, fresh(1<<19), w, modelFluid)
	if !list.Valid || list.Estimated != 0 || !(list.Bound < 1e-7) || math.Abs(list.Lucky/2.818e-16-1) > 1e-3 {
		t.Errorf("%v: %+v, want a proven bound", w, list)
	}
	if f := predicted(t, g, fresh(1<<19), w, ModelRenewal); f.Valid && math.Abs(f.Lucky/list.Lucky-1) > f.Bound+list.Bound || !f.Valid && !strings.Contains(f.Note, "Bound does not hold") {
		t.Errorf("%v: %+v, but fluid is %+v", w, f, list)
	}
	// More arrivals than the list may hold: the curve is shifting, and Lucky is far below its errors. The true value is
	// below the rate of fluid at m = 2^20, because Lucky falls with m.
	f := predicted(t, bloomproof.Geometry{M: 1 << 22, K: 2}, fresh(1<<21), w, modelFluid)
	if off := math.Abs(f.Lucky - list.Lucky/256); !f.Valid || f.Assumes == "" || !(f.Bound < 1e-4) || !(off <= f.Bound*(f.Lucky+f.FNR*f.FPRPerNew)) {
		t.Errorf("%v: %+v, want Lucky = %v", w, f, list.Lucky/256)
	}
}

// The rates of lucky repeats and of false positives of large filters, where they are very small.
func TestSmallRatesOfLargeFilters(t *testing.T) {
	last := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Arrivals: bloomproof.ArrivalLast, Repeat: 0.5}
	first := last
	first.Arrivals = bloomproof.ArrivalFirst

	// Many positions: the products of numbers of messages and rates are below the range of float64, the rates are not.
	for _, k := range []int{560, 450, 1000}[:longtest.More(1, 3)] {
		g := bloomproof.Geometry{M: 1 << 30, K: k}
		f, own := predicted(t, g, fresh(1<<29), last, modelFluid), predicted(t, g, fresh(1<<29), last, ModelRenewal)
		for name, x := range map[string][2]float64{"FPR": {own.FPR, f.FPR}, "FPRPerNew": {own.FPRPerNew, f.FPRPerNew}, "Lucky": {own.Lucky, f.Lucky}} {
			if !own.Valid || math.Abs(x[0]-x[1]) > (own.Bound+f.Bound)*x[1]+0x1p-900 {
				t.Errorf("k = %d: %s = %v, but fluid has %v; %+v", k, name, x[0], x[1], own)
			}
		}
	}
	// The rates are below 2^-900, and the model is valid.
	for _, k := range []int{1080, 1060, 2000, 4096}[:longtest.More(1, 4)] {
		for _, w := range []bloomproof.Workload{last, first}[:longtest.More(1, 2)] {
			f := predicted(t, bloomproof.Geometry{M: 1 << 30, K: k}, fresh(1<<29), w, modelFluid)
			if !f.Valid || f.Note != "" || !(f.Bound < 1e-4) || f.FPR > 0x1p-900 || !(f.FNR > 0) {
				t.Errorf("k = %d, %v: %+v", k, w, f)
			}
		}
	}
	// Few messages and many positions: the errors of the expansion have no useful bound.
	if !longtest.Enabled() { // it takes seconds
		return
	}
	f := predicted(t, bloomproof.Geometry{M: 1_700_000, K: 2000}, fresh(1_500_000), last, ModelRenewal)
	if f.Valid || f.Bound != 1 || !strings.Contains(f.Note, "Bound does not hold") {
		t.Errorf("%+v, want a note that Bound does not hold", f)
	}
}

// If a filter retains the triggering message and hardly any repeat comes, its cycles are as long as without repeats.
func TestRetainWithRareRepeats(t *testing.T) {
	r := fresh(1 << 21)
	r.Retain = true
	at := func(repeat float64) float64 {
		w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 50), Repeat: repeat}
		return predicted(t, bloomproof.Geometry{M: 1 << 22, K: 14}, r, w, ModelRenewalRetaining).Cycle
	}
	want := at(0)
	for _, repeat := range []float64{1e-15, 1e-12} {
		if got := at(repeat); !(math.Abs(got-want) < 1e-3) {
			t.Errorf("p_r = %v: Cycle = %v, want %v", repeat, got, want)
		}
	}
}
