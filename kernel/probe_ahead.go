//go:build gc && !purego && !race && (amd64 || arm64)

package kernel

import "github.com/bloomproof/bloomproof/kernel/host"

var here = machine{host.L2(), host.L3(), host.FastGather(), host.PrefetchToL2()}

// handoverReads is the largest number of positions that are passed to assembly at once. A goroutine cannot be preempted
// inside assembly; this number of memory reads takes less than a millisecond.
const handoverReads = 1 << 15

// partOf returns the number of keys of k positions that are passed to assembly at once.
func partOf(k int) int { return max(handoverReads/k, 1) }

// The constant ahead is the largest number of positions that are prefetched while the bits at the previous positions
// have not been set yet. It exceeds the number of reads that a core can have in flight. Each of two buffers takes 2
// KiB.
const ahead = 256

// deriveMin is the smallest number of keys for which, within L2, it is faster to derive all positions by vectors and
// then set their bits than to do both key by key. On Zen 4 in 32 KiB, 64 keys take 8.7 ns each the first way and 9.8
// the second; 16 keys take 10.6 and 9.5.
const deriveMin = 64

// addsAhead reports whether im should use addAhead to add the given number of keys of k positions to an array of the
// given number of words. The implementation im is one of host.Runs(host.Probe) other than avx2, whose own kernels
// prefetch.
func addsAhead(im impl, keys, words, k int) bool {
	switch {
	case im == portable || k > ahead:
		return false
	case words > here.l2/8:
		return keys >= ringMin
	}
	return im == avx512 && keys >= deriveMin
}

// addAhead does the same as addAll, but derives the positions of several keys before it sets their bits. If the array
// is larger than L2, it prefetches the words of the next keys while it sets the bits of the present keys. It requires
// that s.k is at most the constant ahead.
func addAhead(im impl, out []bool, words []uint64, h []Hash, s shape) (fresh int) {
	var buf [2][ahead]uint64
	ask := func(pos *[ahead]uint64, h []Hash) {
		positions(im, pos[:len(h)*s.k], h, s)
		prefetch(im, words, pos[:len(h)*s.k])
	}
	most := ahead / s.k
	n := min(most, len(h))
	ask(&buf[0], h[:n])
	for turn := 0; n > 0; turn ^= 1 {
		next := min(most, len(h)-n)
		ask(&buf[turn^1], h[n:n+next])
		fresh += addAt(im, out[:n], words, buf[turn][:n*s.k], s.k)
		out, h, n = out[n:], h[n:], next
	}
	return fresh
}
