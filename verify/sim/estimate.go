package sim

import (
	"github.com/bloomproof/bloomproof/internal/numeric"
	"github.com/bloomproof/bloomproof/verify/stat"
)

// Interval is an estimate of a rate or another ratio, with its confidence interval.
type Interval struct {
	Mean, Low, High float64
}

// Ratio returns the ratio of two counts over all runs, with a confidence interval. An example is
//
//	Ratio(runs, (*Tally).Capacity, 0.99).
//
// The interval is Student's t interval (stat.RatioInterval). Each run is one sample. If no run has a trial, the result
// is nil.
// Domain: at least two runs; 0 < confidence <= 1 - 1e-12.
// Cost: O(runs).
// Errors: *bloomproof.ParamError.
func Ratio(runs []Tally, of func(*Tally) (hits, trials uint64), confidence float64) (*Interval, error) {
	var s numeric.Sums
	some := false
	for i := range runs {
		hits, trials := of(&runs[i])
		s.Add(float64(hits), float64(trials))
		some = some || trials > 0
	}
	if !some && len(runs) > 1 {
		return nil, nil
	}
	mean, low, high, err := s.Ratio(confidence)
	if err != nil {
		return nil, err
	}
	return &Interval{mean, low, high}, nil
}

// Rate does the same as Ratio for a proportion. Each hit is then one of the trials. Its interval lies in [0, 1]. A few
// hits are not enough to estimate the spread over the runs. So the interval is at least as wide as the interval for the
// same number of independent trials (stat.ClopperPearson).
// Errors: *bloomproof.ParamError, for example if there are 2^40 trials or more.
func Rate(runs []Tally, of func(*Tally) (hits, trials uint64), confidence float64) (*Interval, error) {
	r, err := Ratio(runs, of, confidence)
	if r == nil || err != nil {
		return nil, err
	}
	var hits, trials uint64
	for i := range runs {
		h, n := of(&runs[i])
		hits += h
		trials += n
	}
	low, high, err := stat.ClopperPearson(hits, trials, confidence)
	if err != nil {
		return nil, err
	}
	return &Interval{r.Mean, max(0, min(low, r.Low)), min(1, max(high, r.High))}, nil
}
