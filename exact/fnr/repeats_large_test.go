package fnr

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/fraction"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// With one array the integrals are what the chain by groups says, retaining or not.
func TestRepeatsLargeAgainstGroups(t *testing.T) {
	cases := []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
		q bloomproof.Popularity
		p uint
	}{
		{bloomproof.Geometry{M: 1 << 20, K: 3}, bloomproof.Recycling{Messages: 6, Retain: true}, bloomproof.Zipf(1, 9), longtest.More[uint](25, 40)},
		{bloomproof.Geometry{M: 1 << 20, K: 3}, bloomproof.Recycling{Messages: 2, Retain: true}, bloomproof.Zipf(3, 3), 20}, // triggers nearly in turn
		{bloomproof.Geometry{Hashing: bloomproof.Classic, M: 100, K: 2}, bloomproof.Recycling{Sigma: 12, Retain: true}, bloomproof.BiUniform(5, 0.0625, 30), 30},
		{bloomproof.Geometry{M: 1 << 20, K: 3}, bloomproof.Recycling{Messages: 8}, bloomproof.Zipf(1, 11), 40},
		{bloomproof.Geometry{M: 1000, K: 1}, bloomproof.Recycling{Sigma: 24}, bloomproof.Uniform(60), 70},
		{bloomproof.Geometry{Hashing: bloomproof.Classic, M: 500, K: 4}, bloomproof.Recycling{Sigma: 48, Retain: true}, bloomproof.BiUniform(5, 0.0625, 40), 60},
		{bloomproof.Geometry{M: 500, K: 4}, bloomproof.Recycling{Sigma: 48, Retain: true}, bloomproof.Uniform(40), 60},
	}
	for _, c := range cases[:longtest.More(3, len(cases))] {
		f := repeatsOnly(t, c.g, c.r, c.q)
		x, err := f.ofRepeatsLarge(c.p)
		if err != nil {
			t.Error(c, err)
			continue
		}
		agreesWithGroups(t, f, x, fmt.Sprintf("%v %v %v", c.g, c.r, c.q), c.p)
	}
}

// Tiny filters are what the whole chain says, but for the cycles that never end.
func TestRepeatsLargeAgainstChain(t *testing.T) {
	cases := []struct {
		g     bloomproof.Geometry
		sigma uint64
		n     uint64
		q     bloomproof.Popularity
	}{
		{bloomproof.Geometry{M: 60, K: 2}, 0, 2, bloomproof.Zipf(2, 3)},
		{bloomproof.Geometry{M: 24, K: 2, Hashing: bloomproof.Classic}, 3, 0, bloomproof.Zipf(2, 4)},
		{bloomproof.Geometry{M: 64, K: 3}, 6, 0, bloomproof.Zipf(1, 4)}, // seconds
	}
	for _, c := range cases[:longtest.More(1, len(cases))] {
		for _, r := range []bloomproof.Recycling{{TwoPhase: true, FreezeBefore: true}, {TwoPhase: true}, {Retain: true}, {}} {
			r.Sigma, r.Messages = c.sigma, c.n
			f := repeatsOnly(t, c.g, r, c.q)
			x, err := f.ofRepeatsLarge(3)
			if err != nil {
				if !errors.Is(err, bloomproof.ErrUndefined) {
					t.Error(c, err)
				}
				continue
			}
			y, err := f.Lasting(30)
			if err != nil {
				t.Fatal(c, err)
			}
			off := 100 * y.Absorbing.Float64()
			name := fmt.Sprintf("%v %v %v", c.g, r, c.q)
			eachRate(t, name, x, y, func(what string, a, b exact.Enclosure) {
				high, _ := a.Hi().Float64()
				low, _ := a.Lo().Float64()
				if want := b.Float64(); low > want*(1+off) || high < want*(1-off) {
					t.Errorf("%s: %s by the integral %v, by the chain %v", name, what, a, b)
				}
			})
		}
	}
}

// At full size the first digits of three more computations: the model of the retaining filter by
// simulation, 2 10^7 arrivals, and the integral by the trapezoidal sum.
func TestRepeatsLargeAtSize(t *testing.T) {
	longtest.Only(t, "TestRepeatsOnlyAgainstGroups and TestRepeatsLargeAgainstGroups hold the same integrals for smaller filters")
	g := bloomproof.Geometry{M: 1000, K: 5}
	for _, c := range []struct {
		r               bloomproof.Recycling
		fnr, cycle, off float64
	}{
		{bloomproof.Recycling{}, 0.492747717, 280.878259, 1e-8}, // approx/fnr, ModelExact
		{bloomproof.Recycling{TwoPhase: true, FreezeBefore: true}, 0.30598, 280.94, 0.002},
		{bloomproof.Recycling{TwoPhase: true}, 0.30484, 280.94, 0.002},
		{bloomproof.Recycling{Retain: true}, 0.49281, 278.80, 0.002},
	} {
		c.r.Sigma = 500
		x, err := repeatsOnly(t, g, c.r, bloomproof.Zipf(1, 1000)).CycleRates(30, exact.Auto)
		if err != nil {
			t.Fatal(c, err)
		}
		if math.Abs(x.FNR.Float64()/c.fnr-1) > c.off || math.Abs(x.Cycle.Float64()/c.cycle-1) > c.off {
			t.Errorf("%v: %v in cycles of %v, not %v in %v", c.r, x.FNR, x.Cycle, c.fnr, c.cycle)
		}
	}
}

