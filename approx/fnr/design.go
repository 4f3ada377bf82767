package fnr

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fluid"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
	"github.com/bloomproof/bloomproof/approx/internal/sizing"
	"github.com/bloomproof/bloomproof/approx/recycling"
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
	recycling.Optimum // of each array; its Certain tells of Sigma, and it has no Rivals
	Recycling         bloomproof.Recycling

	Model    Model // that judged what is forgotten
	Forecast Forecast
}

// Total returns the bits of all arrays.
func (d Design) Total() uint64 { return d.M * arraysOf(d.Recycling) }

// arraysOf returns the number of bit arrays of a filter that recycles by r.
func arraysOf(r bloomproof.Recycling) uint64 {
	if r.TwoPhase {
		return 2
	}
	return 1
}

// Least returns the filter of m bits in all arrays together with the least
// false-negative rate.
//
// For each rule and k, Sigma is the largest that the false-positive rate allows: the longer a
// cycle, the less is forgotten in the mean. From the k of the longest cycle in the limit the
// fluid model, and from there the most accurate one, walk to their least and a step
// beyond, 3 where fewer than 1000 arrivals fit in a cycle, 32 where fewer than 16 do. Rules that the fluid model puts
// behind by a factor of 1 + 2/sqrt(n) or more, n the arrivals of a cycle, are left out. With
// positions that last for the life of the filter the models for fresh ones decide, as there
// are no others, and the forecast says how far they are from it.
//
// Source: Dozier-FN, section 6.3, with every k and rule beside sigma.
// Domain: 1 <= m < 2^64; 0 <= K <= 4096; 0 < Rate < 1; the rules those of MostMessages.
// Error: that of MostMessages for Sigma, and that of the models; TestLeast finds
// the least of all sigma, k and rules by the same models, for small m.
// Cost: for each rule some ten fluid forecasts, and some eight of the model they are compared by;
// for few messages a cycle, some hundred of each. About 10 s at most.
// Errors: *bloomproof.ParamError; ErrUndefined where no sigma serves; ErrTooCostly beyond that
// cost; what Predict returns.
func Least(d Designs, m uint64) (Design, error) {
	s, err := newDesignSearch(d)
	if err != nil {
		return Design{}, err
	}
	return s.least(m)
}

// LeastBits returns the filter of the fewest bits whose false-negative rate is at
// most fnr, in all arrays together, a multiple of step, which is 1 below 2^16 bits and at
// most a 2^-12 of them beyond.
//
// With one step less no design was found to serve, and below 2^16 bits with 2 to 4 less. The
// rate is taken to fall with the bits but for such ripples: from one m to the next the largest
// sigma often stays, and fewer positions coincide.
//
// Source, Domain, Error: as Least; 0 < fnr < 1.
// Cost: some five times as much, and as much at most.
// Errors: as Least; ErrRange where m would be above 2^60.
func LeastBits(d Designs, fnr float64) (best Design, step uint64, err error) {
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
	traffic func() (*traffic, error)
	spent   float64 // about, in microseconds
}

const (
	designCourse = 1 << 25 // products for the arrivals of a cycle; the fluid model speaks for longer ones
	mostSearch   = 1e7     // microseconds
)

// What steps of a search cost, roughly, in microseconds of an AMD EPYC thread. They only decide
// when a search is too long.
const (
	thresholdCycles = 6   // Cycles that MostMessages computes to find a threshold
	sharedCost      = 0.2 // for each pair of positions, with two phases and fixed positions
	fluidCost       = 500 // a fluid forecast, and a third for each rank that is listed
	rankCost        = 1. / 3
	productsAMicro  = 1000 // products of rows and courses
	rowVectors      = 4    // states of a row that a vector has
	largeCourse     = 1e6  // products for a filter whose messages are not followed
)

