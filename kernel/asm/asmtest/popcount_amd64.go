//go:build gc && !purego

package asmtest

import "github.com/bloomproof/bloomproof/kernel/asm"

// popcountKernels returns the assembly kernels of the operation op.
func popcountKernels(op string) []kernel {
	switch op {
	case "Count":
		return []kernel{{"popcnt", one(asm.CountPopcnt)}, {"avx2", one(asm.CountAVX2)}, {"avx512", one(asm.CountAVX512)}}
	case "AndCount":
		return []kernel{{"popcnt", asm.AndCountPopcnt}, {"avx2", asm.AndCountAVX2}, {"avx512", asm.AndCountAVX512}}
	case "OrCount":
		return []kernel{{"popcnt", asm.OrCountPopcnt}, {"avx2", asm.OrCountAVX2}, {"avx512", asm.OrCountAVX512}}
	case "XorCount":
		return []kernel{{"popcnt", asm.XorCountPopcnt}, {"avx2", asm.XorCountAVX2}, {"avx512", asm.XorCountAVX512}}
	case "AndNotCount":
		return []kernel{{"popcnt", asm.AndNotCountPopcnt}, {"avx2", asm.AndNotCountAVX2}, {"avx512", asm.AndNotCountAVX512}}
	case "AndInto":
		return []kernel{{"popcnt", asm.AndIntoPopcnt}, {"avx2", asm.AndIntoAVX2}, {"avx512", asm.AndIntoAVX512}}
	case "OrInto":
		return []kernel{{"popcnt", asm.OrIntoPopcnt}, {"avx2", asm.OrIntoAVX2}, {"avx512", asm.OrIntoAVX512}}
	case "AndNotInto":
		return []kernel{{"popcnt", asm.AndNotIntoPopcnt}, {"avx2", asm.AndNotIntoAVX2}, {"avx512", asm.AndNotIntoAVX512}}
	}
	return nil
}
