//go:build gc && !purego

package asmtest

import "github.com/bloomproof/bloomproof/kernel/asm"

// popcountKernels returns the assembly kernels of the operation op.
func popcountKernels(op string) []kernel {
	switch op {
	case "Count":
		return []kernel{{"neon", one(asm.CountNEON)}}
	case "AndCount":
		return []kernel{{"neon", asm.AndCountNEON}}
	case "OrCount":
		return []kernel{{"neon", asm.OrCountNEON}}
	case "XorCount":
		return []kernel{{"neon", asm.XorCountNEON}}
	case "AndNotCount":
		return []kernel{{"neon", asm.AndNotCountNEON}}
	case "AndInto":
		return []kernel{{"neon", asm.AndIntoNEON}}
	case "OrInto":
		return []kernel{{"neon", asm.OrIntoNEON}}
	case "AndNotInto":
		return []kernel{{"neon", asm.AndNotIntoNEON}}
	}
	return nil
}
