package recycling

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// bruteCycle returns f and E[N_0] of one phase from the chain over the number of set bits,
// message by message, in rationals: gauss solves for what each start gives.
func bruteCycle(g bloomproof.Geometry, sigma int, retain bool) (rate, capacity *big.Rat) {
	m, k := int(g.M), g.K
	// step[i][j]: the probability that an arrival takes i bits to j.
	step := make([][]*big.Rat, m+1)
	for i := range step {
		row := make([]*big.Rat, m+1)
		for j := range row {
			row[j] = new(big.Rat)
		}
		row[i].SetInt64(1)
		for q := range k {
			for j := m; j >= i; j-- { // position q of the message
				hit, all := int64(j), int64(m)
				if g.Hashing == bloomproof.Classic {
					hit, all = int64(j-q), int64(m-q)
				}
				stay := new(big.Rat).Mul(row[j], big.NewRat(max(hit, 0), all))
				if j > i {
					stay.Add(stay, new(big.Rat).Mul(row[j-1], big.NewRat(int64(m-j+1), all)))
				}
				row[j] = stay
			}
		}
		step[i] = row
	}
	visit := func(start int) (arrivals, hits *big.Rat, v []*big.Rat) {
		arrivals, hits = new(big.Rat), new(big.Rat)
		v = make([]*big.Rat, sigma+1)
		for b := range v {
			v[b] = new(big.Rat)
			if b == start {
				v[b].SetInt64(1)
			}
			for i := range b {
				v[b].Add(v[b], new(big.Rat).Mul(v[i], step[i][b]))
			}
			v[b].Quo(v[b], new(big.Rat).Sub(big.NewRat(1, 1), step[b][b]))
			arrivals.Add(arrivals, v[b])
			hits.Add(hits, new(big.Rat).Mul(v[b], step[b][b]))
		}
		return arrivals, hits, v
	}
	if !retain || g.Hashing == bloomproof.Classic {
		start := 0
		if retain {
			start = k
		}
		arrivals, hits, _ := visit(start)
		return hits.Quo(hits, arrivals), arrivals
	}
	// The message that ends a cycle has d positions and begins the next.
	top := min(k, m)
	law := make([][]*big.Rat, top) // law[d-1][e-1]
	arrivals, hits := make([]*big.Rat, top), make([]*big.Rat, top)
	for d := 1; d <= top; d++ {
		var v []*big.Rat
		arrivals[d-1], hits[d-1], v = visit(d)
		law[d-1] = make([]*big.Rat, top)
		for e := 1; e <= top; e++ {
			p := new(big.Rat)
			for b := range v { // e positions set t new bits beyond sigma
				for t := max(0, sigma+1-b); t <= e; t++ {
					if b+t > m || e-t > b {
						continue
					}
					q := new(big.Rat).SetFrac(new(big.Int).Mul(new(big.Int).Binomial(int64(m-b), int64(t)), new(big.Int).Binomial(int64(b), int64(e-t))), new(big.Int).Binomial(int64(m), int64(e)))
					p.Add(p, q.Mul(q, v[b]))
				}
			}
			law[d-1][e-1] = p.Mul(p, step[0][e])
		}
	}
	start := stationaryRat(law)
	rate, capacity = new(big.Rat), new(big.Rat)
	for d := range start {
		rate.Add(rate, new(big.Rat).Mul(start[d], hits[d]))
		capacity.Add(capacity, new(big.Rat).Mul(start[d], arrivals[d]))
	}
	return rate.Quo(rate, capacity), capacity
}

// bruteSizes are the rates and capacities of every sigma and k.
type bruteSizes [][]struct{ rate, capacity *big.Rat } // [k][sigma]; nil where there is no such filter

