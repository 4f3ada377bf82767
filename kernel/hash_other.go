//go:build !gc || purego || race || !amd64

package kernel

import "github.com/bloomproof/bloomproof/kernel/asm"

// xxh3Words sets dst[i] to the hash of keys[i], which are as many: xxh3Word of each. arm64
// has no kernel of it: NEON multiplies 32 bits, twice at a time, and would take five products
// a key, where the Go code has four of 64 bits.
func xxh3Words(_ impl, dst []Hash, keys []uint64, seed uint64) {
	asm.HashWordsPortable(hashWords(dst), keys, seed)
}
