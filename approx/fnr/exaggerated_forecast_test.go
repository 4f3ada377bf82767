package fnr

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestExaggeratedPredict compares Predict with the forecasts of the models, for fillings with errors so large that some
// forecasts are not valid.
func TestExaggeratedPredict(t *testing.T) {
	s := newSources(t, 23)
	invalid, fails, moved := 0, 0, 0
	for i := range longtest.More(9, 4*9) {
		w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 14), Repeat: []float64{1, 0.8, 0.1}[i%3], Arrivals: bloomproof.ArrivalLast}
		r := fresh([]uint64{0, 1, 8}[s.IntN(3)])
		r.TwoPhase = s.IntN(3) == 0
		c, fill, _ := s.system(t, bloomproof.Geometry{M: 30, K: 3}, r, w)
		fill.err = []float64{fill.err, s.between(0.01, 2), math.NaN()}[s.IntN(3)]
		for _, m := range Models() {
			want, err := c.predict(m)
			got, e := c.Predict(m)
			if err != nil || e != nil {
				if (err == nil) != (e == nil) || !errors.Is(e, err) && !strings.Contains(e.Error(), err.Error()) {
					t.Errorf("%v: %v, and %v", m, e, err)
				}
				continue
			}
			bound := want.Bound
			if over := want.FNR / w.Repeat; over > 1 && over <= 1+bound {
				want.FNR, want.Bound = w.Repeat, (bound+(over-1))/over
				moved++
			}
			clip := func(x *float64, most float64) { *x = min(max(*x, 0), most) }
			clip(&want.FNR, math.Inf(1))
			clip(&want.Lucky, w.Repeat)
			clip(&want.FPR, 1-w.Repeat)
			clip(&want.FPRPerNew, 1)
			clip(&want.FPRPerCycleNew, 1)
			if math.IsNaN(want.Bound) || want.Bound > 1 || want.Bound == 1 && want.Valid {
				want.Valid, want.Bound, want.Note = false, 1, join(want.Note, tooLarge("the sums"))
				want.Estimated = min(want.Estimated, 1)
				invalid++
			}
			if want.FNR > w.Repeat*(1+want.Bound) {
				want.Valid, want.Note = false, join(want.Note, "the model fails here: its rate is above p_r")
				fails++
			}
			agree(t, []any{m, r, w, fill.err}, got, want)
			if got.Kind != c.kind(m) || got.Apart != 0 {
				t.Errorf("%v: the kind is %q, the change by fixed positions %v", m, got.Kind, got.Apart)
			}
		}
	}
	if invalid < 5 || fails < 2 {
		t.Errorf("%d forecasts are not valid, %d models fail, %d rates are moved", invalid, fails, moved)
	}
	// A rate just above p_r is moved down to it, and the bound grows.
	f := Forecast{FNR: 0.6, Bound: 0.3, Lucky: 0.7, FPR: 0.7, FPRPerNew: 1.5, FPRPerCycleNew: math.Copysign(0, -1)}
	f.restrict(0.5)
	if want := (Forecast{FNR: 0.5, Bound: (0.3 + 0.2) / 1.2, Lucky: 0.5, FPR: 0.5, FPRPerNew: 1}); math.Abs(f.Bound-want.Bound) > 1e-15 || f.FNR != 0.5 || f.Lucky != 0.5 || f.FPR != 0.5 || f.FPRPerNew != 1 || math.Signbit(f.FPRPerCycleNew) {
		t.Errorf("%+v, want %+v", f, want)
	}
	f = Forecast{FNR: 0.6, Bound: 0.1, Lucky: -1}
	if f.restrict(0.5); f.FNR != 0.6 || f.Bound != 0.1 || f.Lucky != 0 {
		t.Errorf("%+v: the rate is too far above p_r", f)
	}
	f = Forecast{Bound: 0.1}
	for _, x := range []float64{-1, 0.05, 0.5} {
		if f.assume(x, "a", "b"); f.Estimated != min(max(x, 0), 0.1) || f.Assumes != "a; b" {
			t.Errorf("%v: %+v", x, f)
		}
	}
}

