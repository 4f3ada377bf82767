//go:build !gc || purego || race || (!amd64 && !arm64)

package host

// Assembly is false, because this build must not use assembly kernels.
const Assembly = false
