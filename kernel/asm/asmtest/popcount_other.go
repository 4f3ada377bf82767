//go:build !gc || purego || (!amd64 && !arm64)

package asmtest

// popcountKernels returns no kernels, because this build has no assembly.
func popcountKernels(string) []kernel { return nil }
