package occupancy

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// both returns the probabilities of the number of urns that both groups hit: of a urns hit by the one
// and b by the other, C(a,i) C(m-a,b-i)/C(m,b) is that of i in common.
func both(m, n0, n1 int) []*big.Rat {
	p := make([]*big.Rat, m+1)
	for i := range p {
		p[i] = new(big.Rat)
	}
	choose := func(n, k int) *big.Int {
		if k < 0 || k > n {
			return new(big.Int)
		}
		return new(big.Int).Binomial(int64(n), int64(k))
	}
	one, other := outcomes.Chain(m, n0, 1), outcomes.Chain(m, n1, 1)
	for a, pa := range one {
		for b, pb := range other {
			for i := 0; i <= min(a, b); i++ {
				ways := new(big.Int).Mul(choose(a, i), choose(m-a, b-i))
				t := new(big.Rat).SetFrac(ways, choose(m, b))
				p[i].Add(p[i], t.Mul(t, pa).Mul(t, pb))
			}
		}
	}
	return p
}

// TestPairSmall holds the integrals, their sums and the quantiles to the hypergeometric mixture.
func TestPairSmall(t *testing.T) {
	for _, c := range []struct{ m, n0, n1 int }{{20, 15, 13}, {40, 30, 25}, {12, 9, 14}, {2, 3, 2}, {60, 60, 200}}[:longtest.More(1, 5)] {
		o := Pair{uint64(c.m), [2]uint64{uint64(c.n0), uint64(c.n1)}}
		sum, digits := new(big.Rat), longtest.More[uint](20, 40) // binary digits
		for x, p := range both(c.m, c.n0, c.n1) {
			before := new(big.Rat).Set(sum)
			sum.Add(sum, p)
			if x%longtest.More(6, 8) != 0 {
				continue
			}
			if 0 < x && x < min(c.m, c.n0, c.n1) {
				if got, err := o.Exactly(uint64(x), digits); err != nil || !got.ContainsRat(p) || got.RelBits() < int(digits) {
					t.Errorf("P[X = %d] of %v is %v, %v, the mixture gives %v", x, c, got, err, p.FloatString(20))
				}
			}
			for _, bits := range []uint{6, 40} { // with gaps in the sum, where that is allowed, and without
				if got, err := o.Below(uint64(x), bits); err != nil || !got.ContainsRat(sum) || wide(got, bits) {
					t.Errorf("P[X <= %d] of %v is %v, %v, the mixture gives %v", x, c, got, err, sum.FloatString(20))
				}
			}
			if p.Sign() > 0 && before.Sign() > 0 {
				middle := before.Add(before, sum)
				middle.Quo(middle, big.NewRat(2, 1))
				if got, err := o.Quantile(middle); err != nil || got != uint64(x) {
					t.Errorf("the quantile of %v of %v is %d, %v, want %d", middle.FloatString(20), c, got, err, x)
				}
			}
		}
	}
}

// TestPairLarge holds the probabilities, by two circles, to the differences of the sums, which leave
// out most of their terms.
func TestPairLarge(t *testing.T) {
	bits := uint(longtest.More(10, 40))
	for _, c := range []struct{ m, n0, n1, x uint64 }{{1200, 300, 200, 44}, {2000, 1500, 900, 190}, {2000, 1500, 900, 383}, {1 << 20, 700_000, 900_000, 293_000}}[:longtest.More(1, 4)] {
		o := Pair{c.m, [2]uint64{c.n0, c.n1}}
		one, err := o.Exactly(c.x, longtest.More[uint](14, 40))
		if err != nil {
			t.Fatal(err)
		}
		at, err := o.Below(c.x, bits)
		if err != nil {
			t.Fatal(err)
		}
		before, err := o.Below(c.x-1, bits)
		if err != nil {
			t.Fatal(err)
		}
		if before.Add(before, one); !before.Overlaps(at) {
			t.Errorf("P[X <= %d] of %v is %v, with P[X = %d] = %v it is %v", c.x, c, at, c.x, one, before)
		}
	}
}

