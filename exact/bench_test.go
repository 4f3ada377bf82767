package exact

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
)

func BenchmarkFPR(b *testing.B) {
	for _, c := range []struct {
		m, n uint64
		k    int
		h    bloomproof.Hashing
	}{
		{1 << 30, 5e7, 15, bloomproof.Standard},
		{1 << 40, 3e10, 40, bloomproof.Standard},
		{1024, 5, 133, bloomproof.Standard},
		{1<<63 + 1, 1 << 60, 40, bloomproof.Standard},
		{1<<64 - 1, 1 << 20, 1000, bloomproof.Standard},
		{1 << 40, 3e10, 40, bloomproof.Classic},
		{1 << 40, 3e10, 32, bloomproof.Partitioned},
	} {
		for _, digits := range []int{50, 1000} {
			b.Run(fmt.Sprintf("hashing=%v/m=%d/n=%d/k=%d/digits=%d", c.h, c.m, c.n, c.k, digits), func(b *testing.B) {
				g := bloomproof.Geometry{M: c.m, K: c.k, Hashing: c.h}
				for b.Loop() {
					if _, _, err := FPR(g, c.n, PrecFor(digits), Auto); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
