// Package refuse constructs the errors that package exact and its subpackages return.
package refuse

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/fault"
)

// Package exact exports ErrPrecision. Each of the other errors wraps the error of the same name in package bloomproof.
var (
	ErrPrecision = errors.New("exact: enclosure too wide")
	ErrRange     = fmt.Errorf("exact: %w", bloomproof.ErrRange)
	ErrTooCostly = fmt.Errorf("exact: %w", bloomproof.ErrTooCostly)
	ErrUndefined = fmt.Errorf("exact: %w", bloomproof.ErrUndefined)
)

// TooCostly returns ErrTooCostly with the number of steps of a computation and its limit.
func TooCostly(what string, cost, limit float64) error {
	return fmt.Errorf("%s takes %.3g steps, at most %.3g are allowed: %w", what, cost, limit, ErrTooCostly)
}

// Costly returns a ParamError that wraps ErrTooCostly. It is for cases in which one parameter alone decides the cost.
func Costly(param string, value any, want string) error {
	return fmt.Errorf("%w: %w", &bloomproof.ParamError{Param: param, Value: value, Want: want}, ErrTooCostly)
}

// Undefined returns ErrUndefined with the name of the number that has no value, and the reason.
func Undefined(name, why string) error { return fmt.Errorf("%s: %s: %w", name, why, ErrUndefined) }

// Among returns the route r. If r is the argument "auto", Among returns the first route of the list "known". If r is
// not in this list, Among returns a ParamError. The argument "what" becomes the name of the function in this error.
func Among[R ~string](r, auto R, known []R, what string) (R, error) {
	if r == auto {
		return known[0], fault.Part()
	}
	names := []string{string(auto)}
	for _, k := range known {
		if k == r {
			return r, fault.Part()
		}
		names = append(names, string(k))
	}
	return auto, &bloomproof.ParamError{Param: "route", Value: r, Want: fmt.Sprintf("one of %s for %s", strings.Join(names, ", "), what)}
}
