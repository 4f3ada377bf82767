package asmtest

import "runtime"

// TouchPortable reads every word of x. It returns the bitwise OR of all words. Without this result, the compiler would
// remove the reads.
func TouchPortable(x []uint64) (w uint64) {
	for ; len(x) >= 8; x = x[8:] {
		w |= x[0] | x[1] | x[2] | x[3] | x[4] | x[5] | x[6] | x[7]
	}
	for _, v := range x {
		w |= v
	}
	return w
}

// Touch returns a function that only reads the words of x. It uses the widest loads of the implementation impl. No
// kernel of this implementation can be faster than this function, so benchmarks compare the kernels with it.
func Touch(impl string) func(x []uint64) {
	if f := touchKernel(impl); f != nil {
		return f
	}
	return func(x []uint64) { runtime.KeepAlive(TouchPortable(x)) }
}
