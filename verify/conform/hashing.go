package conform

import (
	"math"

	"github.com/bloomproof/bloomproof"
)

// The type "hashing" describes a bloomproof.Hashing. It has the properties that an examination needs.
type hashing struct {
	// The field "coincide" is true if positions of one item may coincide. The item may then set fewer than k bits.
	coincide bool
	// The field "slices" is true if an item has one position in each of k slices. Then m is a multiple of k. In a
	// filter with blocks, the size of a block is a multiple of k.
	slices bool
	// The function "hit" returns the probability that an item with k positions in a filter of m bits sets a given bit.
	hit func(m, k float64) float64
	// rateOf returns the false-positive rate of a filter. The filter has m bits, x set bits, and k positions per item.
	// In a filter with slices, all slices are assumed to have the same number of set bits.
	rateOf func(x, m float64, k int) float64
}

var hashings = map[bloomproof.Hashing]hashing{
	bloomproof.Standard: {
		coincide: true,
		hit:      func(m, k float64) float64 { return -math.Expm1(k * math.Log1p(-1/m)) },
		rateOf:   powerRate,
	},
	bloomproof.Classic: {
		hit: share,
		rateOf: func(x, m float64, k int) float64 {
			r := 1.0
			for i := range k {
				r *= max(0, min(1, (x-float64(i))/(m-float64(i))))
			}
			return r
		},
	},
	bloomproof.Partitioned: {slices: true, hit: share, rateOf: powerRate},
}

func share(m, k float64) float64 { return k / m }

func powerRate(x, m float64, k int) float64 { return math.Pow(min(1, x/m), float64(k)) }

// checkHashing returns a ParamError unless filters of hashing h can be examined.
func checkHashing(h bloomproof.Hashing) error {
	if _, ok := hashings[h]; ok {
		return nil
	}
	return &bloomproof.ParamError{Param: "hashing", Value: h, Want: "one that can be examined"}
}
