package fnr

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Bounds hold the rates of tiny filters that the whole chain says, and those of larger ones with arrivals
// at the last rank.
func TestCycleBounds(t *testing.T) {
	narrow, checked := 0, 0
	hold := func(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload, rates func(*System) (*Rates, error)) {
		t.Helper()
		name := fmt.Sprintf("%v %v %v %v", g, r, w, w.ArrivalWeights)
		r.FreshPositions = true
		f, err := New(g, r, w)
		if err != nil {
			t.Fatal(name, err)
		}
		x, err := f.CycleBounds()
		if err != nil {
			t.Fatal(name, err)
		}
		y, err := rates(f)
		if err != nil {
			t.Fatal(name, err)
		}
		eachRate(t, name, x, y, func(what string, a, b exact.Enclosure) {
			checked++
			if !a.Overlaps(b) {
				t.Errorf("%s: %s is %v, the bounds are %v", name, what, b, a)
			}
		})
		if x.FNR.RelBits() >= 3 {
			narrow++
		}
	}
	chain := func(f *System) (*Rates, error) { return f.Rates(24) }
	geometries := []bloomproof.Geometry{{M: 9, K: 2}, {Hashing: bloomproof.Classic, M: 9, K: 2}, {M: 64, K: 3}}
	for i, w := range []bloomproof.Workload{
		{Popularity: bloomproof.Zipf(1, 4), Repeat: 0.75},
		{Popularity: bloomproof.Zipf(1, 3), Repeat: 0.96875},
		{Popularity: bloomproof.Uniform(3), Repeat: 0.5, Arrivals: bloomproof.ArrivalFirst},
		{Popularity: bloomproof.Weights([]float64{3, 1, 1, 0}), Repeat: 0.5, Arrivals: bloomproof.ArrivalUniform},
		{Popularity: bloomproof.Zipf(2, 3), Repeat: 0.9, ArrivalWeights: []float64{0, 3, 1}},
		{Popularity: bloomproof.Uniform(1), Repeat: 0.5},
		{Popularity: bloomproof.Zipf(0.5, 3), Repeat: 0},
	} {
		for n, g := range geometries {
			for j, r := range []bloomproof.Recycling{{Sigma: 4}, {Messages: 3}, {Sigma: 30}, {Sigma: 4, Retain: true}, {Messages: 3, Retain: true}} {
				if (r.Sigma == 30) != (g.M == 64) || !longtest.Enabled() && (i+2*n+j)%4 > 0 || g.M == 64 && !(longtest.Enabled() && i == 0) {
					continue
				}
				hold(g, r, w, chain)
			}
		}
	}
	for _, repeat := range longtest.More([]float64{0.5}, []float64{0.25, 0.5, 0.9}) {
		w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 10), Repeat: repeat, Arrivals: bloomproof.ArrivalLast}
		hold(bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Sigma: 20}, w, func(f *System) (*Rates, error) { return f.ofArrivalsLast(24) })
		hold(bloomproof.Geometry{M: 1 << 10, K: 4}, bloomproof.Recycling{Sigma: 200}, bloomproof.Workload{
			Popularity: bloomproof.Uniform(80), Repeat: repeat, Arrivals: bloomproof.ArrivalLast,
		}, func(f *System) (*Rates, error) { return f.byGroups(24) })
		hold(bloomproof.Geometry{M: 1 << 10, K: 4}, bloomproof.Recycling{Sigma: 100, Retain: true}, bloomproof.Workload{
			Popularity: bloomproof.BiUniform(5, 0.1, 40), Repeat: repeat, Arrivals: bloomproof.ArrivalLast,
		}, func(f *System) (*Rates, error) { return f.byGroups(24) })
	}
	if narrow == 0 {
		t.Error("no bounds are within a tenth")
	}
	t.Logf("%d rates, %d filters within 12 %%", checked, narrow)
}

// The bounds of the example of docs/fnr.md are as wide as it says there.
func TestCycleBoundsAreNarrow(t *testing.T) {
	for _, c := range longtest.More([][3]float64{{1000, 200, 0.04}}, [][3]float64{{1000, 200, 0.02}, {10000, 2000, 0.004}}) {
		w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, longtest.More[uint64](200, 1000)), Repeat: 0.9}
		f, err := New(bloomproof.Geometry{M: uint64(c[0]), K: 5}, bloomproof.Recycling{Sigma: uint64(c[1]), FreshPositions: true}, w)
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.CycleBounds()
		if err != nil {
			t.Fatal(err)
		}
		low, _ := x.FNR.Lo().Float64()
		high, _ := x.FNR.Hi().Float64()
		if width := high/low - 1; !(width > 0 && width < c[2]) {
			t.Errorf("m = %v: [%v, %v], a width of %v", c[0], low, high, width)
		}
	}
}

