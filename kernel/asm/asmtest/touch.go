package asmtest

import "runtime"

// TouchPortable reads every word of x; it returns their or, or the compiler would
// read nothing.
func TouchPortable(x []uint64) (w uint64) {
	for ; len(x) >= 8; x = x[8:] {
		w |= x[0] | x[1] | x[2] | x[3] | x[4] | x[5] | x[6] | x[7]
	}
	for _, v := range x {
		w |= v
	}
	return w
}

// Touch returns the function that only reads, with the widest loads of the
// implementation named: the ceiling of every kernel of it, for benchmarks.
func Touch(impl string) func(x []uint64) {
	if f := touchKernel(impl); f != nil {
		return f
	}
	return func(x []uint64) { runtime.KeepAlive(TouchPortable(x)) }
}
