package fnr

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// lastOf returns a workload whose new messages enter at the last rank.
func lastOf(p bloomproof.Popularity, repeat float64) bloomproof.Workload {
	return bloomproof.Workload{Popularity: p, Arrivals: bloomproof.ArrivalLast, Repeat: repeat}
}

// Bound is between 0 and 1 for every model and drawn system. If it is 1, the forecast is not valid.
func TestBoundOfAnything(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 26))
	draws := longtest.Of(40, 10, 600)
	forecasts, invalid := 0, 0
	for range draws {
		g := bloomproof.Geometry{M: 2 + uint64(math.Exp2(random.Float64()*10)), K: 1 + random.IntN(6)}
		if random.IntN(3) == 0 {
			g.M = uint64(math.Exp2(12 + random.Float64()*50))
		}
		if random.IntN(8) == 0 {
			g.K = 1 << random.IntN(13)
		}
		d := 1 + uint64(math.Exp2(random.Float64()*9))
		r := bloomproof.Recycling{Sigma: uint64(random.Float64() * float64(g.M-1)), FreshPositions: true}
		if random.IntN(4) == 0 {
			r.TwoPhase, r.Retain = random.IntN(2) == 0, random.IntN(2) == 0
		}
		w := bloomproof.Workload{
			Popularity: []bloomproof.Popularity{
				bloomproof.Uniform(d), bloomproof.Zipf(math.Exp2(random.Float64()*6-3), d), bloomproof.Zipf(1e300, d),
				bloomproof.BiUniform(1, 1/float64(d+1)+random.Float64()*(1-1/float64(d+1)), d+1),
			}[random.IntN(4)],
			Arrivals: []bloomproof.Arrivals{
				bloomproof.ArrivalLast, bloomproof.ArrivalLast, bloomproof.ArrivalFirst, bloomproof.ArrivalUniform, bloomproof.ArrivalPopularity,
			}[random.IntN(5)],
			Repeat: []float64{0, 1e-200, 1e-9, 0.1, 0.9, 0.999, 1 - 0x1p-53, 1}[random.IntN(8)],
		}
		c, err := New(g, r, w)
		if err != nil {
			continue // the draws do not respect all rules
		}
		c.limit = mostCourse / 64 // so that the test takes seconds
		for _, m := range Models() {
			if f, err := c.Predict(m); err == nil {
				forecasts++
				if !f.Valid {
					invalid++
				}
				if !(f.Bound >= 0 && f.Bound <= 1) || f.Valid && f.Bound == 1 || !(f.Estimated >= 0 && f.Estimated <= f.Bound) {
					t.Errorf("%v %v %v %v: %+v", m, g, r, w, f)
				}
			}
		}
	}
	if t.Logf("%d forecasts, %d not valid", forecasts, invalid); forecasts < 2*draws || invalid == forecasts {
		t.Error("too few forecasts")
	}
}

