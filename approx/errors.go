package approx

import (
	"errors"
	"fmt"

	"github.com/bloomproof/bloomproof"
)

// ErrUndefined is returned where a bound is not defined for valid arguments, such
// as Upper for k > m. Each function's comment says where that is.
var ErrUndefined = errors.New("approx: not defined for these arguments")

// ErrTooCostly is returned beyond the stated cost of a function, with that cost.
var ErrTooCostly = errors.New("approx: too costly")

// check returns a ParamError unless m >= 1 and 1 <= k <= bloomproof.MaxK. Every n
// is valid.
func check(m uint64, k int) error {
	switch {
	case m < 1:
		return &bloomproof.ParamError{Param: "m", Value: m, Want: "between 1 and 2^64-1"}
	case k < 1 || k > bloomproof.MaxK:
		return &bloomproof.ParamError{Param: "k", Value: k, Want: fmt.Sprintf("between 1 and %d", bloomproof.MaxK)}
	}
	return nil
}

// checkBits is check, and ErrUndefined when k > m.
func checkBits(m uint64, k int) error {
	if err := check(m, k); err != nil {
		return err
	}
	if uint64(k) > m {
		return ErrUndefined
	}
	return nil
}
