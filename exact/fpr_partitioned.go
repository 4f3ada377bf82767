package exact

import (
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// partitioned returns (1 - (1-k/m)^n)^k, n >= 1, for k dividing m: Fan (19).
func partitioned(g bloomproof.Geometry, n uint64, prec uint) (Enclosure, error) {
	return sliceRate(g.M/uint64(g.K), n, g.K, prec)
}

// sliceRate returns (1 - (1-1/s)^n)^r for s >= 1, n >= 1.
func sliceRate(s, n uint64, r int, prec uint) (Enclosure, error) {
	if s == 1 {
		return exactlyInt(1, prec), nil
	}
	// n log1p(-1/s) has relative error 2^-work, which expm1 multiplies by at most its
	// argument's size where that is above 1, and by 1 below.
	big := math.Log2(max(1, float64(n)/float64(s)))
	return ziv(prec, prec+uint(big)+24, func(work uint) *interval.Interval {
		return partitionedRate(s, n, r, work)
	})
}