func newBruteSizes(h bloomproof.Hashing, m, mostK int, retain bool) bruteSizes {
	all := make(bruteSizes, mostK+1)
	for k := 1; k <= mostK; k++ {
		all[k] = make([]struct{ rate, capacity *big.Rat }, m)
		for sigma := range all[k] {
			g := bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}
			if g.Validate() == nil && (!retain || sigma >= k) {
				all[k][sigma].rate, all[k][sigma].capacity = bruteCycle(g, sigma, retain)
			}
		}
	}
	return all
}

// The rate grows with sigma, and so does the capacity, in every filter of one array that
// can be enumerated. With two thresholds of one rate none of the arrivals finds all its
// positions set, or no arrival can find the bits that the larger allows.
func TestRateGrows(t *testing.T) {
	most := longtest.More(6, 9)
	steps, equal := 0, 0
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, retain := range []bool{false, true} {
			for m := 1; m <= most; m++ {
				for k, row := range newBruteSizes(h, m, most+2, retain) {
					for sigma := 1; sigma < len(row); sigma++ {
						a, b := row[sigma-1], row[sigma]
						if a.rate == nil {
							continue
						}
						steps++
						if a.rate.Cmp(b.rate) == 0 {
							equal++
						}
						if a.rate.Cmp(b.rate) > 0 || a.capacity.Cmp(b.capacity) > 0 {
							t.Errorf("%v, m = %d, k = %d, retain = %t: sigma %d to %d takes f from %v to %v, E[N_0] from %v to %v",
								h, m, k, retain, sigma-1, sigma, a.rate, b.rate, a.capacity, b.capacity)
						}
					}
				}
			}
		}
	}
	t.Logf("%d steps, %d of equal rate", steps, equal)
	if steps < 100 {
		t.Errorf("%d steps", steps)
	}
}

// MostMessages finds what a search over all sigma and k in rationals finds.
func TestMostMessagesBruteForce(t *testing.T) {
	const mostK = 14
	sizes := []int{1, 2, 3, 5, 8, 11}
	sizes = sizes[:longtest.More(4, 6)]
	certain, all, open := 0, 0, 0
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, retain := range []bool{false, true} {
			r := bloomproof.Recycling{Retain: retain}
			for _, m := range sizes {
				brute := newBruteSizes(h, m, mostK, retain)
				for _, p := range []float64{1e-3, 0.03, 0.1, 0.3, 0.7} {
					target := new(big.Rat).SetFloat64(p)
					best := Optimum{}
					capacity := new(big.Rat)
					for k := 1; k <= mostK; k++ {
						at := -1
						for sigma, x := range brute[k] {
							if x.rate != nil && x.rate.Cmp(target) <= 0 {
								at = sigma
							}
						}
						got, err := MostMessages(bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}, r, p)
						name := fmt.Sprintf("MostMessages(%v, %d, %d, retain %t, %v)", h, m, k, retain, p)
						if at < 0 {
							var param *bloomproof.ParamError
							if !errors.Is(err, bloomproof.ErrUndefined) && !errors.As(err, &param) {
								t.Errorf("%s = %+v, %v, but no sigma serves", name, got, err)
							}
							continue
						}
						if err != nil {
							t.Errorf("%s: %v", name, err)
							continue
						}
						want := brute[k][at]
						if all++; got.Certain {
							certain++
							f, _ := want.rate.Float64()
							n, _ := want.capacity.Float64()
							if got.Sigma != uint64(at) || relative(got.Rate, f) > 1e-12 || relative(got.Capacity, n) > 1e-12 {
								t.Errorf("%s = %+v, want sigma %d, f = %v, E[N_0] = %v", name, got, at, f, n)
							}
						}
						if want.capacity.Cmp(capacity) > 0 {
							capacity.Set(want.capacity)
							best = Optimum{K: k, Sigma: uint64(at)}
						}
					}
					got, err := MostMessages(bloomproof.Geometry{M: uint64(m), Hashing: h}, r, p)
					name := fmt.Sprintf("MostMessages(%v, %d, best, retain %t, %v)", h, m, retain, p)
					switch {
					case best.K == 0:
						var param *bloomproof.ParamError
						if !errors.Is(err, bloomproof.ErrUndefined) && !errors.As(err, &param) {
							t.Errorf("%s = %+v, %v, but no k serves", name, got, err)
						}
					case err != nil:
						t.Errorf("%s: %v", name, err)
					case got.K == best.K && got.Sigma == best.Sigma || got.K > mostK && got.Certain:
					case got.Excluded && got.Certain && !slices.Contains(got.Rivals, best.K):
						n, _ := capacity.Float64()
						t.Errorf("%s = %+v, want %+v with %v", name, got, best, n)
					default:
						open++
					}
				}
			}
		}
	}
	if t.Logf("%d of %d certain, %d best k left open", certain, all, open); certain*10 < all*9 || open > all/50 {
		t.Errorf("%d of %d certain, %d best k left open", certain, all, open)
	}
}

