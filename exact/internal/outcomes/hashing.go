package outcomes

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
)

// Masks returns a bit mask for every equally likely outcome of hashing one item. A bit of the mask is 1 if the item
// sets the corresponding bit of the filter.
func Masks(g bloomproof.Geometry) []uint32 {
	masks := []uint32{0}
	slice := int(g.M) / g.K
	for i := range g.K {
		var next []uint32
		for _, mask := range masks {
			for bit := range int(g.M) {
				switch {
				// The positions must ascend, so that each subset occurs only once.
				case g.Hashing == bloomproof.Classic && mask>>bit != 0:
					continue
				case g.Hashing == bloomproof.Partitioned && bit/slice != i:
					continue
				}
				next = append(next, mask|1<<bit)
			}
		}
		masks = next
	}
	return masks
}

// Count returns the number of outcomes that Masks lists, without listing them.
func Count(g bloomproof.Geometry) float64 {
	switch g.Hashing {
	case bloomproof.Classic:
		count, _ := new(big.Float).SetInt(integer.Binomial(g.M, g.K)).Float64()
		return count
	case bloomproof.Partitioned:
		return math.Pow(float64(g.M/uint64(g.K)), float64(g.K))
	}
	return math.Pow(float64(g.M), float64(g.K))
}
