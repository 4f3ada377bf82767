package cycle

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/message"
	"github.com/bloomproof/bloomproof/approx/internal/sizing"
)

// CheckSizing validates the arguments of MostMessages.
func CheckSizing(g bloomproof.Geometry, r bloomproof.Recycling, p float64) error {
	if g.M < 1 {
		return &bloomproof.ParamError{Param: "m", Value: g.M, Want: "between 1 and 2^64-1"}
	}
	if err := message.Known(g); err != nil {
		return err
	}
	if err := sizing.Check(g, p); err != nil {
		return err
	}
	if r.Messages > 0 || r.Sigma != 0 {
		return &bloomproof.ParamError{Param: "recycling", Value: r, Want: "bit-bounded with sigma left out"}
	}
	g.K = max(g.K, 1)
	if r.Retain {
		r.Sigma = uint64(g.K)
		if r.Sigma >= g.M {
			return &bloomproof.ParamError{Param: "m", Value: g.M, Want: "above k when retaining"}
		}
	}
	return r.Validate(g)
}
