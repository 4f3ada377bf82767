package fnr

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Sums over ranks are those over classes.
func TestClasses(t *testing.T) {
	const d = 20000
	for _, alpha := range []float64{0.3, 1, 1.5, 2, 4} {
		q := normalized(d, bloomproof.Zipf(alpha, d).Weight)
		all, err := classes(bloomproof.Zipf(alpha, d), d)
		if err != nil {
			t.Fatal(err)
		}
		for n := 1.0; n*q[d-1] < 30; n *= 9 {
			want, got := 0.0, 0.0
			wantSlope, gotSlope := 0.0, 0.0
			for i := d - 1; i >= 0; i-- {
				want -= math.Expm1(-n * q[i])
				wantSlope += q[i] * q[i] * math.Exp(-n*q[i])
			}
			for i := len(all) - 1; i >= 0; i-- {
				got -= all[i].n * math.Expm1(-n*all[i].q)
				gotSlope += all[i].n * all[i].q * all[i].q * math.Exp(-n*all[i].q)
			}
			if off := max(math.Abs(got/want-1), math.Abs(gotSlope/wantSlope-1)); off > 0x1p-42 {
				t.Errorf("alpha=%v n=%.3g: %v and %v, want %v and %v: off by %.2g", alpha, n, got, gotSlope, want, wantSlope, off)
			}
		}
	}
	for _, p := range []bloomproof.Popularity{
		bloomproof.Uniform(7), bloomproof.BiUniform(3, 0.2, 9), bloomproof.Weights([]float64{5, 5, 2, 1e-300, 0}),
		bloomproof.Zipf(0, 5), bloomproof.Zipf(700, 1<<40), bloomproof.Uniform(1 << 40),
	} {
		all, err := classes(p, p.D)
		if err != nil {
			t.Fatal(err)
		}
		if sum := classWeight(all); math.Abs(sum-1) > 1e-14 {
			t.Errorf("%v: the probabilities add up to %v", p, sum)
		}
	}
}

// A curve is what arrival after arrival makes.
func TestCurves(t *testing.T) {
	for _, w := range largeLoads(500) {
		x, err := newTraffic(w)
		if err != nil {
			t.Fatal(err)
		}
		const most = 5000
		curves := map[string]curve{"shifting": newShifting(x, most, 2)}
		if s, err := newSteady(w); err != nil {
			t.Fatal(err)
		} else if s != nil {
			curves["steady"] = s
			if w.Repeat == 1 {
				delete(curves, "shifting")
			}
		}
		g := x.nothing()
		sum := 0.0
		for n := 1; n <= most; n++ {
			sum += x.repeat * x.arrival(g)
			if n < most/64 || n%97 != 0 {
				continue
			}
			for name, c := range curves {
				got, _, _ := c.stale(float64(n))
				stated := c.err(float64(n)) + (x.missingError(float64(n))+float64(n))*fm.Unit // of c, and of the sum
				if off := math.Abs(got/sum - 1); !(off <= stated) {
					t.Errorf("%v: %s at %d is %v, want %v: off by %.2g, stated are %.2g", w, name, n, got, sum, off, stated)
				}
			}
		}
	}
}

