package bloomproof

import (
	"errors"
	"fmt"
)

// ParamError reports a parameter outside its permitted range. Every function of
// this module that rejects an argument returns one (match it with errors.As).
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

// Functions that compute a number return these errors, wrapped in one that says what they are about,
// where valid parameters have no answer; errors.Is finds them. What is not valid is a ParamError.
var (
	// ErrUndefined reports that a number does not exist for valid parameters, as the upper bound
	// for k > m, or that a bound bounds nothing there.
	ErrUndefined = errors.New("undefined here")

	// ErrTooCostly reports a computation beyond the limit that its function states.
	ErrTooCostly = errors.New("too costly")

	// ErrRange reports a number that exists but is outside the range of its type: of uint64 for a
	// count, and of big.Float, which ends near 2^-(2^31).
	ErrRange = errors.New("beyond the range of its type")
)
