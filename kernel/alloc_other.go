//go:build !unix

package kernel

// assumedBytes is the number of bytes of memory that a host is assumed to have. It is 64 GiB. This operating system
// does not say how much memory the host has. Most hosts have less memory. On these hosts, a filter that fits in the
// memory is never refused.
const assumedBytes = 64 << 30

// canAllocate reports whether n bytes fit in the memory that the host is assumed to have.
func canAllocate(n uint64) bool { return n <= assumedBytes }
