//go:build gc && !purego && !race && (amd64 || arm64)

package kernel

// The number of keys whose blocks are prefetched before they are needed. Measured on Zen 4, for look-ups of 8 words of
// 64 bits, in ns a key. In 1 MiB: 1.8 without prefetching, 1.4 with 8 keys or more. In 64 MiB: 14 to 28 with 24 or 64
// keys into L1, 11 with 32 into L2, and 6 with 64 into L2. No arm64 was measured.
const (
	blockAhead    = 24
	blockAheadFar = 64      // into L2, where that lets more reads be under way
	blockNear     = 1 << 12 // words of a filter in L1, 32 KiB, for which none is asked for
)

// blockReads returns for how many keys the blocks of words are prefetched, and whether into L2.
func blockReads(words []uint64) (ahead int, far bool) {
	switch {
	case len(words) <= blockNear:
		return 0, false
	case len(words) > here.l2/8 && here.toL2:
		return blockAheadFar, true
	}
	return blockAhead, false
}

func containsAllInBlocks(im impl, out []bool, words []uint64, h []Hash, l *layout) (found int) {
	for ; len(h) > handoverReads; out, h = out[handoverReads:], h[handoverReads:] {
		found += containsInBlocks(im, out[:handoverReads], words, h[:handoverReads], l)
	}
	return found + containsInBlocks(im, out, words, h, l)
}

func addAllInBlocks(im impl, out []bool, words []uint64, h []Hash, l *layout) (fresh int) {
	for ; len(h) > handoverReads; out, h = out[handoverReads:], h[handoverReads:] {
		fresh += addInBlocks(im, out[:handoverReads], words, h[:handoverReads], l)
	}
	return fresh + addInBlocks(im, out, words, h, l)
}
