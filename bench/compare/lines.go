package main

import (
	"math/bits"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/bench"
	"github.com/bloomproof/bloomproof/kernel"
)

// lineLimit is the name of a loop that only reads memory. It reads the same words of a filter as a look-up with early
// exit, and the indices of these words are precomputed. For filters within the caches, the speed of this loop is
// therefore an upper limit for the speed of look-ups.
const lineLimit = "line limit"

// oneLine is the name of the loop that reads one word per key, for filters with blocks.
const oneLine = "line limit, one line"

// The type lines reads the words of a filter that look-ups of keys need.
type lines struct {
	g       bloomproof.Geometry
	pattern string
	words   []uint64
	most    int // the most words per key
	pos     []uint64
	rand    *rand.Rand
}

// newLines returns a value that reads words of a filter. The argument most is the largest number of words that it reads
// per key.
func newLines(s bench.Size, pattern string, words []uint64, most int) *lines {
	return &lines{bloomproof.Geometry{M: s.M, K: bench.K}, pattern, words, most, nil, rand.New(rand.NewPCG(5, 6))}
}

// The method places appends the indices of the words that look-ups of keys read. A look-up with a hit reads the words
// of all positions. A look-up with a miss reads the words up to the first clear bit. The filter is assumed to have half
// of its bits set.
func (l *lines) places(at []uint64, k *bench.Keys) []uint64 {
	for _, h := range k.Hashes {
		l.pos, _ = kernel.AppendPositions(l.pos[:0], l.g, h)
		n := l.most
		if l.pattern == "miss" || l.pattern == "half" && l.rand.Uint32()&1 == 0 {
			n = min(bits.TrailingZeros64(l.rand.Uint64())+1, l.most)
		}
		for _, p := range l.pos[:n] {
			at = append(at, p>>6)
		}
	}
	return at
}

// The method read reads the words with the given indices.
func (l *lines) read(at []uint64) int {
	or := uint64(0)
	for _, i := range at {
		or |= l.words[i]
	}
	return int(or & 1)
}

// task returns the task that measures how fast the words are read, chunk by chunk.
func (l *lines) task(name string, keys [2]*bench.Keys, next func(*bench.Keys)) task {
	return task{name, func() float64 {
		var at [2][]uint64
		return perKey(keys, func(k *bench.Keys) {
			next(k)
			which := 0
			if k == keys[1] {
				which = 1
			}
			at[which] = l.places(at[which][:0], k)
		}, func(k *bench.Keys) int {
			if k == keys[1] {
				return l.read(at[1])
			}
			return l.read(at[0])
		})
	}}
}
