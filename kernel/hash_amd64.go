//go:build gc && !purego && !race

package kernel

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// vectorMin is the fewest keys for which a call of a vector kernel pays: as many as an AVX2 vector has lanes for. With
// fewer, lanes are idle.
const vectorMin = 4

// xxh3Words sets dst[i] to the hash of keys[i], which is xxh3Word of it. len(dst) = len(keys).
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
