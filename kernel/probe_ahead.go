//go:build gc && !purego && !race && (amd64 || arm64)

package kernel

import "github.com/bloomproof/bloomproof/kernel/internal/host"

var here = machine{host.L2(), host.L3(), host.FastGather(), host.PrefetchToL2()}

// partOf returns the number of keys of k positions that are handed over at once: a
// goroutine cannot be preempted inside assembly, and this many reads of memory take less
// than a millisecond.
func partOf(k int) int { return max(1<<15/k, 1) }

// ahead is the most positions that are asked for before those before them are set.
const ahead = 256

// addsAhead reports whether addAhead is the way to add a number of keys of k positions to
// an array of a number of words.
func addsAhead(keys, words, k int) bool { return words > here.l2/8 && keys >= ringMin && k <= ahead }

// addAhead is addAll for words beyond L2: while the positions of some keys are set, the
// words of the next keys are on their way. It takes s.k <= ahead.
func addAhead(im Impl, out []bool, words []uint64, h []Hash, s shape) (fresh int) {
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
