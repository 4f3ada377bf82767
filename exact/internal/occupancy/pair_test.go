package occupancy

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
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

// TestPairSmall holds the integrals to the hypergeometric mixture.
func TestPairSmall(t *testing.T) {
	for _, c := range []struct{ m, n0, n1 int }{{40, 30, 25}, {12, 9, 14}, {60, 60, 200}, {2, 3, 2}}[:longtest.Of(1, 1, 4)] {
		o := Pair{uint64(c.m), [2]uint64{uint64(c.n0), uint64(c.n1)}}
		sum := new(big.Rat)
		for x, p := range both(c.m, c.n0, c.n1) {
			sum.Add(sum, p)
			if x >= min(c.m, c.n0, c.n1) || x%longtest.Of(9, 9, 1) != 0 || x == 0 && !longtest.Enabled() {
				continue
			}
			if got, err := o.Exactly(uint64(x), 40); x > 0 && (err != nil || !got.ContainsRat(p) || got.RelBits() < 40) {
				t.Errorf("P[X = %d] of %v is %v, %v, the mixture gives %v", x, c, got, err, p.FloatString(20))
			}
			if !longtest.Enabled() && x != 9 {
				continue
			}
			bits := uint(longtest.Of(4, 4, 24))
			got, err := o.Below(uint64(x), bits)
			if err != nil || !got.ContainsRat(sum) || wide(got, bits) {
				t.Errorf("P[X <= %d] of %v is %v, %v, the mixture gives %v", x, c, got, err, sum.FloatString(20))
			}
		}
	}
}

// TestPairLarge holds the probabilities to the differences of the sums, and of a nearly normal
// distribution to its density at the mean.
func TestPairLarge(t *testing.T) {
	longtest.Only(t, "sums over circles of three variables take seconds; TestPairSmall has the same code at small sizes")
	o := Pair{2000, [2]uint64{1500, 900}}
	const x = 383
	one, err := o.Exactly(x, 40)
	if err != nil {
		t.Fatal(err)
	}
	at, err := o.Below(x, 24)
	if err != nil {
		t.Fatal(err)
	}
	before, err := o.Below(x-1, 24)
	if err != nil {
		t.Fatal(err)
	}
	if before.Add(before, one); !before.Overlaps(at) {
		t.Errorf("P[X <= %d] is %v, with P[X = %d] = %v it is %v", x, at, x, one, before)
	}
}

// TestPairSimulated compares probabilities near the mean with drawn filters.
func TestPairSimulated(t *testing.T) {
	const m, n0, n1, first, last = 3000, 2500, 1800, 725, 775
	runs := longtest.Of(1000, 2000, 100_000)
	o := Pair{m, [2]uint64{n0, n1}}
	random := rand.New(rand.NewPCG(1, 2))
	counts := map[uint64]int{}
	for range runs {
		var one, other [m]bool
		for range n0 {
			one[random.IntN(m)] = true
		}
		for range n1 {
			other[random.IntN(m)] = true
		}
		x := uint64(0)
		for i := range one {
			if one[i] && other[i] {
				x++
			}
		}
		counts[x]++
	}
	for x := uint64(first); x <= last; x += 50 {
		p, err := o.Exactly(x, 20)
		if err != nil {
			t.Fatal(err)
		}
		want := p.Float64() * float64(runs)
		if got := float64(counts[x]); math.Abs(got-want) > 5*math.Sqrt(want)+1 {
			t.Errorf("%v of %d pairs have %d in common, want %.1f", got, runs, x, want)
		}
	}
}
