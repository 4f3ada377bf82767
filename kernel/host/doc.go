// Package host detects once, at start, which implementations of the bit kernels
// this host can run.
//
// The environment variable BLOOMPROOF_CPU=portable|popcnt|avx2|avx512|neon can lower the choice and never raise it. A
// word that cannot be obeyed changes nothing, and Problem reports it. With the build tag purego only Portable exists.
//
// Every kernel that may be chosen is then run once on a fixed input; all of them together take less than 0.1 ms. If a
// kernel of a family is wrong, the family is Portable from then on (Faults). BLOOMPROOF_CHECK=off turns that off.
package host
