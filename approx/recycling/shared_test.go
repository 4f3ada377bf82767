package recycling

import (
	"math"
	"math/big"
	"testing"
)

// TestFreshLaw compares freshLaw with the exact hypergeometric distribution, also where nearly all or nearly no bits are
// set, and where most probabilities are too small for a float64.
func TestFreshLaw(t *testing.T) {
	choose := func(n, k int64) *big.Int {
		if k < 0 || k > n {
			return new(big.Int)
		}
		return new(big.Int).Binomial(n, k)
	}
	for _, x := range []struct {
		m, b uint64
		d    int
	}{
		{1, 0, 1}, {1, 1, 1}, {5, 0, 3}, {5, 5, 3}, {5, 3, 5}, {10, 4, 7}, {10, 6, 1}, {64, 63, 20}, {64, 1, 20}, {300, 150, 0},
		{300, 170, 100}, {1000, 20, 400}, {1000, 990, 400}, {600, 300, 599}, {2000, 1000, 500}, {1 << 60, 1<<60 - 5, 9}, {1 << 60, 1 << 30, 12},
	} {
		p := freshLaw(x.m, x.b, x.d)
		all := choose(int64(x.m), int64(x.d))
		for i, got := range p {
			want, _ := new(big.Rat).SetFrac(new(big.Int).Mul(choose(int64(x.m-x.b), int64(i)), choose(int64(x.b), int64(x.d-i))), all).Float64()
			if e := math.Abs(got - want); e > float64(4*x.d+4)*0x1p-53*want+0x1p-999 || want == 0 && got != 0 {
				t.Errorf("freshLaw(%d, %d, %d)[%d] = %v, want %v", x.m, x.b, x.d, i, got, want)
			}
		}
	}
}
