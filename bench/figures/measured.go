package main

import (
	"context"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/sim"
)

const confidence = 0.99

var nothing = sim.Interval{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}

// The method append adds a measured point to the end of the series.
func (s *series) append(x sim.Interval) {
	s.y, s.low, s.high = append(s.y, x.Mean), append(s.low, x.Low), append(s.high, x.High)
}

// simulate measures a recycling filter and adds the rate with its interval as the next point.
func (s *series) simulate(g bloomproof.Geometry, r bloomproof.Recycling, w bloomproof.Workload, plan sim.Plan, of func(*sim.Tally) (hits, trials uint64)) error {
	runs, err := sim.Run(context.Background(), g, r, w, plan)
	if err != nil {
		return err
	}
	x, err := sim.Rate(runs, of, confidence)
	if err != nil {
		return err
	}
	s.append(*x)
	return nil
}

// fillRuns is the number of hash functions among which the method fill divides its filters.
const fillRuns = 35

// The method fill fills filters of package kernel with n items each, and looks up n + 64 other items in each. The
// argument filters is the number of filters. It adds the rate as the next point.
func (s *series) fill(g bloomproof.Geometry, n uint64, filters int, seed uint64) error {
	runs, err := sim.Fill(context.Background(), g, n,
		sim.Plan{Runs: fillRuns, Cycles: uint64(max(filters/fillRuns, 1)), Seed: seed})
	if err != nil {
		return err
	}
	r, err := sim.Rate(runs, (*sim.Tally).PerNew, confidence)
	if err != nil {
		return err
	}
	s.append(*r)
	return nil
}
