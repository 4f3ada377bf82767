//go:build !unix

package kernel

// assumedBytes is the number of bytes of memory that a host is assumed to have, because this operating system cannot be
// asked: 64 GiB. Most hosts have less, so no filter is refused that would fit into their memory.
const assumedBytes = 64 << 30

// canAllocate reports whether n bytes fit in the memory that the host is assumed to have.
func canAllocate(n uint64) bool { return n <= assumedBytes }
