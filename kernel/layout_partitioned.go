package kernel

import "github.com/bloomproof/bloomproof"

// In partitioned hashing the filter has k slices, and the bits of slice j begin at bit j*m/k. The j-th position of a
// key is bit reduce(x_j, m/k) of slice j. Here x_j is the j-th word of the key's stream, and the function "reduce" maps
// it to a number below m/k. The set bits are counted separately for each slice. The false-positive rate is the product
// of the shares of set bits in the slices.
var partitionedLayout = layoutEntry{bloomproof.Partitioned, func(g bloomproof.Geometry) layout {
	slice := g.M / uint64(g.K)
	return layout{
		g:       g,
		shape:   shape{k: g.K, span: slice, step: slice},
		settled: true,
		sliced:  g.K,
		items:   distinctItems,
	}
}, func(g bloomproof.Geometry) layout { // one position in each of k slices of a block
	slice := g.Block / uint64(g.K)
	return layout{
		g:       g,
		shape:   shape{k: g.K, span: slice, step: slice},
		settled: true,
		rateIn: func(l *layout, block []uint64) float64 {
			r := 1.0
			for j := range uint64(l.k) {
				r *= l.shareOf(rangeCount(portable, block, j*l.step, (j+1)*l.step))
			}
			return r
		},
		items: distinctItems, // a key leaves each bit clear with probability 1 - k/m
	}
}}
