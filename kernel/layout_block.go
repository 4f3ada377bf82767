package kernel

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel/asm"
)

// In a filter with blocks, the first word of a key's hash determines its block. The key's draws lie in this block. Some
// draws consist of bits that are taken from the second word. Others come from a stream that is computed from both
// words. The function asm.BlockPositionsPortable specifies this computation, and docs/format.md describes it in words.
// The file of each hashing describes its blocks. This file has the code that the blocks of all hashings share.
//
// In blocks of up to 512 bits, a look-up reads only one cache line. The reason is that the filter's words begin at the
// start of a cache line. Go aligns an array to a cache line if its size is a multiple of 64 bytes.

// These are the sizes of the smallest and of the largest block, in bits. A position in a block is made of some bits of
// a word, so the size of a block is a power of two. The smallest block is one word. With blocks of more than maxBlock
// bits, a look-up would read as many cache lines as in a filter without blocks.
const (
	minBlock = 64
	maxBlock = 4096
)

// The fields of the struct "blocking" describe the blocks of a filter. They are zero for a filter without blocks. In a
// filter with blocks, the fields "span" and "step" of the shape refer to one block.
type blocking struct {
	size   uint64 // bits of a block
	blocks uint64
	form   blockForm
}

// A blockForm is a kind of block for which there are kernels. The value blockAny stands for all other kinds.
type blockForm uint8

const (
	blockAny  blockForm = iota
	block512            // independent positions in 512 bits
	block8x64           // one position in each of 8 words of 64 bits
	block8x32           // one position in each of 8 words of 32 bits
)

// blockLayoutOf returns the layout for g, which is a valid geometry with blocks. The argument e is the entry of the
// geometry's hashing in the variable "layouts".
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

// recyclingLayoutOf returns the layout of a recycling filter with the rule r. A filter with blocks must be empty when a
// cycle begins. Its rule must bound the number of messages of a cycle. This bound is called N. Until N new messages
// have arrived in a cycle, the filter behaves like a Filter with the same number of keys. The rate of such a Filter is
// known. No cycle ends before its N-th new message. Filters with blocks permit no bound for the number of set bits.
// Under such a bound, it is not known how the set bits are distributed over the blocks at the end of a cycle.
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

// The method "block" returns the geometry of one block.
func (l *layout) block() bloomproof.Geometry {
	return bloomproof.Geometry{M: l.size, K: l.k, Hashing: l.g.Hashing}
}

// blockItems estimates how many distinct keys were added to a filter in which b bits are set, for 0 < b < m. It uses
// the method of moments. A key leaves a given bit of its block clear with probability 1-p. Let B be the number of
// blocks. A key leaves a given bit of the filter clear with probability 1 - p/B. The argument logMiss is ln(1-p).
func (l *layout) blockItems(b uint64, logMiss, p float64) float64 {
	one := logMiss // more accurate than log1p where p is near 1
	if l.blocks > 1 {
		one = math.Log1p(-p / float64(l.blocks))
	}
	return log1mRatio(b, l.g.M) / one
}

// inBlocks sets pos to the positions of the hashes h, with k positions for each hash, in a filter with blocks.
func (l *layout) inBlocks(pos []uint64, h []Hash) {
	asm.BlockPositionsPortable(pos, hashWords(h), l.k, l.span, l.step, l.size, l.blocks)
}

// appendInBlock appends the k positions of h to dst, in a filter with blocks.
func (l *layout) appendInBlock(dst []uint64, h Hash) []uint64 {
	dst, pos := extend(dst, l.k)
	l.inBlocks(pos, []Hash{h})
	return dst
}

// blockRate returns the probability that a new key is found in a filter with blocks. It is the mean of the rates of all
// blocks, because a key falls in each block with the same probability. The function "read" copies consecutive words of
// the filter to dst. The argument "from" is the number of the first of these words.
func (l *layout) blockRate(read func(dst []uint64, from int)) float64 {
	var buf [maxBlock / 64]uint64
	words := buf[:l.size/64]
	// The summation is compensated (Kahan summation). The sum of up to 2^42 terms has an error of at most 2 units in
	// the last place.
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
