package verify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// TestRatesOfSmallFilters compares approx with exact on a grid of small filters, at all fills, and at random filters at
// the corners of the domains of the methods that approx has for them.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestRatesOfSmallFilters(t *testing.T) {
	sizes := []uint64{64, 101, 256, 1000, 4096, 12000}
	ks := []int{2, 3, 5, 7, 8, 12, 16, 17, 24, 32, 64}
	fills := []float64{0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 0.999, 0.9999999}
	random := 75
	if longtest.Enabled() {
		sizes = append(sizes, 65, 80, 128, 200, 511, 512, 2000, 2500, 8000, 1<<20, 1<<32, 1<<53, 1<<63)
		ks = append(ks, 4, 6, 9, 10, 11, 13, 14, 15, 18, 20, 28, 48)
		random = 5000
	}
	var points []accuracy.Point
	for _, m := range sizes {
		for _, k := range ks {
			for i, fill := range fills {
				if !longtest.Enabled() && (i+k)%2 > 0 {
					continue
				}
				if n := -math.Log1p(-fill) * float64(m) / float64(k); n >= 1 && float64(k) <= float64(m) {
					points = append(points, accuracy.Point{M: m, N: uint64(n + 0.5), K: k})
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(31, 6))
	for range random {
		k := 2 + r.IntN(63)
		kf := float64(k)
		m := max(64, 4*uint64(k)) + r.Uint64N(5) - 2 // the least m
		if r.IntN(2) == 0 {
			m = uint64(64 * math.Exp(6*r.Float64()))
		}
		load := math.Exp(3 - 8*r.Float64())
		switch r.IntN(4) {
		case 3: // few items, about a quarter of the positions at most
			load = 0.25 * r.Float64()
			m = uint64(min(float64(m), float64(k)*float64(1+r.IntN(40))/load))
		case 0: // where too many digits cancel
			load = -math.Log(math.Tanh(9.35/kf)) * (1 + 0.02*r.NormFloat64())
		case 1: // where the rate is near 1
			load = math.Log(2*kf) * (1 + 0.02*r.NormFloat64())
		}
		points = append(points, accuracy.Point{M: m, N: uint64(max(1, math.Round(load*float64(m)/kf))), K: k})
	}
	for _, h := range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
		g := accuracy.Rate(h)
		worst, at, seen := [3]float64{}, [3]accuracy.Point{}, 0
		for _, p := range points {
			results, err := g.Check(p, 70)
			if err != nil {
				t.Error(err)
			}
			for i, x := range results {
				if x.Defined {
					seen++
					if share := x.Error / x.Bound; share > worst[i] {
						worst[i], at[i] = share, p
					}
				}
			}
		}
		t.Logf("%v: %d numbers; worst shares of the bounds %.3f at %v", h, seen, worst, at)
		if seen < len(points) {
			t.Errorf("%v: %d numbers of %d points", h, seen, len(points))
		}
	}
}
