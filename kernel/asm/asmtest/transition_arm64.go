//go:build gc && !purego

package asmtest

import "github.com/bloomproof/bloomproof/kernel/asm"

// transitionKernels returns the assembly kernels of the operation op.
func transitionKernels(op string) []transitionKernel {
	switch op {
	case "TransitionRows":
		return []transitionKernel{{"neon", rowsFunc(asm.TransitionRowsNEON)}}
	case "TransitionSums":
		return []transitionKernel{{"neon", sumsFunc(asm.TransitionSumsNEON)}}
	case "TransitionStep":
		return []transitionKernel{{"neon", stepFunc(asm.TransitionStepNEON)}}
	}
	return nil
}
