package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/bloomproof/bloomproof"
	approxfnr "github.com/bloomproof/bloomproof/approx/fnr"
	approxrecycling "github.com/bloomproof/bloomproof/approx/recycling"
	"github.com/bloomproof/bloomproof/internal/requests"
	"github.com/bloomproof/bloomproof/verify/sim"
	"github.com/bloomproof/bloomproof/verify/trace"
)

// These are the values of the flag -model of the command "recycle". They choose the basis of a false-negative rate: the
// trace itself, or a workload that resembles the trace.
const (
	byTheGaps    = "gaps"
	byPopularity = "popularity"
)

// The type "searcher" finds the filter with the least false-negative rate.
type searcher interface {
	// The method "least" finds the filter with the least false-negative rate. The argument "total" is the number of
	// bits that the arrays of the filter have together.
	least(rate float64, total uint64) (approxfnr.Design, error)
	// The method "fewest" finds the least number of bits for a false-negative rate of at most fnr. The number is a
	// multiple of step.
	fewest(fnr float64) (d approxfnr.Design, step uint64, err error)
	// The method "about" returns two intervals for the false-negative rate of the filter d. The first is for the trace
	// itself, and the second for the next arrivals. An interval that is not known is nil.
	about(d approxfnr.Design) (itself, next *sim.Interval)
	// The method "kept" returns a bound of the false-negative rate of d for the next arrivals. The bound holds with
	// the confidence that the flag -confidence gives. Without this flag it returns the forecast rate of d.
	kept(d approxfnr.Design) (float64, error)
}

// popularitySearch searches for filters with the workload in the field "designs".
type popularitySearch struct{ designs approxfnr.Designs }

func (s popularitySearch) least(rate float64, total uint64) (approxfnr.Design, error) {
	s.designs.Rate = rate
	return approxfnr.Least(s.designs, total)
}

func (s popularitySearch) fewest(fnr float64) (approxfnr.Design, uint64, error) {
	return approxfnr.LeastBits(s.designs, fnr)
}

func (s popularitySearch) about(approxfnr.Design) (itself, next *sim.Interval) { return nil, nil }

func (s popularitySearch) kept(d approxfnr.Design) (float64, error) { return d.Forecast.FNR, nil }

// The type gapsSearch finds filters for a given trace. A filter forgets a share of the arrivals, and this share depends
// on the number of messages in a cycle. It is computed from the field "ladder".
type gapsSearch struct {
	designs  approxfnr.Designs
	ladder   *trace.Ladder
	estimate *trace.Estimate

	warmup     uint64  // the number of arrivals that are not counted
	confidence float64 // the probability that the next arrivals do not exceed the rate; 0 for the rate of the trace itself
}

