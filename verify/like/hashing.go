package like

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// inSlices is the geometry of a filter with k slices. Each key has one position in each slice.
var inSlices = bloomproof.Geometry{Hashing: bloomproof.Partitioned}

// If m is at most bbloomMost, the start and the step of double hashing share no bit of the hash.
const bbloomMost = 1 << 32

// fromZero and fromOdd are the rate functions of the bbloom family. The function fromZero is for steps of any value,
// and fromOdd is for odd steps.
var (
	fromZero = bbloomRate(bloomproof.DoubleZero)
	fromOdd  = bbloomRate(bloomproof.DoubleOdd)
)

// bbloomRate returns the rate of double hashing in m bits, where m is a power of two. A key's hash has 64 bits. The
// high log2(m) bits of the hash are the start, and the low log2(m) bits are the step. Up to m = 2^32 the start and the
// step are independent and uniform.
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
