package approx

import "errors"

// ErrUndefined is returned where a value is not defined for valid arguments, such
// as the upper bound for k > m. Each function's comment says where that is.
var ErrUndefined = errors.New("approx: not defined for these arguments")

// ErrTooCostly is returned beyond the stated cost of a function, with that cost.
var ErrTooCostly = errors.New("approx: too costly")

// ErrRange is returned where an answer is beyond 2^64-1.
var ErrRange = errors.New("approx: the answer is beyond 2^64-1")
