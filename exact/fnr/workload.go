package fnr

import (
	"math"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
)

// The function "tracked" returns the number of ranks whose messages can be repeated under the workload w.
func tracked(w bloomproof.Workload) uint64 {
	p := w.Popularity
	switch {
	case w.Repeat == 0:
		return 0
	case p.Weights != nil:
		n := uint64(0)
		for n < p.D && p.Weights[n] > 0 {
			n++
		}
		return n
	case p.S > 0 && p.Weight(p.S) == 0:
		return p.S
	}
	return p.D
}

// ratWeight returns the relative popularity of rank j. The caller must have checked by rationalPopularity that this
// popularity is rational.
func ratWeight(p bloomproof.Popularity, j uint64) *big.Rat {
	switch {
	case p.Weights != nil:
		return new(big.Rat).SetFloat64(p.Weights[j])
	case p.S > 0:
		high := new(big.Rat).SetFloat64(p.PH)
		if j < p.S {
			return high
		}
		// Of D messages, the s most popular ones have the popularity ph. Each of the others has the popularity low = (1
		// - s*ph)/(D-s). If ph is rounded, this formula can give a negative number or a number above ph. Therefore the
		// result is limited to 0..ph.
		low := new(big.Rat).SetInt(new(big.Int).SetUint64(p.S))
		low.Mul(low, high)
		low.Sub(big.NewRat(1, 1), low)
		low.Quo(low, new(big.Rat).SetInt(new(big.Int).SetUint64(p.D-p.S)))
		switch {
		case low.Sign() < 0:
			return new(big.Rat)
		case low.Cmp(high) > 0:
			return high
		}
		return low
	}
	x := integer.Power(new(big.Int).SetUint64(j+1), uint64(p.Alpha))
	return new(big.Rat).SetFrac(big.NewInt(1), x)
}

// maxRationalAlpha is the largest exponent for which powers of ranks are computed as integers.
const maxRationalAlpha = 64

// rationalPopularity reports whether ratWeight can compute the popularities p.
func rationalPopularity(p bloomproof.Popularity) bool {
	return p.Alpha == math.Trunc(p.Alpha) && p.Alpha <= maxRationalAlpha
}

// weightAt returns a function that computes the relative popularity of a rank at the given precision.
func weightAt(p bloomproof.Popularity, work uint) func(j uint64) *interval.Interval {
	return func(j uint64) *interval.Interval {
		x := interval.New(work)
		if rationalPopularity(p) {
			return x.SetRat(ratWeight(p, j))
		}
		x.SetUint64(j + 1)
		x.Log(x)
		alpha := new(big.Rat).SetFloat64(p.Alpha)
		x.Mul(x, interval.New(work).SetRat(alpha))
		x.Neg(x)
		return x.Exp(x)
	}
}

// eventWeights returns the probabilities of the events of a chain with the given number of ranks. The function "weight"
// returns relative popularities.
func eventWeights[T any, P field.Number[T]](f field.Of[T, P], w bloomproof.Workload, ranks int, weight func(j uint64) P) []P {
	d := w.Popularity.D
	events := make([]P, 2*ranks+1)
	for e := range events {
		events[e] = f.Int(0)
	}
	// The function "spread" divides the probability p among the ranks in proportion to their weights. The share of rank
	// j is added to the probability of an event. The function "at" returns the index of this event.
	spread := func(p *big.Rat, weight func(j uint64) P, at func(j uint64) int) {
		if p.Sign() == 0 {
			return
		}
		shares := make([]P, len(events))
		sum := f.Int(0)
		for j := range d {
			x := weight(j)
			sum.Add(sum, x)
			if e := at(j); shares[e] == nil {
				shares[e] = f.Zero().Set(x)
			} else {
				shares[e].Add(shares[e], x)
			}
		}
		for e, x := range shares {
			if x != nil {
				x.Quo(x, sum)
				events[e].Add(events[e], weigh(f, p, x))
			}
		}
	}
	repeat := new(big.Rat).SetFloat64(w.Repeat)
	spread(repeat, weight, func(j uint64) int { return int(min(j, uint64(max(ranks, 1))-1)) })
	entry := weight
	switch {
	case w.ArrivalWeights != nil:
		entry = func(j uint64) P { return weigh(f, new(big.Rat).SetFloat64(w.ArrivalWeights[j]), f.Int(1)) }
	case w.Arrivals == bloomproof.ArrivalUniform:
		entry = func(uint64) P { return f.Int(1) }
	case w.Arrivals == bloomproof.ArrivalFirst:
		entry = func(j uint64) P { return f.Uint(1 - min(j, 1)) }
	case w.Arrivals == bloomproof.ArrivalLast:
		entry = func(j uint64) P { return f.Uint((j + 1) / d) }
	}
	spread(new(big.Rat).Sub(big.NewRat(1, 1), repeat), entry, func(j uint64) int { return ranks + int(min(j, uint64(ranks))) })
	return events
}
