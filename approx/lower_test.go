package approx

import (
	"math"
	"math/rand/v2"
	"testing"
)

// On the circle of L, sqrt(2 pi x) p_x lies between 0.9 and sqrt(n/(n-1)), as the comment of contour proves.
func TestLowerCircles(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 4))
	least, most := math.Inf(1), 0.0
	for range 2000 {
		k := 1 + int(math.Exp(r.Float64()*math.Log(300)))
		m := uint64(k) + uint64(math.Exp(40*r.Float64()))
		n := 2 + uint64(math.Exp(12*r.Float64()-2))
		x := balls(n, k)
		if x > allHit*float64(m) {
			continue
		}
		p := newContour(float64(m), float64(k), x).mass()
		least, most = min(least, p), max(most, p/math.Sqrt(float64(n)/float64(n-1)))
	}
	t.Logf("sqrt(2 pi x) p_x is at least %.4f, and at most %.4f sqrt(n/(n-1))", least, most)
	if !(least >= 0.9 && most <= 1) {
		t.Errorf("%v and %v, which must lie between 0.9 and 1", least, most)
	}
}
