package conform

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// The method "elsewhere" compares the answers of two processes. The second process reads the filter of the first
// process from a snapshot. If a process draws a hash seed when it starts, the seed must be in the snapshot.
func (x *examination) elsewhere(l Law) {
	if x.s.elsewhere == nil {
		return
	}
	for _, s := range []bloomproof.Geometry{{M: 1000, K: 5}, {M: 1 << 16, K: 7}} {
		f, d, ok := x.open(s.M, s.K)
		if !ok {
			continue
		}
		keys, n := x.random(0xe15e), max(2, d.m()/uint64(3*d.g.K))
		x.where = fmt.Sprintf("%v, %d random keys", d, n)
		x.fillWith(f, keys, 0, n)
		data, err := x.s.Marshal(f)
		if err != nil {
			continue // the law "snapshot" finds this fault
		}
		asked := make([][]byte, n+500)
		for i := range asked {
			asked[i] = slices.Clone(keys.key(uint64(i)))
		}
		there, err := x.s.elsewhere(data, asked)
		if err != nil {
			x.found(l, "another process does not read it: %v", err)
			return
		}
		if there == nil {
			return // there is no other process
		}
		x.told[l] = true
		x.asked(f, keys, 0, n+500, func(i uint64, contained bool) bool {
			if contained != there[i] {
				x.found(l, "key %d contained in another process that read it: %t, want %t", i, there[i], contained)
			}
			return contained == there[i]
		})
	}
}