// The sum of a steady curve is the sum over all ranks in two words, within the bound that is stated.
func TestSteadySums(t *testing.T) {
	d := uint64(3000)
	if !longtest.Enabled() {
		d = 300
	}
	one := fm.Double{Hi: 1}
	worst := 0.0
	for _, p := range []bloomproof.Popularity{
		bloomproof.Zipf(0.3, d), bloomproof.Zipf(1, d), bloomproof.Zipf(1.7, d), bloomproof.Zipf(4, d), bloomproof.Zipf(9, d),
		bloomproof.Zipf(1, 1), bloomproof.Uniform(d), bloomproof.BiUniform(d/100, 0.03, d), bloomproof.Weights([]float64{9, 9, 5, 1e-3, 1e-9}),
	} {
		q, total := make([]fm.Double, p.D), fm.Double{}
		for i := range q {
			if q[i] = (fm.Double{Hi: p.Weight(uint64(i))}); p.Alpha > 0 {
				q[i] = one
				if i > 0 {
					q[i] = fm.Whole(uint64(i + 1)).Log().MulFloat(-p.Alpha).Exp().Unscaled()
				}
			}
			total = total.Add(q[i])
		}
		for _, repeat := range []float64{0.25, 0.9, 1} {
			w := bloomproof.Workload{Popularity: p, Arrivals: bloomproof.ArrivalLast, Repeat: repeat}
			s, err := newSteady(w)
			if err != nil {
				t.Fatal(err)
			}
			derived := (12*p.Alpha + 25) * fm.Unit
			if repeat < 1 {
				derived = (36*p.Alpha + 60) * fm.Unit
			}
			if stated := s.err(1); !(stated >= derived && stated < 2*derived) {
				t.Errorf("%v p_r=%v: the bound is %g, derived is %g", p, repeat, stated, derived)
			}
			for _, n := range []float64{1, 3, 17, 1000, 77777, 1e9} {
				want := fm.Double{}
				for i := range q {
					p := q[i].Quo(total).MulFloat(repeat)
					leave := p
					if repeat < 1 && i == len(q)-1 {
						leave = p.Add(one.Add(fm.Double{Hi: -repeat}))
					}
					rest := one.Sub(leave)
					if rest.Hi <= 0 {
						want = want.Add(p.Quo(leave))
						continue
					}
					ln := leave.Neg().Log1p
					if leave.Hi > 0.4 {
						ln = rest.Log
					}
					want = want.Add(p.Quo(leave).Mul(ln().MulFloat(n).Expm1().Neg()))
				}
				got, _, _ := s.stale(n)
				if off := fm.Abs(want.AddFloat(-got).Hi) / want.Hi; !(off <= s.err(n)) {
					t.Errorf("%v p_r=%v n=%v: %v, want %v: off by %.3g, stated are %.3g", p, repeat, n, got, want.Hi, off, s.err(n))
				} else {
					worst = max(worst, off/s.err(n))
				}
			}
		}
	}
	if t.Logf("worst: %.3f of the bound", worst); worst < 0.02 {
		t.Error("the bound is more than fifty times the largest error")
	}
}

// The weights and nodes of Gauss's rule sum polynomials of degree 31 exactly. The least n has the largest weights' slope.
func TestGramRule(t *testing.T) {
	for _, n := range []float64{33, 34, 50, 1000, 1 << 20, 1 << 40, 1 << 62} {
		x, w := gramRule(n)
		for _, degree := range []int{0, 1, 2, 8, 15, 30, 31} { // Chebyshev polynomials on the range of the nodes
			f := func(x float64) float64 {
				z := (2*x - (n - 1)) / n
				return math.Cos(float64(degree) * math.Acos(z))
			}
			got := 0.0
			for i := range x {
				got += w[i] * f(x[i])
			}
			want := 0.0
			if n <= 1000 {
				for j := range int(n) {
					want += f(float64(j))
				}
			} else if degree%2 == 0 { // the integral, up to a relative 1/n
				want = n / (1 - float64(degree*degree))
			}
			if off := math.Abs(got-want) / n; off > 2e-15+float64(degree*degree)/n*map[bool]float64{true: 0, false: 1}[n <= 1000] {
				t.Errorf("n = %v, degree %d: %v, want %v", n, degree, got, want)
			}
		}
	}
}

// largeLoads are workloads of d messages.
func largeLoads(d uint64) []bloomproof.Workload {
	load := func(p bloomproof.Popularity, a bloomproof.Arrivals, repeat float64) bloomproof.Workload {
		return bloomproof.Workload{Popularity: p, Arrivals: a, Repeat: repeat}
	}
	return []bloomproof.Workload{
		load(bloomproof.Zipf(1, d), bloomproof.ArrivalPopularity, 0.9),
		load(bloomproof.Zipf(1, d), bloomproof.ArrivalLast, 0.9),
		load(bloomproof.Zipf(1, 5*d), bloomproof.ArrivalPopularity, 1),
		load(bloomproof.Uniform(3*d), bloomproof.ArrivalPopularity, 0.8),
		load(bloomproof.Uniform(3*d), bloomproof.ArrivalFirst, 0.7),
		load(bloomproof.BiUniform(d/10, 5/float64(d), d), bloomproof.ArrivalUniform, 0.5),
		load(bloomproof.Zipf(2, d), bloomproof.ArrivalFirst, 0.7),
	}
}

