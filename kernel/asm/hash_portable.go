package asm

import "math/bits"

// The portable functions in this file are the specification of the hash family, and are compiled on every host.

// HashWord returns the low and the high word of XXH3-128 with a seed, for the 8 little-endian bytes of key. It
// implements the branch for inputs of 4 to 8 bytes in the specification of XXH3-128, for length 8.
func HashWord(key, seed uint64) (lo, hi uint64) { return HashFlipped(key ^ HashFlip(seed)) }

// Hashing first flips some bits of the key, which depend on the seed. HashFlip returns these bits.
func HashFlip(seed uint64) uint64 {
	const flip = 0xdb979083e96dd4de ^ 0x1f67b3b7a4a44072 // words 2 and 3 of the default secret
	return flip + (seed ^ uint64(bits.ReverseBytes32(uint32(seed)))<<32)
}

// HashFlipped returns the hash that HashWord returns for a key and a seed. The argument must be the bitwise XOR of that
// key and HashFlip(seed).
func HashFlipped(key uint64) (lo, hi uint64) {
	const prime = 0x9e3779b185ebca87 // XXH_PRIME64_1
	hi, lo = bits.Mul64(key, prime+8<<2)
	hi += lo << 1
	lo ^= hi >> 3
	lo = (lo ^ lo>>35) * 0x9fb21c651e98df25
	hi = (hi ^ hi>>37) * 0x165667919e3779f9
	return lo ^ lo>>28, hi ^ hi>>32
}

// HashWordsPortable sets dst[2i] and dst[2i+1] to the hash of keys[i], for every key for which dst has room. It returns
// the number of those keys: n = min(len(dst)/2, len(keys)).
func HashWordsPortable(dst, keys []uint64, seed uint64) int {
	n := min(len(dst)/2, len(keys))
	for i, key := range keys[:n] {
		dst[2*i], dst[2*i+1] = HashWord(key, seed)
	}
	return n
}
