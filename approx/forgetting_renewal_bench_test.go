package approx

import (
	"fmt"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// BenchmarkRenewal is the paper's Table 1, each model on its own.
func BenchmarkRenewal(b *testing.B) {
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Repeat: 0.9}
	for _, m := range []Model{ModelRenewal, ModelRenewalExtended, ModelRenewalRetaining} {
		for _, phases := range []bloomproof.Phases{bloomproof.OnePhase, bloomproof.TwoPhase} {
			for _, sigma := range []uint64{1000, 2000, 3000} {
				b.Run(fmt.Sprintf("%v/phases=%v/sigma=%d", m, phases, sigma), func(b *testing.B) {
					r := bloomproof.Recycling{Sigma: sigma, Phases: phases, Positions: bloomproof.Fresh}
					for b.Loop() {
						c, err := NewForgetting(bloomproof.Geometry{M: 10000, K: 5}, r, w)
						if err != nil {
							b.Fatal(err)
						}
						if _, err := c.Predict(m); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
