package exact

import (
	"math"
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
		for _, prec := range []uint{24, 60, 150}[:longtest.More(1, 3)] {
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
	m, n, r, prec := uint64(10206), integer.Uint(2*3044), 3044, uint(24)
	if _, ok := momentIntegral(m, n, r, prec); ok || withinCost(m, n, prec) > momentCost(m, n, r, prec) {
		t.Error("another method serves better")
	}
	for _, c := range []struct {
		m, n uint64
		r    int
	}{{600, 400, 300}, {1500, 900, 700}, {2500, 700, 800}, {4000, 6000, 1500}, {10206, 2 * 3044, 3044}}[:longtest.More(1, 5)] {
		for _, prec := range []uint{24, 60}[:longtest.More(1, 2)] {
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

// TestIntegralChoice checks where moment prefers an integral, in cases where the estimated times differ by a factor of 2
// or more. The choice was compared with measured times.
func TestIntegralChoice(t *testing.T) {
	const sums, circle, circles = "sums", "a circle", "two circles"
	for _, c := range []struct {
		m, n uint64
		k    int
		prec uint
		want string
	}{
		{1 << 23, 8e5, 7, PrecFor(50), sums},
		{41300, 391, 1000, PrecFor(15), sums}, // nine balls per urn: the integral over one circle takes 6 s
		{41300, 80, 4096, PrecFor(15), circles},
		{1 << 34, 1 << 20, 4096, PrecFor(50), circle},
		{1 << 34, 1, 4096, PrecFor(15), circle}, // too few balls for two circles
		{1 << 20, 1 << 12, 4096, PrecFor(15), circles},
		{1 << 20, 1 << 13, 4096, PrecFor(15), circles}, // 32 balls per urn: no integral over one circle
	} {
		n := integer.Product(c.n, c.k)
		cost := map[string]float64{
			sums: momentCost(c.m, n, c.k, c.prec), circle: integralCost(c.m, n, c.prec), circles: withinCost(c.m, n, c.prec),
		}
		for way, x := range cost {
			if way != c.want && x < 2*cost[c.want] {
				t.Errorf("m=%d n=%d k=%d at %d bits: %s should be the best way, costs %v", c.m, c.n, c.k, c.prec, c.want, cost)
			}
		}
	}
}

// TestIntegralLimit checks that no integral over one circle is tried for more than mostBallsPerUrn balls per urn.
func TestIntegralLimit(t *testing.T) {
	const m = 1000
	if math.IsInf(integralCost(m, big.NewInt(mostBallsPerUrn*m), 50), 1) || !math.IsInf(integralCost(m, big.NewInt(mostBallsPerUrn*m+1), 50), 1) {
		t.Error("the limit is not mostBallsPerUrn")
	}
}

// TestNearlyFullMoments asks for moments with up to a million balls per urn, where the cost of the sums would make any
// other method that can be chosen look cheap. The complement of the rate is computed by another formula.
func TestNearlyFullMoments(t *testing.T) {
	loads := []float64{1000, 17, 256, 704, 15, 200, 300, 711, 1e6}
	for _, perUrn := range loads[:longtest.Of(1, 2, len(loads))] {
		g := bloomproof.Geometry{M: 1 << 40, K: 1300}
		n := uint64(perUrn * float64(g.M) / float64(g.K))
		f, _, err := FPR(g, n, 1, Auto)
		if err != nil {
			t.Fatalf("%v balls per urn: %v", perUrn, err)
		}
		c, err := Complement(g, n, 1)
		if err != nil {
			t.Fatalf("%v balls per urn: %v", perUrn, err)
		}
		// The sum of the two enclosures must contain 1.
		lo, hi := new(big.Float).Add(f.Lo(), c.Lo()), new(big.Float).Add(f.Hi(), c.Hi())
		if one := big.NewFloat(1); lo.Cmp(one) > 0 || hi.Cmp(one) < 0 {
			t.Errorf("%v balls per urn: the rate is %v and its complement is %v", perUrn, f, c)
		}
		g = bloomproof.Geometry{M: 2000, K: 650} // the second moment takes twice as many positions
		if _, err := SecondMoment(g, uint64(perUrn*2000/650), 1); err != nil {
			t.Errorf("%v balls per urn: %v", perUrn, err)
		}
	}
	for perUrn, want := range map[uint64]bool{mostWithinPerUrn - 1: true, mostWithinPerUrn: false, 1 << 40: false} {
		if got := withinCost(1000, integer.Uint(1000*perUrn), 50); math.IsInf(got, 1) == want {
			t.Errorf("%d balls per urn: the cost of two circles is %v", perUrn, got)
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
