package like

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// inSlices is a filter with one position in each of k slices.
var inSlices = bloomproof.Geometry{Hashing: bloomproof.Partitioned}

// bbloomMost is the largest m whose start and step have no bits of the hash in common.
const bbloomMost = 1 << 32

// fromZero and fromOdd are the rates of the bbloom family, whose steps take any value or odd ones.
var (
	fromZero = bbloomRate(bloomproof.DoubleZero)
	fromOdd  = bbloomRate(bloomproof.DoubleOdd)
)

// bbloomRate is the rate of a start and a step in m bits, a power of two. Both are log2 m bits of a hash of
// 64: the high ones and the low ones. They are independent and uniform up to 2^32 bits.
func bbloomRate(hashing bloomproof.Hashing) rate {
	return func(g bloomproof.Geometry, n uint64, prec uint) (exact.Enclosure, error) {
		if g.M > bbloomMost {
			return exact.Enclosure{}, fmt.Errorf("start and step share bits of the hash where m is above %d: %w", uint64(bbloomMost), bloomproof.ErrUndefined)
		}
		g.Hashing = hashing
		e, _, err := exact.FPR(g, n, prec, exact.Auto)
		return e, err
	}
}
