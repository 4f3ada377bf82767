//go:build gc && !purego

package asmtest

import "github.com/bloomproof/bloomproof/kernel/asm"

// probeKernels returns the assembly kernels of the operation op.
func probeKernels(op string) []probeKernel {
	f, ok := map[string]ProbeFunc{
		"Positions":           positionsFunc(asm.PositionsNEON),
		"Contains":            hashesFunc(asm.ContainsNEON),
		"Add":                 hashesFunc(asm.AddNEON),
		"ContainsAt":          atFunc(asm.ContainsAtNEON),
		"AddAt":               atFunc(asm.AddAtNEON),
		"AddSlicesAt":         slicesFunc(asm.AddSlicesAtNEON),
		"ContainsPair":        pairFunc(asm.ContainsPairNEON),
		"ContainsPairAt":      pairAtFunc(asm.ContainsPairAtNEON),
		"AddPairAt":           sidedFunc(asm.AddPairAtNEON),
		"ContainsRing":        hashesFunc(asm.ContainsRingNEON),
		"ContainsRingNTA":     hashesFunc(asm.ContainsRingNTANEON),
		"ContainsPairRing":    pairFunc(asm.ContainsPairRingNEON),
		"ContainsPairRingNTA": pairFunc(asm.ContainsPairRingNTANEON),
		"Prefetch":            prefetchFunc(asm.PrefetchNEON),
	}[op]
	if !ok {
		return blockKernels(op)
	}
	return []probeKernel{{"neon", f}}
}
