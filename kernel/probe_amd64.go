//go:build gc && !purego && !race

package kernel

import (
	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/host"
)

func positions(im impl, dst []uint64, h []Hash, s shape) {
	switch at(host.Probe, im) {
	case avx2:
		asm.PositionsAVX2(dst, hashWords(h), s.k, s.span, s.step)
	case avx512:
		asm.PositionsAVX512(dst, hashWords(h), s.k, s.span, s.step)
	default:
		asm.PositionsPortable(dst, hashWords(h), s.k, s.span, s.step)
	}
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
		return asm.ContainsPopcnt(out, words, keys, s.k, s.span, s.step)
	case byOne:
		return containsEach(out, words, h, s)
	case by2x4:
		return asm.ContainsAVX2(out, words, keys, s.k, s.span, s.step)
	case byLevels:
		return asm.ContainsLevelsAVX2(out, words, keys, s.k, s.span, s.step)
	case by8:
		return asm.ContainsAVX512(out, words, keys, s.k, s.span, s.step)
	case byGather:
		return asm.ContainsGatherAVX512(out, words, keys, s.k, s.span, s.step)
	case byRing:
		return asm.ContainsRingPopcnt(out, words, keys, s.k, s.span, s.step)
	case byRingT1:
		return asm.ContainsRingT1Popcnt(out, words, keys, s.k, s.span, s.step)
	case byRingNTA:
		return asm.ContainsRingNTAPopcnt(out, words, keys, s.k, s.span, s.step)
	case byRing8:
		return asm.ContainsRingAVX512(out, words, keys, s.k, s.span, s.step)
	case byRing8T1:
		return asm.ContainsRingT1AVX512(out, words, keys, s.k, s.span, s.step)
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
	if im == avx2 {
		return addAVX2(out, words, h, s)
	}
	if addsAhead(im, len(h), len(words), s.k) {
		return addAhead(im, out, words, h, s)
	}
	switch im {
	case popcnt:
		return asm.AddPopcnt(out, words, keys, s.k, s.span, s.step)
	case avx512:
		return asm.AddAVX512(out, words, keys, s.k, s.span, s.step)
	}
	return asm.AddPortable(out, words, keys, s.k, s.span, s.step)
}

// containsEach does the same as containsAll. It uses AVX2, and processes one key at a time.
func containsEach(out []bool, words []uint64, h []Hash, s shape) (found int) {
	for i, key := range h {
		out[i] = asm.ContainsOneAVX2(words, key.H0, key.H1, s.k, s.span, s.step)
		if out[i] {
			found++
		}
	}
	return found
}

// addAVX2 does the same as addPart, with the AVX2 kernels.
func addAVX2(out []bool, words []uint64, h []Hash, s shape) (fresh int) {
	keys := hashWords(h)
	switch chooseAddAVX2(len(h), len(words), here) {
	case by2x4:
		return asm.AddAVX2(out, words, keys, s.k, s.span, s.step)
	case byRingT1:
		return asm.AddAheadAVX2(out, words, keys, s.k, s.span, s.step)
	}
	for i, key := range h {
		n := asm.AddOneAVX2(words, key.H0, key.H1, s.k, s.span, s.step)
		out[i] = n > 0
		fresh += n
	}
	return fresh
}

func addOne(im impl, words []uint64, h Hash, s shape) uint64 {
	switch at(host.Probe, im) {
	case avx512:
		var out [1]bool
		return uint64(asm.AddAVX512(out[:], words, hashWords([]Hash{h}), s.k, s.span, s.step))
	case avx2:
		return uint64(asm.AddOneAVX2(words, h.H0, h.H1, s.k, s.span, s.step))
	}
	return setAll(words, h, s.span, s.k)
}

// The bits at all positions are read at the same time, without a branch that depends on a bit. This is faster than
// reading one bit after the other, even if the first bits already determine the answer. The times were measured on Zen
// 5 with an array of 64 MiB. Reading all bits at the same time takes 130 ns for a key in the array, and 135 ns for an
// absent key. If half of the keys are in the array, it takes 135 ns a key. Reading one bit after the other takes 205 ns
// for a key in the array, and 135 ns for an absent key. If half of the keys are in the array, it takes 175 ns a key.
func containsOne(im impl, words []uint64, h Hash, s shape) bool {
	switch at(host.Probe, im) {
	case avx2:
		return asm.ContainsOneAVX2(words, h.H0, h.H1, s.k, s.span, s.step)
	case avx512:
		return asm.ContainsOneAVX512(words, h.H0, h.H1, s.k, s.span, s.step)
	}
	return hasAll(words, h, s)
}

func containsAt(im impl, out []bool, words, pos []uint64, k int) int {
	if at(host.Probe, im) == portable {
		return asm.ContainsAtPortable(out, words, pos, k)
	}
	return asm.ContainsAtPopcnt(out, words, pos, k)
}

func addAt(im impl, out []bool, words, pos []uint64, k int) int {
	if at(host.Probe, im) == portable {
		return asm.AddAtPortable(out, words, pos, k)
	}
	return asm.AddAtPopcnt(out, words, pos, k)
}

func addSlicesAt(im impl, out []bool, words, pos, slices []uint64) int {
	if at(host.Probe, im) == portable {
		return asm.AddSlicesAtPortable(out, words, pos, slices)
	}
	return asm.AddSlicesAtPopcnt(out, words, pos, slices)
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
		asm.ContainsPairRingPopcnt(out, pair, keys, s.k, s.span, s.step)
	case byRingT1:
		asm.ContainsPairRingT1Popcnt(out, pair, keys, s.k, s.span, s.step)
	case byRingNTA:
		asm.ContainsPairRingNTAPopcnt(out, pair, keys, s.k, s.span, s.step)
	case byPositions:
		containsPairNear(im, out, pair, h, s)
	}
}

// containsPairNear derives the positions of several keys, and then reads the bits there. The number s.k must be at most
// posBlock.
func containsPairNear(im impl, out []uint8, pair []uint64, h []Hash, s shape) {
	var buf [posBlock]uint64
	for most := posBlock / s.k; len(h) > 0; {
		n := min(most, len(h))
		pos := buf[:n*s.k]
		positions(im, pos, h[:n], s)
		asm.ContainsPairAtPopcnt(out[:n], pair, pos, s.k)
		out, h = out[n:], h[n:]
	}
}

func containsPairAt(im impl, out []uint8, pair, pos []uint64, k int) {
	if at(host.Probe, im) == portable {
		asm.ContainsPairAtPortable(out, pair, pos, k)
		return
	}
	asm.ContainsPairAtPopcnt(out, pair, pos, k)
}

func addPairAt(im impl, pair, pos []uint64, side int) (fresh, overlap int) {
	if at(host.Probe, im) == portable {
		return asm.AddPairAtPortable(pair, pos, side)
	}
	return asm.AddPairAtPopcnt(pair, pos, side)
}

// The function "prefetch" asks the processor to bring words into the caches. These words contain the bits at the
// positions pos. If all words fit in the L2 cache, it does nothing, because prefetching would then cost more time than
// it saves.
func prefetch(im impl, words, pos []uint64) {
	switch {
	case len(words) <= here.l2/8 || at(host.Probe, im) == portable:
	case here.toL2:
		asm.PrefetchT1Popcnt(words, pos)
	default:
		asm.PrefetchPopcnt(words, pos)
	}
}
