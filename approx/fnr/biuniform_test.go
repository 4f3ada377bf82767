package fnr

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// The search for the tightest popularity finds what trying all by the urn finds, and where it
// takes the urn's moments, they are as close as it supposes.
func TestBiUniformSearch(t *testing.T) {
	popularities := []bloomproof.Popularity{
		bloomproof.Zipf(1, 300), bloomproof.Zipf(0.5, 200), bloomproof.Zipf(2, 500), bloomproof.Zipf(0.8, 100), bloomproof.Zipf(0.2, 150),
		bloomproof.BiUniform(10, 0.05, 200), bloomproof.BiUniform(12, 0.08, 100), bloomproof.BiUniform(20, 0.04, 30),
		bloomproof.BiUniform(9, 0.02, 400), bloomproof.BiUniform(100, 0.008, 300), bloomproof.BiUniform(50, 0.012, 180),
		bloomproof.BiUniform(9, 0.04, 150), bloomproof.BiUniform(70, 0.012, 150),
	}
	geometries := [][3]uint64{{10000, 550, 4}, {500, 250, 4}, {500, 300, 3}, {60, 20, 3}}
	if testing.Short() {
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
					f, err := c.filling()
					if err != nil {
						t.Fatal(err)
					}
					held := 0.0
					for _, row := range f.rows {
						held += row.fits
					}
					d := len(list.q)
					least := math.Inf(1)
					for s := 1; s < d && list.q[s-1]*float64(d) > 1; s++ {
						urn, moments := biUniformOf(list, s), biUniformOf(list, s)
						urn.exact = true
						want, err := c.markov(urn)
						if err != nil {
							t.Fatal(err)
						}
						least = min(least, want.FNR)
						if d < many || s < few || urn.ph > steep*urn.pl || held > mostHeld*float64(d) || want.FNR == 0 {
							continue
						}
						got, err := c.markov(moments)
						if err != nil {
							t.Fatal(err)
						}
						off := math.Abs(got.FNR/want.FNR - 1)
						if worst = max(worst, off); off > closeBy/2 {
							t.Errorf("%v %v %v, s = %d: %g by moments, %g by the urn", g, r, w, s, got.FNR, want.FNR)
						}
					}
					if math.Abs(found.FNR-least) > 1e-12*least {
						t.Errorf("%v %v %v: the search finds %g, the least of all is %g", g, r, w, found.FNR, least)
					}
				}
			}
		}
	}
	if t.Logf("by moments within %.2g", worst); worst == 0 {
		t.Error("nothing by moments")
	}
}
