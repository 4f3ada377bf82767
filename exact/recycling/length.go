package recycling

import (
	"fmt"
	"math/big"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/integer"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/occupancy"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
	"github.com/bloomproof/bloomproof/exact/internal/search"
)

// This file computes the distribution of N_0, the number of new arrivals in a cycle. A cycle has more than n arrivals
// if at most sigma bits are set after n arrivals. Let X_n be the number of set bits after n arrivals. Then
//
//	P[N_0 > n] = P[X_n <= sigma].
//
// If the filter retains, X_n includes the bits of the retained arrival. With classic hashing or fresh positions, the
// retained arrival has the same distribution as any other arrival. In this case P[N_0 > n] = P[X_(n+1) <= sigma].
// Otherwise the retained arrival has another distribution, because it ended the previous cycle. It has some number D =
// d of distinct positions, so d bits are set at the start. Consider a cycle that begins with d set bits. Let Q_d(t) be
// the probability that at most sigma bits are set after t further positions. The first of these positions gives
//
//	Q_d(t) = d/m Q_d(t-1) + (1-d/m) Q_(d+1)(t-1).
//
// This equation is solved for the last term:
//
//	Q_(d+1)(t) = [Q_d(t+1) - d/m Q_d(t)] / (1-d/m).
//
// So Q_(d+1)(t) is a sum of multiples of Q_0(t+1), ..., Q_0(t+d+1).

// A normal distribution approximates the distribution of a number of bits. The constant halfBit is the continuity
// correction of this approximation.
const halfBit = 0.5

// lengthMost is the largest absolute precision, in bits, to which a tail probability is computed.
const lengthMost = 1 << 13

// If a result has too few correct bits, the method "lengths" requests the missing bits and lengthSpare additional bits.
// Then one more try is enough. The sum of the tail probabilities is computed with lengthWork more bits than the tail
// probabilities.
const (
	lengthSpare = 8
	lengthWork  = 32
)

// LengthAbove returns P[N_0 > n], the probability that a cycle has more than n new arrivals. The arrival that ends the
// cycle is counted.
//
// Source: section IV-F of Dozier-FP gives only the mean, in equations (20) to (23). The other source is Burns,
// equations (4) and (14).
// Domain: the bit-bounded rule, with copy-over; any n; prec as in FPR.
// Error: relative width at most 2^-prec. The result is a rational if its numerator and its denominator are short. The
// result is exactly 1 if n arrivals cannot set more than sigma bits. It is exactly 0 if they always set more than sigma
// bits.
// Cost: one tail probability of the number of set bits. It is computed as an integral, in 0.1 s for any m. With
// retaining, fixed positions and standard hashing, k tail probabilities are computed. In this case, the distribution of
// the number of set bits at the start of a cycle must also be computed, as for FPR.
// Errors: *bloomproof.ParamError; ErrUndefined without copy-over; ErrPrecision for values below 2^-8000; ErrTooCostly
// as for exact.ItemsInterval and for FPR.
func (c *Cycle) LengthAbove(n uint64, prec uint) (exact.Enclosure, error) {
	return c.lengths(prec, 0, []uint64{n}, []int64{1})
}

// LengthAtMost returns P[N_0 <= n], the distribution function of the number N_0 of new arrivals of a cycle.
//
// Source, Domain, Error, Cost, Errors: these are the same as for LengthAbove.
func (c *Cycle) LengthAtMost(n uint64, prec uint) (exact.Enclosure, error) {
	return c.lengths(prec, 1, []uint64{n}, []int64{-1})
}

// LengthPMF returns P[N_0 = n], the probability that a cycle has n new arrivals.
//
// Source, Domain, Error, Cost, Errors: these are the same as for LengthAbove.
func (c *Cycle) LengthPMF(n uint64, prec uint) (exact.Enclosure, error) {
	if n == 0 {
		return enclose.Int(0, prec), precision.Check(prec)
	}
	return c.lengths(prec, 0, []uint64{n - 1, n}, []int64{1, -1})
}

