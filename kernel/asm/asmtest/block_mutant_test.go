package asmtest

import (
	"math/bits"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// blockBy is an operation by another derivation: number gives the block of a key, at the
// j-th position in it.
type blockBy struct {
	number func(c ProbeCall, h0, h1, blocks uint64) uint64
	at     func(c ProbeCall, h0, h1 uint64, j int) uint64
}

func blockNumber(_ ProbeCall, h0, _, blocks uint64) uint64 { return high(h0, blocks) }

// blockWordOf returns the word of the stream with number i.
func blockWordOf(h0, h1 uint64, i int) uint64 {
	if i == 0 {
		return h1
	}
	return mixed(h1-(h0|1), h0, i) // of h1 + i*(h0|1)
}

func blockAt(c ProbeCall, h0, h1 uint64, j int) uint64 {
	e := bits.TrailingZeros64(c.Span)
	t := 64 / max(e, 1)
	return uint64(j)*c.Step + blockWordOf(h0, h1, j/t)>>(j%t*e)&(c.Span-1)
}

// positions returns those of the keys of c that there is room for, brought within words.
func (b blockBy) positions(c ProbeCall) (pos []uint64) {
	if b.number == nil {
		b.number = blockNumber
	}
	if b.at == nil {
		b.at = blockAt
	}
	blocks := c.Blocks
	if len(c.Words) > 0 {
		blocks = uint64(len(c.Words)) / (c.Block / 64)
	}
	if blocks == 0 {
		return nil
	}
	for i := range min(len(c.Keys)/2, len(c.Out)+len(c.Dst)/c.K) {
		h0, h1 := c.Keys[2*i], c.Keys[2*i+1]
		first := b.number(c, h0, h1, blocks) * c.Block
		for j := range c.K {
			p := first + b.at(c, h0, h1, j)
			if len(c.Words) > 0 {
				p %= 64 * uint64(len(c.Words))
			}
			pos = append(pos, p)
		}
	}
	return pos
}

func (b blockBy) contains(c ProbeCall) (int, int) {
	return asm.ContainsAtPortable(bools(c.Out), c.Words, b.positions(c), c.K), 0
}

func (b blockBy) add(c ProbeCall) (int, int) {
	return asm.AddAtPortable(bools(c.Out), c.Words, b.positions(c), c.K), 0
}

func (b blockBy) derive(c ProbeCall) (int, int) {
	n := min(len(c.Keys)/2, len(c.Dst)/c.K)
	copy(c.Dst[:n*c.K], b.positions(c))
	return n, 0
}

// TestBlockLawful asserts that what the mutants are made from is right.
func TestBlockLawful(t *testing.T) {
	for _, m := range []probeMutant{
		{op: "BlockPositions", f: blockBy{}.derive},
		{op: "BlockContains", f: blockBy{}.contains}, {op: "BlockAdd", f: blockBy{}.add},
		{op: "BlockContains512", f: blockBy{}.contains}, {op: "BlockAdd512", f: blockBy{}.add},
		{op: "BlockContains8x64", f: blockBy{}.contains}, {op: "BlockAdd8x64", f: blockBy{}.add},
		{op: "BlockContains8x32", f: blockBy{}.contains}, {op: "BlockAdd8x32", f: blockBy{}.add},
	} {
		n, err := RunProbe(probeMutantRow(m.op, m.f), Options{Seed: 3, Short: true})
		if err != nil || n < 500 {
			t.Errorf("%s: %d cases, %v", m.op, n, err)
		}
	}
}

var (
	blockContainsEach = blockEachFunc(asm.BlockContains8x64Portable)
	blockAddEach      = blockEachFunc(asm.BlockAdd8x64Portable)
	blockAdd512       = block512Func(asm.BlockAdd512Portable)
)

// blockMutants are kernels of the block family broken on purpose, one fault each. The table
// must catch all of them.
var blockMutants = []probeMutant{
	{"block by the other word", "BlockContains8x64", false, blockBy{number: func(_ ProbeCall, _, h1, blocks uint64) uint64 { return high(h1, blocks) }}.contains},
	{"block by 52 bits", "BlockAdd8x32", false, blockBy{number: func(_ ProbeCall, h0, _, blocks uint64) uint64 { return high(h0&^0xfff, blocks) }}.add},
	{"block by a signed product", "BlockAdd512", false, blockBy{number: func(_ ProbeCall, h0, _, blocks uint64) uint64 {
		if int64(h0) < 0 {
			return (high(h0, blocks) + blocks - 1) % blocks
		}
		return high(h0, blocks)
	}}.add},
	{"number of blocks in 24 bits", "BlockContains512", true, blockBy{number: func(_ ProbeCall, h0, _, blocks uint64) uint64 { return high(h0, blocks&(1<<24-1)) }}.contains},
	{"place of a block in 32 bits", "BlockAdd8x64", true, blockBy{number: func(c ProbeCall, h0, _, blocks uint64) uint64 {
		return uint64(uint32(high(h0, blocks)*c.Block)) / c.Block
	}}.add},
	{"a part of a block counted as one", "BlockContains8x64", false, func(c ProbeCall) (int, int) {
		if n := uint64(len(c.Words)); n > 8 && n%8 != 0 && n%8 != 1 {
			return blockBy{number: func(_ ProbeCall, h0, _, blocks uint64) uint64 { return high(h0, blocks+1) }}.contains(c)
		}
		return blockContainsEach(c)
	}},
	{"a bit of a block that is not there", "BlockAdd8x64", false, func(c ProbeCall) (int, int) {
		if n := len(c.Words); n > 0 && n < 8 && len(c.Keys) > 0 {
			c.Words[0] ^= 1
		}
		return blockAddEach(c)
	}},
	{"positions from the highest bits", "BlockContains8x64", false, blockBy{at: func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		return blockAt(c, h0, bits.RotateLeft64(h1, 48), j)
	}}.contains},
	{"bits of one word for two positions", "BlockAdd512", false, blockBy{at: func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		if j == 6 {
			return h1 >> 53 & 511
		}
		return blockAt(c, h0, h1, j)
	}}.add},
	{"positions 1 and 2 exchanged", "BlockContains8x32", false, blockBy{at: func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		if j == 1 || j == 2 {
			return uint64(j)*32 + h1>>(5*(3-j))&31
		}
		return blockAt(c, h0, h1, j)
	}}.contains},
	{"the lowest bit of a position dropped", "BlockAdd8x32", false, blockBy{at: func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		return blockAt(c, h0, h1&^(1<<35), j)
	}}.add},
	{"first word mixed", "BlockPositions", false, blockBy{at: func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		return blockAt(c, h0, mixed(h1-(h0|1), h0, 1), j)
	}}.derive},
	{"second word as the first", "BlockContains512", false, blockBy{at: func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		return blockAt(c, h0, h1, j%7)
	}}.contains},
	{"increment even", "BlockAdd512", false, blockBy{at: func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		if j < 7 {
			return blockAt(c, h0, h1, j)
		}
		return blockAt(c, h0, h1-(h0&1^1)*uint64(j/7), j)
	}}.add},
	{"third word mixed from the second", "BlockContains512", false, blockBy{at: func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		if j < 14 {
			return blockAt(c, h0, h1, j)
		}
		return blockAt(c, h0, blockWordOf(h0, h1, 1), j-7)
	}}.contains},
	{"8 positions of a word", "BlockAdd", false, blockBy{at: func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		if c.Span != 512 {
			return blockAt(c, h0, h1, j)
		}
		return uint64(j)*c.Step + blockWordOf(h0, h1, j/8)>>(j%8*9)&511
	}}.add},
	{"step ignored", "BlockPositions", false, blockBy{at: func(c ProbeCall, h0, h1 uint64, j int) uint64 {
		return blockAt(c, h0, h1, j) - uint64(j)*c.Step
	}}.derive},
	{"equal positions of a key counted twice", "BlockAdd512", false, func(c ProbeCall) (int, int) {
		seen := map[uint64]bool{}
		pos, twice := blockBy{}.positions(c), 0
		if len(c.Out) > 0 && len(pos) > 0 {
			for _, p := range pos[:c.K] {
				if seen[p] && bit(c.Words, p) == 0 {
					twice++
				}
				seen[p] = true
			}
		}
		a, _ := blockAdd512(c)
		return a + twice, 0
	}},
	{"keys of one block tested before they are set", "BlockAdd8x64", false, func(c ProbeCall) (fresh, _ int) {
		n := min(len(c.Out), len(c.Keys)/2)
		for i := 0; i < n; i += 2 {
			two := c
			two.Out, two.Keys = c.Out[i:min(i+2, n)], c.Keys[2*i:2*min(i+2, n)]
			blockContainsEach(two)
			for o := range two.Out {
				two.Out[o] ^= 1
			}
			two.Out = make([]uint8, len(two.Out))
			a, _ := blockAddEach(two)
			fresh += a
		}
		return fresh, 0
	}},
	{"keys that were not asked for left out", "BlockContains8x64", false, func(c ProbeCall) (int, int) {
		if n := min(len(c.Out), len(c.Keys)/2); c.Ahead > n && n > 0 {
			c.Out = c.Out[:n-1]
		}
		return blockContainsEach(c)
	}},
	{"keys asked for past the last", "BlockContains8x64", true, func(c ProbeCall) (int, int) {
		if n := min(len(c.Out), len(c.Keys)/2); n > 0 && c.Ahead > 0 && c.Ahead <= n {
			peek(c.Keys, len(c.Keys)|1)
		}
		return blockContainsEach(c)
	}},
	{"answers not stored for a miss", "BlockContains8x64", false, func(c ProbeCall) (int, int) {
		out := append([]uint8{}, c.Out...)
		a, b := blockContainsEach(c)
		for i, v := range c.Out {
			if v == 0 {
				c.Out[i] = out[i]
			}
		}
		return a, b
	}},
	{"a word of the next block written", "BlockAdd8x64", false, then(blockAddEach, func(c ProbeCall, _ *int) {
		if n := len(c.Words); n%8 != 0 && n > 8 && len(c.Keys) > 1 {
			c.Words[n&^7] |= 1
		}
	})},
}

func bit(words []uint64, p uint64) uint64 { return words[p>>6] >> (p & 63) & 1 }

// TestBlockMutants asserts what TestProbeMutants does.
func TestBlockMutants(t *testing.T) { testProbeMutants(t, blockMutants) }