// readGaps reads a trace into a ladder. From the ladder, the caller can compute how many repeats a filter with the
// given rule forgets.
func readGaps(ctx context.Context, in io.Reader, rule bloomproof.Recycling, o trace.Options) (*trace.Ladder, *trace.Estimate, error) {
	ladder, err := trace.NewLadder(rule, o.Warmup)
	if err != nil {
		return nil, nil, err
	}
	keys, err := requests.NewKeys()
	if err != nil {
		return nil, nil, err
	}
	traffic := trace.NewEstimator(o)
	err = requests.EachLine(ctx, in, func(line []byte) error {
		key := keys.Number(line)
		traffic.Observe(key)
		ladder.Observe(key)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	e, err := traffic.Estimate()
	return ladder, e, err
}

// readSample does the same as readGaps, but it uses only a sample of the keys. The argument "keys" limits the size of
// the sample.
func readSample(ctx context.Context, in io.Reader, rule bloomproof.Recycling, o trace.Options, keys int) (*trace.Ladder, *trace.Estimate, error) {
	r, w := io.Pipe()
	var e *trace.Estimate
	estimated := make(chan error, 1)
	go func() {
		var err error
		e, err = trace.ReadBounded(ctx, r, o, keys)
		_ = r.CloseWithError(err) // the result is always nil; the call ends the reading by the ladder after a failure
		estimated <- err
	}()
	ladder, err := trace.ReadLadder(ctx, io.TeeReader(in, w), rule, o, keys)
	_ = w.CloseWithError(err) // the result is always nil
	if other := <-estimated; err == nil {
		err = other
	}
	return ladder, e, err
}

// The method "least" compares the best filters of all rules. For each rule it considers the pairs of k and sigma
// whose false-positive rate is at most the argument "rate". It takes the pair with the longest cycles.
func (s gapsSearch) least(rate float64, total uint64) (best approxfnr.Design, err error) {
	err = bloomproof.ErrUndefined
	for _, rule := range s.designs.Rules {
		m := total / arraysOf(rule)
		if m == 0 {
			continue
		}
		o, fails := approxrecycling.MostMessages(bloomproof.Geometry{M: m, K: s.designs.K, Hashing: s.designs.Hashing}, rule, rate)
		if errors.Is(fails, bloomproof.ErrUndefined) {
			continue
		}
		if fails != nil {
			return best, fails
		}
		d, fails := s.design(o, rule)
		if fails != nil {
			return best, fails
		}
		if err != nil || d.Forecast.FNR < best.Forecast.FNR {
			best, err = d, nil
		}
	}
	return best, err
}

// The argument fnr is a false-negative rate. For each rule, the method "fewest" finds the capacity that a filter with
// this rate needs. The capacity is the number of messages in a cycle. Then it finds the least number of bits with this
// capacity. It returns the smallest filter of all rules.
func (s gapsSearch) fewest(fnr float64) (best approxfnr.Design, step uint64, err error) {
	err = bloomproof.ErrUndefined
	for _, rule := range s.designs.Rules {
		g := bloomproof.Geometry{K: s.designs.K, Hashing: s.designs.Hashing}
		// The filter still reports some arrivals of forgotten keys as repeats, because other keys have set the same
		// bits. The probability of such a report is approximately equal to the false-positive rate.
		share := min(fnr/(1-s.designs.Rate), 1-0x1p-53)
		capacity, fails := s.ladder.Capacity(share, rule.TwoPhase)
		if s.confidence > 0 {
			capacity, fails = s.ladder.CapacityNext(share, s.confidence, rule.TwoPhase)
		}
		if fails != nil {
			return best, 0, fails
		}
		for {
			o, fails := approxrecycling.LeastBits(g, uint64(math.Ceil(capacity)), rule, s.designs.Rate)
			if errors.Is(fails, bloomproof.ErrUndefined) {
				break
			}
			if fails != nil {
				return best, 0, fails
			}
			d, fails := s.design(o, rule)
			if fails != nil {
				return best, 0, fails
			}
			kept, fails := s.kept(d)
			if fails != nil {
				return best, 0, fails
			}
			if kept > fnr { // the false-positive rate of the filter is below the target
				capacity = math.Ceil(capacity)*1.001 + 1
				continue
			}
			if err != nil || d.Total() < best.Total() {
				best, err = d, nil
			}
			break
		}
	}
	return best, 1, err
}

// Each end of a two-sided 99 % interval is a bound with the confidence nextConfidence.
const nextConfidence = 0.995

func (s gapsSearch) about(d approxfnr.Design) (itself, next *sim.Interval) {
	called := func(f sim.Interval, err error) *sim.Interval {
		if err != nil {
			return nil
		}
		x := 1 - d.Rate
		return &sim.Interval{Mean: f.Mean * x, Low: f.Low * x, High: f.High * x}
	}
	return called(s.ladder.Forgotten(d.Capacity, d.Recycling.TwoPhase)),
		called(s.ladder.Next(d.Capacity, nextConfidence, d.Recycling.TwoPhase))
}

func (s gapsSearch) kept(d approxfnr.Design) (float64, error) {
	if s.confidence == 0 {
		return d.Forecast.FNR, nil
	}
	next, err := s.ladder.Next(d.Capacity, s.confidence, d.Recycling.TwoPhase)
	return next.High * (1 - d.Rate), err
}

// allNewNote is the note of a report whose false positives were not counted on the trace.
const allNewNote = "the rates of false positives are those of arrivals that are all new"

// The method "replayed" runs replicas of the filter on the trace, as the command "replay" does. It replaces the
// false-positive rates by the rates of the replicas. If the report has an interval of the false-negative rate, this
// interval is extended to contain the interval of the replicas.
func (c *call) replayed(r *recycleFNRReport, itself *sim.Interval, warmup uint64) error {
	in, err := openKeys(c.text("trace"), c.stdin, c.key())
	if err != nil {
		return err
	}
	defer in.close()
	s, err := trace.NewReplicas(bloomproof.Geometry{M: uint64(r.M), K: r.K, Hashing: r.Hashing}, r.rule(), warmup)
	if err != nil {
		return nil // the replicas have no answer, so the note stays
	}
	keys, err := requests.NewKeys()
	if err != nil {
		return err
	}
	err = eachLine(c.ctx, in, func(line []byte) error {
		s.Observe(keys.Number(line))
		return nil
	})
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	text := func(x *rate) *string {
		if x == nil {
			return nil
		}
		t := twelve(x.Mean).String()
		return &t
	}
	by := gapsOf(s)
	r.Under = fprs[string]{PerArrival: text(by.FPR.PerArrival), PerNew: text(by.FPR.PerNew), PerCycleNew: text(by.FPR.PerCycleNew)}
	r.Note = strings.TrimPrefix(strings.TrimPrefix(r.Note, allNewNote), "; ")
	if f := by.FNR; f != nil && itself != nil {
		itself.Low, itself.High = min(itself.Low, float64(f.Low)), max(itself.High, float64(f.High))
	}
	return nil
}

// The method "design" returns a filter with the rates and the cycle length that follow from the trace.
func (s gapsSearch) design(o approxrecycling.Optimum, rule bloomproof.Recycling) (approxfnr.Design, error) {
	rule.Sigma = o.Sigma
	missing, err := s.ladder.Forgotten(o.Capacity, rule.NoCopyOver) // repeats that no array, or not the active one, contains
	if err != nil {
		return approxfnr.Design{}, &usageError{"m", "leaves too few keys a cycle for the model gaps; ask for -model " + byPopularity}
	}
	forgotten, err := s.ladder.Forgotten(o.Capacity, rule.TwoPhase)
	if err != nil {
		return approxfnr.Design{}, err
	}
	fresh := float64(s.estimate.New) / float64(s.estimate.Arrivals)
	f := approxfnr.Forecast{
		FNR: forgotten.Mean * (1 - o.Rate), Lucky: forgotten.Mean * o.Rate,
		FPR: fresh * o.Rate, FPRPerNew: o.Rate, FPRPerCycleNew: o.Rate,
		Kind: "approximation", Valid: true, Note: allNewNote,
	}
	if share := s.ladder.Sampled(); share < 1 {
		f.Note += fmt.Sprintf("; what is forgotten is estimated from %g of the keys", share)
	}
	if taken := fresh + missing.Mean; taken > 0 {
		f.Cycle = o.Capacity / taken
	}
	if f.Cycle*float64(arraysOf(rule)) > float64(s.estimate.Arrivals) {
		f.Note += "; the trace is too short for this filter to forget anything of it"
	}
	return approxfnr.Design{Optimum: o, Recycling: rule, Model: byTheGaps, Forecast: f}, nil
}
