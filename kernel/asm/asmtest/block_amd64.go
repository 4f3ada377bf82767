//go:build gc && !purego

package asmtest

import "github.com/bloomproof/bloomproof/kernel/asm"

// blockKernels returns the assembly of operation op on blocks.
func blockKernels(op string) []probeKernel {
	switch op {
	case "BlockContains512":
		return []probeKernel{{"avx2", block512Func(asm.BlockContains512AVX2)}}
	case "BlockContains512T1":
		return []probeKernel{{"avx2", block512Func(asm.BlockContains512T1AVX2)}}
	case "BlockContains512One":
		return []probeKernel{{"avx2", oneContains(asm.BlockContains512OneAVX2)}}
	case "BlockAdd512":
		return []probeKernel{{"popcnt", block512Func(asm.BlockAdd512Popcnt)}, {"avx512", block512Func(asm.BlockAdd512AVX512)}}
	case "BlockAdd512T1":
		return []probeKernel{{"popcnt", block512Func(asm.BlockAdd512T1Popcnt)}, {"avx512", block512Func(asm.BlockAdd512T1AVX512)}}
	case "BlockAdd512One":
		return []probeKernel{{"popcnt", oneAdd(asm.BlockAdd512OnePopcnt)}, {"avx512", oneAdd(asm.BlockAdd512OneAVX512)}}
	case "BlockContains8x64":
		return []probeKernel{{"avx2", blockEachFunc(asm.BlockContains8x64AVX2)}}
	case "BlockContains8x64T1":
		return []probeKernel{{"avx2", blockEachFunc(asm.BlockContains8x64T1AVX2)}}
	case "BlockContains8x64One":
		return []probeKernel{{"avx2", oneContains(eachOne(asm.BlockContains8x64OneAVX2))}}
	case "BlockAdd8x64":
		return []probeKernel{{"avx2", blockEachFunc(asm.BlockAdd8x64AVX2)}}
	case "BlockAdd8x64T1":
		return []probeKernel{{"avx2", blockEachFunc(asm.BlockAdd8x64T1AVX2)}}
	case "BlockAdd8x64One":
		return []probeKernel{{"avx2", oneAdd(eachOne(asm.BlockAdd8x64OneAVX2))}}
	case "BlockContains8x32":
		return []probeKernel{{"avx2", blockEachFunc(asm.BlockContains8x32AVX2)}}
	case "BlockContains8x32T1":
		return []probeKernel{{"avx2", blockEachFunc(asm.BlockContains8x32T1AVX2)}}
	case "BlockContains8x32One":
		return []probeKernel{{"avx2", oneContains(eachOne(asm.BlockContains8x32OneAVX2))}}
	case "BlockAdd8x32":
		return []probeKernel{{"avx2", blockEachFunc(asm.BlockAdd8x32AVX2)}}
	case "BlockAdd8x32T1":
		return []probeKernel{{"avx2", blockEachFunc(asm.BlockAdd8x32T1AVX2)}}
	case "BlockAdd8x32One":
		return []probeKernel{{"avx2", oneAdd(eachOne(asm.BlockAdd8x32OneAVX2))}}
	}
	return nil
}
