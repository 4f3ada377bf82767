package exact

import "github.com/bloomproof/bloomproof/exact/internal/refuse"

// ErrPrecision reports that an enclosure is wider than the caller asked. Functions of this package and its subpackages
// wrap it in an error that names the quantity. In the same way they wrap bloomproof.ErrRange, bloomproof.ErrTooCostly
// and bloomproof.ErrUndefined.
var ErrPrecision = refuse.ErrPrecision
