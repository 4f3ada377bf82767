// Command stubs is a program that contains every assembly function of package kernel. These functions jump to kernels.
// The program itself does nothing.
package main

import (
	"os"

	"github.com/bloomproof/bloomproof/kernel"
)

func main() {
	if len(os.Args) < 99 {
		return
	}
	x := []uint64{0}
	_ = kernel.Count(x) + kernel.AndCount(x, x) + kernel.OrCount(x, x) + kernel.XorCount(x, x) + kernel.AndNotCount(x, x) +
		kernel.AndInto(x, x) + kernel.OrInto(x, x) + kernel.AndNotInto(x, x)
	var f kernel.Filter
	f.Add(nil)
	f.AddHash(kernel.Hash{})
	_ = f.Contains(nil) || f.ContainsHash(kernel.Hash{})
}
