//go:build gc && !purego

package asmtest

import "github.com/bloomproof/bloomproof/kernel/asm"

// probeKernels returns the assembly kernels of the operation op.
func probeKernels(op string) []probeKernel {
	switch op {
	case "Positions":
		return []probeKernel{{"avx2", positionsFunc(asm.PositionsAVX2)}, {"avx512", positionsFunc(asm.PositionsAVX512)}}
	case "Contains":
		return []probeKernel{{"popcnt", hashesFunc(asm.ContainsPopcnt)}, {"avx2", hashesFunc(asm.ContainsAVX2)}, {"avx512", hashesFunc(asm.ContainsAVX512)}}
	case "ContainsOne":
		return []probeKernel{{"avx2", oneFunc(asm.ContainsOneAVX2)}, {"avx512", oneFunc(asm.ContainsOneAVX512)}}
	case "ContainsGather":
		return []probeKernel{{"avx512", hashesFunc(asm.ContainsGatherAVX512)}}
	case "ContainsLevels":
		return []probeKernel{{"avx2", hashesFunc(asm.ContainsLevelsAVX2)}}
	case "AddAhead":
		return []probeKernel{{"avx2", hashesFunc(asm.AddAheadAVX2)}}
	case "Add":
		return []probeKernel{{"popcnt", hashesFunc(asm.AddPopcnt)}, {"avx2", hashesFunc(asm.AddAVX2)}, {"avx512", hashesFunc(asm.AddAVX512)}}
	case "AddOne":
		return []probeKernel{{"avx2", addOneFunc(asm.AddOneAVX2)}}
	case "ContainsRing":
		return []probeKernel{{"popcnt", hashesFunc(asm.ContainsRingPopcnt)}, {"avx512", hashesFunc(asm.ContainsRingAVX512)}}
	case "ContainsRingT1":
		return []probeKernel{{"popcnt", hashesFunc(asm.ContainsRingT1Popcnt)}, {"avx512", hashesFunc(asm.ContainsRingT1AVX512)}}
	case "ContainsRingNTA":
		return []probeKernel{{"popcnt", hashesFunc(asm.ContainsRingNTAPopcnt)}}
	case "ContainsPairRing":
		return []probeKernel{{"popcnt", pairFunc(asm.ContainsPairRingPopcnt)}}
	case "ContainsPairRingT1":
		return []probeKernel{{"popcnt", pairFunc(asm.ContainsPairRingT1Popcnt)}}
	case "ContainsPairRingNTA":
		return []probeKernel{{"popcnt", pairFunc(asm.ContainsPairRingNTAPopcnt)}}
	case "ContainsAt":
		return []probeKernel{{"popcnt", atFunc(asm.ContainsAtPopcnt)}}
	case "AddAt":
		return []probeKernel{{"popcnt", atFunc(asm.AddAtPopcnt)}}
	case "AddSlicesAt":
		return []probeKernel{{"popcnt", slicesFunc(asm.AddSlicesAtPopcnt)}}
	case "ContainsPairAt":
		return []probeKernel{{"popcnt", pairAtFunc(asm.ContainsPairAtPopcnt)}}
	case "AddPairAt":
		return []probeKernel{{"popcnt", sidedFunc(asm.AddPairAtPopcnt)}}
	case "Prefetch":
		return []probeKernel{{"popcnt", prefetchFunc(asm.PrefetchPopcnt)}}
	case "PrefetchT1":
		return []probeKernel{{"popcnt", prefetchFunc(asm.PrefetchT1Popcnt)}}
	}
	return blockKernels(op)
}

// oneFunc makes an operation on many keys from the kernel f, which processes one key. The operation calls f for one key
// after the other, until there is no more room for answers.
func oneFunc(f func(words []uint64, h0, h1 uint64, k int, span, step uint64) bool) ProbeFunc {
	return func(c ProbeCall) (found, _ int) {
		out := bools(c.Out)
		for i := range min(len(out), len(c.Keys)/2) {
			out[i] = f(c.Words, c.Keys[2*i], c.Keys[2*i+1], c.K, c.Span, c.Step)
			found += int(c.Out[i])
		}
		return found, 0
	}
}

// addOneFunc does the same as oneFunc, but its kernel f adds a key. This kernel returns how many bits of the key were
// clear before the call.
func addOneFunc(f func(words []uint64, h0, h1 uint64, k int, span, step uint64) int) ProbeFunc {
	return func(c ProbeCall) (fresh, _ int) {
		out := bools(c.Out)
		for i := range min(len(out), len(c.Keys)/2) {
			n := f(c.Words, c.Keys[2*i], c.Keys[2*i+1], c.K, c.Span, c.Step)
			out[i] = n != 0
			fresh += n
		}
		return fresh, 0
	}
}
