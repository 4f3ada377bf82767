package recycling

import (
	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/exact/internal/enclose"
	"github.com/bloomproof/bloomproof/exact/internal/field"
	"github.com/bloomproof/bloomproof/exact/internal/interval"
	"github.com/bloomproof/bloomproof/exact/internal/precision"
	"github.com/bloomproof/bloomproof/exact/internal/refuse"
)

// Each endpoint of an interval has w words. In measurements, the time of a product of two intervals is about
// proportional to w + frozenWords.
const frozenWords = 3

// Frozen returns the probability that i bits of an array are set when its cycle ends. If freezeBefore is true, the new
// bits of the arrival that ends the cycle are not counted. Otherwise they are counted. Some arrivals of a cycle find i
// bits set. Let V_i be the expected number of these arrivals. Let tau(i,j) be the probability that Transition returns.
// If freezeBefore is true, the result for sigma-k+1 <= i <= sigma is
//
//	F_i = V_i sum over j > sigma of tau(i,j).
//
// If freezeBefore is false, the result for sigma < j <= sigma+k is
//
//	F_j = sum over i <= sigma of V_i tau(i,j).
//
// Suppose that the two arrays of a two-phase filter do not influence each other. Then the number of set bits of the
// frozen array has this distribution until the next recycle.
//
// Source: Dozier-FP, equations (24) and (25), for freeze-before. The paper has pi_i in place of V_i, so its
// probabilities sum to 1/E[N_0] instead of 1.
// Domain: the filter must be bit-bounded. If its positions are fixed, it must copy over. The argument i can be any
// number, and prec is as in FPR. The result is exactly 0 for i outside the ranges above.
// Error, Cost, Errors: the same as for FPR; the additional cost is k^2 products for freeze-before and k^3 products for
// freeze-after.
func (c *Cycle) Frozen(i uint64, freezeBefore bool, prec uint) (exact.Enclosure, error) {
	if err := c.ownDistribution(); err != nil {
		return exact.Enclosure{}, err
	}
	if err := precision.Check(prec); err != nil {
		return exact.Enclosure{}, err
	}
	if !c.canFreeze(i, freezeBefore) {
		return enclose.Int(0, prec), nil
	}
	states := 1.0
	if !freezeBefore {
		states = float64(c.g.K)
	}
	if cost := states * float64(c.g.K) * float64(c.g.K) * float64(words(prec)+frozenWords); cost > startsLimit {
		return exact.Enclosure{}, refuse.TooCostly("what ends a cycle", cost, startsLimit)
	}
	if c.short() {
		p, err := frozen(field.Rationals, c, i, freezeBefore, c.runRational)
		if err != nil {
			return exact.Enclosure{}, err
		}
		return enclose.Rational(p, prec), nil
	}
	at := min(i, c.r.Sigma)
	if !freezeBefore { // includes the least state, which may be the only one
		at = max(i, uint64(c.g.K)) - uint64(c.g.K)
	}
	c = c.chosen(at, prec)
	return enclose.Probability(enclose.ZivErr(prec, prec+c.guard(at)+c.guard(min(i, c.r.Sigma)), func(work uint) (*interval.Interval, error) {
		return frozen(field.Intervals(work), c, i, freezeBefore, c.runAt(work))
	}))
}

// canFreeze reports whether an array can hold i bits when its cycle ends.
func (c *Cycle) canFreeze(i uint64, freezeBefore bool) bool {
	k, sigma := uint64(c.g.K), c.r.Sigma
	if freezeBefore {
		return c.reaches(i) && i <= sigma && i+min(k, c.g.M-i) > sigma
	}
	if i <= sigma || i-sigma > k || i > c.g.M {
		return false
	}
	for _, b := range c.edge() {
		if i-b <= k && c.reaches(b) && canMove(c.g, b, i) {
			return true
		}
	}
	return false
}

// Frozen calls the function "frozen" to compute its result. The argument f determines whether it computes with
// intervals or with rationals.
func frozen[T any, P field.Number[T]](f field.Of[T, P], c *Cycle, i uint64, freezeBefore bool, run sums[P]) (P, error) {
	at := []uint64{i}
	if !freezeBefore {
		at = nil
		for _, b := range c.edge() {
			if i-b <= uint64(c.g.K) {
				at = append(at, b)
			}
		}
	}
	s, err := overCycle(f, c, at, run)
	if err != nil {
		return nil, err
	}
	p, t := f.Int(0), f.Zero()
	for n, b := range at {
		tau := transitions(f, c.g, b, c.g.K)
		for d := range tau {
			j := b + uint64(d)
			if freezeBefore && j > c.r.Sigma || !freezeBefore && j == i {
				p.Add(p, t.Mul(tau[d], s[visits+n]))
			}
		}
	}
	return p.Quo(p, s[unit]), nil
}
