package fnr_test

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/fnr"
)

// 1000 bits, for a thousand messages of which some are far more popular than others.
func ExampleLeast() {
	one := bloomproof.Recycling{FreshPositions: true}
	two := bloomproof.Recycling{FreshPositions: true, TwoPhase: true}
	d, err := fnr.Least(fnr.Designs{
		Rules:    []bloomproof.Recycling{one, two},
		Workload: bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Repeat: 0.9},
		Rate:     0.01,
	}, 1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("two phases %t, k = %d, sigma = %d of %d bits\n", d.Recycling.TwoPhase, d.K, d.Sigma, d.M)
	fmt.Printf("false negatives %.3f by the model %v\n", d.Forecast.FNR, d.Model)
	// Output:
	// two phases false, k = 6, sigma = 606 of 1000 bits
	// false negatives 0.418 by the model renewal
}

func ExampleLeastBits() {
	d, step, err := fnr.LeastBits(fnr.Designs{
		Rules:    []bloomproof.Recycling{{FreshPositions: true}},
		Workload: bloomproof.Workload{Popularity: bloomproof.Zipf(1, 100), Repeat: 0.9},
		Rate:     0.01,
	}, 0.2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d bits within %d, k = %d, sigma = %d: %.4f\n", d.Total(), step, d.K, d.Sigma, d.Forecast.FNR)
	// Output:
	// 520 bits within 1, k = 6, sigma = 315: 0.1999
}
