//go:build gc && !purego && !race

package kernel

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

func positions(im impl, dst []uint64, h []Hash, s shape) {
	if at(host.Probe, im) == portable {
		asm.PositionsPortable(dst, hashWords(h), s.k, s.span, s.step)
		return
	}
	asm.PositionsNEON(dst, hashWords(h), s.k, s.span, s.step)
}

func containsAll(im impl, out []bool, words []uint64, h []Hash, s shape) (found int) {
	for part := partOf(s.k); len(h) > part; out, h = out[part:], h[part:] {
		found += containsPart(im, out[:part], words, h[:part], s)
	}
	return found + containsPart(im, out, words, h, s)
}

func containsPart(im impl, out []bool, words []uint64, h []Hash, s shape) int {
	keys := hashWords(h)
	switch chooseContains(at(host.Probe, im), len(h), len(words), here) {
	case byWord:
		return asm.ContainsNEON(out, words, keys, s.k, s.span, s.step)
	case byRing:
		return asm.ContainsRingNEON(out, words, keys, s.k, s.span, s.step)
	case byRingNTA:
		return asm.ContainsRingNTANEON(out, words, keys, s.k, s.span, s.step)
	}
	return asm.ContainsPortable(out, words, keys, s.k, s.span, s.step)
}

func addAll(im impl, out []bool, words []uint64, h []Hash, s shape) (fresh int) {
	for part := partOf(s.k); len(h) > part; out, h = out[part:], h[part:] {
		fresh += addPart(im, out[:part], words, h[:part], s)
	}
	return fresh + addPart(im, out, words, h, s)
}

func addPart(im impl, out []bool, words []uint64, h []Hash, s shape) int {
	keys := hashWords(h)
	im = at(host.Probe, im)
	switch {
	case im == portable:
		return asm.AddPortable(out, words, keys, s.k, s.span, s.step)
	case addsAhead(im, len(h), len(words), s.k):
		return addAhead(im, out, words, h, s)
	}
	return asm.AddNEON(out, words, keys, s.k, s.span, s.step)
}

func addOne(_ impl, words []uint64, h Hash, s shape) uint64 { return setAll(words, h, s.span, s.k) }

func containsOne(_ impl, words []uint64, h Hash, s shape) bool { return hasAll(words, h, s) }

func containsAt(im impl, out []bool, words, pos []uint64, k int) int {
	if at(host.Probe, im) == portable {
		return asm.ContainsAtPortable(out, words, pos, k)
	}
	return asm.ContainsAtNEON(out, words, pos, k)
}

func addAt(im impl, out []bool, words, pos []uint64, k int) int {
	if at(host.Probe, im) == portable {
		return asm.AddAtPortable(out, words, pos, k)
	}
	return asm.AddAtNEON(out, words, pos, k)
}

func addSlicesAt(im impl, out []bool, words, pos, slices []uint64) int {
	if at(host.Probe, im) == portable {
		return asm.AddSlicesAtPortable(out, words, pos, slices)
	}
	return asm.AddSlicesAtNEON(out, words, pos, slices)
}

func containsPair(im impl, out []uint8, pair []uint64, h []Hash, s shape) {
	for part := partOf(s.k); len(h) > part; out, h = out[part:], h[part:] {
		containsPairPart(im, out[:part], pair, h[:part], s)
	}
	containsPairPart(im, out, pair, h, s)
}

func containsPairPart(im impl, out []uint8, pair []uint64, h []Hash, s shape) {
	keys := hashWords(h)
	switch choosePair(at(host.Probe, im), len(h), len(pair), s.k, here) {
	case byTwin:
		asm.ContainsPairPortable(out, pair, keys, s.k, s.span, s.step)
	case byRing:
		asm.ContainsPairRingNEON(out, pair, keys, s.k, s.span, s.step)
	case byRingNTA:
		asm.ContainsPairRingNTANEON(out, pair, keys, s.k, s.span, s.step)
	}
}

func containsPairAt(im impl, out []uint8, pair, pos []uint64, k int) {
	if at(host.Probe, im) == portable {
		asm.ContainsPairAtPortable(out, pair, pos, k)
		return
	}
	asm.ContainsPairAtNEON(out, pair, pos, k)
}

func addPairAt(im impl, pair, pos []uint64, side int) (fresh, overlap int) {
	if at(host.Probe, im) == portable {
		return asm.AddPairAtPortable(pair, pos, side)
	}
	return asm.AddPairAtNEON(pair, pos, side)
}

func prefetch(im impl, words, pos []uint64) {
	if len(words) > nearWords && at(host.Probe, im) != portable {
		asm.PrefetchNEON(words, pos)
	}
}

// In an array of at most nearWords words, prefetching is assumed to cost more time than it saves. This number was
// measured on amd64 only.
const nearWords = 1 << 17
