//go:build gc && !purego && !race

package kernel

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/internal/host"
)

func positions(im Impl, dst []uint64, h []Hash, s shape) {
	if host.At(host.Probe, im) == Portable {
		asm.PositionsPortable(dst, hashWords(h), s.k, s.span, s.step)
		return
	}
	asm.PositionsNEON(dst, hashWords(h), s.k, s.span, s.step)
}

func containsAll(im Impl, out []bool, words []uint64, h []Hash, s shape) int {
	if host.At(host.Probe, im) == Portable {
		return asm.ContainsPortable(out, words, hashWords(h), s.k, s.span, s.step)
	}
	return asm.ContainsNEON(out, words, hashWords(h), s.k, s.span, s.step)
}

func addAll(im Impl, out []bool, words []uint64, h []Hash, s shape) int {
	if host.At(host.Probe, im) == Portable {
		return asm.AddPortable(out, words, hashWords(h), s.k, s.span, s.step)
	}
	return asm.AddNEON(out, words, hashWords(h), s.k, s.span, s.step)
}

func containsAt(im Impl, out []bool, words, pos []uint64, k int) int {
	if host.At(host.Probe, im) == Portable {
		return asm.ContainsAtPortable(out, words, pos, k)
	}
	return asm.ContainsAtNEON(out, words, pos, k)
}

func addAt(im Impl, out []bool, words, pos []uint64, k int) int {
	if host.At(host.Probe, im) == Portable {
		return asm.AddAtPortable(out, words, pos, k)
	}
	return asm.AddAtNEON(out, words, pos, k)
}

func addSlicesAt(im Impl, out []bool, words, pos, slices []uint64) int {
	if host.At(host.Probe, im) == Portable {
		return asm.AddSlicesAtPortable(out, words, pos, slices)
	}
	return asm.AddSlicesAtNEON(out, words, pos, slices)
}

func containsPair(im Impl, out []uint8, pair []uint64, h []Hash, s shape) {
	if host.At(host.Probe, im) == Portable {
		asm.ContainsPairPortable(out, pair, hashWords(h), s.k, s.span, s.step)
		return
	}
	asm.ContainsPairNEON(out, pair, hashWords(h), s.k, s.span, s.step)
}

func containsPairAt(im Impl, out []uint8, pair, pos []uint64, k int) {
	if host.At(host.Probe, im) == Portable {
		asm.ContainsPairAtPortable(out, pair, pos, k)
		return
	}
	asm.ContainsPairAtNEON(out, pair, pos, k)
}

func addPairAt(im Impl, pair, pos []uint64, side int) (fresh, overlap int) {
	if host.At(host.Probe, im) == Portable {
		return asm.AddPairAtPortable(pair, pos, side)
	}
	return asm.AddPairAtNEON(pair, pos, side)
}

func prefetch(im Impl, words, pos []uint64) {
	if len(words) > nearWords && host.At(host.Probe, im) != Portable {
		asm.PrefetchNEON(words, pos)
	}
}

// nearWords is the number of words up to which asking for them beforehand is taken to
// cost more than it saves. It was measured on amd64 only.
const nearWords = 1 << 17
