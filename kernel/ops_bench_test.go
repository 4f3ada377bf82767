package kernel

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
	"github.com/bloomproof/bloomproof/kernel/host"
)

// benchWords are 1, 2, 4 and 8 words (64 B), then sizes inside L1 (256 B, 1, 16 and
// 32 KiB), L2 (512 KiB and 1 MiB) and beyond (64 MiB).
var benchWords = []int{1, 2, 4, 8, 32, 128, 2048, 4096, 1 << 16, 1 << 17, 1 << 23}

// sink keeps results alive.
var sink int

// pair returns two slices of words with about half of their bits set, the second behind
// the first, and both as one. To 1 KiB their addresses differ from those of the caller's
// stack in the low 12 bits: otherwise loads wait for the stores of the arguments as if
// these were to the same place, which can make 256 bytes take 18 ns instead of 5.
func pair(words int) (x, y, both []uint64) {
	var stack byte
	block := make([]uint64, 2*words+512)
	off := (uintptr(unsafe.Pointer(&stack))&^63 + 1024 - uintptr(unsafe.Pointer(&block[0]))) & 4095 / 8
	both = block[off : off+2*uintptr(words)]
	for i := range words {
		both[i], both[words+i] = uint64(i)*0x9e37_79b9_7f4a_7c15, uint64(i)*0xd1b5_4a32_d192_ed03
	}
	return both[:words], both[words:], both
}

// benchOp measures an operation that reads args slices at every size: as callers have
// it, by exported; with every implementation, by f; and beside them the loop that only
// reads.
func benchOp(b *testing.B, args int, exported func(b *testing.B, x, y []uint64), f func(im impl, x, y []uint64) int) {
	for _, words := range benchWords {
		bench := func(name string, loop func(b *testing.B, x, y, both []uint64)) {
			b.Run(fmt.Sprintf("words=%d/impl=%s", words, name), func(b *testing.B) {
				x, y, both := pair(words)
				b.SetBytes(int64(8 * words * args))
				loop(b, x, y, both[:words*args])
			})
		}
		bench("auto", func(b *testing.B, x, y, _ []uint64) { exported(b, x, y) })
		for _, im := range runs(host.Popcount) {
			bench(im.String(), func(b *testing.B, x, y, _ []uint64) {
				for b.Loop() {
					sink = f(im, x, y)
				}
			})
		}
		touch := asmtest.Touch(at(host.Popcount, auto).String())
		bench("touch", func(b *testing.B, _, _, both []uint64) {
			for b.Loop() {
				touch(both)
			}
		})
	}
}

func BenchmarkCount(b *testing.B) {
	benchOp(b, 1, func(b *testing.B, x, _ []uint64) {
		for b.Loop() {
			sink = Count(x)
		}
	}, func(im impl, x, _ []uint64) int { return count(im, x) })
}

func BenchmarkAndCount(b *testing.B) {
	benchOp(b, 2, func(b *testing.B, x, y []uint64) {
		for b.Loop() {
			sink = AndCount(x, y)
		}
	}, andCount)
}

func BenchmarkOrCount(b *testing.B) {
	benchOp(b, 2, func(b *testing.B, x, y []uint64) {
		for b.Loop() {
			sink = OrCount(x, y)
		}
	}, orCount)
}

func BenchmarkXorCount(b *testing.B) {
	benchOp(b, 2, func(b *testing.B, x, y []uint64) {
		for b.Loop() {
			sink = XorCount(x, y)
		}
	}, xorCount)
}

func BenchmarkAndNotCount(b *testing.B) {
	benchOp(b, 2, func(b *testing.B, x, y []uint64) {
		for b.Loop() {
			sink = AndNotCount(x, y)
		}
	}, andNotCount)
}

func BenchmarkAndInto(b *testing.B) {
	benchOp(b, 2, func(b *testing.B, x, y []uint64) {
		for b.Loop() {
			sink = AndInto(x, y)
		}
	}, andInto)
}

func BenchmarkOrInto(b *testing.B) {
	benchOp(b, 2, func(b *testing.B, x, y []uint64) {
		for b.Loop() {
			sink = OrInto(x, y)
		}
	}, orInto)
}

func BenchmarkAndNotInto(b *testing.B) {
	benchOp(b, 2, func(b *testing.B, x, y []uint64) {
		for b.Loop() {
			sink = AndNotInto(x, y)
		}
	}, andNotInto)
}

// BenchmarkThreshold measures each kernel without the dispatch, at the sizes between
// which countMin, pairMin, intoMin and avx2Min lie.
func BenchmarkThreshold(b *testing.B) {
	for _, im := range runs(host.Popcount) {
		for _, row := range asmtest.Select(asmtest.Popcount(), im.String()) {
			for _, words := range []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32} {
				b.Run(fmt.Sprintf("op=%s/words=%d/impl=%v", row.Op, words, im), func(b *testing.B) {
					x, y, _ := pair(words)
					b.SetBytes(int64(8 * words))
					for b.Loop() {
						sink = row.Got(x, y)
					}
				})
			}
		}
	}
}
