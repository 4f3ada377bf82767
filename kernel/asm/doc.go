// Package asm holds the bit kernels: operations on []uint64 in assembly, their Go
// declarations, and a portable twin of each. It imports nothing of this module,
// reads no CPU flags, keeps no state and allocates nothing: package kernel decides
// which kernel runs.
//
// The popcount family, in every implementation (bit i is bit i&63 of word i>>6):
//
//	Count(x)              ones of x
//	AndCount(a, b)        ones of a & b, word by word to the shorter length
//	OrCount(a, b)         ones of a | b
//	XorCount(a, b)        ones of a ^ b
//	AndNotCount(a, b)     ones of a &^ b
//	AndInto(dst, src)     dst &= src, and the ones of what it stored
//	OrInto(dst, src)      dst |= src, and the ones of what it stored
//	AndNotInto(dst, src)  dst &^= src, and the ones of what it stored
//	Subset(a, b)          whether no bit of a is clear in b; it ends early when one is
//
// The transition family, in every implementation but popcnt (float64; states are numbers of
// set bits):
//
//	TransitionRows(dst, ...)      what k positions do to each of many states, stored
//	TransitionSums(part, w, ...)  the same, summed with weights
//	TransitionStep(a, b, ...)     one position, for a distribution over states or for rows
//
// One word names an implementation in file names, function suffixes, BLOOMPROOF_CPU
// and subtests: portable, popcnt, avx2, avx512 (amd64), neon (arm64).
//
// # Rules
//
//   - The portable twin is the specification and is compiled everywhere.
//   - A kernel is a total function: any length including 0, unequal lengths by the
//     shorter, any alignment, any overlap; it gives what its twin gives.
//   - No byte outside the slices is read, not even within their page; no byte
//     outside dst[:min(len(dst), len(src))] is written.
//   - A call cannot be preempted: hand over at most about 1 MiB at a time.
//   - The caller makes sure that the host has what the file's Requires line names.
//   - The race detector does not see what assembly reads and writes.
//
// # Layout
//
// popcount_<impl>_<arch>.s has one TEXT per operation that counts, each of which defines
// how two words are combined and includes popcount_<impl>_<arch>.h, the one loop of that
// implementation; Subset is in subset_<impl>_<arch>.s. transition_<impl>_<arch>.s includes the
// recursion of a message, which AVX2 and AVX-512 share. The build tag purego leaves all
// assembly out.
package asm
