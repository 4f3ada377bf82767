//go:build gc && !purego && !race && (amd64 || arm64)

package kernel

import "github.com/bloomproof/bloomproof/kernel/host"

var here = machine{host.L2(), host.L3(), host.FastGather(), host.PrefetchToL2()}

// handoverReads is the largest number of positions that are passed to an assembly kernel in one call. There is a limit
// because Go cannot preempt a goroutine that runs assembly. Reading the bits at this number of positions takes less
// than a millisecond.
const handoverReads = 1 << 15

// partOf returns how many keys are passed to an assembly kernel in one call if each key has k positions.
func partOf(k int) int { return max(handoverReads/k, 1) }

// The function addAhead prefetches the words of the next keys before it sets the bits of the present keys. The constant
// "ahead" is the largest number of positions for which addAhead prefetches words in one step. It is larger than the
// number of reads that a core can have in flight. There are two buffers for this number of positions, and each takes 2
// KiB.
const ahead = 256

// The constant deriveMin is used for arrays that fit in the L2 cache. There are two methods to add keys. The first
// method derives the positions of all keys with vector instructions, and then sets the bits. The second method derives
// the positions of one key and sets its bits, and then continues with the next key. For deriveMin keys or more, the
// first method is faster. The methods were measured on Zen 4 with an array of 32 KiB. In a batch of 64 keys, the first
// method takes 8.7 ns a key, and the second takes 9.8 ns. In a batch of 16 keys, the first method takes 10.6 ns a key,
// and the second takes 9.5 ns.
const deriveMin = 64

// addsAhead reports whether addAhead should be used to add keys to an array. The decision depends on the implementation
// im, the number of keys, and the number of words of the array. It also depends on k, the number of positions of a key.
// The function host.Runs lists the implementations that this host can run. The implementation im must be in the list
// for the family host.Probe. The implementation "avx2" is not permitted, because the AVX2 kernels for additions
// prefetch by themselves.
func addsAhead(im impl, keys, words, k int) bool {
	switch {
	case im == portable || k > ahead:
		return false
	case words > here.l2/8:
		return keys >= ringMin
	}
	return im == avx512 && keys >= deriveMin
}

// addAhead does the same as addAll, but it derives the positions of several keys before it sets the bits there. If the
// array is larger than the L2 cache, it also prefetches. It prefetches the words of the next keys before it sets the
// bits of the present keys. The number s.k must be at most the constant "ahead".
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
