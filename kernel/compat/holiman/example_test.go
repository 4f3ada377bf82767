package bloomfilter_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	bloomfilter "github.com/bloomproof/bloomproof/kernel/compat/holiman"
	"github.com/bloomproof/bloomproof/verify/like"
)

// The rate to expect of the library's positions, and the rate that the bits of one filter give.
func Example() {
	f, err := bloomfilter.NewWithKeys(1000, []uint64{0x9e3779b97f4a7c15, 0xf39cc0605cedc835, 0x8a5cd789635d2dff})
	if err != nil {
		panic(err)
	}
	for i := range 200 {
		sum := sha256.Sum256(fmt.Append(nil, "key ", i))
		f.AddHash(binary.LittleEndian.Uint64(sum[:]))
	}
	library, err := like.Find("holiman")
	if err != nil {
		panic(err)
	}
	rate, err := library.Rate(f.M(), int(f.K()), f.N(), 60)
	least, most := rate.Bounds()
	fmt.Printf("expected between %.4f and %.4f; by the bits %.4f; %v\n", least, most, f.Rate(), err)
	// Output: expected between 0.0904 and 0.0936; by the bits 0.0864; <nil>
}
