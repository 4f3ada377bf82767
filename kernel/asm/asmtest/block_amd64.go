//go:build gc && !purego

package asmtest

import "github.com/bloomproof/bloomproof/kernel/asm"

// blockKernels returns the assembly kernels of the operation op on blocks.
func blockKernels(op string) []probeKernel {
	switch op {
	case "BlockContains512":
		return []probeKernel{{"avx2", block512Func(asm.BlockContains512AVX2)}}
	case "BlockContains512T1":
		return []probeKernel{{"avx2", block512Func(asm.BlockContains512T1AVX2)}}
	case "BlockContains512One":
		return []probeKernel{{"avx2", oneContains(asm.BlockContains512OneAVX2)}, {"avx512", oneContains(asm.BlockContains512OneAVX512)}}
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
		return []probeKernel{{"avx2", oneContains(asm.BlockContains8x64OneAVX2)}, {"avx512", oneContains(asm.BlockContains8x64OneAVX512)}}
	case "BlockAdd8x64":
		return []probeKernel{{"avx2", blockEachFunc(asm.BlockAdd8x64AVX2)}}
	case "BlockAdd8x64T1":
		return []probeKernel{{"avx2", blockEachFunc(asm.BlockAdd8x64T1AVX2)}}
	case "BlockAdd8x64One":
		return []probeKernel{{"avx2", oneAdd(asm.BlockAdd8x64OneAVX2)}, {"avx512", oneAdd(asm.BlockAdd8x64OneAVX512)}}
	case "BlockContains8x32":
		return []probeKernel{{"avx2", blockEachFunc(asm.BlockContains8x32AVX2)}}
	case "BlockContains8x32T1":
		return []probeKernel{{"avx2", blockEachFunc(asm.BlockContains8x32T1AVX2)}}
	case "BlockContains8x32One":
		return []probeKernel{{"avx2", oneContains(asm.BlockContains8x32OneAVX2)}}
	case "BlockAdd8x32":
		return []probeKernel{{"avx2", blockEachFunc(asm.BlockAdd8x32AVX2)}}
	case "BlockAdd8x32T1":
		return []probeKernel{{"avx2", blockEachFunc(asm.BlockAdd8x32T1AVX2)}}
	case "BlockAdd8x32One":
		return []probeKernel{{"avx2", oneAdd(asm.BlockAdd8x32OneAVX2)}}
	}
	return nil
}

// The kernel f processes one key. Each of the functions oneContains and oneAdd returns an operation that processes many
// keys. The operation calls f for one key after the other, until there is no more room for answers. If the array has no
// whole block, the operation does not call f, because f does not permit such arrays.
func oneContains(f func(a *asm.BlockArray, h0, h1 uint64) bool) ProbeFunc {
	return func(c ProbeCall) (found, _ int) {
		if blockless(c) {
			return 0, 0
		}
		a, out := asm.NewBlockArray(c.Words, c.K, c.Block), bools(c.Out)
		for i := range min(len(out), len(c.Keys)/2) {
			out[i] = f(&a, c.Keys[2*i], c.Keys[2*i+1])
			found += int(c.Out[i])
		}
		return found, 0
	}
}

func oneAdd(f func(a *asm.BlockArray, h0, h1 uint64) int) ProbeFunc {
	return func(c ProbeCall) (fresh, _ int) {
		if blockless(c) {
			return 0, 0
		}
		a, out := asm.NewBlockArray(c.Words, c.K, c.Block), bools(c.Out)
		for i := range min(len(out), len(c.Keys)/2) {
			n := f(&a, c.Keys[2*i], c.Keys[2*i+1])
			out[i] = n != 0
			fresh += n
		}
		return fresh, 0
	}
}

// The function "blockless" reports whether the array of c has no whole block.
func blockless(c ProbeCall) bool { return uint64(len(c.Words)) < c.Block/64 }