// TestExaggeratedExtended checks that the extended model adds the errors of both of its expansions.
func TestExaggeratedExtended(t *testing.T) {
	s := newSources(t, 24)
	for i := range longtest.More(6, 4*6) {
		w := exaggeratedWorkloads()[i%2]
		g := bloomproof.Geometry{M: 1 << 20, K: 1 + s.IntN(5)}
		sigma := uint64(s.between(1<<14, 1<<19))
		if i%3 == 2 { // the errors are too large
			w, g.K, sigma = exaggeratedWorkloads()[1], 60, 60*256
		}
		c, err := New(g, fresh(sigma), w)
		if err != nil {
			t.Fatal(err)
		}
		x := c.asLarge()
		own, err := x.forecast()
		if err != nil {
			t.Fatal(err)
		}
		x.r.Sigma += uint64(g.K)
		wide, err := x.forecast()
		if err != nil {
			t.Fatal(err)
		}
		want := own
		want.FNR = wide.FNR * wide.Cycle / own.Cycle
		want.Bound = min(own.Bound+wide.Bound, 1)
		want.Estimated = min(own.Estimated+wide.Estimated, want.Bound)
		if !wide.Valid {
			want.Valid, want.Note = false, wide.Note
		} else if !own.Valid {
			want.Note = tooLarge("the expansion")
		}
		got, err := c.large(modelRenewalExtended)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, []any{g, sigma, w}, got, want)
		if got.Valid != (i%3 < 2) {
			t.Errorf("%v, sigma %d, %v: %+v", g, sigma, w, got)
		}
		if got, err := c.large(ModelRenewal); err != nil || got != own {
			t.Errorf("%v, sigma %d, %v: %+v, want %+v", g, sigma, w, got, own)
		}
	}
}

// TestExaggeratedCurves compares the errors that curves state with their formulas.
func TestExaggeratedCurves(t *testing.T) {
	l := ledger{}
	const u = fm.Unit
	for _, alpha := range []float64{0, 0.3, 1, 7, 1 << 20, 1e300} {
		for _, repeat := range []float64{1, 0.4} {
			s, err := newSteady(lastOf(bloomproof.Zipf(alpha, 1000), repeat))
			if err != nil {
				t.Fatal(err)
			}
			steep := min(alpha, 1<<20)
			want := l.sum("steady", term{"popularity", 12 * steep * u}, term{"rounding", 25 * u})
			if repeat < 1 {
				want = l.sum("steady with a last rank", term{"popularity", 36 * steep * u}, term{"rounding", 60 * u})
			}
			same(t, []any{alpha, repeat}, "the error of a steady curve", s.err(3), want)
		}
	}
	if s, err := newSteady(lastOf(bloomproof.Zipf(1, 9), 0)); err != nil || s.err(3) != 0 {
		t.Errorf("without repeats the curve is %v, %v", s, err)
	}
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1.5, 20), Repeat: 0.7, Arrivals: bloomproof.ArrivalPopularity}
	x, err := newTraffic(w)
	if err != nil {
		t.Fatal(err)
	}
	list := newListed(x, 8, 2)
	for _, n := range []float64{1, 5, 19} {
		weight := 2 + 28 + 1.0 // 1.5 is 2 - 1/2
		popularity := 2*weight + 3
		same(t, n, "the error of a listed curve", list.err(n), u*l.sum("listed", term{"arrivals", 6 * n}, term{"popularity of arrivals", popularity * n},
			term{"popularity", popularity}, term{"product", 9}, term{"ranks", 20}, term{"sum", n}))
	}
	shift := newShifting(x, 60, 2)
	for _, n := range []float64{0.01, 0.5, 2, 7, 30, 60} {
		line := &shift.lines[0]
		if n <= shift.lines[1].p {
			line = &shift.lines[1]
		}
		sum := line.at(n, line.sum)
		fewer := max(math.Abs(line.at(n, line.coarse[0])-sum), math.Abs(line.at(n, line.coarse[1])-sum)) / math.Abs(sum)
		want := l.sum("shifting", term{"fewer terms", 4 * fewer}, term{"period", 4e-11}, term{"period of few", 4e-11 * 2 * line.p / n}, term{"rounding", 1e-10})
		if sum <= 0 {
			want = 1
		}
		got := shift.err(n)
		if !(math.Abs(got/want-1) <= 1e-4) { // fewer terms change little
			t.Errorf("n = %v: the error is %.12g, computed again %.12g", n, got, want)
		}
		stale := min(max(sum, 0), 0.7*n)
		same(t, n, "the error of a shifting rate", shift.rateError(n), min(128*got*stale/n, 0.7))
		low, high := shift.kept(9, n)
		if want := min(1, 0.7*n); low != 0 || high != want {
			t.Errorf("n = %v: the retained message changes the sum by %v to %v, want 0 to %v", n, low, high, want)
		}
	}
	l.check(t)
}
