//go:build !unix

package kernel

// canAllocate reports whether n bytes are within a limit that hosts without a way
// to ask are taken to have: 64 GiB.
func canAllocate(n uint64) bool { return n <= 64<<30 }