func relative(got, want float64) float64 {
	if got == want {
		return 0
	}
	return max(got-want, want-got) / want
}

// LeastBits finds the first m of all with so much capacity, although the capacity falls
// from some m to the next.
func TestLeastBitsBruteForce(t *testing.T) {
	most := longtest.More[uint64](16, 90)
	falls := 0
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, r := range []bloomproof.Recycling{{}, {Retain: true}} {
			for _, k := range []int{0, 3} {
				for _, p := range []float64{0.01, 0.1} {
					capacity := make([]float64, most+1)
					for m := uint64(2); m <= most; m++ {
						o, err := MostMessages(bloomproof.Geometry{M: m, K: k, Hashing: h}, r, p)
						if err == nil {
							capacity[m] = o.Capacity
						}
						if capacity[m] < capacity[m-1] {
							falls++
						}
					}
					for n := uint64(2); ; n++ {
						want := uint64(2)
						for want <= most && capacity[want] < float64(n) {
							want++
						}
						if want > most {
							break
						}
						got, err := LeastBits(bloomproof.Geometry{K: k, Hashing: h}, n, r, p)
						if err != nil || got.M != want || !got.Excluded || got.Capacity < float64(n) {
							t.Errorf("LeastBits(%v, %d, %d, %v, %v) = %+v, %v, want m = %d", h, n, k, r, p, got, err, want)
						}
					}
				}
			}
		}
	}
	if t.Logf("the capacity falls %d times", falls); falls == 0 {
		t.Error("the capacity never falls")
	}
}

// At sizes that cannot be enumerated, the bits before the answer take fewer messages.
func TestLeastBits(t *testing.T) {
	sizes, before := []uint64{1000, 1e6, 1e11}, longtest.More[uint64](1, 30)
	if !longtest.Enabled() {
		sizes = sizes[:1]
	}
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for _, n := range sizes {
			for _, p := range []float64{1e-6, 0.01} {
				got, err := LeastBits(bloomproof.Geometry{Hashing: h}, n, bloomproof.Recycling{}, p)
				if err != nil || !got.Excluded {
					t.Fatalf("LeastBits(%v, %d, 0, %v) = %+v, %v", h, n, p, got, err)
				}
				for m := got.M - before; m <= got.M; m++ {
					o, err := MostMessages(bloomproof.Geometry{M: m, Hashing: h}, bloomproof.Recycling{}, p)
					if err != nil || (o.Capacity >= float64(n)) != (m == got.M) {
						t.Errorf("LeastBits(%v, %d, 0, %v) = %+v, but m = %d: %+v, %v", h, n, p, got, m, o, err)
					}
				}
			}
		}
	}
	var param *bloomproof.ParamError
	if _, err := LeastBits(bloomproof.Geometry{}, 0, bloomproof.Recycling{}, 0.1); !errors.As(err, &param) || param.Param != "n" {
		t.Errorf("%v, want one of n", err)
	}
	if _, err := LeastBits(bloomproof.Geometry{}, 1<<64-1, bloomproof.Recycling{}, 0.1); !errors.Is(err, bloomproof.ErrRange) {
		t.Errorf("%v, want ErrRange", err)
	}
}

