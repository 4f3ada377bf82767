package asmtest

import (
	"math/big"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// A blockShape says where the positions of a key lie in its block. If a field is 0, the tested operation permits all
// values of this field.
type blockShape struct {
	k                 int
	span, step, block uint64
}

// Blocks returns one row for each kernel of this build that works on an array of blocks. The first row of each
// operation is its portable twin, which is the same operation in Go. The twin is compared with slow code that uses
// package math/big and processes one bit at a time. The other rows of the operation are assembly kernels, which are
// compared with the twin. RunProbe tests a row. Some of the kernels may need instructions that this CPU lacks. So
// choose rows by their field Impl.
func Blocks() (rows []ProbeRow) {
	for _, f := range blockFamily {
		of := probeRows([]probeOperation{f.probeOperation})
		for i := range of {
			of[i].blocks = f.blocks
		}
		rows = append(rows, of...)
	}
	return rows
}

// A blockOperation is an operation on an array of blocks. If the field "blocks" is zero, blocks of all shapes are
// permitted. Otherwise only blocks of this shape are permitted.
type blockOperation struct {
	probeOperation
	blocks blockShape
}

var (
	any512  = blockShape{span: 512, block: 512}
	one8x64 = blockShape{k: 8, span: 64, step: 64, block: 512}
	one8x32 = blockShape{k: 8, span: 32, step: 32, block: 256}
)

const (
	blockContains = Hashes | Answers | Blocked
	blockAdd      = blockContains | Sets
)

var blockFamily = []blockOperation{
	{probeOperation{"BlockPositions", Hashes | Derives | Blocked, blockPositions, naivePositionsBy(naiveBlocked)}, blockShape{}},
	{probeOperation{"BlockContains", blockContains, blockFunc(asm.BlockContainsPortable), naiveContains(naiveBlocked)}, blockShape{}},
	{probeOperation{"BlockAdd", blockAdd, blockFunc(asm.BlockAddPortable), naiveAdd(naiveBlocked)}, blockShape{}},
	{probeOperation{"BlockContains512", blockContains, block512Func(asm.BlockContains512Portable), naiveContains(naiveBlocked)}, any512},
	{probeOperation{"BlockContains512T1", blockContains, block512Func(asm.BlockContains512Portable), nil}, any512},
	{probeOperation{"BlockContains512One", blockContains, block512Func(asm.BlockContains512Portable), nil}, any512},
	{probeOperation{"BlockAdd512", blockAdd, block512Func(asm.BlockAdd512Portable), naiveAdd(naiveBlocked)}, any512},
	{probeOperation{"BlockAdd512T1", blockAdd, block512Func(asm.BlockAdd512Portable), nil}, any512},
	{probeOperation{"BlockAdd512One", blockAdd, block512Func(asm.BlockAdd512Portable), nil}, any512},
	{probeOperation{"BlockContains8x64", blockContains, blockEachFunc(asm.BlockContains8x64Portable), naiveContains(naiveBlocked)}, one8x64},
	{probeOperation{"BlockContains8x64T1", blockContains, blockEachFunc(asm.BlockContains8x64Portable), nil}, one8x64},
	{probeOperation{"BlockContains8x64One", blockContains, blockEachFunc(asm.BlockContains8x64Portable), nil}, one8x64},
	{probeOperation{"BlockAdd8x64", blockAdd, blockEachFunc(asm.BlockAdd8x64Portable), naiveAdd(naiveBlocked)}, one8x64},
	{probeOperation{"BlockAdd8x64T1", blockAdd, blockEachFunc(asm.BlockAdd8x64Portable), nil}, one8x64},
	{probeOperation{"BlockAdd8x64One", blockAdd, blockEachFunc(asm.BlockAdd8x64Portable), nil}, one8x64},
	{probeOperation{"BlockContains8x32", blockContains, blockEachFunc(asm.BlockContains8x32Portable), naiveContains(naiveBlocked)}, one8x32},
	{probeOperation{"BlockContains8x32T1", blockContains, blockEachFunc(asm.BlockContains8x32Portable), nil}, one8x32},
	{probeOperation{"BlockContains8x32One", blockContains, blockEachFunc(asm.BlockContains8x32Portable), nil}, one8x32},
	{probeOperation{"BlockAdd8x32", blockAdd, blockEachFunc(asm.BlockAdd8x32Portable), naiveAdd(naiveBlocked)}, one8x32},
	{probeOperation{"BlockAdd8x32T1", blockAdd, blockEachFunc(asm.BlockAdd8x32Portable), nil}, one8x32},
	{probeOperation{"BlockAdd8x32One", blockAdd, blockEachFunc(asm.BlockAdd8x32Portable), nil}, one8x32},
}

// Each of the following functions calls one function of package asm with the arguments in c.

func blockPositions(c ProbeCall) (int, int) {
	return asm.BlockPositionsPortable(c.Dst, c.Keys, c.K, c.Span, c.Step, c.Block, c.Blocks), 0
}

func blockFunc(f func(out []bool, words, h []uint64, k int, span, step, block uint64) int) ProbeFunc {
	return func(c ProbeCall) (int, int) {
		return f(bools(c.Out), c.Words, c.Keys, c.K, c.Span, c.Step, c.Block), 0
	}
}

func block512Func(f func(out []bool, words, h []uint64, k, ahead int) int) ProbeFunc {
	return func(c ProbeCall) (int, int) { return f(bools(c.Out), c.Words, c.Keys, c.K, c.Ahead), 0 }
}

func blockEachFunc(f func(out []bool, words, h []uint64, ahead int) int) ProbeFunc {
	return func(c ProbeCall) (int, int) { return f(bools(c.Out), c.Words, c.Keys, c.Ahead), 0 }
}

// naiveBlocked returns the positions of each key of c. It omits the last key if only one of the two words of its hash
// is present. It uses integers of any size. The positions are digits of a number, in the base c.Span. The portable
// twins compute them in another way, by shifts.
func naiveBlocked(c ProbeCall) (keys [][]uint64) {
	blocks := c.Blocks
	if len(c.Words) > 0 {
		blocks = uint64(len(c.Words)) / (c.Block / 64)
	}
	if blocks == 0 {
		return nil
	}
	var n naive
	each := 0 // the number of positions that a word of the stream gives
	for most := new(big.Int).SetUint64(1); most.Mul(most, new(big.Int).SetUint64(c.Span)).Cmp(two64) <= 0 && each < 64; {
		each++
	}
	for i := 0; 2*i+1 < len(c.Keys); i++ {
		h0, h1 := c.Keys[2*i], c.Keys[2*i+1]
		number := new(big.Int).SetUint64(h0)
		number.Mul(number, new(big.Int).SetUint64(blocks)).Div(number, two64)
		first := number.Uint64() * c.Block
		var pos []uint64
		x := h1
		for j := range c.K {
			if j > 0 && j%each == 0 {
				x = n.mixed(h1, h0, j/each).Uint64()
			}
			pos = append(pos, first+uint64(j)*c.Step+x%c.Span)
			x /= c.Span
		}
		keys = append(keys, pos)
	}
	return keys
}
