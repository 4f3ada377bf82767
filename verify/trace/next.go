package trace

import (
	"fmt"
	"math"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/sim"
)

// A trace is divided into at most mostStretches stretches. The number of stretches is at least mostStretches/2, unless
// the trace is very short. Quarters of the trace are compared with one another. Each of them begins at the beginning of
// a stretch.
const mostStretches = 32

// A trace is divided into stretches. The type "stretches" holds the gaps in each of them. If there are too many
// stretches, they are merged in pairs.
type stretches struct {
	length uint64 // the number of arrivals in a stretch, a power of two
	each   []stretch
}

type stretch struct {
	gaps  gaps
	fresh uint64 // the number of arrivals of new keys
}

// The method "add" counts one arrival. Arrivals are numbered from 0. The argument "gap" is the distance from the
// previous arrival of the same key, or 0 for a new key.
func (s *stretches) add(arrival, gap uint64) {
	for arrival/s.length >= mostStretches {
		s.join()
	}
	for uint64(len(s.each)) <= arrival/s.length {
		s.each = append(s.each, stretch{})
	}
	at := &s.each[arrival/s.length]
	if gap == 0 {
		at.fresh++
	} else {
		at.gaps.add(gap)
	}
}

func (s *stretches) join() {
	s.length *= 2
	for i := range s.each {
		if i%2 == 0 {
			s.each[i/2] = s.each[i]
		} else {
			s.each[i/2].add(&s.each[i])
		}
	}
	s.each = s.each[:(len(s.each)+1)/2]
}

func (s *stretch) add(o *stretch) {
	for c, n := range o.gaps.of {
		s.gaps.of[c] += n
	}
	s.gaps.total += o.gaps.total
	s.fresh += o.fresh
}

// A quarter of the trace consists of adjacent stretches. Their number is a fourth of the number of all stretches. The
// method "quarters" returns the gaps of every such quarter. The trace must have at least 16 arrivals. Let i be the
// index of a quarter in the result "all". The quarter with the index i+apart begins where this quarter ends.
func (s *stretches) quarters(arrivals uint64) (all []*forgetting, apart int) {
	full := int(arrivals / s.length)
	apart = full / 4
	for len(s.each) < full { // with a sample, the last stretches may be missing
		s.each = append(s.each, stretch{})
	}
	for first := 0; first+apart <= full; first++ {
		var sum stretch
		for i := range apart {
			sum.add(&s.each[first+i])
		}
		all = append(all, newForgetting(&sum.gaps, float64(sum.fresh), float64(apart)*float64(s.length)))
	}
	return all, apart
}

// The method "change" compares the rates of adjacent quarters of the trace. It returns the root mean square of their
// differences. The rates are those of a filter whose cycles have the given capacity. The unit of the capacity is one
// key of the sample.
func (l *Ladder) change(capacity float64, twoPhase bool) float64 {
	counted := l.seen - l.warmup
	if l.comparedAt != l.seen {
		l.compared, l.apart = l.parts.quarters(counted)
		l.comparedAt = l.seen
	}
	rates := make([]float64, len(l.compared))
	for i, f := range l.compared {
		share, _ := f.at(capacity, float64(counted), twoPhase)
		rates[i] = share / l.sampled
	}
	squares := 0.
	for i, rate := range rates[l.apart:] {
		squares += float64((rate - rates[i]) * (rate - rates[i]))
	}
	return math.Sqrt(squares / float64(len(rates)-l.apart))
}

