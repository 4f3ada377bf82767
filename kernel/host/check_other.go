//go:build !gc || purego || (!amd64 && !arm64)

package host

// The variable "kernels" is empty, because this build has no assembly kernels.
var kernels []kernel
