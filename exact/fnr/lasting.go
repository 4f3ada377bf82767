package fnr

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/elimination"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Lasting returns the rates under the condition that the filter recycles for ever. The results of the method Rates
// include the possibility that the filter stops recycling. Suppose that positions are fresh, that nothing new arrives,
// and that all messages can fit. Then some cycle finally records all messages. Then the filter never recycles again,
// and its long-run rates are 0. If this takes very long, observations show the quasi-stationary distribution. Suppose
// that the filter has recycled for a long time and has not stopped. Then its situation has the quasi-stationary
// distribution.
//
// If there are hash functions for which the filter recycles for ever, the result is the mean over these hash functions.
// Otherwise the result is a mean. The distribution x of this mean satisfies x P = lambda x. Here P is the matrix of the
// transition probabilities between certain situations. In these situations the filter still recycles, and it can return
// to them. The number lambda is the largest eigenvalue of P. Then 1 - lambda is the probability that an arrival is the
// last one before the filter stops recycling.
//
// To find 1 - lambda, all situations except one are eliminated. The elimination uses a trial value in place of 1 -
// lambda. Consider the remaining situation. Its transition out of the chain has a weight, which is a function of the
// trial value. The root of this function is 1 - lambda. The function is decreasing. Below the root the function is
// concave, and all pivots are positive. The function is enclosed at two trial values. Its enclosures there have
// different signs, so the root lies between the two values. The computed enclosure of the distribution x is valid for
// all trial values between these two.
//
// Source: derived here; the state "all D messages recorded" is not in Dozier-FN.
// Domain: the same as for Rates.
// Cost: about twenty times the cost of Rates.
// Error: the relative widths are at most 2^-prec. The field Absorbing is 1 - lambda, the probability that an arrival is the
// last one before the filter stops recycling. This probability is 0 if there are hash functions for which the filter
// recycles for ever.
// Errors: the errors of Rates. Suppose that every filter stops recycling at some time. Then Lasting needs a set of
// situations with this property: the filter can recycle again and again without leaving the set. It returns
// ErrUndefined if there is no such set, or if there are several.
func (c *System) Lasting(prec uint) (*Rates, error) {
	if err := precision.Check(prec); err != nil {
		return nil, err
	}
	chain, err := c.chain()
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(chain.lastClasses(), func(class []int) bool { return chain.counts(class, recycles) }) {
		return c.rates(chain, prec, true)
	}
	var class []int
	for _, s := range chain.classes() {
		if chain.recyclesWithin(s) {
			if class != nil {
				return nil, refuse.Undefined("the lasting rates", "several sets of situations could last")
			}
			class = s
		}
	}
	if class == nil {
		return nil, refuse.Undefined("the lasting rates", "the filter does not recycle again and again")
	}
	products := chain.classProducts(class, eliminationLimit)
	for work := precision.First(prec, prec+subtractingBits); work < prec+precision.MaxGuard; work += prec + subtractingBits {
		if err := chain.affordable(products, work); err != nil {
			return nil, err
		}
		f := field.Intervals(work)
		q := &quasi{f, chain, class, eventWeights(f, c.w, chain.ranks, weightAt(c.w.Popularity, work))}
		rate := q.rate(prec+rateBits, work)
		if rate == nil {
			continue
		}
		x, _, _ := q.solve(rate)
		if x == nil {
			continue
		}
		m := &means[*interval.Interval]{absorbing: rate}
		copy(m.tally[:], meansOver(f, chain, q.events, class, x))
		for t := range m.tally {
			m.counted[t] = chain.counts(class, tally(t))
		}
		if e, good := c.enclosed(m, f, prec); good {
			return e, nil
		}
	}
	return nil, fmt.Errorf("the quasi-stationary distribution: %w", exact.ErrPrecision)
}

// The root is found to rateBits more bits than required. The root lies between the two ends of the bracket. The reason
// for the additional bits is that the distribution is computed for all trial values between these ends. If a bound of
// the root is known, the first bracket ends beyond this bound. The distance is 2^-bracketBits times the bound. It makes
// the sign of the function certain at that end. The search for the root usually takes a few steps. It gives up after
// stepsPerBit steps for each bit of the working precision.
const (
	rateBits    = 32
	bracketBits = 20
	stepsPerBit = 4
)

