package occupancy

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/outcomes"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestBelowSmall compares sum, integral and rationals with the chain.
func TestBelowSmall(t *testing.T) {
	stride := longtest.More(50, 10)
	usual := []struct{ m, n, k int }{{1, 3, 1}, {7, 1, 1}, {12, 9, 1}, {30, 40, 1}, {40, 9, 3}, {60, 15, 4}, {20, 4, 9}}
	long := append([]struct{ m, n, k int }{{100, 90, 1}, {100, 25, 4}}, usual...)
	for _, c := range longtest.More(usual, long) {
		pmf := outcomes.Chain(c.m, c.n, c.k)
		o := Distribution{M: uint64(c.m), N: big.NewInt(int64(c.n)), K: c.k}
		sum := new(big.Rat)
		for b, p := range pmf {
			sum.Add(sum, p)
			if got := o.ExactlyRational(uint64(b)); got.Cmp(p) != 0 {
				t.Fatalf("P[X = %d] of %v is %v, the chain gives %v", b, c, got, p)
			}
			x, err := o.Below(uint64(b), 70)
			if err != nil || !x.ContainsRat(sum) || wide(x, 70) {
				t.Fatalf("P[X <= %d] of %v is %v, %v, the chain gives %v", b, c, x, err, sum.FloatString(20))
			}
			if _, trivial := o.Trivial(uint64(b)); trivial {
				continue
			}
			if x = o.rough(uint64(b)); !x.ContainsRat(sum) {
				t.Fatalf("by Chernoff P[X <= %d] of %v is %v, the chain gives %v", b, c, x, sum.FloatString(20))
			}
			if x = o.EmptiesSum(uint64(b), false, 0, 60); !x.ContainsRat(sum) || wide(x, 58) {
				t.Fatalf("by empties P[X <= %d] of %v is %v, the chain gives %v", b, c, x, sum.FloatString(20))
			}
			if x = o.EmptiesSum(uint64(b), true, 0, 60); !x.ContainsRat(p) || wide(x, 58) {
				t.Fatalf("by empties P[X = %d] of %v is %v, the chain gives %v", b, c, x, p.FloatString(20))
			}
			if f, _ := sum.Float64(); b%stride != stride/2 || o.Empties() < 5 || f < 1e-6 || f > 1-1e-6 {
				continue // where the integral is slow, and not used
			}
			bits := longtest.More[uint](40, 60)
			x, err = o.belowIntegral(uint64(b), bits)
			if errors.Is(err, errContour) {
				continue
			}
			if err != nil || !x.ContainsRat(sum) || wide(x, bits) {
				t.Fatalf("the integral of P[X <= %d] of %v is %v, %v, the chain gives %v", b, c, x, err, sum.FloatString(20))
			}
		}
	}
}

func wide(x *interval.Interval, bits uint) bool {
	_, ok := lacks(x, bits)
	return !ok
}

// TestBelowRoutes compares integral and sum where both serve, and the integral with the
// recurrence (12) in float64 where no sum does.
func TestBelowRoutes(t *testing.T) {
	for _, c := range []struct {
		m, n, b uint64
		k       int
	}{
		{1000, 700, 500, 1}, {1000, 700, 530, 1}, {1000, 700, 480, 1}, {1000, 100, 505, 7}, {2500, 2600, 1610, 1}, {1000, 9000, 998, 1},
		{1 << 40, 1500, 1499, 1}, {1 << 40, 300, 1499, 5}, {1 << 63, 900, 899, 1}, {2000, 901, 720, 1}, {1500, 60, 900, 15},
	} {
		if !longtest.Enabled() && (c.b > 505 || c.b == 480) {
			continue
		}
		o := Distribution{M: c.m, N: integer.Uint(c.n), K: c.k}
		want := o.belowSum(c.b, 90)
		for _, bits := range []uint{20, 80} {
			if (c.m > 1000 || !longtest.Enabled() && c.b != 500 && c.k == 1) && bits > 20 {
				break
			}
			got, err := o.belowIntegral(c.b, bits)
			if err != nil || !got.Overlaps(want) || wide(got, bits) {
				t.Errorf("P[X <= %d] of %v to %d bits: integral %v, %v, sum %v", c.b, c, bits, got, err, want)
			}
		}
	}
	const m, n = 50_000, 40_000
	p := make([]float64, m+2)
	p[0] = 1
	low, top := 0, 0
	for range n {
		if p[top+1] = 0; top < m {
			top++
		}
		for i := top; i > low; i-- {
			p[i] = p[i]*float64(i)/m + p[i-1]*float64(m-i+1)/m
		}
		p[low] *= float64(low) / m
		for p[low] < 1e-25 {
			p[low] = 0
			low++
		}
		for p[top] < 1e-25 {
			p[top] = 0
			top--
		}
	}
	sum := 0.0
	for i := range m + 1 {
		if sum += p[i]; i < 27410 || i > 27640 || i%longtest.More(115, 23) != 0 {
			continue
		}
		x, err := Distribution{M: m, N: integer.Uint(n), K: 1}.Below(uint64(i), 40)
		if err != nil || math.Abs(x.Float64()-sum) > 1e-9 {
			t.Errorf("P[X <= %d] of %d balls in %d urns is %v, %v, by (12) %v", i, n, m, x, err, sum)
		}
	}
}

// TestBelowHuge asks for tails at sizes that only integrals reach: two precisions agree,
// and at the mean of a nearly normal distribution the probability is near 1/2.
func TestBelowHuge(t *testing.T) {
	for i, c := range []struct {
		m, n uint64
		k    int
	}{{1 << 23, 1 << 22, 1}, {1 << 23, 1 << 19, 7}, {1 << 40, 1 << 39, 1}, {1<<64 - 1, 1 << 63, 1}, {1<<64 - 1, 1 << 60, 13}} {
		if !longtest.Enabled() && i%2 == 0 {
			continue
		}
		mean := -float64(c.m) * math.Expm1(float64(c.n)*math.Log1p(-float64(c.k)/float64(c.m)))
		o := Distribution{M: c.m, N: integer.Uint(c.n), K: c.k}
		x, err := o.Below(uint64(mean), 30)
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		y, err := o.Below(uint64(mean), longtest.More[uint](60, 90))
		if err != nil || !x.Overlaps(y) || math.Abs(y.Float64()-0.5) > 0.01 {
			t.Errorf("P[X <= %.0f] of %v is %v and %v, %v", mean, c, x, y, err)
		}
		// Hundreds of standard deviations above the mean, by Chernoff's bounds.
		if z, err := o.Below(uint64(mean)+uint64(mean)/8, 80); err != nil || z.Hi().Cmp(big.NewFloat(1)) != 0 {
			t.Errorf("P[X <= 9/8 %.0f] of %v is %v, %v", mean, c, z, err)
		}
	}
}