const (
	// sameRate is the relative difference up to which two rates are the same: the models err by less
	// in the filters that are judged.
	sameRate = 0x1p-30

	// behind, over the square root of the arrivals of a cycle, is by how much a rule may be worse by
	// the fluid model before it is left out: the model errs by that order, as the end of a cycle
	// varies by so much. TestLeast finds no rule wrongly left out.
	behind = 2

	// No rate that the fluid model gives is below leastRate, so that it has a logarithm.
	leastRate = 0x1p-500

	// Fewest bits: the search begins at firstBits and ends at mostBitsAsked; below wholeBits every
	// number is tried, with the rippleBack numbers before the answer, and beyond a multiple of
	// a step, of which the answer has 2^12 at least.
	firstBits     = 64
	mostBitsAsked = 1 << 60
	wholeBits     = 1 << 16
	stepShare     = 0x1p-13
	rippleBack    = 4
)

// spend adds what a step has cost.
func (s *designSearch) spend(microseconds float64) error {
	if s.spent += microseconds; s.spent > mostSearch {
		return fmt.Errorf("%w: a search of more than %.0f s, in which no design is settled", refuse.ErrTooCostly, mostSearch/1e6)
	}
	return nil
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
		if err := cycle.CheckSizing(bloomproof.Geometry{M: large, K: d.K, Hashing: d.Hashing}, r, d.Rate); err != nil {
			var param *bloomproof.ParamError
			if errors.As(err, &param) {
				switch param.Param { // its names here
				case "p":
					param.Param = "rate"
				case "recycling":
					param.Param = "rules"
				}
			}
			return nil, err
		}
		if r.NoCopyOver && !r.FreshPositions {
			return nil, &bloomproof.ParamError{Param: "copy", Value: false, Want: "true with fixed positions"}
		}
	}
	return &designSearch{Designs: d, traffic: sync.OnceValues(func() (*traffic, error) { return newTraffic(d.Workload) })}, nil
}

// least is Least.
func (s *designSearch) least(m uint64) (Design, error) {
	starts, err := s.starts(m)
	if err != nil {
		return Design{}, err
	}
	var best Design
	for i, start := range starts {
		d, err := s.walk(start, s.judge)
		if err != nil {
			return Design{}, err
		}
		if i == 0 || d.Forecast.FNR < best.Forecast.FNR {
			best = d
		}
	}
	return best, nil
}

// starts returns for each rule that is not left out the best design by the fluid limit.
func (s *designSearch) starts(m uint64) ([]Design, error) {
	var all []Design
	var reason error
	least := math.Inf(1)
	for _, r := range s.Rules {
		d, err := s.start(r, m/arraysOf(r))
		if err == nil {
			d, err = s.walk(d, s.fluid)
		}
		if errors.Is(err, refuse.ErrUndefined) {
			reason = err
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, d)
		least = min(least, d.Forecast.FNR*(1+behind/math.Sqrt(d.Capacity)))
	}
	if all == nil {
		return nil, reason
	}
	return slices.DeleteFunc(all, func(d Design) bool { return d.Forecast.FNR > least }), nil
}

const (
	someArrivals = 1000 // in a cycle of a filter whose best k the fluid model hits or nearly so
	fewArrivals  = 16   // in a cycle of a filter that is too small for the fluid model
	nearK        = 32   // k on both sides of the best that are tried for such
)

// start returns the design of a rule with the k of the longest cycle by the fluid limit or, if
// that has no sigma, the nearest that has.
func (s *designSearch) start(r bloomproof.Recycling, m uint64) (Design, error) {
	if s.K > 0 {
		return s.with(Design{Recycling: r}, m, s.K)
	}
	first := fluid.BestK(r.TwoPhase, s.Rate, bloomproof.MaxK)
	err := error(cycle.ErrNoSigma)
	for _, k := range sizing.Outward(first, min(2*nearK+first, bloomproof.MaxK)) {
		d, e := s.with(Design{Recycling: r}, m, k)
		if !errors.Is(e, refuse.ErrUndefined) {
			return d, e
		}
		err = e
	}
	return Design{}, err
}

