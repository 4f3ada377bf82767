package exact

import (
	"testing"

	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestMomentIntegral compares the integrals with the sums of powers.
func TestMomentIntegral(t *testing.T) {
	for _, c := range []struct {
		m, n uint64
		k    int
	}{{20_000, 100, 128}, {100_000, 400, 170}, {1 << 20, 800, 900}, {1 << 40, 3e10, 40}, {1 << 50, 1 << 40, 200}} {
		for _, prec := range []uint{24, 60, 150}[:longtest.Of(1, 1, 3)] {
			nk := integer.Product(c.n, c.k)
			got, ok := momentIntegral(c.m, nk, c.k, prec)
			want, err := momentKSum(c.m, nk, c.k, prec+20)
			if !ok || err != nil || !got.Overlaps(want) || got.RelBits() < int(prec) {
				t.Errorf("E[(X/m)^k] of %v to %d bits: integral %v (%v), sum %v, %v", c, prec, got, ok, want, err)
			}
			got, ok = classicIntegral(c.m, c.n, c.k, prec)
			want, err = classicKSum(c.m, c.n, c.k, prec+20)
			if !ok || err != nil || !got.Overlaps(want) || got.RelBits() < int(prec) {
				t.Errorf("E[C(X,k)]/C(m,k) of %v to %d bits: integral %v (%v), sum %v, %v", c, prec, got, ok, want, err)
			}
		}
	}
}
