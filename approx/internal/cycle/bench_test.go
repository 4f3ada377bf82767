package cycle

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
)

func BenchmarkChain(b *testing.B) {
	for _, k := range []int{7, 12, 20} {
		for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
			b.Run(fmt.Sprintf("%v/m=2^23/k=%d/sigma=2^22", h, k), func(b *testing.B) {
				for b.Loop() {
					if _, err := Chain(bloomproof.Geometry{M: 1 << 23, K: k, Hashing: h}, bloomproof.Recycling{Sigma: 1 << 22}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
