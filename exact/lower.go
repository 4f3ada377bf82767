package exact

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// The function "lower" returns the probability L that kn independent random positions set all of k given bits. By
// inclusion and exclusion, L can be written in two ways:
//
//	nabla^k [x^(nk)] at m / m^(nk) = sum_j (-1)^j C(k,j) (1-j/m)^(nk).
//
// Source: Burns (64) with (10).
// Domain: 1 <= k <= m. All other limits are the same as for the function "bloom". Burns states the bound for k <=
// (m-1)/2. In fact L is at most the standard rate for all k <= m. The reason is that L = E[C(X,k)]/C(m,k) and
// (X-i)/(m-i) <= X/m. Here X is the number of set bits. L is also at most the classic rate for all k <= m, by Theorem
// 15 of Burns. The theorem is about a moment of order r, and its printed condition is r <= m-k. But the proof needs the
// inequality (m-k)/(m-i) <= 1 only for i < r. So the condition r <= k suffices. L is at most f_bloom.
// Error: relative width at most 2^-prec.
// Cost: as for FPR.
// Errors: ErrUndefined for k > m, because there are then no k different bits.
func lower(m, n uint64, k int, prec uint) (Enclosure, error) {
	switch {
	case uint64(k) > m:
		return Enclosure{}, refuse.Undefined("lower", "k exceeds m")
	case n == 0:
		return exactlyInt(0, prec), nil
	case m == 1:
		return exactlyInt(1, prec), nil
	}
	nk := integer.Product(n, k)
	first := prec + uint(math.Ceil(-lowerLog2(m, n, k))) + uint(k+nk.BitLen()) + 8
	return probability(ziv(prec, first, func(work uint) *interval.Interval {
		var s altSum
		none, w, f := new(big.Int), big.NewInt(1), new(big.Int)
		standardPowers(m, nk, k, work, func(j int, q, missed *big.Int) {
			s.add(j, w, none, q, missed)
			w.Mul(w, f.SetInt64(int64(k-j)))
			w.Quo(w, f.SetInt64(int64(j+1)))
		})
		return s.enclosure(prec+8, work)
	}))
}

// lowerLog2 returns an approximation of log2 of a lower bound of L. The bound is the larger of two numbers. The first
// number is k!/m^k, the value of L for n = 1. The second number is the value of lowerSimple.
func lowerLog2(m, n uint64, k int) float64 {
	mf := float64(m)
	mu := -mf * math.Expm1(float64(n)*float64(k)*math.Log1p(-1/mf))
	first, simple := 0.0, 0.0
	for i := range k {
		first += math.Log2(float64(i+1) / mf)
		simple += math.Log2(max(0, mu-float64(i)) / (mf - float64(i)))
	}
	return min(0, max(first, simple))
}
