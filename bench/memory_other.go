//go:build !linux

package bench

// Advise asks for nothing where the system takes no advice about pages.
func Advise([][]uint64, bool) bool { return false }

// HugeShare knows nothing where the system does not say.
func HugeShare([]uint64) (share float64, ok bool) { return 0, false }

// HugeShareOf knows nothing where the system does not say.
func HugeShareOf(int, uint64, uint64) (share float64, ok bool) { return 0, false }
