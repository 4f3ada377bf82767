package trace

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/requests"
)

// Options say which part of a trace an Estimator counts. The zero value means the whole trace.
type Options struct {
	Warmup uint64 // the number of arrivals before the part, which make their keys known but are not counted
	Half   uint64 // the number of arrivals in the part's first half, for Stationarity; 0 means no Stationarity
}

// Estimator estimates the workload of a trace (see the package comment). Use NewEstimator.
//
// Memory: 32 bytes per key, and up to 12 MB for Correlation.
type Estimator struct {
	o    Options
	seen uint64 // the number of arrivals, including the warm-up
	keys []seenKey

	gaps  gaps
	steps transitions
}

// seenKey has the counts of the arrivals of one key.
type seenKey struct {
	count uint64 // the number of arrivals in the part
	early uint64 // the number of arrivals in the part's first half
	last  uint64 // the number of the last arrival, counted from 1 in the part
	state keyState
}

type keyState uint8

const (
	unseen  keyState = iota
	known            // the key arrived in the warm-up
	entered          // the key arrived in the part
)

// NewEstimator returns an Estimator without arrivals.
func NewEstimator(o Options) *Estimator { return &Estimator{o: o} }

// Observe takes the next arrival, given as the number of its key. Keys should be numbered 0, 1, 2, ..., because the
// memory depends on the largest number.
// Cost: O(1); about 60 ns if the keys do not fit into the cache.
func (e *Estimator) Observe(key uint64) {
	for key >= uint64(len(e.keys)) {
		e.keys = append(e.keys, seenKey{})
	}
	k := &e.keys[key]
	e.seen++
	if e.seen <= e.o.Warmup {
		k.state = known
		return
	}
	now := e.seen - e.o.Warmup
	if k.state == unseen {
		k.state = entered
	}
	if k.count > 0 {
		e.gaps.add(now - k.last)
	}
	k.count++
	k.last = now
	if now <= e.o.Half {
		k.early++
	}
	e.steps.observe(key)
}

// Estimate has the estimates of a trace's traffic.
type Estimate struct {
	Arrivals uint64 // the number of arrivals in the part
	Distinct uint64 // the number of distinct keys in the part
	New      uint64 // how many of the Distinct keys had never arrived before the part
	Once     uint64 // how many of the New keys arrive only once: one-hit wonders

	Workload     bloomproof.Workload
	Stationarity *Stationarity // nil without Options.Half
	Correlation  Correlation
}

// Estimate returns the estimates from the arrivals so far.
//
// Cost: O(d log d) for d keys. Correlation takes at most O(n log n) steps, where n is the number of arrivals of the
// sampled keys.
// Errors: *bloomproof.ParamError if no arrival was counted, or if Half is not less than the number of counted arrivals.
func (e *Estimator) Estimate() (*Estimate, error) {
	if e.seen <= e.o.Warmup {
		return nil, noArrivals(e.seen, e.o)
	}
	est := &Estimate{Arrivals: e.seen - e.o.Warmup}
	if e.o.Half >= est.Arrivals {
		return nil, &bloomproof.ParamError{Param: "half", Value: e.o.Half, Want: fmt.Sprintf("less than the %d arrivals counted", est.Arrivals)}
	}
	var all []share
	for _, k := range e.keys {
		if k.count == 0 {
			continue
		}
		est.Distinct++
		s := share{repeats: float64(k.count), copies: 1}
		if k.state == entered {
			est.New++
			s.repeats--
			s.entered = 1
			if s.repeats == 0 {
				est.Once++
			}
		}
		all = append(all, s)
	}
	est.Workload = workload(all, 1-float64(est.New)/float64(est.Arrivals))
	if e.o.Half > 0 {
		s, err := stationarity(e.keys, e.o.Half, est.Arrivals)
		if err != nil {
			return nil, err
		}
		est.Stationarity = s
	}
	est.Correlation = correlation(e)
	return est, nil
}

func noArrivals(seen uint64, o Options) error {
	return &bloomproof.ParamError{Param: "trace", Value: seen, Want: fmt.Sprintf("a trace with arrivals after its warm-up of %d", o.Warmup)}
}

// The type "share" represents keys that have the same number of repeats. Usually this is a single key. If only a sample
// of the keys was counted, a share can represent several keys.
type share struct {
	repeats float64
	copies  float64
	entered float64 // how many of the copies are new in the part
}

// The function "workload" returns the workload in which keys have the given numbers of repeats. An arrival is a repeat
// with the probability in the argument "repeat".
func workload(all []share, repeat float64) bloomproof.Workload {
	slices.SortFunc(all, func(a, b share) int { return cmp.Compare(b.repeats, a.repeats) })
	var q, zeta []float64
	entered := 0.0
	for len(all) > 0 && all[0].repeats > 0 {
		ties, copies, fresh := 0, 0.0, 0.0
		for ; ties < len(all) && all[ties].repeats == all[0].repeats; ties++ {
			copies += all[ties].copies
			fresh += all[ties].entered
		}
		n := max(int(math.Round(copies)), 1)
		for range n {
			q = append(q, all[0].repeats*(copies/float64(n)))
			zeta = append(zeta, fresh/float64(n))
		}
		entered += fresh
		all = all[ties:]
	}
	if q == nil { // without repeats any popularity is right
		return bloomproof.Workload{Popularity: bloomproof.Uniform(1)}
	}
	once := 0.0
	for _, s := range all {
		once += s.entered
	}
	if once > 0 {
		q, zeta = append(q, 0), append(zeta, once)
	}
	w := bloomproof.Workload{Popularity: bloomproof.Weights(q), Repeat: repeat}
	if entered+once > 0 {
		w.ArrivalWeights = zeta
	}
	return w
}

// Read estimates the workload of the trace that r holds. The trace is plain text, or gzip if its first two bytes say
// so. Each line is a key: all bytes up to a newline or the end of the input. Keys are identified by a 128-bit hash with
// a random secret. So the probability that two of n keys are confused is n^2/2^129, even if an attacker chose the keys.
//
// Cost: about 150 ns an arrival. Memory: 90 bytes a key and 12 MB.
// Errors: an error that wraps the error of r, if the input cannot be read, is corrupt, or has a line of more than 1
// MiB; ctx.Err() when ctx ends; the error of the random source; the errors of Estimate.
func Read(ctx context.Context, r io.Reader, o Options) (*Estimate, error) {
	keys, err := requests.NewKeys()
	if err != nil {
		return nil, err
	}
	e := NewEstimator(o)
	err = requests.EachLine(ctx, r, func(line []byte) error {
		e.Observe(keys.Number(line))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return e.Estimate()
}
