package claims

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// bound is a closed formula from the papers that depends on m, n and k alone.
type bound func(m, n uint64, k int, prec uint) (exact.Enclosure, error)

// These are the formulas of exact.Bound. The hashing does not matter here, so each formula names one for which its kind
// is defined.
var (
	bloomAt        = boundAt(bloomproof.BoundBloom)
	exponentialAt  = boundAt(bloomproof.BoundExponential)
	taylorAt       = boundAt(bloomproof.BoundTaylor)
	lowerAt        = boundAt(bloomproof.BoundLower)
	lowerSimpleAt  = boundAt(bloomproof.BoundLowerSimple)
	upperAt        = boundAt(bloomproof.BoundUpper)
	boseAt         = boundAt(bloomproof.BoundBose)
	lowerClassicAt = func(m, n uint64, k int, prec uint) (exact.Enclosure, error) {
		if uint64(k) > m {
			return exact.Enclosure{}, bloomproof.ErrUndefined
		}
		return exact.Bound(bloomproof.BoundLowerClassic, bloomproof.Geometry{M: m, K: k, Hashing: classicFilter.hashing}, n, prec)
	}
)

func boundAt(kind bloomproof.Bound) bound {
	return func(m, n uint64, k int, prec uint) (exact.Enclosure, error) {
		return exact.Bound(kind, bloomproof.Geometry{M: m, K: k}, n, prec)
	}
}
