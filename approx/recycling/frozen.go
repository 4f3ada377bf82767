package recycling

import (
	"github.com/bloomproof/bloomproof"
)

// Frozen returns the probability that i bits of an array are set when its cycle ends. If freezeBefore is true, the bits
// that the last arrival of the cycle sets are not counted.
//
// Source: Dozier-FP, equations (24) and (25), which describe freeze-before.
// Domain: 0 <= i <= m; the bit-bounded rule.
// Error: relative, with u = 2^-53, at most (12k+4)u plus the error of the method by which New computed the cycle. For
// the chain, the error of this method is (22k+20)u (sigma+1). For the closed formulas it is Bound() sigma/(k(k+1)). A
// probability below 2^-900 may be returned as 0. The tests measure an error of 1e-13.
// Cost: 2k^2 steps beyond New.
// Errors: *bloomproof.ParamError.
func (c *Cycle) Frozen(i uint64, freezeBefore bool) (float64, error) {
	if c.r.Messages > 0 {
		return 0, &bloomproof.ParamError{Param: "messages", Value: c.r.Messages, Want: "0 (the bit-bounded rule)"}
	}
	if i > c.g.M {
		return 0, &bloomproof.ParamError{Param: "i", Value: i, Want: "at most m"}
	}
	f := c.n.Frozen(c.g, c.r.Sigma, freezeBefore)
	if i < f.First || i > f.Last() {
		return 0, nil
	}
	return f.Law[i-f.First], nil
}
