package occupancy

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// givenHits returns the distribution of the number of given urns that n balls hit.
func givenHits(given, m, n int) []*big.Rat {
	p := []*big.Rat{big.NewRat(1, 1)}
	for range n {
		next := make([]*big.Rat, min(len(p), given)+1)
		for i := range next {
			next[i] = new(big.Rat)
		}
		for i, x := range p {
			hit := big.NewRat(int64(given-i), int64(m))
			stay := new(big.Rat).Sub(big.NewRat(1, 1), hit)
			next[i].Add(next[i], stay.Mul(stay, x))
			if i < given {
				next[i+1].Add(next[i+1], hit.Mul(hit, x))
			}
		}
		p = next
	}
	return p
}

// near reports whether x is the number want, apart from rounding errors of float64.
func near(x *interval.Interval, want float64) bool {
	return math.Abs(x.Float64()-want) <= 1e-9*math.Abs(want)
}

func real(x float64) *interval.Interval {
	return interval.New(momentBits).SetEnds(big.NewFloat(x), big.NewFloat(x))
}

// tail returns the exponent L of Bernstein's bound e^-L for a deviation t.
func tail(variance, t float64) float64 { return t * t / (2 * (variance + t/3)) }

// TestHitsOf compares mean, variance and tails of the number of given urns that are hit with its distribution.
func TestHitsOf(t *testing.T) {
	for m := 2; m <= 5; m++ {
		for given := 1; given <= m; given++ {
			for _, n := range []int{0, 1, 2, 7} {
				p := givenHits(given, m, n)
				mean, square := new(big.Rat), new(big.Rat)
				for i, x := range p {
					mean.Add(mean, new(big.Rat).Mul(x, big.NewRat(int64(i), 1)))
					square.Add(square, new(big.Rat).Mul(x, big.NewRat(int64(i*i), 1)))
				}
				variance := square.Sub(square, new(big.Rat).Mul(mean, mean))
				h := hitsOf(uint64(given), uint64(m), uint64(n))
				if !h.mean.ContainsRat(mean) || !h.variance.ContainsRat(variance) || wide(h.mean, 300) || wide(h.variance, 300) {
					t.Fatalf("%d of %d urns, %d balls: mean %v, variance %v, want %v and %v", given, m, n, h.mean, h.variance, mean, variance)
				}
				mean64, _ := mean.Float64()
				variance64, _ := variance.Float64()
				for x := range given + 2 {
					bound, above := h.beyond(uint64(x))
					away := math.Abs(float64(x) - mean64)
					want := 1.0
					if away > 1e-9 {
						want = math.Exp(-tail(variance64, away))
					}
					sum := new(big.Rat)
					for i, q := range p {
						if i == x || i > x == above {
							sum.Add(sum, q)
						}
					}
					if order, decided := bound.CmpRat(sum); decided && order < 0 || !near(bound, want) || above != (float64(x) > mean64+1e-9) {
						t.Errorf("%d of %d urns, %d balls, %d hit: the tail %v has the bound %v, above: %v, the formula gives %v", given, m, n, x, sum, bound, above, want)
					}
				}
			}
		}
	}
}

// TestBernstein checks that the deviation t solves the equation of its bound, and that it is not below the solution.
func TestBernstein(t *testing.T) {
	for _, variance := range []float64{0, 0.1, 3, 1000} {
		for _, nats := range []float64{0.5, 10, 300} {
			d := bernstein(real(variance), nats)
			third := nats / 3
			want := third + math.Sqrt(third*third+2*nats*variance)
			if !d.IsPoint() || !near(d, want) || math.Abs(tail(variance, want)-nats) > 1e-9*nats {
				t.Errorf("variance %v, %v nats: %v, want %v", variance, nats, d, want)
			}
			if wider := interval.New(momentBits).SetEnds(new(big.Float), big.NewFloat(variance)); bernstein(wider, nats).Hi().Cmp(d.Hi()) != 0 {
				t.Errorf("variance [0, %v], %v nats: the deviation is not that of the largest variance", variance, nats)
			}
		}
	}
}

