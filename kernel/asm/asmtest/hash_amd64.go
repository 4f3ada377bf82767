//go:build gc && !purego

package asmtest

import "github.com/bloomproof/bloomproof/kernel/asm"

var hashKernels = []hashKernel{{"avx2", asm.HashWordsAVX2}, {"avx512", asm.HashWordsAVX512}}