// LengthQuantile returns the least number n with P[N_0 <= n] >= p. Here N_0 is the number of new arrivals of a cycle.
//
// Source: the same as for LengthAbove.
// Domain: the bit-bounded rule, with copy-over; 0 < p < 1.
// Error: none. Numbers are compared through enclosures of increasing precision. If they are short rationals, they are
// compared as rationals.
// Cost: usually two tail probabilities, because the search starts at a normal approximation.
// Errors: the errors of LengthAbove; ErrRange if the result would be above 2^64-1; ErrPrecision. Suppose that p agrees
// with a probability to 300 bits. If this probability is too long to be computed as a rational, the error is
// ErrPrecision.
func (c *Cycle) LengthQuantile(p *big.Rat) (uint64, error) {
	if p == nil || p.Sign() <= 0 || p.Cmp(field.Rationals.Int(1)) >= 0 {
		return 0, &bloomproof.ParamError{Param: "p", Value: p, Want: "above 0 and below 1"}
	}
	t := tails{Cycle: c, weights: map[uint][]*interval.Interval{}}
	if err := t.alone(1); err != nil {
		return 0, err
	}
	rest := new(big.Rat).Sub(field.Rationals.Int(1), p)
	z := 0.0
	switch p.Cmp(big.NewRat(1, 2)) {
	case -1:
		z = -occupancy.NormalQuantile(p)
	case 1:
		z = occupancy.NormalQuantile(rest)
	}
	n, found, err := search.FirstTrue(1, t.item().Guess(c.r.Sigma, halfBit, z), func(n uint64) (bool, error) {
		for _, bits := range occupancy.Precisions {
			x, err := t.above(n, bits)
			if err != nil {
				return false, err
			}
			if order, decided := x.CmpRat(rest); decided {
				return order <= 0, nil
			}
		}
		if !t.short(n) {
			return false, fmt.Errorf("P[N_0 > %d] agrees with %v in %d bits: %w", n, rest, occupancy.Precisions[len(occupancy.Precisions)-1], exact.ErrPrecision)
		}
		x, err := t.rational(n)
		return err == nil && x.Cmp(rest) <= 0, err
	})
	if err == nil && !found {
		err = refuse.ErrRange
	}
	return n, err
}

// Let N_0 be the number of new arrivals of a cycle. The method "lengths" computes the sum of signs[i]*P[N_0 > ns[i]]
// over all i, and adds the argument "constant" to this sum.
func (c *Cycle) lengths(prec uint, constant int64, ns []uint64, signs []int64) (exact.Enclosure, error) {
	t := tails{Cycle: c, weights: map[uint][]*interval.Interval{}}
	if err := t.alone(prec); err != nil {
		return exact.Enclosure{}, err
	}
	if t.short(ns[len(ns)-1]) {
		sum := field.Rationals.Int(constant)
		for i, n := range ns {
			x, err := t.rational(n)
			if err != nil {
				return exact.Enclosure{}, err
			}
			x.Mul(x, field.Rationals.Int(signs[i]))
			sum.Add(sum, x)
		}
		return enclose.Rational(sum, prec), nil
	}
	for bits := prec + lengthSpare; ; {
		f := field.Intervals(bits + lengthWork)
		sum := f.Int(constant)
		for i, n := range ns {
			x, err := t.above(n, bits)
			if err != nil {
				return exact.Enclosure{}, err
			}
			sum.Add(sum, f.Zero().Mul(x, f.Int(signs[i])))
		}
		switch got := sum.RelBits(); {
		case sum.IsPoint() && sum.Sign() == 0:
			return enclose.Int(0, prec), nil
		case got >= int(prec):
			return enclose.Probability(enclose.Interval(precision.Round(sum, prec)), nil)
		case bits > prec+lengthMost:
			return exact.Enclosure{}, fmt.Errorf("a probability below 2^-%d: %w", lengthMost, exact.ErrPrecision)
		case got > 0:
			bits += prec - uint(got) + lengthSpare
		default: // the order of magnitude of the result is not known yet
			bits += prec + lengthWork + bits
		}
	}
}

// The method "alone" returns an error if prec is not valid. It also returns an error if the time of a recycle depends
// on more than the set bits of the active array.
func (t tails) alone(prec uint) error {
	switch {
	case t.r.NoCopyOver:
		return refuse.Undefined("length of a cycle", "without copy-over it depends on the frozen array")
	case t.r.Messages > 0:
		return &bloomproof.ParamError{Param: "messages", Value: t.r.Messages, Want: "0 (the bit-bounded rule)"}
	}
	return precision.Check(prec)
}

// The type "tails" computes P[N_0 > n], the probability that a cycle has more than n new arrivals. For each precision
// it stores the numbers that do not depend on n.
type tails struct {
	*Cycle
	weights map[uint][]*interval.Interval
}

// Consider the number of distinct positions of a retained message. The method "mixed" reports whether its distribution
// differs from the distribution for an arbitrary arrival.
func (t tails) mixed() bool { return len(t.starts()) > 1 && !t.r.FreshPositions }

