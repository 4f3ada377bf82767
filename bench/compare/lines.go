package main

import (
	"math/bits"
	"math/rand/v2"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/bench"
	"github.com/bloomproof/bloomproof/kernel"
)

// lineLimit reads the words that a look-up with early exit needs, their places being
// ready, and computes nothing: the ceiling.
const lineLimit = "line limit"

// oneLine is lineLimit for filters with blocks: one word a key.
const oneLine = "line limit, one line"

// lines reads words of a filter.
type lines struct {
	g       bloomproof.Geometry
	pattern string
	words   []uint64
	most    int // words of a key
	pos     []uint64
	rand    *rand.Rand
}

// newLines returns the reader of at most most words a key.
func newLines(s bench.Size, pattern string, words []uint64, most int) *lines {
	return &lines{bloomproof.Geometry{M: s.M, K: bench.K}, pattern, words, most, nil, rand.New(rand.NewPCG(5, 6))}
}

// places appends the words that keys need: all for a hit, and for a miss those up to
// the first clear bit, half of the bits being set.
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

// read reads the words at the given places.
func (l *lines) read(at []uint64) int {
	or := uint64(0)
	for _, i := range at {
		or |= l.words[i]
	}
	return int(or & 1)
}

// task returns the measurement of reading, chunk by chunk.
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
