package bloomproof

import "fmt"

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
