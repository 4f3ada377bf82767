package kernel

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/asm"
)

// With blocks, a key chooses one block of the filter by the first word of its hash, and its draws in the block by the
// second word. The function asm.BlockPositionsPortable specifies the derivation, and docs/format.md says the same in
// words. The file of each hashing describes its blocks; this file has what the blocks of all hashings share.
//
// For blocks of up to 512 bits, a look-up reads one cache line only. The words begin at a cache line, because Go aligns
// memory whose size is a multiple of 64 bytes to a cache line.

// These are the sizes of the smallest and of the largest block. A position in a block is a number made of some bits of
// a word of the hash's stream, so the size of a block is a power of two. The smallest block is one whole word. In
// blocks of more than maxBlock bits, the positions of a key would lie in as many cache lines as without blocks.
const (
	minBlock = 64
	maxBlock = 4096
)

// blocking says where the blocks of a filter lie. It is zero for a filter without blocks. With blocks, the fields span
// and step of the shape describe one block.
type blocking struct {
	size   uint64 // bits of a block
	blocks uint64
	form   blockForm
}

// blockForm is a shape of blocks for which there are kernels. Its value blockAny stands for all other shapes.
type blockForm uint8

const (
	blockAny  blockForm = iota
	block512            // independent positions in 512 bits
	block8x64           // one position in each of 8 words of 64 bits
	block8x32           // one position in each of 8 words of 32 bits
)

// blockLayoutOf returns the layout of g, a valid geometry with blocks. The argument e is the entry of its hashing in
// layouts.
func blockLayoutOf(g bloomproof.Geometry, e layoutEntry) (layout, error) {
	switch {
	case e.inBlocks == nil:
		return layout{}, refuseBlock(g, fmt.Sprintf("0 for a filter with %v hashing", g.Hashing))
	case g.Block < minBlock || g.Block > maxBlock || g.Block&(g.Block-1) != 0:
		return layout{}, refuseBlock(g, fmt.Sprintf("0 or a power of two from %d to %d for a filter", minBlock, maxBlock))
	}
	l := e.inBlocks(g)
	l.blocking = blocking{size: g.Block, blocks: g.M / g.Block}
	switch s := l.shape; {
	case s.span == 512 && s.step == 0:
		l.form = block512
	case s == shape{k: 8, span: 64, step: 64}:
		l.form = block8x64
	case s == shape{k: 8, span: 32, step: 32}:
		l.form = block8x32
	}
	return l, nil
}

// recyclingLayoutOf returns the layout of a recycling filter of rule r. With blocks, a cycle must begin empty and be
// bounded by messages. During the first N new arrivals of a cycle, the filter is then like a Filter with the same
// number of items, whose rate is known. No cycle ends earlier. If the number of set bits were bounded, nobody could say
// how the set bits are distributed over the blocks when the bound is passed.
func recyclingLayoutOf(g bloomproof.Geometry, r bloomproof.Recycling) (layout, error) {
	if err := r.Validate(g); err != nil {
		return layout{}, err
	}
	if g.Block != 0 && (r.Messages == 0 || r.TwoPhase || r.Retain) {
		return layout{}, refuseBlock(g, "0 unless the recycling filter is message-bounded, has one phase and does not retain")
	}
	return layoutOf(g)
}

func refuseBlock(g bloomproof.Geometry, want string) error {
	return &bloomproof.ParamError{Param: "block", Value: g.Block, Want: want}
}

// The method block returns the geometry of one block.
func (l *layout) block() bloomproof.Geometry {
	return bloomproof.Geometry{M: l.size, K: l.k, Hashing: l.g.Hashing}
}

// blockItems estimates how many distinct keys set b bits, 0 < b < m, by the method of moments. A key leaves a bit of
// its block clear with probability 1-p. It leaves a bit of the filter, which has B blocks, clear with probability 1 -
// p/B. The argument logMiss is ln(1-p).
func (l *layout) blockItems(b uint64, logMiss, p float64) float64 {
	one := logMiss // more accurate than log1p where p is near 1
	if l.blocks > 1 {
		one = math.Log1p(-p / float64(l.blocks))
	}
	return log1mRatio(b, l.g.M) / one
}

// inBlocks sets pos to the positions of the hashes h in their blocks, k for each hash.
func (l *layout) inBlocks(pos []uint64, h []Hash) {
	asm.BlockPositionsPortable(pos, hashWords(h), l.k, l.span, l.step, l.size, l.blocks)
}

// appendInBlock appends the k positions of h in its block to dst.
func (l *layout) appendInBlock(dst []uint64, h Hash) []uint64 {
	dst, pos := extend(dst, l.k)
	l.inBlocks(pos, []Hash{h})
	return dst
}

// blockRate returns the probability that a new key is contained: the mean of the rates of the blocks, because a key
// falls into each block with equal probability. The function read copies words of the filter to dst, beginning with the
// word whose number is the argument from.
func (l *layout) blockRate(read func(dst []uint64, from int)) float64 {
	var buf [maxBlock / 64]uint64
	words := buf[:l.size/64]
	// This is compensated (Kahan) summation: the sum of up to 2^42 terms is wrong by at most 2 units in the last place.
	var sum, lost float64
	for i := range int(l.blocks) {
		read(words, i*len(words))
		x := l.rateIn(l, words) - lost
		next := sum + x
		lost = (next - sum) - x
		sum = next
	}
	return sum / float64(l.blocks)
}
