package asmtest_test

import (
	"fmt"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/kernel/asm/asmtest"
)

// A kernel that forgets the last word of odd lengths is caught with its smallest
// input.
func Example() {
	row := asmtest.Row{
		Op: "Count", Impl: "wrong", Shape: asmtest.One,
		Want: func(a, _ []uint64) int { return asm.CountPortable(a) },
		Got:  func(a, _ []uint64) int { return asm.CountPortable(a[:len(a)&^1]) },
	}
	_, err := asmtest.Run(row, asmtest.Options{Seed: 1, Short: true})
	fmt.Println(err)
	// Output:
	// Count/wrong: got 0, want 1 (seed 1)
	//   argument a: length 1, from byte 0 of 1 words that lie 0 bytes after the front guard: 0x1
}
