//go:build !gc || purego || (!amd64 && !arm64)

package asmtest

// transitionKernels returns nothing: this build has no assembly.
func transitionKernels(string) []transitionKernel { return nil }
