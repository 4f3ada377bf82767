//go:build !gc || purego || (!amd64 && !arm64)

package asmtest

// probeKernels returns no kernels, because this build has no assembly.
func probeKernels(string) []probeKernel { return nil }
