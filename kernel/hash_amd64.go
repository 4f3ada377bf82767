//go:build gc && !purego && !race

package kernel

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// A call of a vector kernel saves time if there are at least vectorMin keys. This is the number of 64-bit lanes of an
// AVX2 vector. With fewer keys some lanes would be unused.
const vectorMin = 4

// xxh3Words sets dst[i] to xxh3Word(keys[i], seed). The slices dst and keys must have the same length.
func xxh3Words(im impl, dst []Hash, keys []uint64, seed uint64) {
	im = at(host.Hash, im)
	if len(keys) < vectorMin {
		im = portable
	}
	switch im {
	case avx2:
		asm.HashWordsAVX2(hashWords(dst), keys, seed)
	case avx512:
		asm.HashWordsAVX512(hashWords(dst), keys, seed)
	default:
		asm.HashWordsPortable(hashWords(dst), keys, seed)
	}
}