func BenchmarkMostMessages(b *testing.B) {
	ask := func(b *testing.B, m uint64, from, to int) {
		for b.Loop() {
			for k := from; k <= to; k++ {
				if o, err := MostMessages(bloomproof.Geometry{M: m, K: k}, bloomproof.Recycling{}, 0.01); err != nil || !o.Certain {
					b.Fatal(o, err)
				}
			}
		}
	}
	for _, log := range []int{20, 23, 40} {
		b.Run(fmt.Sprintf("k=best/m=2^%d", log), func(b *testing.B) { ask(b, 1<<log, 0, 0) })
	}
	b.Run("k=1to32/m=2^23", func(b *testing.B) { ask(b, 1<<23, 1, 32) })
}

func BenchmarkLeastBits(b *testing.B) {
	for b.Loop() {
		if _, err := LeastBits(bloomproof.Geometry{}, 1e9, bloomproof.Recycling{}, 0.01); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMostMessagesSpent demands that the search for the best k begins near the best k, and that it ends soon after the
// estimated seconds, where numbers need exponents and where many k remain. The capacities are those of single calls for
// the given k, so the answer must have at least as much.
func TestMostMessagesSpent(t *testing.T) {
	cases := []struct {
		g   bloomproof.Geometry
		two bool
		p   float64
		k   int
	}{
		{bloomproof.Geometry{M: 1000}, false, 1e-100, 315},
		{bloomproof.Geometry{M: 10000}, false, 1e-60, 195},
		{bloomproof.Geometry{M: 1e5}, false, 1e-50, 166},
		{bloomproof.Geometry{M: 10000}, false, 1e-90, 291},
		{bloomproof.Geometry{M: 10000, Hashing: bloomproof.Classic}, true, 1e-300, 1000},
	}
	for _, x := range cases[:longtest.More(1, len(cases))] {
		r := bloomproof.Recycling{TwoPhase: x.two}
		most := longtest.More(mostSpent/32, mostSpent)
		s := cycleSearch{h: x.g.Hashing, m: x.g.M, r: r, p: x.p, most: most, newCycle: New}
		got, err := s.answer(0)
		if err != nil {
			t.Fatal(err)
		}
		if s.spent > 2*most {
			t.Errorf("%v, two phases %t, p=%g: %.3g microseconds", x.g, x.two, x.p, s.spent)
		}
		g := x.g
		g.K = x.k
		if want, err := MostMessages(g, r, x.p); err != nil || got.Capacity < want.Capacity*(1-1e-12) {
			t.Errorf("%v, two phases %t, p=%g: %+v, but k=%d has %+v, %v", x.g, x.two, x.p, got, x.k, want, err)
		}
	}
}

// A search that leaves out some k, and finds no k that keeps the rate, does not say that every sigma has a larger rate.
func TestMostMessagesLeftOut(t *testing.T) {
	s := cycleSearch{m: 34, r: bloomproof.Recycling{TwoPhase: true}, p: 1e-8, most: mostSpent / 1024, newCycle: New}
	if o, err := s.answer(0); o.Excluded || !errors.Is(err, bloomproof.ErrTooCostly) || errors.Is(err, bloomproof.ErrUndefined) {
		t.Errorf("%+v, %v, want ErrTooCostly", o, err)
	}
}

// BenchmarkSpent compares the estimated time of New with the measured time: the metric is their quotient.
func BenchmarkSpent(b *testing.B) {
	for _, x := range []struct {
		name string
		g    bloomproof.Geometry
		r    bloomproof.Recycling
	}{
		{"closed", bloomproof.Geometry{M: 1 << 40, K: 7}, bloomproof.Recycling{Sigma: 1e6}},
		{"many_positions", bloomproof.Geometry{M: 1 << 40, K: 30}, bloomproof.Recycling{Sigma: 1e5}},
		{"large", bloomproof.Geometry{M: 1 << 60, K: 5}, bloomproof.Recycling{Sigma: 1e5}},
		{"exponents", bloomproof.Geometry{M: 1000, K: 1000}, bloomproof.Recycling{Sigma: 300}},
		{"found", bloomproof.Geometry{M: 2000, K: 400}, bloomproof.Recycling{Sigma: 1000, TwoPhase: true}},
		{"shared", bloomproof.Geometry{M: 300, K: 100}, bloomproof.Recycling{Sigma: 150, TwoPhase: true, Retain: true}},
		{"shared_before", bloomproof.Geometry{M: 300, K: 100}, bloomproof.Recycling{Sigma: 150, TwoPhase: true, Retain: true, FreezeBefore: true}},
	} {
		b.Run(x.name, func(b *testing.B) {
			estimate := 0.0 // in microseconds
			for range b.N {
				c, err := New(x.g, x.r)
				if err != nil {
					b.Fatal(err)
				}
				estimate = c.n.Spent(x.g, x.r)
			}
			b.ReportMetric(1e3*estimate*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "estimated/measured")
		})
	}
}

// A cycle has at least one arrival, whatever rounding does.
func TestAtLeastOneArrival(t *testing.T) {
	for _, x := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
		b uint64
	}{
		{bloomproof.Geometry{M: 319102, K: 19}, bloomproof.Recycling{Sigma: 32, Retain: true}, 32},
		{bloomproof.Geometry{M: 10, K: 8, Hashing: bloomproof.Classic}, bloomproof.Recycling{Sigma: 5}, 5},
	} {
		c, err := New(x.g, x.r)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := c.MessagesFrom(x.b); c.Capacity() < 1 || n < 1 || err != nil {
			t.Errorf("%v %v: capacity %v, from %d on %v, %v", x.g, x.r, c.Capacity(), x.b, n, err)
		}
	}
}

// If one position keeps the rate p up to the last clear bit, more positions take fewer messages. The search then begins
// with one position and excludes all others, however near p is to 1.
func TestMostMessagesNearlyFull(t *testing.T) {
	for _, x := range []struct {
		m        uint64
		p        float64
		capacity float64 // of k = 1, at least
	}{
		{5000, 0.9, 45472}, {2000, 0.9, 16356}, {9317, 0.9999985, 90532}, {1e5, 0.93, 1.209e6}, {1e6, 0.9, 9.99e6},
		{891803124, 0.99997, 1.889e10}, {1 << 60, 1 - 0x1p-53, 4.86e19}, {1<<64 - 1, 1 - 0x1p-53, 8.28e20},
	} {
		for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
			for _, two := range []bool{false, true} {
				s := cycleSearch{h: h, m: x.m, r: bloomproof.Recycling{TwoPhase: two}, p: x.p, most: mostSpent, newCycle: New}
				got, err := s.answer(0)
				if err != nil || got.K != 1 || !got.Excluded || s.spent > mostSpent/100 || !two && got.Capacity < x.capacity {
					t.Errorf("%v, m=%d, p=%v, two phases %t: %+v, %v after %.3g microseconds", h, x.m, x.p, two, got, err, s.spent)
				}
			}
		}
	}
	for _, n := range []uint64{100, longtest.More[uint64](1e4, 1e6)} {
		for _, p := range []float64{0.9, 0.99, 1 - 0x1p-53} {
			got, err := LeastBits(bloomproof.Geometry{}, n, bloomproof.Recycling{}, p)
			if err != nil || got.K != 1 || got.Capacity < float64(n) {
				t.Errorf("LeastBits(%d, %v) = %+v, %v", n, p, got, err)
			}
			if got, err = MostMessages(bloomproof.Geometry{M: got.M - 1}, bloomproof.Recycling{}, p); err != nil || got.Capacity >= float64(n) {
				t.Errorf("LeastBits(%d, %v): one bit fewer has %+v, %v", n, p, got, err)
			}
		}
	}
}

