//go:build !unix

package kernel

// assumedBytes is the assumed size of the host's memory, in bytes. It is 64 GiB. This operating system does not say how
// much memory the host has. Most hosts have less memory. Such a host never refuses a filter that fits in its memory.
const assumedBytes = 64 << 30

// canAllocate reports whether n is at most assumedBytes.
func canAllocate(n uint64) bool { return n <= assumedBytes }
