package fnr_test

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/fnr"
)

func ExampleSystem_Rates() {
	// Dozier-FN's 4-message example as a filter of 8 bits: half of the arrivals are new.
	f, err := fnr.New(
		bloomproof.Geometry{M: 8, K: 2},
		bloomproof.Recycling{Sigma: 4, Retain: true, FreshPositions: true},
		bloomproof.Workload{Popularity: bloomproof.Zipf(1, 4), Repeat: 0.5},
	)
	if err != nil {
		panic(err)
	}
	x, err := f.Rates(60)
	if err != nil {
		panic(err)
	}
	fmt.Println(x.FNR, x.FPR, x.Cycle)
	// Output: 0.17821354281554695 0.079786718743534251 3.9877283911265136
}

func ExampleSystem_Lasting() {
	// Without new messages the filter ends with all four recorded, and forgets nothing more.
	f, err := fnr.New(
		bloomproof.Geometry{M: 8, K: 2},
		bloomproof.Recycling{Sigma: 4, FreshPositions: true},
		bloomproof.Workload{Popularity: bloomproof.Zipf(1, 4), Repeat: 1},
	)
	if err != nil {
		panic(err)
	}
	end, err := f.Rates(60)
	if err != nil {
		panic(err)
	}
	before, err := f.Lasting(60)
	if err != nil {
		panic(err)
	}
	fmt.Println(end.FNR, end.Absorbing)
	fmt.Println(before.FNR, before.Absorbing)
	// Output:
	// 0 1.0000000000000000
	// 0.32881657521426777 0.023958881851388402
}

func ExampleSystem_CycleRates() {
	// A thousand messages, each as popular as the other, and one arrival in ten new.
	f, err := fnr.New(
		bloomproof.Geometry{M: 1000, K: 5},
		bloomproof.Recycling{Sigma: 100, FreshPositions: true},
		bloomproof.Workload{
			Popularity: bloomproof.Uniform(1000),
			Arrivals:   bloomproof.ArrivalLast,
			Repeat:     0.9,
		},
	)
	if err != nil {
		panic(err)
	}
	x, err := f.CycleRates(60, exact.Auto)
	if err != nil {
		panic(err)
	}
	fmt.Println(x.FNR, x.FPR, x.Cycle)
	// Output: 0.89106808586748030 0.00000017427924391209864 21.873364518368309
}

func ExampleSystem_CycleRates_repeats() {
	f, err := fnr.New(
		bloomproof.Geometry{M: 400, K: 2},
		bloomproof.Recycling{Sigma: 40, FreshPositions: true},
		bloomproof.Workload{Popularity: bloomproof.Zipf(1, 40), Repeat: 1},
	)
	if err != nil {
		panic(err)
	}
	x, err := f.CycleRates(24, "times")
	if err != nil {
		panic(err)
	}
	fmt.Println(x.FNR, x.Cycle)
	// Output: 0.39465694539684 55.184818385982
}

func ExampleSystem_CycleRates_arrivals() {
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 3), Repeat: 0.5}
	w.Arrivals = bloomproof.ArrivalLast
	f, err := fnr.New(
		bloomproof.Geometry{M: 16, K: 2},
		bloomproof.Recycling{Sigma: 5, FreshPositions: true}, w)
	if err != nil {
		panic(err)
	}
	x, err := f.CycleRates(24, "times")
	if err != nil {
		panic(err)
	}
	fmt.Println(x.FNR, x.FPR, x.Cycle)
	// Output: 0.27940572497022101 0.021111423470613773 4.8615267198573869
}
