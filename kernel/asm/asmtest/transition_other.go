//go:build !gc || purego || (!amd64 && !arm64)

package asmtest

// transitionKernels returns no kernels, because this build has no assembly.
func transitionKernels(string) []transitionKernel { return nil }
