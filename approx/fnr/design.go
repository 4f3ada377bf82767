package fnr

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/approx/internal/cycle"
	"github.com/bloomproof/bloomproof/approx/internal/fault"
	"github.com/bloomproof/bloomproof/approx/internal/fluid"
	"github.com/bloomproof/bloomproof/approx/internal/refuse"
	"github.com/bloomproof/bloomproof/approx/internal/sizing"
	"github.com/bloomproof/bloomproof/approx/recycling"
)

// Designs is the set of recycling filters among which Least and LeastBits search.
type Designs struct {
	Hashing  bloomproof.Hashing
	K        int                    // 0 for any k
	Rules    []bloomproof.Recycling // the rules to choose from, bit-bounded, with Sigma 0
	Workload bloomproof.Workload

	// Rate is the largest false-positive rate allowed. This rate is defined as in recycling.MostMessages and in the
	// paper Dozier-FN. It is an average over all arrivals of a cycle in which all messages are new.
	Rate float64
}

// Design is the filter that Least or LeastBits chose from Designs.
type Design struct {
	recycling.Optimum // for each array; Certain refers to Sigma, and there are no Rivals
	Recycling         bloomproof.Recycling

	Model    Model // the model that computed Forecast
	Forecast Forecast
}

// Total returns the number of bits of all arrays together.
func (d Design) Total() uint64 { return d.M * arraysOf(d.Recycling) }

// arraysOf returns the number of bit arrays of a filter with the recycling rule r. It is two if r has two phases, and
// one if r has one phase.
func arraysOf(r bloomproof.Recycling) uint64 {
	if r.TwoPhase {
		return 2
	}
	return 1
}

// Least returns the filter with the least false-negative rate. It considers filters whose arrays have m bits in total.
//
// For each rule and k, Sigma is the largest threshold that the false-positive rate permits. The reason is that longer
// cycles have a lower mean false-negative rate. The search starts at the k that gives the longest cycle in the fluid
// limit. From there it changes k in steps of 1 until the rate by the fluid model is least. Then it does the same with
// the rate by ModelExact. Where exact rates are not known, it uses a renewal model instead. To make sure that this rate
// is a minimum, it tries further values of k on each side. On each side, it tries one further k if at least 1000
// arrivals fit in a cycle. It tries 32 further values of k if fewer than 16 arrivals fit in a cycle. In all other cases
// it tries 3. The fluid model gives a rate f for each rule, and the number N of arrivals of a cycle. Let n be the
// number of arrivals of a cycle if all messages are new. A rule is left out if its rate exceeds f (1 + 2/sqrt(n)) + 1/N
// of another rule. There are no models for fixed positions. So filters with fixed positions are compared by means of
// the models for fresh positions. The forecast then reports the difference between fresh and fixed positions.
//
// Source: Dozier-FN, section 6.3. The paper varies only sigma, whereas Least also varies k and the rule.
// Domain: 1 <= m < 2^64; 0 <= K <= 4096; 0 < Rate < 1; rules that MostMessages accepts.
// Error: Sigma has the error of MostMessages, and the rates have the errors of the models. TestLeast uses the same
// models. For small m it computes the rate for each sigma, k and rule. It compares the least of these rates with the
// result of Least.
// Cost: for each rule, Least computes about ten forecasts by the fluid model. It then computes about eight forecasts by
// ModelExact or a renewal model. If a cycle has few messages, it computes about a hundred forecasts of each kind. The
// search takes at most about 10 s.
// Errors: *bloomproof.ParamError; the errors of Predict. If the false-positive rate is above Rate for every sigma, the
// error is ErrUndefined. If the search would take longer than about 10 s, the error is ErrTooCostly.
func Least(d Designs, m uint64) (Design, error) {
	s, err := newDesignSearch(d)
	if err != nil {
		return Design{}, err
	}
	return s.least(m)
}