// What the search excludes without copy-over has no larger capacity, and it excludes something.
func TestMostMessagesNoCopyOver(t *testing.T) {
	asked, excluded := 0, 0
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		for i, m := range []uint64{30, 101, 400}[:longtest.More(2, 3)] {
			for j, p := range []float64{1e-3, 0.05, 0.4, 0.8, 0.97} {
				r := bloomproof.Recycling{TwoPhase: true, NoCopyOver: true, FreshPositions: true, FreezeBefore: (i+j)%2 == 0, Retain: j%3 == 0}
				best, err := MostMessages(bloomproof.Geometry{M: m, Hashing: h}, r, p)
				if err != nil {
					t.Fatalf("MostMessages(%v, %d, %v, %v): %v", h, m, r, p, err)
				}
				s := cycleSearch{h: h, m: m, r: r, p: p}
				for k := 1; k < int(m); k++ {
					o, err := MostMessages(bloomproof.Geometry{M: m, K: k, Hashing: h}, r, p)
					if err != nil {
						continue // no sigma serves
					}
					asked++
					if s.excluded(k, o.Capacity*(1-1e-9)) {
						t.Errorf("%v, m=%d, %v, p=%v: k=%d is excluded, but has %+v", h, m, r, p, k, o)
					}
					if s.excluded(k, best.Capacity) {
						excluded++
					}
					if best.Excluded && o.Capacity > best.Capacity*(1+1e-9) {
						t.Errorf("%v, m=%d, %v, p=%v: %+v, but k=%d has %+v", h, m, r, p, best, k, o)
					}
				}
			}
		}
	}
	if t.Logf("%d of %d excluded", excluded, asked); excluded < asked/10 {
		t.Errorf("%d of %d excluded", excluded, asked)
	}
}