// The expansion for large filters is the sum over all terms within its bound.
func TestLargeIsTheSum(t *testing.T) {
	type shape struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
		m Model
	}
	two := bloomproof.Recycling{Sigma: 2000, TwoPhase: true}
	before := bloomproof.Recycling{Sigma: 2000, TwoPhase: true, FreezeBefore: true}
	g := bloomproof.Geometry{M: 5000, K: 3}
	shapes := []shape{
		{bloomproof.Geometry{M: 10000, K: 5}, bloomproof.Recycling{Sigma: 5000}, ModelRenewal},
		{bloomproof.Geometry{M: 6000, K: 3, Hashing: bloomproof.Classic}, bloomproof.Recycling{Sigma: 3500}, ModelRenewal},
		{bloomproof.Geometry{M: 3000, K: 1}, bloomproof.Recycling{Messages: 500}, ModelRenewal},
		{g, two, ModelRenewal}, {g, before, ModelRenewal},
		{g, bloomproof.Recycling{Sigma: 2000}, modelRenewalExtended}, {g, two, modelRenewalExtended}, {g, before, modelRenewalExtended},
		{g, bloomproof.Recycling{Sigma: 2000}, ModelRenewalRetaining}, {g, two, ModelRenewalRetaining}, {g, before, ModelRenewalRetaining},
	}
	if longtest.Enabled() {
		shapes = append(shapes,
			shape{bloomproof.Geometry{M: 40000, K: 7}, bloomproof.Recycling{Sigma: 20000}, ModelRenewal},
			shape{bloomproof.Geometry{M: 32000, K: 32}, bloomproof.Recycling{Sigma: 16000}, ModelRenewal})
	}
	worst := 0.0
	for n, s := range shapes {
		s.r.FreshPositions, s.r.Retain = true, s.m == ModelRenewalRetaining
		for i, w := range largeLoads(1000) {
			if !longtest.Enabled() && (i+n)%7 != 3 {
				continue
			}
			c, err := New(s.g, s.r, w)
			if err != nil {
				t.Fatal(err)
			}
			want, _, err := c.termByTerm(s.m, s.r)
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.large(s.m)
			if err != nil {
				t.Errorf("%v %v %v: %v", s.g, s.r, w, err)
				continue
			}
			for name, pair := range map[string][2]float64{
				"FNR": {got.FNR, want.FNR}, "FPR": {got.FPR, want.FPR}, "Lucky": {got.Lucky, want.Lucky},
				"FPRPerNew": {got.FPRPerNew, want.FPRPerNew}, "FPRPerCycleNew": {got.FPRPerCycleNew, want.FPRPerCycleNew},
				"Cycle": {got.Cycle, want.Cycle},
			} {
				if got.Note != "" && (name == "FNR" || name == "Lucky") {
					if name == "FNR" && pair[0] < pair[1] {
						t.Errorf("%v %v %v %v: %s = %v is no upper bound of %v", s.m, s.g, s.r, w, name, pair[0], pair[1])
					}
					continue
				}
				off := math.Abs(pair[0] - pair[1])
				if !(off <= got.Bound*pair[1]) {
					t.Errorf("%v %v %v %v: %s = %v, want %v: off by %.2g, stated are %.2g", s.m, s.g, s.r, w, name, pair[0], pair[1], off/pair[1], got.Bound)
				}
				if off > 0 {
					worst = max(worst, off/pair[1]/got.Bound)
				}
			}
			t.Logf("%v %v %v: FNR off by %.2g, stated are %.2g", s.m, s.g, w, math.Abs(got.FNR/want.FNR-1), got.Bound)
		}
	}
	t.Logf("the largest error is %.2g of its bound", worst)
}

