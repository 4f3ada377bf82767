//go:build gc && !purego

package asmtest

import "github.com/bloomproof/bloomproof/kernel/asm"

// probeKernels returns the assembly of operation op.
func probeKernels(op string) []probeKernel {
	switch op {
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
	}
	return nil
}
