package exact

import "github.com/bloomproof/bloomproof/exact/internal/interval"

// An interval whose ends are out of order is a mistake in package interval; in tests it
// panics.
func init() { interval.PanicOnDisorder() }
