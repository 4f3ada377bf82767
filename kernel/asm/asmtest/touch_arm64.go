//go:build gc && !purego

package asmtest

// touchNEON reads every word of x.
//
//go:noescape
func touchNEON(x []uint64)

func touchKernel(impl string) func([]uint64) {
	if impl == "neon" {
		return touchNEON
	}
	return nil
}
