package approx

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

var partitionedHashing = hashing{
	is:        bloomproof.Partitioned,
	rate:      upperRate,
	rateError: func(int) float64 { return 2 * fm.Unit },
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
	lowerLn: upperLn, // upperLn equals the logarithm of the rate
}
