package approx

import "github.com/bloomproof/bloomproof"

// CorrectRate returns the correct rate of a counting filter of shape g that holds n
// distinct items, an item incrementing each of its distinct counters once: the
// probability that one of an item's counters is hit by no other item,
//
//	1 - FPR(g, n-1).
//
// Source: Fan, equations (24) and (25).
// Domain: g valid; 1 <= n < 2^64 items.
// Error, Cost: as Complement.
// Errors: *bloomproof.ParamError.
func CorrectRate(g bloomproof.Geometry, n uint64) (float64, error) {
	if n < 1 {
		return 0, &bloomproof.ParamError{Param: "n", Value: n, Want: "at least 1"}
	}
	return Complement(g, n-1)
}
