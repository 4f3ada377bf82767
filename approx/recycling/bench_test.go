package recycling

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
)

func BenchmarkCycle(b *testing.B) {
	for _, x := range []struct {
		m, sigma uint64
		k        int
	}{{1 << 23, 1 << 22, 7}, {1 << 23, 1 << 22, 20}, {1 << 23, 1 << 22, 64}, {1<<64 - 1, 1 << 63, 7}, {1 << 23, 1 << 15, 7}} {
		for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
			g := bloomproof.Geometry{M: x.m, K: x.k, Hashing: h}
			b.Run(fmt.Sprintf("%v/m=%d/k=%d/sigma=%d", h, x.m, x.k, x.sigma), func(b *testing.B) {
				for b.Loop() {
					if _, err := New(g, bloomproof.Recycling{Sigma: x.sigma}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
