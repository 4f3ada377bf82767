package asm

import "math/bits"

// The portable functions in this file and in probe_portable.go specify the operations of the probe family. They are
// compiled on every host.
//
// A key is given by its hash, which is two words. Key i of h has the hash h0 = h[2i], h1 = h[2i+1]. If h has an odd
// number of words, the last word is not used. For 0 <= j < k, the j-th position of a key is:
//
//	j*step + hi((mix(h0 + (j+1)*(h1|1)) &^ 0xfff) * span).
//
// Here x is a product of 128 bits, and hi(x) is its upper half. This derivation is the one that package kernel
// specifies. In standard hashing "span" is m and "step" is 0. In partitioned hashing both are m/k. Every position is
// less than (k-1)*step + span. The caller must ensure that the slice "words" has at least (k-1)*step + span bits.

// The function "mix" computes the output of the generator SplitMix64 for the state z.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// The function "position" returns the j-th position of the key with the hash h0, h1.
func position(h0, h1 uint64, j int, span, step uint64) uint64 {
	hi, _ := bits.Mul64(mix(h0+uint64(j+1)*(h1|1))&^0xfff, span)
	return uint64(j)*step + hi
}

// PositionsPortable sets dst[i*k+j] to the j-th position of key i. It does so for the first n = min(len(h)/2,
// len(dst)/k) keys of h, and returns n.
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
