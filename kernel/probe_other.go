//go:build !gc || purego || race || (!amd64 && !arm64)

package kernel

import "github.com/bloomproof/bloomproof/kernel/asm"

func positions(_ impl, dst []uint64, h []Hash, s shape) {
	asm.PositionsPortable(dst, hashWords(h), s.k, s.span, s.step)
}

func containsAll(_ impl, out []bool, words []uint64, h []Hash, s shape) int {
	return asm.ContainsPortable(out, words, hashWords(h), s.k, s.span, s.step)
}

func addAll(_ impl, out []bool, words []uint64, h []Hash, s shape) int {
	return asm.AddPortable(out, words, hashWords(h), s.k, s.span, s.step)
}

func addOne(_ impl, words []uint64, h Hash, s shape) uint64 { return setAll(words, h, s.span, s.k) }

func containsOne(_ impl, words []uint64, h Hash, s shape) bool { return hasAll(words, h, s) }

func containsAt(_ impl, out []bool, words, pos []uint64, k int) int {
	return asm.ContainsAtPortable(out, words, pos, k)
}

func addAt(_ impl, out []bool, words, pos []uint64, k int) int {
	return asm.AddAtPortable(out, words, pos, k)
}

func addSlicesAt(_ impl, out []bool, words, pos, slices []uint64) int {
	return asm.AddSlicesAtPortable(out, words, pos, slices)
}

func containsPair(_ impl, out []uint8, pair []uint64, h []Hash, s shape) {
	asm.ContainsPairPortable(out, pair, hashWords(h), s.k, s.span, s.step)
}

func containsPairAt(_ impl, out []uint8, pair, pos []uint64, k int) {
	asm.ContainsPairAtPortable(out, pair, pos, k)
}

func addPairAt(_ impl, pair, pos []uint64, side int) (fresh, overlap int) {
	return asm.AddPairAtPortable(pair, pos, side)
}

func prefetch(_ impl, _, _ []uint64) {}
