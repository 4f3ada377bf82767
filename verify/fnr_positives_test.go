package verify_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/verify"
	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// Law: where nothing comes again the models that follow the fill of an array give the rate of
// false positives and the capacity of a recycling filter, within their stated bound and, for
// the rate, 2^-72 for each message of a cycle: also with sigma < k and where rates are far
// below that.
//
// Claims: none of a paper's: it is what package approx states of itself.
func TestPositivesWithoutRepeats(t *testing.T) {
	var models []approxfnr.Model
	for _, name := range []string{"lower", "uniform", "pins", "disabling"} {
		models = append(models, verify.ModelNamed(name))
	}
	drawn := longtest.More[uint64](30, 150)
	compared, small := 0, 0
	worst, at := 0.0, ""
	for i := range drawn {
		g, sigma := accuracy.DrawCycle(18, i, 64)
		for _, rule := range accuracy.Rules() {
			r := accuracy.WithThreshold(rule, g, sigma)
			if r.NoCopyOver || !r.FreshPositions {
				continue
			}
			for _, g.Hashing = range []bloomproof.Hashing{bloomproof.Standard, bloomproof.Classic} {
				if r.Validate(g) != nil {
					continue
				}
				want, err := approxrecycling.New(g, r)
				if err != nil {
					continue // too costly, or it fills
				}
				c, err := approxfnr.New(g, r, bloomproof.Workload{Popularity: bloomproof.Uniform(7)})
				if err != nil {
					t.Fatal(err)
				}
				for _, model := range models {
					f, err := c.Predict(model)
					if err != nil {
						continue
					}
					compared++
					if want.FPR() < 1e-20 {
						small++
					}
					bound := f.Bound + want.Bound()
					rate := math.Abs(f.FPRPerNew-want.FPR()) / (bound*want.FPR() + 0x1p-72*(1+f.Cycle))
					cycle := math.Abs(f.Cycle/want.Capacity()-1) / bound
					if share := max(rate, cycle); !(share <= worst) {
						worst, at = share, fmt.Sprintf("%v: %v, %v", model, g, r)
					}
				}
			}
		}
	}
	t.Logf("%d forecasts, %d of rates below 1e-20, worst %.3g of the bound, at %s", compared, small, worst, at)
	if !(worst <= 1) {
		t.Errorf("%.3g of the bound, at %s", worst, at)
	}
	if compared < 100 || small < 10 {
		t.Errorf("%d forecasts, %d of small rates: the test shows little", compared, small)
	}
}