// TestWithinRange checks that the range contains the integers from mean-t to mean+t, and at most one more at each end.
func TestWithinRange(t *testing.T) {
	for _, mean := range []float64{0, 0.25, 1, 4.5, 7, 9.75, 10} {
		for _, away := range []float64{0, 0.25, 0.5, 1, 2.75, 4.5, 20} {
			const most = 10
			least, last := within(real(mean), real(away), most)
			from, to := math.Max(0, math.Ceil(mean-away)), math.Min(most, math.Floor(mean+away))
			if from > to { // no integer; the range has at most both neighbours
				from, to = to, from
			}
			if float64(least) > from || float64(least) < from-1 || float64(last) < to || float64(last) > to+1 || last > most {
				t.Errorf("%v +- %v: %d to %d, want %v to %v", mean, away, least, last, from, to)
			}
		}
	}
}

// TestOutsideVariance computes the bound of V again by the comment at the top of pair_below.go. It also compares the
// bound with the variances of the numbers of urns hit, for the ends of both ranges.
func TestOutsideVariance(t *testing.T) {
	positive := 0
	for _, o := range []Pair{{400, [2]uint64{400, 100}}, {400, [2]uint64{100, 400}}, {100, [2]uint64{90, 60}}, {5000, [2]uint64{900, 9000}}, {50, [2]uint64{3, 3}}, {2, [2]uint64{1, 1}}, {1 << 30, [2]uint64{1 << 30, 1 << 29}}} {
		for _, nats := range []float64{1, 10} {
			m := float64(o.M)
			q := math.Exp(float64(o.N[1]) * math.Log1p(-1/m))
			var variance float64
			if o.M > 1<<20 { // the terms of the exact formula cancel
				variance = m * q * (1 - q*(1+float64(o.N[1])/m))
			} else {
				variance = m*q + m*(m-1)*math.Pow(1-2/m, float64(o.N[1])) - m*q*m*q
			}
			deviation := func(variance float64) float64 { return nats/3 + math.Sqrt(nats*nats/9+2*nats*max(0, variance)) }
			t1 := deviation(variance)
			first, last := math.Floor(max(0, m*(1-q)-t1)), min(m, math.Floor(m*(1-q)+t1)+1)
			least, most := m-last, m-first
			low, high := float64(o.N[0])*least/m, float64(o.N[0])*most/m
			t2 := deviation((m - least) / m * high)
			fewest, many := math.Floor(max(0, low-t2)), min(float64(o.N[0]), math.Floor(high+t2)+1)
			want := 0.0
			if least >= 2 && fewest >= 1 {
				most1, q1 := least*math.Pow(1-1/least, many), math.Pow(1-1/most, fewest)
				want = most1 * (1 - q1*(1+fewest/(most-1)))
			}
			if want < 1e-9 { // 0 or less, apart from rounding
				want = 0
			}
			got := o.outsideVariance(nats)
			if !got.IsPoint() || math.Abs(got.Float64()-want) > 1e-6*want {
				t.Errorf("%v, %v nats: %v, the formula gives %v", o, nats, got, want)
			}
			if want == 0 {
				continue
			}
			positive++
			for _, urns := range []float64{least, most} {
				for _, balls := range []float64{fewest, many} {
					if v := hitsOf(uint64(urns), uint64(urns), uint64(balls)).variance; v.Hi().Cmp(got.Lo()) < 0 {
						t.Errorf("%v, %v nats: the bound is %v, but %v balls in %v urns have the variance %v", o, nats, got, balls, urns, v)
					}
				}
			}
		}
	}
	if positive < 6 {
		t.Errorf("only %d bounds are above 0", positive)
	}
}

// TestLattice checks the step between the terms of a sum and the bound that belongs to it.
func TestLattice(t *testing.T) {
	for _, variance := range []float64{0.01, 3, 70, 1e5} {
		limit := big.NewFloat(0x1p-20)
		h, bound := lattice(real(variance), 20*math.Ln2, limit)
		switch {
		case h == 1 && bound.IsPoint() && bound.Sign() == 0:
			if variance > 70 {
				t.Errorf("variance %v: every term is used", variance)
			}
		case h < 2 || bound.Hi().Cmp(limit) > 0 || bound.Hi().Cmp(aliases(real(variance), h).Hi()) != 0:
			t.Errorf("variance %v: every %d-th term with the bound %v", variance, h, bound)
		}
	}
}