// smallBounds returns what the bounds of a small filter are made of.
func smallBounds(t *testing.T, w bloomproof.Workload) (*levels, *traffic, *path) {
	t.Helper()
	f, err := New(bloomproof.Geometry{M: 60, K: 3}, bloomproof.Recycling{Sigma: 20, FreshPositions: true}, w)
	if err != nil {
		t.Fatal(err)
	}
	l, err := f.levels(1 - w.Repeat)
	if err != nil {
		t.Fatal(err)
	}
	r := f.traffic()
	path, err := r.horizon(l)
	if err != nil {
		t.Fatal(err)
	}
	return l, r, path
}

// If the sums over the arrivals end after few terms, the bounds of E[T_j] have the terms that are computed, and a bound
// for each of the others. The two parts are added up again. The bounds still contain the mean number of arrivals that
// the bounds without this change enclose.
func TestStoppingStarved(t *testing.T) {
	checked := 0
	for _, w := range []bloomproof.Workload{
		{Popularity: bloomproof.Zipf(1, 4), Repeat: 0.75},
		{Popularity: bloomproof.Uniform(9), Repeat: 0.5, Arrivals: bloomproof.ArrivalFirst},
	} {
		l, r, path := smallBounds(t, w)
		s := &stopping{retain: false, traffic: r, levels: l, path: path, tails: r.tails(l, path), moments: r.moments(len(path.mean))}
		for j := 1; j <= len(l.fits); j++ {
			at := s.path.reaches(float64(j))
			if at >= len(path.mean)-1 {
				break
			}
			for _, cut := range []int{1, 3, 6} {
				a, rare := 1/s.moments[at].hit, math.Ldexp(1, -cut)
				b := a / 10
				want := s.with(j, at, a, b)
				end := precision.Starve(precision.Starving{Guard: -1, Cut: cut})
				got := s.with(j, at, a, b)
				end()
				x, off := s.before(j, at, a, b)
				each := func(u int) float64 { return 1 + a + b*math.Max(float64(u), float64(j)) }
				low, high := 0.0, 0.0
				add := func(u int) float64 {
					p, y := s.part(j, u, u < at, a, b)
					low, high = low+y.low, high+y.high
					return p
				}
				for u := at - 1; u >= 0; u-- {
					if p := add(u); p < rare {
						for range u { // the arrivals before u
							off += each(u) * p
						}
						break
					}
				}
				p := 1.0
				for u := at; u < len(s.moments) && p >= rare; u++ {
					p = add(u)
				}
				off += p*each(j)*float64(j)/(1-w.Repeat) + roundingSpare()*(high-low)
				off += roundingSpare()*off + 8*unit()*math.Abs(x) // as in "around"
				rounding := 1e-12 * (off + float64(at))           // far below roundingSpare
				if math.Abs(got.low-(x-off+low)) > rounding || math.Abs(got.high-(x+off+high)) > rounding {
					t.Errorf("%v: %d messages, terms below 2^-%d left out: %v, want %v to %v", w, j, cut, got, x-off+low, x+off+high)
				}
				if got.low > want.high || want.low > got.high {
					t.Errorf("%v: %d messages take %v arrivals, with terms below 2^-%d left out %v", w, j, want, cut, got)
				}
				checked++
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d bounds were checked", checked)
	}
}

// Moments and bounds of the tails are what all orders of the first arrivals say.
func TestBoundsByOrders(t *testing.T) {
	arrivals := longtest.More(4, 6)
	for _, w := range []bloomproof.Workload{
		{Popularity: bloomproof.Zipf(1, 4), Repeat: 0.75},
		{Popularity: bloomproof.Zipf(2, 3), Repeat: 0.5, ArrivalWeights: []float64{0, 3, 1}},
		{Popularity: bloomproof.Weights([]float64{2, 1, 0}), Repeat: 0.9, Arrivals: bloomproof.ArrivalFirst},
	} {
		l, r, path := smallBounds(t, w)
		tails, moments := r.tails(l, path), r.moments(arrivals+1)
		d := len(r.repeats)
		type sums struct{ mean, square, hit, hits, both float64 }
		all := make([]sums, arrivals+1)
		exactly := make([][]float64, arrivals+1) // P[D_u = n]
		for u := range exactly {
			exactly[u] = make([]float64, arrivals+1)
		}
		// came has a bit for each rank with a message that came.
		var follow func(u, n int, came uint, p float64)
		follow = func(u, n int, came uint, p float64) {
			hit := r.arrives
			for i, x := range r.repeats {
				if came>>i&1 == 0 {
					hit += x
				}
			}
			s, x := &all[u], float64(n)
			s.mean, s.square, s.hit, s.hits, s.both = s.mean+p*x, s.square+p*x*x, s.hit+p*hit, s.hits+p*hit*hit, s.both+p*x*hit
			exactly[u][n] += p
			if u == arrivals {
				return
			}
			for i, x := range r.repeats {
				if x > 0 {
					follow(u+1, n+1-int(came>>i&1), came|1<<i, p*x)
				}
			}
			for z, x := range r.enters {
				if x > 0 {
					low := came & (1<<z - 1)
					follow(u+1, n+1, (low|1<<z|(came&^low)<<1)&(1<<d-1), p*x)
				}
			}
		}
		follow(0, 0, 0, 1)
		for u, s := range all {
			m := moments[u]
			for what, x := range map[string][3]float64{
				"mean": {m.mean, s.mean, m.offMean}, "path": {path.mean[u], s.mean, m.offMean}, "hit": {m.hit, s.hit, m.offHit},
				"variance": {m.varD, s.square - s.mean*s.mean, m.offVarD}, "variance of H": {m.varH, s.hits - s.hit*s.hit, m.offVarH},
				"covariance": {m.cov, s.both - s.mean*s.hit, m.offCov},
			} {
				const summed = 2e-11 // of up to 8^6 orders
				if math.Abs(x[0]-x[1]) > x[2]+summed || x[2] > 1e-10 {
					t.Errorf("%v: after %d arrivals the %s is %v, by all orders %v; off by %v at most", w, u, what, x[0], x[1], x[2])
				}
			}
			for j := 1; j <= arrivals; j++ {
				for _, up := range []bool{true, false} {
					p, square := 0.0, 0.0
					for n, x := range exactly[u] {
						if n >= j == up {
							p, square = p+x, square+x*float64((n-j)*(n-j))
						}
					}
					if gotP, gotSquare := tails.at(u, j, up, m); gotP < p-1e-13 || gotSquare < square-1e-13 {
						t.Errorf("%v: u = %d, j = %d, up = %v: bounds %v and %v, by all orders %v and %v", w, u, j, up, gotP, gotSquare, p, square)
					}
				}
			}
		}
	}
}

// The theorem holds, and the bounds of its parts with it, by the distribution of all states of few ranks.
func TestBoundsTheorem(t *testing.T) {
	const j = 4
	for _, w := range []bloomproof.Workload{
		{Popularity: bloomproof.Zipf(1, 4), Repeat: 0.75},
		{Popularity: bloomproof.Zipf(2, 3), Repeat: 0.5, ArrivalWeights: []float64{0, 3, 1}},
	} {
		l, r, path := smallBounds(t, w)
		n := len(path.mean)
		s := &stopping{false, r, l, path, r.tails(l, path), r.moments(n)}
		d := len(r.repeats)
		type state struct {
			came uint
			n    int
		}
		for _, at := range []struct {
			t    int
			a, b float64
		}{{6, 1.9, -0.3}, {3, 2.5, 0.4}, {10, 1, 0}} {
			mean, sums := 0.0, 0.0 // E[T_j], and the theorem's sums
			now := map[state]float64{{}: 1}
			for u := range n {
				late, part, spread := 0.0, 0.0, 0.0
				m := s.moments[u]
				next := map[state]float64{}
				for x, p := range now {
					hit := r.arrives
					for i, y := range r.repeats {
						if x.came>>i&1 == 0 {
							hit += y
						}
					}
					if x.n < j {
						late += p
					}
					y := at.a*(hit-m.hit) + at.b*m.hit*(float64(x.n)-m.mean)
					spread += p * y * y
					if early := u < at.t; early == (x.n >= j) {
						part += p * ((at.a+at.b*float64(x.n-j))*hit - 1)
					}
					for i, y := range r.repeats {
						next[state{x.came | 1<<i, x.n + 1 - int(x.came>>i&1)}] += p * y
					}
					for z, y := range r.enters {
						low := x.came & (1<<z - 1)
						next[state{(low | 1<<z | (x.came&^low)<<1) & (1<<d - 1), x.n + 1}] += p * y
					}
				}
				now = next
				mean += late
				if u >= at.t {
					part = -part
				}
				sums += part
				if got := m.spread(at.a, at.b); got < spread-1e-12 || got > spread+1e-7 {
					t.Fatalf("%v: u = %d: Var L is %v, computed %v", w, u, spread, got)
				}
				if _, got := s.part(j, u, u < at.t, at.a, at.b); part < got.low-1e-14 || part > got.high+1e-14 {
					t.Fatalf("%v: u = %d: %v, bounds %v", w, u, part, got)
				}
			}
			if x, off := s.before(j, at.t, at.a, at.b); math.Abs(x+sums-mean) > off+1e-9 || off > 1e-9 {
				t.Errorf("%v, t = %d: %v + %v, E[T] = %v, off by %v at most", w, at.t, x, sums, mean, off)
			}
			if got := s.with(j, at.t, at.a, at.b); mean < got.low-1e-12 || mean > got.high+1e-12 {
				t.Errorf("%v, t = %d: E[T] = %v, bounds %v", w, at.t, mean, got)
			}
			if got := s.hitting(j); mean < got.low-1e-12 || mean > got.high+1e-12 {
				t.Errorf("%v: E[T] = %v, bounds %v", w, mean, got)
			}
		}
	}
}

// The levels are those of fill, whose recursion is another, and off by less than they say.
func TestBoundsLevels(t *testing.T) {
	for _, g := range []bloomproof.Geometry{{M: 60, K: 3}, {Hashing: bloomproof.Classic, M: 60, K: 3}, {M: 7, K: 1}} {
		for _, r := range []bloomproof.Recycling{{Sigma: 6}, {Messages: 4}, {Sigma: 0}, {Messages: 1}} {
			r.FreshPositions = true
			f, err := New(g, r, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 4), Repeat: 0.75})
			if err != nil {
				t.Fatal(err)
			}
			x, err := f.levels(0.25)
			if err != nil {
				t.Fatal(err)
			}
			q := &grouped{f: field.Intervals(100), c: f, last: 0}
			if err := q.fill(100); err != nil {
				t.Fatal(err)
			}
			loud, quiet := 0.0, 0.0
			for i, v := range q.fits {
				loud, quiet = loud+q.loud[i].Float64(), quiet+q.lucky[i].Float64()
				if i < len(x.fits) && (math.Abs(x.fits[i]-v.Float64()) > x.off || math.Abs(x.lucky[i]-q.lucky[i].Float64()) > x.off || x.off > 1e-12) {
					t.Errorf("%v %v: level %d: %v and %v, by fill %v and %v; off by %v at most", g, r, i, x.fits[i], x.lucky[i], v, q.lucky[i], x.off)
				}
				if beyond := i - len(x.fits); beyond == 0 && v.Float64() > x.rest {
					t.Errorf("%v %v: %v is left, bound %v", g, r, v, x.rest)
				}
			}
			for what, y := range map[string]struct {
				got  ends
				want float64
			}{"loud": {x.loud, loud}, "quiet": {x.quiet, quiet}} {
				if y.want < y.got.low || y.want > y.got.high || y.got.high-y.got.low > 1e-8 {
					t.Errorf("%v %v: %s is %v, by fill %v", g, r, what, y.got, y.want)
				}
			}
		}
	}
}