// In a filter so large that each message sets a bit a cycle is the first four different messages:
// with two phases, what sums over all sets of three of eight say.
func TestRepeatsLargeFewLevels(t *testing.T) {
	const d, n = 8, 4
	var q, sum = [d]float64{}, 0.0
	for j := range q {
		q[j] = 1 / float64(j+1)
		sum += q[j]
	}
	passed := map[int]float64{0: 1} // probability that a cycle comes to a set
	var asked, last [d]float64      // message j is in a cycle, is its last
	arrivals := 0.0
	for i := range n {
		next := map[int]float64{}
		for set, p := range passed {
			left := sum
			for j := range q {
				left -= q[j] * float64(set>>j&1)
			}
			arrivals += p * sum / left
			for j := range q {
				if set>>j&1 == 0 {
					next[set|1<<j] += p * q[j] / left
					asked[j] += p * q[j] / left
					if i == n-1 {
						last[j] += p * q[j] / left
					}
				}
			}
		}
		passed = next
	}
	for _, before := range []bool{true, false} {
		want := 0.0
		for j, a := range asked {
			absent := 1 - a
			if before {
				absent += last[j]
			}
			want += a * absent / arrivals
		}
		r := bloomproof.Recycling{Messages: n, TwoPhase: true, FreezeBefore: before}
		for _, g := range []bloomproof.Geometry{{M: 1 << 24, K: 2}, {M: 1<<64 - 1, K: 5}}[:longtest.More(1, 2)] {
			x, err := repeatsOnly(t, g, r, bloomproof.Zipf(1, d)).ofRepeatsLarge(longtest.More[uint](34, 50))
			if err != nil {
				t.Fatal(g, err)
			}
			if got := x.FNR.Float64(); math.Abs(got/want-1) > 1e-9 {
				t.Errorf("%v, freeze before %v: %v, not %v", g, before, got, want)
			}
		}
	}
}

// cyclesOfOneGroup returns the cycles of a system that has one group of n messages. The last two arguments are
// those of the methods "fill" and "integrals".
func cyclesOfOneGroup(t *testing.T, c *System, n uint64, work uint, bits float64) *cycles {
	t.Helper()
	f := field.Intervals(fraction.Bits + spareBits)
	q := &grouped{f: f, c: c, last: -1, all: []peers{{n: n}}, arrives: f.Int(0)}
	if err := q.fill(work); err != nil {
		t.Fatal(err)
	}
	g, err := q.integrals(bits, 1)
	if err != nil {
		t.Fatal(err)
	}
	return &cycles{q, g, f.Zero().Prec()}
}

// TestTwoPhasesOfEnded counts two messages in cycles that end with the second. Each is a false negative
// where it ended what is frozen, and so is not there: once in two cycles, of 3 arrivals in the mean.
func TestTwoPhasesOfEnded(t *testing.T) {
	r := bloomproof.Recycling{Messages: 2, TwoPhase: true, FreezeBefore: true}
	c := repeatsOnly(t, bloomproof.Geometry{M: 64, K: 1}, r, bloomproof.Uniform(2))
	x := cyclesOfOneGroup(t, c, 2, 30, 60)
	s := x.onePhase()
	x.twoPhases(s)
	x.widen(s)
	want := big.NewRat(1, 3)
	if rate := x.f.Zero().Quo(s.tally[falseNegative], s.v); !rate.ContainsRat(want) {
		t.Errorf("false negatives %v, not %v", rate, want)
	}
}

