package guava_test

import (
	"fmt"

	"github.com/bloomproof/bloomproof/kernel/compat/guava"
	"github.com/bloomproof/bloomproof/verify/like"
)

// A filter for 20 strings with the m and k that Guava chooses for a rate of 1 %, and the rate that they really
// have. A Java program reads it by BloomFilter.readFrom(in, Funnels.stringFunnel(StandardCharsets.UTF_8)).
func Example() {
	library, err := like.Find("guava")
	if err != nil {
		panic(err)
	}
	m, k, _ := library.Own(20, 0.01)
	f, err := guava.New(m, k, guava.Mitz64)
	if err != nil {
		panic(err)
	}
	f.Add([]byte("café"))
	data, err := f.MarshalBinary()
	if err != nil {
		panic(err)
	}
	fmt.Println(len(data), "bytes,", f.Contains([]byte("café")))

	rate, err := library.Rate(m, k, 20, 60)
	if err != nil {
		panic(err)
	}
	lo, hi := rate.Bounds()
	fmt.Printf("m = %d, k = %d: %.1f %%\n", m, k, 50*(lo+hi))
	// Output:
	// 30 bytes, true
	// m = 192, k = 7: 1.5 %
}

// Go's strings are UTF-8; Guava's unencodedCharsFunnel gives UTF-16 to the hash.
func ExampleChars() {
	fmt.Printf("% x\n", guava.Chars("é😀"))
	// Output: e9 00 3d d8 00 de
}
