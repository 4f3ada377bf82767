//go:build gc && !purego && !race

package kernel

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

const (
	noWay oneWay = iota
	way512AVX512
	way8x64AVX512
	way512AVX2 // additions use scalar POPCNT code
	way8x64AVX2
	way8x32AVX2
)

func newOneKey(l *layout, hash *Hasher, im impl, words []uint64) oneKey {
	var o oneKey
	if hash.scheme == schemeXXH3 {
		o.short, o.flip = true, asm.HashFlip(hash.seed)
	}
	if o.way = wayOf(im, l); o.way != noWay {
		o.BlockArray = asm.NewBlockArray(words, l.k, l.size)
	}
	return o
}

// wayOf says which assembly kernels the implementation im uses for the hash of one key. The filter has the layout l.
func wayOf(im impl, l *layout) oneWay {
	switch im = at(host.Block, im); {
	case im == avx512 && l.form == block512:
		return way512AVX512
	case im == avx512 && l.form == block8x64:
		return way8x64AVX512
	case im == avx2 && l.form == block512:
		return way512AVX2
	case im == avx2 && l.form == block8x64:
		return way8x64AVX2
	case (im == avx2 || im == avx512) && l.form == block8x32:
		return way8x32AVX2
	}
	return noWay
}

// The following functions are in one_amd64.s.

//go:noescape
func containsKey(f *Filter, key *byte, n int) bool

//go:noescape
func addKey(f *Filter, key *byte, n int) (fresh uint64)

//go:noescape
func containsInBlock(f *Filter, h0, h1 uint64) bool

//go:noescape
func addInBlock(f *Filter, h0, h1 uint64) (fresh uint64)
