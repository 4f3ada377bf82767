//go:build !unix

package kernel

// assumedBytes is what hosts that cannot be asked are taken to have: 64 GiB, more than most
// do, so that no filter is refused that would fit.
const assumedBytes = 64 << 30

// canAllocate reports whether n bytes are within what the host is taken to have.
func canAllocate(n uint64) bool { return n <= assumedBytes }
