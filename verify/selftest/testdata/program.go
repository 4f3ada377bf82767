// Command program uses a filter. TestProgram examines what the linked program contains.
package main

import (
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

func main() {
	f, _ := kernel.New(bloomproof.Geometry{M: 1 << 20, K: 7}, kernel.Options{})
	f.Add([]byte("key"))
	println(f.Contains([]byte("key")))
}
