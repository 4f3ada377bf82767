package approx

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
)

// EstimateItems estimates the number of items of a filter of shape g from its number of set bits. The estimate is a
// real number n. After n items, the expected number of set bits equals the argument "bits". The formula for n depends
// on the hashing:
//
//	standard              ln(1-bits/m) / (k ln(1-1/m))
//	classic, partitioned  ln(1-bits/m) / ln(1-k/m)
//	with blocks           ln(1-bits/m) / ln(1-c block/m).
//
// In the last line, c is the probability that an item of a block sets a given bit of the block.
//
// Source: Burns, equation (46). The equation describes balls that are thrown in batches. For standard hashing this
// equation is used with nk batches of one ball each.
// Domain: g is valid; 0 <= bits <= m.
// Error: relative, at most 4u (u = 2^-53).
// Cost: half a microsecond.
// Errors: *bloomproof.ParamError. If all bits are set, the estimate is unbounded and the error is ErrUndefined.
func EstimateItems(g bloomproof.Geometry, bits uint64) (float64, error) {
	h, err := searched(g)
	if err != nil {
		return 0, err
	}
	if bits > g.M {
		return 0, &bloomproof.ParamError{Param: "bits", Value: bits, Want: "at most m"}
	}
	each, all := h.logUnset(g.M, g.K)
	switch {
	case bits == g.M:
		return 0, refuse.ErrUndefined
	case bits == 0 || all:
		return 0, nil
	}
	return fm.LogMiss(bits, g.M).Quo(each).Hi, nil
}
