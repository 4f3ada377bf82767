package trace

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/internal/requests"
	"github.com/bloomproof/bloomproof/kernel"
)

// A caller of ReadBounded limits the number of keys that it holds. The constant minSketch is the smallest limit that is
// allowed.
const minSketch = 64

// The sketch can use a count for a single key only if the count is accurate. The count, divided by the bound of its
// error, must be at least the constant "exactness".
const exactness = 8

// The type "sketch" is the estimator of ReadBounded. It is implemented here because it is short. With a library, the
// whole module would have one more dependency, only for this type.
type sketch struct {
	o      Options
	hasher *kernel.Filter
	most   int

	seen   uint64
	heavy  *spaceSaving
	level  int                     // the sample has the keys whose hashes have this many leading zeros
	sample map[kernel.Hash]seenKey // counts and state of each key of the sample
}

// newSketch returns an empty sketch with secret hashing. The sketch has memory for a limited number of keys. This limit
// is the argument "keys".
func newSketch(o Options, keys int) (*sketch, error) {
	switch {
	case keys < minSketch || keys > 1<<30:
		return nil, &bloomproof.ParamError{Param: "keys", Value: keys, Want: fmt.Sprintf("between %d and 2^30", minSketch)}
	case o.Half != 0:
		return nil, &bloomproof.ParamError{Param: "half", Value: o.Half, Want: "0 for a sketch, which does not compare halves"}
	}
	var secret [16]byte
	if _, err := rand.Read(secret[:]); err != nil {
		return nil, err
	}
	return sketchWith(o, keys, kernel.Keyed(secret[:]))
}

// sketchWith does what newSketch does, with the given hashing.
func sketchWith(o Options, keys int, hashing kernel.Options) (*sketch, error) {
	hasher, err := kernel.New(bloomproof.Geometry{M: 1, K: 1}, hashing)
	if err != nil {
		return nil, err
	}
	return &sketch{o: o, hasher: hasher, most: keys, heavy: newSpaceSaving(keys), sample: make(map[kernel.Hash]seenKey)}, nil
}

// Observe takes the next arrival.
// Cost: O(log keys); about 150 ns.
func (s *sketch) Observe(key []byte) {
	h := s.hasher.Hasher().Bytes(key)
	s.seen++
	counted := s.seen > s.o.Warmup
	if counted {
		s.heavy.observe(h)
	}
	if !s.sampled(h) {
		return
	}
	k := s.sample[h]
	switch {
	case !counted:
		k.state = known
	default:
		if k.state == unseen {
			k.state = entered
		}
		k.count++
	}
	s.sample[h] = k
	for len(s.sample) > s.most {
		s.level++
		for h := range s.sample {
			if !s.sampled(h) {
				delete(s.sample, h)
			}
		}
	}
}

func (s *sketch) sampled(h kernel.Hash) bool { return h.H1>>(64-s.level) == 0 }

// Estimate returns the estimates from the arrivals so far. Counts of keys are rounded.
//
// Cost: O(keys log keys) time, and memory for the workload, which has one rank per distinct key.
// Errors: *bloomproof.ParamError when no arrival was counted.
func (s *sketch) Estimate() (*Estimate, error) {
	if s.seen <= s.o.Warmup {
		return nil, noArrivals(s.seen, s.o)
	}
	est := &Estimate{Arrivals: s.seen - s.o.Warmup}
	stands := float64(uint64(1) << s.level) // the number of keys that each key of the sample represents
	var all []share
	for _, c := range s.heavy.heap {
		if _, ok := s.sample[c.key]; !ok && heavy(c) {
			all = append(all, share{repeats: float64(c.count) - float64(c.excess)/2, copies: 1})
			est.Distinct++
		}
	}
	var distinct, fresh, once float64
	for h, k := range s.sample {
		if k.count == 0 {
			continue
		}
		x := share{repeats: float64(k.count), copies: stands}
		if i, ok := s.heavy.of[h]; ok && heavy(s.heavy.heap[i]) {
			x.copies = 1 // a heavy key represents only itself: the others are counted above
		}
		distinct += x.copies
		if k.state == entered {
			x.repeats--
			x.entered = stands
			fresh += stands
			if x.repeats == 0 {
				once += stands
			}
		}
		all = append(all, x)
	}
	fresh = min(fresh, float64(est.Arrivals))
	est.Distinct += uint64(distinct)
	est.New, est.Once = uint64(fresh), uint64(once)
	shareOut(all, float64(est.Arrivals)-fresh)
	est.Workload = workload(all, 1-fresh/float64(est.Arrivals))
	return est, nil
}

// Some elements of the list "all" represent several keys each. The function shareOut multiplies the numbers of repeats
// of these elements by a common factor. After that, the repeats of all keys add up to the argument "total".
func shareOut(all []share, total float64) {
	others := 0.0
	for _, x := range all {
		if x.copies == 1 {
			total -= x.repeats
		} else {
			others += x.repeats * x.copies
		}
	}
	if others == 0 || total <= 0 { // nothing to scale
		return
	}
	for i := range all {
		if all[i].copies > 1 {
			all[i].repeats *= total / others
		}
	}
}

// The function "heavy" reports whether the count of the counter c is accurate. A count that is not accurate is not used
// as the count of a single key. The true count lies between c.count - c.excess and c.count. The middle of this range is
// wrong by at most excess/2. There is a further error of 1 if the first arrival was not a repeat. Both errors together
// are at most 1/9 of the number of repeats. In the worst case, the key has 27 repeats, and the sum of both errors is 3.
func heavy(c counter) bool { return c.count >= exactness*max(c.excess, 4) }

// ReadBounded does what Read does, but its memory is bounded for any number of distinct keys. It holds two summaries.
// The argument "keys" is the largest number of keys in each summary. These are the two summaries.
//
//   - The heavy hitters are found by the Space-Saving summary. Their repeats are within 1/8 of the true numbers. With n
//     arrivals, every key is found that has at least 32 arrivals and at least 8*n/keys arrivals.
//   - A uniform sample of all keys has the keys with the smallest hashes, with their true counts. Each represents
//     1/rate keys, where rate is the share of keys in the sample. So the numbers of distinct, new and one-hit keys are
//     unbiased. With x such keys in the sample, the relative standard error is sqrt((1-rate)/x), at most sqrt(2/keys)
//     for the distinct keys. The remaining repeats are distributed among the other keys in the same way as in the
//     sample.
//
// If the number of distinct keys is at most the argument "keys", the sample has all of them and the estimates are
// exact. Stationarity and Correlation are not computed.
//
// The value of Options.Half must be 0.
//
// Cost: about 300 ns an arrival. Memory: about 200*keys bytes.
// Errors: the errors of Read; a *bloomproof.ParamError if the argument "keys" is too small or too large.
func ReadBounded(ctx context.Context, r io.Reader, o Options, keys int) (*Estimate, error) {
	s, err := newSketch(o, keys)
	if err != nil {
		return nil, err
	}
	err = requests.EachLine(ctx, r, func(line []byte) error {
		s.Observe(line)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.Estimate()
}