// Next predicts which share of the next arrivals a filter will forget. It assumes that there will be as many arrivals
// as the trace has. It also assumes that the filter is empty at first. It estimates from the trace how much the traffic
// changes. The predicted mean is equal to the share that the method Forgotten returns. The argument "confidence" is the
// probability that the rate is above Low. It is also the probability that the rate is below High.
//
// Low and High are quantiles of a normal distribution. Its variance is the sum of two terms. One term is the variance
// of the result of Forgotten for one filter. For the other term, the trace is divided into quarters, and each quarter
// has its own rate. The term is the mean square of the difference between the rates of two adjacent quarters. At least
// 16 such pairs of quarters are used, and they begin at different places. The rate of a quarter is computed in the same
// way as in Estimate.Forgotten. On the next arrivals, the rate may differ from the rate on this trace. The method
// "Next" assumes that this difference is as large as the changes between adjacent quarters. It also assumes that
// copy-over does not influence how much the rate changes. The page docs/traces.md compares these assumptions with real
// traces. If the traffic continues to change in one direction, the interval is wrong. It is also wrong for traffic of a
// kind that does not occur in the trace.
// Domain: 0.5 <= confidence < 1; the capacity has the same domain as for the method Forgotten.
// Cost: some 100,000 steps for the first call after an arrival, and 2,000 steps for later calls.
// Errors: *bloomproof.ParamError. A trace of fewer than 16 arrivals also causes this error.
func (l *Ladder) Next(capacity, confidence float64, twoPhase bool) (sim.Interval, error) {
	deviations, err := l.deviations(confidence)
	if err == nil {
		err = l.knows(capacity, twoPhase)
	}
	if err != nil {
		return sim.Interval{}, err
	}
	mean, deviation := l.forecast(l.place(capacity), twoPhase)
	return between(mean, deviations*deviation), nil
}

// The method "forecast" returns the mean and the standard deviation of the rate that Next predicts. The argument
// "place" is the rung number of the capacity. It is not an integer if the capacity lies between two rungs.
func (l *Ladder) forecast(place float64, twoPhase bool) (mean, deviation float64) {
	mean, half := l.at(place, twoPhase)
	return mean, math.Hypot(half/normalT, l.change(capacityOf(place), twoPhase))
}

// The method "deviations" returns a quantile of the standard normal distribution. A standard normal variable is at most
// this number with the given confidence.
func (l *Ladder) deviations(confidence float64) (float64, error) {
	if !(confidence >= 0.5 && confidence < 1) {
		return 0, &bloomproof.ParamError{Param: "confidence", Value: confidence, Want: "at least 0.5 and below 1"}
	}
	if l.seen < l.warmup+mostStretches/2 {
		return 0, &bloomproof.ParamError{Param: "trace", Value: fmt.Sprintf("%d arrivals", l.seen), Want: fmt.Sprintf("of at least %d arrivals after the warm-up, to tell how traffic changes", mostStretches/2)}
	}
	return math.Sqrt2 * math.Erfinv(2*confidence-1), nil
}

// CapacityNext returns the least capacity that is sufficient for the given share of forgotten arrivals. A filter of
// this capacity, or of a larger one, forgets at most this share of the next arrivals. The argument "confidence" is the
// probability of this. The capacity is computed from the upper end of the interval of Next.
// Domain: 0 < share < 1; 0.5 <= confidence < 1.
// Cost: for each rung, the cost of one call of Next.
// Errors: the errors of Next and Capacity.
func (l *Ladder) CapacityNext(share, confidence float64, twoPhase bool) (float64, error) {
	deviations, err := l.deviations(confidence)
	if err != nil {
		return 0, err
	}
	return l.least(share, twoPhase, func(place float64) float64 {
		mean, deviation := l.forecast(place, twoPhase)
		return between(mean, deviations*deviation).High
	})
}

// The method "knows" returns an error if the ladder has no answer for this capacity or number of phases.
func (l *Ladder) knows(capacity float64, twoPhase bool) error {
	if !(capacity*l.sampled >= leastCapacity) || math.IsInf(capacity, 1) {
		return &bloomproof.ParamError{Param: "capacity", Value: capacity, Want: fmt.Sprintf("finite and at least %.6g", leastCapacity/l.sampled)}
	}
	return l.counted(twoPhase)
}

// The method "place" returns the number of the rung with the given capacity. If the capacity is between the capacities
// of two rungs, the result is not a whole number.
func (l *Ladder) place(capacity float64) float64 {
	return rungsAnOctave * math.Log2(capacity*l.sampled/leastCapacity)
}
