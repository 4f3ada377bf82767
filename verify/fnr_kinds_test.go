package verify

import (
	"testing"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	"github.com/bloomproof/bloomproof/exact"
	exactfnr "github.com/bloomproof/bloomproof/exact/fnr"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// A model's rate is on the side of the exact one that its kind says. The claims that
// approx/fnr names have the same on a far larger grid.
//
// Claims: dozier-fn.eq5.lower, dozier-fn.eq6.upper, dozier-fn.eq7.upper, dozier-
// fn.4.2.4.tightest, dozier-fn.5.1.upper.
func TestFNRKinds(t *testing.T) {
	seen := map[string]int{}
	compare := func(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload, truth exact.Enclosure) {
		t.Helper()
		c, err := approxfnr.New(g, r, w)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range approxfnr.Models() {
			x, err := c.Predict(m)
			if err != nil {
				continue // a model that has no value here
			}
			seen[x.Kind]++
			f := truth.Float64()
			switch margin := f * (x.Bound + 1e-9); {
			case x.Kind == "lower" && x.FNR > f+margin, x.Kind == "upper" && x.FNR < f-margin,
				x.Kind == "exact" && (x.FNR > f+margin || x.FNR < f-margin):
				t.Errorf("%v %v %v: the %v of the model %v is %v, exact %v", g, r, w, x.Kind, m, x.FNR, f)
			}
		}
	}
	step := longtest.More(37, 1)
	i := 0
	for _, g := range []bloomproof.Geometry{{M: 3, K: 1}, {M: 4, K: 2}, {M: 5, K: 2, Hashing: bloomproof.Classic}} {
		for _, list := range [][]float64{{1, 1}, {5, 1}, {4, 2, 1}} {
			for law := bloomproof.ArrivalPopularity; law <= bloomproof.ArrivalFirst; law++ {
				for _, repeat := range []float64{0.25, 0.5, 0.9} {
					for _, retain := range []bool{false, true} {
						if i++; i%step != 0 {
							continue
						}
						r := bloomproof.Recycling{Sigma: 2, Retain: retain, FreshPositions: true}
						if i/2%2 == 0 && g.K == 1 {
							r = bloomproof.Recycling{Messages: 2 + uint64(i/4%2), Retain: retain, FreshPositions: true}
						}
						w := bloomproof.Workload{Popularity: bloomproof.Weights(list), Arrivals: law, Repeat: repeat}
						c, err := exactfnr.New(g, r, w)
						if err != nil {
							t.Fatal(err)
						}
						x, err := c.Rates(50)
						if err != nil {
							t.Fatal(err)
						}
						compare(g, r, w, x.FNR)
					}
				}
			}
		}
	}
	// Nothing new arrives, and the filter holds a few of the messages.
	if !longtest.Enabled() {
		return
	}
	g := bloomproof.Geometry{M: 1000, K: 5}
	r := bloomproof.Recycling{Sigma: 100, FreshPositions: true}
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 100), Repeat: 1}
	c, err := exactfnr.New(g, r, w)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.CycleRates(30, "times")
	if err != nil {
		t.Fatal(err)
	}
	compare(g, r, w, x.FNR)
	if seen["lower"] < 200/step || seen["upper"] < 3 {
		t.Errorf("compared %v", seen)
	}
}
