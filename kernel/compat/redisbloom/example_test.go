package redisbloom_test

import (
	"fmt"

	"github.com/bloomproof/bloomproof/kernel/compat/redisbloom"
	"github.com/bloomproof/bloomproof/verify/like"
)

// A filter for a server, which takes its chunks by BF.LOADCHUNK name iterator data, and the rate to expect of it:
// that one of its layers says yes.
func Example() {
	f, err := redisbloom.New(10, 0.25, 2)
	if err != nil {
		panic(err)
	}
	for i := range 25 {
		if _, err := f.Add(fmt.Appendf(nil, "key %d", i)); err != nil {
			panic(err)
		}
	}
	for _, c := range f.Chunks() {
		fmt.Println("iterator", c.Iterator, "with", len(c.Data), "bytes")
	}

	library, err := like.Find("redisbloom")
	if err != nil {
		panic(err)
	}
	no := 1.0
	for _, l := range f.Layers() {
		rate, err := library.Rate(l.Geometry.M, l.Geometry.K, l.Count, 60)
		if err != nil {
			panic(err)
		}
		low, high := rate.Bounds()
		no *= 1 - (low+high)/2
	}
	fmt.Printf("%d keys: %.1f %%\n", f.Count(), 100*(1-no))
	// Output:
	// iterator 1 with 126 bytes
	// iterator 9 with 8 bytes
	// iterator 25 with 16 bytes
	// 24 keys: 7.7 %
}