// LeastBits returns the filter with the fewest bits, in all arrays together, whose false-negative rate is at most fnr.
// The number of bits is a multiple of the result "step". Below 2^16 bits, step is 1. From 2^16 bits on, step is at most
// 2^-12 times the number of bits.
//
// If the number of bits is reduced by one step, the false-negative rate is above fnr. Below 2^16 bits, a reduction by
// 2, 3 or 4 bits also gives a rate above fnr. The search does not try still smaller numbers of bits. It assumes that
// the rate decreases as the number of bits increases. This assumption is not quite true. The largest sigma is often the
// same for m bits and for m+1 bits. With m+1 bits, fewer positions coincide.
//
// Source, Domain, Error: the same as for Least; 0 < fnr < 1.
// Cost: about five times the cost of Least, with the same limit.
// Errors: the errors of Least. If m would be above 2^60, the error is ErrRange.
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

// A designSearch holds the state of a search for designs.
type designSearch struct {
	Designs
	traffic func() (*traffic, error)
	spent   float64 // the approximate cost so far, in microseconds
}

const (
	designCourse = 1 << 25 // the largest number of products for a cycle; for longer cycles the fluid model is used
	mostSearch   = 1e7     // the longest time of a search, in microseconds
)

// These constants estimate how long the steps of a search take, in microseconds on one thread of an AMD EPYC. The
// estimates are used only to decide whether a search takes too long.
const (
	thresholdCycles = 6   // the number of Cycles that MostMessages computes to find a threshold
	fluidCost       = 500 // microseconds of a fluid forecast; a third of it for each listed rank
	rankCost        = 1. / 3
	productsAMicro  = 1000 // the number of products that a row or a course computes in a microsecond
	rowVectors      = 4    // the number of states of a row that one vector instruction processes
	largeCourse     = 1e6  // the cost, in products, of a filter whose messages are not followed
)

const (
	// Two rates with a relative difference of at most sameRate count as equal. For the filters that are compared, the
	// rounding errors of the models are smaller than sameRate.
	sameRate = 0x1p-30

	// The fluid model gives a rate for a rule and a rate for the best rule. Divide the difference of these two rates by
	// the rate of the best rule. Let n be the number of arrivals of a cycle, and let c be the constant "behind". If the
	// quotient is at least c/sqrt(n), the rule can be left out (see the constant "unseen"). The length of a cycle
	// varies by a fraction of about 1/sqrt(n). The error of the model is of the same order. In TestLeast, no rule is
	// wrongly left out.
	behind = 2

	// The fluid model leaves out false negatives that occur about once in a cycle or less often. With two phases it can
	// have a rate of nearly 0, although the filter forgets one message in each cycle: the message that ends a cycle, if
	// the frozen array does not record it. Other such false negatives come from cycles that are shorter than the mean.
	// So a rule is left out only if it has at least "unseen" false negatives more than the best rule, in a cycle of
	// that rule.
	unseen = 1

	// If a rate of the fluid model is below leastRate, it is replaced by leastRate. So its logarithm exists.
	leastRate = 0x1p-500

	// LeastBits searches for a number of bits between firstBits and mostBitsAsked. Every number of bits below wholeBits
	// is a candidate. If LeastBits finds an answer there, it also tries the next smaller numbers of bits. It tries
	// rippleBack of them. Above wholeBits only the multiples of a step are candidates. The answer there is at least
	// 2^12 times the step.
	firstBits     = 64
	mostBitsAsked = 1 << 60
	wholeBits     = 1 << 16
	stepShare     = 0x1p-13
	rippleBack    = 4
)

// The method "spend" adds the estimated time of the next step to the time spent so far. It returns ErrTooCostly if the
// total time is then above the limit.
func (s *designSearch) spend(microseconds float64) error {
	if err := fault.Part(); err != nil {
		return err
	}
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
				switch param.Param { // translate to the names of these fields in this package
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

// The method "least" does the work of Least: it returns the best design with m bits.
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

// The method "starts" returns one design for each rule that the search keeps. It is the design that is best in the
// fluid limit.
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
		limit := d.Forecast.FNR * (1 + behind/math.Sqrt(d.Capacity))
		if n := d.Forecast.Cycle; n > 0 {
			limit += unseen / n
		}
		least = min(least, limit)
	}
	if all == nil {
		return nil, reason
	}
	return slices.DeleteFunc(all, func(d Design) bool { return d.Forecast.FNR > least }), nil
}

const (
	someArrivals = 1000 // with so many arrivals in a cycle the fluid model finds the best k, or nearly
	fewArrivals  = 16   // with fewer arrivals in a cycle the fluid model is too coarse
	nearK        = 32   // the number of k that are then tried on each side of the best k
)

