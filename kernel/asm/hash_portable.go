package asm

import "math/bits"

// The portable functions in this file specify the operations of the hash family. They are compiled on every host.

// HashWord returns the XXH3-128 hash of key with the given seed. It hashes the 8 bytes of key, the lowest byte first.
// It returns the low and the high word of the hash. The specification of XXH3-128 has a special case for inputs of 4 to
// 8 bytes. HashWord implements this case for 8 bytes.
func HashWord(key, seed uint64) (lo, hi uint64) { return HashFlipped(key ^ HashFlip(seed)) }

// HashFlip returns a word. Where this word has a 1-bit, the bit of a key is inverted before the key is hashed. The word
// depends only on the seed.
func HashFlip(seed uint64) uint64 {
	const flip = 0xdb979083e96dd4de ^ 0x1f67b3b7a4a44072 // words 2 and 3 of the default secret
	return flip + (seed ^ uint64(bits.ReverseBytes32(uint32(seed)))<<32)
}

// HashFlipped returns the same hash as HashWord. Its argument is the bitwise XOR of the key and HashFlip(seed).
func HashFlipped(key uint64) (lo, hi uint64) {
	const prime = 0x9e3779b185ebca87 // XXH_PRIME64_1
	hi, lo = bits.Mul64(key, prime+8<<2)
	hi += lo << 1
	lo ^= hi >> 3
	lo = (lo ^ lo>>35) * 0x9fb21c651e98df25
	hi = (hi ^ hi>>37) * 0x165667919e3779f9
	return lo ^ lo>>28, hi ^ hi>>32
}

// HashWordsPortable sets dst[2i] and dst[2i+1] to the two words of the hash of keys[i]. It does so for the first n =
// min(len(dst)/2, len(keys)) keys, and returns n.
func HashWordsPortable(dst, keys []uint64, seed uint64) int {
	n := min(len(dst)/2, len(keys))
	for i, key := range keys[:n] {
		dst[2*i], dst[2*i+1] = HashWord(key, seed)
	}
	return n
}