// walk returns the design with the least rate of false negatives by a forecast, over the k
// around that of start.
func (s *designSearch) walk(start Design, by func(*Design) error) (Design, error) {
	beyond := 1
	switch n := start.Capacity; { // the fewer arrivals, the rougher is the rate in k
	case n < fewArrivals:
		beyond = nearK
	case n < someArrivals:
		beyond = 3
	}
	best := start
	if err := by(&best); err != nil || s.K > 0 {
		return best, err
	}
	for _, step := range []int{-1, 1} {
		worse := 0
		for k := start.K + step; k >= 1 && k <= bloomproof.MaxK && worse < beyond; k += step {
			d, err := s.with(start, start.M, k)
			if err == nil {
				err = by(&d)
			}
			switch {
			case errors.Is(err, refuse.ErrUndefined):
				worse = beyond
			case err != nil:
				return Design{}, err
			case d.Forecast.FNR < best.Forecast.FNR*(1-sameRate):
				best, worse = d, 0
			default:
				worse++
			}
		}
	}
	return best, nil
}

// with returns the design d with m bits an array and k positions, its forecast left out.
func (s *designSearch) with(d Design, m uint64, k int) (Design, error) {
	r := d.Recycling
	r.Sigma = 0
	o, err := recycling.MostMessages(bloomproof.Geometry{M: m, K: k, Hashing: s.Hashing}, r, s.Rate)
	var param *bloomproof.ParamError
	if !errors.As(err, &param) {
		r.Sigma = o.Sigma
		spent := thresholdCycles * cycle.Cost(bloomproof.Geometry{M: m, K: k, Hashing: s.Hashing}, r)
		if r.TwoPhase && !r.FreshPositions {
			spent += sharedCost * float64(k) * float64(k) // sharedHits
		}
		if over := s.spend(spent); over != nil {
			return Design{}, over
		}
	}
	if param != nil { // the filter is too small for k
		err = cycle.ErrNoSigma
	}
	return Design{Optimum: o, Recycling: r}, err
}

// system returns the filter of a design with fresh positions.
func (s *designSearch) system(d *Design) (*System, error) {
	r := d.Recycling
	r.Sigma, r.FreshPositions = d.Sigma, true
	f, err := New(bloomproof.Geometry{M: d.M, K: d.K, Hashing: s.Hashing}, r, s.Workload)
	if err == nil {
		f.limit, f.traffic = designCourse, s.traffic
	}
	return f, err
}

// judging returns about how many microseconds a design takes to judge.
func (c *System) judging(d *Design) float64 {
	m, k := float64(d.M), float64(d.K)
	fill, course := 0.0, largeCourse
	if !c.isLarge() { // twice, to sigma and to sigma+k, and so the courses
		fill = k * (k + m + d.Capacity*min(rowWidth(c.g), m)) / rowVectors
		course = 2 * d.Forecast.Cycle * (float64(min(c.w.Popularity.D, mostRanks)) + arrivalCost)
	}
	return (fill + min(course, designCourse)) / productsAMicro
}

// fluid lets the fluid limit forecast a design; where there is none, it is judged.
func (s *designSearch) fluid(d *Design) error {
	f, err := s.system(d)
	if err != nil {
		return err
	}
	x, err := f.Predict(modelFluid)
	ranks := 0.0 // that are listed
	if c := s.Workload; c.Repeat < 1 && !entersLast(c) {
		ranks = float64(min(c.Popularity.D, mostRanks))
	}
	if over := s.spend(fluidCost + ranks*rankCost); over != nil {
		return over
	}
	if err != nil || d.Capacity < fewArrivals {
		return s.judge(d)
	}
	d.Model, d.Forecast = modelFluid, x
	return nil
}

