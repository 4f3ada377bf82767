//go:build gc && !purego

package asmtest

import (
	"math"
	"slices"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// blockKernels returns the assembly kernels of the operation op on blocks.
func blockKernels(op string) []probeKernel {
	f, ok := map[string]ProbeFunc{
		"BlockContains512":     block512Func(asm.BlockContains512NEON),
		"BlockContains512One":  oneContains(asm.BlockContains512OneNEON),
		"BlockAdd512":          block512Func(asm.BlockAdd512NEON),
		"BlockAdd512One":       oneAdd(asm.BlockAdd512OneNEON),
		"BlockContains8x64":    blockEachFunc(asm.BlockContains8x64NEON),
		"BlockContains8x64One": oneContains(eachOne(asm.BlockContains8x64OneNEON)),
		"BlockAdd8x64":         blockEachFunc(asm.BlockAdd8x64NEON),
		"BlockAdd8x64One":      oneAdd(eachOne(asm.BlockAdd8x64OneNEON)),
		"BlockContains8x32":    blockEachFunc(asm.BlockContains8x32NEON),
		"BlockContains8x32One": oneContains(eachOne(asm.BlockContains8x32OneNEON)),
		"BlockAdd8x32":         blockEachFunc(asm.BlockAdd8x32NEON),
		"BlockAdd8x32One":      oneAdd(eachOne(asm.BlockAdd8x32OneNEON)),
	}[op]
	if !ok {
		return nil
	}
	return []probeKernel{{"neon", f}}
}

// The kernel f processes one key. The functions oneContains and oneAdd return a function for many keys. This function
// calls f for one key after the other, until there is no more room for answers.
func oneContains(f func(words []uint64, h0, h1 uint64, k int) bool) ProbeFunc {
	return func(c ProbeCall) (found, _ int) {
		if blockless(c) {
			f(full(), 0, 0, c.K) // leave the result true in the place where the next call returns its result
			if len(c.Keys) > 1 && f(c.Words, c.Keys[0], c.Keys[1], c.K) {
				found = 1
			}
			return found, 0
		}
		out := bools(c.Out)
		for i := range min(len(out), len(c.Keys)/2) {
			out[i] = f(c.Words, c.Keys[2*i], c.Keys[2*i+1], c.K)
			found += int(c.Out[i])
		}
		return found, 0
	}
}

func oneAdd(f func(words []uint64, h0, h1 uint64, k int) int) ProbeFunc {
	return func(c ProbeCall) (fresh, _ int) {
		if blockless(c) {
			f(make([]uint64, 8), 0, 0, c.K)
			if len(c.Keys) > 1 {
				fresh = f(c.Words, c.Keys[0], c.Keys[1], c.K)
			}
			return fresh, 0
		}
		out := bools(c.Out)
		for i := range min(len(out), len(c.Keys)/2) {
			n := f(c.Words, c.Keys[2*i], c.Keys[2*i+1], c.K)
			out[i] = n != 0
			fresh += n
		}
		return fresh, 0
	}
}

// The function "full" returns an array in which all bits are set. Such an array contains every key.
func full() []uint64 { return slices.Repeat([]uint64{math.MaxUint64}, 8) }

// The kernel f processes one key with a fixed number of positions. The function eachOne adds an argument k to this
// kernel. The returned function ignores k, and calls f with the other arguments.
func eachOne[R any](f func(words []uint64, h0, h1 uint64) R) func([]uint64, uint64, uint64, int) R {
	return func(words []uint64, h0, h1 uint64, _ int) R { return f(words, h0, h1) }
}

// The function "blockless" reports whether the array of c has no whole block. A kernel for one key then returns false
// or 0, and sets no bits.
func blockless(c ProbeCall) bool { return uint64(len(c.Words)) < c.Block/64 }
