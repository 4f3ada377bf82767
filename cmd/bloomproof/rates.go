package main

import (
	"fmt"

	"github.com/bloomproof/bloomproof/verify/stat"
)

const confidence = 0.99

// The type "rate" represents a measured proportion with its Clopper-Pearson interval of 99 %.
type rate struct {
	Mean decimal `json:"mean"`
	Low  decimal `json:"low"`
	High decimal `json:"high"`
}

// The function "measure" returns the rate hits/trials and its confidence interval. If trials is 0, it returns nil.
func measure(hits, trials uint64) (*rate, error) {
	if trials == 0 {
		return nil, nil
	}
	lo, hi, err := stat.ClopperPearson(hits, trials, confidence)
	if err != nil {
		return nil, err
	}
	return &rate{decimal(float64(hits) / float64(trials)), decimal(lo), decimal(hi)}, nil
}

func (r *rate) String() string {
	if r == nil {
		return "-\t-\t-"
	}
	return fmt.Sprintf("%.6g\t%.6g\t%.6g", r.Mean, r.Low, r.High)
}

// The type "fprs" has three false-positive rates. PerArrival is the number of false positives divided by the number of
// arrivals. PerNew is the number of false positives divided by the number of new arrivals. PerCycleNew is the share of
// the cycle-new arrivals that the filter calls repeats. A rate is nil if its divisor is 0.
type fprs[T any] struct {
	PerArrival  *T `json:"per_arrival"`
	PerNew      *T `json:"per_new"`
	PerCycleNew *T `json:"per_cycle_new"`
}