// TestFluidHits compares the sum of s^j/j over j > k with a plain sum.
func TestFluidHits(t *testing.T) {
	for _, m := range []uint64{10, 1000} {
		for sigma := uint64(1); sigma < m; sigma += 1 + m/12 {
			for _, k := range []int{1, 2, 5, 20} {
				s := fm.Whole(sigma).Quo(fm.Whole(m))
				want := 0.0
				for j := float64(k + 1); j < 8000; j++ {
					want += math.Pow(s.Hi, j) / j
				}
				got := fluidHits(s, s.Scale().Pow(k), fm.LogMiss(sigma, m).Neg(), k).Float64()
				if !(math.Abs(got/want-1) < 1e-12) {
					t.Errorf("s = %v, k = %d: %v, want %v", s.Hi, k, got, want)
				}
			}
		}
	}
}

// TestFrozenNeedsChain checks that the distribution of a frozen array is refused where the closed form is not accurate
// enough for a single state and the chain takes too long.
func TestFrozenNeedsChain(t *testing.T) {
	refused := 0
	for _, retain := range []bool{false, true} {
		for _, sigma := range []uint64{1 << 27, 3 << 26, 1 << 28, 5 << 26, 3 << 27} {
			c, err := New(bloomproof.Geometry{M: 1 << 50, K: 3}, bloomproof.Recycling{Sigma: sigma, Retain: retain})
			if err != nil {
				continue // the closed form is not accurate enough for the sums either
			}
			if c.n.Visits != nil {
				t.Fatal("a chain was computed")
			}
			if x, err := c.Frozen(sigma+1, false); c.Bound() > 1e-12 {
				if refused++; !errors.Is(err, bloomproof.ErrTooCostly) || x != 0 {
					t.Errorf("sigma = %d, retain %t, with the bound %v: %v, %v", sigma, retain, c.Bound(), x, err)
				}
			}
		}
	}
	if refused < 2 {
		t.Errorf("%d distributions are refused", refused)
	}
}
