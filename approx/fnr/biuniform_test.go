package fnr

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The search for the tightest popularity finds what trying all of them finds. With one phase, the lower bound of each
// forecast is below it and near it.
func TestBiUniformSearch(t *testing.T) {
	popularities := []bloomproof.Popularity{
		bloomproof.Zipf(1, 300), bloomproof.Zipf(0.5, 200), bloomproof.Zipf(2, 500), bloomproof.Zipf(0.8, 100), bloomproof.Zipf(0.2, 150),
		bloomproof.BiUniform(10, 0.05, 200), bloomproof.BiUniform(12, 0.08, 100), bloomproof.BiUniform(20, 0.04, 30),
		bloomproof.BiUniform(9, 0.02, 400), bloomproof.BiUniform(100, 0.008, 300), bloomproof.BiUniform(50, 0.012, 180),
		bloomproof.BiUniform(9, 0.04, 150), bloomproof.BiUniform(70, 0.012, 150),
	}
	geometries := [][3]uint64{{10000, 550, 4}, {500, 250, 4}, {500, 300, 3}, {60, 20, 3}}
	if !longtest.Enabled() {
		popularities, geometries = popularities[:4], geometries[1:]
	}
	worst := 0.0
	for _, q := range popularities {
		for _, x := range geometries {
			for _, repeat := range []float64{0.3, 0.9, 1} {
				for _, twoPhase := range []bool{false, true} {
					g := bloomproof.Geometry{M: x[0], K: int(x[2])}
					r := bloomproof.Recycling{Sigma: x[1], FreshPositions: true, Retain: x[0]%3 == 0, TwoPhase: twoPhase}
					w := bloomproof.Workload{Popularity: q, Repeat: repeat}
					c, err := New(g, r, w)
					if err != nil {
						t.Fatal(err)
					}
					list, err := c.traffic()
					if err != nil {
						t.Fatal(err)
					}
					found, err := c.Predict(modelBiUniform)
					if err != nil {
						continue // p_r = 1 and few messages
					}
					d := len(list.q)
					least := math.Inf(1)
					for s := 1; s < d && list.q[s-1]*float64(d) > 1; s++ {
						want, err := c.markov(biUniformOf(list, s))
						if err != nil {
							t.Fatal(err)
						}
						least = min(least, want.FNR)
						if twoPhase || want.FNR == 0 {
							continue
						}
						under := biUniformOf(list, s)
						under.under = true
						low, err := c.markov(under)
						if err != nil {
							t.Fatal(err)
						}
						if off := low.FNR/want.FNR - 1; off > low.Bound+want.Bound {
							t.Errorf("%v %v %v, s = %d: the rate %g is below its lower bound %g", g, r, w, s, want.FNR, low.FNR)
						} else if d >= 150 && s >= 9 && under.ph <= 8*under.pl {
							worst = max(worst, -off)
						}
					}
					if math.Abs(found.FNR-least) > 1e-12*least {
						t.Errorf("%v %v %v: the search finds %g, the least of all is %g", g, r, w, found.FNR, least)
					}
				}
			}
		}
	}
	if t.Logf("the lower bounds are within %.2g", worst); !(worst > 0 && worst < 0.05) {
		t.Errorf("the lower bounds are within %g of the rates", worst)
	}
}