// TestGiven compares the distribution function of X, given the number of urns that the first group hits, with that of
// its distribution. Some of the answers are bounds of a tail.
func TestGiven(t *testing.T) {
	const m, n = 16, 12
	o := Pair{m, [2]uint64{5, n}}
	tails := map[bool]int{}
	for a := 1; a <= m; a += 5 {
		sum := new(big.Rat)
		for x, p := range givenHits(a, m, n) {
			sum.Add(sum, p)
			for _, bits := range []int{-1, 0, 1, 2, 4, 30} {
				got, err := o.given(uint64(a), uint64(x), bits)
				if err != nil || !got.ContainsRat(sum) || bits > 0 && wide(got, uint(bits)) {
					t.Errorf("%d given urns, at most %d hit, %d bits: %v, %v, want %v", a, x, bits, got, err, sum.FloatString(10))
				}
				if bits > 0 && x < a && !got.IsPoint() {
					if got.Lo().Sign() == 0 {
						tails[false]++
					} else if got.Hi().Cmp(big.NewFloat(1)) == 0 {
						tails[true]++
					}
				}
			}
		}
	}
	if tails[false] == 0 || tails[true] == 0 {
		t.Errorf("tails below and above the mean: %v", tails)
	}
}

// hitBoth returns P[X <= x] in float64. It adds one ball after the other.
func hitBoth(o Pair, x uint64) (sum float64) {
	m := float64(o.M)
	hit := func(given, balls, most uint64) []float64 { // the numbers up to most of given urns that balls hit
		p := make([]float64, most+1)
		p[0] = 1
		for range balls {
			for i := most; i > 0; i-- {
				p[i] = p[i]*(1-(float64(given)-float64(i))/m) + p[i-1]*(float64(given)-float64(i)+1)/m
			}
			p[0] *= 1 - float64(given)/m
		}
		return p
	}
	for a, p := range hit(o.M, o.N[0], min(o.M, o.N[0])) {
		if p > 1e-9 {
			for _, q := range hit(uint64(a), o.N[1], min(x, uint64(a))) {
				sum += p * q
			}
		}
	}
	return sum
}

// TestMixtureSlack computes a sum with gaps and its error bound again. The sum must have this error bound, and not much
// more: the terms themselves are known to 8 bits more.
func TestMixtureSlack(t *testing.T) {
	for _, c := range []struct {
		o    Pair
		x    uint64
		goal uint
	}{{Pair{400, [2]uint64{400, 100}}, 62, 6}, {Pair{300, [2]uint64{150, 90}}, 30, 12}, {Pair{30, [2]uint64{25, 9}}, 5, 10}, {Pair{1500, [2]uint64{1200, 200}}, 100, 6}, {Pair{400, [2]uint64{400, 100}}, 20, 6}} {
		group := hitsOf(c.o.M, c.o.M, c.o.N[0])
		nats := (float64(c.goal) + math.Log2(8+8*math.Sqrt(group.variance.Float64()))) * math.Ln2
		limit := math.Ldexp(1, -int(c.goal))
		h, bound := lattice(c.o.outsideVariance(nats), float64(c.goal)*math.Ln2, big.NewFloat(limit))
		slack := bound.Float64() + 6*float64(h)*math.Exp(-nats)
		got, err := c.o.mixture(c.x, c.goal)
		if err != nil {
			t.Fatal(err)
		}
		width, _ := got.Width().Float64()
		want := hitBoth(c.o, c.x)
		least, _ := got.Lo().Float64()
		off := math.Abs(got.Float64() - want)
		if least == 0 { // a negative lower end was replaced
			width, off = width+slack, math.Abs(width-slack-want)
		}
		if width < 2*slack*(1-1e-9) || width > 2*slack+limit/8 {
			t.Errorf("%v at %d: every %d-th term has the error %v, stated are %v", c.o, c.x, h, slack, width/2)
		}
		if off > limit/8 || least < 0 || (least == 0) != (want < slack-limit/8) {
			t.Errorf("%v at %d: every %d-th term: %v, want %v", c.o, c.x, h, got, want)
		}
	}
	if p, err := (Pair{1 << 40, [2]uint64{1 << 40, 1 << 40}}).mixture(1<<38, 3000); !errors.Is(err, bloomproof.ErrTooCostly) {
		t.Errorf("to 2^-3000: %v, %v", p, err)
	}
}