// TestFirsts compares D_i(j) with the sum over all orders in which messages come.
func TestFirsts(t *testing.T) {
	c := repeatsOnly(t, bloomproof.Geometry{M: 1 << 20, K: 2}, bloomproof.Recycling{Messages: 4}, bloomproof.Weights([]float64{8, 4, 2, 1, 1}))
	f := field.Intervals(fraction.Bits + spareBits)
	q := &grouped{f: f, c: c, last: -1, all: []peers{{n: 5}}, arrives: f.Int(0)}
	if err := q.fill(30); err != nil {
		t.Fatal(err)
	}
	g, err := q.integrals(60, 1)
	if err != nil {
		t.Fatal(err)
	}
	weights := []int64{8, 4, 2, 1, 1}
	var want [5][5]*big.Rat
	for i := range want {
		for j := range want[i] {
			want[i][j] = new(big.Rat)
		}
	}
	var order func(came, i int, left int64, p *big.Rat)
	order = func(came, i int, left int64, p *big.Rat) {
		for j, w := range weights {
			if came>>j&1 == 0 {
				next := new(big.Rat).Mul(p, big.NewRat(w, left))
				want[i][j].Add(want[i][j], next)
				order(came|1<<j, i+1, left-w, next)
			}
		}
	}
	order(0, 0, 16, big.NewRat(1, 1))
	x := &cycles{q, g, f.Zero().Prec()}
	var lists []byLevel
	for i := range 4 {
		list := make([]*interval.Interval, len(q.fits))
		for n := range list {
			list[n] = f.Int(0)
		}
		list[i] = f.Int(1)
		lists = append(lists, byLevel{list, list})
	}
	for i, found := range x.firsts(lists) {
		for j, y := range found {
			if !y.ContainsRat(want[i][j]) || y.RelBits() < 50 {
				t.Errorf("message %d comes after %d others with probability %v, not %v", j, i, y, want[i][j])
			}
		}
	}
}

// The error of the nodes is a bound for the exponential function, whose integral is known, and
// not one of another size.
func TestPanelError(t *testing.T) {
	for _, n := range []int{16, 32, 64} {
		at, weights, err := gaussLegendre(n, 200)
		if err != nil {
			t.Fatal(err)
		}
		for _, long := range []float64{1, 20, 300} {
			sum := interval.New(200)
			for i, x := range at {
				y := interval.New(200).Add(x, interval.New(200).SetUint64(1))
				y.Mul(y, interval.New(200).SetRat(new(big.Rat).SetFloat64(-long/2)))
				sum.Add(sum, y.Mul(y.Exp(y), weights[i]))
			}
			sum.Mul(sum, interval.New(200).SetRat(new(big.Rat).SetFloat64(long/2)))
			sum.Sub(sum, interval.New(200).SetUint64(1))
			sum.Add(sum, interval.New(200).Exp(interval.New(200).SetRat(new(big.Rat).SetFloat64(-long))))
			off, bound := math.Abs(sum.Float64()), panelError(n, long)
			if !(off <= bound+1e-57) { // of 200 bits
				t.Errorf("%d nodes in %v: off by %.3g, not %.3g", n, long, off, bound)
			}
		}
	}
}

func TestRepeatsLargeDomain(t *testing.T) {
	g := bloomproof.Geometry{M: 10000, K: 5}
	q := bloomproof.Zipf(1, 1000)
	for name, c := range map[string]struct {
		g    bloomproof.Geometry
		r    bloomproof.Recycling
		q    bloomproof.Popularity
		prec uint
		want error
	}{
		"two phases, retaining":         {g, bloomproof.Recycling{Sigma: 1000, Retain: true, TwoPhase: true}, q, 60, bloomproof.ErrUndefined},
		"two phases, without copy-over": {g, bloomproof.Recycling{Sigma: 1000, NoCopyOver: true, TwoPhase: true}, q, 60, bloomproof.ErrUndefined},
		"all fit":                       {g, bloomproof.Recycling{Sigma: 1000, Retain: true}, bloomproof.Zipf(1, 20), 60, bloomproof.ErrUndefined},
		"digits":                        {g, bloomproof.Recycling{Sigma: 100, TwoPhase: true}, q, 200, exact.ErrPrecision},
		"hardly any come":               {bloomproof.Geometry{M: 100, K: 3}, bloomproof.Recycling{Sigma: 20, Retain: true}, bloomproof.Zipf(9, 60), 60, bloomproof.ErrTooCostly},
	} {
		if _, err := repeatsOnly(t, c.g, c.r, c.q).ofRepeatsLarge(c.prec); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// TestMix compares the weight with the one that the formula for a least variance gives.
func TestMix(t *testing.T) {
	for _, c := range []struct {
		u, next []float64
		want    float64
	}{
		{[]float64{0.1, 0.5, 0.9}, []float64{0.8, 0.5, 0.2}, 3. / 7}, // the sums are all 0.5
		{[]float64{0.5, 0.25, 0.125}, []float64{0.25, 0.5, 0.375}, 3. / 8},
		{[]float64{0.1, 0.5, 0.9}, []float64{0.4, 0.5, 0.6}, 0}, // the entries of next vary less
		{[]float64{0.4, 0.5, 0.6}, []float64{0.9, 0.5, 0.1}, mostMix},
		{[]float64{0.25, 0.25}, []float64{0.5, 0.5}, 0},
	} {
		of := func(list []float64) (all []fraction.Number) {
			for _, x := range list {
				all = append(all, fraction.OfFloat64(x))
			}
			return all
		}
		if got := mix(of(c.u), of(c.next)).Float64(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %v: weight %v, want %v", c.u, c.next, got, c.want)
		}
	}
}
