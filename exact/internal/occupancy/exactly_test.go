package occupancy

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// counts returns the probabilities of the number of occupied urns among those that count, by
// listing all outcomes.
func counts(m, out uint64, n, k int) []*big.Rat {
	p := make([]*big.Rat, m-out+1)
	for i := range p {
		p[i] = new(big.Rat)
	}
	var batches []uint64 // bit sets
	for set := uint64(0); set < 1<<m; set++ {
		ones := 0
		for i := uint64(0); i < m; i++ {
			ones += int(set >> i & 1)
		}
		if ones == k {
			batches = append(batches, set)
		}
	}
	var walk func(left int, set uint64)
	walk = func(left int, set uint64) {
		if left == 0 {
			ones := 0
			for i := out; i < m; i++ {
				ones += int(set >> i & 1)
			}
			p[ones].Add(p[ones], big.NewRat(1, 1))
			return
		}
		for _, b := range batches {
			walk(left-1, set|b)
		}
	}
	walk(n, 0)
	all := new(big.Rat).SetInt(integer.Power(big.NewInt(int64(len(batches))), uint64(n)))
	for _, x := range p {
		x.Quo(x, all)
	}
	return p
}

// TestOutSmall holds the distribution of the urns that count to all outcomes.
func TestOutSmall(t *testing.T) {
	for _, c := range []struct {
		m, out uint64
		n, k   int
	}{{5, 0, 4, 1}, {5, 2, 4, 1}, {4, 3, 5, 1}, {6, 3, 4, 2}, {6, 1, 3, 3}, {5, 3, 3, 3}, {5, 4, 3, 2}} {
		o := Distribution{M: c.m, N: big.NewInt(int64(c.n)), K: c.k, Out: c.out}
		sum, bits := new(big.Rat), longtest.More[uint](30, 50)
		for b, p := range counts(c.m, c.out, c.n, c.k) {
			sum.Add(sum, p)
			if got := o.ExactlyRational(uint64(b)); got.Cmp(p) != 0 {
				t.Fatalf("P[X = %d] of %v is %v, all outcomes give %v", b, c, got, p)
			}
			x, err := o.Below(uint64(b), 50)
			if err != nil || !x.ContainsRat(sum) || wide(x, 50) {
				t.Errorf("P[X <= %d] of %v is %v, %v, all outcomes give %v", b, c, x, err, sum)
			}
			if _, trivial := o.Trivial(uint64(b)); !trivial {
				if x := o.belowSum(uint64(b), 50); !x.ContainsRat(sum) || wide(x, 48) {
					t.Errorf("by the sum P[X <= %d] of %v is %v, all outcomes give %v", b, c, x, sum)
				}
			}
			if b == 0 || p.Sign() == 0 {
				continue
			}
			if x, err = o.Exactly(uint64(b), bits); err != nil || !x.ContainsRat(p) || x.RelBits() < int(bits) {
				t.Errorf("P[X = %d] of %v is %v, %v, all outcomes give %v", b, c, x, err, p)
			}
		}
	}
}

// TestOutRoutes compares the integrals with the sums where some urns do not count.
func TestOutRoutes(t *testing.T) {
	for _, c := range []struct {
		m, out, n, b uint64
		k            int
	}{{3000, 2700, 2000, 140, 1}, {600, 2, 90, 280, 7}, {1 << 40, 1<<40 - 200, 1 << 39, 80, 1}, {900, 500, 800, 235, 1}, {900, 500, 110, 235, 7}, {900, 100, 800, 470, 1}}[:longtest.More(2, 6)] {
		o := Distribution{M: c.m, N: integer.Uint(c.n), K: c.k, Out: c.out}
		want := o.belowSum(c.b, 60)
		got, err := o.belowIntegral(c.b, 50)
		if err != nil || !got.Overlaps(want) || wide(got, 50) {
			t.Errorf("P[X <= %d] of %v: integral %v, %v, sum %v", c.b, c, got, err, want)
		}
		p := interval.New(200).Sub(o.belowSum(c.b, 150), o.belowSum(c.b-1, 150))
		x, err := o.Exactly(c.b, 60)
		if err != nil || !x.Overlaps(p) || x.RelBits() < 60 {
			t.Errorf("P[X = %d] of %v: integral %v, %v, sums %v", c.b, c, x, err, p)
		}
	}
}
