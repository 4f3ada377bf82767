//go:build !gc || purego || race || !amd64

package kernel

import "github.com/bloomproof/bloomproof/kernel/asm"

// xxh3Words sets dst[i] to xxh3Word(keys[i], seed). The slices dst and keys must have the same length. There is no
// kernel for arm64. The vector instructions of NEON multiply two pairs of 32-bit numbers at a time. Five such products
// would be needed for each key. The Go code needs four products of 64-bit numbers.
func xxh3Words(_ impl, dst []Hash, keys []uint64, seed uint64) {
	asm.HashWordsPortable(hashWords(dst), keys, seed)
}
