package exact

import "github.com/bloomproof/bloomproof/exact/internal/refuse"

// ErrPrecision reports that a function did not find an enclosure of the requested precision. The functions of this
// package and its subpackages return an error that wraps ErrPrecision and names the quantity. They wrap
// bloomproof.ErrRange, bloomproof.ErrTooCostly and bloomproof.ErrUndefined in the same way.
var ErrPrecision = refuse.ErrPrecision
