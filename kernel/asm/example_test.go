package asm_test

import (
	"fmt"

	"github.com/bloomproof/bloomproof/kernel/asm"
)

// Two filters of 128 bits: the ones that they share, then their union and its ones.
func Example() {
	a := []uint64{0b1110, 1 << 63}
	b := []uint64{0b0111, 1 << 63}
	fmt.Println(asm.AndCountPortable(a, b))
	fmt.Println(asm.OrIntoPortable(a, b), a[0])
	// Output:
	// 3
	// 5 15
}