// Subnormal numbers are slow, and not exact.
func TestLargeHasNoSubnormals(t *testing.T) {
	for _, w := range largeLoads(500) {
		s, err := newSteady(w)
		if err != nil {
			t.Fatal(err)
		}
		if s == nil {
			continue
		}
		for n := 1.0; n < 1e300; n *= 1.7 {
			a, b, c := s.stale(n)
			low, high := s.kept(n, n)
			for _, x := range []float64{a, b, c, low, high} {
				if x != 0 && math.Abs(x) < 0x1p-1022 || math.IsNaN(x) {
					t.Fatalf("%v: %v at %v", w, x, n)
				}
			}
		}
	}
}

// Any arguments have an answer that is a number, or an error that is one of the package's.
func TestLargeAnswersOrRefuses(t *testing.T) {
	answers, tried, every := 0, 0, 3
	if !longtest.Enabled() {
		every = 57
	}
	for _, g := range []bloomproof.Geometry{
		{M: math.MaxUint64, K: 200}, {M: 1 << 40, K: 7, Hashing: bloomproof.Classic},
		{M: 1 << 23, K: 7},
	} {
		for _, sigma := range []uint64{g.M / 2, g.M - 1} {
			for _, p := range []bloomproof.Popularity{
				bloomproof.Uniform(1 << 40), bloomproof.Uniform(1), bloomproof.Zipf(1, 1<<40), bloomproof.Zipf(3, 1<<40),
				bloomproof.BiUniform(1, 0.5, 1<<40), bloomproof.Zipf(1, 2), bloomproof.Weights([]float64{1, 1, 1e-300, 0}),
			} {
				for _, repeat := range []float64{0, 0.5, math.Nextafter(1, 0), 1} {
					for _, a := range []bloomproof.Arrivals{bloomproof.ArrivalPopularity, bloomproof.ArrivalLast} {
						for _, r := range []bloomproof.Recycling{{Sigma: sigma}, {Sigma: sigma, TwoPhase: true}, {Sigma: sigma, Retain: true}} {
							if tried++; tried%every != 0 {
								continue
							}
							r.FreshPositions = true
							w := bloomproof.Workload{Popularity: p, Repeat: repeat, Arrivals: a}
							c, err := New(g, r, w)
							if err != nil {
								t.Fatal(err)
							}
							x := c.asLarge()
							f, err := x.forecast()
							var bad *bloomproof.ParamError
							if errors.Is(err, bloomproof.ErrUndefined) || errors.Is(err, bloomproof.ErrTooCostly) || errors.As(err, &bad) {
								continue
							}
							answers++
							for _, v := range []float64{f.FNR, f.Lucky, f.FPR, f.FPRPerNew, f.FPRPerCycleNew} {
								if err != nil || !(v >= 0 && v <= 1+f.Bound) || !(f.Bound >= 0 && f.Bound <= 1) || !(f.Cycle >= 1 && f.Cycle < math.Inf(1)) {
									t.Fatalf("%v %v %v: %+v, %v", g, r, w, f, err)
								}
							}
						}
					}
				}
			}
		}
	}
	if answers < tried/every/2 {
		t.Errorf("%d of %d were answered", answers, tried/every)
	}
}

// BenchmarkLarge is the stated size, by workload and D.
func BenchmarkLarge(b *testing.B) {
	for _, m := range []uint64{1 << 20, 1 << 23, 1 << 30} {
		for _, d := range []uint64{100_000, 1_000_000, 4_000_000} {
			for _, repeat := range []float64{0.9, 1} {
				for _, a := range []bloomproof.Arrivals{bloomproof.ArrivalPopularity, bloomproof.ArrivalLast} {
					if repeat == 1 && (a == bloomproof.ArrivalLast || 10*d < m) { // all fit
						continue
					}
					g := bloomproof.Geometry{M: m, K: 7}
					r := bloomproof.Recycling{Sigma: m / 2, FreshPositions: true}
					w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, d), Arrivals: a, Repeat: repeat}
					b.Run(fmt.Sprintf("m=%d/D=%d/arrivals=%v/repeat=%v", m, d, a, repeat), func(b *testing.B) {
						b.ReportAllocs()
						for b.Loop() {
							c, err := New(g, r, w)
							if err == nil {
								_, err = c.large(ModelRenewal)
							}
							if err != nil {
								b.Fatal(err)
							}
						}
					})
				}
			}
		}
	}
}

