package exact

import "github.com/bloomproof/bloomproof/exact/internal/refuse"

// ErrPrecision reports that no enclosure as narrow as the caller asked was found. Functions of this package and its
// subpackages wrap it in an error that names the quantity. In the same way they wrap bloomproof.ErrRange,
// bloomproof.ErrTooCostly and bloomproof.ErrUndefined.
var ErrPrecision = refuse.ErrPrecision
