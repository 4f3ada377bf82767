package bloomproof

import (
	"errors"
	"fmt"
)

// ParamError reports a parameter outside its permitted range. Every function of this module that rejects an argument
// returns a ParamError (match it with errors.As).
type ParamError struct {
	Param string // the parameter's name as the documentation spells it, such as "k"
	Value any    // the value that was given
	Want  string // the permitted range, worded to follow "must be"
}

// Error returns "bloomproof: <param> must be <range>, got <value>". A long value is cut.
func (e *ParamError) Error() string {
	const most = 64
	v := fmt.Sprint(e.Value)
	if s, ok := e.Value.(string); ok {
		v = fmt.Sprintf("%q", s)
	}
	if len(v) > most {
		v = v[:most] + "..."
	}
	return "bloomproof: " + e.Param + " must be " + e.Want + ", got " + v
}

// Functions that compute a number return these errors if the parameters are valid but there is no answer. Each error is
// wrapped in an error that names the computation, so test for it with errors.Is. Invalid parameters give a ParamError
// instead.
var (
	// ErrUndefined reports that the parameters are valid, but a number does not exist or a bound does not hold. For
	// example, the bound "upper" does not exist if k is larger than m.
	ErrUndefined = errors.New("undefined here")

	// ErrTooCostly reports that a computation would exceed the limit of cost that its function documents.
	ErrTooCostly = errors.New("too costly")

	// ErrRange reports that a number exists but is outside the range of its type. Counts have the type uint64. Other
	// numbers have the type big.Float. The smallest positive number of this type is about 2^-(2^31).
	ErrRange = errors.New("beyond the range of its type")
)
