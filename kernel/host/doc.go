// Package host detects once, at start, which implementations of the bit kernels
// this host can run.
//
// The environment variable BLOOMPROOF_CPU=portable|popcnt|avx2|avx512|neon can
// lower the choice and never raise it. A word that cannot be followed changes
// nothing and is kept in Problem, so that it shows. The build tag purego leaves
// Portable alone.
//
// Every kernel that may then be chosen is run once on a fixed input, in less than 0.1 ms in
// all, and a family of which one is wrong is Portable from then on (Faults).
// BLOOMPROOF_CHECK=off turns that off.
package host
