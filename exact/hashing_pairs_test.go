package exact

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

var pairedHashings = []bloomproof.Hashing{bloomproof.EnhancedDouble, bloomproof.Triple}

// TestPairsEnclose holds the two bounds to the rate by all outcomes, for every m of a range: primes, powers of two, and
// numbers with many divisors.
func TestPairsEnclose(t *testing.T) {
	enclosed := 0
	for _, h := range pairedHashings {
		most := uint64(longtest.More(32, 112))
		if h == bloomproof.Triple {
			most = uint64(longtest.More(20, 56))
		}
		for m := uint64(2); m <= most; m++ {
			for k := 1; k <= longtest.More(4, 7); k++ {
				g := bloomproof.Geometry{M: m, K: k, Hashing: h}
				for _, n := range []uint64{1, 2, m / uint64(k+1), m} {
					if n == 0 {
						continue
					}
					bounds, _, err := FPR(g, n, 64, routePairs)
					if errors.Is(err, bloomproof.ErrUndefined) {
						continue
					} else if err != nil {
						t.Fatal(err)
					}
					e, _, err := FPR(g, n, 64, Auto)
					if err != nil {
						t.Fatal(err)
					}
					if bounds.Lo().Cmp(e.Hi()) > 0 || bounds.Hi().Cmp(e.Lo()) < 0 {
						t.Fatalf("%v n=%d: %v does not enclose %v", g, n, bounds, e)
					}
					enclosed++
				}
			}
		}
	}
	if t.Logf("%d bounds", enclosed); enclosed < 300 {
		t.Error("too few bounds were compared")
	}
}

// TestPairsAreNear demands that the bounds are as near as the documentation of FPR says, at half fill. In the last cases
// the filters are nearly full. The bounds Phi(r) of probabilities would then be above 1 if the code did not replace them
// by 1. The width of the result would be larger than the stated one.
func TestPairsAreNear(t *testing.T) {
	for _, c := range []struct {
		g     bloomproof.Geometry
		n     uint64 // 0 for half fill
		width float64
	}{
		{bloomproof.Geometry{M: 4099, K: 5, Hashing: bloomproof.EnhancedDouble}, 0, 1.3e-3},
		{bloomproof.Geometry{M: 4096, K: 5, Hashing: bloomproof.EnhancedDouble}, 0, 2e-3},
		{bloomproof.Geometry{M: 1 << 20, K: 7, Hashing: bloomproof.EnhancedDouble}, 0, 2e-5},
		{bloomproof.Geometry{M: 1<<61 - 1, K: 10, Hashing: bloomproof.EnhancedDouble}, 0, 1e-15},
		{bloomproof.Geometry{M: 4099, K: 5, Hashing: bloomproof.Triple}, 0, 2e-4},
		{bloomproof.Geometry{M: 1<<20 - 3, K: 7, Hashing: bloomproof.Triple}, 0, 2e-8},
		{bloomproof.Geometry{M: 1 << 20, K: 7, Hashing: bloomproof.Triple}, 0, 1e-4},
		{bloomproof.Geometry{M: 1 << 63, K: 7, Hashing: bloomproof.Triple}, 0, 1e-16},
		{bloomproof.Geometry{M: 17, K: 4, Hashing: bloomproof.EnhancedDouble}, 8, 1.7},
		{bloomproof.Geometry{M: 31, K: 4, Hashing: bloomproof.Triple}, 23, 0.3},
	} {
		if c.n == 0 {
			c.n = uint64(math.Round(float64(c.g.M) * math.Ln2 / float64(c.g.K)))
		}
		e, _, err := FPR(c.g, c.n, 64, routePairs)
		if err != nil {
			t.Fatal(err)
		}
		x := new(big.Float).Quo(e.Hi(), e.Lo())
		if width, _ := x.Sub(x, big.NewFloat(1)).Float64(); width > c.width || width < 0 {
			t.Errorf("%v n=%d: the bounds are %.5g apart, more than %.5g", c.g, c.n, width, c.width)
		}
	}
}

// TestPairsExtremes demands bounds from 0 to 1, or a refusal, at the ends of the domain.
func TestPairsExtremes(t *testing.T) {
	const top = 1<<64 - 1
	point, every := 0, longtest.More(5, 1) // prime to the lengths of the lists
	for _, h := range pairedHashings {
		for _, m := range []uint64{1, 2, 3, 720, 1 << 40, 1 << 63, top} {
			for _, n := range []uint64{0, 1, 3, 1 << 20, 1 << 40, top} {
				for _, k := range []int{1, 2, 3, 8, 21, 4096} {
					if point++; point%every != 0 {
						continue
					}
					g := bloomproof.Geometry{M: m, K: k, Hashing: h}
					e, _, err := FPR(g, n, 24, routePairs)
					if errors.Is(err, bloomproof.ErrUndefined) || errors.Is(err, bloomproof.ErrTooCostly) {
						continue
					}
					if err != nil || e.Lo().Sign() < 0 || e.Hi().Cmp(big.NewFloat(1)) > 0 {
						t.Errorf("%v n=%d: %v, %v", g, n, e, err)
					}
				}
			}
		}
	}
}
