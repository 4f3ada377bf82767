//go:build !gc || purego || (!amd64 && !arm64)

package host

// kernels is empty: this build has no kernels.
var kernels []kernel