// rated is what designs are compared by: an exact formula, or a renewal model, whose errors with
// and without retaining are alike. The best model of each would err in ways of its own.
func (c *System) rated() (Model, Forecast, error) {
	if f, err := c.Predict(ModelExact); err == nil && f.Valid {
		return ModelExact, f, nil
	}
	m := ModelRenewal
	if c.r.Retain {
		m = ModelRenewalRetaining
	}
	f, err := c.Predict(m)
	if err == nil {
		return m, f, nil
	}
	if errors.Is(err, refuse.ErrTooCostly) {
		if f, err := c.Predict(modelFluid); err == nil {
			return modelFluid, f, nil
		}
	}
	return c.best()
}

// judge forecasts a design.
func (s *designSearch) judge(d *Design) error {
	d.Rivals = nil
	f, err := s.system(d)
	if err != nil {
		return err
	}
	d.Recycling.Sigma = d.Sigma
	d.Model, d.Forecast, err = f.rated()
	if over := s.spend(f.judging(d)); over != nil {
		return over
	}
	if x := &d.Forecast; needsFresh(d.Recycling, s.Workload) {
		x.Kind = approximation
		f.fixed(x)
	}
	return err
}

// fewest is LeastBits.
func (s *designSearch) fewest(fnr float64) (Design, uint64, error) {
	const top = mostBitsAsked
	var failed error
	rate := func(d Design, err error) float64 {
		if errors.Is(err, cycle.ErrNoSigma) {
			return 1
		}
		if err != nil {
			failed = err
			return 0
		}
		return d.Forecast.FNR
	}
	// The fluid model tells where to look.
	fluid := func(m float64, rules ...bloomproof.Recycling) float64 {
		least := 1.0
		for _, r := range rules {
			d, err := s.start(r, uint64(m)/arraysOf(r))
			if err == nil {
				err = s.fluid(&d)
			}
			least = min(least, rate(d, err))
		}
		return max(least, leastRate)
	}
	m := float64(firstBits)
	for fluid(m, s.Rules...) > fnr {
		if m *= 4; m > top {
			return Design{}, 0, fmt.Errorf("%w: m would be above 2^60", refuse.ErrRange)
		}
	}
	m = min(max(1, sizing.Meet(m/2, fnr, func(m float64) float64 { return fluid(m, s.Rules...) })), top)
	step := uint64(1)
	for m >= wholeBits && float64(step) < m*stepShare {
		step *= 2
	}
	// The model that filters are compared by decides: the fewest bits with a rule and k, then whether others do with less.
	i := uint64(m)/step + 1
	best, err := s.least(i * step)
	for ; errors.Is(err, cycle.ErrNoSigma) && i < top/step; best, err = s.least(i * step) {
		i *= 2
	}
	if rule := best.Recycling; err == nil && best.Forecast.FNR > 0 {
		rule.Sigma = 0
		asked := fnr / best.Forecast.FNR * fluid(float64(i*step), rule) // which makes up for what the fluid model errs
		if at := sizing.Meet(float64(i*step), asked, func(m float64) float64 { return fluid(m, rule) }); at < top {
			i = uint64(max(at, 1))/step + 1
		}
	}
	for err == nil {
		found := map[uint64]Design{}
		fails := func(i uint64) bool {
			if i == 0 || failed != nil {
				return failed == nil
			}
			d, err := s.with(best, i*step/arraysOf(best.Recycling), best.K)
			if err == nil {
				err = s.judge(&d)
			}
			found[i] = d
			return rate(d, err) > fnr
		}
		last := sizing.LastTrue(0, top/step, float64(i), fails)
		if failed != nil {
			return Design{}, 0, failed
		}
		if last == top/step {
			return Design{}, 0, fmt.Errorf("%w: m would be above 2^60", refuse.ErrRange)
		}
		served := found[last+1]
		back := uint64(1)
		if step == 1 {
			back = rippleBack
		}
		for i = last; ; i-- {
			if best, err = s.least(i * step); rate(best, err) <= fnr {
				break
			}
			if i == 0 || last-i+1 == back {
				return served, step, failed
			}
		}
	}
	return Design{}, 0, err
}
