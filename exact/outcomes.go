// Package outcomes enumerates all equally likely outcomes of hashing, for tests of small
// filters.
package exact

import "github.com/bloomproof/bloomproof"

// itemMasks returns the set bits of every equally likely outcome of hashing one item.
func itemMasks(g bloomproof.Geometry) []uint32 {
	masks := []uint32{0}
	slice := int(g.M) / g.K
	for i := range g.K {
		var next []uint32
		for _, mask := range masks {
			for bit := range int(g.M) {
				switch {
				case g.Hashing == bloomproof.Classic && mask>>bit != 0: // ascending, so each subset once
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

// eachShape calls f for every valid geometry with m <= most, and k up to m+2.
func eachShape(most int, f func(g bloomproof.Geometry)) {
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic, bloomproof.Partitioned} {
		for m := 1; m <= most; m++ {
			for k := 1; k <= m+2; k++ {
				if g := (bloomproof.Geometry{M: uint64(m), K: k, Hashing: h}); g.Validate() == nil {
					f(g)
				}
			}
		}
	}
}
