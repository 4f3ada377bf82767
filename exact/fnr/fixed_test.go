package fnr

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// oneFilter is what is counted in a cycle in the mean, given the positions of all messages.
type oneFilter struct{ arrivals, messages, missed float64 }

// eachFilter calls f with the probability and the means of every filter of m bits, k positions a
// message and the popularities q, and with none of a filter in which all messages fit. Positions are
// told apart by their order only; the means are sums over the sets of messages that came.
func eachFilter(m, k int, sigma uint64, q []float64, f func(p float64, x *oneFilter)) {
	chosen := make([]uint, len(q))
	var choose func(i, used int, p float64)
	choose = func(i, used int, p float64) {
		if i == len(q)*k {
			f(p, ofFilter(chosen, sigma, q))
			return
		}
		before := chosen[i/k]
		for x := range min(used+1, m) {
			chosen[i/k] = before | 1<<x
			if x < used {
				choose(i+1, used, p/float64(m))
			} else {
				choose(i+1, used+1, p*float64(m-used)/float64(m))
			}
		}
		chosen[i/k] = before
	}
	choose(0, 0, 1)
}

// ofFilter returns the means of a filter whose messages have these positions.
func ofFilter(positions []uint, sigma uint64, q []float64) *oneFilter {
	after := make([]oneFilter, 1<<len(q))
	for came := len(after) - 1; came >= 0; came-- {
		all, left := uint(0), 0.0
		for j, s := range positions {
			if came>>j&1 != 0 {
				all |= s
			} else {
				left += q[j]
			}
		}
		if bits.OnesCount(all) > int(sigma) {
			continue
		}
		if left == 0 {
			return nil
		}
		x := oneFilter{arrivals: 1 / left, messages: 1}
		for j, s := range positions {
			if came>>j&1 == 0 {
				y := after[came|1<<j]
				if s&^all != 0 {
					y.missed++
				}
				x.arrivals += q[j] / left * y.arrivals
				x.messages += q[j] / left * y.messages
				x.missed += q[j] / left * y.missed
			}
		}
		after[came] = x
	}
	return &after[0]
}

