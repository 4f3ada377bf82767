package asmtest

import (
	"math"
	"math/bits"
)

// The method "divide" turns the case c, which has n keys, into a case for an array of blocks. The new array has about
// as many bits as the array that c needed before. The blocks have the shape of the tested kernel, or a random shape if
// the kernel takes all shapes.
func (r *probeRunner) divide(c *probeCase, n int) {
	total := c.need()
	s := r.row.blocks
	if s.block == 0 {
		s = r.anyShape(c.K)
	}
	if s.k != 0 {
		c.K = s.k
	}
	c.Span, c.Step, c.Block = s.span, s.step, s.block
	c.Blocks = max(1, min(total, farthestBits)/s.block)
	c.Ahead = []int{0, 0, 1, 2, 7, 24, n - 1, n, n + 1, 64, math.MaxInt, -1, math.MinInt}[r.rand.IntN(13)]
}

// anyShape returns a random shape of blocks for k positions. There are three kinds of shapes. In the first kind, each
// position can lie anywhere in a block. In the second kind, each position has its own slice of a block. In the third
// kind, all positions lie in the same part of a block.
func (r *probeRunner) anyShape(k int) blockShape {
	s := blockShape{block: 64 << r.rand.IntN(7)}
	if r.rand.Uint32()&7 == 0 {
		s.block = 1 << (6 + r.rand.IntN(11))
	}
	slices := 1 << bits.Len(uint(k-1)) // at least k
	switch r.rand.Uint32() & 3 {
	case 0:
		s.span = 1 << r.rand.IntN(bits.Len64(s.block))
	case 1, 2:
		if uint64(slices) <= s.block {
			s.span = s.block / uint64(slices)
			s.step = s.span
			return s
		}
		fallthrough
	default:
		s.span = s.block
	}
	return s
}

// The first word of a hash determines the block. The method "blocked" tests several blocks of an array. For each of
// these blocks it tests two values of the first word. They are the smallest and the largest value that select this
// block. The first and the last block of the array are among these blocks. The second word of a hash determines the
// positions in the block. The method also tests hashes whose second word has a single set bit. Finally it tests arrays
// that have no block, and arrays that have as many blocks as possible.
func (r *probeRunner) blocked(o Options) bool {
	if !r.row.Form.Has(Blocked) {
		return true
	}
	rounds := 8
	if o.Short {
		rounds = 2
	}
	for _, blocks := range []uint64{1, 2, 3, 5, 64, 127} {
		for _, k := range []int{1, 2, 6, 7, 8, 13, 14, 15, 22} {
			for range rounds {
				c := r.shaped(64+3*int(blocks), k, 512, 0)
				c.Blocks = blocks
				if !r.row.Form.Has(Derives) {
					c.Words = make([]uint64, blocks*c.Block/64)
				}
				for i := 0; i < len(c.Keys); i += 2 {
					c.Keys[i] = r.blockEdge(blocks)
					if i < 128 {
						c.Keys[i+1] = 1 << (i / 2)
					}
				}
				r.fill(&c)
				if !r.try(c) {
					return false
				}
			}
		}
	}
	return r.noBlock() && r.manyBlocks()
}

// blockEdge returns a word for tests of arrays with the given number of blocks. It becomes the first word of a hash.
// Usually this is the smallest word that leads to a randomly chosen block, or that word minus 1.
func (r *probeRunner) blockEdge(blocks uint64) uint64 {
	if blocks == 1 || r.rand.Uint32()&3 == 0 {
		return []uint64{0, 1, math.MaxUint64, r.rand.Uint64()}[r.rand.IntN(4)]
	}
	return leastWord(1+r.rand.Uint64N(blocks-1), blocks) - r.rand.Uint64N(2)
}

// noBlock tests arrays that are smaller than a block.
func (r *probeRunner) noBlock() bool {
	if r.row.Form.Has(Derives) {
		return true
	}
	for _, n := range []int{0, 1, 3, 9} {
		for range 4 {
			c := r.shaped(n, 8, 512, 0)
			c.Blocks = 0
			c.Words = RandomWords(r.rand, r.rand.IntN(int(c.Block/64)))
			c.rear[words] = true
			if !r.try(c) {
				return false
			}
		}
	}
	return true
}

// manyBlocks tests positions up to 2^48. It tests only the operation that computes positions. This operation needs no
// array.
func (r *probeRunner) manyBlocks() bool {
	if !r.row.Form.Has(Derives) {
		return true
	}
	for e := range 43 {
		for _, k := range []int{1, 8, 9} {
			c := r.shaped(9, k, 512, 0)
			c.Blocks = min(1<<e+r.rand.Uint64N(1<<e), 1<<48/c.Block)
			if !r.try(c) {
				return false
			}
		}
	}
	return true
}
