package fnr_test

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/fnr"
)

// The first line of Table 1 of Dozier-FN: a filter of 10000 bits that forgets when more than
// 1000 are set, under Zipf traffic in which nine of ten arrivals come again.
func ExampleSystem_Predict() {
	g := bloomproof.Geometry{M: 10000, K: 5}
	r := bloomproof.Recycling{Sigma: 1000, Retain: true, FreshPositions: true}
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Repeat: 0.9}
	c, err := fnr.New(g, r, w)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range []fnr.Model{"lower", "pins", "pins-arrivals", "biuniform"} {
		f, err := c.Predict(m)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-13v of 1000 arrivals %.1f are false negatives, cycles have %.0f\n", m, 1000*f.FNR, f.Cycle)
	}
	// Output:
	// lower         of 1000 arrivals 280.7 are false negatives, cycles have 553
	// pins          of 1000 arrivals 384.1 are false negatives, cycles have 434
	// pins-arrivals of 1000 arrivals 372.8 are false negatives, cycles have 445
	// biuniform     of 1000 arrivals 698.1 are false negatives, cycles have 264
}

// Two arrays forget half at a time. No model is made for fixed positions: the forecast says how far
// simulations were from it.
func ExampleSystem_Best() {
	g := bloomproof.Geometry{M: 5000, K: 5}
	r := bloomproof.Recycling{Sigma: 500, TwoPhase: true}
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Repeat: 0.9}
	for _, fresh := range []bool{true, false} {
		r.FreshPositions = fresh
		c, err := fnr.New(g, r, w)
		if err != nil {
			fmt.Println(err)
			return
		}
		m, err := c.Best()
		if err != nil {
			fmt.Println(err)
			return
		}
		f, err := c.Predict(m)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("fresh %t: %v, %.3f, valid %t\n%s\n", fresh, m, f.FNR, f.Valid, f.Note)
	}
	// Output:
	// fresh true: disabling, 0.314, valid true
	//
	// fresh false: disabling, 0.314, valid true
	// computed for fresh positions; in simulations the rate with fixed ones was within 1 % of it (docs/fnr.md)
}

// Where nothing new arrives and all messages fit, the filter comes to forget no more. Until
// then it has a rate.
func ExampleSystem_Absorbing() {
	g := bloomproof.Geometry{M: 1000, K: 4}
	r := bloomproof.Recycling{Sigma: 200, FreshPositions: true}
	c, err := fnr.New(g, r, bloomproof.Workload{Popularity: bloomproof.Uniform(65), Repeat: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := c.Absorbing()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("a cycle lasts for ever with probability %.1e\n", p)
	// Output:
	// a cycle lasts for ever with probability 6.7e-09
}

// Eight megabits, a million messages: where new ones enter at the last rank the rate is
// exact, and the renewal model close to it.
func ExampleSystem_Predict_large() {
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1_000_000), Repeat: 0.9}
	w.Arrivals = bloomproof.ArrivalLast
	c, _ := fnr.New(
		bloomproof.Geometry{M: 1 << 23, K: 7},
		bloomproof.Recycling{Sigma: 1 << 22, FreshPositions: true}, w)
	for _, m := range []fnr.Model{fnr.ModelExact, fnr.ModelRenewal, fnr.Model("fluid")} {
		f, err := c.Predict(m)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-8v %.8f in %.1f arrivals\n", m, f.FNR, f.Cycle)
	}
	// Output:
	// exact    0.12494919 in 3690521.0 arrivals
	// renewal  0.12494912 in 3690522.1 arrivals
	// fluid    0.12494924 in 3690517.0 arrivals
}