// If most repeats of unrecorded messages arrive early in a cycle, an expansion cannot tell the number of lucky arrivals.
// The other numbers do not suffer.
func TestBoundOfEarlyRepeats(t *testing.T) {
	two := bloomproof.Uniform(2)
	for _, x := range []struct {
		g    bloomproof.Geometry
		w    bloomproof.Workload
		most float64
	}{
		{bloomproof.Geometry{M: 1 << 26, K: 5}, lastOf(two, 0.9), 1e-3},
		{bloomproof.Geometry{M: 1 << 20, K: 5}, lastOf(bloomproof.Zipf(1e300, 1000), 0.9), 1e-3},
		{bloomproof.Geometry{M: 1 << 20, K: 5}, lastOf(bloomproof.Zipf(2, 100), 0.9999), 0.25},
	} {
		for _, m := range []Model{ModelExact, ModelRenewal} {
			f := predicted(t, x.g, fresh(x.g.M/2), x.w, m)
			if !f.Valid || !(f.Bound <= x.most) || !strings.Contains(f.Note, "Lucky") {
				t.Errorf("%v %v %v: Valid %v, Bound %v, %s", m, x.g, x.w, f.Valid, f.Bound, f.Note)
			}
			t.Logf("%v %v %v: FNR %v, Lucky %v, Bound %v", m, x.g, x.w, f.FNR, f.Lucky, f.Bound)
		}
	}
	if testing.Short() { // the sums below take seconds under an emulator
		return
	}
	// The expansions are the sums within these bounds.
	steep := 0
	for _, k := range longtest.More([]int{4}, []int{1, 4, 9, 40}) {
		g := bloomproof.Geometry{M: longtest.More[uint64](500, 1500) * uint64(k), K: k}
		for i, w := range []bloomproof.Workload{
			lastOf(two, 0.9), lastOf(bloomproof.Zipf(1e300, 9), 0.5), lastOf(bloomproof.Zipf(2, 100), 0.99), lastOf(bloomproof.Zipf(1, 40), 0.95),
		} {
			c, err := New(g, fresh(g.M/2), w)
			if err != nil {
				t.Fatal(err)
			}
			s, err := newPoisson(w)
			if err != nil {
				t.Fatal(err)
			}
			x := c.asLarge()
			l, err := x.load()
			if err != nil {
				t.Fatal(err)
			}
			renewal, _, err := c.termByTerm(ModelRenewal, c.r)
			if err != nil {
				t.Fatal(err)
			}
			expanded, err := c.large(ModelRenewal)
			if err != nil {
				t.Fatal(err)
			}
			pairs := map[string][2]Forecast{"renewal": {expanded, renewal}}
			if !longtest.Enabled() && i < 2 {
				// false negatives are too rare for the sums of exactSmall
			} else if exact, err := c.exactSmall(s); err == nil { // otherwise they are too rare here, too
				large, err := c.exactLarge(s, x, l)
				if err != nil {
					t.Fatalf("%v %v: %v", g, w, err)
				}
				pairs["exact"] = [2]Forecast{large, exact}
			}
			for name, pair := range pairs {
				got, want := pair[0], pair[1]
				if !got.Valid {
					t.Errorf("%s %v %v: %s", name, g, w, got.Note)
				}
				if strings.Contains(got.Note, "Lucky") {
					steep++
				}
				for field, p := range map[string][2]float64{
					"FNR": {got.FNR, want.FNR}, "FPR": {got.FPR, want.FPR}, "FPRPerNew": {got.FPRPerNew, want.FPRPerNew},
					"FPRPerCycleNew": {got.FPRPerCycleNew, want.FPRPerCycleNew}, "Cycle": {got.Cycle, want.Cycle},
				} {
					if off := math.Abs(p[0]/p[1] - 1); !(off <= got.Bound+want.Bound) {
						t.Errorf("%s %v %v: %s = %v, want %v: off by %.2g, stated are %.2g", name, g, w, field, p[0], p[1], off, got.Bound)
					}
				}
				scale := got.Lucky
				if got.Note != "" {
					scale += got.FNR * got.FPRPerNew
				}
				if off := math.Abs(got.Lucky - want.Lucky); !(off <= got.Bound*scale+want.Bound*want.Lucky) {
					t.Errorf("%s %v %v: Lucky = %v, want %v: the error is %.2g of what is stated", name, g, w, got.Lucky, want.Lucky, off/(got.Bound*scale))
				}
			}
		}
	}
	if steep < 2 {
		t.Errorf("the note about Lucky came %d times", steep)
	}
}

// The probability that a cycle never ends is at most 1.
func TestAbsorbingIsAProbability(t *testing.T) {
	for _, x := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
		d uint64
	}{
		{bloomproof.Geometry{M: 314, K: 3}, bloomproof.Recycling{Messages: 17, FreshPositions: true}, 6},
		{bloomproof.Geometry{M: 314, K: 3}, fresh(40), 10},
		{bloomproof.Geometry{M: 1 << 40, K: 3}, fresh(1 << 38), 200},
		{bloomproof.Geometry{M: 50, K: 2}, fresh(40), 20}, // 20 messages set at most 40 bits
	} {
		c, err := New(x.g, x.r, lastOf(bloomproof.Uniform(x.d), 1))
		if err != nil {
			t.Fatal(err)
		}
		if v, err := c.Absorbing(); err != nil || !(v <= 1 && v > 0.99) {
			t.Errorf("%v %v: %v, %v", x.g, x.r, v, err)
		}
		f, err := c.filling()
		if err == nil && !(c.endless(f) <= 1) {
			t.Errorf("%v %v: %v", x.g, x.r, c.endless(f))
		}
	}
}

// If a filter soon holds all messages, ModelExact returns the final rate 0, whatever the size of the filter.
func TestFinalRate(t *testing.T) {
	p := bloomproof.BiUniform(5, 0.199, 200)
	for _, r := range []bloomproof.Recycling{{}, {TwoPhase: true}, {Retain: true}} {
		r.FreshPositions = true
		for _, m := range []uint64{1 << 12, 1 << 40, 1<<64 - 1} {
			r.Sigma = m / 4
			g := bloomproof.Geometry{M: m, K: 3}
			f := predicted(t, g, r, bloomproof.Workload{Popularity: p, Repeat: 1}, ModelExact)
			if f.FNR != 0 || f.Cycle != 0 || !f.Valid || f.Kind != exactRate || f.Note != noMore {
				t.Errorf("%v %v: %+v", g, r, f)
			}
		}
	}
	// Near the mean number of messages that fit, the answer for large filters follows from a normal approximation.
	g := bloomproof.Geometry{M: 1 << 40, K: 3}
	c, err := New(g, fresh(1<<38), lastOf(bloomproof.Uniform(10), 0.5))
	if err != nil {
		t.Fatal(err)
	}
	x := c.asLarge()
	l, err := x.load()
	if err != nil {
		t.Fatal(err)
	}
	deviation := math.Sqrt(l.spread + 1)
	for _, away := range []float64{-20, -1, 2.8, 3, 8.9} {
		d := uint64(l.messages + away*deviation)
		c, err := New(g, fresh(1<<38), bloomproof.Workload{Popularity: bloomproof.Zipf(0.1, d), Repeat: 1})
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.Predict(ModelExact)
		switch {
		case away < mostlyFit && (err != nil || f.Note != noMore),
			away > mostlyFit && !errors.Is(err, bloomproof.ErrUndefined):
			t.Errorf("%v deviations: %+v, %v", away, f, err)
		}
	}
}

