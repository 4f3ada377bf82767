package asm

import "math/bits"

// The portable functions here and in probe_portable.go are the specifications of the probe family, and are compiled on
// every host.
//
// A key is given by its hash of two words. Key i of h has h0 = h[2i] and h1 = h[2i+1], and an odd last word of h is
// ignored. The j-th position of a key, 0 <= j < k, is
//
//	j*step + hi((mix(h0 + (j+1)*(h1|1)) &^ 0xfff) * span)
//
// where hi is the high word of the product of 128 bits. This is the derivation of package kernel, with span = m and
// step = 0 for standard hashing and span = step = m/k for partitioned. Every position is below (k-1)*step + span. The
// caller must ensure that this bound lies within the words.

// The function mix computes the last step of SplitMix64, which turns a state of this generator into an output.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// position returns the j-th position of the hash h0, h1.
func position(h0, h1 uint64, j int, span, step uint64) uint64 {
	hi, _ := bits.Mul64(mix(h0+uint64(j+1)*(h1|1))&^0xfff, span)
	return uint64(j)*step + hi
}

// PositionsPortable sets dst[i*k+j] to the j-th position of key i, for as many keys of h as dst has room for. It
// returns the number of those keys: n = min(len(h)/2, len(dst)/k).
// Domain: k >= 1, span <= 2^48.
func PositionsPortable(dst, h []uint64, k int, span, step uint64) int {
	n := min(len(h)/2, len(dst)/k)
	for i := range n {
		for j := range k {
			dst[i*k+j] = position(h[2*i], h[2*i+1], j, span, step)
		}
	}
	return n
}
