package sim_test

import (
	"context"
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// The long-term rate of a filter of 1024 bits that clears itself when more than half are
// set, and how many messages it takes.
func ExampleRun() {
	allNew := bloomproof.Workload{Popularity: bloomproof.Uniform(1)} // no arrival is a repeat
	runs, err := sim.Run(context.Background(), bloomproof.Geometry{M: 1024, K: 4}, bloomproof.Recycling{Sigma: 512}, allNew,
		sim.Plan{Runs: 20, Cycles: 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	rate, err := sim.Rate(runs, (*sim.Tally).PerCycleNew, 0.99)
	if err != nil {
		fmt.Println(err)
		return
	}
	capacity, err := sim.Ratio(runs, (*sim.Tally).Capacity, 0.99)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("rate %.4f (%.4f to %.4f)\n", rate.Mean, rate.Low, rate.High)
	fmt.Printf("messages a cycle %.1f (%.1f to %.1f)\n", capacity.Mean, capacity.Low, capacity.High)
	// Output:
	// rate 0.0155 (0.0150 to 0.0160)
	// messages a cycle 178.2 (177.9 to 178.5)
}

// A pool of 1000 messages by Zipf's law, of which one arrival in ten is a new message
// that takes its place by the same law: false negatives of one array and of two.
func ExampleRun_workload() {
	w := bloomproof.Workload{Popularity: bloomproof.Zipf(1, 1000), Repeat: 0.9}
	for _, s := range []struct {
		g bloomproof.Geometry
		r bloomproof.Recycling
	}{
		{bloomproof.Geometry{M: 4096, K: 4}, bloomproof.Recycling{Sigma: 2048}},
		{bloomproof.Geometry{M: 2048, K: 4}, bloomproof.Recycling{Sigma: 1024, TwoPhase: true}},
	} {
		runs, err := sim.Run(context.Background(), s.g, s.r, w, sim.Plan{Runs: 20, Arrivals: 1e6})
		if err != nil {
			fmt.Println(err)
			return
		}
		missed, err := sim.Rate(runs, (*sim.Tally).FalseNegative, 0.99)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("two phases %t: %.4f (%.4f to %.4f)\n", s.r.TwoPhase, missed.Mean, missed.Low, missed.High)
	}
	// Output:
	// two phases false: 0.1661 (0.1646 to 0.1676)
	// two phases true: 0.1184 (0.1172 to 0.1196)
}