// TestFixedRatesAgainstAllFilters compares the rates and each step of the bound with those of all
// filters of a few messages, one by one.
func TestFixedRatesAgainstAllFilters(t *testing.T) {
	answered := 0
	cases := []struct {
		m, k  int
		sigma uint64
		w     []float64
	}{
		{100, 2, 7, []float64{1, 1, 1, 1}},
		{60, 1, 5, []float64{8, 4, 4, 2, 1, 1, 1}},
		{5, 2, 3, []float64{9, 3}}, // the chain, too
		{40, 2, 6, []float64{3, 2, 1, 1}},
		{200, 1, 6, []float64{8, 7, 6, 5, 4, 3, 2, 1}},
		{100, 2, 7, []float64{1, 1, 1, 1, 1}},
	}
	for _, c := range cases[:longtest.More(2, len(cases))] {
		s, err := New(bloomproof.Geometry{M: uint64(c.m), K: c.k}, bloomproof.Recycling{Sigma: c.sigma},
			bloomproof.Workload{Popularity: bloomproof.Weights(c.w), Repeat: 1})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, w := range c.w {
			sum += w
		}
		q := make([]float64, len(c.w))
		for j, w := range c.w {
			q[j] = w / sum
		}
		var recycle float64 // the share of filters that do for ever
		var mean oneFilter  // of those
		all := func(f func(p float64, x *oneFilter)) {
			eachFilter(c.m, c.k, c.sigma, q, func(p float64, x *oneFilter) {
				if x != nil {
					f(p, x)
				}
			})
		}
		all(func(p float64, x *oneFilter) {
			recycle += p
			mean.arrivals += p * x.arrivals
			mean.messages += p * x.messages
			mean.missed += p * x.missed
		})
		v, fresh, hits := mean.arrivals/recycle, mean.missed/mean.arrivals, (mean.messages-mean.missed)/mean.arrivals
		var rate, luck, recycled, ofV, ofA, spread float64
		least := math.Inf(1)
		all(func(p float64, x *oneFilter) {
			f, a := x.missed/x.arrivals, x.missed-fresh*x.arrivals
			rate += p * f
			luck += p * (x.messages - x.missed) / x.arrivals
			recycled += p / x.arrivals
			p /= recycle
			spread += p * (f - fresh) * (f - fresh)
			ofA += p * a * a
			ofV += p * (x.arrivals - v) * (x.arrivals - v)
			least = min(least, x.arrivals)
		})
		if c.m < 10 {
			if chain, err := s.Rates(30); err != nil || math.Abs(chain.FNR.Float64()-rate) > 1e-8 {
				t.Errorf("%v: %v over all filters, by the chain %v, %v", c, rate, chain, err)
			}
		}
		o, err := s.orders()
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(o.stays+recycle-1) > 1e-12 {
			t.Errorf("%v: all messages fit with probability %v, not %v", c, 1-recycle, o.stays)
		}
		if got := o.spread(func(tail, _ float64) float64 { return 1 / tail }); got*got < ofV-1e-12 {
			t.Errorf("%v: the arrivals of a filter vary by %v, not %v", c, math.Sqrt(ofV), got)
		}
		if o.least > least*(1+1e-9) {
			t.Errorf("%v: a filter has %v arrivals in a cycle, not %v", c, least, o.least)
		}
		point := func(x float64) exact.Enclosure {
			e, err := exact.NewRational(new(big.Rat).SetFloat64(x), 53)
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		cycle := point(v)
		x, err := s.whenFixed(&Rates{FNR: point(fresh), Lucky: point(hits), Cycle: &cycle})
		if errors.Is(err, bloomproof.ErrUndefined) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		answered++
		for what, c := range map[string]struct {
			e    exact.Enclosure
			want float64
		}{"false negatives": {x.FNR, rate}, "lucky": {x.Lucky, luck}, "cycle": {*x.Cycle, 1 / recycled}} {
			lo, _ := c.e.Lo().Float64()
			hi, _ := c.e.Hi().Float64()
			if !(lo <= c.want*(1+1e-12) && c.want*(1-1e-12) <= hi) {
				t.Errorf("%v: %s %v, not in [%v, %v]", c, what, c.want, lo, hi)
			}
		}
		if x.Spread*x.Spread < spread || x.Spread*o.least < math.Sqrt(ofA) {
			t.Errorf("%v: rates vary by %v, not %v", c, math.Sqrt(spread), x.Spread)
		}
		t.Logf("%v: fresh %.6f, fixed %.6f in [%.5f, %.5f], spread %.4f <= %.4f; V %.3f <= %.3f, least %.3f <= %.3f", c, fresh, rate,
			x.FNR.Lo(), x.FNR.Hi(), math.Sqrt(spread), x.Spread, math.Sqrt(ofV), o.spread(func(tail, _ float64) float64 { return 1 / tail }), o.least, least)
	}
	if answered == 0 {
		t.Error("the bound says nothing of any of these filters")
	}
}

// TestFixedSpreads compares the two recursions with the distributions themselves: of L, and of the bits
// with the number of messages that set none.
func TestFixedSpreads(t *testing.T) {
	const m, k, sigma = 12, 2, 7
	s, err := New(bloomproof.Geometry{M: m, K: k}, bloomproof.Recycling{Sigma: sigma}, bloomproof.Workload{Popularity: bloomproof.Zipf(1, 30), Repeat: 1})
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.orders()
	if err != nil {
		t.Fatal(err)
	}
	variance := func(p []float64, x func(i int) float64) float64 {
		mean, sum := 0.0, 0.0
		for i, p := range p {
			mean += p * x(i)
		}
		for i, p := range p {
			sum += p * (x(i) - mean) * (x(i) - mean)
		}
		return sum
	}
	var last, times []float64 // P[L = l+1], and the sum of 1/tail to there
	all := 0.0
	for l, p := range o.runs {
		all += 1 / o.tail[l]
		times = append(times, all)
		if l+1 < len(o.runs) {
			p -= o.runs[l+1]
		}
		last = append(last, p)
	}
	want := math.Sqrt(variance(last, func(i int) float64 { return times[i] }))
	if got := o.spread(func(tail, _ float64) float64 { return 1 / tail }); math.Abs(got/want-1) > 1e-5 {
		t.Errorf("the arrivals vary by %v, not %v", want, got)
	}
	const most = 40 // messages that set no bit
	var at [sigma + 1 + k][most]float64
	at[0][0] = 1
	var quiet [most]float64
	for range 60 {
		var next [sigma + 1 + k][most]float64
		for b := range sigma + 1 {
			for n, p := range at[b] {
				for x := range m {
					for y := range m { // of the bits those below b are set
						more := 0
						if x >= b {
							more++
						}
						if y >= b && y != x {
							more++
						}
						to := n
						if more == 0 {
							to = min(n+1, most-1)
						}
						next[b+more][to] += p / m / m
					}
				}
			}
		}
		for b := sigma + 1; b < len(next); b++ {
			for n, p := range next[b] {
				quiet[n] += p
				next[b][n] = 0
			}
		}
		at = next
	}
	if want := math.Sqrt(variance(quiet[:], func(i int) float64 { return float64(i) })); math.Abs(o.quiet/want-1) > 1e-6 {
		t.Errorf("messages that set no bit vary by %v, not %v", want, o.quiet)
	}
}

// FixedRates refuses what it has no bound for.
func TestFixedRatesDomain(t *testing.T) {
	g, q := bloomproof.Geometry{M: 200, K: 3}, bloomproof.Uniform(300)
	for name, c := range map[string]struct {
		r bloomproof.Recycling
		w bloomproof.Workload
	}{
		"fresh":            {bloomproof.Recycling{Sigma: 100, FreshPositions: true}, bloomproof.Workload{Popularity: q, Repeat: 1}},
		"retaining":        {bloomproof.Recycling{Sigma: 100, Retain: true}, bloomproof.Workload{Popularity: q, Repeat: 1}},
		"two phases":       {bloomproof.Recycling{Sigma: 100, TwoPhase: true}, bloomproof.Workload{Popularity: q, Repeat: 1}},
		"messages":         {bloomproof.Recycling{Messages: 10}, bloomproof.Workload{Popularity: q, Repeat: 1}},
		"new messages":     {bloomproof.Recycling{Sigma: 100}, bloomproof.Workload{Popularity: q, Repeat: 0.9}},
		"all messages fit": {bloomproof.Recycling{Sigma: 100}, bloomproof.Workload{Popularity: bloomproof.Uniform(10), Repeat: 1}},
	} {
		f, err := New(g, c.r, c.w)
		if err != nil {
			t.Fatal(err)
		}
		if x, err := f.FixedRates(); !errors.Is(err, bloomproof.ErrUndefined) {
			t.Errorf("%s: %v, %v", name, x, err)
		}
	}
}
