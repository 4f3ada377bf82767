package fnr

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// Where the frozen array is always full, where nothing repeats, and where the exponent of Zipf's law is as large as a
// float64 can be, an infinite relative error is not multiplied by 0.
func TestFluidEdges(t *testing.T) {
	steep := bloomproof.Zipf(math.MaxFloat64, 2)
	for _, w := range []bloomproof.Workload{
		{Popularity: bloomproof.Uniform(1)},
		{Popularity: steep},
		{Popularity: steep, Repeat: 0.083},
	} {
		for _, two := range []bool{false, true} {
			c, err := New(bloomproof.Geometry{M: 1, K: 1}, bloomproof.Recycling{TwoPhase: two}, w)
			if err != nil {
				t.Fatal(err)
			}
			f, err := c.Predict(modelFluid)
			if err == nil && !(f.Bound >= 0 && f.Bound <= 1 && f.Estimated <= f.Bound) {
				t.Errorf("%v, two phases %t: the bound is %v, and its estimated part is %v", w, two, f.Bound, f.Estimated)
			}
		}
	}
}