// TestAliases holds the bound of a sum with gaps to such sums.
func TestAliases(t *testing.T) {
	const m, n0, n1, x, nats = 400, 400, 100, 15, 10
	o := Pair{m, [2]uint64{n0, n1}}
	f := make([]float64, m+1) // of A, then with P[X <= x]
	f[0] = 1
	for range n0 {
		for a := m; a > 0; a-- {
			f[a] = (f[a]*float64(a) + f[a-1]*float64(m-a+1)) / m
		}
		f[0] = 0
	}
	total := 0.0
	for a := range f {
		if f[a] > 1e-9 {
			below, err := o.given(uint64(a), x, 30)
			if err != nil {
				t.Fatal(err)
			}
			f[a] *= below.Float64()
		}
		total += f[a]
	}
	v := o.outsideVariance(nats)
	for h := 2; h < 40; h++ {
		bound := aliases(v, uint64(h)).Float64() + float64(h)*4*math.Exp(-nats)
		for first := range h {
			sum := 0.0
			for a := first; a <= m; a += h {
				sum += float64(h) * f[a]
			}
			if miss := math.Abs(sum - total); !(miss <= bound) {
				t.Errorf("every %d-th term from %d on misses %v, the bound is %v", h, first, miss, bound)
			}
		}
	}
}

// TestAliasesOfVariance compares the bound of a sum with gaps with two numbers. The first is the sum of e^-(V (1-cos t_j))
// over the angles t_j. A bound must be at least as large. The second is the formula that the comment at the top of
// pair_below.go derives.
func TestAliasesOfVariance(t *testing.T) {
	const rounding = 1e-9 // an upper bound of the relative rounding errors of both float64 numbers
	compared := 0
	for _, v := range []float64{0.3, 1, 7, 50, 1000, 1e6} {
		for _, h := range []uint64{2, 3, 4, 5, 8, 13, 40, 100, 1000} {
			angle := 2 * math.Pi / float64(h)
			sum := 0.0
			for j := 1.0; j < float64(h); j++ {
				sum += math.Exp(-v * (1 - math.Cos(angle*j)))
			}
			first, turn := angle*angle/2-math.Pow(angle, 4)/24, v/float64(h*h)
			formula := 2 * (math.Exp(-v*first) - math.Exp(-32*turn)/math.Expm1(-16*turn))
			if formula < 1e-300 {
				continue
			}
			at := interval.New(momentBits).SetEnds(big.NewFloat(v), big.NewFloat(v))
			got := aliases(at, h).Float64()
			if !(got >= sum*(1-rounding)) || math.Abs(got-formula) > rounding*formula {
				t.Errorf("V = %v, every %d-th term: the bound is %v, the formula gives %v, the sum is %v", v, h, got, formula, sum)
			}
			compared++
		}
	}
	if compared < 30 {
		t.Errorf("only %d bounds were compared", compared)
	}
}

// TestPairSimulated compares probabilities near the mean with drawn filters.
func TestPairSimulated(t *testing.T) {
	const m, n0, n1, first, last = 3000, 2500, 1800, 725, 775
	runs := longtest.More(2000, 100_000)
	o := Pair{m, [2]uint64{n0, n1}}
	random := rand.NewPCG(1, 2)
	draw := func() uint64 { return random.Uint64() >> 32 * m >> 32 } // uniform up to m/2^32
	counts := map[uint64]int{}
	for range runs {
		var one, other [m]uint8
		for range n0 {
			one[draw()] = 1
		}
		for range n1 {
			other[draw()] = 1
		}
		x := uint64(0)
		for i := range one {
			x += uint64(one[i] & other[i])
		}
		counts[x]++
	}
	for x := uint64(first); x <= last; x += longtest.More[uint64](100, 50) {
		p, err := o.Exactly(x, 12)
		if err != nil {
			t.Fatal(err)
		}
		want := p.Float64() * float64(runs)
		if got := float64(counts[x]); math.Abs(got-want) > 5*math.Sqrt(want)+1 {
			t.Errorf("%v of %d pairs have %d in common, want %.1f", got, runs, x, want)
		}
	}
}

// TestPairTries computes a probability with too few bits at first. The next try has more, and is narrow enough.
func TestPairTries(t *testing.T) {
	o := Pair{10, [2]uint64{6, 5}}
	want, err := o.Exactly(2, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer precision.Starve(precision.Starving{Guard: 0})()
	got, err := o.Exactly(2, 2)
	if err != nil || got.RelBits() < 2 || !got.Overlaps(want) {
		t.Errorf("P[X = 2] is %v, %v, with more bits at first %v", got, err, want)
	}
}
