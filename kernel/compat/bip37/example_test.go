package bip37_test

import (
	"fmt"

	"github.com/bloomproof/bloomproof/kernel/compat/bip37"
	"github.com/bloomproof/bloomproof/verify/like"
)

// The filter of a wallet with two keys, in the m and k that Bitcoin Core chooses for 20 keys and a rate of
// 0.1 %, and the rate that they really have.
func Example() {
	library, err := like.Find("bip37")
	if err != nil {
		panic(err)
	}
	m, k, _ := library.Own(20, 0.001)
	f, err := bip37.New(m, k, 2026, bip37.UpdateAll)
	if err != nil {
		panic(err)
	}
	f.AddBatch(nil, [][]byte{[]byte("a public key"), []byte("its hash")})
	message, err := f.MarshalBinary()
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d bytes, %x ...\n", len(message), message[:8])

	rate, err := library.Rate(m, k, 20, 60)
	if err != nil {
		panic(err)
	}
	lo, hi := rate.Bounds()
	fmt.Printf("m = %d, k = %d: %.2f %%\n", m, k, 50*(lo+hi))
	// Output:
	// 45 bytes, 2300083084080000 ...
	// m = 280, k = 9: 0.13 %
}
