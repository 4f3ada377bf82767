//go:build gc && !purego

package asmtest

import "github.com/bloomproof/bloomproof/kernel/asm"

// transitionKernels returns the assembly kernels of the operation op.
func transitionKernels(op string) []transitionKernel {
	switch op {
	case "TransitionRows":
		return []transitionKernel{{"avx2", rowsFunc(asm.TransitionRowsAVX2)}, {"avx512", rowsFunc(asm.TransitionRowsAVX512)}}
	case "TransitionSums":
		return []transitionKernel{{"avx2", sumsFunc(asm.TransitionSumsAVX2)}, {"avx512", sumsFunc(asm.TransitionSumsAVX512)}}
	case "TransitionStep":
		return []transitionKernel{{"avx2", stepFunc(asm.TransitionStepAVX2)}, {"avx512", stepFunc(asm.TransitionStepAVX512)}}
	}
	return nil
}
