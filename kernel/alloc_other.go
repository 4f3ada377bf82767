//go:build !unix

package kernel

// assumedBytes is the memory that a host is assumed to have when it cannot be asked: 64 GiB. Most hosts have less
// memory than that, so a filter that would fit is not refused.
const assumedBytes = 64 << 30

// canAllocate reports whether n bytes fit in the memory that the host is assumed to have.
func canAllocate(n uint64) bool { return n <= assumedBytes }
