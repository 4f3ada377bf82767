package exact

import "github.com/bloomproof/bloomproof/exact/internal/refuse"

// ErrPrecision reports that an enclosure is wider than what was asked of it. Functions of this
// package and its rooms return it wrapped in an error that says what it is about, as they do
// bloomproof.ErrRange, bloomproof.ErrTooCostly and bloomproof.ErrUndefined.
var ErrPrecision = refuse.ErrPrecision
