// Package host finds out which implementations of the bit kernels this host can run. It does so once, when the program
// starts.
//
// The environment variable BLOOMPROOF_CPU can have the value portable, popcnt, avx2, avx512 or neon. Implementations
// that are better than this one are then not used. It never selects an implementation that the CPU cannot run. If its
// value is invalid, it has no effect, and the function Problem says why. With the build tag purego there is only the
// implementation Portable.
//
// At the start of the program, package host runs each kernel of these implementations once, on a fixed input. All
// kernels together take less than 0.1 ms. If a kernel gives a wrong result, its family uses Portable from then on, and
// the function Faults reports this. If the environment variable BLOOMPROOF_CHECK is "off", this check is not made.
package host
