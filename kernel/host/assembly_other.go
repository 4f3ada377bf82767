//go:build !gc || purego || race || (!amd64 && !arm64)

package host

// Assembly is the constant false: this build must not use assembly kernels.
const Assembly = false
