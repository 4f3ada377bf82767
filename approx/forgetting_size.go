package approx

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/bloomproof/bloomproof"
)

// Designs is what a recycling filter may be that is to forget little.
type Designs struct {
	Hashing  bloomproof.Hashing
	K        int                    // 0 for any
	Rules    []bloomproof.Recycling // any of these, bit-bounded, their Sigma left out
	Workload bloomproof.Workload

	// Rate is the largest false-positive rate allowed: that of MostMessages, the average over
	// the arrivals of a cycle if all of them are new, as Dozier-FN takes it too.
	Rate float64
}

// Design is the one of Designs that was chosen.
type Design struct {
	CycleOptimum // of each array; its Certain tells of Sigma, and it has no Rivals
	Recycling    bloomproof.Recycling

	Model    Model // that judged what is forgotten
	Forecast Forecast
}

// Total returns the bits of all arrays.
func (d Design) Total() uint64 { return d.M * (uint64(d.Recycling.Phases) + 1) }

// LeastForgetting returns the filter of m bits in all arrays together with the least
// false-negative rate.
//
// For each rule and k, Sigma is the largest that the false-positive rate allows: the longer a
// cycle, the less is forgotten in the mean. The fluid limit compares the k outward from the
// one of the longest cycle, and the most accurate model decides between those that it
// finds within a factor 1 + 2/sqrt(n) of the least, n the arrivals of a cycle. With positions that
// last for the life of the filter the models for fresh ones decide, as none is known, and
// Valid is false; a rule without any model is left out.
//
// Source: Dozier-FN, section 6.3, with every k and rule beside sigma.
// Domain: 1 <= m < 2^64; 0 <= K <= 4096; 0 < Rate < 1; rules without copy-over where a model
// knows them.
// Error: that of MostMessages for Sigma, and that of the models; TestLeastForgetting finds
// the least of all sigma, k and rules by the same models, for small m.
// Cost: about 20 fluid forecasts a rule, and for each k that is close one of the best.
// Errors: *bloomproof.ParamError; ErrUndefined where no sigma, or no model serves; what
// Predict returns.
func LeastForgetting(d Designs, m uint64) (Design, error) {
	s, err := newDesignSearch(d)
	if err != nil {
		return Design{}, err
	}
	return s.least(m)
}

// LeastForgettingBits returns the filter of the fewest bits whose false-negative rate is at
// most fnr, in all arrays together, a multiple of step, which is 1 below 2^16 bits and at
// most a 2^-14 of them beyond.
//
// The rate is taken to fall with the bits but for the steps of sigma: the m before it was
// found to serve with no design, and those before were not looked at.
//
// Source, Domain, Error: as LeastForgetting; 0 < fnr < 1.
// Cost: some ten times as much.
// Errors: as LeastForgetting; ErrRange where m would be above 2^60.
func LeastForgettingBits(d Designs, fnr float64) (best Design, step uint64, err error) {
	s, err := newDesignSearch(d)
	if err != nil {
		return Design{}, 0, err
	}
	if !(fnr > 0 && fnr < 1) {
		return Design{}, 0, &bloomproof.ParamError{Param: "fnr", Value: fnr, Want: "above 0 and below 1"}
	}
	return s.fewest(fnr)
}

// designSearch looks for designs.
type designSearch struct {
	Designs
	reasons error // why rules were left out
}

func newDesignSearch(d Designs) (*designSearch, error) {
	if len(d.Rules) == 0 {
		return nil, &bloomproof.ParamError{Param: "rules", Value: 0, Want: "one or more"}
	}
	if err := d.Workload.Validate(); err != nil {
		return nil, err
	}
	const large = 1 << 62
	for _, r := range d.Rules {
		if err := checkCycleSizing(d.Hashing, large, d.K, r, d.Rate); err != nil {
			return nil, err
		}
	}
	return &designSearch{Designs: d}, nil
}

// candidate is a design that is not judged yet.
type candidate struct {
	rule bloomproof.Recycling
	size CycleOptimum
	fast float64 // its false-negative rate by the fluid limit
}

// least is LeastForgetting.
func (s *designSearch) least(m uint64) (Design, error) {
	all, err := s.candidates(m)
	if err != nil {
		return Design{}, err
	}
	var best Design
	for i, c := range all {
		d, err := s.judge(c)
		if err != nil {
			return Design{}, err
		}
		if i == 0 || d.Forecast.FNR < best.Forecast.FNR {
			best = d
		}
	}
	return best, nil
}

