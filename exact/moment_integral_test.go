package exact

import (
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
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

// TestMomentWithin compares the integral over two circles with sums of positive terms, and asks for
// a moment that takes it.
func TestMomentWithin(t *testing.T) {
	if _, ok := momentIntegral(10206, integer.Uint(2*3044), 3044, 24); !ok {
		t.Error("no integral serves")
	}
	for _, c := range []struct {
		m, n uint64
		r    int
	}{{1500, 900, 700}, {2500, 700, 800}, {4000, 6000, 1500}, {10206, 2 * 3044, 3044}}[:longtest.Of(1, 1, 4)] {
		for _, prec := range []uint{24, 60}[:longtest.Of(1, 1, 2)] {
			x, err := occupancy.Pair{M: c.m, N: [2]uint64{c.n, uint64(c.r)}}.Within(prec)
			if err != nil {
				t.Fatal(err)
			}
			got := around(x)
			want, err := momentSmallFill(c.m, integer.Uint(c.n), c.r, prec)
			if err != nil || !got.Overlaps(want) || got.RelBits() < int(prec) {
				t.Errorf("%d urns, %d and %d balls, %d bits: %v is not %v (%v)", c.m, c.n, c.r, prec, got, want, err)
			}
		}
	}
}

// TestLeastBitsFewItems sizes for few items with hundreds of positions each. The sums of positive terms
// decide that one bit less and a neighbour of k do not serve.
func TestLeastBitsFewItems(t *testing.T) {
	p, _ := new(big.Rat).SetString("1e-120")
	o, err := LeastBits(bloomproof.Geometry{}, 1, p, 30)
	if g := o.Geometry; err != nil || g.M != 640 || g.K != 344 {
		t.Fatalf("%v (%v)", g, err)
	}
	rate := func(m uint64, k int) Enclosure {
		e, err := momentSmallFill(m, integer.Uint(uint64(k)), k, 30)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	at := rate(640, 344)
	if order, decided := at.Cmp(exactly(p, 30)); !decided || order > 0 {
		t.Errorf("the rate is %v", at)
	}
	if order, decided := rate(639, 344).Cmp(exactly(p, 30)); !decided || order < 0 {
		t.Error("639 bits serve")
	}
	for _, k := range []int{343, 345} {
		if order, decided := rate(640, k).Cmp(at); !decided || order < 0 {
			t.Errorf("k = %d is better", k)
		}
	}
}
