package approx

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
)

// Let q be the probability that a bit is zero, and t = -ln q. For t above oneTerm, -(1-q) ln(1-q) = q - q^2/2 - ... is
// replaced by q. The relative error of this replacement is below u = 2^-53, because e^-40 < 2^-57.
const oneTerm = 40

// EntropyPerBit returns the entropy of one bit of a standard filter, in bits:
//
//	-(q log2 q + (1-q) log2 (1-q)).
//
// Here q = (1-1/m)^(kn) is the probability that a bit is zero.
//
// Source: Fan, equation (11).
// Domain: g is valid and has no blocks, and its hashing is standard; 0 <= n < 2^64 items.
// Error: the relative error of the entropy e is at most (60 + 10 |ln e|) u, with u = 2^-53.
// Cost: four elementary functions.
// Errors: *bloomproof.ParamError.
func EntropyPerBit(g bloomproof.Geometry, n uint64) (float64, error) {
	h, err := hashingOf(g)
	if err != nil {
		return 0, err
	}
	if h.clear == nil {
		return 0, &bloomproof.ParamError{Param: "hashing", Value: g.Hashing, Want: "standard: the formula is that of a standard filter"}
	}
	t := h.clear(g.M, n, g.K)
	if t == 0 || fm.IsInf(t) {
		return 0, nil
	}
	// Let t = -ln q. The terms q ln q = -t e^-t and (1-q) ln (1-q) have the same sign. The relative errors are 8u for t
	// and (8t+4)u for e^-t. The relative error of ln(1-q) is at most (8t+12)u. The relative error of the sum is at most
	// (8t+16)u. Let e be the entropy, as in the error bound. Then t is below 2.5 + 1.1 |ln e|.
	if t > oneTerm {
		// Here -(1-q) ln(1-q) differs from q by less than q^2. The code multiplies twice by e^(-t/2) instead of once by
		// e^-t = q. For t < 1416 all factors are normal float64. The products are normal too, except that the last
		// product may be subnormal. For larger t the result is below 2^-1074.
		half := fm.Exp(-t / 2)
		return half * (half * (t + 1) / fm.Ln2), nil
	}
	e := t*fm.Exp(-t) + fm.Expm1(-t)*fm.Log1mExp(t)
	return min(e/fm.Ln2, 1), nil
}
