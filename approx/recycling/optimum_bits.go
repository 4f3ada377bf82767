package recycling

import (
	"errors"
	"fmt"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fluid"
	"github.com/bloomproof/bloomproof/approx/internal/fm"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
	"github.com/bloomproof/bloomproof/approx/internal/sizing"
)

// LeastBits returns the least number m of bits in each array of a recycling filter. The filter must have a capacity of
// at least n new messages, with a false-positive rate of at most p. LeastBits uses the K positions and the hashing of
// g. For g.K = 0 it uses the best k for each m.
//
// More bits can mean fewer messages. The largest sigma is often the same for m and m+1. With m+1 bits, fewer positions
// coincide. So each message sets more bits, and a cycle ends earlier. So the answer cannot be found by bisection.
// LeastBits first finds an m that is too small. For this m, a bound shows that every k has a capacity below n. The
// comment of the method "excluded" derives this bound. LeastBits assumes that all smaller m also have a capacity below
// n. There are two reasons. The rate after n messages decreases as m increases. The bound decreases too, apart from
// terms of order 1/m. LeastBits then tries every m above the one found, in ascending order.
//
// Source: Dozier-FP, sections V-B and V-C, solved for m.
// Domain: 1 <= n < 2^64; the field M of g is 0; all other conditions are those of MostMessages.
// Error: the same as for MostMessages. If Excluded is set, LeastBits tried every m above the first m, up to the result.
// Cost: one call of MostMessages for each m that is tried. If the best k is sought, such a call stops after an
// estimated second. The call then leaves out the remaining values of k. The search makes tens or hundreds of calls.
// LeastBits also estimates the m at which the capacity is n. If the calls would take more than a few seconds, the
// search starts just below this estimate.
// Errors: the same as for MostMessages; ErrRange if m would be above 2^62.
func LeastBits(g bloomproof.Geometry, n uint64, r bloomproof.Recycling, p float64) (Optimum, error) {
	if n < 1 {
		return Optimum{}, &bloomproof.ParamError{Param: "n", Value: n, Want: "at least 1"}
	}
	if g.M != 0 {
		return Optimum{}, &bloomproof.ParamError{Param: "m", Value: g.M, Want: "0, which is looked for"}
	}
	g.M = top
	if err := cycle.CheckSizing(g, r, p); err != nil {
		return Optimum{}, err
	}
	s := bitsSearch{cycleSearch{h: g.Hashing, m: top, r: r, p: p, most: mostSpentOfM, newCycle: New}, g.K, float64(n), mostSizes}
	return s.least()
}

// The method "least" returns the result of LeastBits for valid arguments.
func (s *bitsSearch) least() (Optimum, error) {
	start := s.k
	if s.k == 0 {
		start = fluid.BestK(s.r.TwoPhase, s.p, bloomproof.MaxK)
	}
	load := fluid.Load(s.r.TwoPhase, start, s.p)
	guess := s.n * float64(start) / load
	for range fullSteps { // a cycle has at most m H_m/k arrivals, about m (ln m + Euler's constant)/k
		guess = s.n * float64(start) / min(load, max(1, fm.Log(guess)+euler))
	}
	if !(guess < top/2) {
		return Optimum{}, fmt.Errorf("m is about 2^61 or more: %w", refuse.ErrRange)
	}
	low := s.impossible(guess, start)
	_, _, cost, err := s.try(uint64(guess) + 1)
	if err != nil {
		return Optimum{}, err
	}
	whole := true // true if every m from low+1 on is tried
	if (guess-float64(low))*cost > s.sizes {
		at := sizing.Meet(guess, s.n, func(m float64) float64 {
			o, _, _, tryErr := s.try(uint64(m) + 1)
			if err == nil {
				err = tryErr
			}
			return o.Capacity
		})
		if err != nil {
			return Optimum{}, err
		}
		if from := at - nearPositions*float64(start) - nearBits; from > float64(low) {
			low, whole = uint64(from), false
		}
	}
	for m := low + 1; m < top; m++ {
		o, ok, _, err := s.try(m)
		if err != nil {
			return Optimum{}, err
		}
		if ok {
			o.Excluded = o.Excluded && whole
			return o, nil
		}
	}
	return Optimum{}, fmt.Errorf("m is above 2^62: %w", refuse.ErrRange)
}

const (
	top = 1 << 62 // the largest m that is tried

	// LeastBits first finds an m that is too small. For this m, a bound excludes every k. LeastBits tries every larger
	// m if the estimated time for this is at most mostSizes microseconds. Otherwise the search begins below the m for
	// which the capacity reaches n. The distance is nearPositions*k + nearBits bits. This distance was large enough in
	// all cases of TestLeastBits. The reason is the following. If the largest sigma changes by 1, the capacity changes
	// too. Suppose that m changes by the number of bits that a few messages set. This would have about the same effect.
	// If the search begins at that distance, Excluded is false, because some m were not tried.
	mostSizes     = 2e6
	nearPositions = 8
	nearBits      = 16

	// The guess of m is computed by fullSteps iterations if all bits are set at the end of a cycle. Each iteration
	// divides the error of the logarithm of m by about ln m.
	// The constant "euler" is Euler's constant.
	fullSteps = 16
	euler     = 0.5772156649015329

	// The search lowers m in steps of m/downStep until the bound (see LeastBits) excludes every k.
	downStep = 16
)

// bitsSearch holds the arguments and the state of a search for m.
type bitsSearch struct {
	cycleSearch     // its m is not used
	k           int // 0 for the best k
	n           float64
	sizes       float64 // the constant mostSizes, or another number in tests
}

// Call m impossible if the method "excluded" returns true for every k. The method "impossible" returns such an m, close
// to the largest one. If there is no such m, the method returns 0. The argument "guess" is an m at which this search
// begins. The argument "start" is a k near the best k.
func (s *bitsSearch) impossible(guess float64, start int) uint64 {
	from, to := s.k, s.k
	all := func(m uint64, from, to int) bool {
		s.m = m
		for k := from; k <= to; k++ {
			if !s.excluded(k, s.n) {
				return false
			}
		}
		return true
	}
	if s.k == 0 { // if these k are excluded, most k far from start are excluded too
		from, to = max(1, start/2), min(bloomproof.MaxK, 2*start+4)
	}
	low := sizing.LastTrue(0, top, guess, func(m uint64) bool { return m == 0 || all(m, from, to) })
	for s.k == 0 && low > 0 && !all(low, 1, bloomproof.MaxK) {
		low -= low/downStep + 1
	}
	return low
}

// The method "try" returns the Optimum for m bits. The result "enough" reports whether this filter has a capacity of at
// least s.n. The result "cost" estimates how many microseconds the search for this filter takes.
func (s *bitsSearch) try(m uint64) (o Optimum, enough bool, cost float64, err error) {
	s.m, s.spent, s.limit = m, 0, 0
	if s.k > 0 && ((bloomproof.Geometry{M: m, K: s.k, Hashing: s.h}).Validate() != nil || s.r.Retain && m <= uint64(s.k)) {
		return o, false, 0, nil // there is no such filter
	}
	o, err = s.answer(s.k)
	if errors.Is(err, refuse.ErrUndefined) || errors.Is(err, errLeftOut) {
		return Optimum{}, false, s.spent, nil
	}
	return o, err == nil && o.Capacity >= s.n, s.spent + guessCost, err
}
