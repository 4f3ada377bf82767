package approx

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

var partitionedHashing = hashing{
	is:        bloomproof.Partitioned,
	rate:      func(m, n uint64, k int) rate { return partitionedRate(m/uint64(k), n, k) },
	rateError: func(int) float64 { return 8 * fm.Unit },
	draws: func(m, n uint64, k int) committees {
		return committees{m / uint64(k), 1, uint64(k), fm.Whole(n)}
	},
	bounds: []bloomproof.Bound{
		bloomproof.BoundBloom, bloomproof.BoundExponential, bloomproof.BoundLower, bloomproof.BoundLowerSimple,
		bloomproof.BoundLowerClassic, bloomproof.BoundUpper, bloomproof.BoundPartitioned,
	},
	mostK: upToM, kDividesM: true,
	leastM:  func(k int) uint64 { return uint64(k) },
	startK:  halfFull,
	lowerLn: upperLn, // it is the rate
}

// partitionedRate returns (1-q)^k, q = (1-1/s)^n, for k slices of s bits, n >= 1. Up to
// the last step it has two words.
func partitionedRate(s, n uint64, k int) rate {
	if s == 1 {
		return near1(0)
	}
	t := fm.Whole(n).Mul(fm.LogMiss(1, s)) // ln q
	if q := t.Exp().Float64(); float64(k)*q <= 0.5 {
		// k ln(1-q) within 4u; its exponential less 1 is less sensitive.
		return near1(-fm.Expm1(float64(k) * fm.Log1p(-q)))
	}
	return below1(t.Expm1().Neg().Scale().Pow(k))
}
