//go:build gc && !purego

package asmtest

// touchAVX2 reads every word of x. Requires avx2.
//
//go:noescape
func touchAVX2(x []uint64)

// touchAVX512 reads every word of x. Requires avx512f.
//
//go:noescape
func touchAVX512(x []uint64)

func touchKernel(impl string) func([]uint64) {
	switch impl {
	case "avx2":
		return touchAVX2
	case "avx512":
		return touchAVX512
	}
	return nil
}
