//go:build gc && !purego

package asmtest

// probeKernels returns the assembly of operation op.
func probeKernels(string) []probeKernel { return nil }