// For every k, the errors of Gauss's rule in all panels add up to less than panelError, by the bounds in the comment of
// this constant. The best rho is looked for on a grid; any rho gives a bound. The angle of z = x+iy steps by half a
// degree. Between two steps the bound changes by a factor below 1.1.
func TestPanelError(t *testing.T) {
	most, at := 0.0, 0
	for k := 1; k <= 4096; k += 1 + k/longtest.More(4, 1000) {
		kf := float64(k)
		ratio := panelRatio(k)
		center, w := (1+ratio)/2, (1-ratio)/2 // a panel that ends at 1
		near := math.Exp2(-1 / (kf + 1))
		best := math.Inf(1)
		for rho := 4.0; center-w*(rho+1/rho)/2 > 0.02 && rho < 40; rho *= 1.05 {
			largest := math.Inf(-1)
			for i := range 361 {
				sin, cos := math.Sincos(float64(i) * math.Pi / 360)
				x, y := center+w*(rho+1/rho)/2*cos, w*(rho-1/rho)/2*sin
				largest = max(largest, kf*(math.Log(math.Hypot(x, y)/x)+math.Log(max(x, 1)))+math.Log(w*2*(kf+1)/min(x, 1)))
			}
			end := w * (rho + 1/rho) / 2
			panels := 1 + math.Log((center+end)/((center-end)*near))/-math.Log(ratio)
			best = min(best, 1.1*panels*64/15*math.Exp(largest)*math.Pow(rho, -16)/(1-1/(rho*rho)))
		}
		if best > most {
			most, at = best, k
		}
	}
	t.Logf("at most %.3g, for k = %d", most, at)
	if !(most <= panelError && most > panelError/4) {
		t.Errorf("%g at k = %d, stated are %g", most, at, panelError)
	}
}

// The integrals over a steady curve are those over panels that are much shorter, within their bound.
func TestIntegrals(t *testing.T) {
	worst := 0.0
	for _, k := range []int{8, 1, 300} {
		for _, w := range []bloomproof.Workload{
			{Popularity: bloomproof.Uniform(3000), Repeat: 1},
			{Popularity: bloomproof.Zipf(1, 3000), Repeat: 0.9, Arrivals: bloomproof.ArrivalLast},
			{Popularity: bloomproof.Zipf(2, 500), Repeat: 0.3, Arrivals: bloomproof.ArrivalLast},
		} {
			c, err := New(bloomproof.Geometry{M: 1 << 16, K: k}, bloomproof.Recycling{Sigma: 1 << 15, FreshPositions: true}, w)
			if err != nil {
				t.Fatal(err)
			}
			x := c.asLarge()
			m, err := newSteady(w)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []float64{500, 20000} {
				for _, before := range []float64{0, n} {
					if !longtest.Enabled() && (before == 0) != (n > 600) {
						continue
					}
					got := x.integrals(m, n, before)
					times, lucky := 0.0, 0.0
					for high := n; high > 1e-9; high *= 0.96 { // for k = 1, the rest is below 1e-22 of the sum
						for i, node := range gaussNodes {
							at, weight := high*(1-0.04*node), high*0.04*gaussWeights[i]
							sum, _, _ := m.stale(at)
							_, rate, _ := m.stale(at + before)
							g := weight * x.match((1-w.Repeat)*at+sum)
							times += g
							lucky += g * rate
						}
					}
					off := max(math.Abs(got.times/times-1), math.Abs(got.lucky/lucky-1))
					worst = max(worst, off/got.off)
					if !(off <= got.off+float64(k+50)*fm.Unit) || k == 8 && n > 600 && w.Repeat == 1 && got.off > 1.1*panelError {
						t.Errorf("k = %d, %v, n = %v and %v: off by %.3g, stated are %.3g", k, w, n, before, off, got.off)
					}
				}
			}
		}
		if !longtest.Enabled() {
			break
		}
	}
	t.Logf("worst: %.2g of the bound", worst)
}
