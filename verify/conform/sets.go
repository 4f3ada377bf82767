package conform

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// exactShapes are where the laws about goroutines are examined.
var exactShapes = []bloomproof.Geometry{{M: 64, K: 3}, {M: 1000, K: 5}, {M: 1024, K: 4}, {M: 1 << 16, K: 7}}

// eachShape calls f with two new filters of each of the shapes and with n, about half of
// what fills them.
func (x *examination) eachShape(l Law, shapes []bloomproof.Geometry, f func(a, b filter, d model, n uint64, keys *source)) {
	if x.s.Seeded && l != lawConcurrentReads { // two filters that were made separately
		return
	}
	for i, s := range shapes {
		if !x.wants(l) {
			return
		}
		a, d, ok := x.open(s.M, s.K)
		if !ok {
			continue
		}
		b, _, ok := x.open(s.M, s.K)
		if !ok {
			continue
		}
		n := max(2, min(5000, d.m()/uint64(3*d.g.K)))
		x.where = fmt.Sprintf("%v, %d random keys", d, n)
		x.told[l] = true
		f(a, b, d, n, x.random(uint64(i)<<32|uint64(slices.Index(Laws(), l))<<16|1))
	}
}