// The method "law" returns the distribution of the number of set bits. These bits are set by n arrivals and by some
// single positions. The argument "extra" is the number of these single positions. Suppose that the filter retains the
// triggering message, and that the method "mixed" returns false. Then this message is counted too.
func (t tails) law(n uint64, extra int) occupancy.Distribution {
	arrivals := integer.Uint(n)
	if t.r.Retain && !t.mixed() {
		arrivals.Add(arrivals, integer.One)
	}
	count, size := t.g.batches(t.g.K)
	arrivals.Mul(arrivals, big.NewInt(count))
	if t.g.avoided == 0 { // each single position is a batch
		arrivals.Add(arrivals, big.NewInt(int64(extra)))
	}
	return occupancy.Distribution{M: t.g.M, N: arrivals, K: size}
}

// The method "item" returns the distribution of the number of bits that one arrival sets in an empty array.
func (t tails) item() occupancy.Distribution {
	count, size := t.g.batches(t.g.K)
	return occupancy.Distribution{M: t.g.M, N: big.NewInt(count), K: size}
}

// The method "above" returns an enclosure of P[N_0 > n], the probability that a cycle has more than n new arrivals.
// The absolute width of the enclosure is about 2^-bits.
func (t tails) above(n uint64, bits uint) (*interval.Interval, error) {
	if !t.mixed() {
		return t.law(n, 0).Below(t.r.Sigma, bits)
	}
	if p, ok := t.law(n, t.g.K).Trivial(t.r.Sigma); ok {
		return interval.New(64).SetUint64(p), nil
	}
	work := bits + precision.Spare
	if t.weights[bits] == nil {
		w, err := startWeights(field.Intervals(work), t.Cycle, t.chosen(t.r.Sigma, work).runAt(work+t.guard(0)))
		if err != nil {
			return nil, err
		}
		t.weights[bits] = w
	}
	sum, part := interval.New(work), interval.New(work)
	for i, w := range t.weights[bits] {
		p, err := t.law(n, i+1).Below(t.r.Sigma, work)
		if err != nil {
			return nil, err
		}
		sum.Add(sum, part.Mul(p, w))
	}
	return sum, nil
}

// The method "short" reports whether P[N_0 > n] is computed as a rational. This is the probability that a cycle has
// more than n new arrivals.
func (t tails) short(n uint64) bool {
	const longest, most = 1 << 12, 64
	return t.Cycle.short() && t.r.Sigma <= most && t.law(n, t.g.K).RationalBits(t.r.Sigma) <= longest
}

// The method "rational" returns P[N_0 > n], the probability that a cycle has more than n new arrivals.
func (t tails) rational(n uint64) (*big.Rat, error) {
	below := func(extra int) *big.Rat {
		o := t.law(n, extra)
		if p, ok := o.Trivial(t.r.Sigma); ok {
			return new(big.Rat).SetInt(integer.Uint(p))
		}
		return o.BelowRational(t.r.Sigma)
	}
	if !t.mixed() {
		return below(0), nil
	}
	weights, err := startWeights(field.Rationals, t.Cycle, t.runRational)
	sum := new(big.Rat)
	for i, w := range weights {
		w.Mul(w, below(i+1))
		sum.Add(sum, w)
	}
	return sum, err
}

// P[N_0 > n] is the probability that a cycle has more than n new arrivals. It is the sum over i of w_i Q_0(n*k+i+1).
// Here Q_0(t) is the probability that at most sigma bits are set after t positions. The function startWeights returns
// the weights w_i.
func startWeights[T any, P field.Number[T]](f field.Of[T, P], c *Cycle, run sums[P]) ([]P, error) {
	_, law, err := overStarts(f, c, nil, run)
	if err != nil {
		return nil, err
	}
	w := make([]P, len(law))
	for i := range w {
		w[i] = f.Int(0)
	}
	q := []P{f.Int(1)} // coefficients of Q_d(t) in terms of Q_0(t+1), Q_0(t+2), ...
	t := f.Zero()
	for i, p := range law {
		for j, x := range q {
			w[j].Add(w[j], t.Mul(p, x))
		}
		d := uint64(i) + 1
		if d == uint64(len(law)) {
			break
		}
		next := append([]P{f.Int(0)}, q...) // coefficients of Q_(d+1)
		for j, x := range q {
			met := f.Zero()
			met.Mul(x, f.Ratio(d, c.g.M))
			met.Sub(next[j], met)
			next[j] = met
		}
		for j := range next {
			next[j].Mul(next[j], f.Ratio(c.g.M, c.g.M-d))
		}
		q = next
	}
	return w, nil
}
