package parquet_test

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel/compat/parquet"
)

// A column of a million distinct values, of which one in a hundred absent ones may be found.
// The writers' formula gives 9.68 bits a value, at which the rate is 1.46 %.
func Example() {
	size, err := exact.LeastBits(bloomproof.Geometry{K: 8, Hashing: bloomproof.Partitioned, Block: 256}, 1_000_000, big.NewRat(1, 100), 60)
	if err != nil {
		panic(err)
	}
	f, err := parquet.New(int(size.Geometry.M / 8))
	if err != nil {
		panic(err)
	}
	f.Add([]byte("a value, as Parquet's plain encoding has it"))
	fmt.Println(len(f.AppendBitset(nil)), "bytes,", f.Contains([]byte("a value, as Parquet's plain encoding has it")))
	// Output: 1316160 bytes, true
}
