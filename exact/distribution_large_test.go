package exact

import (
	"errors"
	"fmt"
	"math/bits"
	"testing"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// largeLaws are distributions with hard places: many urns, nearly none and nearly all occupied,
// committees of nearly all, different departments, counts of 2^64-1.
func largeLaws(t testing.TB) map[string]Distribution {
	t.Helper()
	laws := map[string]Distribution{}
	add := func(name string, l Distribution, err error) {
		if err != nil {
			t.Fatal(name, err)
		}
		laws[name] = l
	}
	const top = 1<<64 - 1
	for _, c := range []struct{ m, k, n uint64 }{
		{100, 1, 250}, {1000, 1, 40}, {50, 1, longtest.More[uint64](300, 600)}, {1 << 40, 1, 1 << 36}, {top, 1, 2}, {top, 1, top}, {2, 1, top},
		{1 << 20, 1, 100 << 20}, {1 << 30, 1, 22 << 30}, {1 << 63, 1, longtest.More[uint64](120, 300)},
		{64, 9, 4}, {1000, 999, 2}, {1000, 500, 1}, {top, top - 1, 2}, {top, 1 << 63, 3}, {1 << 40, 7, 1 << 37}, {300, 17, top},
	} {
		l, err := committeeOf(c.m, c.k, c.n)
		add(fmt.Sprintf("committee %v", c), l, err)
	}
	for _, c := range []struct {
		m uint64
		d [][]Committees
	}{
		{60, [][]Committees{{{3, 2}, {4, 1}}, {{5, 1}}}},
		{100, [][]Committees{{{30, 1}}, {{40, 1}}, {{50, 1}}}},
		{100, [][]Committees{{{90, 1}}, {{95, 1}}}},
		{1 << 20, [][]Committees{{{7, 1000}}, {{7, 2000}}, {{1, 5000}}}},
		{1 << 40, [][]Committees{{{1 << 39, 1}}, {{1 << 39, 1}}}},
		{top, [][]Committees{{{top - 1, 1}}, {{top - 1, 1}}}},
		{1 << 63, [][]Committees{{{1 << 28, 1}}, {{1<<63 - 1<<47, 12290}}}}, // the variance is 10^-59000
		{top, [][]Committees{{{1, top}}, {{2, top}}, {{3, 5}}}},
		{1000, [][]Committees{{{1, 200000}}, {{2, 100000}}}},
		{1 << 40, [][]Committees{{}, {{1, 7}}}},
	} {
		l, err := Union(c.m, c.d...)
		add(fmt.Sprintf("union %v", c), l, err)
		l, err = Intersection(c.m, c.d...)
		add(fmt.Sprintf("intersection %v", c), l, err)
		if len(c.d) == 2 {
			own, _ := Union(c.m, c.d[0])
			l.shared = own.departments[0]
			add(fmt.Sprintf("intersection sharing %v", c), l, nil)
		}
	}
	return laws
}

// served reports whether a computation ended in time, with a result or by saying that it
// is beyond a limit; slow ones are named.
func served(t *testing.T, what string, start time.Time, e Enclosure, err error, prec uint) bool {
	t.Helper()
	if d := time.Since(start); d > 3*time.Second {
		t.Logf("%s took %v", what, d)
	}
	switch {
	case errors.Is(err, bloomproof.ErrTooCostly) || errors.Is(err, bloomproof.ErrRange):
		return false
	case err != nil:
		t.Errorf("%s: %v", what, err)
		return false
	case e.Sign() < 0 || e.Sign() == 0 && !e.interval().IsPoint() || e.RelBits() < int(prec):
		t.Errorf("%s = %v, %d bits of %d", what, e, e.RelBits(), prec)
		return false
	}
	return true
}

// TestDistributionRoutesOverlap compares the routes with one another, and mean and variance with
// the binomial moments, on distributions too large to enumerate, to 300 digits on some.
func TestDistributionRoutesOverlap(t *testing.T) {
	precs := []uint{longtest.More[uint](150, 200)}
	orders := []int{1, 2, 7}[:longtest.More(2, 3)]
	if longtest.Enabled() {
		precs = append(precs, PrecFor(300))
		orders = append(orders, 40)
	}
	compared := 0
	for name, l := range largeLaws(t) {
		for _, prec := range precs {
			overlap := func(what string, routes []Route, f func(prec uint, route Route) (Enclosure, error)) {
				t.Helper()
				var first Enclosure
				for i, route := range routes {
					start := time.Now()
					by := fmt.Sprintf("%s: %s by %v", name, what, route)
					// Each at a precision of its own.
					e, err := f(prec-uint(30*i), route)
					if !served(t, by, start, e, err, prec-uint(30*i)) {
						if i == 0 {
							return
						}
						continue
					}
					if i == 0 {
						first = e
						continue
					}
					if compared++; !e.Overlaps(first) {
						t.Errorf("%s = %v, by %v %v", by, e, routes[0], first)
					}
				}
			}
			for _, r := range orders {
				overlap(fmt.Sprintf("Hit(%d)", r), l.hitRoutes(), func(prec uint, route Route) (Enclosure, error) { return l.hit(r, prec, route) })
				overlap(fmt.Sprintf("Moment(%d)", r), l.momentRoutes(), func(prec uint, route Route) (Enclosure, error) { return l.Moment(r, prec, route) })
			}
			least, most := l.Range()
			mean, err := l.Mean(prec)
			if !served(t, name+": mean", time.Now(), mean, err, prec) {
				continue
			}
			in := interval.New(prec + 64).SetUint64(l.m)
			if x := around(in.Mul(in, l.first2(prec+64).in)); !x.Overlaps(mean) {
				t.Errorf("%s: mean %v, by logarithms %v", name, mean, x)
			}
			near := min(most, max(least, uint64(mean.Float64())))
			for _, i := range []uint64{least, near, most} {
				overlap(fmt.Sprintf("PMF(%d)", i), l.pmfRoutes(), func(prec uint, route Route) (Enclosure, error) { return l.PMF(i, prec, route) })
			}
			v, err := l.Variance(prec)
			if !served(t, name+": variance", time.Now(), v, err, prec) || v.Sign() == 0 {
				continue
			}
			lost := 2*bits.Len64(l.m) - v.interval().Lo().MantExp(nil) + 150
			if compared++; lost < 1<<16 {
				if z := around(l.varianceByHits(prec + uint(lost))); !z.Overlaps(v) || z.RelBits() < int(prec) {
					t.Errorf("%s: variance %v, by moments %v with %d bits", name, v, z, z.RelBits())
				}
			}
			if x, err := l.varianceByLogs(prec - 50); err != nil || !x.Overlaps(v) {
				t.Errorf("%s: variance %v, by logarithms %v, %v", name, v, x, err)
			}
		}
	}
	t.Logf("%d comparisons", compared)
}

// TestDistributionSums holds the probabilities of large distributions to their sum and mean.
func TestDistributionSums(t *testing.T) {
	for name, l := range largeLaws(t) {
		start := time.Now()
		all, err := l.PMFs(120)
		if err != nil {
			if !errors.Is(err, bloomproof.ErrTooCostly) && !errors.Is(err, bloomproof.ErrRange) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if d := time.Since(start); d > 3*time.Second {
			t.Logf("%s: PMFs took %v", name, d)
		}
		least, _ := l.Range()
		sum, first, t2 := interval.New(200), interval.New(200), interval.New(200)
		for at, e := range all {
			sum.Add(sum, e.interval())
			first.Add(first, t2.Mul(t2.SetUint64(least+uint64(at)), e.interval()))
		}
		if !around(sum).Overlaps(exactlyInt(1, 200)) || sum.RelBits() < 100 {
			t.Errorf("%s: probabilities sum to %v", name, around(sum))
		}
		mean, err := l.Mean(120)
		if err != nil || !mean.Overlaps(around(first)) {
			t.Errorf("%s: mean %v, %v; the probabilities give %v", name, mean, err, around(first))
		}
		for at, e := range all {
			if at%(1+len(all)/8) != 0 {
				continue
			}
			if p, err := l.PMF(least+uint64(at), 90, Auto); err == nil && !p.Overlaps(e) {
				t.Errorf("%s: P[X=%d] = %v and %v", name, least+uint64(at), p, e)
			}
		}
	}
}

// TestDistributionHostile asks for what costs most; every answer comes in seconds.
func TestDistributionHostile(t *testing.T) {
	order, prec := 4096, uint(MaxPrec)
	if !longtest.Enabled() {
		order, prec = 300, 1<<14
	}
	for name, l := range largeLaws(t) {
		for _, r := range []int{0, 1, longtest.More(60, 300)} {
			start := time.Now()
			e, err := l.hit(r, 64, Auto)
			served(t, fmt.Sprintf("%s: Hit(%d)", name, r), start, e, err, 64)
		}
		least, most := l.Range()
		for _, i := range []uint64{least, least + (most-least)/2, most, 70, l.m - 1} {
			start := time.Now()
			e, err := l.PMF(i, 64, Auto)
			served(t, fmt.Sprintf("%s: PMF(%d)", name, i), start, e, err, 64)
		}
	}
	const top = 1<<64 - 1
	worst, err := Union(top, []Committees{{1, top}, {top / 2, 1}})
	if err != nil {
		t.Fatal(err)
	}
	for what, f := range map[string]func() (Enclosure, error){
		"Hit":      func() (Enclosure, error) { return worst.hit(order, 64, Auto) },
		"PMF":      func() (Enclosure, error) { return worst.PMF(top/2+uint64(order), 64, Auto) },
		"Mean":     func() (Enclosure, error) { return worst.Mean(prec) },
		"Variance": func() (Enclosure, error) { return worst.Variance(prec) },
	} {
		start := time.Now()
		e, err := f()
		if errors.Is(err, ErrPrecision) {
			t.Errorf("%s: %v", what, err)
		} else if err == nil {
			served(t, what, start, e, err, 64)
		}
	}
}
