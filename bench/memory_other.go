//go:build !linux

package bench

// Advise returns false, because this system takes no advice about pages.
func Advise([][]uint64, bool) bool { return false }

// HugeShare returns false, because this system does not report huge pages.
func HugeShare([]uint64) (share float64, ok bool) { return 0, false }

// HugeShareOf returns false, because this system does not report huge pages.
func HugeShareOf(int, uint64, uint64) (share float64, ok bool) { return 0, false }
