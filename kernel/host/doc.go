// Package host detects which implementations of the bit kernels this host can run. It does so once, when the program
// starts.
//
// The environment variable BLOOMPROOF_CPU=portable|popcnt|avx2|avx512|neon can select a lower implementation than the
// best one, but not a higher one. An invalid value changes nothing, and Problem reports it. With the build tag purego
// only Portable exists.
//
// Package host then runs every kernel that may be chosen once on a fixed input. All of them together take less than 0.1
// ms. If a kernel of a family is wrong, the family uses Portable from then on, and Faults reports it.
// BLOOMPROOF_CHECK=off turns this check off.
package host
