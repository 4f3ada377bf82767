package bloom_test

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof/exact"
	bloom "github.com/bloomproof/bloomproof/kernel/compat/bitsandblooms"
	"github.com/bloomproof/bloomproof/verify/like"
)

// The rate to expect of the library's positions, the rate that the bits give, and how many keys they tell
// of, with an interval.
func Example() {
	f := bloom.New(1000, 3)
	for i := range 200 {
		f.AddString(fmt.Sprint("key ", i))
	}
	library, err := like.Find("bits-and-blooms")
	if err != nil {
		panic(err)
	}
	g := f.Geometry()
	rate, err := library.Rate(g.M, g.K, 200, 60)
	if err != nil {
		panic(err)
	}
	low, high, _, err := exact.ItemsInterval(g, f.Bits(), big.NewRat(1, 100))
	if err != nil {
		panic(err)
	}
	n, _ := f.Items()
	least, most := rate.Bounds()
	fmt.Printf("expected %.3f, by the bits %.3f\n", (least+most)/2, f.Rate())
	fmt.Printf("%.0f keys, with 99 %% from %d to %d\n", n, low, high)
	// Output:
	// expected 0.092, by the bits 0.092
	// 200 keys, with 99 % from 189 to 214
}