// candidates returns the designs of m bits that the fluid limit does not exclude, the least
// of each rule first.
func (s *designSearch) candidates(m uint64) ([]candidate, error) {
	var all []candidate
	least := math.Inf(1)
	for _, r := range s.Rules {
		of, err := s.ofRule(r, m/(uint64(r.Phases)+1))
		if errors.Is(err, ErrUndefined) {
			s.reasons = err
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, c := range of {
			least = min(least, c.fast*(1+margin(c)))
		}
		all = append(all, of...)
	}
	if all == nil {
		return nil, s.reasons
	}
	return slices.DeleteFunc(all, func(c candidate) bool { return c.fast > least }), nil
}

// margin is how much more than the least the fluid limit may say of a design that is judged.
func margin(c candidate) float64 { return 2 / math.Sqrt(max(c.size.Capacity, 1)) }

// ofRule returns the designs of a rule, of m bits an array.
func (s *designSearch) ofRule(r bloomproof.Recycling, m uint64) ([]candidate, error) {
	if m == 0 {
		return nil, errNoSigma
	}
	if s.K > 0 {
		c, err := s.candidate(r, m, s.K)
		return []candidate{c}, err
	}
	o, err := MostMessages(s.Hashing, m, 0, r, s.Rate)
	if err != nil {
		return nil, err
	}
	first, err := s.candidate(r, m, o.K)
	if err != nil {
		return nil, err
	}
	all := []candidate{first}
	least := first.fast * (1 + margin(first))
	for _, step := range []int{-1, 1} {
		for k := o.K + step; k >= 1 && k <= bloomproof.MaxK; k += step {
			c, err := s.candidate(r, m, k)
			var param *bloomproof.ParamError
			if errors.Is(err, ErrUndefined) || errors.As(err, &param) { // no sigma, or k above m
				break
			}
			if err != nil {
				return nil, err
			}
			if c.fast > least {
				break
			}
			all = append(all, c)
			least = min(least, c.fast*(1+margin(c)))
		}
	}
	return all, nil
}

// candidate returns the design of a rule and k.
func (s *designSearch) candidate(r bloomproof.Recycling, m uint64, k int) (candidate, error) {
	o, err := MostMessages(s.Hashing, m, k, r, s.Rate)
	if err != nil {
		return candidate{}, err
	}
	f, err := s.forgetting(r, o)
	if err != nil {
		return candidate{}, err
	}
	x, err := f.Predict(ModelFluid)
	if errors.Is(err, ErrUndefined) {
		_, x, err = f.best()
	}
	return candidate{r, o, x.FNR}, err
}

// forgetting returns the filter of a design with fresh positions.
func (s *designSearch) forgetting(r bloomproof.Recycling, o CycleOptimum) (*Forgetting, error) {
	r.Sigma, r.Positions = o.Sigma, bloomproof.Fresh
	return NewForgetting(bloomproof.Geometry{M: o.M, K: o.K, Hashing: s.Hashing}, r, s.Workload)
}

// judge lets the best model forecast a candidate.
func (s *designSearch) judge(c candidate) (Design, error) {
	f, err := s.forgetting(c.rule, c.size)
	if err != nil {
		return Design{}, err
	}
	m, x, err := f.best()
	if err != nil {
		return Design{}, err
	}
	if c.rule.Positions == bloomproof.Fixed {
		x.Kind, x.Valid, x.Note = KindApproximation, false, "made for fresh positions"
	}
	c.rule.Sigma = c.size.Sigma
	return Design{c.size, c.rule, m, x}, nil
}

// fewest is LeastForgettingBits.
func (s *designSearch) fewest(fnr float64) (Design, uint64, error) {
	const top = 1 << 60
	var failed error
	fast := func(m float64) float64 {
		all, err := s.candidates(uint64(m))
		if errors.Is(err, errNoSigma) {
			return 1
		}
		if err != nil {
			failed = err
			return fnr
		}
		least := 1.0
		for _, c := range all {
			least = min(least, c.fast)
		}
		return least
	}
	// The fluid limit tells where to look, the best model decides.
	m := 64.0
	for fast(m) > fnr {
		if m *= 4; m > top {
			return Design{}, 0, fmt.Errorf("%w: m would be above 2^60", ErrRange)
		}
	}
	m = meet(m/2, fnr, fast)
	step := uint64(1)
	for float64(step) < m*0x1p-14 && m >= 1<<16 {
		step *= 2
	}
	designs := map[uint64]Design{}
	serves := func(i uint64) bool {
		if failed != nil {
			return false
		}
		d, ok := designs[i]
		if !ok {
			var err error
			if d, err = s.least(i * step); err != nil && !errors.Is(err, errNoSigma) {
				failed = err
			}
			if err != nil {
				d.Forecast.FNR = 1
			}
			designs[i] = d
		}
		return d.Forecast.FNR <= fnr
	}
	guess := m / float64(step)
	last := lastTrue(0, top/step, guess, func(i uint64) bool { return i == 0 || !serves(i) })
	if failed != nil {
		return Design{}, 0, failed
	}
	if last == top/step {
		return Design{}, 0, fmt.Errorf("%w: m would be above 2^60", ErrRange)
	}
	return designs[last+1], step, nil
}