// It does not matter in which form a workload is stated.
func TestFluidOfForms(t *testing.T) {
	ones, some := make([]float64, 37), make([]float64, 50)
	for i := range ones {
		ones[i], some[i] = 1, 3
	}
	g := bloomproof.Geometry{M: 191, K: 8, Hashing: bloomproof.Classic}
	want := Forecast{}
	for i, w := range []bloomproof.Workload{
		{Popularity: bloomproof.Uniform(37), Arrivals: bloomproof.ArrivalPopularity},
		{Popularity: bloomproof.Uniform(37), Arrivals: bloomproof.ArrivalUniform},
		{Popularity: bloomproof.Uniform(37), ArrivalWeights: ones},
		{Popularity: bloomproof.Weights(ones), ArrivalWeights: ones},
		{Popularity: bloomproof.Weights(ones), Arrivals: bloomproof.ArrivalPopularity},
		{Popularity: bloomproof.Weights(some), ArrivalWeights: some},
		{Popularity: bloomproof.Weights(some), Arrivals: bloomproof.ArrivalPopularity},
	} {
		w.Repeat = 0.1
		f := predicted(t, g, fresh(95), w, modelFluid)
		if i == 0 {
			want = f
		}
		if !(math.Abs(f.FNR/want.FNR-1) <= f.Bound+want.Bound) || !(f.Bound < 1e-10) {
			t.Errorf("%v: %v, want %v within %v", w, f.FNR, want.FNR, f.Bound)
		}
	}
	// Here new messages also enter at ranks that do not arrive again.
	w := bloomproof.Workload{Popularity: bloomproof.Weights(some), Arrivals: bloomproof.ArrivalUniform, Repeat: 0.1}
	if f := predicted(t, g, fresh(95), w, modelFluid); !(math.Abs(f.FNR/want.FNR-1) > 0.01) {
		t.Errorf("%v: %v", w, f.FNR)
	}
}

// float64 cannot tell sigma from m here. A cycle has 1.2e21 arrivals, and not more than 1e200, as was once said.
func TestExactOfNearlyAllBits(t *testing.T) {
	const m = 1<<64 - 1
	c, err := New(bloomproof.Geometry{M: m, K: 7}, fresh(m-1), lastOf(bloomproof.Zipf(1, 100), 0.9))
	if err != nil {
		t.Fatal(err)
	}
	if f, err := c.Predict(ModelExact); err == nil || strings.Contains(err.Error(), "1e200") {
		t.Errorf("%+v, %v", f, err)
	}
	// The mean number of positions until all bits are set is m (1 + 1/2 + ... + 1/m).
	mean := 0.0
	s := ballSum(m, m-1)
	for i, left := range s.left {
		mean += s.weight[i] * m / left
	}
	const euler = 0.5772156649015329
	if want := m * (math.Log(m) + euler); !(math.Abs(mean/want-1) < 1e-12) {
		t.Errorf("the mean is %v, want %v", mean, want)
	}
}

// The renewal models answer if the arrivals of a cycle are too many to be followed. The answer is that of the sum.
func TestRenewalOfLongCycles(t *testing.T) {
	for _, x := range []struct {
		p      bloomproof.Popularity
		repeat float64
	}{{bloomproof.Zipf(1, 1000), 0.99}, {bloomproof.Zipf(1, 1000), 0.999}, {bloomproof.Zipf(2, 100), 0.999}} {
		g, w := bloomproof.Geometry{M: 100000, K: 5}, lastOf(x.p, x.repeat)
		f := predicted(t, g, fresh(g.M/2), w, ModelRenewal)
		exact := predicted(t, g, fresh(g.M/2), w, ModelExact)
		off := math.Abs(f.FNR/exact.FNR - 1)
		if t.Logf("%v: off by %.2g, Bound %v and %v", w, off, f.Bound, exact.Bound); !f.Valid || !(off < 1e-3+f.Bound+exact.Bound) {
			t.Errorf("%v: %+v, want %v", w, f, exact.FNR)
		}
	}
	for _, arrivals := range []bloomproof.Arrivals{bloomproof.ArrivalLast, bloomproof.ArrivalPopularity} {
		w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 300), Arrivals: arrivals, Repeat: 0.9}
		g := bloomproof.Geometry{M: 6000, K: 3}
		c, err := New(g, fresh(3000), w)
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.Predict(ModelRenewal)
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range []float64{1 << 16, 1 << 22} {
			c, _ = New(g, fresh(3000), w)
			c.limit = limit
			got, err := c.Predict(ModelRenewal)
			if off := math.Abs(got.FNR/want.FNR - 1); err != nil || off == 0 || !(off <= got.Bound+want.Bound) {
				t.Errorf("%v: %+v, want %v: %v", w, got, want.FNR, err)
			}
		}
	}
}
