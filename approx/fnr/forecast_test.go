package fnr

import (
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// A forecast whose bound rests on an estimate says so, and no other does. The part that is not estimated is proven, and
// much smaller where the model is an expansion.
func TestAssumes(t *testing.T) {
	last := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1<<20), Arrivals: bloomproof.ArrivalLast, Repeat: 0.9}
	listed := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Arrivals: bloomproof.ArrivalPopularity, Repeat: 0.9}
	moving := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1<<15), Arrivals: bloomproof.ArrivalPopularity, Repeat: 0.9}
	small := bloomproof.Workload{Popularity: bloomproof.Uniform(300), Arrivals: bloomproof.ArrivalLast, Repeat: 0.5}
	same := bloomproof.Workload{Popularity: bloomproof.Uniform(300), Repeat: 1}
	two := bloomproof.Recycling{TwoPhase: true, FreshPositions: true}
	for _, x := range []struct {
		m     uint64
		r     bloomproof.Recycling
		w     bloomproof.Workload
		model Model
		want  string
	}{
		{1 << 17, bloomproof.Recycling{}, last, ModelRenewal, ofExpansion},
		{1 << 17, two, last, ModelRenewal, ofExpansion},
		{1 << 18, bloomproof.Recycling{}, moving, modelRenewalExtended, ofExpansion + "; " + ofFractions},
		{1 << 17, bloomproof.Recycling{}, last, modelFluid, ""},
		{1 << 18, bloomproof.Recycling{}, moving, modelFluid, ofIntegrals + "; " + ofFractions},
		{1 << 13, bloomproof.Recycling{}, listed, modelFluid, ""},
		{1 << 13, two, listed, modelFluid, ""},
		{1 << 17, bloomproof.Recycling{}, last, ModelExact, ofTransforms + "; " + ofExpansion},
		{1000, bloomproof.Recycling{}, small, ModelExact, ""},
		{1000, bloomproof.Recycling{}, same, ModelExact, ""},
		{8, bloomproof.Recycling{Messages: 1}, small, ModelExact, ""}, // nothing is lucky
		{1000, bloomproof.Recycling{}, small, ModelRenewal, ""},
		{1000, bloomproof.Recycling{}, small, modelUniform, ""},
		{1000, two, small, modelDisabling, ""},
		{1000, bloomproof.Recycling{}, small, modelBiUniform, ""},
	} {
		if !longtest.Enabled() && x.w.Arrivals == bloomproof.ArrivalPopularity && x.m > 1000 {
			continue // half a second
		}
		if x.r.FreshPositions = true; x.r.Messages == 0 {
			x.r.Sigma = x.m / 4
		}
		c, err := New(bloomproof.Geometry{M: x.m, K: 4}, x.r, x.w)
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.Predict(x.model)
		if err != nil {
			t.Errorf("%v %v: %v", x.model, x.w, err)
			continue
		}
		if f.Assumes != x.want || !(f.Estimated >= 0 && f.Estimated <= f.Bound) || (f.Estimated > 0) != (x.want != "") {
			t.Errorf("%v %v: assumes %q for %g of %g, want %q", x.model, x.w, f.Assumes, f.Estimated, f.Bound, x.want)
		}
		if sure := f.Bound - f.Estimated; x.want == ofExpansion && !x.r.TwoPhase && !(sure > 0 && sure < 1e-9) {
			t.Errorf("%v %v: %g of %g is proven", x.model, x.w, sure, f.Bound)
		}
		if f.Assumes != "" && strings.Contains(f.Note, "upper bound") && !strings.Contains(f.Note, "estimated") {
			t.Errorf("%v: %s", x.model, f.Note)
		}
	}
}
