package kernel

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
)

// benchWords are 1, 2, 4, 8 words, then sizes inside L1 (16 words to 32 KiB), L2
// (1 MiB) and beyond (64 MiB).
var benchWords = []int{1, 2, 4, 8, 16, 32, 128, 4096, 1 << 17, 1 << 23}

// sink keeps results alive.
var sink int

// pair returns two slices of words with about half of their bits set.
func pair(words int) (x, y []uint64) {
	x, y = make([]uint64, words), make([]uint64, words)
	for i := range x {
		x[i], y[i] = uint64(i)*0x9e37_79b9_7f4a_7c15, uint64(i)*0xd1b5_4a32_d192_ed03
	}
	return x, y
}

// benchOp measures an operation that reads args slices at every size with every
// implementation, and beside them the loop that only reads.
func benchOp(b *testing.B, args int, f func(im Impl, x, y []uint64) int) {
	for _, words := range benchWords {
		x, y := pair(words)
		for _, im := range Impls() {
			b.Run(fmt.Sprintf("words=%d/impl=%v", words, im), func(b *testing.B) {
				b.SetBytes(int64(8 * words * args))
				for b.Loop() {
					sink = f(im, x, y)
				}
			})
		}
		touch := asmtest.Touch(Impls()[0].String())
		b.Run(fmt.Sprintf("words=%d/impl=touch", words), func(b *testing.B) {
			b.SetBytes(int64(8 * words * args))
			for b.Loop() {
				touch(x)
				if args == 2 {
					touch(y)
				}
			}
		})
	}
}

func BenchmarkCount(b *testing.B) {
	benchOp(b, 1, func(im Impl, x, _ []uint64) int { return count(im, x) })
}

func BenchmarkAndCount(b *testing.B)    { benchOp(b, 2, andCount) }
func BenchmarkOrCount(b *testing.B)     { benchOp(b, 2, orCount) }
func BenchmarkXorCount(b *testing.B)    { benchOp(b, 2, xorCount) }
func BenchmarkAndNotCount(b *testing.B) { benchOp(b, 2, andNotCount) }
func BenchmarkAndInto(b *testing.B)     { benchOp(b, 2, andInto) }
func BenchmarkOrInto(b *testing.B)      { benchOp(b, 2, orInto) }
func BenchmarkAndNotInto(b *testing.B)  { benchOp(b, 2, andNotInto) }

// BenchmarkSubset measures equal words, of which none ends the walk.
func BenchmarkSubset(b *testing.B) {
	benchOp(b, 2, func(im Impl, x, _ []uint64) int { return number(subset(im, x, x)) })
}

// BenchmarkThreshold measures each kernel without the dispatch, at the sizes between
// which countMin, pairMin, intoMin and avx2Min lie.
func BenchmarkThreshold(b *testing.B) {
	for _, im := range Impls() {
		for _, row := range asmtest.Select(asmtest.Popcount(), im.String()) {
			for _, words := range []int{2, 4, 6, 8, 12, 16, 24, 32} {
				x, y := pair(words)
				b.Run(fmt.Sprintf("op=%s/words=%d/impl=%v", row.Op, words, im), func(b *testing.B) {
					b.SetBytes(int64(8 * words))
					for b.Loop() {
						sink = row.Got(x, y)
					}
				})
			}
		}
	}
}