// In some states of a chain the filter still recycles. The type "quasi" describes these states. The filter leaves these
// states when it stops recycling, and it does not return to them.
type quasi struct {
	f      field.Of[interval.Interval, *interval.Interval]
	chain  *chain
	class  []int
	events []*interval.Interval
}

// The method "solve" eliminates all situations except one. It uses the trial value "rate" in place of 1 - lambda. It
// returns the distribution x up to a factor. The result "left" is the weight with which the chain leaves the remaining
// situation. The result "positive" is +1 if all pivots are certainly positive. It is -1 if a pivot is certainly
// negative. In all other cases, the result "positive" is 0.
func (q *quasi) solve(rate *interval.Interval) (x map[int]*interval.Interval, left *interval.Interval, positive int) {
	n := len(q.chain.moves)
	s := elimination.New(q.f, n)
	s.Killed = make([]*interval.Interval, n)
	for _, i := range q.class {
		s.Killed[i] = q.f.Zero().Neg(rate)
		for _, m := range q.chain.moves[i] {
			p := weigh(q.f, m.p, q.events[m.e])
			if _, in := slices.BinarySearch(q.class, m.to); in {
				s.Add(i, m.to, p)
			} else {
				s.Killed[i].Add(s.Killed[i], p)
			}
		}
	}
	positive = 1
	order := q.chain.byProgress(q.class)
	x = s.Stationary(order, func(sum *interval.Interval) bool {
		if sum.Sign() <= 0 {
			positive = sum.Sign()
		}
		return positive > 0
	})
	if x == nil {
		return nil, nil, positive
	}
	return x, s.Killed[order[0]], positive
}

// The method "side" compares the trial value "rate" with 1 - lambda. It returns +1 if "rate" is certainly smaller, -1
// if it is certainly larger, and 0 otherwise. The method "solve" computes the weight "left" for this trial value. The
// method "side" also returns an approximation of this weight.
func (q *quasi) side(rate *big.Float, work uint) (int, *big.Float) {
	_, left, positive := q.solve(interval.New(work).SetEnds(rate, rate))
	if left == nil {
		return min(positive, 0), nil
	}
	return left.Sign(), left.Lo()
}

// The method "rate" returns 1 - lambda with a relative width below 2^-bits, or nil if the working precision is too low.
func (q *quasi) rate(bits, work uint) *interval.Interval {
	nw := func() *big.Float { return new(big.Float).SetPrec(work) }
	lo, hi := nw(), nw().SetInt64(1)
	sign, fLo := q.side(lo, work)
	if sign <= 0 {
		return nil
	}
	// The variable "left" of the method "solve" is a function of the trial value. This function has a slope of at most
	// -1. Therefore the function value at 0 is an upper bound of the root.
	if fLo.Cmp(hi) < 0 {
		hi.Add(fLo, nw().SetMantExp(fLo, -bracketBits))
	}
	var fHi *big.Float
	last := 0
	for range stepsPerBit * work {
		width := nw().Sub(hi, lo)
		if width.MantExp(nil) < hi.MantExp(nil)-int(bits) {
			return interval.New(work).SetEnds(lo, hi)
		}
		// Let a chord connect the function values at the two ends of the bracket. The next trial value is close to the
		// zero of this chord, or it is the middle of the bracket. One end of the bracket was replaced last. The root is
		// expected between this end and the zero. So the zero is first moved slightly away from this end.
		mid := nw().Add(lo, hi)
		mid.SetMantExp(mid, -1)
		if fHi != nil {
			chord := nw().Quo(nw().Mul(fLo, width), nw().Sub(fLo, fHi))
			chord.Add(chord, lo)
			beyond := nw().SetMantExp(hi, -int(bits)-2)
			if last < 0 {
				beyond.Neg(beyond)
			}
			if chord.Add(chord, beyond); chord.Cmp(lo) > 0 && chord.Cmp(hi) < 0 {
				mid = chord
			}
		}
		sign, v := q.side(mid, work)
		switch {
		case sign == 0:
			return nil
		case sign > 0:
			lo, fLo = mid, v
			if last > 0 && fHi != nil {
				fHi.SetMantExp(fHi, -1) // the Illinois method halves the value at the end that did not move
			}
		default:
			hi, fHi = mid, v
			if last < 0 {
				fLo.SetMantExp(fLo, -1)
			}
		}
		last = sign
	}
	return nil
}
