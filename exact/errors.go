package exact

import (
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Functions of this package and its rooms return these errors, wrapped in one that says what
// they are about, beside *bloomproof.ParamError.

// ErrPrecision reports that an enclosure is wider than what was asked of it.
var ErrPrecision = refuse.ErrPrecision

// ErrRange reports a value that exists but is outside the range of big.Float, which
// ends near 2^-(2^31), or of uint64 for a count; Log2 and Log10 serve for the former.
var ErrRange = refuse.ErrRange

// ErrTooCostly reports a computation beyond its route's stated limit; the wrapping
// error says how far.
var ErrTooCostly = refuse.ErrTooCostly

// ErrUndefined reports that a bound or approximation does not exist for valid
// parameters, or bounds nothing there; the wrapping error says why.
var ErrUndefined = refuse.ErrUndefined