// The method "start" returns a design for the rule r. Its k gives the longest cycle in the fluid limit. If no sigma is
// possible for this k, the method uses the nearest k that has a possible sigma.
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

// The method "walk" returns the design with the least false-negative rate. It begins with the k of the argument "start"
// and tries neighbouring values of k. The argument "by" is a function. It computes the forecast of a design.
func (s *designSearch) walk(start Design, by func(*Design) error) (Design, error) {
	beyond := 1
	switch n := start.Capacity; { // with fewer arrivals the rate is less smooth as a function of k
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

// The method "with" returns a copy of the design d. The copy has m bits per array, k positions and no forecast.
func (s *designSearch) with(d Design, m uint64, k int) (Design, error) {
	r := d.Recycling
	r.Sigma = 0
	o, err := recycling.MostMessages(bloomproof.Geometry{M: m, K: k, Hashing: s.Hashing}, r, s.Rate)
	var param *bloomproof.ParamError
	if !errors.As(err, &param) {
		r.Sigma = o.Sigma
		if over := s.spend(thresholdCycles * cycle.Cost(bloomproof.Geometry{M: m, K: k, Hashing: s.Hashing}, r)); over != nil {
			return Design{}, over
		}
	}
	if param != nil { // the filter is too small for this k
		err = cycle.ErrNoSigma
	}
	return Design{Optimum: o, Recycling: r}, err
}

// The method "system" returns the filter that the design d describes. If d has fixed positions, the returned filter has
// fresh positions.
func (s *designSearch) system(d *Design) (*System, error) {
	r := d.Recycling
	r.Sigma, r.FreshPositions = d.Sigma, true
	f, err := New(bloomproof.Geometry{M: d.M, K: d.K, Hashing: s.Hashing}, r, s.Workload)
	if err == nil {
		f.limit, f.traffic = designCourse, s.traffic
	}
	return f, err
}

// The method "judging" estimates how many microseconds the method "judge" takes for a design.
func (c *System) judging(d *Design) float64 {
	m, k := float64(d.M), float64(d.K)
	fill, course := 0.0, largeCourse
	if !c.isLarge() { // rows and courses are computed twice, up to sigma and up to sigma+k
		fill = k * (k + m + d.Capacity*min(rowWidth(c.g), m)) / rowVectors
		course = 2 * d.Forecast.Cycle * (float64(min(c.w.Popularity.D, mostRanks)) + arrivalCost)
	}
	return (fill + min(course, designCourse)) / productsAMicro
}

// The method "fluid" computes the forecast of a design in the fluid limit. If the limit does not exist, it calls the
// method "judge".
func (s *designSearch) fluid(d *Design) error {
	f, err := s.system(d)
	if err != nil {
		return err
	}
	x, err := f.Predict(modelFluid)
	ranks := 0.0 // the number of listed ranks
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

// The method "rated" returns the model and the forecast by which designs are compared. The model is ModelExact where
// exact rates are known. Elsewhere it is a renewal model. The errors of renewal models are similar for filters that
// retain the triggering message and for filters that do not. Some designs have a more accurate model. The method does
// not use it, because the errors of different models differ.
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

// The method "judge" computes the forecast of a design. The method "rated" chooses the model.
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

// The method "fewest" does the work of LeastBits. It returns the design with the fewest bits for the false-negative
// rate fnr. Like LeastBits, it also returns the step.
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
	// The function "fluid" returns the rate of the fluid model for m bits. The search begins at the m for which this
	// rate is the target rate fnr.
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
	// From here on, designs are judged by the model that the method "rated" chooses. The fluid model now only shortens
	// the search. First, the search keeps one rule and one k, those that are best at the estimated size. For these it
	// finds the fewest bits. Then it finds out whether another rule or another k needs fewer bits.
	i := uint64(m)/step + 1
	best, err := s.least(i * step)
	for ; errors.Is(err, cycle.ErrNoSigma) && i < top/step; best, err = s.least(i * step) {
		i *= 2
	}
	if rule := best.Recycling; err == nil && best.Forecast.FNR > 0 {
		rule.Sigma = 0
		asked := fnr / best.Forecast.FNR * fluid(float64(i*step), rule) // corrected for the fluid model
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