func TestCycleBoundsRefuse(t *testing.T) {
	g := bloomproof.Geometry{M: 60, K: 3}
	one := bloomproof.Recycling{Sigma: 20, FreshPositions: true}
	some := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 9), Repeat: 0.5}
	for name, x := range map[string]struct {
		r    bloomproof.Recycling
		w    bloomproof.Workload
		want error
	}{
		"fixed positions": {bloomproof.Recycling{Sigma: 20}, some, bloomproof.ErrUndefined},
		"two phases":      {bloomproof.Recycling{Sigma: 20, TwoPhase: true, FreshPositions: true}, some, bloomproof.ErrUndefined},
		"can fill up":     {bloomproof.Recycling{Messages: 21, FreshPositions: true}, some, bloomproof.ErrUndefined},
		"repeats only":    {one, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 9), Repeat: 1}, bloomproof.ErrUndefined},
		"many ranks":      {one, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1<<40), Repeat: 0.5}, bloomproof.ErrTooCostly},
		"rare arrivals":   {one, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 3), Repeat: 1 - 1e-7}, bloomproof.ErrTooCostly},
		"long cycles":     {one, bloomproof.Workload{Popularity: bloomproof.Zipf(8, 1<<12), Repeat: 0.999}, bloomproof.ErrTooCostly},
	} {
		f, err := New(g, x.r, x.w)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.CycleBounds()
		if !errors.Is(err, x.want) {
			t.Errorf("%s: got %v, want %v", name, err, x.want)
		}
		if name == "rare arrivals" && strings.Contains(err.Error(), "takes 5.24e+05 steps") { // the limit itself
			t.Errorf("%s: %v", name, err)
		}
	}
}
