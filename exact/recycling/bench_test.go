package recycling

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

func BenchmarkCycleFPR(b *testing.B) {
	for _, x := range []struct {
		m     uint64
		route exact.Route
		prec  uint
	}{
		{1_000_000, exact.Recursive, 53},
		{1 << 40, exact.ClosedForm, 53},
		{1 << 40, exact.ClosedForm, exact.PrecFor(1000)},
	} {
		c, err := New(bloomproof.Geometry{M: x.m, K: 7}, bloomproof.Recycling{Sigma: x.m / 2})
		if err != nil {
			b.Fatal(err)
		}
		if c, err = c.Via(x.route); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("m=%d/k=7/prec=%d/route=%v", x.m, x.prec, x.route), func(b *testing.B) {
			for b.Loop() {
				if _, err := c.FPR(x.prec); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
